// reduce: the kernels and the block path against folds written out.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "doctest/doctest.h"
#include "engine/ops/op_def.h"
#include "tests/unit/op_runner.h"
#include "tests/unit/scalar_region.h"

namespace hlo {
namespace {

template <typename T>
Tensor Reduce(const Tensor& input, const Dims& dimensions, T init, RegionFunction* function) {
  const ScalarRegion region = ReducerOf(kTypeOf<T>);
  TestContext context(function);
  Shape shape = Shape::Array(kTypeOf<T>, input.dims());
  TestOp op{Opcode::kReduce,
            {shape, Shape::Scalar(kTypeOf<T>)},
            {{"dimensions", dimensions}, {"to_apply", static_cast<const Region*>(&region)}},
            {}};
  for (int d = 0; d < input.rank(); ++d) {
    if (input.live_dim(d) != input.dim(d)) op.operands[0].set_dynamic(d, true);
  }
  Diagnostics out;
  op.written = *op.Infer(out);
  CHECK(out.empty());
  return op.Eval({input, Tensor::Scalar<T>(init)}, context).tensor();
}

/// acc = f(acc, x) over every dimension in the list, in row-major order.
template <typename T>
std::vector<T> SlowReduce(const Tensor& input, const Dims& dimensions, T init,
                          const std::function<T(T, T)>& f) {
  auto is_reduced = [&](int64_t d) {
    for (int64_t x : dimensions) {
      if (x == d) return true;
    }
    return false;
  };
  int64_t count = 1;
  for (int64_t d = 0; d < input.rank(); ++d) {
    if (!is_reduced(d)) count *= input.dim(static_cast<int>(d));
  }
  std::vector<T> result(static_cast<size_t>(count), init);
  for (int64_t i = 0; i < input.element_count(); ++i) {
    int64_t rest = i, index = 0, stride = 1;
    for (int d = input.rank() - 1; d >= 0; --d) {
      int64_t position = rest % input.dim(d);
      rest /= input.dim(d);
      if (is_reduced(d)) continue;
      index += position * stride;
      stride *= input.dim(d);
    }
    T& acc = result[static_cast<size_t>(index)];
    acc = f(acc, input.data<T>()[i]);
  }
  return result;
}

struct ReduceCase {
  Dims dims;
  Dims dimensions;
};
const ReduceCase kReduceCases[] = {
    {{7}, {0}},          {{40, 3}, {0}},         {{3, 40}, {1}},         {{5, 6, 7}, {1}},
    {{5, 6, 7}, {0, 2}}, {{5, 6, 7}, {2, 1, 0}}, {{2, 3, 4, 5}, {3, 1}}, {{4, 1030}, {0}},
    {{1500, 2}, {1}},    {{2, 0}, {1}},          {{0, 2}, {1}},          {{}, {}},
    {{3, 5}, {}},        {{1, 300}, {1}},
};

template <typename T>
void CompareKernel(Opcode opcode, T init, const std::function<T(T, T)>& f) {
  std::mt19937 random(7);
  ScalarFunction<T> known(f, opcode);
  ScalarFunction<T> unknown(f);
  for (const ReduceCase& c : kReduceCases) {
    Tensor input = RandomTensor<T>(c.dims, -100, 200, random);
    std::vector<T> expected = SlowReduce<T>(input, c.dimensions, init, f);
    CHECK((ElementsOf<T>(Reduce<T>(input, c.dimensions, init, &known)) == expected));
    CHECK((ElementsOf<T>(Reduce<T>(input, c.dimensions, init, &unknown)) == expected));
  }
}

template <typename T>
void CompareIntegers() {
  auto wrap = [](auto x) { return static_cast<T>(x); };
  CompareKernel<T>(Opcode::kAdd, 3, [=](T a, T b) {
    return wrap(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  });
  CompareKernel<T>(Opcode::kMultiply, 3, [=](T a, T b) {
    return wrap(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  });
  CompareKernel<T>(Opcode::kMaximum, 3, [](T a, T b) { return a < b ? b : a; });
  CompareKernel<T>(Opcode::kMinimum, 3, [](T a, T b) { return b < a ? b : a; });
  CompareKernel<T>(Opcode::kAnd, 7, [=](T a, T b) { return wrap(a & b); });
  CompareKernel<T>(Opcode::kOr, 4, [=](T a, T b) { return wrap(a | b); });
}

TEST_CASE("reductions of integers") {
  CompareIntegers<int8_t>();
  CompareIntegers<uint8_t>();
  CompareIntegers<int16_t>();
  CompareIntegers<uint16_t>();
  CompareIntegers<int32_t>();
  CompareIntegers<uint32_t>();
  CompareIntegers<int64_t>();
  CompareIntegers<uint64_t>();
}

TEST_CASE("reductions of floats") {
  ScalarFunction<float> multiply([](float a, float b) { return a * b; }, Opcode::kMultiply);
  Tensor input = MakeTestTensor<float>({4}, {1.5f, -2.0f, 0.25f, 4.0f});
  CHECK(Reduce<float>(input, {0}, 2.0f, &multiply).data<float>()[0] == -6.0f);
  CompareKernel<float>(Opcode::kAdd, 3, [](float a, float b) { return a + b; });
  CompareKernel<double>(Opcode::kAdd, 3, [](double a, double b) { return a + b; });
  CompareKernel<float>(Opcode::kMaximum, 3, [](float a, float b) { return a < b ? b : a; });
  CompareKernel<double>(Opcode::kMinimum, 3, [](double a, double b) { return b < a ? b : a; });
}

TEST_CASE("sums of floats are rounded once, narrow ones too") {
  ScalarFunction<float> add([](float a, float b) { return a + b; }, Opcode::kAdd);
  std::vector<float> elements(101, 1.0f);
  elements[0] = 16777216.0f;
  Tensor input = MakeTestTensor<float>({101}, elements);
  CHECK(Reduce<float>(input, {0}, 0.0f, &add).data<float>()[0] == 16777316.0f);

  ScalarFunction<BF16> narrow(
      [](BF16 a, BF16 b) { return BF16(static_cast<float>(a) + static_cast<float>(b)); },
      Opcode::kAdd);
  Tensor halves =
      MakeTestTensor<BF16>({5, 1}, {BF16(256.0f), BF16(1.0f), BF16(1.0f), BF16(1.0f), BF16(1.0f)});
  CHECK(static_cast<float>(Reduce<BF16>(halves, {0, 1}, BF16(0.0f), &narrow).data<BF16>()[0]) ==
        260.0f);
}

TEST_CASE("zeros and NaN in maxima and minima: the left one stays") {
  ScalarFunction<float> maximum([](float a, float b) { return a < b ? b : a; }, Opcode::kMaximum);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float low = -std::numeric_limits<float>::infinity();
  Tensor zeros = MakeTestTensor<float>({2, 2}, {-0.0f, 0.0f, 0.0f, -0.0f});
  Tensor rows = Reduce<float>(zeros, {1}, low, &maximum);
  CHECK(std::signbit(rows.data<float>()[0]));
  CHECK_FALSE(std::signbit(rows.data<float>()[1]));
  for (int at = 0; at < 20; ++at) {
    std::vector<float> elements(20, 1.0f);
    elements[static_cast<size_t>(at)] = nan;
    Tensor input = MakeTestTensor<float>({20}, elements);
    CHECK(std::isnan(Reduce<float>(input, {0}, low, &maximum).data<float>()[0]));
  }
}

TEST_CASE("a sum of negative zeros from a negative zero is one") {
  ScalarFunction<float> add([](float a, float b) { return a + b; }, Opcode::kAdd);
  Tensor input = MakeTestTensor<float>({40}, std::vector<float>(40, -0.0f));
  CHECK(std::signbit(Reduce<float>(input, {0}, -0.0f, &add).data<float>()[0]));
  CHECK_FALSE(std::signbit(Reduce<float>(input, {0}, 0.0f, &add).data<float>()[0]));
}

TEST_CASE("truth values: sums are any, products are all") {
  Tensor input = MakeTestTensor<bool>({2, 2}, {true, false, false, false});
  ScalarFunction<bool> add([](bool a, bool b) { return a || b; }, Opcode::kAdd);
  CHECK(ElementsOf<uint8_t>(Reduce<bool>(input, {1}, false, &add)) == std::vector<uint8_t>{1, 0});
  ScalarFunction<bool> multiply([](bool a, bool b) { return a && b; }, Opcode::kMultiply);
  CHECK(ElementsOf<uint8_t>(Reduce<bool>(input, {1}, true, &multiply)) ==
        std::vector<uint8_t>{0, 0});
}

TEST_CASE("an arbitrary region takes the elements in order, the initial value first") {
  ScalarFunction<int32_t> digits([](int32_t a, int32_t b) { return (a * 3 + b) % 100003; });
  std::mt19937 random(8);
  for (const ReduceCase& c : kReduceCases) {
    Tensor input = RandomTensor<int32_t>(c.dims, -100, 200, random);
    CHECK(ElementsOf<int32_t>(Reduce<int32_t>(input, c.dimensions, 5, &digits)) ==
          SlowReduce<int32_t>(input, c.dimensions, 5,
                              [](int32_t a, int32_t b) { return (a * 3 + b) % 100003; }));
  }
}

TEST_CASE("elements beyond a run-time size are left out") {
  ScalarFunction<int32_t> add([](int32_t a, int32_t b) { return a + b; }, Opcode::kAdd);
  Tensor input = MakeTestTensor<int32_t>({2, 3}, {1, 2, 100, 3, 4, 100});
  input.set_dynamic_sizes({2, 2});
  CHECK(ElementsOf<int32_t>(Reduce<int32_t>(input, {1}, 0, &add)) == std::vector<int32_t>{3, 7});
  Tensor kept = Reduce<int32_t>(input, {0}, 0, &add);
  CHECK(kept.dynamic_sizes() == Dims{2});
  CHECK(ElementsOf<int32_t>(kept) == std::vector<int32_t>{4, 6, 0});
}

/// (max, argmax, value, index) -> the greater value and its index.
class ArgMaxFunction : public RegionFunction {
 public:
  void Apply(int64_t n, std::span<const std::byte* const> args,
             std::span<std::byte* const> results) override {
    auto number = [&](size_t arg, int64_t i) {
      int32_t x;
      std::memcpy(&x, args[arg] + i * 4, 4);
      return x;
    };
    for (int64_t i = 0; i < n; ++i) {
      if (number(2, i) <= number(0, i)) continue;
      int32_t value = number(2, i), index = number(3, i);
      std::memcpy(results[0] + i * 4, &value, 4);
      std::memcpy(results[1] + i * 4, &index, 4);
    }
  }
  const Opcode* BinaryOpcode() const override { return nullptr; }
};

TEST_CASE("several arrays are folded together") {
  ArgMaxFunction function;
  TestContext context(&function);
  const Shape element = Shape::Scalar(ElementType::kS32);
  const ScalarRegion region(std::vector<ElementType>(4, ElementType::kS32),
                            Shape::Tuple({element, element}));
  Shape input = Shape::Array(ElementType::kS32, {2, 3});
  Shape scalar = Shape::Scalar(ElementType::kS32);
  TestOp op{Opcode::kReduce,
            {input, input, scalar, scalar},
            {{"dimensions", Dims{1}}, {"to_apply", static_cast<const Region*>(&region)}},
            {}};
  Diagnostics out;
  op.written = *op.Infer(out);
  CHECK(ShapeName(op.written) == "(s32[2], s32[2])");
  Value result = op.Eval({MakeTestTensor<int32_t>({2, 3}, {1, 5, 5, -3, -2, -9}),
                          MakeTestTensor<int32_t>({2, 3}, {0, 1, 2, 0, 1, 2}),
                          Tensor::Scalar<int32_t>(-1000), Tensor::Scalar<int32_t>(-1)},
                         context);
  CHECK(ElementsOf<int32_t>(result.elements()[0].tensor()) == std::vector<int32_t>{5, -2});
  CHECK(ElementsOf<int32_t>(result.elements()[1].tensor()) == std::vector<int32_t>{1, 1});
}

}  // namespace
}  // namespace hlo
