#include "engine/ops/elementwise/elementwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/kernels/move_loops.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

using ArgPointers = const std::byte * [ElementLoop::kMaxOperands];

// Whether operand i is as the loop needs it: of its element type, with one element or as many as
// the result.
void CheckOperand(const OpCall& call, const ElementLoop& loop, int i, const Tensor& tensor) {
  const ElementType type = loop.operands[i];
  const bool fits = tensor.rank() == 0 || tensor.dims() == call.shape().dims();
  if (fits && tensor.element_type() == type) return;
  throw RunError(
      DiagCode::kRuntimeError,
      fmt::format("{} of {} is {}, which is neither a scalar of {} nor of the result's shape {}",
                  OperandName(call, i), call.opcode_text(),
                  ShapeName(Shape::Array(tensor.element_type(), tensor.dims())), Text(type),
                  ShapeName(call.shape())));
}

// The tensor to write to: an operand's own if possible.
Tensor ResultTensor(const ElementLoop& loop, std::span<Value> args, std::span<const int64_t> dims,
                    Budget* budget) {
  for (int i = 0; i < loop.operand_count; ++i) {
    const Tensor& arg = args[static_cast<size_t>(i)].tensor();
    if (!arg.unique() || BytesOf(arg.element_type()) != BytesOf(loop.result)) continue;
    if (!std::equal(dims.begin(), dims.end(), arg.dims().begin(), arg.dims().end())) continue;
    return arg.Reinterpreted(loop.result, dims);
  }
  return Tensor(loop.result, dims, budget);
}

void RepeatSingles(const OpCall& call, std::span<Value> args, Budget* budget) {
  for (size_t i = 0; i < 2; ++i) {
    const Tensor& tensor = args[i].tensor();
    const Tensor& other = args[1 - i].tensor();
    if (tensor.dynamic_sizes().empty() || other.rank() != tensor.rank()) continue;
    StridedView view = LiveView(tensor);
    bool repeated = false;
    for (int d = 0; d < tensor.rank(); ++d) {
      if (!IsRepeated(call, args, i, d)) continue;
      const auto at = static_cast<size_t>(d);
      view.dims[at] = LiveDims(other)[at];
      view.strides[at] = 0;
      repeated = true;
    }
    if (repeated) args[i] = TensorFromView(tensor, view, call.operand(static_cast<int>(i)), budget);
  }
}

void RunWhole(const ElementLoop& loop, const ArgPointers& args, std::byte* result, int64_t n,
              Budget* budget) {
  for (int64_t done = 0; done < n; done += kPollElements) {
    ArgPointers at = {};
    for (int i = 0; i < loop.operand_count; ++i) {
      at[i] = args[i] + done * BytesOf(loop.operands[i]);
    }
    loop.Run(std::min(kPollElements, n - done), at, result + done * BytesOf(loop.result));
    if (n > kPollElements) budget->Poll();
  }
}

// The same with operands of one element (is_scalar[i]), which are broadcast over a block.
void RunSpread(const ElementLoop& loop, const ArgPointers& args,
               const bool (&is_scalar)[ElementLoop::kMaxOperands], std::byte* result, int64_t n,
               Budget* budget) {
  constexpr int64_t kBlock = 512;
  constexpr int64_t kWidest = 16;
  alignas(16) std::byte spread[ElementLoop::kMaxOperands][kBlock * kWidest];
  for (int i = 0; i < loop.operand_count; ++i) {
    if (!is_scalar[i]) continue;
    const int64_t bytes = BytesOf(loop.operands[i]);
    for (int64_t k = 0; k < std::min(kBlock, n); ++k) {
      std::memcpy(spread[i] + k * bytes, args[i], static_cast<size_t>(bytes));
    }
  }
  for (int64_t done = 0; done < n; done += kBlock) {
    ArgPointers at = {};
    for (int i = 0; i < loop.operand_count; ++i) {
      at[i] = is_scalar[i] ? spread[i] : args[i] + done * BytesOf(loop.operands[i]);
    }
    loop.Run(std::min(kBlock, n - done), at, result + done * BytesOf(loop.result));
    if ((done + kBlock) % kPollElements == 0) budget->Poll();
  }
}

