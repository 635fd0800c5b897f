// Lists of devices as shardings and replica groups write them: iota forms and named meshes.
// Source: XLA, tile_assignment.h, mesh_and_axis.h.
#ifndef HLO_ENGINE_HLO_DEVICE_MESH_H_
#define HLO_ENGINE_HLO_DEVICE_MESH_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/hlo/attribute_text.h"

namespace hlo {

/// More devices than this in one list are refused: the list would only fill memory.
inline constexpr int64_t kMostDevices = int64_t{1} << 20;

/// `[2,4]<=[4,2]T(1,0)`: 0..n-1 in the shape `reshape`, transposed, in the shape `tile`.
struct IotaDevices {
  Dims tile;
  Dims reshape;
  Dims permutation;  ///< empty: none

  /// The ids in row-major order of `tile`.
  std::vector<int64_t> Expand() const;
  /// "[2,4]<=[4,2]T(1,0)"
  std::string Text() const;
};

/// The part after `<=`, for a tile that was read. Checks products and the permutation.
bool ReadIotaTail(AttrReader& in, Range tile_range, IotaDevices* devices);

/// The product, or nothing (reported) when a size is below 1 or the product over kMostDevices.
std::optional<int64_t> DeviceCount(AttrReader& in, Range range, const Dims& sizes);

/// `mesh['x'=2,'y'=4]` with its devices.
struct DeviceMesh {
  std::vector<std::string> names;
  Dims sizes;
  std::vector<int64_t> ids;  ///< row-major; 0..n-1 unless `device_ids=(...)` says otherwise
};
/// `'x'` or the sub-axis `'x':(pre)size`.
struct MeshAxis {
  size_t axis = 0;
  int64_t before = 1;  ///< product of the sub-axes in front
  int64_t size = 1;
};

/// From `[` on, with `device_ids` if they follow.
bool ReadMesh(AttrReader& in, DeviceMesh* mesh);
/// One axis, by name or by number in quotes.
bool ReadMeshAxis(AttrReader& in, const DeviceMesh& mesh, MeshAxis* axis);
/// The devices that differ in the given axes only, one group for each position in the other axes.
std::vector<Dims> GroupsAlong(const DeviceMesh& mesh, const std::vector<MeshAxis>& axes);

/// A copy without comments, white space as single spaces, strings untouched.
std::string TidyText(std::string_view text);

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_DEVICE_MESH_H_
