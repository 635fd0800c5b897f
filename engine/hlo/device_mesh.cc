#include "engine/hlo/device_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/base/bits.h"
#include "engine/base/indices.h"
#include "engine/base/permutation.h"
#include "engine/base/stable_sort.h"
#include "engine/base/work_limit.h"

namespace hlo {
namespace {

// Visits the dot product of `strides` with every index of a box, the last dimension fastest.
template <typename Visit>
void ForEachOffset(const Dims& sizes, const Dims& strides, Visit visit) {
  Dims index(sizes.size(), 0);
  do {
    visit(StridedOffset(index, strides));
  } while (NextIndex(index, sizes));
}

// Leaves out the dimensions of size 1.
void DropOnes(Dims* reshape, Dims* permutation) {
  Dims place(reshape->size(), -1), kept, order;
  for (size_t i = 0; i < reshape->size(); ++i) {
    if ((*reshape)[i] == 1) continue;
    place[i] = static_cast<int64_t>(kept.size());
    kept.push_back((*reshape)[i]);
  }
  for (int64_t dim : *permutation) {
    const int64_t now = place[static_cast<size_t>(dim)];
    if (now >= 0) order.push_back(now);
  }
  *reshape = std::move(kept);
  *permutation = std::move(order);
}

// Merges dimensions that are consecutive both in the permutation and in the shape into one; the
// rest of each group become 1. Returns whether there were any.
bool MergeRuns(Dims* reshape, const Dims& permutation) {
  bool merged = false;
  for (size_t i = 1, base = 0; i < permutation.size(); ++i) {
    const auto first = static_cast<size_t>(permutation[base]);
    const auto dim = static_cast<size_t>(permutation[i]);
    if (first + (i - base) != dim) {
      base = i;
      continue;
    }
    (*reshape)[first] *= (*reshape)[dim];
    (*reshape)[dim] = 1;
    merged = true;
  }
  return merged;
}

// A list in parentheses has every device once, and not in ascending order, which is the default and
// must be left out.
bool CheckListedIds(AttrReader& in, Range range, const std::vector<int64_t>& ids, int64_t count) {
  if (static_cast<int64_t>(ids.size()) != count) {
    return in.Fail(range, fmt::format("Expected {} device_ids based on mesh axes, but got {}",
                                      count, ids.size()));
  }
  std::vector<bool> seen(ids.size(), false);
  bool in_order = true;
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || ids[i] >= count || seen[static_cast<size_t>(ids[i])]) {
      return in.Fail(range, fmt::format("Device ids must be a permutation of [0,1,2,3...]. Here: "
                                        "the numbers below {}, each once",
                                        count));
    }
    seen[static_cast<size_t>(ids[i])] = true;
    in_order &= ids[i] == static_cast<int64_t>(i);
  }
  if (!in_order) return true;
  return in.Fail(
      range,
      "Non-iota device assignment has iota device id list [0,1,2,3...]. It is redundant: "
      "leave device_ids out");
}

// `device_ids=([4,2]T(1,0))` or `device_ids=(0,2,1,3)`, after the `=`.
bool ReadDeviceIds(AttrReader& in, int64_t count, DeviceList* devices) {
  Range range = in.lex.TokenRange();
  if (!in.lex.Read('(', "expected '(' to start device_ids")) return false;
  if (in.lex.Peek() == '[') {
    return ReadIota(in, count, "product of the mesh axis sizes", devices) &&
           in.lex.Read(')', "expected ')' to end device_ids");
  }
  in.lex.set_pos(range.begin);
  Dims list;
  if (!ReadIntList(in.lex, '(', ')', &list)) return false;
  range.end = in.lex.last_end();
  *devices = {{}, {}, {list.begin(), list.end()}};
  return CheckListedIds(in, range, devices->ids, count);
}

bool ReadMaximalMesh(AttrReader& in, DeviceMesh* mesh) {
  int64_t device = 0;
  if (!in.lex.Read('[', "expected '[' after maximal_mesh")) return false;
  if (!in.lex.ConsumeWord("device_id")) {
    return in.lex.Fail("expected device_id= attribute in maximal_mesh");
  }
  if (!in.lex.ReadEquals() || !in.lex.ReadCount(&device) ||
      !in.lex.Read(']', "expected ']' to end maximal_mesh")) {
    return false;
  }
  mesh->devices = {{}, {}, {device}};
  return true;
}

