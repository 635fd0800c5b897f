// Recipes for ops between devices, and between them and the host.
#include <fmt/format.h>

#include "engine/types/element_type.h"
#include "tests/generated/generator.h"

namespace hlo {
namespace {

// All devices of a replica group: replicas where there are several, else partitions.
int64_t GroupSize(Generator& g) { return g.replicas() > 1 ? g.replicas() : g.partitions(); }

// Between partitions a collective has a channel.
std::string Channel(Generator& g) {
  return g.replicas() > 1 ? "" : fmt::format(", channel_id={}", g.NewNumber());
}

std::string Groups(Generator& g) { return Channel(g) + ", replica_groups={}"; }

bool MakeId(Generator& g, std::string_view opcode) { return g.Add(opcode, {}).has_value(); }

bool MakeAllReduce(Generator& g, std::string_view opcode) {
  const Made x = g.StaticArray();
  const ElementType type = x.shape.element_type();
  std::string text;
  const std::string name = g.Reducer({type}, {type}, &text);
  return g.Add(opcode, {x}, Groups(g) + ", to_apply=" + name, &x.shape, text).has_value();
}

bool MakeAllReduceStart(Generator& g, std::string_view) {
  const Made x = g.StaticArray();
  const ElementType type = x.shape.element_type();
  std::string text;
  const std::string name = g.Reducer({type}, {type}, &text);
  const Made start =
      g.Emit("all-reduce-start", {x}, Groups(g) + ", to_apply=" + name, x.shape, text);
  g.Emit("all-reduce-done", {start}, "", x.shape);
  return true;
}

bool MakeAllGather(Generator& g, std::string_view opcode) {
  const Made x = g.StaticArray(1);
  if (x.shape.rank() == 0) return false;
  const int d = static_cast<int>(g.Below(x.shape.dims().size()));
  Shape shape = x.shape;
  shape.set_dim(d, shape.dim(d) * GroupSize(g));
  const std::string attributes = fmt::format("{}, dimensions={{{}}}", Groups(g), d);
  if (opcode == "all-gather") return g.Add(opcode, {x}, attributes, &shape).has_value();
  const Made start = g.Emit("all-gather-start", {x}, attributes, Shape::Tuple({x.shape, shape}));
  g.Emit("all-gather-done", {start}, "", shape);
  return true;
}

bool MakeReduceScatter(Generator& g, std::string_view opcode) {
  Dims dims = g.AnyDims(1, 3);
  if (dims.empty()) return false;
  const size_t d = g.Below(dims.size());
  Dims result = dims;
  dims[d] *= GroupSize(g);
  const ElementType type = g.AnyType();
  std::string text;
  const std::string name = g.Reducer({type}, {type}, &text);
  const Shape shape = Shape::Array(type, result);
  return g
      .Add(opcode, {g.ArrayOf(type, dims)},
           fmt::format("{}, dimensions={{{}}}, to_apply={}", Groups(g), d, name), &shape, text)
      .has_value();
}

bool MakeAllToAll(Generator& g, std::string_view opcode) {
  Dims dims = g.AnyDims(1, 3);
  if (dims.empty()) return false;
  const size_t d = g.Below(dims.size());
  dims[d] *= GroupSize(g);
  const Made x = g.ArrayOf(g.AnyType(), dims);
  return g.Add(opcode, {x}, fmt::format("{}, dimensions={{{}}}", Groups(g), d), &x.shape)
      .has_value();
}

std::string Pairs(Generator& g) {
  std::string pairs;
  const Dims targets = g.Permutation(static_cast<int>(GroupSize(g)));
  for (size_t source = 0; source < targets.size(); ++source) {
    if (g.Chance(20)) continue;
    pairs += fmt::format("{}{{{},{}}}", pairs.empty() ? "" : ",", source, targets[source]);
  }
  return fmt::format("{}, source_target_pairs={{{}}}", Channel(g), pairs);
}

bool MakePermute(Generator& g, std::string_view opcode) {
  const Made x = g.StaticArray();
  if (opcode == "collective-permute") return g.Add(opcode, {x}, Pairs(g), &x.shape).has_value();
  const Shape context = Shape::Scalar(ElementType::kU32);
  const Made start = g.Emit("collective-permute-start", {x}, Pairs(g),
                            Shape::Tuple({x.shape, x.shape, context, context}));
  g.Emit("collective-permute-done", {start}, "", x.shape);
  return true;
}

bool MakeCollectiveBroadcast(Generator& g, std::string_view opcode) {
  std::string group;
  for (int64_t i = 0; i < GroupSize(g); ++i) group += fmt::format("{}{}", i > 0 ? "," : "", i);
  const Made x = g.StaticArray();
  const std::string groups = fmt::format("{}, replica_groups={{{{{}}}}}", Channel(g), group);
  return g.Add(opcode, {x}, groups, &x.shape).has_value();
}

bool MakeRaggedAllToAll(Generator& g, std::string_view opcode) {
  if (g.replicas() == 1) return false;
  const int64_t n = g.replicas();
  const ElementType type = g.AnyType();
  const Made x = g.ArrayOf(type, {2 * n, 2}), out = g.Like(type, {2 * n, 2});
  const Made at = g.Numbers(ElementType::kS32, {n}, 0, 1);
  const Made sizes = g.Numbers(ElementType::kS32, {n}, 1, 1);
  return g.Add(opcode, {x, out, at, sizes, at, sizes}, ", replica_groups={}", &out.shape)
      .has_value();
}

bool MakeOutfeed(Generator& g, std::string_view opcode) {
  const Made token = g.Token();
  return g.Add(opcode, {g.AnyValue(), token}, "", &token.shape).has_value();
}

}  // namespace

std::vector<Recipe> DeviceRecipes() {
  constexpr auto kDevices = Recipe::Place::kSeveralDevices;
  return {
      {"replica-id", MakeId},
      {"partition-id", MakeId},
      {"outfeed", MakeOutfeed, Recipe::Place::kEntry},
      {"all-reduce", MakeAllReduce, kDevices},
      {"all-reduce-start", MakeAllReduceStart, kDevices},
      {"all-reduce-done", MakeAllReduceStart, kDevices},
      {"all-gather", MakeAllGather, kDevices},
      {"all-gather-start", MakeAllGather, kDevices},
      {"all-gather-done", MakeAllGather, kDevices},
      {"reduce-scatter", MakeReduceScatter, kDevices},
      {"all-to-all", MakeAllToAll, kDevices},
      {"collective-permute", MakePermute, kDevices},
      {"collective-permute-start", MakePermute, kDevices},
      {"collective-permute-done", MakePermute, kDevices},
      {"collective-broadcast", MakeCollectiveBroadcast, kDevices},
      {"collective-reduce", MakeAllReduce, kDevices},
      {"ragged-all-to-all", MakeRaggedAllToAll, kDevices},
  };
}

}  // namespace hlo
