// sort and topk against a plain sort of each line, by keys and by blocks of comparisons.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/base/bits.h"
#include "engine/ops/op_def.h"
#include "engine/ops/sorting/comparator.h"
#include "engine/ops/sorting/sorting.h"
#include "tests/unit/compiled_region.h"
#include "tests/unit/op_runner.h"

namespace hlo {
namespace {

/// The comparator `f` of a program. Its keys can be hidden, so that it is asked.
struct CompiledComparator : CompiledRegion {
  explicit CompiledComparator(const std::string& text) : CompiledRegion(text) {
    REQUIRE(function != nullptr);
  }
  const ComparatorKeys* Keys() { return function->Keys(); }
};

class Asked : public RegionFunction {
 public:
  explicit Asked(RegionFunction* function) : function_(function) {}
  void Apply(int64_t n, std::span<const std::byte* const> args,
             std::span<std::byte* const> results) override {
    function_->Apply(n, args, results);
    comparisons += n;
    ++calls;
  }
  int64_t comparisons = 0;
  int64_t calls = 0;

 private:
  RegionFunction* function_;
};

std::vector<Tensor> Sort(const std::vector<Tensor>& operands, int64_t dimension,
                         const Region& region, RegionFunction* function) {
  TestContext context(function);
  TestOp op{Opcode::kSort, {}, {{"dimensions", Dims{dimension}}, {"to_apply", &region}}, {}};
  std::vector<Value> values;
  for (const Tensor& operand : operands) {
    op.operands.push_back(Shape::Array(operand.element_type(), operand.dims()));
    values.emplace_back(operand);
  }
  op.written = operands.size() == 1 ? op.operands[0] : Shape::Tuple(op.operands);
  Value result = op.Eval(values, context);
  if (!result.is_tuple()) return {result.tensor()};
  std::vector<Tensor> results;
  for (const Value& value : result.elements()) results.push_back(value.tensor());
  return results;
}

/// Where the elements of each line of `dims` come from, as numbers of elements.
std::vector<int64_t> SlowOrder(const Dims& dims, int64_t dimension,
                               const std::function<bool(int64_t, int64_t)>& less) {
  int64_t count = 1, stride = 1;
  for (size_t d = dims.size(); d-- > 0;) {
    if (static_cast<int64_t>(d) > dimension) stride *= dims[d];
    count *= dims[d];
  }
  const int64_t length = dims[static_cast<size_t>(dimension)];
  std::vector<int64_t> order(static_cast<size_t>(count));
  for (int64_t first = 0; first < count; ++first) {
    if (first / stride % length != 0) continue;
    std::vector<int64_t> line;
    for (int64_t i = 0; i < length; ++i) line.push_back(first + i * stride);
    std::stable_sort(line.begin(), line.end(), less);
    for (int64_t i = 0; i < length; ++i) {
      order[static_cast<size_t>(first + i * stride)] = line[static_cast<size_t>(i)];
    }
  }
  return order;
}

/// Numbers on both sides of 0.
template <typename T>
Tensor RandomKeys(const Dims& dims, int distinct, std::mt19937& random) {
  return RandomTensor<T>(dims, -(distinct / 2), distinct, random);
}

struct SortCase {
  Dims dims;
  int64_t dimension;
};
const SortCase kSortCases[] = {
    {{1}, 0},       {{2}, 0},       {{3}, 0},        {{17}, 0},      {{1000}, 0},
    {{5000}, 0},    {{70000}, 0},   {{40, 3}, 0},    {{3, 40}, 1},   {{5, 6, 7}, 1},
    {{300, 33}, 0}, {{33, 300}, 1}, {{900, 90}, 1},  {{2, 1025}, 1}, {{4, 3, 2, 5}, 2},
    {{2, 0}, 0},    {{0, 4}, 1},    {{1, 30000}, 1}, {{2000, 5}, 1}, {{7, 1}, 1},
};

/// Sorts keys of T with their numbers, by keys and by asking, and compares with a plain sort.
template <typename T>
void CompareWithPlainSort(const std::string& type, const std::string& direction, bool total,
                          int distinct) {
  CAPTURE(type);
  CAPTURE(direction);
  CompiledComparator comparator(
      "f { a = " + type + "[] parameter(0)  b = " + type +
      "[] parameter(1)  i = s32[] parameter(2)  j = s32[] parameter(3)\n" +
      "ROOT c = pred[] compare(a, b), direction=" + direction +
      (total ? ", type=TOTALORDER }" : " }"));
  REQUIRE(comparator.Keys() != nullptr);
  std::mt19937 random(11);
  for (const SortCase& c : kSortCases) {
    const Tensor keys = RandomKeys<T>(c.dims, distinct, random);
    const Tensor numbers = CountingTensor<int32_t>(c.dims);
    const auto value = [&](int64_t i) { return static_cast<double>(keys.data<T>()[i]); };
    const auto order = SlowOrder(c.dims, c.dimension, [&](int64_t i, int64_t j) {
      const double x = value(i), y = value(j);
      if (total && x == 0 && y == 0) {
        return direction == "LT" ? std::signbit(x) > std::signbit(y)
                                 : std::signbit(x) < std::signbit(y);
      }
      return direction == "LT" ? x < y : x > y;
    });
    Asked asked(comparator.function.get());
    for (RegionFunction* function :
         {comparator.function.get(), static_cast<RegionFunction*>(&asked)}) {
      const auto sorted = Sort({keys, numbers}, c.dimension, *comparator.region, function);
      bool good = true;
      for (size_t i = 0; i < order.size(); ++i) {
        good &= sorted[1].data<int32_t>()[i] == static_cast<int32_t>(order[i]);
        good &= std::memcmp(sorted[0].data<T>() + i, keys.data<T>() + order[i], sizeof(T)) == 0;
      }
      CHECK(good);
    }
  }
}

TEST_CASE("sort: every type, by keys and by asking") {
  CompareWithPlainSort<float>("f32", "LT", false, 100);
  CompareWithPlainSort<float>("f32", "GT", true, 100000);
  CompareWithPlainSort<double>("f64", "GT", false, 1000);
  CompareWithPlainSort<double>("f64", "LT", true, 1000000);
  CompareWithPlainSort<BF16>("bf16", "LT", false, 300);
  CompareWithPlainSort<F16>("f16", "GT", true, 3000);
  CompareWithPlainSort<F8E4M3FN>("f8e4m3fn", "LT", true, 500);
  CompareWithPlainSort<F8E5M2FNUZ>("f8e5m2fnuz", "GT", false, 500);
  CompareWithPlainSort<F4E2M1FN>("f4e2m1fn", "LT", true, 12);
  CompareWithPlainSort<int8_t>("s8", "GT", false, 200);
  CompareWithPlainSort<uint16_t>("u16", "LT", false, 60000);
  CompareWithPlainSort<int32_t>("s32", "LT", false, 1000000);
  CompareWithPlainSort<uint32_t>("u32", "GT", false, 1000);
  CompareWithPlainSort<int64_t>("s64", "GT", false, 1 << 30);
}

TEST_CASE("sort: unsigned 64-bit keys beyond the signed ones, and sub-byte integers") {
  CompiledComparator wide(
      "f { a = u64[] parameter(0)  b = u64[] parameter(1)\n"
      "ROOT c = pred[] compare(a, b), direction=LT }");
  const std::vector<uint64_t> x = {~uint64_t{0}, 5, uint64_t{1} << 63, 0, ~uint64_t{0} - 1};
  const auto sorted =
      Sort({MakeTestTensor<uint64_t>({5}, x)}, 0, *wide.region, wide.function.get());
  CHECK(ElementsOf<uint64_t>(sorted[0]) ==
        std::vector<uint64_t>{0, 5, uint64_t{1} << 63, ~uint64_t{0} - 1, ~uint64_t{0}});
  CompiledComparator narrow(
      "f { a = s2[] parameter(0)  b = s2[] parameter(1)\n"
      "ROOT c = pred[] compare(a, b), direction=LT }");
  const auto s2 = Sort({MakeTestTensor<S2>({4}, {S2(1), S2(-2), S2(0), S2(-1)})}, 0, *narrow.region,
                       narrow.function.get());
  for (int i = 0; i < 4; ++i) CHECK(s2[0].data<S2>()[i].value() == i - 2);
}

TEST_CASE("sort: NaNs and zeros of either sign have their places in the total order") {
  CompiledComparator comparator(
      "f { a = f32[] parameter(0)  b = f32[] parameter(1)\n"
      "ROOT c = pred[] compare(a, b), direction=LT, type=TOTALORDER }");
  std::mt19937 random(3);
  std::vector<uint32_t> bits(3000);
  for (uint32_t& x : bits) x = static_cast<uint32_t>(random()) | (random() % 2 ? 0x7F800000u : 0u);
  Tensor tensor(ElementType::kF32, Dims{3000}, nullptr);
  std::memcpy(tensor.mutable_bytes(), bits.data(), 12000);
  // Sign and magnitude, written out.
  std::sort(bits.begin(), bits.end(), [](uint32_t a, uint32_t b) {
    if ((a >> 31) != (b >> 31)) return (a >> 31) > (b >> 31);
    return (a >> 31) != 0 ? a > b : a < b;
  });
  Asked asked(comparator.function.get());
  for (RegionFunction* function :
       {comparator.function.get(), static_cast<RegionFunction*>(&asked)}) {
    const auto sorted = Sort({tensor}, 0, *comparator.region, function);
    CHECK(std::memcmp(sorted[0].bytes(), bits.data(), 12000) == 0);
  }
}

TEST_CASE("sort: a comparator that holds for equals turns them round, however it is run") {
  for (const char* direction : {"LE", "GE"}) {
    CompiledComparator comparator(std::string("f { a = s32[] parameter(0)  b = s32[] parameter(1)\n"
                                              "i = s32[] parameter(2)  j = s32[] parameter(3)\n"
                                              "ROOT c = pred[] compare(a, b), direction=") +
                                  direction + " }");
    REQUIRE(comparator.Keys() != nullptr);
    CHECK(comparator.Keys()->reverses_equals);
    std::mt19937 random(5);
    for (const SortCase& c : kSortCases) {
      const Tensor keys = RandomKeys<int32_t>(c.dims, 5, random);
      Asked asked(comparator.function.get());
      const auto by_keys = Sort({keys, CountingTensor<int32_t>(c.dims)}, c.dimension,
                                *comparator.region, comparator.function.get());
      const auto by_asking =
          Sort({keys, CountingTensor<int32_t>(c.dims)}, c.dimension, *comparator.region, &asked);
      CHECK(ElementsOf<int32_t>(by_keys[1]) == ElementsOf<int32_t>(by_asking[1]));
    }
  }
}

/// Any bits, with zeros, infinities and NaNs of both signs among them.
template <typename T>
Tensor RandomBits(ElementType type, const Dims& dims, std::mt19937& random) {
  Tensor tensor(type, dims, nullptr);
  constexpr size_t kBytes = sizeof(T);
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    uint64_t bits = uint64_t{random()} << 32 | random();
    // An exponent of ones alone, or of zeros.
    if (random() % 3 == 0) bits &= uint64_t{0x8080808080808080};
    if (random() % 3 == 0) bits |= uint64_t{0x7F7F7F7F7F7F7F7F};
    if (IsSubByte(type)) bits &= 15;
    std::memcpy(tensor.mutable_bytes() + static_cast<size_t>(i) * kBytes, &bits, kBytes);
  }
  return tensor;
}

/// Elements that are sorted alone are those that are sorted with their numbers, to the last bit.
template <typename T>
void CompareAlone(ElementType type, const std::string& order) {
  const std::string name(Text(type));
  CAPTURE(name);
  CAPTURE(order);
  const std::string both = "a = " + name + "[] parameter(0)  b = " + name + "[] parameter(1)\n";
  const std::string numbers = "i = s32[] parameter(2)  j = s32[] parameter(3)\n";
  const std::string root = "ROOT c = pred[] compare(a, b), direction=" + order + " }";
  CompiledComparator alone("f { " + both + root), counted("f { " + both + numbers + root);
  std::mt19937 random(23);
  for (const SortCase& c : kSortCases) {
    const Tensor keys = RandomBits<T>(type, c.dims, random);
    const auto sorted = Sort({keys}, c.dimension, *alone.region, alone.function.get());
    const auto expected = Sort({keys, CountingTensor<int32_t>(c.dims)}, c.dimension,
                               *counted.region, counted.function.get());
    CHECK(std::memcmp(sorted[0].bytes(), expected[0].bytes(),
                      static_cast<size_t>(keys.element_count()) * sizeof(T)) == 0);
  }
}

TEST_CASE("sort: elements alone, where zeros and NaNs that differ are equal") {
  for (const std::string order : {"LT", "GT", "LE", "GE"}) {
    CompareAlone<float>(ElementType::kF32, order);
    CompareAlone<double>(ElementType::kF64, order);
    CompareAlone<uint16_t>(ElementType::kBF16, order);
    CompareAlone<uint16_t>(ElementType::kF16, order);
    CompareAlone<uint8_t>(ElementType::kF8E5M2, order);
    CompareAlone<uint8_t>(ElementType::kF8E4M3FNUZ, order);
    CompareAlone<uint8_t>(ElementType::kF6E3M2FN, order);
    CompareAlone<uint8_t>(ElementType::kF4E2M1FN, order);
    CompareAlone<int8_t>(ElementType::kS8, order);
    CompareAlone<uint16_t>(ElementType::kU16, order);
    CompareAlone<int32_t>(ElementType::kS32, order);
    CompareAlone<uint64_t>(ElementType::kU64, order);
    CompareAlone<int64_t>(ElementType::kS64, order);
  }
  for (const std::string order : {"LT, type=TOTALORDER", "GE, type=TOTALORDER"}) {
    CompareAlone<float>(ElementType::kF32, order);
    CompareAlone<double>(ElementType::kF64, order);
    CompareAlone<uint16_t>(ElementType::kBF16, order);
    CompareAlone<uint8_t>(ElementType::kF8E4M3FNUZ, order);
    CompareAlone<uint8_t>(ElementType::kF8E8M0FNU, order);
    CompareAlone<uint8_t>(ElementType::kF6E2M3FN, order);
    CompareAlone<uint8_t>(ElementType::kF4E2M1FN, order);
  }
}

/// The comparator that JAX writes for floats, with the direction of its last comparison.
std::string CanonicalOrder(const std::string& type, const std::string& nan,
                           const std::string& direction, bool has_numbers) {
  const auto side = [&](const std::string& x) {
    return "n" + x + " = pred[] compare(" + x + ", " + x + "), direction=NE\n z" + x +
           " = pred[] compare(" + x + ", zero), direction=EQ\n s" + x + " = " + type +
           "[] select(z" + x + ", zero, " + x + ")\n k" + x + " = " + type + "[] select(n" + x +
           ", last, s" + x + ")\n";
  };
  return "f { a = " + type + "[] parameter(0)  b = " + type + "[] parameter(1)\n" +
         (has_numbers ? "i = s32[] parameter(2)  j = s32[] parameter(3)\n" : "") +
         "zero = " + type + "[] constant(0)  last = " + type + "[] constant(" + nan + ")\n" +
         side("a") + side("b") + "ROOT c = pred[] compare(ka, kb), direction=" + direction +
         ", type=TOTALORDER }";
}

template <typename T>
void CompareCanonical(ElementType type, const std::string& nan, const std::string& direction) {
  const std::string name(Text(type));
  CAPTURE(name);
  CAPTURE(nan);
  CAPTURE(direction);
  CompiledComparator alone(CanonicalOrder(name, nan, direction, false));
  CompiledComparator counted(CanonicalOrder(name, nan, direction, true));
  REQUIRE(counted.Keys() != nullptr);
  // Upwards with NaNs at the end nothing has to be computed.
  const bool is_last = nan == "nan" && (direction == "LT" || direction == "LE");
  CHECK((counted.Keys()->compute == nullptr) == is_last);
  std::mt19937 random(29);
  for (const SortCase& c : kSortCases) {
    const Tensor keys = RandomBits<T>(type, c.dims, random);
    Asked asked(counted.function.get());
    const std::vector<Tensor> operands = {keys, CountingTensor<int32_t>(c.dims)};
    const auto expected = Sort(operands, c.dimension, *counted.region, &asked);
    const auto by_keys = Sort(operands, c.dimension, *counted.region, counted.function.get());
    const auto by_itself = Sort({keys}, c.dimension, *alone.region, alone.function.get());
    const auto bytes = static_cast<size_t>(keys.element_count()) * sizeof(T);
    CHECK(ElementsOf<int32_t>(by_keys[1]) == ElementsOf<int32_t>(expected[1]));
    CHECK(std::memcmp(by_itself[0].bytes(), expected[0].bytes(), bytes) == 0);
  }
}

TEST_CASE("sort: floats with zeros and NaNs made alike are sorted as they are") {
  for (const std::string direction : {"LT", "LE", "GT"}) {
    for (const std::string nan : {"nan", "-nan"}) {
      CompareCanonical<float>(ElementType::kF32, nan, direction);
      CompareCanonical<double>(ElementType::kF64, nan, direction);
      CompareCanonical<uint16_t>(ElementType::kBF16, nan, direction);
      CompareCanonical<uint16_t>(ElementType::kF16, nan, direction);
    }
  }
}

// The comparator that JAX writes for complex numbers: zeros and NaNs made alike, two keys.
const char* const kComplexOrder = R"(f {
  a = c64[] parameter(0)
  b = c64[] parameter(1)
  i = s32[] parameter(2)
  j = s32[] parameter(3)
  zero = f32[] constant(0)
  not_a_number = f32[] constant(nan)
  ar = f32[] real(a)
  ar_is_zero = pred[] compare(ar, zero), direction=EQ
  ar0 = f32[] select(ar_is_zero, zero, ar)
  ar_is_nan = pred[] compare(ar, ar), direction=NE
  ar1 = f32[] select(ar_is_nan, not_a_number, ar0)
  ai = f32[] imag(a)
  br = f32[] real(b)
  zero2 = f32[] constant(0)
  br_is_zero = pred[] compare(br, zero2), direction=EQ
  br0 = f32[] select(br_is_zero, zero2, br)
  br_is_nan = pred[] compare(br, br), direction=NE
  br1 = f32[] select(br_is_nan, not_a_number, br0)
  bi = f32[] imag(b)
  second = pred[] compare(bi, ai), direction=GT, type=TOTALORDER
  first = pred[] compare(ar1, br1), direction=LT, type=TOTALORDER
  equal = pred[] compare(ar1, br1), direction=EQ, type=TOTALORDER
  both = pred[] and(equal, second)
  ROOT c = pred[] or(first, both)
})";

