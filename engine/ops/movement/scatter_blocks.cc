#include "engine/ops/movement/scatter_blocks.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "engine/base/bits.h"
#include "engine/base/indices.h"
#include "engine/kernels/move_gather.h"
#include "engine/kernels/move_loops.h"
#include "engine/ops/movement/window_starts.h"
#include "engine/ops/products/reduce_blocks.h"
#include "engine/threads/pieces.h"

namespace hlo {
namespace {

constexpr int64_t kScatterBlock = WindowStarts::kBlock;
/// Contiguous rows of at least this many elements are updated in place.
constexpr int64_t kAdjacent = 64;
constexpr int64_t kAdjacentOfKernel = 8;

}  // namespace

struct ScatterBlocks::Scratch {
  /// Counts how often a target has occurred in a block: a hash table of twice the block size,
  /// cleared by incrementing the block number.
  class PlaceCounts {
   public:
    explicit PlaceCounts(Budget* budget) : slots_(Buffer::Allocate(kSlots * sizeof(Slot), budget)) {
      std::memset(slots_->data(), 0, slots_->size());
    }

    void StartBlock() {
      if (++block_ != 0) return;
      std::memset(slots_->data(), 0, slots_->size());
      block_ = 1;
    }

    /// The number of earlier occurrences of the target in this block.
    uint32_t Meet(int64_t place) {
      Slot* const slots = reinterpret_cast<Slot*>(slots_->data());
      // The upper bits of the product depend on all bits of the place.
      size_t at = (static_cast<uint64_t>(place) * 0x9E3779B97F4A7C15u) >> (64 - kSlotBits);
      while (slots[at].block == block_ && slots[at].place != place) at = (at + 1) % kSlots;
      Slot& slot = slots[at];
      if (slot.block != block_) slot = {place, block_, 0};
      return slot.count++;
    }

   private:
    static constexpr int kSlotBits = 12;
    static constexpr size_t kSlots = size_t{1} << kSlotBits;
    static_assert(kSlots == 2 * static_cast<size_t>(kScatterBlock));
    struct Slot {
      int64_t place;
      uint32_t block;
      uint32_t count;
    };
    std::shared_ptr<Buffer> slots_;
    uint32_t block_ = 0;
  };

  Scratch(std::span<const Tensor> operands, std::span<const Tensor> new_values, Budget* budget)
      : targets(WindowStarts::NewBlock(ElementType::kS64, budget)),
        sources(WindowStarts::NewBlock(ElementType::kS64, budget)),
        sorted_targets(WindowStarts::NewBlock(ElementType::kS64, budget)),
        sorted_sources(WindowStarts::NewBlock(ElementType::kS64, budget)),
        rounds(WindowStarts::NewBlock(ElementType::kU32, budget)),
        ends(WindowStarts::NewBlock(ElementType::kU32, budget)),
        counts(budget) {
    for (const Tensor& operand : operands) {
      current.push_back(WindowStarts::NewBlock(operand.element_type(), budget));
    }
    for (const Tensor& update : new_values) {
      updates.push_back(WindowStarts::NewBlock(update.element_type(), budget));
    }
  }

