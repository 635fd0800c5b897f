// The move kernels against their plain meaning, written with xtensor.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>
#include <xtensor/xarray.hpp>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xstrided_view.hpp>

#include "doctest/doctest.h"
#include "engine/kernels/move_copy.h"
#include "engine/kernels/move_loops.h"
#include "engine/kernels/move_view.h"

namespace hlo {
namespace {

struct TwoWords {
  uint64_t low = 0, high = 0;
  friend bool operator==(const TwoWords&, const TwoWords&) = default;
};

template <typename T>
T NumberFor(int64_t i) {
  return static_cast<T>(i * 2654435761u >> 3);
}
template <>
TwoWords NumberFor<TwoWords>(int64_t i) {
  return {static_cast<uint64_t>(i), ~static_cast<uint64_t>(i)};
}

template <typename T>
xt::xarray<T> CountedArray(const Dims& dims) {
  xt::xarray<T> array(std::vector<size_t>(dims.begin(), dims.end()));
  int64_t i = 0;
  std::generate(array.storage().begin(), array.storage().end(), [&] { return NumberFor<T>(i++); });
  return array;
}

/// What the kernel copies out of a view of the array.
template <typename T>
std::vector<T> Gathered(const xt::xarray<T>& array, const StridedView& view) {
  Budget budget;
  int64_t count = std::accumulate(view.dims.begin(), view.dims.end(), int64_t{1},
                                  [](int64_t a, int64_t b) { return a * b; });
  std::vector<T> result(static_cast<size_t>(count));
  GatherView(sizeof(T), reinterpret_cast<const std::byte*>(array.data()), view,
             reinterpret_cast<std::byte*>(result.data()), &budget);
  return result;
}

template <typename E>
auto Flat(const E& expression) {
  xt::xarray<typename E::value_type> array = expression;
  return std::vector<typename E::value_type>(array.storage().begin(), array.storage().end());
}

/// A random shape with sizes that cross the block sizes of the kernels now and then.
Dims RandomDims(std::mt19937& random, int max_rank) {
  Dims dims;
  int rank = static_cast<int>(random() % static_cast<unsigned>(max_rank + 1));
  int64_t left = 20000;
  for (int d = 0; d < rank; ++d) {
    int64_t limit = std::min<int64_t>(left, random() % 4 == 0 ? 80 : 6);
    int64_t size = 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(limit));
    dims.push_back(size);
    left /= size;
  }
  return dims;
}

template <typename T>
void CompareTransposes() {
  std::mt19937 random(1);
  for (int round = 0; round < 150; ++round) {
    Dims dims = RandomDims(random, 5);
    Dims permutation(dims.size());
    std::iota(permutation.begin(), permutation.end(), 0);
    std::shuffle(permutation.begin(), permutation.end(), random);
    auto array = CountedArray<T>(dims);
    std::vector<size_t> axes(permutation.begin(), permutation.end());
    CAPTURE(round);
    CHECK((Gathered(array, Permute(RowMajorView(dims), permutation)) ==
           Flat(xt::transpose(array, axes))));
  }
}

TEST_CASE("transposes of every width are xtensor's") {
  CompareTransposes<uint8_t>();
  CompareTransposes<uint16_t>();
  CompareTransposes<uint32_t>();
  CompareTransposes<uint64_t>();
  CompareTransposes<TwoWords>();
}

template <typename T>
void CompareFlips() {
  std::mt19937 random(2);
  for (int round = 0; round < 100; ++round) {
    Dims dims = RandomDims(random, 4);
    Dims flipped;
    auto array = CountedArray<T>(dims);
    xt::xarray<T> expected = array;
    for (size_t d = 0; d < dims.size(); ++d) {
      if (random() % 2 == 0) continue;
      flipped.push_back(static_cast<int64_t>(d));
      xt::xarray<T> next = xt::flip(expected, d);
      expected = next;
    }
    CAPTURE(round);
    CHECK((Gathered(array, Flip(RowMajorView(dims), flipped)) == Flat(expected)));
  }
}

TEST_CASE("reversals of every width are xtensor's") {
  CompareFlips<uint8_t>();
  CompareFlips<uint16_t>();
  CompareFlips<uint32_t>();
  CompareFlips<uint64_t>();
  CompareFlips<TwoWords>();
}

template <typename T>
void CompareSlices() {
  std::mt19937 random(3);
  for (int round = 0; round < 100; ++round) {
    Dims dims = RandomDims(random, 4);
    Dims starts, counts, steps;
    xt::xstrided_slice_vector slices;
    for (int64_t size : dims) {
      int64_t start = static_cast<int64_t>(random() % static_cast<uint64_t>(size));
      int64_t limit =
          start + 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(size - start));
      int64_t step = 1 + static_cast<int64_t>(random() % 3);
      starts.push_back(start);
      counts.push_back((limit - start + step - 1) / step);
      steps.push_back(step);
      slices.push_back(xt::range(start, limit, step));
    }
    auto array = CountedArray<T>(dims);
    CAPTURE(round);
    CHECK((Gathered(array, Slice(RowMajorView(dims), starts, counts, steps)) ==
           Flat(xt::strided_view(array, slices))));
  }
}

