// reduce-window: the elements of each window, reduced by a computation.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/pacer.h"
#include "engine/kernels/element_loop.h"
#include "engine/kernels/fold_dispatch.h"
#include "engine/kernels/move_copy.h"
#include "engine/kernels/move_elements.h"
#include "engine/ops/control/region_signatures.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/products/reduce_blocks.h"
#include "engine/ops/shape_checks.h"
#include "engine/ops/windows/cumulative_windows.h"
#include "engine/ops/windows/window_walk.h"
#include "engine/threads/pieces.h"
#include "engine/types/doubles.h"

namespace hlo {
namespace {

constexpr AttrDef kReduceWindowAttrs[] = {
    {"window", AttrKind::kWindow, AttrUse::kOptional,
     "Size, stride, padding and dilation per dimension; none for scalars."},
    {"to_apply", AttrKind::kRegion, AttrUse::kRequired,
     "The reducer: N accumulators, then N elements; gives N new accumulators."},
};

std::optional<Shape> InferReduceWindow(const OpCall& call, Diagnostics& out) {
  int operands = call.operand_count();
  if (operands % 2 != 0) {
    ReportOp(call, DiagCode::kOperandCount,
             fmt::format("expects as many initial values as inputs, found {} operands", operands),
             out);
    return std::nullopt;
  }
  if (!CheckArrays(call, out)) return std::nullopt;
  int n = operands / 2;
  std::vector<const Shape*> inputs, inits;
  for (int i = 0; i < n; ++i) {
    if (!SameDims(call.operand(i), call.operand(0))) {
      ReportOperand(call, i, DiagCode::kOperandInvalid,
                    fmt::format("All reduced tensors must have the same dimension. Tensor 0 has "
                                "shape {}, Tensor {} has shape {}",
                                ShapeName(call.operand(0)), i, ShapeName(call.operand(i))),
                    out);
    }
    inputs.push_back(&call.operand(i));
    inits.push_back(&call.operand(n + i));
  }
  CheckReducer(call, "to_apply", inputs, inits, out);
  std::vector<Shape> results;
  for (int i = 0; i < n; ++i) {
    std::optional<Shape> result = WindowOutputShape(call, call.operand(i), call.GetWindow(),
                                                    call.operand(n + i).element_type(), out);
    if (!result) return std::nullopt;
    results.push_back(std::move(*result));
  }
  const Region* region = call.GetRegion("to_apply");
  if (region) CheckParameterTypes(call, "to_apply", *region, out);
  if (region && region->result_shape().IsTuple()) return Shape::Tuple(std::move(results));
  return OneOrTuple(std::move(results));
}

// ---- Evaluation ---------------------------------------------------------------------------------

/// The loop of a common reducer of one input, which avoids calling the region; without `run` for
/// other regions.
ElementLoop FindLoop(const RegionFunction& function, ElementType type) {
  const std::optional<Reducer> reducer = FindReducer(function);
  if (!reducer) return {};
  return WithOpOf(*reducer, [&]<typename Op>() { return BinaryLoop<Op>(type); });
}

/// Buffers for one block of elements.
std::shared_ptr<Buffer> MakeBlock(ElementType type, Budget* budget) {
  return Buffer::Allocate(static_cast<size_t>(kWindowBlock * BytesOf(type)), budget);
}

/// One of the arrays that are reduced together, in the element types of the reducer's parameters.
struct Folded {
  Tensor input;
  Tensor result;
  Tensor init;                           ///< as an accumulator
  std::shared_ptr<Buffer> inits;         ///< a block of that
  std::shared_ptr<Buffer> padding;       ///< a block of the initial value as an element
  std::shared_ptr<Buffer> accumulators;  ///< of the block's windows
  std::shared_ptr<Buffer> elements;      ///< of a run, where they are not side by side
};

class WindowReducer : public WindowVisitor {
 public:
  WindowReducer(RegionFunction& region, ElementLoop loop, std::span<Folded> arrays)
      : region_(&region),
        loop_(loop),
        arrays_(arrays),
        args_(2 * arrays.size()),
        results_(arrays.size()) {}

  void set_region(RegionFunction& region) { region_ = &region; }

  void Begin(const WindowBlock& block) override {
    if (block.extends) return;
    for (Folded& array : arrays_) {
      std::memcpy(array.accumulators->data(), array.inits->data(),
                  static_cast<size_t>(block.count * BytesOf(array.result.element_type())));
    }
  }

