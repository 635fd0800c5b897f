// The matrix kernel and the contraction against sums written out.
#include <array>
#include <complex>
#include <cstdint>
#include <random>
#include <vector>

#include "doctest/doctest.h"
#include "engine/kernels/dot_matmul.h"
#include "engine/ops/products/contraction.h"
#include "engine/types/convert.h"
#include "tests/unit/op_runner.h"

namespace hlo {
namespace {

template <typename T>
T SmallNumber(std::mt19937& random) {
  return static_cast<T>(static_cast<int>(random() % 17) - 8);
}
template <>
std::complex<float> SmallNumber(std::mt19937& random) {
  return {SmallNumber<float>(random), SmallNumber<float>(random)};
}
template <>
std::complex<double> SmallNumber(std::mt19937& random) {
  return {SmallNumber<double>(random), SmallNumber<double>(random)};
}

template <typename T>
void CompareProducts() {
  std::mt19937 random(5);
  Budget budget;
  // Around the sizes of the register block, the strips, the panel and the depth.
  const std::array<int64_t, 3> sizes[] = {{1, 1, 1},   {1, 7, 5},   {5, 3, 1},    {8, 300, 3},
                                          {17, 5, 2},  {4, 8, 8},   {7, 13, 11},  {1, 9, 40},
                                          {3, 0, 4},   {0, 3, 5},   {3, 2, 0},    {2, 2, 261},
                                          {9, 257, 9}, {5, 520, 7}, {1, 3, 1030}, {33, 300, 270}};
  for (const auto& size : sizes) {
    const int64_t m = size[0], k = size[1], n = size[2];
    std::vector<T> a(static_cast<size_t>(m * k)), b(static_cast<size_t>(k * n));
    for (T& x : a) x = SmallNumber<T>(random);
    for (T& x : b) x = SmallNumber<T>(random);
    std::vector<T> c(static_cast<size_t>(m * n), T(99)), expected(c.size());
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        T sum{};
        for (int64_t p = 0; p < k; ++p) {
          sum += a[static_cast<size_t>(i * k + p)] * b[static_cast<size_t>(p * n + j)];
        }
        expected[static_cast<size_t>(i * n + j)] = sum;
      }
    }
    MultiplyMatrices(a.data(), b.data(), c.data(), m, k, n, &budget);
    CAPTURE(m);
    CAPTURE(k);
    CAPTURE(n);
    CHECK((c == expected));
  }
}

TEST_CASE("products of matrices of every size class") {
  CompareProducts<float>();
  CompareProducts<double>();
  CompareProducts<uint32_t>();
  CompareProducts<uint64_t>();
  CompareProducts<std::complex<float>>();
  CompareProducts<std::complex<double>>();
}

TEST_CASE("sums go in ascending order, whatever the blocking") {
  // 2^24 + 1 is not an f32: in this order every 1 is lost, in any other one some are not.
  Budget budget;
  const int64_t k = 600;
  std::vector<float> a(4 * k, 1.0f), b(k * 8, 1.0f), c(4 * 8);
  for (int64_t r = 0; r < 4; ++r) a[static_cast<size_t>(r * k)] = 16777216.0f;
  MultiplyMatrices(a.data(), b.data(), c.data(), 4, k, 8, &budget);
  for (float x : c) CHECK(x == 16777216.0f);
}

TEST_CASE("infinities and NaN are not lost in the padding of a block") {
  Budget budget;
  const float inf = std::numeric_limits<float>::infinity();
  std::vector<float> a(2 * 3, inf), b(3 * 5, 1.0f), c(2 * 5);
  MultiplyMatrices(a.data(), b.data(), c.data(), 2, 3, 5, &budget);
  for (float x : c) CHECK(x == inf);
}

