// Custom-call targets that are annotations, allocate buffers, split 64-bit values, or run a
// computation.
#include <fmt/format.h>

#include <cstring>
#include <iterator>
#include <utility>

#include "engine/kernels/move_loops.h"
#include "engine/ops/custom_calls/custom_call_targets.h"
#include "engine/ops/movement/dynamic_shapes.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"
#include "engine/types/convert.h"

namespace hlo {
namespace {

// Elements between two polls of the clock.

Value EvalIdentity(const OpCall& call, std::span<Value> args, EvalContext&) {
  WantOperands(call, 1);
  return std::move(args[0]);
}

/// On one device a shard is the whole array.
Value EvalShard(const OpCall& call, std::span<Value> args, EvalContext&) {
  WantOperands(call, 1);
  if (Shape::Compatible(call.operand(0), call.shape())) return std::move(args[0]);
  RefuseCall(call,
             fmt::format("changes {} into {}: XLA's partitioner removes it before anything runs, "
                         "and this engine runs programs as they are; it can be run where the "
                         "shapes are the same",
                         ShapeName(call.operand(0)), ShapeName(call.shape())));
}

/// The placeholder that the parser inserts for a computation that a text does not contain.
Value EvalMissing(const OpCall& call, std::span<Value>, EvalContext&) {
  throw RunError(DiagCode::kNotExecutable,
                 fmt::format("computation does not exist: {}. The text has one instruction, and "
                             "not the computation that it calls",
                             call.String("backend_config")));
}

/// The operands as a tuple, or the only one.
Value EvalOperands(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const bool is_one = call.operand_count() == 1 && !call.shape().IsTuple();
  if (is_one) return EvalIdentity(call, args, context);
  return Value::Tuple({std::make_move_iterator(args.begin()), std::make_move_iterator(args.end())});
}

// ---- No operand ---------------------------------------------------------------------------------

Value EvalAllocate(const OpCall& call, std::span<Value>, EvalContext& context) {
  return ZeroValue(call.shape(), context.budget());
}

Value EvalSeed(const OpCall& call, std::span<Value>, EvalContext& context) {
  Tensor seed(call.shape(), context.budget());
  for (int64_t i = 0; i < seed.element_count(); ++i) {
    seed.mutable_data<uint64_t>()[i] = context.seed();
  }
  return Value(std::move(seed));
}

// ---- Halves of 64 bits --------------------------------------------------------------------------

/// Integers are low + 2^32 high; a float is the sum of its nearest f32 and the remainder.
Value EvalCombine(const OpCall& call, std::span<Value> args, EvalContext& context) {
  WantOperands(call, 2);
  const Shape& result = call.shape();
  const bool is_float = result.IsArray() && result.element_type() == ElementType::kF64;
  const ElementType half = is_float ? ElementType::kF32 : ElementType::kU32;
  for (int i = 0; i < 2; ++i) {
    if (result.IsArray() && BytesOf(result.element_type()) == 8 && call.operand(i).IsArray() &&
        call.operand(i).element_type() == half && call.operand(i).dims() == result.dims() &&
        result.element_type() != ElementType::kC64) {
      continue;
    }
    RefuseCall(call,
               fmt::format("makes f64 of two f32, or a 64-bit integer of two u32, not {} of {}",
                           ShapeName(result), ShapeName(call.operand(i))));
  }
  const Tensor& low = args[0].tensor();
  const Tensor& high = args[1].tensor();
  Tensor combined(result, context.budget());
  for (int64_t i = 0; i < combined.element_count(); ++i) {
    if (i % kPollElements == 0) context.budget()->Poll();
    if (is_float) {
      combined.mutable_data<double>()[i] =
          static_cast<double>(low.data<float>()[i]) + static_cast<double>(high.data<float>()[i]);
    } else {
      combined.mutable_data<uint64_t>()[i] =
          uint64_t{low.data<uint32_t>()[i]} | uint64_t{high.data<uint32_t>()[i]} << 32;
    }
  }
  return Value(std::move(combined));
}

template <bool kHigh>
Value EvalSplit(const OpCall& call, std::span<Value> args, EvalContext& context) {
  WantOperands(call, 1);
  const Shape& operand = call.operand(0);
  const bool is_float = operand.IsArray() && operand.element_type() == ElementType::kF64;
  const ElementType half = is_float ? ElementType::kF32 : ElementType::kU32;
  if (!operand.IsArray() || BytesOf(operand.element_type()) != 8 ||
      operand.element_type() == ElementType::kC64 ||
      !Shape::Compatible(call.shape(), Shape::Array(half, operand.dims()))) {
    RefuseCall(call, fmt::format("makes f32 of f64, or u32 of a 64-bit integer, not {} of {}",
                                 ShapeName(call.shape()), ShapeName(operand)));
  }
  const Tensor& whole = args[0].tensor();
  Tensor part(call.shape(), context.budget());
  for (int64_t i = 0; i < part.element_count(); ++i) {
    if (i % kPollElements == 0) context.budget()->Poll();
    if (is_float) {
      const double value = whole.data<double>()[i];
      const float near = ConvertElement<float>(value);
      // An infinity has no remainder.
      const double rest = value - near == value - near ? value - near : 0;
      part.mutable_data<float>()[i] = kHigh ? near : ConvertElement<float>(rest);
    } else {
      part.mutable_data<uint32_t>()[i] =
          static_cast<uint32_t>(whole.data<uint64_t>()[i] >> (kHigh ? 32 : 0));
    }
  }
  return Value(std::move(part));
}

// ---- A computation ------------------------------------------------------------------------------

/// Why the call cannot run its computation on its operands; empty: it can.
std::string WhyNoDecomposition(const OpCall& call) {
  const Region* const region = CalledComputation(call);
  if (!region || region->parameter_count() != call.operand_count()) {
    return fmt::format(
        "runs the computation of called_computations, which must take its {} operands",
        call.operand_count());
  }
  for (int i = 0; i < call.operand_count(); ++i) {
    if (Shape::Compatible(region->parameter_shape(i), call.operand(i))) continue;
    return fmt::format("passes {} to parameter {} of {}, which is {}", ShapeName(call.operand(i)),
                       i, region->region_name(), ShapeName(region->parameter_shape(i)));
  }
  if (Shape::Compatible(region->result_shape(), call.shape())) return "";
  return fmt::format("is {}, but {} gives {}", ShapeName(call.shape()), region->region_name(),
                     ShapeName(region->result_shape()));
}

/// Others are run as call (PlainOpOf).
ControlStep RefuseDecomposition(const OpCall& call, std::span<Value>, ControlState&, EvalContext&) {
  RefuseCall(call, WhyNoDecomposition(call));
}

constexpr BuiltInTarget Identity(std::string_view name, std::string_view aliases,
                                 std::string_view doc, std::string_view source) {
  return {.name = name,
          .aliases = aliases,
          .operands = "x: anything",
          .result = "as x",
          .doc = doc,
          .source = source,
          .eval = EvalIdentity,
          .plain = Opcode::kOptBarrier};
}

constexpr BuiltInTarget Shard(std::string_view name, std::string_view source) {
  return {.name = name,
          .operands = "x: anything",
          .result = "as x",
          .doc = "x, if a shard is the whole array; other programs need the partitioner.",
          .source = source,
          .eval = EvalShard,
          .plain = Opcode::kOptBarrier};
}

constexpr std::string_view kMemory = "XLA, host_memory_offload_annotations.h";
constexpr std::string_view kSpmd = "XLA, sharding_propagation.cc, spmd_partitioner.cc";
constexpr std::string_view kShardy = "XLA, service/spmd/shardy";
constexpr std::string_view kBuffers = "XLA, hlo_verifier.cc";
constexpr std::string_view kWords64 = "XLA, x64 rewriting";

constexpr BuiltInTarget kMarkerTargets[] = {
    {.name = "AllocateBuffer",
     .operands = "any",
     .result = "as written",
     .doc = "Memory for a value; zeros here.",
     .source = "XLA, collective_ops_utils.h",
     .eval = EvalAllocate},
    {.name = "CreateBuffer",
     .operands = "none",
     .result = "a buffer",
     .doc = "Memory for a value; zeros here.",
     .source = kBuffers,
     .eval = EvalAllocate},
    {.name = "GetRngSeed",
     .operands = "none",
     .result = "u64",
     .doc = "The seed of the run.",
     .source = kBuffers,
     .eval = EvalSeed},
    {.name = "HostExecute",
     .operands = "as the computation's parameters",
     .result = "the computation's",
     .doc = "Runs its computation.",
     .config = "called_computations",
     .source = "XLA, host offloading",
     .enter = RefuseDecomposition,
     .plain = Opcode::kCall},
    Identity("LayoutConstraint", "", "x, in the layout that is written.",
             "XLA, layout_assignment.cc"),
    {.name = "MissingComputation",
     .operands = "any",
     .result = "as written",
     .doc = "Placeholder for a computation that a single-instruction text names; fails when run.",
     .source = "XLA, hlo_parser.cc, ParseSingleInstruction",
     .eval = EvalMissing},
    Identity("MoveToDevice", "", "x.", kMemory),
    Identity("MoveToHost", "", "x.", kMemory),
    {.name = "NopReturnToken",
     .operands = "any",
     .result = "token",
     .doc = "A token.",
     .source = "XLA, collective_ops_utils.h",
     .eval = EvalAllocate},
    {.name = "PadToStatic",
     .operands = "x: an array",
     .result = "(x in its bounds, s32[] per dimension)",
     .doc = "x with zeros up to its bounds, and its sizes in this run.",
     .source = "XLA, dynamic_padder.cc",
     .eval = EvalPadToStatic},
    Identity("Pin", "", "x, an array, as a buffer.", kBuffers),
    Identity("PinToDevice", "PinToDeviceSram", "x.", kMemory),
    Shard("SPMDFullToShardShape", kSpmd),
    Shard("SPMDShardToFullShape", kSpmd),
    Identity("SetBound", "", "x, a size; tells the compiler its bound.",
             "XLA, xla_builder.cc, value_inference.cc"),
    Identity("ShardBarrierFrom", "ShardBarrierTo", "x.", kSpmd),
    Identity("Sharding", "", "x.", kSpmd),
    {.name = "SliceToDynamic",
     .operands = "x: an array, s32[] per dimension",
     .result = "x, with dynamic dimensions",
     .doc = "x cut to sizes known at run time.",
     .source = "XLA, dynamic_padder.cc",
     .eval = EvalSliceToDynamic},
    Identity("Unpin", "", "x, a buffer, as an array.", kBuffers),
    {.name = "X64Combine",
     .operands = "low, high: u32 or f32",
     .result = "s64, u64 or f64",
     .doc = "low + 2^32 high; for floats the sum.",
     .source = kWords64,
     .eval = EvalCombine},
    {.name = "X64SplitHigh",
     .operands = "x: s64, u64 or f64",
     .result = "u32 or f32",
     .doc = "The high half of x; of a float the nearest f32.",
     .source = kWords64,
     .eval = EvalSplit<true>},
    {.name = "X64SplitLow",
     .operands = "x: s64, u64 or f64",
     .result = "u32 or f32",
     .doc = "The low half of x; of a float what the high half leaves.",
     .source = kWords64,
     .eval = EvalSplit<false>},
    {.name = "__xla_internal_call_marker_after",
     .aliases = "__xla_internal_call_marker_before",
     .operands = "any",
     .result = "the operands, as a tuple",
     .doc = "The operands: marks where a call was inlined.",
     .source = "XLA, call_inliner.cc",
     .eval = EvalOperands},
    Identity("annotate_device_placement", "", "x.", kMemory),
    Shard("xla.sdy.GlobalToLocalShape", kShardy),
    Shard("xla.sdy.LocalToGlobalShape", kShardy),
    {.name = "xla_builder.",
     .operands = "as the computation's parameters",
     .result = "the computation's",
     .doc = "Every target with this prefix that names a computation: one that XlaBuilder outlined, "
            "which is run.",
     .config = "called_computations",
     .source = "XLA, hlo_opt_test_only_passes.cc",
     .enter = RefuseDecomposition,
     .plain = Opcode::kCall},
};

constexpr TargetFamily kOnlyMarkers[] = {MarkerTargets};

bool FitsBarrier(const OpCall& call) {
  return call.operand_count() == 1 && Shape::Compatible(call.operand(0), call.shape());
}

// The op has a meaning for these types, and no operand is spread.
bool FitsElements(OpCall call, Opcode plain) {
  for (int i = 0; i < call.operand_count(); ++i) {
    if (!Shape::Compatible(call.operand(i), call.shape())) return false;
  }
  call.set_opcode(plain);
  if (!call.shape().IsArray() || call.operand_count() == 0) return false;
  const ElementLoop loop = call.def().loop(call);
  return loop && loop.operand_count == call.operand_count();
}

}  // namespace

std::span<const BuiltInTarget> MarkerTargets() { return kMarkerTargets; }

std::optional<Opcode> PlainOpOf(const OpCall& call) {
  static const CustomCallTargets markers(kOnlyMarkers);
  const CustomCallTarget* const target =
      (call.custom_calls() ? call.custom_calls() : &markers)->Find(call);
  if (!target || !target->row || !target->row->plain) return std::nullopt;
  const auto fits = [&](Opcode plain) {
    if (plain == Opcode::kCall) return WhyNoDecomposition(call).empty();
    return target->row->loop ? FitsElements(call, plain) : FitsBarrier(call);
  };
  return fits(*target->row->plain) ? target->row->plain : std::nullopt;
}

}  // namespace hlo
