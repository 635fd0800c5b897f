// Shardings along the axes of a mesh: `{mesh['x'=2,'y'=4], [{'x'}, {?}], replicated={'y'}}`.
// Source: XLA, hlo/parser/hlo_parser.cc (ParseNamedSharding), hlo/ir/named_sharding.cc.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "engine/hlo/sharding.h"

namespace hlo {
namespace {

using Axes = std::vector<MeshAxis>;

std::string AxisText(const DeviceMesh& mesh, const MeshAxis& axis) {
  std::string text;
  AppendAxes(mesh, {axis}, "", &text);
  return text;
}

bool CanMerge(const MeshAxis& a, const MeshAxis& b) {
  return a.axis == b.axis && a.is_sub && b.is_sub && a.before * a.size == b.before;
}

bool ReadAxes(AttrReader& in, const DeviceMesh& mesh, Axes* axes) {
  return ReadList(in.lex, '{', '}', [&] { return ReadMeshAxis(in, mesh, &axes->emplace_back()); });
}

// `{'a', 'b':(2)2, ?}`
bool ReadDim(AttrReader& in, const DeviceMesh& mesh, DimSharding* dim) {
  Range range = in.lex.TokenRange();
  const bool ok = ReadList(in.lex, '{', '}', [&] {
    if (in.lex.Consume('?')) return dim->is_open = true;
    if (dim->is_open) return in.lex.Fail("Saw axis ref after '?'");
    return ReadMeshAxis(in, mesh, &dim->axes.emplace_back());
  });
  if (!ok) return false;
  range.end = in.lex.last_end();
  for (size_t i = 1; i < dim->axes.size(); ++i) {
    if (!CanMerge(dim->axes[i - 1], dim->axes[i])) continue;
    return in.FailSharding(
        range, fmt::format("Adjacent axes in dimension sharding can be merged: {}, {}",
                           AxisText(mesh, dim->axes[i - 1]), AxisText(mesh, dim->axes[i])));
  }
  return true;
}

// Every axis of the mesh, in order.
Axes AllAxes(const DeviceMesh& mesh) {
  Axes axes;
  for (size_t i = 0; i < mesh.sizes.size(); ++i) axes.push_back({i, 1, mesh.sizes[i], false});
  return axes;
}

bool CheckSorted(AttrReader& in, Range range, const DeviceMesh& mesh, std::string_view what,
                 const Axes& axes) {
  for (size_t i = 1; i < axes.size(); ++i) {
    const MeshAxis& a = axes[i - 1];
    const MeshAxis& b = axes[i];
    if (std::pair(a.axis, a.before) > std::pair(b.axis, b.before)) {
      return in.FailSharding(
          range, fmt::format("{} axes must be sorted by mesh axis index and sub-axis pre-size. "
                             "Here {} stands before {}",
                             what, AxisText(mesh, a), AxisText(mesh, b)));
    }
  }
  return true;
}

bool CheckDisjoint(AttrReader& in, Range range, const Sharding& sharding) {
  Axes all;
  auto add = [&](const Axes& axes) { all.insert(all.end(), axes.begin(), axes.end()); };
  for (const DimSharding& dim : sharding.dims) add(dim.axes);
  add(sharding.replicated);
  add(sharding.unreduced);
  add(sharding.manual);
  const std::string fault = AxesFault(sharding.mesh, std::move(all));
  return fault.empty() || in.FailSharding(range, fault);
}

struct Part {
  std::string_view name;
  std::string_view title;
  Axes Sharding::*axes;
};
constexpr Part kParts[] = {{"replicated", "Replicated", &Sharding::replicated},
                           {"unreduced", "Unreduced", &Sharding::unreduced},
                           {"manual", "Manual", &Sharding::manual}};

const Part* FindPart(std::string_view name) {
  const auto* part = std::find_if(std::begin(kParts), std::end(kParts),
                                  [&](const Part& p) { return p.name == name; });
  return part == std::end(kParts) ? nullptr : part;
}

// `sum`, `max` or `min` if one of these words follows.
bool ReadReduction(AttrReader& in, std::string* reduction) {
  constexpr std::string_view kReductions[] = {"sum", "max", "min"};
  const Range range = in.lex.TokenRange();
  const std::string_view word = in.lex.ConsumeIdentifier();
  if (word.empty()) return true;
  if (!FindWord(kReductions, word, false)) {
    return in.FailSharding(range, "expected sum, max, or min for unreduced op");
  }
  if (word != "sum") *reduction = word;
  return true;
}

// `replicated`, `manual`, `unreduced`, `unreduced=max`, `unreduced=max{'x'}`: all axes, or these.
bool ReadWhole(AttrReader& in, Sharding* sharding) {
  const Range range = in.lex.TokenRange();
  const std::string_view word = in.lex.ConsumeIdentifier();
  const Part* part = FindPart(word);
  if (!part) {
    return in.FailSharding(
        range,
        "expects '[' before the shardings of the dimensions, or replicated, unreduced or "
        "manual");
  }
  if (word == "replicated") return true;
  Axes& axes = sharding->*(part->axes);
  if (word == "unreduced") {
    if (in.lex.Peek() == '=' &&
        (!in.lex.ReadEquals() || !ReadReduction(in, &sharding->reduction))) {
      return false;
    }
    if (in.lex.Peek() == '{') return ReadAxes(in, sharding->mesh, &axes);
  }
  axes = AllAxes(sharding->mesh);
  return true;
}

// `replicated={'a'}`, `unreduced=max{'b'}`, `manual={'c'}`, `metadata={...}`
bool ReadPart(AttrReader& in, Sharding* sharding) {
  const Range range = in.lex.TokenRange();
  const std::string_view word = in.lex.ConsumeIdentifier();
  if (word.empty()) return in.lex.Fail("expects attribute name");
  if (!in.lex.ReadEquals()) return false;
  if (word == "metadata") return ReadShardingMetadata(in, &sharding->metadata);
  if (word == "unreduced" && !ReadReduction(in, &sharding->reduction)) return false;
  if (const Part* part = FindPart(word)) {
    return ReadAxes(in, sharding->mesh, &(sharding->*(part->axes)));
  }
  return in.FailSharding(
      range, fmt::format("unknown attribute in named sharding: {}: expected replicated, "
                         "unreduced, manual or metadata",
                         word));
}

// Whether these are all axes of more than one device, whole and in order.
bool IsEveryAxis(const DeviceMesh& mesh, const Axes& axes) {
  size_t at = 0;
  for (size_t i = 0; i < mesh.sizes.size(); ++i) {
    if (at < axes.size() && axes[at].axis == i) {
      if (axes[at++].is_sub) return false;
    } else if (mesh.sizes[i] != 1) {
      return false;
    }
  }
  return at == axes.size();
}

}  // namespace

bool ReadShardingMetadata(AttrReader& in, std::vector<KeyValues>* metadata) {
  const uint32_t begin = in.lex.TokenRange().begin;
  auto read = [&] {
    AttrValue entries;
    if (!ReadMetadata(in, AttrDef{}, &entries)) return false;
    metadata->push_back(std::move(std::get<KeyValues>(entries)));
    return true;
  };
  if (!in.lex.Read('{', "expected '{' to start metadata")) return false;
  const bool several = in.lex.Peek() == '{';
  in.lex.set_pos(begin);
  return several ? ReadList(in.lex, '{', '}', read) : read();
}

bool ReadNamedSharding(AttrReader& in, Sharding* sharding) {
  sharding->kind = Sharding::Kind::kNamed;
  Range range = in.lex.TokenRange();
  if (!ReadMesh(in, &sharding->mesh)) return false;
  const bool maximal = sharding->mesh.is_maximal();
  if (!maximal) {
    in.lex.Consume(',');
    const bool ok =
        in.lex.Peek() == '['
            ? ReadList(in.lex, '[', ']',
                       [&] { return ReadDim(in, sharding->mesh, &sharding->dims.emplace_back()); })
            : ReadWhole(in, sharding);
    if (!ok) return false;
  }
  while (in.lex.Consume(',')) {
    if (!ReadPart(in, sharding)) return false;
  }
  if (!in.lex.Read('}', "expected '}' to end sharding attribute")) return false;
  range.end = in.lex.last_end();
  for (const Part& part : kParts) {
    if (!CheckSorted(in, range, sharding->mesh, part.title, sharding->*(part.axes))) return false;
  }
  return CheckDisjoint(in, range, *sharding);
}

void AppendNamedSharding(const Sharding& sharding, std::string* out) {
  const DeviceMesh& mesh = sharding.mesh;
  out->append("{").append(MeshText(mesh));
  if (mesh.is_maximal()) return;
  const bool no_dims = sharding.dims.empty();
  if (no_dims && sharding.replicated.empty() && sharding.unreduced.empty() &&
      sharding.manual.empty()) {
    out->append(", replicated");
    return;
  }
  if (no_dims && !sharding.unreduced.empty() && IsEveryAxis(mesh, sharding.unreduced)) {
    out->append(", unreduced");
    if (!sharding.reduction.empty()) out->append("=").append(sharding.reduction);
    if (sharding.unreduced.size() == mesh.sizes.size()) return;
    out->push_back('{');
    AppendAxes(mesh, sharding.unreduced, ", ", out);
    out->push_back('}');
    return;
  }
  if (no_dims && !sharding.manual.empty() && IsEveryAxis(mesh, sharding.manual)) {
    out->append(", manual");
    return;
  }
  out->append(", [");
  for (size_t i = 0; i < sharding.dims.size(); ++i) {
    const DimSharding& dim = sharding.dims[i];
    out->append(i > 0 ? ", {" : "{");
    AppendAxes(mesh, dim.axes, ", ", out);
    if (dim.is_open) out->append(dim.axes.empty() ? "?" : ", ?");
    out->push_back('}');
  }
  out->push_back(']');
  for (const Part& part : kParts) {
    const Axes& axes = sharding.*(part.axes);
    if (axes.empty()) continue;
    out->append(", ").append(part.name).append("=");
    if (part.axes == &Sharding::unreduced) out->append(sharding.reduction);
    out->push_back('{');
    AppendAxes(mesh, axes, ", ", out);
    out->push_back('}');
  }
}

}  // namespace hlo
