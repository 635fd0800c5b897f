// Groups of devices that are said by the axes of a mesh.
#ifndef HLO_ENGINE_MLIR_OPS_MESH_GROUPS_H_
#define HLO_ENGINE_MLIR_OPS_MESH_GROUPS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/mlir/text/syntax.h"

namespace hlo::mlir {

/// The groups of `#stablehlo.replica_group_mesh_axes<mesh = ..., axes = [...]>`: devices that
/// differ in these axes only, a group for each position in the others. The mesh stands there
/// itself, or by the name of an `sdy.mesh` whose text `<["x"=2, "y"=4]>` is `named`. Nothing, with
/// what is wrong in *problem, for axes that the mesh has not, and meshes of more devices than XLA's
/// lists hold. Source: StableHLO, rfcs/20260107-replica-group-mesh-axes; Shardy, axes and sub-axes.
std::optional<std::vector<Dims>> MeshGroups(const Attr& groups, std::string_view named,
                                            std::string* problem);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_OPS_MESH_GROUPS_H_