  Tensor targets, sources;                // the block that is being filled
  Tensor sorted_targets, sorted_sources;  // a block by rounds
  Tensor rounds;                          // of the elements of a block
  Tensor ends;                            // of the rounds of a block
  PlaceCounts counts;
  std::vector<Tensor> current, updates;  // the arguments of the region
};

ScatterBlocks::ScatterBlocks(RegionFunction& region, std::span<Tensor> operands,
                             std::span<const Tensor> updates, const StridedView& target,
                             const StridedView& source, Budget* budget)
    : region_(&region),
      operands_(operands),
      updates_(updates),
      pacer_(budget),
      own_(std::make_unique<Scratch>(operands, updates, budget)),
      args_(2 * operands.size()),
      results_(operands.size()) {
  const std::optional<Reducer> reducer = FindReducer(region);
  if (operands.size() == 1 && reducer) {
    fold_ = FindScatterFold(*reducer, operands[0].element_type());
  }
  for (size_t d = 0; d < target.dims.size(); ++d) {
    const Loop loop{target.dims[d], target.strides[d], source.strides[d]};
    if (loop.count == 0) empty_ = true;
    if (loop.count == 1) continue;
    if (!loops_.empty() && loops_.back().target_step == loop.target_step * loop.count &&
        loops_.back().source_step == loop.source_step * loop.count) {
      loops_.back() = {loops_.back().count * loop.count, loop.target_step, loop.source_step};
    } else {
      loops_.push_back(loop);
    }
  }
}

ScatterBlocks::~ScatterBlocks() = default;

void ScatterBlocks::Apply(std::span<const int64_t> targets, std::span<const int64_t> sources) {
  if (empty_) return;
  if (loops_.empty()) return ApplyElements(targets, sources);
  if (IsFoldedByRows()) return ApplyRows(targets, sources);
  for (size_t i = 0; i < targets.size(); ++i) {
    if (count_ > 0) one_slice_ = false;
    ApplyWindow(targets[i], sources[i]);
  }
}

/// Whether slices are short rows of neighbours, for which there is a kernel.
bool ScatterBlocks::IsFoldedByRows() const {
  const Loop& row = loops_.back();
  return fold_ != nullptr && loops_.size() == 1 && row.target_step == 1 && row.source_step == 1 &&
         row.count <= kPollElements;
}

void ScatterBlocks::ApplyRows(std::span<const int64_t> targets, std::span<const int64_t> sources) {
  const int64_t length = loops_.back().count;
  const auto rows = static_cast<int64_t>(targets.size());
  const int64_t width = BytesOf(operands_[0].element_type());
  const auto together = static_cast<size_t>(kPollElements / length);
  const auto fold = [&](PieceRange columns, int, Budget* own) {
    for (size_t i = 0; i < targets.size(); i += together) {
      const size_t n = std::min(together, targets.size() - i);
      fold_(updates_[0].bytes() + columns.begin * width, sources.subspan(i, n),
            operands_[0].mutable_bytes() + columns.begin * width, targets.subspan(i, n),
            columns.end - columns.begin);
      own->Poll();
    }
  };
  // Threads take columns, which are different places, and all read the rows in their order. Of
  // short rows that is slower than one thread is: each part is too little to be fetched ahead.
  constexpr int64_t kLines = 128;  // of the cache: two, which are read together
  if (length * width < 4 * kLines || !IsShared(rows * length)) {
    return fold({0, length}, 0, pacer_.budget());
  }
  const int64_t columns = CeilDiv(CeilDiv(length * width, 4), kLines) * (kLines / width);
  RunRanges(length, columns, rows * length, pacer_.budget(), fold);
}

void ScatterBlocks::Finish() { Flush(); }

void ScatterBlocks::ApplyWindow(int64_t target, int64_t source) {
  const size_t outer_count = loops_.size() - 1;
  Dims position(outer_count, 0);
  while (true) {
    ApplyRow(target, source);
    size_t d = outer_count;
    for (; d > 0; --d) {
      const Loop& loop = loops_[d - 1];
      target += loop.target_step;
      source += loop.source_step;
      if (++position[d - 1] < loop.count) break;
      position[d - 1] = 0;
      target -= loop.count * loop.target_step;
      source -= loop.count * loop.source_step;
    }
    if (d == 0) return;
  }
}

void ScatterBlocks::ApplyRow(int64_t target, int64_t source) {
  const Loop& row = loops_.back();
  const int64_t least = fold_ != nullptr ? kAdjacentOfKernel : kAdjacent;
  if (row.target_step == 1 && row.source_step == 1 && row.count >= least) {
    return ApplyAdjacent(target, source, row.count);
  }
  for (int64_t i = 0; i < row.count;) {
    const int64_t n = std::min(row.count - i, kScatterBlock - static_cast<int64_t>(count_));
    int64_t* const targets = own_->targets.mutable_data<int64_t>() + count_;
    int64_t* const sources = own_->sources.mutable_data<int64_t>() + count_;
    for (int64_t k = 0; k < n; ++k) {
      targets[k] = target + (i + k) * row.target_step;
      sources[k] = source + (i + k) * row.source_step;
    }
    i += n;
    count_ += static_cast<size_t>(n);
    if (count_ == static_cast<size_t>(kScatterBlock)) Flush();
  }
}

/// Runs that are contiguous in both operands and updates.
void ScatterBlocks::ApplyAdjacent(int64_t target, int64_t source, int64_t count) {
  Flush();
  for (int64_t done = 0; done < count; done += kPollElements) {
    ApplyInPlace(target + done, source + done, std::min(kPollElements, count - done));
  }
}

void ScatterBlocks::ApplyInPlace(int64_t target, int64_t source, int64_t count) {
  pacer_.Add(count);
  if (fold_ != nullptr) {
    fold_(updates_[0].bytes(), {&source, 1}, operands_[0].mutable_bytes(), {&target, 1}, count);
    return;
  }
  for (size_t i = 0; i < operands_.size(); ++i) {
    results_[i] = operands_[i].mutable_bytes() + target * BytesOf(operands_[i].element_type());
    args_[i] = results_[i];
    args_[operands_.size() + i] =
        updates_[i].bytes() + source * BytesOf(updates_[i].element_type());
  }
  region_->Apply(count, args_, results_);
}

void ScatterBlocks::Flush() {
  if (count_ == 0) return;
  const std::span<const int64_t> targets(own_->targets.data<int64_t>(), count_);
  const std::span<const int64_t> sources(own_->sources.data<int64_t>(), count_);
  if (one_slice_ && fold_ == nullptr) {
    ApplyDistinct(targets, sources);
  } else {
    ApplyElements(targets, sources);
  }
  count_ = 0;
  one_slice_ = true;
}

/// Single elements in order; a target may occur more than once.
void ScatterBlocks::ApplyElements(std::span<const int64_t> targets,
                                  std::span<const int64_t> sources) {
  if (fold_ == nullptr) return ApplyRepeated(targets, sources);
  fold_(updates_[0].bytes(), sources, operands_[0].mutable_bytes(), targets, 1);
  pacer_.Add(static_cast<int64_t>(targets.size()));
}

/// Runs the first update of every target, then the second ones, and so on: targets within a round
/// are distinct.
void ScatterBlocks::ApplyRepeated(std::span<const int64_t> targets,
                                  std::span<const int64_t> sources) {
  uint32_t* const rounds = own_->rounds.mutable_data<uint32_t>();
  uint32_t* const ends = own_->ends.mutable_data<uint32_t>();
  own_->counts.StartBlock();
  uint32_t round_count = 0;
  for (size_t i = 0; i < targets.size(); ++i) {
    rounds[i] = own_->counts.Meet(targets[i]);
    // A round does not occur before its predecessor.
    if (rounds[i] == round_count) ends[round_count++] = 0;
    ++ends[rounds[i]];
  }
  if (round_count <= 1) return ApplyDistinct(targets, sources);
  uint32_t begin = 0;
  for (uint32_t r = 0; r < round_count; ++r) {
    const uint32_t count = ends[r];
    ends[r] = begin;
    begin += count;
  }
  int64_t* const sorted_targets = own_->sorted_targets.mutable_data<int64_t>();
  int64_t* const sorted_sources = own_->sorted_sources.mutable_data<int64_t>();
  for (size_t i = 0; i < targets.size(); ++i) {
    const uint32_t at = ends[rounds[i]]++;
    sorted_targets[at] = targets[i];
    sorted_sources[at] = sources[i];
  }
  begin = 0;
  for (uint32_t r = 0; r < round_count; ++r) {
    const size_t count = ends[r] - begin;
    ApplyDistinct({sorted_targets + begin, count}, {sorted_sources + begin, count});
    begin = ends[r];
  }
}

void ScatterBlocks::ApplyDistinct(std::span<const int64_t> targets,
                                  std::span<const int64_t> sources) {
  if (targets.size() == 1) return ApplyInPlace(targets[0], sources[0], 1);
  const size_t n = operands_.size();
  for (size_t i = 0; i < n; ++i) {
    results_[i] = own_->current[i].mutable_bytes();
    args_[i] = results_[i];
    GatherElements(BytesOf(operands_[i].element_type()), operands_[i].bytes(), targets,
                   results_[i]);
    std::byte* const update = own_->updates[i].mutable_bytes();
    args_[n + i] = update;
    GatherElements(BytesOf(updates_[i].element_type()), updates_[i].bytes(), sources, update);
  }
  region_->Apply(static_cast<int64_t>(targets.size()), args_, results_);
  for (size_t i = 0; i < n; ++i) {
    ScatterElements(BytesOf(operands_[i].element_type()), results_[i], operands_[i].mutable_bytes(),
                    targets);
  }
  pacer_.Add(static_cast<int64_t>(targets.size()));
}

#ifndef HLO_SMALL

namespace {

/// Slices of fewer elements are applied sooner than they are sorted.
constexpr int64_t kLeastElements = 8;
/// Each group goes through all pages of the updates.
constexpr int64_t kMostGroups = 4;

/// The slices of a scatter by groups, in their order within each.
class SliceGroups {
 public:
  /// For `slices` of them over an operand of `parts` parts of `part` elements: none lies in two.
  SliceGroups(int64_t slices, int64_t parts, int64_t part, Budget* budget)
      : groups_(std::min(parts, kMostGroups)),
        elements_(static_cast<uint64_t>(CeilDiv(parts, groups_) * part)),
        is_narrow_(parts * part <= int64_t{std::numeric_limits<uint32_t>::max()}),
        block_count_(CeilDiv(slices, WindowStarts::kBlock)),
        sizes_(static_cast<size_t>(block_count_)),
        ends_(static_cast<size_t>(block_count_ * groups_)),
        group_of_(NewTensor(ElementType::kU8, slices, budget)),
        starts_(NewTensor(ElementType::kS64, 2 * slices, budget)),
        sorted_(NewTensor(ElementType::kS64, 2 * slices, budget)),
        slices_(slices) {}

