// Changes of the element type: convert (values), bitcast-convert (bits), reduce-precision
// (rounding), copy (nothing).
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/base/bits.h"
#include "engine/base/indices.h"
#include "engine/kernels/element_loop.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/shape_checks.h"
#include "engine/types/packing.h"

namespace hlo {
namespace {

// ---- copy ---------------------------------------------------------------------------------------

std::optional<Shape> InferCopy(const OpCall& call, Diagnostics&) { return call.operand(0); }

// Values do not depend on layouts, so nothing is moved. The written float width may differ from the
// operand's.
Value EvalCopy(const OpCall& call, std::span<Value> args, EvalContext& context) {
  if (!args[0].is_array()) return std::move(args[0]);
  return ConvertTensor(args[0].tensor(), call.shape().element_type(), context.budget());
}

ElementLoop LoopOfCopy(const OpCall& call) { return CopyLoop(call.operand(0).element_type()); }

// ---- convert ------------------------------------------------------------------------------------

std::optional<Shape> InferConvert(const OpCall& call, Diagnostics& out) {
  if (call.written() == nullptr) return std::nullopt;
  if (!call.operand(0).IsArray() || !call.written()->IsArray()) {
    ReportOp(call, DiagCode::kOperandInvalid,
             fmt::format("Convert does not allow non-arrays, so cannot convert from {} to {}.",
                         ShapeName(call.operand(0)), TypeName(*call.written())),
             out);
    return std::nullopt;
  }
  Shape result = call.operand(0);
  result.set_element_type(call.written()->element_type());
  return result;
}

ElementLoop LoopOfConvert(const OpCall& call) {
  return ConvertLoop(call.operand(0).element_type(), call.shape().element_type());
}

// ---- bitcast-convert ----------------------------------------------------------------------------

// pred counts as the byte it is stored in.
int BitcastBits(ElementType type) { return type == ElementType::kPred ? 8 : BitsOf(type); }

/// Whether any bits are a number of the type as it is stored.
bool IsOfWholeBytes(ElementType type) {
  return type != ElementType::kPred && BitsOf(type) == 8 * BytesOf(type);
}

std::optional<Shape> InferBitcastConvert(const OpCall& call, Diagnostics& out) {
  if (call.written() == nullptr) return std::nullopt;
  if (!call.operand(0).IsArray() || !call.written()->IsArray()) {
    ReportOp(call, DiagCode::kOperandInvalid,
             fmt::format("Cannot convert from or to tuple type; requested conversion: {} => {}.",
                         ShapeName(call.operand(0)), TypeName(*call.written())),
             out);
    return std::nullopt;
  }
  const Shape& operand = call.operand(0);
  const ElementType from = operand.element_type();
  const ElementType to = call.written()->element_type();
  const int from_bits = BitcastBits(from);
  const int to_bits = BitcastBits(to);
  if (IsComplex(from) != IsComplex(to)) {
    ReportOperand(call, 0, DiagCode::kElementType,
                  fmt::format("Conversion between complex and real type {} => {}.",
                              ShapeName(operand), TypeName(to)),
                  out);
    return std::nullopt;
  }
  Dims dims = operand.dims();
  if (to_bits < from_bits) {
    dims.push_back(from_bits / to_bits);
  } else if (to_bits > from_bits) {
    const int64_t ratio = to_bits / from_bits;
    if (dims.empty() || dims.back() != ratio) {
      ReportOperand(
          call, 0, DiagCode::kOperandInvalid,
          fmt::format("Last dimension of input shape={} is not equal to ratio of bit-widths={} for "
                      "bitcast-convert from {} to {}",
                      dims.empty() ? "none" : fmt::format("{}", dims.back()), ratio,
                      ShapeName(operand), TypeName(to)),
          out);
      return std::nullopt;
    }
    dims.pop_back();
  }
  std::optional<Shape> result = CheckedArray(call, to, dims, out);
  if (!result) return std::nullopt;
  for (int d = 0; d < std::min(result->rank(), operand.rank()); ++d) {
    result->set_dynamic(d, operand.is_dynamic(d));
  }
  if (to_bits == from_bits) result->set_layout(operand.layout());
  return result;
}

ElementLoop LoopOfBitcastConvert(const OpCall& call) {
  return BitcastConvertLoop(call.operand(0).element_type(), call.shape().element_type());
}

// The operand's bits as one string, element after element from the low bit of byte 0; padded to a
// multiple of the width of every result type.
std::shared_ptr<Buffer> PackedBits(const Tensor& tensor, Budget* budget) {
  const int bits = BitcastBits(tensor.element_type());
  const size_t bytes = static_cast<size_t>(tensor.byte_size());
  if (bits >= 8) {
    std::shared_ptr<Buffer> buffer = Buffer::Allocate(bytes, budget);
    if (bytes > 0) std::memcpy(buffer->data(), tensor.bytes(), bytes);
    return buffer;
  }
  std::shared_ptr<Buffer> buffer =
      Buffer::Allocate(static_cast<size_t>(PackedBytes(tensor.element_count(), bits)), budget);
  PackElements({tensor.bytes(), bytes}, bits, buffer->data());
  return buffer;
}

Value EvalBitcastConvert(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const Tensor& operand = args[0].tensor();
  const ElementType from = operand.element_type();
  const ElementType to = call.shape().element_type();
  if (BitcastBits(from) == BitcastBits(to)) return EvalElementwise(call, args, context);
  Budget* const budget = context.budget();
  const Dims& dims = call.shape().dims();
  Dims sizes;
  if (!operand.dynamic_sizes().empty()) {
    sizes = dims;
    for (int d = 0; d < std::min(static_cast<int>(dims.size()), operand.rank()); ++d) {
      sizes[static_cast<size_t>(d)] = operand.live_dim(d);
    }
  }
  const int to_bits = BitcastBits(to);
  if (BitcastBits(from) >= 8 && IsOfWholeBytes(to) &&
      ElementCount(dims) * BytesOf(to) == operand.byte_size()) {
    Tensor result(to, dims, ElementCount(dims), operand.buffer());
    result.set_dynamic_sizes(std::move(sizes));
    return result;
  }
  const std::shared_ptr<Buffer> bits = PackedBits(operand, budget);
  Tensor result(to, dims, budget);
  const size_t bytes = static_cast<size_t>(result.byte_size());
  const int64_t needed =
      to_bits < 8 ? PackedBytes(result.element_count(), to_bits) : result.byte_size();
  if (static_cast<int64_t>(bits->size()) < needed) {
    throw RunError(DiagCode::kRuntimeError, "bitcast-convert: the operand is too small");
  }
  if (to_bits < 8) {
    UnpackElements(bits->data(), to_bits, to, {result.mutable_bytes(), bytes});
  } else if (bytes > 0) {
    std::memcpy(result.mutable_bytes(), bits->data(), bytes);
  }
  if (BytesOf(to) == 1 && to_bits == 8) {
    // Types that do not use all bits of their byte (pred, f6) keep the others clear.
    const std::byte* const arg[] = {result.bytes()};
    BitcastConvertLoop(ElementType::kU8, to)
        .Run(result.element_count(), arg, result.mutable_bytes());
  }
  result.set_dynamic_sizes(std::move(sizes));
  return result;
}

// ---- reduce-precision ---------------------------------------------------------------------------

constexpr AttrDef kReducePrecisionAttrs[] = {
    {.name = "exponent_bits",
     .kind = AttrKind::kInt,
     .use = AttrUse::kRequired,
     .doc = "Bits of the exponent, at least 1; as many as the type has or more change nothing."},
    {.name = "mantissa_bits",
     .kind = AttrKind::kInt,
     .use = AttrUse::kRequired,
     .doc = "Bits of the mantissa without the implicit one, at least 0; as many as the type has or "
            "more change nothing."},
};

std::optional<Shape> InferReducePrecision(const OpCall& call, Diagnostics& out) {
  constexpr int64_t kLimit = int64_t{1} << 31;
  const int64_t exponent = call.Int("exponent_bits"), mantissa = call.Int("mantissa_bits");
  auto fail = [&](std::string_view attr, const std::string& message) {
    ReportAttr(call, attr, DiagCode::kAttributeValue, message, out);
  };
  if (exponent < 1) {
    fail("exponent_bits", fmt::format("Expected exponent_bits >= 1; got {}.", exponent));
  } else {
    CheckInt(call, "exponent_bits", 1, kLimit, out);
  }
  if (mantissa < 0) {
    fail("mantissa_bits", fmt::format("Expected non-negative mantissa_bits; got {}.", mantissa));
  } else {
    CheckInt(call, "mantissa_bits", 0, kLimit, out);
  }
  return InferUnary(call, kFloatTypes, ElementResult::kSame, out);
}

ElementLoop LoopOfReducePrecision(const OpCall& call) {
  const auto bits = [&](std::string_view name) {
    return static_cast<int>(std::clamp<int64_t>(call.Int(name), 0, 64));
  };
  return ReducePrecisionLoop(call.operand(0).element_type(), bits("exponent_bits"),
                             bits("mantissa_bits"));
}

/// The minor dimension that one of the two has more is the factor between the types.
void SizesOfBitcastConvert(const OpCall& call, SizeRules& rules) {
  const Shape &from = call.operand(0), &to = call.shape();
  if (from.rank() == to.rank()) return;
  rules.Keep(from.rank() > to.rank() ? from.dims().back() : to.dims().back());
}

}  // namespace

namespace ops {

constinit const OpDef kBitcastConvert{
    .doc =
        "Reads the bits of elements as another type. When that is narrower by a factor, a minor "
        "dimension of that size is added (low bits first); when it is wider, the minor dimension, "
        "which must be of that size, disappears.",
    .source = "operation semantics, BitcastConvertType",
    .operands = kOperand,
    .types = TypesText(kAllTypes),
    .result_shape = ResultShape::kWritten,
    .infer = InferBitcastConvert,
    .eval = EvalBitcastConvert,
    .elementwise = true,
    .floats = FloatWidths::kAny,
    .loop = LoopOfBitcastConvert,
    .sizes = SizesOfBitcastConvert,
};

constinit const OpDef kConvert{
    .doc =
        "The values in another element type. Floats become integers by truncation and "
        "saturation (NaN is 0), integers wrap, narrower floats round to the nearest, anything but "
        "0 is true.",
    .source = "operation semantics, ConvertElementType",
    .differs =
        "XLA's evaluator refuses complex to real; this engine takes the real part, as XLA's "
        "builder does.",
    .operands = kOperand,
    .types = TypesText(kAllTypes),
    .result_shape = ResultShape::kWritten,
    .infer = InferConvert,
    .eval = EvalElementwise,
    .elementwise = true,
    .floats = FloatWidths::kAny,
    .loop = LoopOfConvert,
    .changes_element_size = true,
    .carries = 1,
};

constinit const OpDef kCopy{
    .doc = "The operand itself; the result may be laid out differently.",
    .source = "XLA, shape_inference.cc; not in the operation semantics document",
    .operands = kOperand,
    .types = "anything",
    .infer = InferCopy,
    .eval = EvalCopy,
    .elementwise = true,
    .floats = FloatWidths::kAny,
    .loop = LoopOfCopy,
    .passes_on = PassesOn::kAll,
};

constinit const OpDef kReducePrecision{
    .doc =
        "Rounds to what a float of exponent_bits and mantissa_bits could hold, to the nearest "
        "even; too large values become infinite, and those that would be subnormal signed "
        "zeros. NaN stays unless no mantissa is kept; then it becomes inf.",
    .source = "operation semantics, ReducePrecision",
    .operands = kOperand,
    .types = TypesText(kFloatTypes),
    .attrs = kReducePrecisionAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferReducePrecision,
    .eval = EvalElementwise,
    .elementwise = true,
    .floats = FloatWidths::kOfOperands,
    .loop = LoopOfReducePrecision,
};

}  // namespace ops
}  // namespace hlo
