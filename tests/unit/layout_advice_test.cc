// engine/layout: the layouts TPUs choose, and what layouts waste.
#include "engine/layout/layout_advice.h"

#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/types/shape.h"
#include "tests/unit/layout_cases.h"

namespace hlo {
namespace {

std::string TpuText(const Dims& dims, int bits, const Dims& order = {1, 0}) {
  const auto tpu = TpuConvention(View(dims), bits, order);
  return tpu ? LayoutText(tpu->layout) : "none";
}

TEST_CASE("a layout introduction, section 9: the tiles of TPUs") {
  CHECK(TpuText({10, 1000}, 32) == "{1,0:T(8,128)}");
  // Compact second minor.
  CHECK(TpuText({1, 1000}, 32) == "{1,0:T(2,128)}");
  CHECK(TpuText({2, 1000}, 32) == "{1,0:T(2,128)}");
  CHECK(TpuText({3, 1000}, 32) == "{1,0:T(4,128)}");
  CHECK(TpuText({4, 1000}, 32) == "{1,0:T(4,128)}");
  CHECK(TpuText({5, 1000}, 32) == "{1,0:T(8,128)}");
  // The second minor dimension is one of the order, not of the sizes.
  CHECK(TpuText({1000, 3}, 32, {0, 1}) == "{0,1:T(4,128)}");
  CHECK(TpuText({10, 1000}, 16) == "{1,0:T(8,128)(2,1)}");
  CHECK(TpuText({2, 1000}, 16) == "{1,0:T(2,128)(2,1)}");
  CHECK(TpuText({10, 1000}, 8) == "{1,0:T(8,128)(4,1)}");
  CHECK(TpuText({2, 1000}, 8) == "{1,0:T(4,128)(4,1)}");  // a word has four rows
  CHECK(TpuText({10, 1000}, 1) == "{1,0:T(32,128)(32,1)E(1)}");
  CHECK(TpuText({2, 1000}, 1) == "{1,0:T(32,128)(32,1)E(1)}");
  CHECK(TpuText({10, 1000}, 4) == "{1,0:T(64,128)(8,1)E(4)}");
  CHECK(TpuText({2048}, 16, {0}) == "{0:T(1024)(128)(2,1)}");
  CHECK(TpuText({2048}, 32, {0}) == "{0:T(1024)}");
  CHECK(TpuText({10, 10}, 64) == "none");
}

TEST_CASE("the tiles of TPUs for vectors and scalars are no larger than needed") {
  CHECK(TpuText({0}, 32, {0}) == "{0:T(128)}");
  CHECK(TpuText({6}, 32, {0}) == "{0:T(128)}");
  CHECK(TpuText({128}, 32, {0}) == "{0:T(128)}");
  CHECK(TpuText({129}, 32, {0}) == "{0:T(256)}");
  CHECK(TpuText({301}, 32, {0}) == "{0:T(512)}");
  CHECK(TpuText({384}, 32, {0}) == "{0:T(512)}");
  CHECK(TpuText({128}, 16, {0}) == "{0:T(256)(128)(2,1)}");
  CHECK(TpuText({100}, 8, {0}) == "{0:T(512)(128)(4,1)}");
  CHECK(TpuText({}, 32, {}) == "{:T(128)}");
  CHECK(TpuText({}, 16, {}) == "{:T(256)}");
  CHECK(TpuText({}, 8, {}) == "{:T(512)}");
}

TEST_CASE("a pred is a byte in memory unless its layout says that it is a bit") {
  CHECK(BitsInMemory(Shape::Array(ElementType::kPred, Dims{8, 128})) == 8);
  Shape packed = Shape::Array(ElementType::kPred, Dims{8, 128});
  packed.set_layout(LayoutOf("{1,0:E(1)}"));
  CHECK(BitsInMemory(packed) == 1);
  CHECK(BitsInMemory(Shape::Array(ElementType::kS4, Dims{8})) == 4);
}

TEST_CASE("advice: layouts of an array, least waste first") {
  // s32[8388608,8,4] with 4 as the minor dimension: 32 times the memory.
  const Dims dims = {8192, 8, 4};
  const auto ranked = RankLayouts(View(dims), 32, 32, LayoutOf("{2,1,0:T(8,128)}"));
  REQUIRE(ranked.size() > 4);
  for (size_t i = 1; i < ranked.size(); ++i) CHECK(ranked[i - 1].bytes <= ranked[i].bytes);
  CHECK(ranked.front().padding.padding_bytes == 0);
  std::vector<std::string> texts;
  int64_t written = -1;
  for (const LayoutCandidate& candidate : ranked) {
    texts.push_back(LayoutText(candidate.layout));
    if (candidate.note == "as written") {
      written = candidate.bytes;
      CHECK(PaddingSentence(candidate.padding) == "dimension 2: 4 padded to 128 by tile (8,128)");
    }
  }
  CHECK(written == 8192 * 8 * 128 * 4);
  // 8192 lanes and 4 rows: nothing is padded.
  CHECK(std::count(texts.begin(), texts.end(), "{0,2,1:T(4,128)}") == 1);
  CHECK(std::count(texts.begin(), texts.end(), "{0,1,2:T(8,128)}") == 1);
  CHECK(std::count(texts.begin(), texts.end(), "{2,1,0}") == 1);
  CHECK(RankLayouts(View(Dims(40, 2)), 32, 32, Layout::Descending(40)).size() == kMostCandidates);
}

}  // namespace
}  // namespace hlo