  static int64_t BytesFor(int64_t slices) { return slices * 33; }
  int64_t groups() const { return groups_; }

  /// Keeps the slices of a block: of different ones at the same time.
  void Take(const WindowStarts& block) {
    const int64_t first = block.first(), number = first / WindowStarts::kBlock;
    const std::span<const int64_t> targets = block.operand_starts();
    const std::span<const int64_t> sources = block.slice_starts();
    uint8_t* const group_of = group_of_.mutable_data<uint8_t>() + first;
    int64_t* const at = starts_.mutable_data<int64_t>() + first;
    std::copy(targets.begin(), targets.end(), at);
    std::copy(sources.begin(), sources.end(), at + slices_);
    int64_t* const counts = ends_.data() + number * groups_;
    for (size_t i = 0; i < targets.size(); ++i) {
      group_of[i] = static_cast<uint8_t>(GroupOf(static_cast<uint64_t>(targets[i])));
      ++counts[group_of[i]];
    }
    sizes_[static_cast<size_t>(number)] = static_cast<int64_t>(targets.size());
  }

  /// Sorts them, once all blocks are there.
  void Sort(int64_t work, Budget* budget) {
    int64_t sum = 0;
    for (int64_t group = 0; group < groups_; ++group) {
      begins_[group] = sum;
      for (int64_t block = 0; block < block_count_; ++block) {
        sum += std::exchange(ends_[static_cast<size_t>(block * groups_ + group)], sum);
      }
    }
    begins_[groups_] = sum;
    RunPieces(block_count_, work, budget, [&](int64_t block, int, Budget*) { SortBlock(block); });
  }

