// What the members of a group get from all-reduce, reduce-scatter, all-gather,
// collective-broadcast and collective-reduce. Source: operation semantics; the StableHLO
// specification of the same ops.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/ops/devices/collectives.h"
#include "engine/ops/devices/meetings.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"
#include "engine/types/convert.h"

namespace hlo {
namespace {

/// Elements per application of the region, and between two polls.
constexpr int64_t kCollectiveBlock = int64_t{1} << 14;

const Region& ReducerOf(const OpCall& call) {
  const Region& region = *call.attrs().GetRegion("to_apply");
  bool scalar = region.parameter_count() == 2 && region.result_shape().IsScalar() &&
                region.parameter_shape(0).IsScalar() && region.parameter_shape(1).IsScalar() &&
                region.parameter_shape(0).element_type() == region.result_shape().element_type();
  if (scalar) return region;
  throw RunError(DiagCode::kNotExecutable,
                 fmt::format("{} must take two scalars and return one of the first one's type to "
                             "combine elements",
                             region.region_name()));
}

/// An unshared buffer of the given type.
Tensor OwnCopy(const Tensor& tensor, ElementType type, Budget* budget) {
  Tensor converted = ConvertTensor(tensor, type, budget);
  if (converted.unique() && !tensor.unique()) return converted;
  Tensor copy(type, tensor.dims(), budget);
  std::memcpy(copy.mutable_bytes(), converted.bytes(), static_cast<size_t>(copy.byte_size()));
  copy.set_dynamic_sizes(tensor.dynamic_sizes());
  return copy;
}

/// accumulator = region(accumulator, next), element by element.
void FoldIn(RegionFunction& region, const Tensor& next, Tensor* accumulator, Budget* budget) {
  const int64_t count = std::min(accumulator->element_count(), next.element_count());
  for (int64_t i = 0; i < count; i += kCollectiveBlock) {
    std::byte* to = accumulator->mutable_bytes() + i * BytesOf(accumulator->element_type());
    const std::byte* args[] = {to, next.bytes() + i * BytesOf(next.element_type())};
    std::byte* results[] = {to};
    region.Apply(std::min(kCollectiveBlock, count - i), args, results);
    budget->Poll();
  }
}

/// The operands before the one that says the roots, where an op has that.
int DataCount(const OpCall& call) {
  return call.operand_count() - (call.attrs().Bool("has_dynamic_root") ? 1 : 0);
}

/// All arrays reduced in rank order; the first member to ask computes the result for the others.
const Value::Elements& Reduced(const OpCall& call, Meeting& meeting, EvalContext& context) {
  if (meeting.shared) return meeting.shared->elements();
  Value::Elements results;
  for (int i = 0; i < DataCount(call); ++i) {
    if (meeting.members.size() == 1) {
      results.push_back(std::move(meeting.given[0][static_cast<size_t>(i)]));
      continue;
    }
    const Region& region = ReducerOf(call);
    RegionFunction& function = context.Function(region);
    ElementType type = region.result_shape().element_type();
    ElementType next_type = region.parameter_shape(1).element_type();
    Tensor accumulator = OwnCopy(Given(meeting, 0, i), type, context.budget());
    for (size_t rank = 1; rank < meeting.members.size(); ++rank) {
      FoldIn(function, ConvertTensor(Given(meeting, rank, i), next_type, context.budget()),
             &accumulator, context.budget());
    }
    results.emplace_back(std::move(accumulator));
  }
  meeting.shared = Value::Tuple(std::move(results));
  return meeting.shared->elements();
}

size_t DimensionOf(const OpCall& call) { return static_cast<size_t>(call.Ints("dimensions")[0]); }

/// The arrays of all members concatenated, with these result shapes.
Value Gathered(const OpCall& call, Meeting& meeting, const Shape& whole, EvalContext& context) {
  if (meeting.shared) return *meeting.shared;
  std::vector<Value> parts;
  for (int i = 0; i < call.operand_count(); ++i) {
    std::vector<Tensor> pieces;
    for (size_t rank = 0; rank < meeting.members.size(); ++rank) {
      pieces.push_back(Given(meeting, rank, i));
    }
    parts.emplace_back(Concatenated(pieces, DimensionOf(call), PartShape(whole, i), context));
  }
  meeting.shared = JoinParts(whole, std::move(parts));
  return *meeting.shared;
}

/// The rank of the root for array i: the first member, or the one given by the last operand.
size_t RootOf(const OpCall& call, const Meeting& meeting, size_t rank, int i) {
  if (!call.attrs().Bool("has_dynamic_root")) return 0;
  const Tensor& roots = Given(meeting, rank, call.operand_count() - 1);
  const size_t size = static_cast<size_t>(BytesOf(roots.element_type()));
  int64_t root = 0;
  ConvertElements(roots.element_type(), roots.bytes() + static_cast<size_t>(i) * size,
                  ElementType::kS64, reinterpret_cast<std::byte*>(&root), 1);
  if (root >= 0 && root < static_cast<int64_t>(meeting.members.size())) {
    return static_cast<size_t>(root);
  }
  throw RunError(DiagCode::kRuntimeError,
                 fmt::format("root {} of operand {} is no member of the group, which has {}", root,
                             i, meeting.members.size()));
}

}  // namespace

Value TakeReduced(const OpCall& call, Meeting& meeting, size_t rank, EvalContext& context) {
  const bool is_rooted = call.opcode() == Opcode::kCollectiveReduce;
  const Value::Elements& reduced = Reduced(call, meeting, context);
  std::vector<Value> parts;
  for (int i = 0; i < DataCount(call); ++i) {
    const Shape& part = PartShape(call.shape(), i);
    if (is_rooted && RootOf(call, meeting, rank, i) != rank) {
      parts.push_back(ZeroValue(part, context.budget()));
      continue;
    }
    parts.emplace_back(ConvertTensor(reduced[static_cast<size_t>(i)].tensor(), part.element_type(),
                                     context.budget()));
  }
  return JoinParts(call.shape(), std::move(parts));
}

Value TakeScattered(const OpCall& call, Meeting& meeting, size_t rank, EvalContext& context) {
  const Value::Elements& reduced = Reduced(call, meeting, context);
  std::vector<Value> parts;
  int64_t count = static_cast<int64_t>(meeting.members.size());
  for (size_t i = 0; i < reduced.size(); ++i) {
    Tensor block =
        BlockOf(reduced[i].tensor(), DimensionOf(call), static_cast<int64_t>(rank), count, context);
    std::vector<Tensor> pieces;
    pieces.push_back(std::move(block));
    parts.emplace_back(Concatenated(pieces, DimensionOf(call),
                                    PartShape(call.shape(), static_cast<int>(i)), context));
  }
  return JoinParts(call.shape(), std::move(parts));
}

Value TakeGathered(const OpCall& call, Meeting& meeting, size_t, EvalContext& context) {
  return Gathered(call, meeting, call.shape(), context);
}

Value TakeGatheredStart(const OpCall& call, Meeting& meeting, size_t rank, EvalContext& context) {
  const std::vector<Shape>& state = call.shape().elements();
  Value::Elements parts;
  parts.push_back(JoinParts(state[0], meeting.given[rank]));
  parts.push_back(Gathered(call, meeting, state[1], context));
  return Value::Tuple(std::move(parts));
}

Value TakeBroadcast(const OpCall& call, Meeting& meeting, size_t rank, EvalContext& context) {
  const int count = DataCount(call);
  std::vector<Value> parts;
  for (int i = 0; i < count; ++i) {
    const Tensor& array = Given(meeting, RootOf(call, meeting, rank, i), i);
    parts.emplace_back(
        ConvertTensor(array, PartShape(call.shape(), i).element_type(), context.budget()));
  }
  return JoinParts(call.shape(), std::move(parts));
}

}  // namespace hlo
