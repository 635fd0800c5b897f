#include "engine/ops/sorting/sort_blocks.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/base/bits.h"
#include "engine/kernels/move_gather.h"

namespace hlo {
namespace {

/// Comparisons per call: the block size of a compiled region.
constexpr int64_t kSortBlock = 1024;
/// Minimum length of a piece of a merge.
constexpr int64_t kMinPiece = 16;
/// Long lines are first sorted in chunks of this size, which fit in a cache. A power of 4, so that
/// after an even number of levels the result is in the original buffer.
constexpr int64_t kSortChunk = int64_t{1} << 16;

}  // namespace

BlockSorter::BlockSorter(RegionFunction& comparator, std::vector<Tensor> args, int64_t length,
                         int64_t capacity, Budget* budget)
    : comparator_(comparator),
      args_(std::move(args)),
      length_(length),
      pacer_(budget),
      lanes_(kSortBlock),
      lefts_(kSortBlock),
      rights_(kSortBlock),
      answers_(kSortBlock) {
  for (const Tensor& arg : args_) {
    gathered_.push_back(
        Buffer::Allocate(static_cast<size_t>(kSortBlock * BytesOf(arg.element_type())), budget));
    gathered_args_.push_back(gathered_.back()->data());
  }
  other_ = Buffer::Allocate(static_cast<size_t>(capacity) * sizeof(uint32_t), budget);
}

void BlockSorter::Sort(int64_t base, int64_t lines, uint32_t* order) {
  base_ = base;
  uint32_t* from = order;
  uint32_t* to = reinterpret_cast<uint32_t*>(other_->data());
  std::iota(from, from + lines * length_, uint32_t{0});
  int64_t width = 1;
  if (length_ > kSortChunk) {
    for (int64_t begin = 0; begin < lines * length_; begin += length_) {
      for (int64_t chunk = 0; chunk < length_; chunk += kSortChunk) {
        MergeRuns({begin + chunk, 1, std::min(kSortChunk, length_ - chunk)}, 1, kSortChunk, &from,
                  &to);
      }
    }
    width = kSortChunk;
  }
  MergeRuns({0, lines, length_}, width, length_, &from, &to);
  if (from != order) std::copy(from, from + lines * length_, order);
}

/// Merges runs of `from_width` elements until they have `to_width` or more.
void BlockSorter::MergeRuns(const Part& part, int64_t from_width, int64_t to_width, uint32_t** from,
                            uint32_t** to) {
  part_ = part;
  for (width_ = from_width; width_ < to_width; width_ *= 2) {
    MergeLevel(*from, *to);
    std::swap(*from, *to);
  }
}

void BlockSorter::MergeLevel(const uint32_t* from, uint32_t* to) {
  merges_per_line_ = CeilDiv(part_.length, 2 * width_);
  const int64_t merges = part_.lines * merges_per_line_;
  pieces_ = std::max<int64_t>(1, std::min(CeilDiv(kSortBlock, merges), 2 * width_ / kMinPiece));
  FindSplits(from);
  line_ = merge_ = piece_ = 0;
  int64_t active = 0;
  while (true) {
    while (active < kSortBlock && line_ < part_.lines) {
      const MergeLane lane = NextLane();
      if (lane.done()) {
        FinishLane(lane, from, to);
      } else {
        lanes_[static_cast<size_t>(active++)] = lane;
      }
    }
    if (active == 0) return;
    ReadHeads(lanes_.data(), active, from, lefts_.data(), rights_.data());
    Compare(active);
    active = AdvanceLanes(lanes_.data(), active, answers_.data(), from, to);
  }
}

/// Whether each right element comes before the left one: only then is it taken first, so that the
/// sort is stable.
void BlockSorter::Compare(int64_t n) {
  for (size_t i = 0; i < args_.size(); ++i) {
    const int width = BytesOf(args_[i].element_type());
    const std::vector<uint32_t>& heads = i % 2 == 0 ? rights_ : lefts_;
    GatherElements(width, args_[i].bytes() + base_ * width, heads.data(), n, gathered_[i]->data());
  }
  std::byte* const results[] = {reinterpret_cast<std::byte*>(answers_.data())};
  comparator_.Apply(n, gathered_args_, results);
  pacer_.Add(n);
}

/// Cuts every merge of the level into pieces of equal length.
void BlockSorter::FindSplits(const uint32_t* from) {
  splits_.clear();
  if (pieces_ == 1) return;
  for (int64_t line = 0; line < part_.lines; ++line) {
    for (int64_t merge = 0; merge < merges_per_line_; ++merge) {
      const int64_t begin = 2 * width_ * merge;
      const int64_t left_size = std::min(width_, part_.length - begin);
      const int64_t right_size = std::min(width_, part_.length - begin - left_size);
      for (int64_t piece = 1; piece < pieces_; ++piece) {
        const int64_t diagonal = (left_size + right_size) * piece / pieces_;
        Split split;
        split.left = static_cast<uint32_t>(part_.begin + line * part_.length + begin);
        split.right = static_cast<uint32_t>(split.left + left_size);
        split.right_size = static_cast<uint32_t>(right_size);
        split.diagonal = static_cast<uint32_t>(diagonal);
        split.low = static_cast<uint32_t>(std::max<int64_t>(0, diagonal - right_size));
        split.high = static_cast<uint32_t>(std::min(diagonal, left_size));
        splits_.push_back(split);
      }
    }
  }
  while (ProbeSplits(from) > 0) {
  }
  KeepSplitsInOrder();
}

/// One step of all binary searches for the first left element that comes after the right element
/// before the cut. Returns how many searches are unfinished.
int64_t BlockSorter::ProbeSplits(const uint32_t* from) {
  int64_t searching = 0;
  size_t next = 0;
  while (next < splits_.size()) {
    probed_.clear();
    for (; next < splits_.size() && probed_.size() < static_cast<size_t>(kSortBlock); ++next) {
      const Split& split = splits_[next];
      if (split.low == split.high) continue;
      const uint32_t middle = split.low + (split.high - split.low) / 2;
      lefts_[probed_.size()] = from[split.left + middle];
      rights_[probed_.size()] = from[split.right + (split.diagonal - 1 - middle)];
      probed_.push_back(next);
    }
    const int64_t n = static_cast<int64_t>(probed_.size());
    if (n > 0) Compare(n);
    for (size_t i = 0; i < probed_.size(); ++i) {
      Split& split = splits_[probed_[i]];
      const uint32_t middle = split.low + (split.high - split.low) / 2;
      if (answers_[i] != 0) {
        split.high = middle;
      } else {
        split.low = middle + 1;
      }
    }
    searching += n;
  }
  return searching;
}

/// Cuts must be monotonic even if the comparator is inconsistent.
void BlockSorter::KeepSplitsInOrder() {
  for (size_t i = 1; i < splits_.size(); ++i) {
    const Split& before = splits_[i - 1];
    Split& split = splits_[i];
    if (split.left != before.left) continue;
    const uint32_t step = split.diagonal - before.diagonal;
    split.low = std::min(std::max(split.low, before.low), before.low + step);
  }
}

/// The next piece of a merge, from left to right.
MergeLane BlockSorter::NextLane() {
  const int64_t begin = 2 * width_ * merge_;
  const int64_t left_size = std::min(width_, part_.length - begin);
  const int64_t right_size = std::min(width_, part_.length - begin - left_size);
  const uint32_t left = static_cast<uint32_t>(part_.begin + line_ * part_.length + begin);
  const uint32_t right = static_cast<uint32_t>(left + left_size);
  MergeLane lane{left, right, right, static_cast<uint32_t>(right + right_size), left};
  if (pieces_ > 1) {
    const size_t first = static_cast<size_t>((line_ * merges_per_line_ + merge_) * (pieces_ - 1));
    if (piece_ > 0) {
      const Split& split = splits_[first + static_cast<size_t>(piece_ - 1)];
      lane.left = left + split.low;
      lane.right = right + (split.diagonal - split.low);
      lane.out = left + split.diagonal;
    }
    if (piece_ < pieces_ - 1) {
      const Split& split = splits_[first + static_cast<size_t>(piece_)];
      lane.left_end = left + split.low;
      lane.right_end = right + (split.diagonal - split.low);
    }
  }
  if (++piece_ < pieces_) return lane;
  piece_ = 0;
  if (++merge_ < merges_per_line_) return lane;
  merge_ = 0;
  ++line_;
  return lane;
}

}  // namespace hlo
