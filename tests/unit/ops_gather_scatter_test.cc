// gather and scatter: random dimension numbers against loops written out, blocks of updates, and
// what is done in place.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "doctest/doctest.h"
#include "engine/ops/op_def.h"
#include "tests/unit/indices.h"
#include "tests/unit/op_runner.h"
#include "tests/unit/scalar_region.h"

namespace hlo {
namespace {

constexpr ElementType kType = ElementType::kS64;

/// Depends on the order of its arguments and of its applications.
int64_t Combine(int64_t current, int64_t update) { return (current * 3 - update) % 1000003; }

/// Known to give its second argument, whatever it would compute.
class Overwrite final : public ScalarFunction<int64_t> {
 public:
  Overwrite() : ScalarFunction(Combine) {}
  int ResultParameter(int) const override { return 1; }
};

/// Dimension numbers, in the words of gather, and arrays that fit them.
struct Problem {
  Dims operand, indices, slice_sizes, result;
  Dims offset, collapsed, map, operand_batch, indices_batch;
  int64_t vector_dim = 0;
  Tensor index_values;

  bool IsOffset(int64_t d) const { return Has(offset, d); }
  bool IsLeftOut(int64_t d) const { return Has(collapsed, d) || Has(operand_batch, d); }
  static bool Has(const Dims& dims, int64_t d) {
    return std::find(dims.begin(), dims.end(), d) != dims.end();
  }
};

int Below(std::mt19937& random, int n) {
  return static_cast<int>(random() % static_cast<unsigned>(n));
}

/// Ascending numbers below n, `count` of them.
Dims Choose(std::mt19937& random, int n, size_t count) {
  std::vector<int64_t> all;
  for (int i = 0; i < n; ++i) all.push_back(i);
  std::shuffle(all.begin(), all.end(), random);
  std::sort(all.begin(), all.begin() + static_cast<ptrdiff_t>(count));
  return Dims(all.begin(), all.begin() + static_cast<ptrdiff_t>(count));
}

Problem RandomProblem(std::mt19937& random, int largest) {
  Problem p;
  const int rank = Below(random, 5);
  const int position_rank = Below(random, 4);
  Dims positions;
  for (int i = 0; i < position_rank; ++i) positions.push_back(1 + Below(random, largest));
  std::vector<int64_t> free_positions, free_dims;
  for (int i = 0; i < position_rank; ++i) free_positions.push_back(i);
  std::shuffle(free_positions.begin(), free_positions.end(), random);
  Dims batch_positions;
  for (int d = 0; d < rank; ++d) {
    p.operand.push_back(1 + Below(random, 5));
    int64_t& size = p.operand.back();
    const int role = Below(random, 4);
    if (role == 0 && !free_positions.empty()) {
      size = positions[static_cast<size_t>(free_positions.back())];
      p.operand_batch.push_back(d);
      batch_positions.push_back(free_positions.back());
      free_positions.pop_back();
      p.slice_sizes.push_back(1);
      continue;
    }
    free_dims.push_back(d);
    if (role == 1) p.collapsed.push_back(d);
    p.slice_sizes.push_back(role == 1 ? 1 : Below(random, static_cast<int>(size) + 1));
  }
  std::shuffle(free_dims.begin(), free_dims.end(), random);
  const size_t components = free_dims.empty() ? 0 : random() % (free_dims.size() + 1);
  for (size_t i = 0; i < components; ++i) p.map.push_back(free_dims[i]);
  p.vector_dim = Below(random, position_rank + 1);
  p.indices = positions;
  if (components == 1 && random() % 2 == 0) {
    p.vector_dim = position_rank;
  } else {
    p.indices.insert(p.indices.begin() + p.vector_dim, static_cast<int64_t>(components));
  }
  for (int64_t d : batch_positions) p.indices_batch.push_back(d < p.vector_dim ? d : d + 1);
  const size_t windows = static_cast<size_t>(rank) - p.collapsed.size() - p.operand_batch.size();
  const int result_rank = position_rank + static_cast<int>(windows);
  p.offset = Choose(random, result_rank, windows);
  size_t position = 0;
  int64_t slice = 0;
  for (int d = 0; d < result_rank; ++d) {
    if (!p.IsOffset(d)) {
      p.result.push_back(positions[position++]);
      continue;
    }
    while (p.IsLeftOut(slice)) ++slice;
    p.result.push_back(p.slice_sizes[static_cast<size_t>(slice++)]);
  }
  p.index_values = Tensor(ElementType::kS32, p.indices, nullptr);
  for (int64_t i = 0; i < p.index_values.element_count(); ++i) {
    p.index_values.mutable_data<int32_t>()[i] = Below(random, 9) - 2;
  }
  return p;
}

/// Calls f(index) for every index in row-major order.
void ForEachIndex(const Dims& dims, const std::function<void(const Dims&)>& f) {
  for (int64_t i = 0; i < CountOf(dims); ++i) f(IndexOf(dims, i));
}

/// The start of the slice at a position, as the index vectors and batching dimensions say it.
Dims StartOf(const Problem& p, const Dims& position) {
  Dims at = position;
  const bool implied = p.indices.size() == position.size();
  if (!implied) at.insert(at.begin() + p.vector_dim, int64_t{0});
  Dims start(p.operand.size(), 0);
  for (size_t k = 0; k < p.map.size(); ++k) {
    if (!implied) at[static_cast<size_t>(p.vector_dim)] = static_cast<int64_t>(k);
    start[static_cast<size_t>(p.map[k])] =
        p.index_values.data<int32_t>()[ElementNumber(p.indices, at)];
  }
  for (size_t k = 0; k < p.operand_batch.size(); ++k) {
    start[static_cast<size_t>(p.operand_batch[k])] = at[static_cast<size_t>(p.indices_batch[k])];
  }
  return start;
}

/// Calls f(place in the operand, place in the result or the updates): slice after slice. Starts
/// are moved, or slices skipped.
void ForEachSliceElement(const Problem& p, bool move,
                         const std::function<void(int64_t, int64_t)>& f) {
  Dims positions, window;
  for (size_t d = 0; d < p.result.size(); ++d) {
    (p.IsOffset(static_cast<int64_t>(d)) ? window : positions).push_back(p.result[d]);
  }
  ForEachIndex(positions, [&](const Dims& position) {
    Dims start = StartOf(p, position);
    bool inside = true;
    for (size_t d = 0; d < start.size(); ++d) {
      const int64_t last = p.operand[d] - p.slice_sizes[d];
      if (start[d] < 0 || start[d] > last) inside = false;
      start[d] = std::clamp<int64_t>(start[d], 0, last);
    }
    if (!inside && !move) return;
    ForEachIndex(window, [&](const Dims& offset) {
      Dims from = start, to;
      size_t w = 0, q = 0;
      for (size_t d = 0; d < from.size(); ++d) {
        if (!p.IsLeftOut(static_cast<int64_t>(d))) from[d] += offset[w++];
      }
      w = 0;
      for (size_t d = 0; d < p.result.size(); ++d) {
        to.push_back(p.IsOffset(static_cast<int64_t>(d)) ? offset[w++] : position[q++]);
      }
      f(ElementNumber(p.operand, from), ElementNumber(p.result, to));
    });
  });
}

Tensor EvalGather(const Problem& p, const Tensor& operand) {
  TestOp op{Opcode::kGather,
            {Shape::Array(kType, p.operand), Shape::Array(ElementType::kS32, p.indices)},
            {{"offset_dims", p.offset},
             {"collapsed_slice_dims", p.collapsed},
             {"start_index_map", p.map},
             {"operand_batching_dims", p.operand_batch},
             {"start_indices_batching_dims", p.indices_batch},
             {"index_vector_dim", p.vector_dim},
             {"slice_sizes", p.slice_sizes}},
            Shape::Array(kType, p.result)};
  CHECK(op.Inferred() == ShapeName(op.written));
  TestContext context;
  return op.Eval({operand, p.index_values}, context).tensor();
}

Tensor EvalScatter(const Problem& p, Tensor operand, const Tensor& updates,
                   RegionFunction* function) {
  const ScalarRegion region = ReducerOf(kType);
  TestOp op{Opcode::kScatter,
            {Shape::Array(kType, p.operand), Shape::Array(ElementType::kS32, p.indices),
             Shape::Array(kType, p.result)},
            {{"update_window_dims", p.offset},
             {"inserted_window_dims", p.collapsed},
             {"scatter_dims_to_operand_dims", p.map},
             {"input_batching_dims", p.operand_batch},
             {"scatter_indices_batching_dims", p.indices_batch},
             {"index_vector_dim", p.vector_dim},
             {"to_apply", static_cast<const Region*>(&region)}},
            Shape::Array(kType, p.operand)};
  CHECK(op.Inferred() == ShapeName(op.written));
  TestContext context(function);
  std::vector<Value> args;
  args.emplace_back(std::move(operand));
  args.emplace_back(p.index_values);
  args.emplace_back(updates);
  return op.Eval(std::move(args), context).tensor();
}

TEST_CASE("gather with random dimension numbers") {
  std::mt19937 random(1);
  for (int i = 0; i < 400; ++i) {
    const Problem p = RandomProblem(random, i % 10 == 0 ? 40 : 4);
    const Tensor operand = CountingTensor<int64_t>(p.operand, 100);
    std::vector<int64_t> expected(
        static_cast<size_t>(Tensor(kType, p.result, nullptr).element_count()));
    ForEachSliceElement(p, true, [&](int64_t from, int64_t to) {
      expected[static_cast<size_t>(to)] = operand.data<int64_t>()[from];
    });
    CHECK(ElementsOf<int64_t>(EvalGather(p, operand)) == expected);
  }
}

TEST_CASE("scatter with random dimension numbers: region, kernel, overwriting") {
  std::mt19937 random(2);
  for (int i = 0; i < 400; ++i) {
    const Problem p = RandomProblem(random, i % 10 == 0 ? 40 : 4);
    const Tensor updates = CountingTensor<int64_t>(p.result, 1);
    for (int way = 0; way < 3; ++way) {
      ScalarFunction<int64_t> combine(Combine), add(std::plus<int64_t>(), Opcode::kAdd);
      Overwrite overwrite;
      RegionFunction* const function = way == 0 ? &combine : way == 1 ? &add : &overwrite;
      std::vector<int64_t> expected = ElementsOf<int64_t>(CountingTensor<int64_t>(p.operand, 100));
      ForEachSliceElement(p, false, [&](int64_t to, int64_t from) {
        int64_t& place = expected[static_cast<size_t>(to)];
        const int64_t update = updates.data<int64_t>()[from];
        place = way == 0 ? Combine(place, update) : way == 1 ? place + update : update;
      });
      CHECK(ElementsOf<int64_t>(EvalScatter(p, CountingTensor<int64_t>(p.operand, 100), updates,
                                            function)) == expected);
    }
  }
}

/// n updates of single elements of an operand of `size`, at these places.
Problem Elements(int64_t size, const std::vector<int32_t>& places) {
  Problem p;
  p.operand = {size};
  p.indices = {static_cast<int64_t>(places.size())};
  p.slice_sizes = {1};
  p.result = p.indices;
  p.collapsed = {0};
  p.map = {0};
  p.vector_dim = 1;
  p.index_values = MakeTestTensor(p.indices, places);
  return p;
}

void CheckElements(int64_t size, const std::vector<int32_t>& places, int64_t most_applications) {
  const Problem p = Elements(size, places);
  const Tensor updates = CountingTensor<int64_t>(p.result, 1);
  std::vector<int64_t> expected(static_cast<size_t>(size), 7);
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i] < 0 || places[i] >= size) continue;
    int64_t& place = expected[static_cast<size_t>(places[i])];
    place = Combine(place, static_cast<int64_t>(i) + 1);
  }
  ScalarFunction<int64_t> function(Combine);
  Tensor operand = MakeTestTensor(Dims{size}, std::vector<int64_t>(static_cast<size_t>(size), 7));
  CHECK(ElementsOf<int64_t>(EvalScatter(p, std::move(operand), updates, &function)) == expected);
  CHECK(function.applications <= most_applications);
}