TEST_CASE("sort: two computed keys") {
  CompiledComparator comparator(kComplexOrder);
  const ComparatorKeys* keys = comparator.Keys();
  REQUIRE(keys != nullptr);
  CHECK(keys->keys.size() == 2);
  CHECK(keys->compute != nullptr);
  using C = std::complex<float>;
  std::mt19937 random(9);
  for (const SortCase& c : kSortCases) {
    Tensor x(ElementType::kC64, c.dims, nullptr);
    for (int64_t i = 0; i < x.element_count(); ++i) {
      x.mutable_data<C>()[i] =
          C(static_cast<float>(random() % 7) - 3, static_cast<float>(random() % 40));
    }
    const auto order = SlowOrder(c.dims, c.dimension, [&](int64_t i, int64_t j) {
      const C a = x.data<C>()[i], b = x.data<C>()[j];
      return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
    });
    Asked asked(comparator.function.get());
    for (RegionFunction* function :
         {comparator.function.get(), static_cast<RegionFunction*>(&asked)}) {
      const auto sorted =
          Sort({x, CountingTensor<int32_t>(c.dims)}, c.dimension, *comparator.region, function);
      const std::vector<int32_t> numbers = ElementsOf<int32_t>(sorted[1]);
      CHECK(std::equal(numbers.begin(), numbers.end(), order.begin(), order.end()));
    }
  }
}

