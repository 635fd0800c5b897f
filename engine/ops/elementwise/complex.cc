// Composing and decomposing complex numbers.
#include <fmt/format.h>

#include "engine/kernels/scalar_unary.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

constexpr std::string_view kParts[] = {"real", "imag"};

std::optional<Shape> InferComplex(const OpCall& call, Diagnostics& out) {
  std::optional<Shape> shape = InferBinary(call, kFloatTypes, ElementResult::kSame, out);
  if (!shape) return std::nullopt;
  const ElementLoop loop = ComplexLoop(shape->element_type());
  if (!loop || call.operand(0).element_type() != call.operand(1).element_type()) {
    ReportOperand(call, 0, DiagCode::kElementType,
                  fmt::format("The parts of a complex number are two f32 (c64) or two f64 (c128), "
                              "but these are {} and {}",
                              ShapeName(call.operand(0)), ShapeName(call.operand(1))),
                  out);
    return std::nullopt;
  }
  return WithElementType(std::move(*shape), loop.result);
}

ElementLoop LoopOfComplex(const OpCall& call) {
  return ComplexLoop(
      HigherPrecision(call.operand(0).element_type(), call.operand(1).element_type()));
}

std::optional<Shape> InferPart(const OpCall& call, Diagnostics& out) {
  return InferUnary(call, kFloatTypes | kComplexTypes, ElementResult::kComponent, out);
}

// Taking a part of a number: no arithmetic.
constexpr OpDef PartOp(std::string_view doc, std::string_view source,
                       ElementLoop (*loop)(const OpCall&)) {
  return {.doc = doc,
          .source = source,
          .operands = kOperand,
          .types = TypesText(kFloatTypes | kComplexTypes),
          .infer = InferPart,
          .eval = EvalElementwise,
          .elementwise = true,
          .loop = loop};
}

ElementLoop LoopOfReal(const OpCall& call) {
  const ElementType type = call.operand(0).element_type();
  return IsComplex(type) ? UnaryLoop<RealOp>(type) : CopyLoop(type);
}

ElementLoop LoopOfImag(const OpCall& call) {
  return UnaryLoop<ImagOp>(call.operand(0).element_type());
}

}  // namespace

namespace ops {

constinit const OpDef kComplex{
    .doc = "Complex numbers with the given real and imaginary parts.",
    .source = "operation semantics, Complex",
    .operands = kParts,
    .types = "f32, f64",
    .infer = InferComplex,
    .verify = VerifyBinary,
    .eval = EvalElementwise,
    .elementwise = true,
    .loop = LoopOfComplex,
};
constinit const OpDef kImag =
    PartOp("Imaginary part; 0 for a real operand.", "operation semantics, Imag", LoopOfImag);
constinit const OpDef kReal =
    PartOp("Real part; a real operand itself.", "operation semantics, Real", LoopOfReal);

}  // namespace ops
}  // namespace hlo
