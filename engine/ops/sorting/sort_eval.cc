// sort: gathers the lines of the operands, finds the order of each line by keys or by calling the
// comparator, and permutes the elements.
#include <algorithm>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "engine/base/bits.h"
#include "engine/base/indices.h"
#include "engine/kernels/move_copy.h"
#include "engine/kernels/move_gather.h"
#include "engine/kernels/move_loops.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/shape_checks.h"
#include "engine/ops/sorting/comparator.h"
#include "engine/ops/sorting/sort_blocks.h"
#include "engine/ops/sorting/sort_keys.h"
#include "engine/ops/sorting/sort_values.h"
#include "engine/ops/sorting/sorting.h"
#include "engine/threads/pieces.h"

namespace hlo {
namespace {

/// Which elements are sorted, and their layout in memory.
struct Lines {
  Dims live;         ///< sizes of the part that is sorted, as the operands have them
  Dims permutation;  ///< the sorted dimension last
  bool in_place;     ///< lines lie one after the other in the operands already
  int64_t count = 1;
  int64_t length = 1;

  int64_t elements() const { return count * length; }
  /// Lines are consecutive.
  StridedView View(const Tensor& tensor) const {
    return Permute(Prefix(RowMajorView(tensor.dims()), live), permutation);
  }
};

Lines MakeLines(std::span<const Value> args, int64_t dimension) {
  Lines lines;
  const Tensor& first = args[0].tensor();
  lines.live = first.dims();
  for (const Value& arg : args) MeetLiveDims(arg.tensor(), &lines.live);
  for (int64_t d = 0; d < first.rank(); ++d) {
    if (d == dimension) continue;
    lines.permutation.push_back(d);
  }
  lines.count = ElementCount(SizesOf(lines.live, lines.permutation));
  lines.permutation.push_back(dimension);
  lines.length = lines.live[static_cast<size_t>(dimension)];
  lines.in_place = dimension == first.rank() - 1 && lines.live == first.dims();
  return lines;
}

/// The elements that are sorted, line after line.
Tensor LineAfterLine(const Tensor& tensor, const Lines& lines, Budget* budget) {
  if (lines.in_place) return tensor;
  const StridedView view = lines.View(tensor);
  Tensor result(tensor.element_type(), view.dims, budget);
  GatherView(BytesOf(tensor.element_type()), tensor.bytes(), view, result.mutable_bytes(), budget);
  return result;
}

/// Sorts the elements themselves where they are all that is compared and all that is sorted; else
/// finds the order by keys if the comparator has some, otherwise by comparisons.
class Sorter {
 public:
  /// The elements will be of `result`'s type if there is one operand.
  Sorter(const Region& region, RegionFunction& function, std::span<const Tensor> operands,
         [[maybe_unused]] const Tensor& result, int64_t length, int64_t capacity, Budget* budget) {
    const ComparatorKeys* keys = function.Keys();
#ifndef HLO_SMALL
    if (keys && operands.size() == 1 && ValueSorter::Serves(*keys) &&
        keys->keys[0].order.type == operands[0].element_type() &&
        keys->keys[0].order.type == result.element_type()) {
      of_values_ = std::make_unique<ValueSorter>(*keys, length, capacity / length, budget);
      return;
    }
#endif
    // Floats whose width differs from the parameters' are converted once, not at each call.
    const auto argument = [&](int parameter) {
      return ConvertTensor(operands[static_cast<size_t>(parameter / 2)],
                           region.parameter_shape(parameter).element_type(), budget);
    };
    std::vector<Tensor> args;
    const int parameters = region.parameter_count();
    for (int i = 0; i < parameters; i += keys ? 2 : 1) {
      const bool is_twin = i % 2 == 1 && region.parameter_shape(i).element_type() ==
                                             region.parameter_shape(i - 1).element_type();
      args.push_back(is_twin ? args.back() : argument(i));
    }
    if (keys) {
      by_keys_ = std::make_unique<KeySorter>(*keys, std::move(args), length, capacity, budget);
    } else {
      by_blocks_ =
          std::make_unique<BlockSorter>(function, std::move(args), length, capacity, budget);
    }
  }

