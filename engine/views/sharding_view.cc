#include "engine/views/sharding_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "engine/hlo/sharding_pieces.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/names.h"

namespace hlo {
namespace {

// Of a list; the answer says how many there are.
constexpr size_t kMostSharded = 1000;
constexpr size_t kMostLeaves = 200;
constexpr size_t kMostPieces = 1024;

const Sharding* ShardingOfInstruction(const Instruction& instruction) {
  const Attr* attr = instruction.attrs().Find("sharding");
  return attr ? std::get<std::shared_ptr<const Sharding>>(attr->value).get() : nullptr;
}

std::vector<const Instruction*> Sharded(const Document& document) {
  std::vector<const Instruction*> sharded;
  if (!document.module()) return sharded;
  for (const Computation& computation : document.module()->computations()) {
    for (const Instruction& instruction : computation.instructions()) {
      if (ShardingOfInstruction(instruction)) sharded.push_back(&instruction);
    }
  }
  return sharded;
}

// A partitioned program keeps the shardings of its parameters, but its shapes are those of one
// device. Nothing in it says so but the name of its entry. Source: XLA, spmd_partitioner.cc.
bool IsPartitioned(const Module& module) {
  return module.entry() && module.entry()->name().find("_spmd") != std::string_view::npos;
}

std::vector<ShardedLeaf> LeavesOf(const Document& document, const Instruction& instruction) {
  const Module& module = *document.module();
  return ShardPieces(*ShardingOfInstruction(instruction), instruction.shape(),
                     module.num_partitions(), IsPartitioned(module));
}

Json PieceJson(const ShardPiece& piece) {
  return ObjectJson({{"device", piece.device},
                     {"tile", DimsJson(piece.tile)},
                     {"start", DimsJson(piece.start)},
                     {"limit", DimsJson(piece.limit)},
                     {"padding", DimsJson(piece.padding)}});
}

Json LeafJson(const ShardedLeaf& leaf) {
  Json pieces = Json::array();
  for (size_t i = 0; i < std::min(leaf.pieces.size(), kMostPieces); ++i) {
    pieces.push_back(PieceJson(leaf.pieces[i]));
  }
  return ObjectJson(
      {{"index", DimsJson(leaf.index)},
       {"shape", ShapeName(*leaf.shape)},
       {"dims", DimsJson(leaf.dims)},
       {"sharding", leaf.sharding ? ShardingText(*leaf.sharding, /*metadata=*/false) : ""},
       {"tiles", DimsJson(leaf.tiles)},
       {"tileSizes", DimsJson(leaf.tile_sizes)},
       {"holders", leaf.holders},
       {"words", leaf.words},
       {"deviceCount", leaf.pieces.size()},
       {"devices", std::move(pieces)}});
}

Json ShardedRowJson(const Document& document, const Instruction& instruction) {
  return ObjectJson(
      {{"name", instruction.name()},
       {"shown", ShownName(document, instruction)},
       {"computation", instruction.parent()->name()},
       {"opcode", Text(instruction.opcode())},
       {"shape", ShapeName(instruction.shape())},
       {"sharding", ShardingText(*ShardingOfInstruction(instruction), /*metadata=*/false)},
       {"range", RangeJson(instruction.places().name, document.map())}});
}

std::string Wanted(const Json& options, const char* key) {
  const auto found = options.is_object() ? options.find(key) : options.end();
  return options.is_object() && found != options.end() && found->is_string()
             ? found->get<std::string>()
             : std::string();
}

}  // namespace

std::string ShardingsJson(const Document& document, std::string_view options) {
  const Json asked = ParseJson(options);
  const std::string name = Wanted(asked, "name"), computation = Wanted(asked, "computation");
  const std::vector<const Instruction*> sharded = Sharded(document);
  Json rows = Json::array();
  const Instruction* focus = nullptr;
  for (const Instruction* i : sharded) {
    if (rows.size() < kMostSharded) rows.push_back(ShardedRowJson(document, *i));
    const bool is_it =
        i->name() == name && (computation.empty() || i->parent()->name() == computation);
    if (is_it && !focus) focus = i;
  }
  Json leaves = Json::array();
  size_t leaf_count = 0;
  if (focus) {
    const std::vector<ShardedLeaf> all = LeavesOf(document, *focus);
    leaf_count = all.size();
    for (size_t i = 0; i < std::min(all.size(), kMostLeaves); ++i) {
      leaves.push_back(LeafJson(all[i]));
    }
  }
  return JsonText(
      ObjectJson({{"ok", document.module() != nullptr},
                  {"count", sharded.size()},
                  {"rows", std::move(rows)},
                  {"focus", focus ? ObjectJson({{"row", ShardedRowJson(document, *focus)},
                                                {"leafCount", leaf_count},
                                                {"leaves", std::move(leaves)}})
                                  : Json(nullptr)}}));
}

std::string ShardingsText(const Document& document, std::string_view name) {
  if (!name.empty() && name.front() == '%') name.remove_prefix(1);
  std::string text;
  auto out = std::back_inserter(text);
  for (const Instruction* i : Sharded(document)) {
    if (!name.empty() && i->name() != name) continue;
    fmt::format_to(out, "{} {}\n", ShownName(document, *i), ShapeName(i->shape()));
    for (const ShardedLeaf& leaf : LeavesOf(document, *i)) {
      fmt::format_to(out, "  {}{} {}: {}\n",
                     leaf.index.empty() ? "" : fmt::format("{{{}}} ", fmt::join(leaf.index, ",")),
                     ShapeName(*leaf.shape),
                     leaf.sharding ? ShardingText(*leaf.sharding, /*metadata=*/false) : "",
                     leaf.words);
      for (const ShardPiece& piece : leaf.pieces) {
        std::vector<std::string> slices;
        for (size_t d = 0; d < piece.start.size(); ++d) {
          slices.push_back(fmt::format("{}:{}", piece.start[d], piece.limit[d]));
        }
        fmt::format_to(out, "    device {}: [{}]", piece.device, fmt::join(slices, ", "));
        if (std::any_of(piece.padding.begin(), piece.padding.end(),
                        [](int64_t n) { return n != 0; })) {
          fmt::format_to(out, ", padded by [{}]", fmt::join(piece.padding, ", "));
        }
        text += "\n";
      }
    }
  }
  return text;
}

}  // namespace hlo
