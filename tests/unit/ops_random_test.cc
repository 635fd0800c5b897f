// Random bits and numbers: whole arrays against the words written one by one, and what numbers look
// like in the mean.
#include <cmath>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "doctest/doctest.h"
#include "engine/kernels/random_bits.h"
#include "engine/ops/op_def.h"
#include "engine/ops/random/random_eval.h"
#include "tests/unit/op_runner.h"

namespace hlo {
namespace {

constexpr uint64_t kKey = 0x0123456789abcdef;

TEST_CASE("kernels: a block does not depend on how many are made") {
  constexpr int kBlocks = 37;
  std::vector<uint32_t> words(4 * kBlocks), first(kBlocks), second(kBlocks);
  // The counters run over 2^64 on the way.
  const uint64_t start = ~uint64_t{0} - 11;
  PhiloxBlocks(kKey, start, 5, kBlocks, words.data());
  ThreeFryBlocks(kKey, start, kBlocks, first.data(), second.data());
  for (uint64_t n = 0; n < kBlocks; ++n) {
    uint32_t block[4], x0 = 0, x1 = 0;
    const uint64_t low = start + n;
    PhiloxBlocks(kKey, low, low < start ? 6 : 5, 1, block);
    ThreeFryBlocks(kKey, low, 1, &x0, &x1);
    for (size_t i = 0; i < 4; ++i) CHECK(words[4 * n + i] == block[i]);
    CHECK(first[n] == x0);
    CHECK(second[n] == x1);
  }
}

Value RunGenerator(int64_t algorithm, const Dims& dims, ElementType type, int64_t state_words) {
  const Shape state = Shape::Array(ElementType::kU64, {state_words});
  const TestOp op{.opcode = Opcode::kRngBitGenerator,
                  .operands = {state},
                  .attrs = {{"algorithm", algorithm}},
                  .written = Shape::Tuple({state, Shape::Array(type, dims)})};
  std::vector<uint64_t> state_value = {kKey, 99, 3};
  state_value.resize(static_cast<size_t>(state_words));
  Tensor words = MakeTestTensor<uint64_t>({state_words}, state_value);
  TestContext context;
  return op.Eval({words}, context);
}

TEST_CASE("rng-bit-generator: ThreeFry pairs neighbours of the chosen dimension") {
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    Dims dims;
    const int rank = static_cast<int>(random() % 4);
    int64_t count = 1;
    for (int d = 0; d < rank; ++d) {
      dims.push_back(static_cast<int64_t>(random() % 21));
      count *= dims.back();
    }
    // The dimension, by the words of the rule.
    int split = -1;
    for (int d = 0; d < rank && split < 0; ++d) {
      if (dims[static_cast<size_t>(d)] % 2 == 0) split = d;
    }
    for (int d = 0; split < 0 && d < rank; ++d) {
      bool is_largest = true;
      for (int64_t other : dims) is_largest &= other <= dims[static_cast<size_t>(d)];
      if (is_largest) split = d;
    }
    const Value result = RunGenerator(1, dims, ElementType::kU32, 2);
    const uint32_t* bits = result.elements()[1].tensor().data<uint32_t>();
    uint64_t blocks = 0;
    for (int64_t i = 0; i < count; ++i) {
      // The element's index along the dimension, and its place in the halved array.
      int64_t inner = 1;
      for (int d = split + 1; split >= 0 && d < rank; ++d) inner *= dims[static_cast<size_t>(d)];
      const int64_t size = split < 0 ? 1 : dims[static_cast<size_t>(split)];
      const int64_t at = i / inner % size;
      const int64_t half = (size + 1) / 2;
      const int64_t block = (i / (inner * size) * half + at / 2) * inner + i % inner;
      uint32_t pair[2];
      ThreeFryBlocks(kKey, 99 + static_cast<uint64_t>(block), 1, &pair[0], &pair[1]);
      REQUIRE(bits[i] == pair[at % 2]);
      blocks = std::max(blocks, static_cast<uint64_t>(block) + 1);
    }
    CHECK(result.elements()[0].tensor().data<uint64_t>()[1] == 99 + blocks);
  }
}

TEST_CASE("rng-bit-generator: arrays longer than a buffer") {
  const Dims dims{3, 4099};
  for (ElementType type : {ElementType::kU8, ElementType::kU16, ElementType::kU32}) {
    const Value result = RunGenerator(2, dims, type, 3);
    const Tensor& bits = result.elements()[1].tensor();
    std::vector<uint32_t> words(4 * 3075);
    PhiloxBlocks(kKey, 99, 3, 3075, words.data());
    const size_t width = static_cast<size_t>(BytesOf(type));
    for (size_t i = 0; i < 3 * 4099; ++i) {
      REQUIRE(std::memcmp(bits.bytes() + i * width, &words[i], width) == 0);
    }
    CHECK(result.elements()[0].tensor().data<uint64_t>()[1] == 99 + 3075);
  }
}

Tensor RunRng(ElementType type, int64_t distribution, const Dims& dims, Tensor a, Tensor b) {
  const TestOp op{.opcode = Opcode::kRng,
                  .operands = {Shape::Scalar(type), Shape::Scalar(type)},
                  .attrs = {{"distribution", distribution}},
                  .written = Shape::Array(type, dims)};
  TestContext context;
  return op.Eval({std::move(a), std::move(b)}, context).tensor();
}

TEST_CASE("rng: mean and deviation of many numbers") {
  constexpr int64_t kCount = 200'001;
  for (int64_t distribution : {0, 1}) {
    const Tensor numbers =
        RunRng(ElementType::kF32, distribution, {kCount}, Tensor::Scalar<float>(2),
               Tensor::Scalar<float>(distribution == 0 ? 8 : 3));
    double sum = 0, squares = 0;
    for (float x : ElementsOf<float>(numbers)) {
      sum += x;
      squares += static_cast<double>(x) * x;
      if (distribution == 0) REQUIRE((x >= 2 && x < 8));
    }
    const double mean = sum / kCount;
    CHECK(mean == doctest::Approx(distribution == 0 ? 5 : 2).epsilon(0.01));
    CHECK(std::sqrt(squares / kCount - mean * mean) ==
          doctest::Approx(distribution == 0 ? std::sqrt(3.0) : 3).epsilon(0.01));
  }
}

TEST_CASE("rng: every integer of an interval comes up, and no other") {
  const Tensor numbers =
      RunRng(ElementType::kS64, 0, {5000}, Tensor::Scalar<int64_t>(-3), Tensor::Scalar<int64_t>(9));
  std::set<int64_t> seen;
  for (int64_t x : ElementsOf<int64_t>(numbers)) seen.insert(x);
  CHECK(seen.size() == 12);
  CHECK(*seen.begin() == -3);
  CHECK(*seen.rbegin() == 8);
}

TEST_CASE("rng: an interval between neighbours has its lower bound only") {
  const float low = 1, high = std::nextafter(1.0f, 2.0f);
  const Tensor numbers =
      RunRng(ElementType::kF32, 0, {100}, Tensor::Scalar(low), Tensor::Scalar(high));
  for (float x : ElementsOf<float>(numbers)) REQUIRE(x == low);
}

}  // namespace
}  // namespace hlo