TEST_CASE("sort: which comparators have keys") {
  const auto has_keys = [](const std::string& body) {
    CompiledComparator comparator(
        "f { a = s32[] parameter(0)  b = s32[] parameter(1)\n"
        "i = f32[] parameter(2)  j = f32[] parameter(3)\n"
        "lt = pred[] compare(a, b), direction=LT\n"
        "eq = pred[] compare(b, a), direction=EQ\n"
        "lt1 = pred[] compare(i, j), direction=LT\n"
        "le1 = pred[] compare(i, j), direction=LE\n"
        "eq1 = pred[] compare(i, j), direction=EQ\n" +
        body + "}");
    return comparator.Keys() != nullptr;
  };
  CHECK(has_keys("x = pred[] and(eq, lt1)  ROOT r = pred[] or(lt, x)"));
  CHECK(has_keys("x = pred[] and(lt1, eq)  ROOT r = pred[] or(x, lt)"));
  CHECK(has_keys("ROOT r = pred[] select(eq, le1, lt)"));
  CHECK(has_keys(
      "n = s32[] negate(a)  m = s32[] negate(b)  ROOT r = pred[] compare(n, m), direction=GE"));
  // What is known to be no comparison of keys: the equality of another key, a weak first key, the
  // same side twice, different values of the sides, an equality alone.
  CHECK_FALSE(has_keys("x = pred[] and(eq1, lt1)  ROOT r = pred[] or(lt, x)"));
  CHECK_FALSE(has_keys("ROOT r = pred[] select(eq1, lt, le1)"));
  CHECK_FALSE(has_keys("ROOT r = pred[] compare(a, a), direction=LT"));
  CHECK_FALSE(has_keys("n = s32[] negate(a)  ROOT r = pred[] compare(n, b), direction=LT"));
  CHECK_FALSE(has_keys("n = s32[] add(a, b)  ROOT r = pred[] compare(n, b), direction=LT"));
  CHECK_FALSE(has_keys("ROOT r = pred[] compare(a, b), direction=EQ"));
  CHECK_FALSE(has_keys("n = s32[] add(a, b)  ROOT r = pred[] compare(n, n), direction=LT"));
}

