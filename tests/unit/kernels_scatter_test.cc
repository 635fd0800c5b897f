// Rows that are added, multiplied, compared at given places against one element after the other.
#include <cstdint>
#include <cstring>
#include <vector>

#include "doctest/doctest.h"
#include "engine/kernels/move_copy.h"
#include "engine/kernels/scatter_fold.h"

namespace hlo {
namespace {

TEST_CASE("rows of every length are folded, those of the same place in order") {
  for (const int64_t count : {1, 3, 8, 31, 32, 33, 64, 100}) {
    CAPTURE(count);
    std::vector<float> from, to;
    for (int64_t i = 0; i < 4 * count; ++i) from.push_back(1.0F / static_cast<float>(i + 3));
    for (int64_t i = 0; i < 3 * count; ++i) to.push_back(static_cast<float>(i % 7) - 3.3F);
    const std::vector<int64_t> sources = {count, 3 * count, 0, 2 * count};
    const std::vector<int64_t> targets = {0, 2 * count, 0, 0};
    std::vector<float> expected = to;
    for (size_t i = 0; i < sources.size(); ++i) {
      for (int64_t k = 0; k < count; ++k) {
        expected[static_cast<size_t>(targets[i] + k)] += from[static_cast<size_t>(sources[i] + k)];
      }
    }
    FindScatterFold(Reducer::kAdd, ElementType::kF32)(
        reinterpret_cast<const std::byte*>(from.data()), sources,
        reinterpret_cast<std::byte*>(to.data()), targets, count);
    CHECK(std::memcmp(to.data(), expected.data(), to.size() * sizeof(float)) == 0);
  }
}

TEST_CASE("integers of a byte are folded by rows") {
  std::vector<uint8_t> from(300), to(300, 200);
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<uint8_t>(i);
  const std::vector<int64_t> sources = {1}, targets = {7};
  FindScatterFold(Reducer::kMaximum, ElementType::kU8)(
      reinterpret_cast<const std::byte*>(from.data()), sources,
      reinterpret_cast<std::byte*>(to.data()), targets, 290);
  CHECK(to[6] == 200);
  CHECK(to[7] == 200);
  CHECK(to[7 + 250] == 251);
  CHECK(to[297] == 200);
}

TEST_CASE("rows of every length and width are copied to their places") {
  for (const int width : {1, 2, 4, 8}) {
    for (const int64_t count : {2, 5, 16, 17, 63, 64, 200, 1100}) {
      CAPTURE(width);
      CAPTURE(count);
      Budget budget;
      std::vector<std::byte> from, to(static_cast<size_t>(3 * count * width));
      for (int64_t i = 0; i < 3 * count * width; ++i) {
        from.push_back(static_cast<std::byte>(i * 37 % 251));
      }
      const std::vector<int64_t> starts = {2 * count, 0, count}, places = {count, 2 * count, 0};
      const StridedView row{{count}, {1}, 0};
      CopyWindows(width, from.data(), row, starts, to.data(), row, places, &budget);
      for (size_t i = 0; i < starts.size(); ++i) {
        CHECK(std::memcmp(to.data() + places[i] * width, from.data() + starts[i] * width,
                          static_cast<size_t>(count * width)) == 0);
      }
    }
  }
}

}  // namespace
}  // namespace hlo
