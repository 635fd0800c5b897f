// Ops that HLO has and StableHLO does not, and how they are written there. An opcode without a row
// has no counterpart.
#include <fmt/format.h>

#include <vector>

#include "engine/base/indices.h"
#include "engine/mlir/ops/families.h"
#include "engine/ops/movement/shuffle.h"

namespace hlo::mlir {

void PassOn(OpExport& op) { op.Set(op.Operands(0, 1)); }

void WriteNone(OpExport& op) { op.NoCounterpart("there is no such operation"); }

namespace {

void WriteNothing(OpExport& op) { op.Set({}); }

// StableHLO's send gives a token alone.
void WriteSendDone(OpExport& op) {
  if (op.shape().IsTuple()) return op.NoCounterpart("an array beside the token");
  PassOn(op);
}

// A parameter's value exists before the instructions are written.
void KeepArgument(OpExport&) {}

// A fusion may have operands that its computation does not take.
void WriteFusion(OpExport& op) {
  const Computation& fused = op.Region("calls");
  op.Set(op.WriteCall(fused, op.Operands(0, fused.parameter_count())));
}

// MHLO's fusion.
void EmitFusion(OpImport& op) {
  const std::string_view kind = op.Word({"fusion_kind"});
  Attrs attrs = {{"kind", kind.empty() ? std::string_view("kLoop") : kind},
                 {"calls", op.RegionOf(0)}};
  op.SplitResult(op.Emit(Opcode::kFusion, op.operands, std::move(attrs)));
}

// The asynchronous computation is written at the done, with all operands that the chain bound.
void WriteAsyncDone(OpExport& op) {
  std::vector<const Instruction*> chain;
  for (const Instruction* at = op.op().operand(0);; at = at->operand(0)) {
    chain.push_back(at);
    if (!RowOf(at->opcode()).is_end) break;
  }
  const Instruction& start = *chain.back();
  const bool is_known = start.opcode() == Opcode::kAsyncStart;
  const hlo::Region* called = is_known ? start.Call().GetRegion("calls") : nullptr;
  std::vector<Leaves> arguments;
  for (size_t i = chain.size(); i-- > 0;) {
    const bool is_start = i + 1 == chain.size();
    for (int k = is_start ? 0 : 1; k < chain[i]->operand_count(); ++k) {
      arguments.push_back(op.ValueOf(*chain[i]->operand(k)));
    }
  }
  if (!called || static_cast<int>(arguments.size()) != called->parameter_count()) {
    return op.NoCounterpart("a computation that does not get its operands");
  }
  op.Set(op.WriteInline(*AsComputation(called), std::move(arguments)));
}

// The dimension rotated to the left: what is behind the shift, then what is before it.
Ssa Rotated(OpExport& op, const Ssa& value, size_t d, int64_t shift) {
  const Shape& shape = op.shape();
  const auto slice = [&](int64_t begin, int64_t end) {
    Dims starts(shape.dims().size(), 0), limits = shape.dims(), sizes = shape.dims();
    starts[d] = begin;
    limits[d] = end;
    sizes[d] = end - begin;
    return op.Make("stablehlo.slice", {value}, Shape::Array(shape.element_type(), sizes),
                   SliceAttrs(starts, limits, Dims(starts.size(), 1)));
  };
  return op.Make("stablehlo.concatenate", {slice(shift, shape.dims()[d]), slice(0, shift)}, shape,
                 fmt::format("dimension = {} : i64", d));
}

// A gather with an index vector for each place; what is not placed goes along as a whole.
Ssa Permuted(OpExport& op) {
  const ShuffleMap map(op.call(), nullptr);
  const Dims places = map.Places();
  Dims placed, others, slice_sizes = op.shape().dims(), sizes;
  for (size_t d = 0; d < places.size(); ++d) {
    (map.IsPlaced(d) ? placed : others).push_back(static_cast<int64_t>(d));
    if (!map.IsPlaced(d)) continue;
    slice_sizes[d] = 1;
    sizes.push_back(places[d]);
  }
  std::vector<int64_t> numbers;
  Dims index(places.size(), 0);
  do {
    const Dims source = map.SourceOf(index);
    for (const int64_t d : placed) numbers.push_back(source[static_cast<size_t>(d)]);
  } while (NextIndex(index, places));
  const auto vector_dim = static_cast<int64_t>(sizes.size());
  sizes.push_back(static_cast<int64_t>(placed.size()));
  const Ssa indices = op.Integers(Tensor(ElementType::kS64, sizes, nullptr), numbers);
  return op.Make("stablehlo.gather", {op.In(0), indices}, op.shape(),
                 fmt::format("dimension_numbers = #stablehlo.gather<offset_dims = [{}], "
                             "collapsed_slice_dims = [{}], start_index_map = [{}], "
                             "index_vector_dim = {}>, slice_sizes = {}",
                             fmt::join(others, ", "), fmt::join(placed, ", "),
                             fmt::join(placed, ", "), vector_dim, I64Array(slice_sizes)));
}

void WriteShuffle(OpExport& op) {
  const OpCall& call = op.call();
  if (op.shape().has_dynamic_dims()) return op.NoCounterpart("dynamic dimensions");
  if (op.shape().element_count() == 0) return PassOn(op);
  const bool rotates = call.Has("shifts");
  if (!rotates) {
    const ShapedLiteral* numbers = call.GetLiteral("indices");
    if (numbers == nullptr) numbers = call.GetLiteral("multi_shifts");
    if (numbers->literal.elided) return op.NoCounterpart("indices that were left out");
    return op.Set({Permuted(op)});
  }
  Ssa value = op.In(0);
  for (size_t k = 0; k < call.Ints("dimensions").size(); ++k) {
    const auto d = static_cast<size_t>(call.Ints("dimensions")[k]);
    const int64_t shift = NormalShift(call.Ints("shifts")[k], op.shape().dims()[d]);
    if (shift != 0) value = Rotated(op, value, d, shift);
  }
  op.Set({value});
}

constexpr OpRow kHloRows[] = {
    {.opcode = Opcode::kAllGatherDone,
     .write = PassOn,
     .mixing = Mixing::kByOperand,
     .is_end = true},
    {.opcode = Opcode::kAllGatherStart,
     .write = WriteAllGather,
     .mixing = Mixing::kByOperand,
     .is_start = true,
     .result_element = 1},
    {.opcode = Opcode::kAllReduceDone, .write = PassOn, .mixing = Mixing::kByOperand},
    {.opcode = Opcode::kAllReduceStart, .write = WriteAllReduce, .mixing = Mixing::kReduced},
    {.opcode = Opcode::kAsyncDone, .write = WriteAsyncDone, .mixing = Mixing::kAny, .is_end = true},
    {.opcode = Opcode::kAsyncStart,
     .write = WriteNothing,
     .mixing = Mixing::kAny,
     .is_start = true},
    {.opcode = Opcode::kAsyncUpdate,
     .write = WriteNothing,
     .mixing = Mixing::kAny,
     .is_start = true,
     .is_end = true},
    {.opcode = Opcode::kCollectivePermuteDone,
     .write = PassOn,
     .mixing = Mixing::kByOperand,
     .is_end = true},
    {.opcode = Opcode::kCollectivePermuteStart,
     .write = WriteCollectivePermute,
     .mixing = Mixing::kByOperand,
     .is_start = true,
     .result_element = 1},
    {.opcode = Opcode::kCopyDone, .write = PassOn, .mixing = Mixing::kByOperand, .is_end = true},
    {.opcode = Opcode::kCopyStart, .write = PassOn, .mixing = Mixing::kByOperand, .is_start = true},
    {.opcode = Opcode::kDomain, .write = PassOn, .mixing = Mixing::kByOperand},
    {.name = "mhlo.fusion",
     .opcode = Opcode::kFusion,
     .emit = EmitFusion,
     .write = WriteFusion,
     .mixing = Mixing::kAny},
    {.opcode = Opcode::kParameter, .write = KeepArgument, .mixing = Mixing::kAny},
    {.opcode = Opcode::kRaggedAllToAll, .write = WriteRaggedAllToAll},
    {.opcode = Opcode::kRecvDone, .write = WriteRecvDone, .mixing = Mixing::kAny, .is_end = true},
    {.opcode = Opcode::kSendDone, .write = WriteSendDone, .mixing = Mixing::kAny, .is_end = true},
    {.opcode = Opcode::kShuffle, .write = WriteShuffle},
};

}  // namespace

std::span<const OpRow> HloRows() { return kHloRows; }

}  // namespace hlo::mlir