TEST_CASE("sort: a comparator without order gives a permutation") {
  CompiledComparator comparator(
      "f { a = s32[] parameter(0)  b = s32[] parameter(1)\n"
      "x = s32[] multiply(a, b)  y = s32[] add(x, b)  k = s32[] constant(72)\n"
      "z = s32[] and(y, k)  ROOT c = pred[] compare(z, k), direction=EQ }");
  REQUIRE(comparator.Keys() == nullptr);
  for (const SortCase& c : kSortCases) {
    const Tensor numbers = CountingTensor<int32_t>(c.dims);
    const auto sorted = Sort({numbers}, c.dimension, *comparator.region, comparator.function.get());
    std::vector<int32_t> found = ElementsOf<int32_t>(sorted[0]);
    std::sort(found.begin(), found.end());
    CHECK(found == ElementsOf<int32_t>(numbers));
  }
}

TEST_CASE("sort: comparisons are asked in wide blocks, and not more of them than a merge sort's") {
  CompiledComparator comparator(
      "f { a = s32[] parameter(0)  b = s32[] parameter(1)\n"
      "ROOT c = pred[] compare(a, b), direction=LT }");
  std::mt19937 random(2);
  const int64_t n = 1 << 16;
  Asked asked(comparator.function.get());
  Sort({RandomKeys<int32_t>({n}, 1 << 20, random)}, 0, *comparator.region, &asked);
  CHECK(asked.comparisons <= n * 17);
  CHECK(asked.comparisons / asked.calls > 500);
}

