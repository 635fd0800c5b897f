// Lists of devices as shardings and replica groups write them: iota forms and named meshes.
// Source: XLA, hlo/ir/tile_assignment.h, hlo/ir/mesh_and_axis.h, hlo/parser/hlo_parser.cc.
#ifndef HLO_ENGINE_HLO_DEVICE_MESH_H_
#define HLO_ENGINE_HLO_DEVICE_MESH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/hlo/attribute_text.h"

namespace hlo {

/// More devices than this in one list are refused: the list would only fill memory.
inline constexpr int64_t kMostDevices = int64_t{1} << 20;

/// Devices in order: the numbers 0..n-1 in the shape `reshape`, transposed by `permutation`, read
/// off in row-major order (an iota); or, where `reshape` is empty, as listed in `ids`.
struct DeviceList {
  Dims reshape;
  Dims permutation;  ///< of an iota: as many as `reshape`
  std::vector<int64_t> ids;

  bool is_iota() const { return !reshape.empty(); }
  /// 0..count-1 in order.
  static DeviceList Iota(int64_t count) { return {{count}, {0}, {}}; }
  /// The devices, one by one.
  std::vector<int64_t> Expand() const;
  /// Writes an iota in XLA's one way: dimensions of size 1 left out, those that stay together
  /// merged.
  void Canonicalize();
  friend bool operator==(const DeviceList&, const DeviceList&) = default;
};

/// "[4,2]T(1,0)", "[8]": of an iota.
std::string IotaText(const DeviceList& devices);

/// The product, or nothing (reported) when a size is below 1 or the product over kMostDevices.
std::optional<int64_t> DeviceCount(AttrReader& in, Range range, const Dims& sizes);

/// `[4,2]T(1,0)`: the dimensions of an iota of `count` devices, with the permutation that two or
/// more of them need. `what` names in a message what has so many devices.
bool ReadIota(AttrReader& in, int64_t count, std::string_view what, DeviceList* devices);

/// `what` where the dimensions of a tile assignment, or of groups, have so many devices.
inline constexpr std::string_view kTileDevices = "tile assignment dimensions product";

/// `mesh['x'=2,'y'=4]` with its devices, or `maximal_mesh[device_id=5]`, which has no axes.
struct DeviceMesh {
  std::vector<std::string> names;
  Dims sizes;
  DeviceList devices;  ///< in row-major order of the axes

  bool is_maximal() const { return sizes.empty() && !devices.is_iota() && devices.ids.size() == 1; }
  friend bool operator==(const DeviceMesh&, const DeviceMesh&) = default;
};
/// "mesh['x'=2,'y'=4], device_ids=([4,2]T(1,0))"
std::string MeshText(const DeviceMesh& mesh);

/// `'x'` or the sub-axis `'x':(before)size`.
struct MeshAxis {
  size_t axis = 0;
  int64_t before = 1;  ///< product of the sub-axes in front
  int64_t size = 1;
  bool is_sub = false;
  friend bool operator==(const MeshAxis&, const MeshAxis&) = default;
};
/// "'x':(1)2, 'y'", with the given separator.
void AppendAxes(const DeviceMesh& mesh, const std::vector<MeshAxis>& axes,
                std::string_view separator, std::string* out);

/// Whether a mesh follows, of any number of devices.
bool AtMesh(AttrReader& in);
/// At `mesh` or `maximal_mesh`: the mesh, with `device_ids` if they follow.
bool ReadMesh(AttrReader& in, DeviceMesh* mesh);
/// One axis, by name or by number in quotes.
bool ReadMeshAxis(AttrReader& in, const DeviceMesh& mesh, MeshAxis* axis);
/// XLA's words where two of the axes are parts of one that overlap or are not cut at common places;
/// else empty. Source: XLA, hlo/ir/mesh_and_axis.cc, ValidateSpanOfAxes.
std::string AxesFault(const DeviceMesh& mesh, std::vector<MeshAxis> axes);
/// The devices that differ in the given axes only, one group for each position in the other axes.
std::vector<Dims> GroupsAlong(const DeviceMesh& mesh, const std::vector<MeshAxis>& axes);

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_DEVICE_MESH_H_