  /// Null: an order is found.
  ValueSorter* of_values() const { return of_values_.get(); }
  /// Null: the comparator is called, or values are sorted.
  KeySorter* by_keys() const { return by_keys_.get(); }

  /// Finds the order, unless it sorts values.
  void Sort(int64_t base, int64_t lines, uint32_t* order) {
    if (by_keys_) return by_keys_->Sort(base, lines, order);
    by_blocks_->Sort(base, lines, order);
  }

 private:
  std::unique_ptr<ValueSorter> of_values_;
  std::unique_ptr<KeySorter> by_keys_;
  std::unique_ptr<BlockSorter> by_blocks_;
};

/// Takes the elements of some lines in their new order: to[i] receives the sorted operand i.
void TakeSorted(const uint32_t* order, int64_t base, int64_t elements,
                std::span<const Tensor> operands, std::span<Tensor> to, Budget* budget) {
  for (size_t i = 0; i < operands.size(); ++i) {
    const int width = BytesOf(operands[i].element_type());
    const std::byte* const from = operands[i].bytes() + base * width;
    std::byte* const out = to[i].mutable_bytes() + base * width;
    RunRanges(elements, kPollElements, elements, budget, [&](PieceRange part, int, Budget* own) {
      GatherElements(width, from, order + part.begin, part.end - part.begin,
                     out + part.begin * width);
      own->Poll();
    });
  }
}

#ifndef HLO_SMALL

/// Calls body(first element, lines, budget, thread) for groups that threads share.
template <typename Body>
void ForEachGroup(const Lines& lines, int64_t group, Budget* budget, Body body) {
  RunRanges(lines.count, group, lines.elements(), budget,
            [&](PieceRange piece, int thread, Budget* own) {
              body(piece.begin * lines.length, piece.end - piece.begin, own, thread);
            });
}

/// SortGroups for values.
void SortValueGroups(const Lines& lines, ValueSorter& sorter, int64_t group, const Tensor& operand,
                     Tensor* to, Budget* budget) {
  const int width = BytesOf(operand.element_type());
  std::byte* const out = to->mutable_bytes();
  const auto sort = [&](ValueSorter& of_thread, int64_t base, int64_t count) {
    of_thread.Sort(operand.bytes() + base * width, count, out + base * width);
  };
  // Of lines that are long threads share one after the other.
  if (IsShared(lines.elements()) && !IsShared(lines.length) && group < lines.count) {
    std::vector<ValueSorter> sorters;  // by thread
    sorters.reserve(static_cast<size_t>(PieceThreads()));
    for (int i = 0; i < PieceThreads(); ++i) sorters.push_back(sorter.Another());
    return ForEachGroup(lines, group, budget, [&](int64_t base, int64_t count, Budget* own, int i) {
      ValueSorter& of_thread = sorters[static_cast<size_t>(i)];
      of_thread.Use(own);
      sort(of_thread, base, count);
    });
  }
  for (int64_t line = 0; line < lines.count; line += group) {
    sort(sorter, line * lines.length, std::min(group, lines.count - line));
  }
}

/// SortGroups for threads; false, with nothing done, where they share no groups.
bool ShareGroups(const Lines& lines, Sorter& sorter, int64_t group,
                 std::span<const Tensor> operands, std::span<Tensor> to, Budget* budget) {
  KeySorter* const by_keys = sorter.by_keys();
  if (!IsShared(lines.elements()) || IsShared(lines.length) || group >= lines.count) return false;
  if (by_keys == nullptr) return false;
  RegionFunction* const compute = by_keys->compute();
  RegionCopies* const copies = compute ? compute->Copies(PieceThreads(), budget) : nullptr;
  if (compute != nullptr && copies == nullptr) return false;
  const int64_t room = group * lines.length;
  const auto orders =
      Buffer::Allocate(static_cast<size_t>(PieceThreads() * room) * sizeof(uint32_t), budget);
  std::vector<std::unique_ptr<KeySorter>> sorters;  // by thread
  sorters.reserve(static_cast<size_t>(PieceThreads()));
  for (int i = 0; i < PieceThreads(); ++i) sorters.push_back(by_keys->Another());
  ForEachGroup(lines, group, budget, [&](int64_t base, int64_t count, Budget* own, int thread) {
    KeySorter& of_thread = *sorters[static_cast<size_t>(thread)];
    uint32_t* const order = reinterpret_cast<uint32_t*>(orders->data()) + thread * room;
    of_thread.Use(copies ? &copies->Of(thread, own) : nullptr, own);
    of_thread.Sort(base, count, order);
    TakeSorted(order, base, count * lines.length, operands, to, own);
  });
  return true;
}

#endif  // HLO_SMALL

/// Sorts groups of lines that fit in a cache together.
void SortGroups(const Lines& lines, Sorter& sorter, int64_t group, std::span<const Tensor> operands,
                std::span<Tensor> to, Budget* budget) {
#ifndef HLO_SMALL
  if (ValueSorter* const values = sorter.of_values()) {
    return SortValueGroups(lines, *values, group, operands[0], &to[0], budget);
  }
  if (ShareGroups(lines, sorter, group, operands, to, budget)) return;
#endif
  const auto buffer =
      Buffer::Allocate(static_cast<size_t>(group * lines.length) * sizeof(uint32_t), budget);
  uint32_t* const order = reinterpret_cast<uint32_t*>(buffer->data());
  for (int64_t line = 0; line < lines.count; line += group) {
    const int64_t base = line * lines.length, count = std::min(group, lines.count - line);
    sorter.Sort(base, count, order);
    TakeSorted(order, base, count * lines.length, operands, to, budget);
  }
}

/// Stores the sorted lines; elements outside the run-time sizes are left unchanged.
Tensor PutBack(const Tensor& operand, const Lines& lines, const Tensor& sorted, Budget* budget) {
  if (lines.in_place) return sorted;
  Tensor result(operand.element_type(), operand.dims(), budget);
  const int width = BytesOf(operand.element_type());
  if (lines.live != operand.dims()) {
    const StridedView all = RowMajorView(operand.dims());
    GatherView(width, operand.bytes(), all, result.mutable_bytes(), budget);
    result.set_dynamic_sizes(operand.dynamic_sizes());
  }
  CopyView(width, sorted.bytes(), RowMajorView(sorted.dims()), result.mutable_bytes(),
           lines.View(result), budget);
  return result;
}

/// How many lines are sorted together: many if they are short.
int64_t GroupSize(const Lines& lines) {
  if (lines.length > std::numeric_limits<uint32_t>::max()) {
    throw RunError(DiagCode::kRuntimeError, "sort: lines of 2^32 elements or more are not sorted");
  }
  return std::min(lines.count, std::max<int64_t>(1, kPollElements / lines.length));
}

}  // namespace

Value EvalSort(const OpCall& call, std::span<Value> args, EvalContext& context) {
  Budget* budget = context.budget();
  const Region& region = *call.GetRegion("to_apply");
  const Lines lines = MakeLines(args, call.Ints("dimensions")[0]);
  Value::Elements results;
  std::vector<Tensor> operands, sorted;
  for (size_t i = 0; i < args.size(); ++i) {
    const Shape& shape = PartShape(call.shape(), static_cast<int>(i));
    results.emplace_back(ConvertTensor(args[i].tensor(), shape.element_type(), budget));
    if (lines.elements() == 0 || lines.length < 2) continue;
    operands.push_back(LineAfterLine(args[i].tensor(), lines, budget));
    sorted.emplace_back(shape.element_type(), operands[i].dims(), budget);
  }
  if (!operands.empty()) {
    const int64_t group = GroupSize(lines);
    Sorter sorter(region, context.Function(region), operands, sorted[0], lines.length,
                  group * lines.length, budget);
    for (size_t i = 0; i < operands.size(); ++i) {
      operands[i] = ConvertTensor(operands[i], sorted[i].element_type(), budget);
    }
    SortGroups(lines, sorter, group, operands, sorted, budget);
    for (size_t i = 0; i < operands.size(); ++i) {
      operands[i] = Tensor();
      results[i] = PutBack(results[i].tensor(), lines, sorted[i], budget);
      sorted[i] = Tensor();
    }
  }
  return JoinParts(call.shape(), std::move(results));
}

}  // namespace hlo