// The broadcast dimensions of two operands, dynamic where one of them is.
std::optional<Shape> BroadcastShapes(const Shape& a, const Shape& b) {
  if (a.rank() == 0) return b;
  if (b.rank() == 0) return a;
  if (a.rank() != b.rank()) return std::nullopt;
  Shape result = a;
  for (int d = 0; d < a.rank(); ++d) {
    MergeDim(result, b, d);
    if (a.dim(d) == 1 || b.dim(d) == 1) {
      // Of size 1, which is repeated, the other is not the size: it may be unbounded.
      result.set_dim(d, a.dim(d) == 1 ? b.dim(d) : a.dim(d));
      result.set_dynamic(d, a.is_dynamic(d) || b.is_dynamic(d));
    } else if (!CompatibleSizes(a.dim(d), b.dim(d))) {
      return std::nullopt;
    }
  }
  return result;
}

ElementType ResultTypeOf(ElementType operand, ElementResult result) {
  switch (result) {
    case ElementResult::kComponent:
      return ComponentType(operand);
    case ElementResult::kPred:
      return ElementType::kPred;
    case ElementResult::kSame:
      break;
  }
  return operand;
}

}  // namespace

bool IsRepeated(const OpCall& call, std::span<const Value> args, size_t operand, int d) {
  if (args[operand].tensor().dynamic_sizes().empty()) return false;
  const size_t other = 1 - operand;
  const auto size = [&](size_t i) { return LiveDims(args[i].tensor())[static_cast<size_t>(d)]; };
  return size(operand) == 1 && size(other) > 1 &&
         call.operand(static_cast<int>(other)).is_dynamic(d);
}

Value EvalElementwise(const OpCall& call, std::span<Value> args, EvalContext& context) {
  Budget* const budget = context.budget();
  const ElementLoop loop = call.def().loop(call);
  if (!loop) {
    throw RunError(DiagCode::kNotExecutable,
                   fmt::format("{} of {} has no meaning", call.opcode_text(),
                               ShapeName(call.operand(call.operand_count() - 1))));
  }
  if (args.size() == 2) RepeatSingles(call, args, budget);
  const Dims& dims = call.shape().dims();
  Dims live = dims;
  ArgPointers pointers = {};
  bool is_scalar[ElementLoop::kMaxOperands] = {};
  bool any_scalar = false;
  for (int i = 0; i < loop.operand_count; ++i) {
    const Tensor& tensor = args[static_cast<size_t>(i)].tensor();
    CheckOperand(call, loop, i, tensor);
    if (tensor.rank() != 0) MeetLiveDims(tensor, &live);
    pointers[i] = tensor.bytes();
    is_scalar[i] = tensor.rank() == 0 && !dims.empty();
    any_scalar |= is_scalar[i];
  }
  Tensor result = ResultTensor(loop, args, dims, budget);
  const int64_t n = result.element_count();
  if (any_scalar) {
    RunSpread(loop, pointers, is_scalar, result.mutable_bytes(), n, budget);
  } else {
    RunWhole(loop, pointers, result.mutable_bytes(), n, budget);
  }
  SetLiveDims(&result, live);
  return result;
}