TEST_CASE("updates of single elements go in blocks, also where places repeat") {
  std::mt19937 random(3);
  std::vector<int32_t> different, few, one(5000, 3);
  for (int32_t i = 0; i < 20000; ++i) different.push_back((i * 7919) % 20011);
  for (int32_t i = 0; i < 20000; ++i) few.push_back(Below(random, 70) - 3);
  CheckElements(20011, different, 10);
  // 64 places and some outside: rounds of up to 64.
  CheckElements(64, few, 20000 / 20);
  CheckElements(4, one, 5000);
}

TEST_CASE("large slices: the region runs where the elements are") {
  Problem p;
  p.operand = {3, 100000};
  p.indices = {4};
  p.slice_sizes = {1, 70000};
  p.result = {4, 70000};
  p.offset = {1};
  p.collapsed = {0};
  p.map = {0};
  p.vector_dim = 1;
  p.index_values = MakeTestTensor<int32_t>(p.indices, {0, 2, 3, 0});
  const Tensor updates = CountingTensor<int64_t>(p.result, 1);
  std::vector<int64_t> expected = ElementsOf<int64_t>(CountingTensor<int64_t>(p.operand, 0));
  ForEachSliceElement(p, false, [&](int64_t to, int64_t from) {
    int64_t& place = expected[static_cast<size_t>(to)];
    place = Combine(place, updates.data<int64_t>()[from]);
  });
  ScalarFunction<int64_t> function(Combine);
  CHECK(ElementsOf<int64_t>(
            EvalScatter(p, CountingTensor<int64_t>(p.operand, 0), updates, &function)) == expected);
  CHECK(function.applications <= 6);
}

TEST_CASE("an operand that nobody else holds is updated in place") {
  const Problem p = Elements(4, {1, 2});
  const Tensor updates = CountingTensor<int64_t>(p.result, 1);
  ScalarFunction<int64_t> function(Combine);
  Tensor operand = CountingTensor<int64_t>(p.operand, 0);
  const std::byte* const bytes = operand.bytes();
  const Tensor result = EvalScatter(p, std::move(operand), updates, &function);
  CHECK(result.bytes() == bytes);
  const Tensor kept = result;
  const Tensor other = EvalScatter(p, result, updates, &function);
  CHECK(other.bytes() != bytes);
  CHECK(ElementsOf<int64_t>(kept) == std::vector<int64_t>{0, 2, 4, 3});
}

}  // namespace
}  // namespace hlo
