// Shardings: how an instruction's value is divided among devices. Programs here run whole, so that
// shardings are checked, kept and printed, and do not change a value.
// Source: XLA, hlo/ir/hlo_sharding.h and hlo/ir/named_sharding.h.
#ifndef HLO_ENGINE_HLO_SHARDING_H_
#define HLO_ENGINE_HLO_SHARDING_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/hlo/device_mesh.h"
#include "engine/ops/attributes.h"
#include "engine/types/shape.h"

namespace hlo {

/// How one dimension is divided along axes of a mesh; an open one may be divided further.
struct DimSharding {
  std::vector<MeshAxis> axes;
  bool is_open = false;
  friend bool operator==(const DimSharding&, const DimSharding&) = default;
};

/// The sharding of an array, or of each leaf of a tuple.
struct Sharding {
  enum class Kind : uint8_t {
    kReplicated,
    kManual,
    kUnknown,
    kUnreduced,
    kMaximal,  ///< one device has everything
    kTiled,    ///< `devices=[2,2]<=[4]`
    kNamed,    ///< along the axes of a mesh
    kTuple
  };
  /// What the devices of a group have in common, along the last dimensions of a tile assignment.
  enum class Subgroup : uint8_t { kMaximal, kManual, kUnreduced, kReplicated };
  enum class Group : uint8_t { kNone, kAs, kLike };

  Kind kind = Kind::kReplicated;
  int64_t device = 0;  ///< of kMaximal

  // Of kTiled: `tile` has the sizes of the array's dimensions, then those of the subgroups.
  Dims tile;
  DeviceList devices;
  bool replicate_last = false;  ///< the last dimension of `tile` is one of replicas
  std::vector<Subgroup> subgroups;

  // Of kNamed.
  DeviceMesh mesh;
  std::vector<DimSharding> dims;
  std::vector<MeshAxis> replicated, unreduced, manual;
  std::string reduction;  ///< "max", "min"; empty: sum

  Group group = Group::kNone;  ///< shard_as, shard_like
  int64_t group_id = 0;
  std::vector<KeyValues> metadata;  ///< not part of equality

  std::vector<Sharding> elements;  ///< of kTuple, a leaf each

  /// How many dimensions of the array it divides; nothing where it fits every rank.
  std::optional<int64_t> rank() const;
  /// The devices it lists, one by one; none for kinds that name no device.
  std::vector<int64_t> device_ids() const;
  friend bool operator==(const Sharding& a, const Sharding& b);
};

/// A sharding at the position. Faults are reported, and nothing returned.
std::shared_ptr<const Sharding> ReadShardingValue(AttrReader& in);
/// XLA's text of it.
std::string ShardingText(const Sharding& sharding, bool metadata);
void AppendSharding(const Sharding& sharding, bool metadata, std::string* out);

/// One sharding written for a tuple counts for each of its leaves, as XLA's parser takes it.
std::shared_ptr<const Sharding> ForShape(std::shared_ptr<const Sharding> sharding,
                                         const Shape& shape);

// sharding_tiles.cc: XLA's one way of writing what devices have in groups.
/// Devices tiled; those along the last dimension of the tile have the same.
Sharding PartialTile(Dims tile, DeviceList devices);
/// The last dimensions of the tile are groups of these kinds.
Sharding SubgroupTile(Dims tile, DeviceList devices,
                      const std::vector<Sharding::Subgroup>& subgroups);

// named_sharding_text.cc
/// After `{`, at `mesh` or `maximal_mesh`, to after the `}`.
bool ReadNamedSharding(AttrReader& in, Sharding* sharding);
void AppendNamedSharding(const Sharding& sharding, std::string* out);
/// `metadata={...}`, or with several `metadata={{...}, {...}}`, after the `=`.
bool ReadShardingMetadata(AttrReader& in, std::vector<KeyValues>* metadata);

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_SHARDING_H_