namespace {

/// The error of XLA's shape inference for a unary operation on an unsupported type.
std::string UnaryTypeFault(const OpCall& call, TypeSet types) {
  const std::string_view op = call.opcode_text();
  const auto of_shape = [&](std::string_view what) {
    return fmt::format("Expected element type in shape to be {} for {} operation", what, op);
  };
  switch (call.opcode()) {
    case Opcode::kCountLeadingZeros:
      return "Expected an integral element type in argument to Clz operation";
    case Opcode::kPopcnt:
      return "Expected an integral element type in argument to PopulationCount operation";
    case Opcode::kNot:
      return "Expected pred or an integral element type in argument to Not operation";
    case Opcode::kIsFinite:
      return "Expected element type in shape to be floating point for IsFinite operation";
    case Opcode::kReducePrecision:
      return "Expected element type in shape to be floating point for ReducePrecision operation";
    case Opcode::kNegate:
      return of_shape("integral, floating or complex");
    case Opcode::kSign:
      return of_shape("signed or complex");
    default:
      return of_shape(types == kFloatTypes ? "floating" : "floating or complex");
  }
}

/// The same for a binary operation.
std::string BinaryTypeFault(const OpCall& call) {
  switch (call.opcode()) {
    case Opcode::kComplex:
      return "Expected element type in shape to be floating for complex compose operation";
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
      return "Expected pred or integral type in argument to and/or operation";
    case Opcode::kAtan2:
      if (call.operand(0).element_type() != ElementType::kPred) {
        return "Expected input element type to be floating or complex for atan2 operation";
      }
      break;
    default:
      break;
  }
  return fmt::format("Expected element type in shape to be arithmetic type for operation {}",
                     call.opcode_text());
}

/// Types that XLA's shape inference accepts, although no backend can compute them.
TypeSet TypesXlaAccepts(const OpCall& call, TypeSet types) {
  switch (call.opcode()) {
    case Opcode::kMaximum:
    case Opcode::kMinimum:
    case Opcode::kMulhi:
      return kAllTypes;
    case Opcode::kRemainder:
    case Opcode::kShiftLeft:
    case Opcode::kShiftRightArithmetic:
    case Opcode::kShiftRightLogical:
      return kNumberTypes;
    default:
      return types;
  }
}

void ReportSizes(const OpCall& call, const Shape& a, const Shape& b, Diagnostics& out) {
  const std::string message = a.rank() == b.rank()
                                  ? fmt::format("Binary op with incompatible shapes: {} and {}.",
                                                ShapeName(a), ShapeName(b))
                                  : fmt::format("Shapes must be equal rank, but are {} and {}",
                                                ShapeName(a.rank() < b.rank() ? a : b),
                                                ShapeName(a.rank() < b.rank() ? b : a));
  ReportOperand(call, 1, DiagCode::kOperandInvalid, message, out);
}

}  // namespace

void WarnOfNoMeaning(const OpCall& call, int i, TypeSet types, Diagnostics& out) {
  if (Contains(types, ClassOf(call.operand(i).element_type()))) return;
  out.Report(DiagCode::kElementType, Severity::kWarning, call.operand_range(i),
             fmt::format("{}: of {} it has no meaning: XLA accepts the program and cannot run it",
                         call.opcode_text(), ShapeName(call.operand(i))));
}

std::optional<Shape> InferUnary(const OpCall& call, TypeSet types, ElementResult result,
                                Diagnostics& out) {
  if (!CheckArray(call, 0, out)) return std::nullopt;
  const ElementType type = call.operand(0).element_type();
  if (!Contains(types, ClassOf(type))) {
    ReportOperand(call, 0, DiagCode::kElementType,
                  fmt::format("{}; got {}.", UnaryTypeFault(call, types), TypeName(type)), out);
    return std::nullopt;
  }
  return WithElementType(call.operand(0), ResultTypeOf(type, result));
}

std::optional<Shape> InferBinary(const OpCall& call, TypeSet types, ElementResult result,
                                 Diagnostics& out) {
  if (!CheckArrays(call, out)) return std::nullopt;
  const Shape& a = call.operand(0);
  const Shape& b = call.operand(1);
  bool ok = true;
  for (int i = 0; i < 2; ++i) {
    const ElementType type = call.operand(i).element_type();
    if (Contains(TypesXlaAccepts(call, types), ClassOf(type))) continue;
    ReportOperand(call, i, DiagCode::kElementType,
                  fmt::format("{}; got {}.", BinaryTypeFault(call), TypeName(type)), out);
    ok = false;
    break;
  }
  if (ok && !SameTypeUpToFloatWidth(a.element_type(), b.element_type())) {
    ReportOperand(call, 1, DiagCode::kElementType,
                  fmt::format("Binary op {} with different element types: {} and {}.",
                              call.opcode_text(), ShapeName(a), ShapeName(b)),
                  out);
    ok = false;
  }
  std::optional<Shape> shape = BroadcastShapes(a, b);
  if (!shape) ReportSizes(call, a, b, out);
  if (!ok || !shape) return std::nullopt;
  WarnOfNoMeaning(call, 0, types, out);
  return WithElementType(std::move(*shape),
                         ResultTypeOf(HigherPrecision(a.element_type(), b.element_type()), result));
}

void VerifyBinary(const OpCall& call, Diagnostics& out) {
  const Shape& a = call.operand(0);
  const Shape& b = call.operand(1);
  if (!a.IsArray() || !b.IsArray() || SameDims(a, b) || !BroadcastShapes(a, b)) return;
  ReportOperand(call, 1, DiagCode::kOperandInvalid,
                fmt::format("Implicit broadcast is not allowed in HLO. The operands are {} and {}",
                            ShapeName(a), ShapeName(b)),
                out);
}

}  // namespace hlo
