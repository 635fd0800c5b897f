// Stable sorting by an arbitrary comparator, which is called on blocks of pairs.
#ifndef HLO_ENGINE_OPS_SORTING_SORT_BLOCKS_H_
#define HLO_ENGINE_OPS_SORTING_SORT_BLOCKS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/budget.h"
#include "engine/base/pacer.h"
#include "engine/kernels/merge_lanes.h"
#include "engine/ops/eval.h"
#include "engine/types/tensor.h"

namespace hlo {

/// Bottom-up merge sort of many lines at once: all merges of a level advance together, and if there
/// are few of them each is cut into pieces that are merged independently. If the comparator is not
/// an order, the result is some permutation.
class BlockSorter {
 public:
  /// args[i]: the elements of the comparator's parameter i, consecutive lines of `length` elements.
  /// Sorts at most `capacity` elements at a time, fewer than 2^32.
  BlockSorter(RegionFunction& comparator, std::vector<Tensor> args, int64_t length,
              int64_t capacity, Budget* budget);

  /// Sorts `lines` lines starting at element `base`. Writes, for every position of the result, the
  /// index of the element that belongs there, relative to `base`.
  void Sort(int64_t base, int64_t lines, uint32_t* order);

 private:
  /// Lines that are merged together: `lines` of `length` elements from position `begin` on.
  struct Part {
    int64_t begin, lines, length;
  };
  void MergeRuns(const Part& part, int64_t from_width, int64_t to_width, uint32_t** from,
                 uint32_t** to);
  void MergeLevel(const uint32_t* from, uint32_t* to);
  void FindSplits(const uint32_t* from);
  int64_t ProbeSplits(const uint32_t* from);
  void KeepSplitsInOrder();
  MergeLane NextLane();
  void Compare(int64_t n);

  RegionFunction& comparator_;
  std::vector<Tensor> args_;
  int64_t length_;
  Pacer pacer_;  // counts comparisons
  int64_t base_ = 0;

  // The current level: runs of `width_` are merged in pairs, each merge in `pieces_` pieces.
  Part part_{};
  int64_t width_ = 0;
  int64_t merges_per_line_ = 0;
  int64_t pieces_ = 1;
  // Position of NextLane.
  int64_t line_ = 0, merge_ = 0, piece_ = 0;

  /// A cut through a merge: its first `diagonal` results are the first `low` elements of the left
  /// run and the rest from the right one, once low == high.
  struct Split {
    uint32_t left, right;  // where the runs begin
    uint32_t right_size;
    uint32_t diagonal;
    uint32_t low, high;
  };
  std::vector<Split> splits_;
  std::vector<size_t> probed_;

  std::vector<MergeLane> lanes_;
  std::vector<uint32_t> lefts_, rights_;
  std::vector<uint8_t> answers_;
  std::vector<std::shared_ptr<Buffer>> gathered_;
  std::vector<const std::byte*> gathered_args_;
  std::shared_ptr<Buffer> other_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_SORTING_SORT_BLOCKS_H_