/// The contraction written out, in complex double; dims of the result: batch, lhs free, rhs free.
std::vector<std::complex<double>> SlowContract(const Tensor& lhs, const Tensor& rhs,
                                               const DotDims& dims) {
  auto value = [](const Tensor& t, const Dims& index) {
    int64_t offset = 0;
    for (int d = 0; d < t.rank(); ++d) offset = offset * t.dim(d) + index[static_cast<size_t>(d)];
    return t.data<std::complex<double>>()[offset];
  };
  Dims lhs_free = FreeDims(lhs.rank(), dims.lhs_batch, dims.lhs_contracting);
  Dims rhs_free = FreeDims(rhs.rank(), dims.rhs_batch, dims.rhs_contracting);
  // Loop bounds: batch, lhs free, rhs free, contracting.
  Dims bounds;
  for (int64_t d : dims.lhs_batch) bounds.push_back(lhs.dim(static_cast<int>(d)));
  for (int64_t d : lhs_free) bounds.push_back(lhs.dim(static_cast<int>(d)));
  for (int64_t d : rhs_free) bounds.push_back(rhs.dim(static_cast<int>(d)));
  int64_t results = 1, terms = 1;
  for (int64_t size : bounds) results *= size;
  for (int64_t d : dims.lhs_contracting) terms *= lhs.dim(static_cast<int>(d));
  std::vector<std::complex<double>> out(static_cast<size_t>(results));
  Dims i(static_cast<size_t>(lhs.rank())), j(static_cast<size_t>(rhs.rank()));
  for (int64_t r = 0; r < results; ++r) {
    int64_t rest = r;
    auto take = [&](Dims* index, int64_t d, int64_t size) {
      (*index)[static_cast<size_t>(d)] = rest % size;
      rest /= size;
    };
    for (size_t x = rhs_free.size(); x-- > 0;)
      take(&j, rhs_free[x], rhs.dim(static_cast<int>(rhs_free[x])));
    for (size_t x = lhs_free.size(); x-- > 0;)
      take(&i, lhs_free[x], lhs.dim(static_cast<int>(lhs_free[x])));
    for (size_t x = dims.lhs_batch.size(); x-- > 0;) {
      take(&i, dims.lhs_batch[x], lhs.dim(static_cast<int>(dims.lhs_batch[x])));
      j[static_cast<size_t>(dims.rhs_batch[x])] = i[static_cast<size_t>(dims.lhs_batch[x])];
    }
    for (int64_t t = 0; t < terms; ++t) {
      rest = t;
      for (size_t x = dims.lhs_contracting.size(); x-- > 0;) {
        take(&i, dims.lhs_contracting[x], lhs.dim(static_cast<int>(dims.lhs_contracting[x])));
        j[static_cast<size_t>(dims.rhs_contracting[x])] =
            i[static_cast<size_t>(dims.lhs_contracting[x])];
      }
      out[static_cast<size_t>(r)] += value(lhs, i) * value(rhs, j);
    }
  }
  return out;
}

/// Small integers, so that every type is exact.
Tensor RandomFactor(const Dims& dims, std::mt19937& random) {
  return RandomTensor<std::complex<double>>(dims, 0, 3, random);
}

Tensor Converted(const Tensor& tensor, ElementType type) {
  Tensor result(type, tensor.dims(), nullptr);
  ConvertElements(tensor.element_type(), tensor.bytes(), type, result.mutable_bytes(),
                  tensor.element_count());
  return result;
}

TEST_CASE("general contractions of every type are the sums written out") {
  std::mt19937 random(6);
  Budget budget;
  const struct {
    Dims lhs, rhs;
    DotDims dims;
  } cases[] = {
      {{2, 3}, {3, 2}, {{}, {1}, {}, {0}}},
      {{3, 2}, {3, 2}, {{}, {0}, {}, {0}}},
      {{2, 3}, {2, 3}, {{}, {0, 1}, {}, {0, 1}}},
      {{2, 3}, {3, 2}, {{}, {1, 0}, {}, {0, 1}}},
      {{2, 3, 4}, {4, 2, 5}, {{0}, {2}, {1}, {0}}},
      {{2, 3, 2, 2}, {2, 2, 3, 2}, {{2, 0}, {1}, {0, 3}, {2}}},
      {{3}, {4}, {{}, {}, {}, {}}},
      {{2, 3}, {3, 2}, {{0, 1}, {}, {1, 0}, {}}},
  };
  for (const auto& c : cases) {
    Tensor lhs = RandomFactor(c.lhs, random), rhs = RandomFactor(c.rhs, random);
    std::vector<std::complex<double>> expected = SlowContract(lhs, rhs, c.dims);
    for (ElementType type :
         {ElementType::kF32, ElementType::kF64, ElementType::kBF16, ElementType::kF16,
          ElementType::kS8, ElementType::kU8, ElementType::kS16, ElementType::kU32,
          ElementType::kS64, ElementType::kU64, ElementType::kC64, ElementType::kC128}) {
      Tensor result = Contract(Converted(lhs, type), Converted(rhs, type), c.dims, type, &budget);
      CAPTURE(Text(type));
      CHECK(result.element_type() == type);
      CHECK((ElementsOf<std::complex<double>>(Converted(result, ElementType::kC128)) == expected));
    }
  }
}

