// Shape rules of the element-wise ops: results, and what is said about what does not fit.
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/ops/op_def.h"
#include "tests/unit/op_runner.h"

namespace hlo {
namespace {

Shape Array(ElementType type, std::initializer_list<int64_t> dims) {
  return Shape::Array(type, dims);
}
bool Says(const TestOp& op, std::string_view words) {
  INFO(op.Inferred());
  return op.Inferred().find(words) != std::string::npos;
}
// What `OpDef::verify` says first; empty when it is content.
std::string Verified(const TestOp& op) {
  Diagnostics out;
  AttrList attrs = op.Attrs();
  GetOpDef(op.opcode).verify(op.Call(attrs), out);
  return out.empty() ? "" : out.list()[0].message;
}

const Shape kF32x2 = Shape::Array(ElementType::kF32, {2});
const Shape kS32x2 = Shape::Array(ElementType::kS32, {2});

TEST_CASE("results of unary ops") {
  CHECK(TestOp{Opcode::kAbs, {Array(ElementType::kC128, {2, 3})}, {}, {}}.Inferred() == "f64[2,3]");
  CHECK(TestOp{Opcode::kIsFinite, {kF32x2}, {}, {}}.Inferred() == "pred[2]");
  CHECK(TestOp{Opcode::kImag, {Array(ElementType::kC64, {})}, {}, {}}.Inferred() == "f32[]");
  CHECK(Says(
      {Opcode::kTanh, {kS32x2}, {}, {}},
      "Expected element type in shape to be floating or complex for tanh operation; got S32."));
  CHECK(Says({Opcode::kAbs, {Shape::Token()}, {}, {}}, "Expected array argument for abs"));
}

TEST_CASE("results of binary ops") {
  Shape dynamic = Array(ElementType::kF32, {2, 3});
  dynamic.set_dynamic(1, true);
  const Shape fixed = Array(ElementType::kF32, {2, 3});
  CHECK(TestOp{Opcode::kAdd, {fixed, dynamic}, {}, {}}.Inferred() == "f32[2,<=3]");
  // Float widths mix in inference; the verifier decides whether they may.
  CHECK(TestOp{Opcode::kAdd, {Array(ElementType::kBF16, {2}), kF32x2}, {}, {}}.Inferred() ==
        "f32[2]");
  CHECK(Says({Opcode::kAdd, {kF32x2, kS32x2}, {}, {}}, "f32"));
  CHECK(Says({Opcode::kAdd, {kF32x2, Array(ElementType::kF32, {3})}, {}, {}},
             "Binary op with incompatible shapes: f32[2] and f32[3]."));
  CHECK(Says(
      {Opcode::kSubtract, {Array(ElementType::kPred, {}), Array(ElementType::kPred, {})}, {}, {}},
      "element type"));
}

TEST_CASE("implicit broadcasts are inferred but not verified") {
  const TestOp scalar{Opcode::kAdd, {kF32x2, Array(ElementType::kF32, {})}, {}, {}};
  CHECK(scalar.Inferred() == "f32[2]");
  CHECK(Verified(scalar).find("Implicit broadcast is not allowed in HLO") != std::string::npos);
  const TestOp ones{
      Opcode::kAdd, {Array(ElementType::kF32, {1, 3}), Array(ElementType::kF32, {2, 1})}, {}, {}};
  CHECK(ones.Inferred() == "f32[2,3]");
  CHECK_FALSE(Verified(ones).empty());
  CHECK(Verified({Opcode::kAdd, {kF32x2, kF32x2}, {}, {}}).empty());
}

TEST_CASE("compare") {
  const TestOp less{Opcode::kCompare, {kS32x2, kS32x2}, {{"direction", int64_t{5}}}, {}};
  CHECK(less.Inferred() == "pred[2]");
  CHECK(Verified(less).empty());
  const TestOp wrong{
      Opcode::kCompare, {kS32x2, kS32x2}, {{"direction", int64_t{5}}, {"type", int64_t{3}}}, {}};
  CHECK(Verified(wrong).find("Expected comparison type SIGNED") != std::string::npos);
  const Shape c64 = Array(ElementType::kC64, {});
  CHECK_FALSE(Verified({Opcode::kCompare, {c64, c64}, {{"direction", int64_t{5}}}, {}}).empty());
  CHECK(Verified({Opcode::kCompare, {c64, c64}, {{"direction", int64_t{1}}}, {}}).empty());
}

TEST_CASE("select and clamp") {
  const Shape pred = Array(ElementType::kPred, {2}), scalar = Array(ElementType::kPred, {});
  CHECK(TestOp{Opcode::kSelect, {pred, kF32x2, kF32x2}, {}, {}}.Inferred() == "f32[2]");
  CHECK(TestOp{Opcode::kSelect, {scalar, kF32x2, kF32x2}, {}, {}}.Inferred() == "f32[2]");
  CHECK(Says({Opcode::kSelect, {scalar, Shape::Tuple({kF32x2}), Shape::Tuple({kF32x2})}, {}, {}},
             "Expected array argument for select"));
  CHECK(Says({Opcode::kSelect, {Array(ElementType::kPred, {3}), kF32x2, kF32x2}, {}, {}},
             "Operands to select and predicate must be the same shape; got f32[2] and f32[2] and "
             "pred[3]."));
  const Shape f32 = Array(ElementType::kF32, {});
  CHECK(TestOp{Opcode::kClamp, {f32, kF32x2, kF32x2}, {}, {}}.Inferred() == "f32[2]");
  CHECK(Says({Opcode::kClamp, {Array(ElementType::kF32, {3}), kF32x2, f32}, {}, {}},
             "Clamp with incompatible shapes: f32[3], f32[2], f32[]."));
}

TEST_CASE("bitcast-convert changes the minor dimension") {
  const auto infer = [](Shape operand, ElementType to) {
    return TestOp{Opcode::kBitcastConvert, {operand}, {}, Shape::Scalar(to)}.Inferred();
  };
  CHECK(infer(Array(ElementType::kF32, {2}), ElementType::kU8) == "u8[2,4]");
  CHECK(infer(Array(ElementType::kU8, {2, 4}), ElementType::kF32) == "f32[2]");
  CHECK(infer(Array(ElementType::kS8, {}), ElementType::kS4) == "s4[2]");
  CHECK(infer(Array(ElementType::kPred, {3}), ElementType::kU8) == "u8[3]");
  CHECK(infer(Array(ElementType::kU8, {2, 3}), ElementType::kF32)
            .find("Last dimension of input shape=3 is not equal to ratio of bit-widths=4 for "
                  "bitcast-convert from u8[2,3] to F32") != std::string::npos);
  CHECK(infer(Array(ElementType::kC64, {}), ElementType::kF64).find("complex and real") !=
        std::string::npos);
}

TEST_CASE("convert and complex") {
  CHECK(TestOp{Opcode::kConvert, {kF32x2}, {}, Array(ElementType::kS4, {9})}.Inferred() == "s4[2]");
  CHECK(Says({Opcode::kConvert, {kF32x2}, {}, Shape::Token()},
             "Convert does not allow non-arrays, so cannot convert from f32[2] to TOKEN."));
  CHECK(TestOp{Opcode::kComplex, {kF32x2, kF32x2}, {}, {}}.Inferred() == "c64[2]");
  const Shape f16 = Array(ElementType::kF16, {});
  CHECK(Says({Opcode::kComplex, {f16, f16}, {}, {}},
             "The parts of a complex number are two f32 (c64) or two f64 "
             "(c128), but these are f16[] and f16[]"));
}

TEST_CASE("every element-wise op has its words") {
  for (int i = 0; i < kOpcodeCount; ++i) {
    const OpDef& def = GetOpDef(static_cast<Opcode>(i));
    // Some targets of custom-call are element-wise, and they have words of their own.
    if (def.loop == nullptr || static_cast<Opcode>(i) == Opcode::kCustomCall) continue;
    INFO(Text(static_cast<Opcode>(i)));
    CHECK(def.elementwise);
    CHECK_FALSE(def.doc.empty());
    CHECK_FALSE(def.source.empty());
    CHECK_FALSE(def.types.empty());
    CHECK_FALSE(def.operands.empty());
    CHECK((def.eval != nullptr));
    CHECK((def.infer != nullptr));
  }
}

}  // namespace
}  // namespace hlo
