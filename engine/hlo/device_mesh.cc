#include "engine/hlo/device_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "engine/base/bits.h"

namespace hlo {
namespace {

Dims RowMajorStrides(const Dims& sizes) {
  Dims strides(sizes.size(), 1);
  for (size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * sizes[i];
  return strides;
}

// Visits the dot product of `strides` with every index of a box, the last dimension fastest.
template <typename Visit>
void ForEachOffset(const Dims& sizes, const Dims& strides, Visit visit) {
  Dims index(sizes.size(), 0);
  int64_t offset = 0;
  while (true) {
    visit(offset);
    size_t d = sizes.size();
    while (d > 0 && ++index[d - 1] == sizes[d - 1]) {
      offset -= (sizes[d - 1] - 1) * strides[d - 1];
      index[--d] = 0;
    }
    if (d == 0) return;
    offset += strides[d - 1];
  }
}

bool IsPermutation(const Dims& permutation, size_t rank) {
  std::vector<bool> seen(rank, false);
  for (int64_t i : permutation) {
    if (i < 0 || static_cast<size_t>(i) >= rank || seen[static_cast<size_t>(i)]) return false;
    seen[static_cast<size_t>(i)] = true;
  }
  return permutation.size() == rank;
}

// `device_ids=([2,4]<=[4,2]T(1,0))` or `device_ids=(0,1,...)`
bool ReadDeviceIds(AttrReader& in, std::vector<int64_t>* ids, int64_t count) {
  Range range = in.lex.TokenRange();
  if (!in.lex.Read('(', "expects '(' before device ids")) return false;
  if (in.lex.Peek() == '[') {
    IotaDevices iota;
    if (!ReadIntList(in.lex, '[', ']', &iota.tile) || !ReadIotaTail(in, range, &iota)) return false;
    *ids = iota.Expand();
    if (!in.lex.Read(')', "expects ')' after device ids")) return false;
  } else {
    in.lex.set_pos(range.begin);
    Dims list;
    if (!ReadIntList(in.lex, '(', ')', &list)) return false;
    ids->assign(list.begin(), list.end());
  }
  range.end = in.lex.last_end();
  if (static_cast<int64_t>(ids->size()) == count) return true;
  return in.Fail(range, fmt::format("the mesh has {} devices, but {} device ids are listed", count,
                                    ids->size()));
}

}  // namespace

std::vector<int64_t> IotaDevices::Expand() const {
  Dims strides = RowMajorStrides(reshape);
  Dims sizes = reshape;
  if (!permutation.empty()) {
    Dims unpermuted = strides;
    for (size_t i = 0; i < permutation.size(); ++i) {
      sizes[i] = reshape[static_cast<size_t>(permutation[i])];
      strides[i] = unpermuted[static_cast<size_t>(permutation[i])];
    }
  }
  std::vector<int64_t> ids;
  ForEachOffset(sizes, strides, [&](int64_t id) { ids.push_back(id); });
  return ids;
}

std::string IotaDevices::Text() const {
  std::string text = "[";
  AppendInts(tile, &text);
  text.append("]<=[");
  AppendInts(reshape, &text);
  text.push_back(']');
  if (!permutation.empty()) {
    text.append("T(");
    AppendInts(permutation, &text);
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
    if (!MultiplyChecked(count, size, &count) || count > kMostDevices) {
      in.lex.diagnostics().Report(DiagCode::kTooLarge, range,
                                  fmt::format("more than {} devices", kMostDevices));
      return {};
    }
  }
  return count;
}

bool ReadIotaTail(AttrReader& in, Range tile_range, IotaDevices* devices) {
  if (!in.lex.Consume("<=")) return in.lex.Fail("expects '<='");
  Range range = in.lex.TokenRange();
  if (!ReadIntList(in.lex, '[', ']', &devices->reshape)) return false;
  range.end = in.lex.last_end();
  std::optional<int64_t> tiles = DeviceCount(in, tile_range, devices->tile);
  std::optional<int64_t> count = DeviceCount(in, range, devices->reshape);
  if (!tiles || !count) return false;
  if (*tiles != *count) {
    return in.Fail(range,
                   fmt::format("the number of devices, {}, does not match the tile assignment "
                               "dimensions product, {}",
                               *count, *tiles));
  }
  if (in.lex.Consume('T')) {
    Range permutation = in.lex.TokenRange();
    if (!ReadIntList(in.lex, '(', ')', &devices->permutation)) return false;
    if (!IsPermutation(devices->permutation, devices->reshape.size())) {
      return in.Fail(permutation, fmt::format("expects a permutation of the {} dimensions",
                                              devices->reshape.size()));
    }
  } else if (devices->reshape.size() > 1) {
    return in.lex.Fail("expects 'T(' and a permutation: the list has more than one dimension");
  }
  return true;
}

bool ReadMesh(AttrReader& in, DeviceMesh* mesh) {
  Range range = in.lex.TokenRange();
  bool ok = ReadList(in.lex, '[', ']', [&] {
    int64_t size = 0;
    if (!in.lex.ReadString(&mesh->names.emplace_back()) ||
        !in.lex.Read('=', "expects '=' after the name of a mesh axis") || !in.lex.ReadInt(&size)) {
      return false;
    }
    mesh->sizes.push_back(size);
    return true;
  });
  if (!ok) return false;
  range.end = in.lex.last_end();
  std::optional<int64_t> count = DeviceCount(in, range, mesh->sizes);
  if (!count) return false;
  uint32_t before_comma = in.lex.pos();
  in.lex.Consume(',');
  if (in.lex.ConsumeWord("device_ids")) {
    return in.lex.Read('=', "expects '='") && ReadDeviceIds(in, &mesh->ids, *count);
  }
  in.lex.set_pos(before_comma);
  mesh->ids.resize(static_cast<size_t>(*count));
  std::iota(mesh->ids.begin(), mesh->ids.end(), 0);
  return true;
}

bool ReadMeshAxis(AttrReader& in, const DeviceMesh& mesh, MeshAxis* axis) {
  Range range = in.lex.TokenRange();
  std::string name;
  if (!in.lex.ReadString(&name)) return false;
  range.end = in.lex.last_end();
  auto found = std::find(mesh.names.begin(), mesh.names.end(), name);
  axis->axis = static_cast<size_t>(found - mesh.names.begin());
  if (found == mesh.names.end()) {
    bool number =
        !name.empty() && name.size() < 10 && std::all_of(name.begin(), name.end(), IsDigit);
    if (!number) {
      return in.Fail(range, fmt::format("'{}' is not a valid axis name or index", name));
    }
    axis->axis = std::stoul(name);
    if (axis->axis >= mesh.names.size()) {
      return in.Fail(range, fmt::format("axis index {} is out of bounds for mesh with {} axes",
                                        name, mesh.names.size()));
    }
  }
  axis->size = mesh.sizes[axis->axis];
  if (!in.lex.Consume(':')) return true;
  if (!in.lex.Read('(', "expects '(' before the size in front of a sub-axis") ||
      !in.lex.ReadInt(&axis->before) || !in.lex.Read(')', "expects ')'") ||
      !in.lex.ReadInt(&axis->size)) {
    return false;
  }
  int64_t end = 0;
  int64_t whole = mesh.sizes[axis->axis];
  if (axis->before < 1 || axis->size < 1 || !MultiplyChecked(axis->before, axis->size, &end) ||
      whole % end != 0) {
    return in.Fail(range,
                   fmt::format("the sub-axis ({}){} does not divide the axis '{}' of size {}",
                               axis->before, axis->size, name, whole));
  }
  return true;
}

std::vector<Dims> GroupsAlong(const DeviceMesh& mesh, const std::vector<MeshAxis>& axes) {
  // Each axis is cut where a sub-axis begins or ends; a piece belongs to a group or counts groups.
  struct Piece {
    size_t axis;
    int64_t before, size, stride;
  };
  std::vector<Piece> pieces;
  Dims strides = RowMajorStrides(mesh.sizes);
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
  const auto most = static_cast<int64_t>(mesh.ids.size());
  ForEachOffset(outer_sizes, outer_strides, [&](int64_t outer) {
    Dims& group = groups.emplace_back();
    ForEachOffset(group_sizes, group_strides, [&](int64_t inner) {
      if (outer + inner < most) group.push_back(mesh.ids[static_cast<size_t>(outer + inner)]);
    });
  });
  return groups;
}

std::string TidyText(std::string_view text) {
  Diagnostics ignored;
  Lexer lexer(text, &ignored);
  std::string tidy;
  while (lexer.pos() < text.size()) {
    uint32_t before = lexer.pos();
    lexer.SkipSpace();
    if (lexer.pos() > before && !tidy.empty()) tidy.push_back(' ');
    if (lexer.pos() >= text.size()) break;
    char c = lexer.At(0);
    uint32_t begin = lexer.pos();
    std::string unescaped;
    if (c == '"' || c == '\'') {
      lexer.ReadString(&unescaped);
    } else {
      lexer.Advance(1);
    }
    tidy.append(text.substr(begin, lexer.pos() - begin));
  }
  return tidy;
}

}  // namespace hlo