  std::span<const int64_t> Targets(int64_t group) const { return Sorted(group, 0); }
  std::span<const int64_t> Sources(int64_t group) const { return Sorted(group, slices_); }

 private:
  static Tensor NewTensor(ElementType type, int64_t count, Budget* budget) {
    return Tensor(type, Dims{count}, budget);
  }

  uint64_t GroupOf(uint64_t target) const {
    if (!is_narrow_) return target / elements_;
    return static_cast<uint32_t>(target) / static_cast<uint32_t>(elements_);
  }

  void SortBlock(int64_t block) {
    const int64_t first = block * WindowStarts::kBlock;
    const uint8_t* const group_of = group_of_.data<uint8_t>() + first;
    const int64_t* const from = starts_.data<int64_t>() + first;
    int64_t* const to = sorted_.mutable_data<int64_t>();
    int64_t* const places = ends_.data() + block * groups_;
    for (int64_t i = 0; i < sizes_[static_cast<size_t>(block)]; ++i) {
      const int64_t place = places[group_of[i]]++;
      to[place] = from[i];
      to[slices_ + place] = from[slices_ + i];
    }
  }

  std::span<const int64_t> Sorted(int64_t group, int64_t shift) const {
    return {sorted_.data<int64_t>() + shift + begins_[group],
            static_cast<size_t>(begins_[group + 1] - begins_[group])};
  }