TEST_CASE("slices of every width are xtensor's") {
  CompareSlices<uint8_t>();
  CompareSlices<uint16_t>();
  CompareSlices<uint32_t>();
  CompareSlices<uint64_t>();
  CompareSlices<TwoWords>();
}

TEST_CASE("a broadcast repeats along the new dimensions") {
  std::mt19937 random(4);
  for (int round = 0; round < 100; ++round) {
    Dims result_dims = RandomDims(random, 5);
    Dims dims, dimensions;
    std::vector<size_t> stretched;
    for (size_t d = 0; d < result_dims.size(); ++d) {
      bool from_operand = random() % 2 == 0;
      stretched.push_back(from_operand ? static_cast<size_t>(result_dims[d]) : 1);
      if (!from_operand) continue;
      dims.push_back(result_dims[d]);
      dimensions.push_back(static_cast<int64_t>(d));
    }
    auto array = CountedArray<uint32_t>(dims);
    xt::xarray<uint32_t> reshaped = array;
    reshaped.reshape(stretched);
    std::vector<size_t> shape(result_dims.begin(), result_dims.end());
    CAPTURE(round);
    CHECK(Gathered(array, BroadcastInto(RowMajorView(dims), result_dims, dimensions)) ==
          Flat(xt::broadcast(reshaped, shape)));
  }
}

TEST_CASE("a view can be written to a view, and nothing else is touched") {
  // What pad does: every second column of the middle rows.
  const Dims from_dims{2, 3}, to_dims{4, 6};
  std::vector<uint16_t> from{1, 2, 3, 4, 5, 6}, to(24, 9);
  Budget budget;
  CopyView(2, reinterpret_cast<const std::byte*>(from.data()), RowMajorView(from_dims),
           reinterpret_cast<std::byte*>(to.data()),
           Slice(RowMajorView(to_dims), Dims{1, 0}, Dims{2, 3}, Dims{1, 2}), &budget);
  CHECK(to == std::vector<uint16_t>{9, 9, 9, 9, 9, 9, 1, 9, 2, 9, 3, 9,
                                    4, 9, 5, 9, 6, 9, 9, 9, 9, 9, 9, 9});
}

TEST_CASE("rank 32, scalars and empty dimensions") {
  Dims dims(32, 1);
  dims[3] = 2;
  dims[30] = 3;
  Dims backwards;
  for (int64_t d = 31; d >= 0; --d) backwards.push_back(d);
  auto array = CountedArray<uint8_t>(dims);
  auto data = array.storage();
  std::vector<uint8_t> expected{data[0], data[3], data[1], data[4], data[2], data[5]};
  CHECK(Gathered(array, Permute(RowMajorView(dims), backwards)) == expected);

  auto scalar = CountedArray<uint32_t>({});
  CHECK(Gathered(scalar, RowMajorView(Dims{})).size() == 1);
  auto empty = CountedArray<uint32_t>({3, 0, 2});
  CHECK(Gathered(empty, Flip(RowMajorView(Dims{3, 0, 2}), Dims{0, 1, 2})).empty());
}

TEST_CASE("a fill longer than the pieces in which the budget is polled") {
  Budget budget;
  std::vector<uint64_t> to(700001, 1);
  uint64_t value = 0x0123456789abcdef;
  FillElements(8, reinterpret_cast<const std::byte*>(&value),
               reinterpret_cast<std::byte*>(to.data()), 700000, &budget);
  CHECK(std::count(to.begin(), to.end(), value) == 700000);
  CHECK(to.back() == 1);
}

TEST_CASE("a cancelled budget stops a long move") {
  Budget budget;
  budget.Cancel();
  std::vector<uint8_t> to(size_t{1} << 20);
  uint8_t value = 1;
  CHECK_THROWS_AS(FillElements(1, reinterpret_cast<const std::byte*>(&value),
                               reinterpret_cast<std::byte*>(to.data()),
                               static_cast<int64_t>(to.size()), &budget),
                  RunError);
}

TEST_CASE("loops that step like one are merged") {
  LoopNest whole = MakeNest(RowMajorView(Dims{2, 3, 4}));
  CHECK(whole.loops.size() == 1);
  CHECK(whole.loops[0].count == 24);
  LoopNest transposed = MakeNest(Permute(RowMajorView(Dims{2, 3, 4}), Dims{1, 2, 0}));
  CHECK(transposed.loops.size() == 2);
  CHECK(MakeNest(RowMajorView(Dims{2, 0})).empty);
}

}  // namespace
}  // namespace hlo