  void Take(const WindowRun& run) override {
    for (size_t i = 0; i < arrays_.size(); ++i) {
      Folded& array = arrays_[i];
      results_[i] = array.accumulators->data() + run.begin * BytesOf(array.result.element_type());
      args_[i] = results_[i];
      args_[arrays_.size() + i] = array.padding->data();
      if (!run.element) continue;
      const int width = BytesOf(array.input.element_type());
      const std::byte* const from = array.input.bytes() + run.offset * width;
      args_[arrays_.size() + i] = from;
      if (run.step == 1 || run.count == 1) continue;
      CopySpaced(width, from, run.step, array.elements->data(), 1, run.count);
      args_[arrays_.size() + i] = array.elements->data();
    }
    Apply(run.count);
  }

  /// Instead of a walk, along the one dimension that has elements, where every window has those up
  /// to its own: each result is the accumulator of the next one.
  void Accumulate(const Sliding& sliding, size_t d, Budget* budget) {
    const size_t n = arrays_.size();
    // In bytes, from one element to the next.
    std::vector<int64_t> input_steps, result_steps;
    for (size_t i = 0; i < n; ++i) {
      Folded& array = arrays_[i];
      const int64_t input_width = BytesOf(array.input.element_type());
      const int64_t result_width = BytesOf(array.result.element_type());
      args_[i] = array.inits->data();
      args_[n + i] = array.input.bytes() + sliding.input.offset * input_width;
      results_[i] = array.result.mutable_bytes() + sliding.result.offset * result_width;
      input_steps.push_back(sliding.input.strides[d] * input_width);
      result_steps.push_back(sliding.result.strides[d] * result_width);
    }
    Pacer pacer(budget);
    for (int64_t done = 0; done < sliding.result.dims[d]; ++done) {
      Apply(1);
      for (size_t i = 0; i < n; ++i) {
        args_[i] = results_[i];
        args_[n + i] += input_steps[i];
        results_[i] += result_steps[i];
      }
      pacer.Add(1);
    }
  }

  void End(const WindowBlock& block) override {
    for (Folded& array : arrays_) {
      const int width = BytesOf(array.result.element_type());
      CopySpaced(width, array.accumulators->data(), 1,
                 array.result.mutable_bytes() + block.result * width, block.result_step,
                 block.count);
    }
  }

 private:
  void Apply(int64_t count) {
    if (loop_) {
      loop_.Run(count, args_.data(), results_[0]);
    } else {
      region_->Apply(count, args_, results_);
    }
  }

