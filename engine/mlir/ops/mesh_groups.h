// Replica groups given by mesh axes.
#ifndef HLO_ENGINE_MLIR_OPS_MESH_GROUPS_H_
#define HLO_ENGINE_MLIR_OPS_MESH_GROUPS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/mlir/text/syntax.h"

namespace hlo::mlir {

/// The groups of `#stablehlo.replica_group_mesh_axes<mesh = ..., axes = [...]>`: devices that
/// differ in these axes only, one group per position in the others. The mesh is given inline, or by
/// the name of an `sdy.mesh` whose text `<["x"=2, "y"=4]>` is `named`. Nothing, with the reason in
/// *problem, for axes that the mesh does not have, and for meshes with more devices than XLA's
/// lists hold. Source: StableHLO, rfcs/20260107-replica-group-mesh-axes; Shardy, axes and sub-axes.
std::optional<std::vector<Dims>> MeshGroups(const Attr& groups, std::string_view named,
                                            std::string* problem);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_OPS_MESH_GROUPS_H_
