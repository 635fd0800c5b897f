// Reductions of (value, index) pairs: which reducers are recognised, and that the kernel gives what
// the reducer itself gives, to the bit.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/ops/op_def.h"
#include "engine/ops/products/pair_reducer.h"
#include "tests/unit/compiled_region.h"
#include "tests/unit/op_runner.h"
#include "tests/unit/scalar_region.h"

namespace hlo {
namespace {

/// A reducer of values and indices of these types, $T and $I in the text: `steps` compute `value`
/// and `index` of (a, i) and (b, j).
std::string PairRegion(const std::string& steps, const std::string& t = "f32",
                       const std::string& i = "s32") {
  std::string text =
      "f {\n a = $T parameter(0)\n i = $I parameter(1)\n b = $T parameter(2)\n"
      " j = $I parameter(3)\n" +
      steps + " ROOT r = ($T, $I) tuple(value, index)\n}";
  for (size_t at; (at = text.find('$')) != std::string::npos;) {
    text.replace(at, 2, (text[at + 1] == 'T' ? t : i) + "[]");
  }
  return text;
}

// As JAX writes it.
const char* const kJax = R"( above = pred[] compare(a, b), direction=GT
 odd = pred[] compare(a, a), direction=NE
 first = pred[] or(above, odd)
 value = $T select(first, a, b)
 equal = pred[] compare(a, b), direction=EQ
 before = pred[] compare(i, j), direction=LT
 tie = pred[] and(equal, before)
 here = pred[] or(first, tie)
 index = $I select(here, i, j)
)";
// The other way round: what replaces, not what stays; a tie keeps the first.
const char* const kReplace = R"( better = pred[] compare(b, a), direction=LT
 value = $T select(better, b, a)
 index = $I select(better, j, i)
)";
const char* const kKeepsLast = R"( better = pred[] compare(b, a), direction=GE
 value = $T select(better, b, a)
 index = $I select(better, j, i)
)";
// By maximum, and by the larger index of equal ones.
const char* const kByMaximum = R"( value = $T maximum(a, b)
 same = pred[] compare(a, b), direction=EQ
 larger = $I maximum(i, j)
 left = pred[] compare(a, b), direction=GE
 chosen = $I select(left, i, j)
 index = $I select(same, larger, chosen)
)";
// NaN counts as less than all numbers.
const char* const kIgnoresNan = R"( odd = pred[] compare(b, b), direction=NE
 less = pred[] compare(a, b), direction=LE
 even = pred[] not(odd)
 was = pred[] compare(a, a), direction=NE
 takes = pred[] or(less, was)
 better = pred[] and(takes, even)
 value = $T select(better, b, a)
 index = $I select(better, j, i)
)";

TEST_CASE("reducers of pairs are recognised by what they do") {
  const auto reducer = [](const std::string& text) -> std::optional<PairReducer> {
    CompiledRegion f(text);
    REQUIRE(f.function);
    const PairReducer* pairs = f.function->Pairs();
    return pairs ? std::optional(*pairs) : std::nullopt;
  };
  REQUIRE(reducer(PairRegion(kJax)));
  CHECK(reducer(PairRegion(kJax))->rule.maximum);
  CHECK(reducer(PairRegion(kJax))->values == 0);
  REQUIRE(reducer(PairRegion(kReplace)));
  CHECK_FALSE(reducer(PairRegion(kReplace))->rule.maximum);
  CHECK(reducer(PairRegion(kKeepsLast)));
  CHECK(reducer(PairRegion(kByMaximum)));
  CHECK(reducer(PairRegion(kIgnoresNan)));
  // Indices first.
  const auto swapped = reducer(
      "f {\n i = s32[] parameter(0)\n a = f32[] parameter(1)\n j = s32[] parameter(2)\n"
      " b = f32[] parameter(3)\n p = pred[] compare(b, a), direction=GT\n"
      " v = f32[] select(p, b, a)\n k = s32[] select(p, j, i)\n"
      " ROOT r = (s32[], f32[]) tuple(k, v)\n}");
  REQUIRE(swapped);
  CHECK(swapped->values == 1);

  // The value of one and the index of the other.
  CHECK_FALSE(
      reducer(PairRegion(" p = pred[] compare(a, b), direction=GT\n"
                         " value = $T select(p, a, b)\n index = $I select(p, j, i)\n")));
  // No extreme.
  CHECK_FALSE(
      reducer(PairRegion(" p = pred[] compare(i, j), direction=LT\n"
                         " value = $T select(p, a, b)\n index = $I select(p, i, j)\n",
                         "f32", "u8")));
  // Something else happens at one value.
  CHECK_FALSE(
      reducer(PairRegion(" c = $T constant(1234.5)\n q = pred[] compare(b, c), direction=NE\n"
                         " p = pred[] compare(b, a), direction=GT\n t = pred[] and(p, q)\n"
                         " value = $T select(t, b, a)\n index = $I select(t, j, i)\n")));
  // The result is computed.
  CHECK_FALSE(
      reducer(PairRegion(" p = pred[] compare(b, a), direction=GT\n"
                         " v = $T select(p, b, a)\n z = $T constant(0)\n"
                         " value = $T add(v, z)\n index = $I select(p, j, i)\n")));
  // Zeros of both signs differ.
  CHECK_FALSE(
      reducer(PairRegion(" p = pred[] compare(b, a), direction=GT, type=TOTALORDER\n"
                         " value = $T select(p, b, a)\n index = $I select(p, j, i)\n")));
}