// ---- topk ---------------------------------------------------------------------------------------

template <typename T>
void CompareTopk(int distinct, double (*value)(T)) {
  std::mt19937 random(21);
  for (const Dims& dims : {Dims{1}, Dims{7}, Dims{3, 100}, Dims{2, 3, 1500}, Dims{2, 9000}}) {
    const Tensor x = RandomKeys<T>(dims, distinct, random);
    const int64_t length = dims.back();
    for (int64_t k : {int64_t{1}, int64_t{3}, int64_t{70}, length / 3, length - 1, length}) {
      if (k > length || k <= 0) continue;
      for (bool largest : {true, false}) {
        Budget budget;
        const Topk found = FindTopk(x, k, largest, &budget);
        bool good = true;
        for (int64_t line = 0; line * length < x.element_count(); ++line) {
          std::vector<int32_t> order(static_cast<size_t>(length));
          for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int32_t>(i);
          const T* elements = x.data<T>() + line * length;
          std::stable_sort(order.begin(), order.end(), [&](int32_t i, int32_t j) {
            return largest ? value(elements[i]) > value(elements[j])
                           : value(elements[i]) < value(elements[j]);
          });
          for (int64_t i = 0; i < k; ++i) {
            const int32_t index = order[static_cast<size_t>(i)];
            good &= found.indices.data<int32_t>()[line * k + i] == index;
            good &= std::memcmp(found.values.data<T>() + line * k + i, elements + index,
                                sizeof(T)) == 0;
          }
        }
        CHECK(good);
      }
    }
  }
}

