// Dimension numbers of gather and scatter: which dimensions of the operand, of the indices and of
// the slices correspond.
#ifndef HLO_ENGINE_OPS_MOVEMENT_GATHER_DIMS_H_
#define HLO_ENGINE_OPS_MOVEMENT_GATHER_DIMS_H_

#include <string_view>

#include "engine/base/diagnostics.h"
#include "engine/ops/attributes.h"
#include "engine/ops/op_call.h"
#include "engine/types/shape.h"

namespace hlo {

/// The names of the attributes that have the same role in both ops.
struct GatherNames {
  std::string_view window;         ///< dimensions of the slices, in the result or the updates
  std::string_view collapsed;      ///< dimensions of the operand that the slices leave out
  std::string_view index_map;      ///< where index components point
  std::string_view operand_batch;  ///< dimensions of the operand ...
  std::string_view indices_batch;  ///< ... that run in step with these of the indices
};
inline constexpr GatherNames kGatherNames{"offset_dims", "collapsed_slice_dims", "start_index_map",
                                          "operand_batching_dims", "start_indices_batching_dims"};
inline constexpr GatherNames kScatterNames{"update_window_dims", "inserted_window_dims",
                                           "scatter_dims_to_operand_dims", "input_batching_dims",
                                           "scatter_indices_batching_dims"};
inline constexpr std::string_view kIndexVectorDim = "index_vector_dim";

/// The row of a required list of integers.
constexpr AttrDef RequiredInts(std::string_view name, std::string_view doc) {
  return {.name = name,
          .kind = AttrKind::kInts,
          .use = AttrUse::kRequired,
          .doc = doc,
          .always_printed = true};
}
// The rows of attributes that both ops have.
constexpr AttrDef IndexMapAttr(const GatherNames& names) {
  return RequiredInts(
      names.index_map,
      "For each component of an index vector, the dimension of the operand it points into.");
}
constexpr AttrDef OperandBatchAttr(const GatherNames& names) {
  return {names.operand_batch, AttrKind::kInts, AttrUse::kOptional,
          "Dimensions of the operand that run in step with those of the indices named below."};
}
constexpr AttrDef IndicesBatchAttr(const GatherNames& names) {
  return {names.indices_batch, AttrKind::kInts, AttrUse::kOptional,
          "Dimensions of the indices that run in step with those of the operand named above."};
}
inline constexpr AttrDef kIndexVectorDimAttr{
    .name = kIndexVectorDim,
    .kind = AttrKind::kInt,
    .use = AttrUse::kRequired,
    .doc =
        "The dimension of the indices that holds the index vectors; the rank of the indices "
        "when each index is a vector of one.",
    .always_printed = true};
inline constexpr AttrDef kIndicesAreSortedAttr{
    "indices_are_sorted", AttrKind::kBool, AttrUse::kOptional,
    "A promise that the indices ascend. The value does not depend on it."};

/// Checks operand i, the indices: integers with a dimension that holds the index vectors, or an
/// implied last one.
bool CheckIndices(const OpCall& call, int i, Diagnostics& out);
/// Checks that both ops make on operand and indices: one operand dimension per index component, and
/// batching dimensions that pair up and are not also collapsed. Precondition: CheckIndices holds.
bool CheckGatherDims(const OpCall& call, const GatherNames& names, const Shape& operand,
                     const Shape& indices, Diagnostics& out);

/// Checks that the window dimensions ascend and are dimensions of the result of gather, or of the
/// updates of scatter, which has this rank.
bool CheckWindowDims(const OpCall& call, const GatherNames& names, int64_t rank, Diagnostics& out);

/// Sizes of the index dimensions, without that of the index vectors.
Dims IndexDims(const OpCall& call, const Shape& indices);
/// Whether the slices do not have dimension d of the operand (collapsed or batching).
bool IsLeftOut(const OpCall& call, const GatherNames& names, int64_t d);
/// The operand dimensions that the slices have, in order.
Dims SliceDims(const OpCall& call, const GatherNames& names, int operand_rank);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_MOVEMENT_GATHER_DIMS_H_