  RegionFunction* region_;
  ElementLoop loop_;
  std::span<Folded> arrays_;
  std::vector<const std::byte*> args_;
  std::vector<std::byte*> results_;
};

/// A block filled with one value.
std::shared_ptr<Buffer> MakeBlockOf(const Tensor& scalar, Budget* budget) {
  std::shared_ptr<Buffer> block = MakeBlock(scalar.element_type(), budget);
  FillElements(BytesOf(scalar.element_type()), scalar.bytes(), block->data(), kWindowBlock, budget);
  return block;
}

/// In `wide`, if it is given, instead of the types of the reducer's parameters.
Folded MakeFolded(const OpCall& call, const Region& region, std::span<const Value> args, size_t i,
                  const Dims& counts, std::optional<ElementType> wide, Budget* budget) {
  const int number = static_cast<int>(i);
  const int n = static_cast<int>(args.size() / 2);
  const ElementType type = wide.value_or(ResultType(region, number));
  const ElementType element = wide.value_or(region.parameter_shape(n + number).element_type());
  const Tensor& init = args[args.size() / 2 + i].tensor();
  const Shape& shape = PartShape(call.shape(), static_cast<int>(i));
  Folded array;
  array.input = ConvertTensor(args[i].tensor(), element, budget);
  array.result = MakeTensor(Shape::Array(type, shape.dims()), counts, budget);
  array.init = ConvertTensor(init, type, budget);
  array.inits = MakeBlockOf(array.init, budget);
  array.padding = MakeBlockOf(ConvertTensor(init, element, budget), budget);
  array.accumulators = MakeBlock(type, budget);
  array.elements = MakeBlock(element, budget);
  return array;
}

/// For a known reducer: combining the initial value again leaves every accumulator that started
/// from it unchanged, bit for bit.
bool IsNeutral(Opcode opcode, const Tensor& init, Budget* budget) {
  const bool is_complex = IsComplex(init.element_type());
  const Tensor wide = ConvertTensor(init, DoubleTypeOf(init.element_type()), budget);
  const double* const value = wide.data<double>();
  switch (opcode) {
    case Opcode::kAdd:
      return value[0] == 0 && (!is_complex || value[1] == 0);
    case Opcode::kMultiply:
      return value[0] == 1 && !is_complex;  // (inf + 0i) * (1 + 0i) has a NaN
    case Opcode::kMaximum:  // an accumulator is at least the initial value, or it is NaN,
    case Opcode::kMinimum:  // and among equal ones the first wins
    case Opcode::kAnd:
    case Opcode::kOr:
      return true;
    default:
      return false;
  }
}

/// Whether the reducer of initial values gives the initial values, bit for bit.
bool KeepsInits(RegionFunction& function, std::span<const Folded> arrays) {
  std::vector<const std::byte*> args;
  std::vector<std::byte*> results;
  for (const Folded& array : arrays) {
    args.push_back(array.inits->data());
    results.push_back(array.accumulators->data());
  }
  for (const Folded& array : arrays) args.push_back(array.padding->data());
  function.Apply(1, args, results);
  bool keeps = true;
  for (const Folded& array : arrays) {
    keeps &= std::memcmp(array.accumulators->data(), array.inits->data(),
                         static_cast<size_t>(BytesOf(array.init.element_type()))) == 0;
  }
  return keeps;
}

/// Whether padding and gaps have no effect: there are none, or the initial value that they hold is
/// neutral.
bool CanSkipGaps(const Sliding& sliding, bool known, RegionFunction& function,
                 std::span<const Folded> arrays, Budget* budget) {
  const WindowGaps gaps = FindWindowGaps(sliding.window, sliding.input.dims);
  if (gaps == WindowGaps::kNone) return true;
  if (known && IsNeutral(*function.BinaryOpcode(), arrays[0].init, budget)) return true;
  return gaps == WindowGaps::kLeading && KeepsInits(function, arrays);
}

#ifndef HLO_SMALL

/// What a thread reduces with.
struct ThreadReducer {
  std::vector<Folded> arrays;
  std::optional<WindowReducer> reducer;
};

/// The walk for threads; false, with nothing done, where they share nothing.
bool ShareWindows(WindowWalk walk, const Sliding& sliding, ElementLoop loop,
                  RegionFunction& function, std::span<const Folded> arrays, Budget* budget) {
  if (!IsWalkShared(sliding.window, sliding.result)) return false;
  RegionCopies* const copies = loop ? nullptr : function.Copies(PieceThreads(), budget);
  if (!loop && copies == nullptr) return false;
  std::vector<ThreadReducer> reducers(static_cast<size_t>(PieceThreads()));
  for (ThreadReducer& own : reducers) {
    own.arrays.assign(arrays.begin(), arrays.end());
    for (Folded& array : own.arrays) {
      array.accumulators = MakeBlock(array.result.element_type(), budget);
      array.elements = MakeBlock(array.input.element_type(), budget);
    }
    own.reducer.emplace(function, loop, own.arrays);
  }
  return ShareWalk(walk, sliding.window, sliding.input, sliding.result, budget,
                   [&](int thread, Budget* own) -> WindowVisitor& {
                     WindowReducer& reducer = *reducers[static_cast<size_t>(thread)].reducer;
                     if (copies != nullptr) reducer.set_region(copies->Of(thread, own));
                     return reducer;
                   });
}

#endif  // HLO_SMALL

/// All windows, one block after the other or, of long arrays, by several threads.
void ReduceWindows(WindowWalk walk, const Sliding& sliding, [[maybe_unused]] ElementLoop loop,
                   [[maybe_unused]] RegionFunction& function,
                   [[maybe_unused]] std::span<const Folded> arrays, WindowReducer& reducer,
                   Budget* budget) {
#ifndef HLO_SMALL
  if (ShareWindows(walk, sliding, loop, function, arrays, budget)) return;
#endif
  const auto run = walk == WindowWalk::kWhole ? WalkWholeWindows : WalkWindows;
  run(sliding.window, sliding.input, sliding.result, reducer, budget);
}

/// The windows' elements alone. `loop`: of the reducer, if there is one.
void ReduceElements(Sliding sliding, ElementLoop loop, RegionFunction& function,
                    std::span<Folded> arrays, WindowReducer& reducer, Budget* budget) {
  const bool known = static_cast<bool>(loop);
  Folded& array = arrays[0];
  const ElementType type = array.result.element_type();
  // The common integer reducers give the same result in any order.
  if (known && !IsFloat(type) && !IsComplex(type)) TurnRound(&sliding);
  const std::optional<Cumulative> lines = FindCumulative(sliding);
  if (lines && known && array.input.element_type() == type &&
      AccumulateLines(*FindReducer(function), sliding, *lines, array.input, array.init,
                      &array.result, budget)) {
    return;
  }
  if (lines && lines->is_single) {
    reducer.Accumulate(sliding, lines->dimension, budget);
  } else {
    ReduceWindows(WindowWalk::kElements, sliding, loop, function, arrays, reducer, budget);
  }
}

/// Of floats narrower than f32 the largest or smallest of a window is the same in f32, to which the
/// array is converted once instead of with every window. None for others.
std::optional<ElementType> WiderType(const Region& region, const RegionFunction& function,
                                     std::span<const Value> args) {
  if (args.size() != 2) return std::nullopt;
  const ElementType type = ResultType(region, 0);
  for (const Value& arg : args) {
    if (arg.tensor().element_type() != type) return std::nullopt;
  }
  const Opcode* const opcode = FindReducer(function) ? function.BinaryOpcode() : nullptr;
  const bool is_choice =
      opcode != nullptr && (*opcode == Opcode::kMaximum || *opcode == Opcode::kMinimum);
  if (!is_choice || !IsFloat(type) || BytesOf(type) >= BytesOf(ElementType::kF32) ||
      region.parameter_shape(1).element_type() != type) {
    return std::nullopt;
  }
  return ElementType::kF32;
}

Value EvalReduceWindow(const OpCall& call, std::span<Value> args, EvalContext& context) {
  Budget* const budget = context.budget();
  const Region& region = *call.GetRegion("to_apply");
  const size_t n = args.size() / 2;
  // Elements beyond the run-time sizes are padding.
  Dims live = args[0].tensor().dims();
  for (const Value& arg : args.first(n)) MeetLiveDims(arg.tensor(), &live);
  const StridedView input = Prefix(RowMajorView(args[0].tensor().dims()), live);
  const Dims counts = WindowCounts(call.GetWindow(), input.dims);
  RegionFunction& function = context.Function(region);
  const std::optional<ElementType> wide = WiderType(region, function, args);
  std::vector<Folded> arrays;
  for (size_t i = 0; i < n; ++i) {
    arrays.push_back(MakeFolded(call, region, args, i, counts, wide, budget));
  }
  const ElementType type = arrays[0].result.element_type();
  const ElementLoop loop = n == 1 ? FindLoop(function, type) : ElementLoop{};
  Sliding sliding{call.GetWindow(), input, LiveView(arrays[0].result)};
  WindowReducer reducer(function, loop, arrays);
  if (!CanSkipGaps(sliding, static_cast<bool>(loop), function, arrays, budget)) {
    ReduceWindows(WindowWalk::kWhole, sliding, loop, function, arrays, reducer, budget);
  } else {
    ReduceElements(sliding, loop, function, arrays, reducer, budget);
  }
  Value::Elements results;
  for (size_t i = 0; i < n; ++i) {
    results.emplace_back(
        ConvertTensor(arrays[i].result, ResultType(region, static_cast<int>(i)), budget));
  }
  return JoinParts(call.shape(), std::move(results));
}

void SizesOfReduceWindow(const OpCall& call, SizeRules& rules) {
  const Window& window = call.GetWindow();
  for (int d = 0; d < call.operand(0).rank() && d < static_cast<int>(window.size()); ++d) {
    const int64_t after = PartShape(call.shape(), 0).dim(d);
    rules.KeepUnder(window[static_cast<size_t>(d)], call.operand(0).dim(d), after);
  }
}

}  // namespace

namespace ops {

const OpDef kReduceWindow{
    .doc =
        "Reduces the elements of each sliding window by a computation, in row-major order, "
        "starting from an initial value, which padding and the gaps of a dilated base also hold. "
        "Several arrays can be reduced together.",
    .source = "operation semantics, ReduceWindow",
    .differs =
        "Padding takes part with the initial value, as the operation semantics document says, and "
        "so do the gaps of a dilated base; XLA's evaluator skips both. The two agree when the "
        "initial value changes nothing.",
    .operands = kInputOrInit,
    .types = kAllArrayTypes,
    .attrs = kReduceWindowAttrs,
    .infer = InferReduceWindow,
    .eval = EvalReduceWindow,
    .any_precision = true,
    .keeps_layout = true,
    .floats = FloatWidths::kOfRegion,
    .signature = CombinerSignature,
    .sizes = SizesOfReduceWindow,
};

}  // namespace ops
}  // namespace hlo