TEST_CASE("topk: few and many, of any type") {
  CompareTopk<float>(1000000, [](float x) { return static_cast<double>(x); });
  CompareTopk<float>(3, [](float x) { return static_cast<double>(x); });
  CompareTopk<double>(5000, [](double x) { return x; });
  CompareTopk<int64_t>(5000, [](int64_t x) { return static_cast<double>(x); });
  CompareTopk<uint8_t>(200, [](uint8_t x) { return static_cast<double>(x); });
  CompareTopk<int16_t>(60000, [](int16_t x) { return static_cast<double>(x); });
  CompareTopk<BF16>(900, [](BF16 x) { return static_cast<double>(static_cast<float>(x)); });
  CompareTopk<F8E4M3>(100, [](F8E4M3 x) { return static_cast<double>(static_cast<float>(x)); });
}

TEST_CASE("topk: a line of which less is there than asked for ends with its padding") {
  Tensor x = MakeTestTensor<int32_t>({2, 4}, {-5, -3, 0, 0, -1, -2, 0, 0});
  x.set_dynamic_sizes({2, 2});
  Budget budget;
  const Topk found = FindTopk(x, 3, true, &budget);
  CHECK(ElementsOf<int32_t>(found.values) == std::vector<int32_t>{-3, -5, 0, -1, -2, 0});
  CHECK(ElementsOf<int32_t>(found.indices) == std::vector<int32_t>{1, 0, 2, 0, 1, 2});
}

}  // namespace
}  // namespace hlo
