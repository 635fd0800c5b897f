#include "engine/ops/products/reduce_blocks.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "engine/base/pacer.h"
#include "engine/kernels/move_copy.h"
#include "engine/kernels/move_gather.h"
#include "engine/kernels/move_loops.h"
#include "engine/threads/pieces.h"

namespace hlo {
namespace {

/// Results that advance together.
constexpr int64_t kReduceBlock = 1024;
/// Elements of each result that are gathered at a time: what a line of the cache holds.
constexpr int64_t kGathered = 16;

class BlockReducer {
 public:
  BlockReducer(RegionFunction& region, std::span<const Tensor> inputs, const StridedView& reduced,
               std::span<const Tensor> inits, std::span<Tensor> results, Budget* budget)
      : region_(&region),
        inputs_(inputs),
        inits_(inits),
        results_(results),
        reduced_(MakeNest(reduced)),
        pacer_(budget),
        // Blocks do not begin at multiples of a power of two, which the cache keeps in one set.
        stride_(std::min(kReduceBlock, results[0].element_count()) + kGathered),
        args_(2 * inputs.size()),
        accumulators_(inputs.size()) {
    for (const Tensor& input : inputs) {
      gathered_.push_back(Buffer::Allocate(
          static_cast<size_t>(kGathered * stride_ * BytesOf(input.element_type())), budget));
    }
  }

  /// The next result's elements start at this offset.
  void Push(int64_t offset) {
    offsets_[count_++] = offset;
    if (count_ == kReduceBlock) Flush();
  }

  /// Goes on with the result of this number.
  void MoveTo(int64_t result, Budget* budget) {
    done_ = result;
    pacer_ = Pacer(budget);
  }
  void set_region(RegionFunction& region) { region_ = &region; }

  void Flush() {
    if (count_ == 0) return;
    for (size_t i = 0; i < results_.size(); ++i) {
      int width = BytesOf(results_[i].element_type());
      accumulators_[i] = results_[i].mutable_bytes() + done_ * width;
      args_[i] = accumulators_[i];
      FillElements(width, inits_[i].bytes(), accumulators_[i], count_, pacer_.budget());
    }
    adjacent_ = true;
    for (int64_t i = 1; i < count_; ++i) adjacent_ &= offsets_[i] == offsets_[0] + i;
    ForEachRow(reduced_, [&](int64_t offset, int64_t count, int64_t step) {
      for (int64_t r = 0; r < count; r += kGathered) {
        AdvanceBy(std::min(kGathered, count - r), offset + r * step, step);
      }
    });
    done_ += count_;
    count_ = 0;
  }

 private:
  /// Applications of the region: to the elements at `shift` from the results' first ones, then to
  /// those `step` further on.
  void AdvanceBy(int64_t count, int64_t shift, int64_t step) {
    for (size_t i = 0; i < inputs_.size() && !adjacent_; ++i) {
      const int width = BytesOf(inputs_[i].element_type());
      GatherRuns(width, inputs_[i].bytes() + shift * width, {offsets_, static_cast<size_t>(count_)},
                 step, count, stride_, gathered_[i]->data());
    }
    for (int64_t k = 0; k < count; ++k) {
      for (size_t i = 0; i < inputs_.size(); ++i) {
        const int width = BytesOf(inputs_[i].element_type());
        args_[inputs_.size() + i] =
            adjacent_ ? inputs_[i].bytes() + (offsets_[0] + shift + k * step) * width
                      : gathered_[i]->data() + k * stride_ * width;
      }
      region_->Apply(count_, args_, accumulators_);
      pacer_.Add(count_);
    }
  }