// `'x'`. XLA wrote no quotes at first and reads such texts no more: every name is reported, with
// the fix.
bool ReadAxisName(AttrReader& in, std::string* name) {
  Range range = in.lex.TokenRange();
  *name = in.lex.ConsumeIdentifier();
  if (name->empty()) return in.lex.ReadString(name);
  range.end = in.lex.last_end();
  in.lex.diagnostics()
      .Report(DiagCode::kSyntaxError, range,
              fmt::format("expects a quoted string, but found `{}`", *name))
      .fixes.push_back({"put quotes around the name", range, fmt::format("'{}'", *name)});
  return true;
}

// `'x'=2`
bool ReadAxisOfMesh(AttrReader& in, DeviceMesh* mesh) {
  const Range range = in.lex.TokenRange();
  std::string name;
  int64_t size = 0;
  if (!ReadAxisName(in, &name)) return false;
  const Range named{range.begin, in.lex.last_end()};
  if (!in.lex.Read('=', "expects '=' after the name of a mesh axis") || !in.lex.ReadInt(&size)) {
    return false;
  }
  if (!name.empty() && std::all_of(name.begin(), name.end(), IsDigit)) {
    return in.Fail(named, fmt::format("Mesh axis name cannot be an integer: {}. Numbers stand for "
                                      "axes by their places",
                                      name));
  }
  if (std::find(mesh->names.begin(), mesh->names.end(), name) != mesh->names.end()) {
    return in.Fail(named, fmt::format("Mesh has duplicate axis names: {}", name));
  }
  mesh->names.push_back(std::move(name));
  mesh->sizes.push_back(size);
  return true;
}

bool CheckSubAxis(AttrReader& in, Range range, const MeshAxis& axis, int64_t whole) {
  int64_t end = 0;
  const std::string what =
      fmt::format("({}){} of an axis of size {}", axis.before, axis.size, whole);
  if (axis.before < 1) {
    return in.Fail(range, "sub-axis pre-size must be >= 1, but found " + what);
  }
  if (axis.size <= 1) return in.Fail(range, "sub-axis size must be > 1, but found " + what);
  if (!MultiplyChecked(axis.before, axis.size, &end) || whole % end != 0) {
    return in.Fail(range,
                   "Sub-axis next_pre_size must divide the full axis size, but found " + what);
  }
  if (axis.size >= whole) {
    return in.Fail(range,
                   "Sub-axis size must be strictly less than the full axis size. Here: " + what);
  }
  return true;
}

}  // namespace

std::vector<int64_t> DeviceList::Expand() const {
  if (!is_iota()) return ids;
  const Dims strides = DenseStrides(reshape);
  Dims sizes, steps;
  for (int64_t dim : permutation) {
    sizes.push_back(reshape[static_cast<size_t>(dim)]);
    steps.push_back(strides[static_cast<size_t>(dim)]);
  }
  std::vector<int64_t> devices;
  uint64_t count = 1;
  for (int64_t size : sizes) count *= static_cast<uint64_t>(size);  // at most kMostDevices
  CountWork(count);
  CountBytes(count * sizeof(int64_t));
  ForEachOffset(sizes, steps, [&](int64_t id) { devices.push_back(id); });
  return devices;
}

void DeviceList::Canonicalize() {
  if (reshape.size() <= 1) return;
  do {
    DropOnes(&reshape, &permutation);
  } while (MergeRuns(&reshape, permutation));
  if (reshape.empty()) *this = Iota(1);
}

std::string IotaText(const DeviceList& devices) {
  std::string text = "[";
  AppendInts(devices.reshape, &text);
  text.push_back(']');
  if (devices.reshape.size() > 1) {
    text.append("T(");
    AppendInts(devices.permutation, &text);
    text.push_back(')');
  }
  return text;
}

std::optional<int64_t> DeviceCount(AttrReader& in, Range range, const Dims& sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) {
    if (size < 1) {
      in.Fail(range, fmt::format("a number of devices must be positive, but is {}", size));
      return {};
    }
    if (!MultiplyChecked(count, size, &count)) {
      in.lex.diagnostics().Report(DiagCode::kTooLarge, range, "mesh size overflows int64");
      return {};
    }
  }
  if (count <= kMostDevices) return count;
  in.lex.diagnostics().Report(DiagCode::kTooLarge, range,
                              fmt::format("more than {} devices", kMostDevices));
  return {};
}

