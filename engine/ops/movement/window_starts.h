// The start positions of the slices of a gather or scatter, read from the index vectors.
// Source: operation semantics, Gather and Scatter; XLA, hlo_evaluator.cc, HandleGather and
// HandleScatter.
#ifndef HLO_ENGINE_OPS_MOVEMENT_WINDOW_STARTS_H_
#define HLO_ENGINE_OPS_MOVEMENT_WINDOW_STARTS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/budget.h"
#include "engine/base/function_ref.h"
#include "engine/ops/movement/gather_dims.h"
#include "engine/ops/op_call.h"
#include "engine/types/tensor.h"

namespace hlo {

/// Iterates over the index vectors in row-major order, a block of them at a time.
class WindowStarts {
 public:
  /// Slices per block.
  static constexpr int64_t kBlock = 2048;

  /// What happens to a slice that is not entirely inside the operand.
  enum class Outside : uint8_t {
    kMove,  ///< each start is moved to the nearest one where it does
    kSkip,  ///< it is left out
  };

  /// The arrays' dimensions, with their bounds where they are dynamic.
  struct Layout {
    Dims operand;  ///< dimensions of the operand
    Dims window;   ///< per dimension of the operand, the size of the slices; 1 where left out
    /// For each dimension of the indices except that of the index vectors: its run-time size, and
    /// its stride in the result or the updates.
    Dims counts;
    Dims steps;
  };
  /// How one dimension of the operand contributes to a start.
  struct Component {
    int64_t from;    ///< element of the index vector, as an offset; or the number of a dimension of
                     ///< the positions, whose coordinate it is
    int64_t stride;  ///< of the operand's dimension
    int64_t last;    ///< the last start inside; -1 when there is none
  };
  struct Components {
    std::vector<Component> indexed, batch;
    Dims index_strides;  ///< of the batch positions' dimensions, in the indices
  };
  static Components ComponentsOf(const OpCall& call, const GatherNames& names, const Dims& indices,
                                 const Layout& layout);

  /// The indices must outlive this. Elements are read as signed 64-bit numbers: an unsigned one of
  /// 2^63 or more counts as negative.
  WindowStarts(const OpCall& call, const GatherNames& names, const Tensor& indices, Layout layout,
               Outside outside, Budget* budget);

  /// A buffer with one number per slice of a block.
  static Tensor NewBlock(ElementType type, Budget* budget) {
    return Tensor(type, Dims{kBlock}, budget);
  }

  /// How many slices there are, with those that are skipped.
  int64_t slice_count() const { return total_; }
  /// Goes on with the slices [begin, end).
  void MoveTo(int64_t begin, int64_t end);
  /// The next block; false when there is none. A block may be empty.
  bool Next();
  /// Calls body for all blocks, of up to `size` slices, in pieces that threads share: in any order,
  /// with the budget of the thread.
  using BlockBody = FunctionRef<void(const WindowStarts& block, Budget* budget)>;
  static void ForEachBlock(const OpCall& call, const GatherNames& names, const Tensor& indices,
                           const Layout& layout, Outside outside, int64_t size, Budget* budget,
                           BlockBody body);

  /// The number of the block's first slice, among all.
  int64_t first() const { return first_; }

  /// For the slices of the block: the offset of their first element in the operand.
  std::span<const int64_t> operand_starts() const { return {starts_.data<int64_t>(), count_}; }
  /// The offset of their first element in the result or the updates.
  std::span<const int64_t> slice_starts() const { return {slices_.data<int64_t>(), count_}; }

 private:
  /// The contribution to the start of the coordinate or index `value`; false if there is no valid
  /// start.
  bool Add(const Component& component, int64_t value, int64_t* start) const;
  void ListPositions();
  void AddPositions(const Component& batch, size_t n, int64_t* starts);
  void NextPosition();
  void AddIndices(const Component& component);
  template <typename ValueAt>
  void AddValues(const Component& component, ValueAt value_at);
  void DropSkipped();

  const Tensor& indices_;
  Layout layout_;
  Outside outside_;
  Components components_;
  Dims position_;
  int64_t total_ = 1;
  int64_t left_ = 0;   // slices, with those that are skipped
  int64_t first_ = 0;  // of the current block
  int64_t index_offset_ = 0;
  int64_t slice_offset_ = 0;
  // State of the current block.
  size_t count_ = 0;
  Tensor starts_, slices_, offsets_, raw_, values_;
  bool any_skipped_ = false;
};

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_MOVEMENT_WINDOW_STARTS_H_
