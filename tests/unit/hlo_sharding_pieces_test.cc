// Pieces of arrays under shardings, against XLA's rule written another way: every element is in the
// tile that its index is in, and every device has the elements of its tile.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "engine/base/indices.h"
#include "engine/hlo/sharding_pieces.h"
#include "engine/views/document.h"
#include "engine/views/json.h"
#include "engine/views/sharding_view.h"

namespace hlo {
namespace {

// The leaves of the first parameter; the document keeps what they point to.
struct ShardedProgram {
  ShardedProgram(const std::string& shape, const std::string& sharding, int partitions)
      : document(fmt::format("HloModule m, num_partitions={}\nENTRY e {{ ROOT x = {} parameter(0), "
                             "sharding={} }}",
                             partitions, shape, sharding)) {
    REQUIRE_MESSAGE(document.ok(), document.text());
    const Instruction& x = *document.module()->entry()->root();
    const auto& value = x.attrs().Find("sharding")->value;
    leaves = ShardPieces(*std::get<std::shared_ptr<const Sharding>>(value), x.shape(), partitions);
  }
  Document document;
  std::vector<ShardedLeaf> leaves;
};

// The tiles' positions are as given, by device; slices and padding follow from them by counting.
void CheckTiles(const ShardedLeaf& leaf, const Dims& tiles, const std::vector<Dims>& expected) {
  REQUIRE(leaf.pieces.size() == expected.size());
  const Dims sizes(leaf.shape->dims().begin(), leaf.shape->dims().end());
  CHECK(leaf.tiles == tiles);
  for (size_t device = 0; device < expected.size(); ++device) {
    const ShardPiece& piece = leaf.pieces[device];
    CHECK(piece.device == static_cast<int64_t>(device));
    CHECK(piece.tile == expected[device]);
    for (size_t d = 0; d < sizes.size(); ++d) {
      const int64_t tile_size = (sizes[d] + tiles[d] - 1) / tiles[d];
      int64_t first = sizes[d], count = 0;
      for (int64_t i = 0; i < sizes[d]; ++i) {
        if (i / tile_size != piece.tile[d]) continue;
        first = std::min(first, i);
        ++count;
      }
      CHECK(piece.start[d] == first);
      CHECK(piece.limit[d] == first + count);
      CHECK(piece.padding[d] == tile_size - count);
    }
  }
}

TEST_CASE("pieces of tilings of every size are those of counting elements") {
  for (int64_t rows : {1, 2, 5, 7, 8}) {
    for (int64_t columns : {1, 3, 4, 9}) {
      const ShardedProgram listed(fmt::format("f32[{},{}]", rows, columns),
                                  "{devices=[4,2]7,6,5,4,3,2,1,0}", 8);
      const ShardedProgram iota(fmt::format("f32[{},{}]", rows, columns),
                                "{devices=[4,2]<=[2,4]T(1,0)}", 8);
      std::vector<Dims> reversed, transposed(8);
      for (int64_t id = 0; id < 8; ++id) {
        reversed.push_back({(7 - id) / 2, (7 - id) % 2});
        transposed[static_cast<size_t>(id)] = {id % 4, id / 4};
      }
      CheckTiles(listed.leaves[0], {4, 2}, reversed);
      CheckTiles(iota.leaves[0], {4, 2}, transposed);
    }
  }
}

TEST_CASE("groups of devices have the same piece") {
  const ShardedProgram last("f32[6]", "{devices=[2,2]0,2,1,3 last_tile_dim_replicate}", 4);
  CheckTiles(last.leaves[0], {2}, {{0}, {1}, {0}, {1}});
  CHECK(last.leaves[0].holders == 2);
  const ShardedProgram sub("f32[5,4]",
                           "{devices=[2,1,2,2]<=[8] last_tile_dims={manual, replicated}}", 8);
  CheckTiles(sub.leaves[0], {2, 1},
             {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}});
  CHECK(sub.leaves[0].words.find("manual") != std::string::npos);
}

TEST_CASE("pieces along the axes of a mesh, whole and in parts") {
  const ShardedProgram whole("f32[5,6]", "{mesh['x'=2,'y'=4], [{'y'}, {'x'}]}", 8);
  std::vector<Dims> tiles;
  for (int64_t id = 0; id < 8; ++id) tiles.push_back({id % 4, id / 4});
  CheckTiles(whole.leaves[0], {4, 2}, tiles);
  const ShardedProgram parts("f32[9]", "{mesh['x'=2,'y'=4], [{'y':(2)2, 'x'}]}", 8);
  tiles.clear();
  for (int64_t id = 0; id < 8; ++id) tiles.push_back({id % 2 * 2 + id / 4});
  CheckTiles(parts.leaves[0], {4}, tiles);
  CHECK(parts.leaves[0].holders == 2);
}

TEST_CASE("what is not divided is whole on each device that has it; tuples have a piece per leaf") {
  const ShardedProgram tuple("(f32[4], (s32[2,3], f32[]))",
                             "{{devices=[2]0,1}, {replicated}, {maximal device=1}}", 2);
  REQUIRE(tuple.leaves.size() == 3);
  CheckTiles(tuple.leaves[0], {2}, {{0}, {1}});
  CheckTiles(tuple.leaves[1], {1, 1}, {{0, 0}, {0, 0}});
  CHECK(tuple.leaves[1].index == Dims{1, 0});
  CHECK(tuple.leaves[1].holders == 2);
  REQUIRE(tuple.leaves[2].pieces.size() == 1);
  CHECK(tuple.leaves[2].pieces[0].device == 1);
}

TEST_CASE("the shapes of a partitioned program are those of pieces") {
  const Document document(R"(HloModule m, num_partitions=8
ENTRY main.7_spmd {
  p = f32[4,512] parameter(0), sharding={devices=[2,1,4]<=[8] last_tile_dim_replicate}
  ROOT r = f32[512] parameter(1), sharding={replicated}
})");
  REQUIRE(document.ok());
  const Json leaf = ParseJson(ShardingsJson(document, R"({"name":"p"})"))["focus"]["leaves"][0];
  CHECK(leaf["dims"] == Json::array({8, 512}));
  CHECK(leaf["shape"] == "f32[4,512]");
  CHECK(leaf["devices"][7]["start"] == Json::array({4, 0}));
  CHECK(leaf["devices"][7]["limit"] == Json::array({8, 512}));
  CHECK(leaf["words"].get<std::string>().find("partitioned") != std::string::npos);
  const Json whole = ParseJson(ShardingsJson(document, R"({"name":"r"})"))["focus"]["leaves"][0];
  CHECK(whole["dims"] == Json::array({512}));
}

TEST_CASE("the shardings of a program as text and as JSON") {
  const ShardedProgram program("f32[5,2]", "{devices=[2,1]0,1}", 2);
  const std::string text = ShardingsText(program.document, "%x");
  CHECK(text.find("device 1: [3:5, 0:2], padded by [1, 0]") != std::string::npos);
  CHECK(ShardingsText(program.document, "nothing").empty());
  const Json json = ParseJson(ShardingsJson(program.document, R"({"name":"x"})"));
  CHECK(json["count"] == 1);
  CHECK(json["focus"]["leaves"][0]["devices"][1]["start"] == Json::array({3, 0}));
  CHECK(ParseJson(ShardingsJson(program.document, "nonsense"))["focus"].is_null());
}

}  // namespace
}  // namespace hlo