bool ReadIota(AttrReader& in, int64_t count, std::string_view what, DeviceList* devices) {
  constexpr std::string_view kPermutation =
      "expected 'T(' to start sharding devices iota_transpose_perm";
  Range range = in.lex.TokenRange();
  if (!ReadIntList(in.lex, '[', ']', &devices->reshape)) return false;
  range.end = in.lex.last_end();
  const size_t rank = devices->reshape.size();
  if (rank == 0) return in.Fail(range, "expected non-empty iota_reshape_dims");
  const std::optional<int64_t> found = DeviceCount(in, range, devices->reshape);
  if (!found) return false;
  if (*found != count) {
    return in.Fail(range,
                   fmt::format("iota size {} does not match the {} {}", *found, what, count));
  }
  if (!in.lex.Consume('T')) {
    if (rank > 1) return in.lex.Fail(kPermutation);
    devices->permutation = {0};
    return true;
  }
  Range permutation = in.lex.TokenRange();
  if (in.lex.Peek() != '(') return in.lex.Fail(kPermutation);
  if (!ReadIntList(in.lex, '(', ')', &devices->permutation)) return false;
  permutation.end = in.lex.last_end();
  for (int64_t dim : devices->permutation) {
    if (dim >= 0 && dim < static_cast<int64_t>(rank)) continue;
    return in.Fail(permutation,
                   fmt::format("Out of range iota minor_to_major value {}, expecting value in "
                               "range [0, {})",
                               dim, rank));
  }
  if (!IsPermutation(devices->permutation, rank)) {
    return in.Fail(permutation, fmt::format("expects a permutation of the {} dimensions", rank));
  }
  devices->Canonicalize();
  return true;
}

std::string MeshText(const DeviceMesh& mesh) {
  if (mesh.is_maximal()) return fmt::format("maximal_mesh[device_id={}]", mesh.devices.ids[0]);
  std::string text = "mesh[";
  for (size_t i = 0; i < mesh.names.size(); ++i) {
    text.append(i > 0 ? ",'" : "'");
    AppendEscaped(mesh.names[i], &text);
    fmt::format_to(std::back_inserter(text), "'={}", mesh.sizes[i]);
  }
  text.push_back(']');
  if (mesh.devices.is_iota() && mesh.devices.reshape.size() == 1) return text;
  text.append(", device_ids=(");
  if (mesh.devices.is_iota()) {
    text.append(IotaText(mesh.devices));
  } else {
    AppendInts({mesh.devices.ids.begin(), mesh.devices.ids.end()}, &text);
  }
  return text + ")";
}

void AppendAxes(const DeviceMesh& mesh, const std::vector<MeshAxis>& axes,
                std::string_view separator, std::string* out) {
  bool first = true;
  for (const MeshAxis& axis : axes) {
    if (!first) out->append(separator);
    first = false;
    out->push_back('\'');
    AppendEscaped(mesh.names[axis.axis], out);
    out->push_back('\'');
    if (axis.is_sub) {
      fmt::format_to(std::back_inserter(*out), ":({}){}", axis.before, axis.size);
    }
  }
}

bool AtMesh(AttrReader& in) {
  const uint32_t begin = in.lex.pos();
  const std::string_view word = in.lex.ConsumeIdentifier();
  in.lex.set_pos(begin);
  return word == "mesh" || word == "maximal_mesh" || word == "single_device";
}

bool ReadMesh(AttrReader& in, DeviceMesh* mesh) {
  // XLA's newest name of the mesh of one device is single_device.
  if (in.lex.ConsumeWord("maximal_mesh") || in.lex.ConsumeWord("single_device")) {
    return ReadMaximalMesh(in, mesh);
  }
  if (!in.lex.ConsumeWord("mesh")) return in.lex.Fail("expects mesh or maximal_mesh");
  Range range = in.lex.TokenRange();
  if (!ReadList(in.lex, '[', ']', [&] { return ReadAxisOfMesh(in, mesh); })) return false;
  range.end = in.lex.last_end();
  const std::optional<int64_t> count = DeviceCount(in, range, mesh->sizes);
  if (!count) return false;
  const uint32_t before_comma = in.lex.pos();
  in.lex.Consume(',');
  if (in.lex.ConsumeWord("device_ids")) {
    return in.lex.ReadEquals() && ReadDeviceIds(in, *count, &mesh->devices);
  }
  in.lex.set_pos(before_comma);
  mesh->devices = DeviceList::Iota(*count);
  return true;
}

