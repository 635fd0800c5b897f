// Replica groups given by mesh axes.
#ifndef HLO_ENGINE_MLIR_OPS_MESH_GROUPS_H_
#define HLO_ENGINE_MLIR_OPS_MESH_GROUPS_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/mlir/text/syntax.h"

namespace hlo::mlir {

/// The groups of `#stablehlo.replica_group_mesh_axes<mesh = ..., axes = [...]>`: devices that
/// differ in these axes only, one group per position in the others. The mesh is given inline, or by
/// the name of an `sdy.mesh` whose text `<["x"=2, "y"=4]>` is `named`, or of a function whose
/// attribute `stablehlo.mesh` is `of_function` (null: there is none). Nothing, with the reason in
/// *problem, for axes that the mesh does not have, and for meshes with more devices than XLA's
/// lists hold. Source: StableHLO, rfcs/20260107-replica-group-mesh-axes; Shardy, axes and sub-axes.
std::optional<std::vector<Dims>> MeshGroups(const Attr& groups, std::string_view named,
                                            const Attr* of_function, std::string* problem);

/// A sharding of Shardy as HLO writes it: of `#sdy.sharding<@mesh, [{"x"}, {"y", ?}p1]>`, of a
/// `#sdy.sharding_per_value<[<...>]>` of one value, or of `<@mesh, [...]>` alone it is
/// `{mesh['x'=2,'y'=4], [{'x'}, {'y', ?}]}`; of several values those of a tuple. `mesh_of` gives
/// the text of the `sdy.mesh` with a name, "" if there is none. Empty, with the reason in *problem,
/// for meshes that are unknown or no meshes; the rest is checked by who reads what this writes.
/// Source: Shardy, sharding representation.
std::string ShardingOfShardy(std::string_view text,
                             const std::function<std::string_view(std::string_view)>& mesh_of,
                             std::string* problem);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_OPS_MESH_GROUPS_H_
