#include "engine/mlir/ops/mesh_groups.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/hlo/device_mesh.h"
#include "engine/mlir/text/asm_printer.h"
#include "engine/mlir/text/cursor.h"

namespace hlo::mlir {
namespace {

std::optional<int64_t> ReadInteger(Cursor& in) {
  in.SkipSpace();
  int64_t number = 0;
  const size_t begin = in.position();
  while (IsDigit(in.Peek()) && number <= kMostDevices) {
    number = number * 10 + (in.Peek() - '0');
    in.Advance();
  }
  return in.position() == begin ? std::nullopt : std::optional(number);
}

// `<["x"=2, "y"=4], device_ids=[3, 2, 1, 0, ...]>`
bool ReadNamedMesh(std::string_view text, DeviceMesh* mesh) {
  Cursor in(text);
  if (!in.Take("<") || !in.Take("[")) return false;
  while (!in.Take("]")) {
    if (in.Next() != '"') return false;
    mesh->names.emplace_back(in.Quoted());
    const auto size = in.Take("=") ? ReadInteger(in) : std::nullopt;
    if (!size) return false;
    mesh->sizes.push_back(*size);
    if (!in.Take(",") && in.Next() != ']') return false;
  }
  if (!in.Take(",")) return true;
  if (!in.TakeWord("device_ids") || !in.Take("=") || !in.Take("[")) return false;
  while (!in.Take("]")) {
    const auto id = ReadInteger(in);
    if (!id) return false;
    mesh->devices.ids.push_back(*id);
    if (!in.Take(",") && in.Next() != ']') return false;
  }
  return true;
}

// `#stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>, ...], device_ids =
// dense<...>>`
bool ReadMeshAttr(const Attr& attr, DeviceMesh* mesh) {
  const Attr* axes = attr.Find("axes");
  if (!axes) return false;
  for (const Attr& axis : axes->list) {
    const Attr* name = axis.Find("name");
    const Attr* size = axis.Find("size");
    if (!name || !size) return false;
    mesh->names.emplace_back(name->text);
    mesh->sizes.push_back(size->integer);
  }
  if (const Attr* ids = attr.Find("device_ids")) {
    mesh->devices.ids = AsmPrinter(Program()).Ints(ids);
  }
  return true;
}

// Gives a mesh its device list; false if the number of devices does not match.
bool Complete(DeviceMesh* mesh) {
  int64_t count = 1;
  for (int64_t size : mesh->sizes) {
    if (size < 1 || size > kMostDevices || (count *= size) > kMostDevices) return false;
  }
  const std::vector<int64_t>& ids = mesh->devices.ids;
  if (!ids.empty()) return static_cast<int64_t>(ids.size()) == count;
  mesh->devices = DeviceList::Iota(count);
  return true;
}

// `#stablehlo.axis_ref<name = "y", sub_axis_info = (1)2>`
std::optional<MeshAxis> ReadAxis(const Attr& attr, const DeviceMesh& mesh) {
  const Attr* name = attr.Find("name");
  const auto found =
      name ? std::find(mesh.names.begin(), mesh.names.end(), name->text) : mesh.names.end();
  if (found == mesh.names.end()) return std::nullopt;
  MeshAxis axis;
  axis.axis = static_cast<size_t>(found - mesh.names.begin());
  axis.size = mesh.sizes[axis.axis];
  const Attr* part = attr.Find("sub_axis_info");
  if (!part) return axis;
  if (part->list.size() != 2) return std::nullopt;
  const int64_t before = part->list[0].integer, size = part->list[1].integer;
  const bool fits = before > 0 && size > 0 && before <= axis.size && size <= axis.size &&
                    axis.size % (before * size) == 0;
  if (!fits) return std::nullopt;
  axis.before = before;
  axis.size = size;
  axis.is_sub = true;
  return axis;
}

constexpr char kNoMesh[] =
    "expects a mesh whose axes have sizes of 1 or more and as many devices, and axes of it";

std::string UnknownMesh(std::string_view name) { return fmt::format("unknown mesh: @{}", name); }

}  // namespace

std::optional<std::vector<Dims>> MeshGroups(const Attr& groups, std::string_view named,
                                            const Attr* of_function, std::string* problem) {
  const Attr* attr = groups.Find("mesh");
  const Attr* axes = groups.Find("axes");
  DeviceMesh mesh;
  const bool is_symbol = attr && attr->kind == Attr::Kind::kSymbol;
  const bool is_named = is_symbol && !named.empty();
  if (is_symbol && !is_named) {
    *problem = UnknownMesh(attr->text);
    if (!of_function) return std::nullopt;
    attr = of_function;
  }
  if (!attr || !axes || !(is_named ? ReadNamedMesh(named, &mesh) : ReadMeshAttr(*attr, &mesh)) ||
      !Complete(&mesh)) {
    *problem = kNoMesh;
    return std::nullopt;
  }
  std::vector<MeshAxis> used;
  for (const Attr& axis : axes->list) {
    const auto read = ReadAxis(axis, mesh);
    if (!read) {
      const Attr* name = axis.Find("name");
      *problem = fmt::format("the mesh has no axis \"{}\", or none that is cut so",
                             name ? name->text : std::string_view());
      return std::nullopt;
    }
    used.push_back(*read);
  }
  return GroupsAlong(mesh, used);
}

namespace {

// One value's `<@mesh, [{"x"}]>`; empty, with the reason in *problem unless it is no sharding.
std::string ReadShardySharding(const std::function<std::string_view(std::string_view)>& mesh_of,
                               Cursor& in, std::string* problem) {
  if (!in.Take("<")) return {};
  std::string_view written;
  if (in.Next() == '@') {
    in.Advance();
    const std::string_view name = in.SuffixId();
    written = mesh_of(name);
    if (written.empty()) *problem = UnknownMesh(name);
  } else if (in.TakeWord("mesh") && in.Next() == '<') {
    const size_t begin = in.position();
    if (!in.SkipGroup()) return {};
    written = in.Since(begin);
  }
  DeviceMesh mesh;
  if (written.empty() || !ReadNamedMesh(written, &mesh) || !Complete(&mesh)) return {};
  problem->clear();
  std::string sharding = "{" + MeshText(mesh);
  // The rest is the same but for quotes and priorities, `{"x"}p1`.
  while (in.Next() != '>') {
    if (in.AtEnd()) return {};
    const char c = in.Peek();
    in.Advance();
    sharding += c == '"' ? '\'' : c;
    if (c != '}' || in.Peek() != 'p') continue;
    in.Advance();
    while (IsDigit(in.Peek())) in.Advance();
  }
  in.Advance();
  return mesh.is_maximal() ? "{" + MeshText(mesh) + "}" : sharding + "}";
}

}  // namespace

std::string ShardingOfShardy(std::string_view text,
                             const std::function<std::string_view(std::string_view)>& mesh_of,
                             std::string* problem) {
  constexpr std::string_view kPerValue = "#sdy.sharding_per_value";
  constexpr std::string_view kOne = "#sdy.sharding";
  const bool is_list = text.starts_with(kPerValue);
  Cursor in(text.substr(is_list ? kPerValue.size() : text.starts_with(kOne) ? kOne.size() : 0));
  *problem = kNoMesh;
  if (!is_list) return ReadShardySharding(mesh_of, in, problem);
  if (!in.Take("<") || !in.Take("[")) return {};
  std::string all;
  bool is_one = true;
  for (bool is_next = true; is_next; is_next = in.Take(",")) {
    *problem = kNoMesh;
    const std::string sharding = ReadShardySharding(mesh_of, in, problem);
    if (sharding.empty()) return {};
    is_one = all.empty();
    all += (is_one ? "" : ", ") + sharding;
  }
  return is_one ? all : "{" + all + "}";
}

}  // namespace hlo::mlir