  const int64_t groups_;
  const uint64_t elements_;  // of the operand, by group
  const bool is_narrow_;     // offsets have 32 bits
  const int64_t block_count_;
  std::vector<int64_t> sizes_;  // by block, without what is skipped
  std::vector<int64_t> ends_;   // by block and group: how many, then where the next one goes
  int64_t begins_[kMostGroups + 1] = {};
  Tensor group_of_, starts_, sorted_;  // targets, then sources
  const int64_t slices_;
};

/// Calls body for all slices, in pieces that threads share: slices of different pieces have no
/// element of the operand in common, and those of one come in their order. At the end of a piece
/// body is called without slices. False, with nothing done, where nothing is shared.
bool ShareSlices(const OpCall& call, const Tensor& indices, const WindowStarts::Layout& layout,
                 Budget* budget, SlicesBody body) {
  const std::span<const int64_t> operand = layout.operand;
  // Slices with different indices in leading dimensions of size 1 have nothing in common.
  size_t leading = 0;
  while (leading < operand.size() && layout.window[leading] == 1) ++leading;
  const int64_t parts = ElementCount(operand.first(leading));
  const int64_t slices = ElementCount(layout.counts), each = ElementCount(layout.window);
  const int64_t work = slices * each;
  if (parts < 2 || each < kLeastElements || !IsShared(work)) return false;
  if (budget->memory_left() < 2 * static_cast<uint64_t>(SliceGroups::BytesFor(slices)))
    return false;
  SliceGroups groups(slices, parts, ElementCount(operand.subspan(leading)), budget);
  WindowStarts::ForEachBlock(call, kScatterNames, indices, layout, WindowStarts::Outside::kSkip,
                             WindowStarts::kBlock, budget,
                             [&](const WindowStarts& block, Budget*) { groups.Take(block); });
  groups.Sort(work, budget);
  RunPieces(groups.groups(), work, budget, [&](int64_t group, int thread, Budget* own) {
    const std::span<const int64_t> targets = groups.Targets(group);
    const std::span<const int64_t> sources = groups.Sources(group);
    constexpr auto kTogether = static_cast<size_t>(WindowStarts::kBlock);
    for (size_t i = 0; i < targets.size(); i += kTogether) {
      const size_t n = std::min(kTogether, targets.size() - i);
      body(targets.subspan(i, n), sources.subspan(i, n), thread, own);
      own->Poll();
    }
    body({}, {}, thread, own);
  });
  return true;
}

}  // namespace

#endif  // HLO_SMALL

void ForEachSlices(const OpCall& call, const Tensor& indices, const WindowStarts::Layout& layout,
                   Budget* budget, SlicesBody body) {
  WindowStarts starts(call, kScatterNames, indices, layout, WindowStarts::Outside::kSkip, budget);
  while (starts.Next()) {
    body(starts.operand_starts(), starts.slice_starts(), 0, budget);
    budget->Poll();
  }
}

void CombineSlices(const OpCall& call, const Tensor& indices, const ScatterSlices& slices,
                   RegionFunction& region, std::span<Tensor> operands,
                   std::span<const Tensor> updates, Budget* budget) {
#ifdef HLO_SMALL
  ScatterBlocks blocks(region, operands, updates, slices.target, slices.source, budget);
  ForEachSlices(call, indices, slices.layout, budget,
                [&](std::span<const int64_t> targets, std::span<const int64_t> sources, int,
                    Budget*) { blocks.Apply(targets, sources); });
  blocks.Finish();
#else
  const auto make = [&] {
    return std::make_unique<ScatterBlocks>(region, operands, updates, slices.target, slices.source,
                                           budget);
  };
  std::vector<std::unique_ptr<ScatterBlocks> > blocks;  // by thread
  blocks.push_back(make());
  const int64_t work = ElementCount(slices.layout.counts) * ElementCount(slices.layout.window);
  // Of a kernel threads take columns: updates in another order cost more than a thread gains.
  RegionCopies* const copies =
      IsShared(work) && !blocks[0]->has_kernel() ? region.Copies(PieceThreads(), budget) : nullptr;
  if (copies != nullptr) {
    while (static_cast<int>(blocks.size()) < PieceThreads()) blocks.push_back(make());
    const auto apply = [&](std::span<const int64_t> targets, std::span<const int64_t> sources,
                           int thread, Budget* own) {
      ScatterBlocks& of_thread = *blocks[static_cast<size_t>(thread)];
      of_thread.Use(copies->Of(thread, own), own);
      of_thread.Apply(targets, sources);
      if (targets.empty()) of_thread.Finish();
    };
    if (ShareSlices(call, indices, slices.layout, budget, apply)) return;
    blocks[0]->Use(region, budget);
  }
  ForEachSlices(call, indices, slices.layout, budget,
                [&](std::span<const int64_t> targets, std::span<const int64_t> sources, int,
                    Budget*) { blocks[0]->Apply(targets, sources); });
  blocks[0]->Finish();
#endif  // HLO_SMALL
}

}  // namespace hlo