  RegionFunction* region_;
  std::span<const Tensor> inputs_;
  std::span<const Tensor> inits_;
  std::span<Tensor> results_;
  LoopNest reduced_;
  Pacer pacer_;
  int64_t stride_;  // from one block of gathered elements to the next
  std::vector<const std::byte*> args_;
  std::vector<std::byte*> accumulators_;
  std::vector<std::shared_ptr<Buffer>> gathered_;
  int64_t offsets_[kReduceBlock];
  int64_t count_ = 0;  // number of offsets
  int64_t done_ = 0;   // results before this block
  bool adjacent_ = false;
};

#ifndef HLO_SMALL

/// Results that a thread takes at a time.
constexpr int64_t kReducePiece = kReduceBlock / 4;

/// ReduceInBlocks for threads; false, with nothing done, where they share nothing.
bool ShareBlocks(RegionFunction& region, std::span<const Tensor> inputs, const LoopNest& kept,
                 const StridedView& reduced, std::span<const Tensor> inits,
                 std::span<Tensor> results, Budget* budget) {
  const int64_t count = CountOf(kept), work = count * CountOf(MakeNest(reduced));
  if (count <= kReducePiece || !IsShared(work)) return false;
  RegionCopies* const copies = region.Copies(PieceThreads(), budget);
  if (copies == nullptr) return false;
  std::vector<std::unique_ptr<BlockReducer>> reducers;  // by thread
  for (int i = 0; i < PieceThreads(); ++i) {
    reducers.push_back(
        std::make_unique<BlockReducer>(region, inputs, reduced, inits, results, budget));
  }
  const ViewLoop inner = kept.loops.back();
  RunRanges(count, kReducePiece, work, budget, [&](PieceRange piece, int thread, Budget* own) {
    BlockReducer& reducer = *reducers[static_cast<size_t>(thread)];
    reducer.set_region(copies->Of(thread, own));
    reducer.MoveTo(piece.begin, own);
    for (int64_t i = piece.begin; i < piece.end; ++i) {
      reducer.Push(OffsetOfRow(kept, i / inner.count) + i % inner.count * inner.step);
    }
    reducer.Flush();
  });
  return true;
}

#endif  // HLO_SMALL

}  // namespace

std::optional<Reducer> ReducerOf(Opcode opcode) {
  constexpr struct {
    Opcode opcode;
    Reducer reducer;
  } kReducers[] = {
      {Opcode::kAdd, Reducer::kAdd},         {Opcode::kMultiply, Reducer::kMultiply},
      {Opcode::kMaximum, Reducer::kMaximum}, {Opcode::kMinimum, Reducer::kMinimum},
      {Opcode::kAnd, Reducer::kAnd},         {Opcode::kOr, Reducer::kOr},
  };
  for (const auto& row : kReducers) {
    if (row.opcode == opcode) return row.reducer;
  }
  return std::nullopt;
}

std::optional<ElementType> FoldType(Reducer reducer, ElementType type) {
  bool chooses = reducer == Reducer::kMaximum || reducer == Reducer::kMinimum;
  if (IsFloat(type) && BitsOf(type) < 32 && (reducer == Reducer::kAdd || chooses)) {
    type = ElementType::kF32;
  }
  if (!CanFold(reducer, type)) return std::nullopt;
  return type;
}

std::optional<Reducer> FindReducer(const RegionFunction& region) {
  const Opcode* opcode = region.BinaryOpcode();
  return opcode ? ReducerOf(*opcode) : std::nullopt;
}

void ReduceInBlocks(RegionFunction& region, std::span<const Tensor> inputs, const StridedView& kept,
                    const StridedView& reduced, std::span<const Tensor> inits,
                    std::span<Tensor> results, Budget* budget) {
  const LoopNest nest = MakeNest(kept);
#ifndef HLO_SMALL
  if (ShareBlocks(region, inputs, nest, reduced, inits, results, budget)) return;
#endif
  BlockReducer reducer(region, inputs, reduced, inits, results, budget);
  ForEachRow(nest, [&](int64_t offset, int64_t count, int64_t step) {
    for (int64_t i = 0; i < count; ++i) reducer.Push(offset + i * step);
  });
  reducer.Flush();
}

}  // namespace hlo