/// A region that keeps what it is to itself.
class Opaque : public RegionFunction {
 public:
  explicit Opaque(RegionFunction* function) : function_(function) {}
  void Apply(int64_t n, std::span<const std::byte* const> args,
             std::span<std::byte* const> results) override {
    function_->Apply(n, args, results);
  }

 private:
  RegionFunction* function_;
};

bool SamePairs(const Value& a, const Value& b) {
  for (size_t i = 0; i < 2; ++i) {
    const Tensor& x = a.elements()[i].tensor();
    const Tensor& y = b.elements()[i].tensor();
    const size_t bytes = static_cast<size_t>(x.element_count() * BytesOf(x.element_type()));
    if (x.dims() != y.dims() || std::memcmp(x.bytes(), y.bytes(), bytes) != 0) return false;
  }
  return true;
}

template <typename T, typename I>
struct PairCase {
  Dims dims;
  Dims dimensions;
  Tensor values, indices, value, index;

  Value Reduce(RegionFunction* function) const {
    TestContext context(function);
    const ElementType t = kTypeOf<T>, i = kTypeOf<I>;
    const ScalarRegion region({t, i, t, i}, Shape::Tuple({Shape::Scalar(t), Shape::Scalar(i)}));
    TestOp op{Opcode::kReduce,
              {Shape::Array(t, dims), Shape::Array(i, dims), Shape::Scalar(t), Shape::Scalar(i)},
              {{"dimensions", dimensions}, {"to_apply", static_cast<const Region*>(&region)}},
              {}};
    Diagnostics out;
    op.written = *op.Infer(out);
    return op.Eval({values, indices, value, index}, context);
  }
};

/// Few different values, so that there are ties; zeros of both signs, infinities and NaNs.
template <typename T>
T PairValue(double nans, std::mt19937& random) {
  const int kind = static_cast<int>(random() % 40);
  if constexpr (std::is_integral_v<T>) {
    return kind == 0 ? std::numeric_limits<T>::min() : static_cast<T>(kind - 20);
  } else {
    constexpr double kFar = std::numeric_limits<double>::infinity();
    const double some[] = {0.0, -0.0, kFar, -kFar, 1e-7, -3e4};
    const double number = kind < 6 ? some[kind] : (kind - 20) * 0.25;
    T value = static_cast<T>(static_cast<float>(number));
    if (std::uniform_real_distribution<double>(0, 1)(random) < nans) {
      value = static_cast<T>(std::nanf(""));
      reinterpret_cast<uint8_t&>(value) = static_cast<uint8_t>(random());
    }
    return value;
  }
}

template <typename T, typename I>
void ComparePairs(RegionFunction* function) {
  Opaque opaque(function);
  std::mt19937 random(11);
  const std::pair<Dims, Dims> shapes[] = {
      {{0}, {0}},          {{1}, {0}},      {{7}, {0}},         {{127}, {0}},
      {{9001}, {0}},       {{3, 0}, {1}},   {{0, 3}, {1}},      {{5, 131}, {1}},
      {{67, 3}, {0}},      {{67, 37}, {0}}, {{9, 64}, {0}},     {{2, 5, 101}, {0, 2}},
      {{3, 19, 23}, {1}},  {{3, 5}, {}},    {{2, 300, 2}, {1}}, {{3, 2100}, {0}},
      {{4, 31, 3}, {1, 2}}};
  for (const auto& [dims, dimensions] : shapes) {
    for (const double nans : {0.0, 0.003, 0.3}) {
      PairCase<T, I> c{dims, dimensions, {}, {}, {}, {}};
      int64_t count = 1;
      for (int64_t size : dims) count *= size;
      std::vector<T> values(static_cast<size_t>(count));
      std::vector<I> indices(static_cast<size_t>(count));
      // Sometimes all are equal but for the signs of zeros.
      const bool zeros = random() % 5 == 0;
      for (T& value : values) {
        value = PairValue<T>(nans, random);
        if (zeros) value = random() % 2 == 0 ? static_cast<T>(-0.0f) : static_cast<T>(0.0f);
      }
      for (size_t k = 0; k < indices.size(); ++k) {
        indices[k] = static_cast<I>(random() % 3 == 0 ? random() : k);
      }
      c.values = MakeTestTensor<T>(dims, values);
      c.indices = MakeTestTensor<I>(dims, indices);
      c.value = Tensor::Scalar<T>(PairValue<T>(nans, random));
      c.index = Tensor::Scalar<I>(static_cast<I>(random()));
      CHECK(SamePairs(c.Reduce(function), c.Reduce(&opaque)));
    }
  }
}

TEST_CASE("pairs are reduced as the reducer says, by the kernel too") {
  for (const char* steps : {kJax, kReplace, kKeepsLast, kByMaximum, kIgnoresNan}) {
    const auto compare = [&]<typename T, typename I>(const char* t, const char* i) {
      CompiledRegion f(PairRegion(steps, t, i));
      REQUIRE(f.function);
      // maximum of narrow floats makes signaling NaNs quiet.
      const bool is_narrow = sizeof(T) == 2 && steps == kByMaximum;
      REQUIRE((f.function->Pairs() != nullptr) == !is_narrow);
      ComparePairs<T, I>(f.function.get());
    };
    compare.template operator()<float, int32_t>("f32", "s32");
    compare.template operator()<float, uint64_t>("f32", "u64");
    compare.template operator()<double, int64_t>("f64", "s64");
    compare.template operator()<int32_t, uint32_t>("s32", "u32");
    compare.template operator()<BF16, int32_t>("bf16", "s32");
    compare.template operator()<F16, int32_t>("f16", "s32");
  }
}

}  // namespace
}  // namespace hlo