bool ReadMeshAxis(AttrReader& in, const DeviceMesh& mesh, MeshAxis* axis) {
  Range range = in.lex.TokenRange();
  std::string name;
  if (!ReadAxisName(in, &name)) return false;
  range.end = in.lex.last_end();
  auto found = std::find(mesh.names.begin(), mesh.names.end(), name);
  axis->axis = static_cast<size_t>(found - mesh.names.begin());
  if (found == mesh.names.end()) {
    bool number =
        !name.empty() && name.size() < 10 && std::all_of(name.begin(), name.end(), IsDigit);
    if (!number) {
      return in.Fail(range, fmt::format("axis '{}' is not a valid axis name or index in mesh {}",
                                        name, MeshText(mesh)));
    }
    axis->axis = std::stoul(name);
    if (axis->axis >= mesh.names.size()) {
      return in.Fail(range, fmt::format("axis index {} is out of bounds for mesh {} which has {} "
                                        "axes",
                                        name, MeshText(mesh), mesh.names.size()));
    }
  }
  const int64_t whole = mesh.sizes[axis->axis];
  axis->size = whole;
  if (!in.lex.Consume(':')) return true;
  axis->is_sub = true;
  if (!in.lex.Read('(', "expected '(' before the size in front of a sub-axis") ||
      !in.lex.ReadInt(&axis->before) || !in.lex.Read(')', "expected ')'") ||
      !in.lex.ReadInt(&axis->size)) {
    return false;
  }
  range.end = in.lex.last_end();
  return CheckSubAxis(in, range, *axis, whole);
}

std::string AxesFault(const DeviceMesh& mesh, std::vector<MeshAxis> axes) {
  StableSort(axes.begin(), axes.end(), [](const MeshAxis& a, const MeshAxis& b) {
    return std::pair(a.axis, a.before) < std::pair(b.axis, b.before);
  });
  for (size_t i = 1; i < axes.size(); ++i) {
    const MeshAxis& a = axes[i - 1];
    const MeshAxis& b = axes[i];
    if (a.axis != b.axis || b.before % (a.before * a.size) == 0) continue;
    std::string text = "Axes cannot coexist or axes overlap: ";
    AppendAxes(mesh, {a, b}, " and ", &text);
    return text;
  }
  return {};
}

std::vector<Dims> GroupsAlong(const DeviceMesh& mesh, const std::vector<MeshAxis>& axes) {
  // Each axis is cut where a sub-axis begins or ends; a piece belongs to a group or counts groups.
  struct Piece {
    size_t axis;
    int64_t before, size, stride;
  };
  std::vector<Piece> pieces;
  Dims strides = DenseStrides(mesh.sizes);
  for (size_t a = 0; a < mesh.sizes.size(); ++a) {
    std::vector<int64_t> cuts = {1, mesh.sizes[a]};
    for (const MeshAxis& axis : axes) {
      if (axis.axis == a) cuts.insert(cuts.end(), {axis.before, axis.before * axis.size});
    }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    for (size_t c = 1; c < cuts.size(); ++c) {
      pieces.push_back(
          {a, cuts[c - 1], cuts[c] / cuts[c - 1], strides[a] * (mesh.sizes[a] / cuts[c])});
    }
  }
  Dims group_sizes, group_strides;
  std::vector<bool> used(pieces.size(), false);
  for (const MeshAxis& axis : axes) {
    for (size_t p = 0; p < pieces.size(); ++p) {
      const Piece& piece = pieces[p];
      if (used[p] || piece.axis != axis.axis || piece.before < axis.before ||
          piece.before >= axis.before * axis.size) {
        continue;
      }
      used[p] = true;
      group_sizes.push_back(piece.size);
      group_strides.push_back(piece.stride);
    }
  }
  Dims outer_sizes, outer_strides;
  for (size_t p = 0; p < pieces.size(); ++p) {
    if (used[p]) continue;
    outer_sizes.push_back(pieces[p].size);
    outer_strides.push_back(pieces[p].stride);
  }
  std::vector<Dims> groups;
  const std::vector<int64_t> ids = mesh.devices.Expand();
  CountWork(ids.size());
  CountBytes(ids.size() * (sizeof(int64_t) + sizeof(Dims)));
  const auto most = static_cast<int64_t>(ids.size());
  ForEachOffset(outer_sizes, outer_strides, [&](int64_t outer) {
    Dims& group = groups.emplace_back();
    ForEachOffset(group_sizes, group_strides, [&](int64_t inner) {
      if (outer + inner < most) group.push_back(ids[static_cast<size_t>(outer + inner)]);
    });
  });
  return groups;
}

}  // namespace hlo