TEST_CASE("the operands take the type of the result first, and integers wrap") {
  Budget budget;
  DotDims dims{{}, {0}, {}, {0}};
  Tensor bytes = MakeTestTensor<int8_t>({2}, {100, 100});
  CHECK(Contract(bytes, bytes, dims, ElementType::kS8, &budget).data<int8_t>()[0] == 32);
  CHECK(Contract(bytes, bytes, dims, ElementType::kS32, &budget).data<int32_t>()[0] == 20000);
  // 300.7 becomes 300 in s16 and 127 in s8.
  Tensor numbers = MakeTestTensor<float>({1}, {300.7f});
  Tensor one = MakeTestTensor<float>({1}, {1.0f});
  CHECK(Contract(numbers, one, dims, ElementType::kS16, &budget).data<int16_t>()[0] == 300);
  CHECK(Contract(numbers, one, dims, ElementType::kS8, &budget).data<int8_t>()[0] == 127);
  Tensor words = MakeTestTensor<uint64_t>({2}, {uint64_t{1} << 63, 3});
  CHECK(Contract(words, words, dims, ElementType::kU64, &budget).data<uint64_t>()[0] == 9);
}

TEST_CASE("narrow floats are summed in f32") {
  Budget budget;
  DotDims dims{{}, {0}, {}, {0}};
  Tensor a =
      MakeTestTensor<BF16>({5}, {BF16(256.0f), BF16(1.0f), BF16(1.0f), BF16(1.0f), BF16(1.0f)});
  Tensor ones = MakeTestTensor<BF16>({5}, std::vector<BF16>(5, BF16(1.0f)));
  Tensor sum = Contract(a, ones, dims, ElementType::kBF16, &budget);
  CHECK(static_cast<float>(sum.data<BF16>()[0]) == 260.0f);
}

TEST_CASE("dot says what does not fit") {
  auto dot = [](Shape a, Shape b, std::vector<std::pair<std::string_view, AttrValue>> attrs) {
    return TestOp{Opcode::kDot, {a, b}, std::move(attrs), {}, false}.Inferred();
  };
  Shape a = Shape::Array(ElementType::kBF16, {2, 3});
  Shape b = Shape::Array(ElementType::kF32, {3, 4});
  CHECK(dot(a, b, {{"lhs_contracting_dims", Dims{1}}, {"rhs_contracting_dims", Dims{0}}}) ==
        "f32[2,4]");
  CHECK(dot(a, b, {{"lhs_contracting_dims", Dims{0}}, {"rhs_contracting_dims", Dims{0}}})
            .find("Contracting dimension sizes are not compatible. Dimension 0 of the lhs has size "
                  "2, dimension 0 of the rhs 3") != std::string::npos);
  CHECK(
      dot(a, b, {{"lhs_contracting_dims", Dims{1}}})
          .find(
              "Must specify the same number of contracting dimensions for lhs and rhs. 1 and 0") !=
      std::string::npos);
  CHECK(dot(a, a,
            {{"lhs_batch_dims", Dims{0}},
             {"rhs_batch_dims", Dims{0}},
             {"lhs_contracting_dims", Dims{0}},
             {"rhs_contracting_dims", Dims{1}}})
            .find("A dimension number is not unique in Dot: 0 of the lhs") != std::string::npos);
}

}  // namespace
}  // namespace hlo
