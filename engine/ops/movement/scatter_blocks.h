// Updates of an array by an arbitrary region: updates are grouped into blocks with distinct
// targets, so that the region runs on whole blocks.
#ifndef HLO_ENGINE_OPS_MOVEMENT_SCATTER_BLOCKS_H_
#define HLO_ENGINE_OPS_MOVEMENT_SCATTER_BLOCKS_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/base/function_ref.h"
#include "engine/base/pacer.h"
#include "engine/base/small_vector.h"
#include "engine/kernels/move_view.h"
#include "engine/kernels/scatter_fold.h"
#include "engine/ops/eval.h"
#include "engine/ops/movement/window_slices.h"
#include "engine/types/tensor.h"

namespace hlo {

/// For slices in the order they are given, and their elements: (current...) = region(current...,
/// update...). Updates of different targets may be reordered, since the region is pure. Common
/// reducers use a kernel.
class ScatterBlocks {
 public:
  /// operands[i] has the type of the region's parameter i, an unshared buffer, and is written in
  /// place; updates[i] has the type of parameter operands.size() + i. `target` is where the
  /// elements of a slice are in the operands, `source` in the updates, counted from its first
  /// element; different indices are different places. All of them outlive this.
  ScatterBlocks(RegionFunction& region, std::span<Tensor> operands, std::span<const Tensor> updates,
                const StridedView& target, const StridedView& source, Budget* budget);
  ~ScatterBlocks();

  /// One slice per pair of starts; at most WindowStarts::kBlock of them. Updates may be buffered
  /// until a block is full.
  void Apply(std::span<const int64_t> targets, std::span<const int64_t> sources);
  /// Applies the buffered updates.
  void Finish();
  /// A kernel does it: the region is not called.
  bool has_kernel() const { return fold_ != nullptr; }
  /// What is polled, and what is called, from now on.
  void Use(RegionFunction& region, Budget* budget) {
    region_ = &region;
    pacer_ = Pacer(budget);
  }

 private:
  struct Loop {
    int64_t count;
    int64_t target_step;
    int64_t source_step;
  };
  struct Scratch;

  bool IsFoldedByRows() const;
  void ApplyRows(std::span<const int64_t> targets, std::span<const int64_t> sources);
  void ApplyWindow(int64_t target, int64_t source);
  void ApplyRow(int64_t target, int64_t source);
  void ApplyAdjacent(int64_t target, int64_t source, int64_t count);
  void ApplyInPlace(int64_t target, int64_t source, int64_t count);
  void ApplyElements(std::span<const int64_t> targets, std::span<const int64_t> sources);
  void ApplyRepeated(std::span<const int64_t> targets, std::span<const int64_t> sources);
  void ApplyDistinct(std::span<const int64_t> targets, std::span<const int64_t> sources);
  void Flush();

  RegionFunction* region_;
  std::span<Tensor> operands_;
  std::span<const Tensor> updates_;
  Pacer pacer_;
  ScatterFold fold_ = nullptr;
  bool empty_ = false;            // the slices have no elements
  SmallVector<Loop, 6> loops_;    // over a slice, adjacent dimensions merged; none: one element
  std::unique_ptr<Scratch> own_;  // buffers for a block
  // The block that is being filled.
  size_t count_ = 0;
  bool one_slice_ = true;  // the block has elements of one slice only
  std::vector<const std::byte*> args_;
  std::vector<std::byte*> results_;
};

/// Where slices of the operand begin, and those of the updates: as many of both, at most
/// WindowStarts::kBlock. `thread` and `budget` are a piece's (threads/pieces.h).
using SlicesBody = FunctionRef<void(std::span<const int64_t> targets,
                                    std::span<const int64_t> sources, int thread, Budget* budget)>;

/// Calls body for all slices of a scatter, in their order, on this thread.
void ForEachSlices(const OpCall& call, const Tensor& indices, const WindowStarts::Layout& layout,
                   Budget* budget, SlicesBody body);

/// A scatter by a region: as ScatterBlocks, of all slices. Threads share it.
void CombineSlices(const OpCall& call, const Tensor& indices, const ScatterSlices& slices,
                   RegionFunction& region, std::span<Tensor> operands,
                   std::span<const Tensor> updates, Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_MOVEMENT_SCATTER_BLOCKS_H_
