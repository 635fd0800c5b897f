#include "engine/ops/elementwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"
#include "engine/ops/tensor_moves.h"

namespace hlo {
namespace {

// Elements between two looks at the clock.
constexpr int64_t kPollInterval = 1 << 16;

using ArgPointers = const std::byte * [ElementLoop::kMaxOperands];

// Operand i as the loop wants it: of its element type, and one element or as many as the result.
void PrepareOperand(const OpCall& call, const ElementLoop& loop, int i, Value* arg,
                    Budget* budget) {
  Tensor& tensor = arg->tensor();
  const ElementType type = loop.operands[i];
  if (tensor.element_type() != type) tensor = ConvertTensor(tensor, type, budget);
  if (tensor.rank() == 0 || tensor.dims() == call.shape().dims()) return;
  throw RunError(
      DiagCode::kRuntimeError,
      fmt::format("{} of {} is {}, which is neither a scalar nor of the result's shape {}",
                  OperandName(call, i), call.opcode_text(),
                  ShapeName(Shape::Array(type, tensor.dims())), ShapeName(call.shape())));
}

// The tensor to write to: an operand's own where that is possible.
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

void RunWhole(const ElementLoop& loop, const ArgPointers& args, std::byte* result, int64_t n,
              Budget* budget) {
  for (int64_t done = 0; done < n; done += kPollInterval) {
    ArgPointers at = {};
    for (int i = 0; i < loop.operand_count; ++i) {
      at[i] = args[i] + done * BytesOf(loop.operands[i]);
    }
    loop.Run(std::min(kPollInterval, n - done), at, result + done * BytesOf(loop.result));
    if (n > kPollInterval) budget->Poll();
  }
}

// The same where operands with is_scalar[i] have one element: it is spread over a block.
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
    if ((done + kBlock) % kPollInterval == 0) budget->Poll();
  }
}

// Both sizes, where they are equal or one of them is 1 (or unbounded).
std::optional<int64_t> BroadcastSize(int64_t a, int64_t b) {
  if (a == b || b == 1 || b == Shape::kUnbounded) return a;
  if (a == 1 || a == Shape::kUnbounded) return b;
  return std::nullopt;
}

// The dimensions of two operands together, dynamic where one of them is.
std::optional<Shape> BroadcastShapes(const Shape& a, const Shape& b) {
  if (a.rank() == 0) return b;
  if (b.rank() == 0) return a;
  if (a.rank() != b.rank()) return std::nullopt;
  Shape result = a;
  for (int d = 0; d < a.rank(); ++d) {
    const std::optional<int64_t> size = BroadcastSize(a.dim(d), b.dim(d));
    if (!size) return std::nullopt;
    result.set_dim(d, *size);
    result.set_dynamic(d, a.is_dynamic(d) || b.is_dynamic(d));
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

Value EvalElementwise(const OpCall& call, std::span<Value> args, EvalContext& context) {
  Budget* const budget = context.budget();
  const ElementLoop loop = call.def().loop(call);
  if (!loop) {
    throw RunError(DiagCode::kNotExecutable,
                   fmt::format("{} of {} has no meaning", call.opcode_text(),
                               ShapeName(call.operand(call.operand_count() - 1))));
  }
  const Dims& dims = call.shape().dims();
  Dims live = dims;
  ArgPointers pointers = {};
  bool is_scalar[ElementLoop::kMaxOperands] = {};
  bool any_scalar = false;
  for (int i = 0; i < loop.operand_count; ++i) {
    Value* const arg = &args[static_cast<size_t>(i)];
    PrepareOperand(call, loop, i, arg, budget);
    const Tensor& tensor = arg->tensor();
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
  if (loop.result == call.shape().element_type()) return result;
  return ConvertTensor(result, call.shape().element_type(), budget);
}

std::optional<Shape> InferUnary(const OpCall& call, TypeSet types, ElementResult result,
                                Diagnostics& out) {
  if (!CheckType(call, 0, types, out)) return std::nullopt;
  Shape shape = call.operand(0);
  shape.set_element_type(ResultTypeOf(shape.element_type(), result));
  return shape;
}

std::optional<Shape> InferBinary(const OpCall& call, TypeSet types, ElementResult result,
                                 Diagnostics& out) {
  bool ok = CheckType(call, 0, types, out);
  ok &= CheckType(call, 1, types, out);
  if (!ok) return std::nullopt;
  const Shape& a = call.operand(0);
  const Shape& b = call.operand(1);
  ok = CheckSameType(call, 1, 0, out);
  std::optional<Shape> shape = BroadcastShapes(a, b);
  if (!shape) CheckSameDims(call, 1, 0, out);
  if (!ok || !shape) return std::nullopt;
  shape->set_element_type(
      ResultTypeOf(HigherPrecision(a.element_type(), b.element_type()), result));
  return shape;
}

void VerifyBinary(const OpCall& call, Diagnostics& out) {
  const Shape& a = call.operand(0);
  const Shape& b = call.operand(1);
  if (!a.IsArray() || !b.IsArray() || a.dims() == b.dims() || !BroadcastShapes(a, b)) return;
  ReportOperand(call, 1, DiagCode::kOperandInvalid,
                fmt::format("Implicit broadcast is not allowed in HLO: the operands are {} and {}",
                            ShapeName(a), ShapeName(b)),
                out);
}

double NoFlops(const OpCall&) { return 0; }

}  // namespace hlo
