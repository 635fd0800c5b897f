// Element-wise ops on floats. Narrow types: widen, one f32 operation, round once, with decoding and
// rounding by the slow model of types_format_model.h; every value of 8 and 16 bits, every pair of 8
// bits. f32 and f64: the special values of IEEE 754.
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "doctest/doctest.h"
#include "engine/base/bits.h"
#include "engine/ops/op_def.h"
#include "tests/unit/all_values.h"
#include "tests/unit/op_runner.h"
#include "tests/unit/types_format_model.h"

namespace hlo {
namespace {

constexpr float kInfF32 = std::numeric_limits<float>::infinity();
constexpr float kNanF32 = std::numeric_limits<float>::quiet_NaN();

uint32_t CodeAt(const Tensor& tensor, int64_t i) {
  if (BytesOf(tensor.element_type()) == 1) return tensor.data<uint8_t>()[i];
  return tensor.data<uint16_t>()[i];
}

// Equal codes, or both NaN.
bool SameNumber(const model::Row& row, uint32_t a, uint32_t b) {
  return a == b || (std::isnan(model::Decode(row, a)) && std::isnan(model::Decode(row, b)));
}

template <typename F>
void CheckCodes(const model::Row& row, Opcode opcode, std::vector<Tensor> operands, F expected) {
  const model::Encoder encoder(row);
  const Tensor a = operands.front(), b = operands.back();
  const Shape shape = Shape::Array(a.element_type(), a.dims());
  const std::vector<Shape> shapes(operands.size(), shape);
  TestContext context;
  const Value result = TestOp{opcode, shapes, {}, shape}.Eval(
      std::vector<Value>(operands.begin(), operands.end()), context);
  int64_t wrong = 0;
  for (int64_t i = 0; i < a.element_count(); ++i) {
    const float x = static_cast<float>(model::Decode(row, CodeAt(a, i)));
    const float y = static_cast<float>(model::Decode(row, CodeAt(b, i)));
    const uint32_t code = encoder.Encode(static_cast<double>(expected(x, y)), true);
    if (SameNumber(row, CodeAt(result.tensor(), i), code)) continue;
    if (++wrong > 1) continue;
    FAIL_CHECK(Text(opcode) << " of " << row.type << " codes " << CodeAt(a, i) << ", "
                            << CodeAt(b, i) << " is " << CodeAt(result.tensor(), i) << ", expected "
                            << code);
  }
  CHECK(wrong == 0);
}

TEST_CASE("unary ops on every value of the narrow floats") {
  const std::map<Opcode, float (*)(float)> functions = {
      {Opcode::kNegate, [](float x) { return -x; }},
      {Opcode::kAbs, [](float x) { return std::fabs(x); }},
      {Opcode::kFloor, [](float x) { return std::floor(x); }},
      {Opcode::kSqrt, [](float x) { return std::sqrt(x); }},
      {Opcode::kTanh, [](float x) { return std::tanh(x); }},
      {Opcode::kSign, [](float x) { return x > 0   ? 1.0f
                                           : x < 0 ? -1.0f
                                                   : x; }},
      {Opcode::kRoundNearestAfz, [](float x) { return std::round(x); }},
  };
  for (const model::Row& row : model::kRows) {
    for (const auto& [opcode, function] : functions) {
      CheckCodes(row, opcode, {AllValues(*ElementTypeFromText(row.type))},
                 [f = function](float x, float) { return f(x); });
    }
  }
}

TEST_CASE("binary ops on every pair of the floats of one byte") {
  const std::map<Opcode, float (*)(float, float)> functions = {
      {Opcode::kAdd, [](float x, float y) { return x + y; }},
      {Opcode::kMultiply, [](float x, float y) { return x * y; }},
      {Opcode::kDivide, [](float x, float y) { return x / y; }},
      {Opcode::kMaximum,
       [](float x, float y) {
         return std::isnan(x) ? x : std::isnan(y) ? y : x >= y ? x : y;
       }},
  };
  for (const model::Row& row : model::kRows) {
    const int64_t codes = int64_t{1} << model::Width(row);
    if (codes > 256) continue;
    const ElementType type = *ElementTypeFromText(row.type);
    for (const auto& [opcode, function] : functions) {
      CheckCodes(row, opcode, {AllValues(type, codes), AllValues(type, 1, codes)}, function);
    }
  }
}

template <typename T>
std::vector<T> EvalOn(Opcode opcode, const std::vector<std::vector<T>>& args) {
  const Dims dims{static_cast<int64_t>(args[0].size())};
  const Shape shape = Shape::Array(kTypeOf<T>, dims);
  std::vector<Value> values;
  for (const std::vector<T>& arg : args) values.push_back(MakeTestTensor<T>(dims, arg));
  TestContext context;
  const std::vector<Shape> shapes(args.size(), shape);
  return ElementsOf<T>(TestOp{opcode, shapes, {}, shape}.Eval(std::move(values), context).tensor());
}

// The same sign and value, or both NaN.
template <typename T>
void CheckSame(std::string_view what, const std::vector<T>& actual,
               const std::vector<T>& expected) {
  REQUIRE(actual.size() == expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    INFO(what << " [" << i << "]: " << actual[i] << ", expected " << expected[i]);
    const bool both_nan = std::isnan(actual[i]) && std::isnan(expected[i]);
    const bool same =
        actual[i] == expected[i] && std::signbit(actual[i]) == std::signbit(expected[i]);
    CHECK((both_nan || same));
  }
}

template <typename T>
void CheckSpecialValues() {
  const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  using V = std::vector<T>;
  CheckSame<T>("maximum",
               EvalOn<T>(Opcode::kMaximum, {V{nan, 1, T(-0.0), 0, 2}, V{1, nan, 0, T(-0.0), 3}}),
               {nan, nan, T(-0.0), 0, 3});
  CheckSame<T>("minimum",
               EvalOn<T>(Opcode::kMinimum, {V{nan, 1, T(-0.0), 0, 2}, V{1, nan, 0, T(-0.0), 3}}),
               {nan, nan, T(-0.0), 0, 2});
  CheckSame<T>("power",
               EvalOn<T>(Opcode::kPower, {V{nan, 1, 2, -8, 0, 0}, V{0, nan, 10, T(0.5), 0, -1}}),
               {1, 1, 1024, nan, 1, inf});
  CheckSame<T>("remainder",
               EvalOn<T>(Opcode::kRemainder, {V{5, -5, 5, 1, inf, 3}, V{3, 3, -3, 0, 2, inf}}),
               {2, -2, 2, nan, nan, 3});
  CheckSame<T>("atan2", EvalOn<T>(Opcode::kAtan2, {V{0, T(-0.0)}, V{1, 1}}), {0, T(-0.0)});
  CheckSame<T>(
      "clamp",
      EvalOn<T>(Opcode::kClamp, {V{5, 0, nan, 0, 0}, V{3, nan, 1, -1, 9}, V{1, 1, 2, 1, 4}}),
      {1, nan, nan, 0, 4});
  CheckSame<T>("sign", EvalOn<T>(Opcode::kSign, {V{nan, T(-0.0), 0, -inf, T(0.1)}}),
               {nan, T(-0.0), 0, -1, 1});
  CheckSame<T>("sqrt", EvalOn<T>(Opcode::kSqrt, {V{-1, T(-0.0), 4, inf}}), {nan, T(-0.0), 2, inf});
  CheckSame<T>("rsqrt", EvalOn<T>(Opcode::kRsqrt, {V{0, T(-0.0), 4, inf, -1}}),
               {inf, -inf, T(0.5), 0, nan});
  CheckSame<T>("cbrt", EvalOn<T>(Opcode::kCbrt, {V{-8, 27, inf}}), {-2, 3, inf});
  CheckSame<T>("log", EvalOn<T>(Opcode::kLog, {V{0, 1, -1, inf}}), {-inf, 0, nan, inf});
  CheckSame<T>("logistic", EvalOn<T>(Opcode::kLogistic, {V{0, inf, -inf}}), {T(0.5), 1, 0});
  CheckSame<T>("round-nearest-afz",
               EvalOn<T>(Opcode::kRoundNearestAfz, {V{T(0.5), T(1.5), T(2.5), T(-2.5), T(-0.25)}}),
               {1, 2, 3, -3, T(-0.0)});
  CheckSame<T>("round-nearest-even",
               EvalOn<T>(Opcode::kRoundNearestEven, {V{T(0.5), T(1.5), T(2.5), T(-2.5), T(-0.25)}}),
               {0, 2, 2, -2, T(-0.0)});
}

TEST_CASE("special values of f32 and f64") {
  CheckSpecialValues<float>();
  CheckSpecialValues<double>();
}

TEST_CASE("abs and negate change the sign of NaN") {
  const float negative_nan = std::copysign(kNanF32, -1.0f);
  CHECK_FALSE(std::signbit(EvalOn<float>(Opcode::kAbs, {{negative_nan}})[0]));
  CHECK(std::signbit(EvalOn<float>(Opcode::kNegate, {{kNanF32}})[0]));
}

TEST_CASE("is-finite") {
  TestContext context;
  const Shape shape = Shape::Array(ElementType::kF32, {4});
  const Value result =
      TestOp{Opcode::kIsFinite, {shape}, {}, Shape::Array(ElementType::kPred, {4})}.Eval(
          {MakeTestTensor<float>({4}, {1, kInfF32, -kInfF32, kNanF32})}, context);
  CHECK(ElementsOf<bool>(result.tensor()) == std::vector<bool>{true, false, false, false});
}

// ---- compare ------------------------------------------------------------------------------------

std::vector<bool> EvalCompare(const Tensor& a, const Tensor& b, int64_t direction,
                              bool total_order) {
  const Shape shape = Shape::Array(a.element_type(), a.dims());
  std::vector<std::pair<std::string_view, AttrValue>> attrs = {{"direction", direction}};
  if (total_order) attrs.push_back({"type", int64_t{1}});
  TestContext context;
  const TestOp op{
      Opcode::kCompare, {shape, shape}, attrs, Shape::Array(ElementType::kPred, a.dims())};
  return ElementsOf<bool>(op.Eval({a, b}, context).tensor());
}

TEST_CASE("float comparisons: NaN is unequal to everything, the zeros are equal") {
  const Tensor a = MakeTestTensor<float>({4}, {kNanF32, -0.0f, 1, 2});
  const Tensor b = MakeTestTensor<float>({4}, {kNanF32, 0.0f, 2, 1});
  using Bools = std::vector<bool>;
  const Bools expected[] = {{false, true, false, false}, {true, false, true, true},
                            {false, true, false, true},  {false, false, false, true},
                            {false, true, true, false},  {false, false, true, false}};
  for (int64_t d = 0; d < 6; ++d) CHECK(EvalCompare(a, b, d, false) == expected[d]);
}

TEST_CASE("the total order puts -NaN first, NaN last and -0 before 0") {
  const float negative_nan = BitCast<float>(0xFFC00000u);
  const std::vector<float> ordered = {negative_nan, -kInfF32, -1,      -0.0f,  0.0f,
                                      1e-45f,       1,        kInfF32, kNanF32};
  for (size_t i = 0; i < ordered.size(); ++i) {
    const std::vector<float> same(ordered.size(), ordered[i]);
    const Dims dims{static_cast<int64_t>(ordered.size())};
    const std::vector<bool> less =
        EvalCompare(MakeTestTensor(dims, same), MakeTestTensor(dims, ordered), 5, true);
    for (size_t j = 0; j < ordered.size(); ++j) CHECK(less[j] == (i < j));
  }
}

TEST_CASE("the total order of every pair of the floats of one byte") {
  for (const model::Row& row : model::kRows) {
    const int64_t codes = int64_t{1} << model::Width(row);
    if (codes > 256) continue;
    // Where a code stands: numbers by value and sign, NaN by payload; the one NaN of the formats
    // without -0 first.
    const uint32_t sign = model::SignBit(row);
    const auto place = [&](uint32_t code) {
      const int magnitude = static_cast<int>(code & ~sign);
      if ((code & sign) == 0) return magnitude;
      if (!row.negative_zero) return magnitude == 0 ? -1000 : -magnitude;
      return -1 - magnitude;
    };
    const ElementType type = *ElementTypeFromText(row.type);
    const Tensor a = AllValues(type, codes), b = AllValues(type, 1, codes);
    const std::vector<bool> less = EvalCompare(a, b, 5, true);
    bool ok = true;
    for (int64_t i = 0; i < a.element_count(); ++i) {
      ok &= less[static_cast<size_t>(i)] == (place(CodeAt(a, i)) < place(CodeAt(b, i)));
    }
    CHECK_MESSAGE(ok, row.type);
  }
}

// ---- reduce-precision ---------------------------------------------------------------------------

std::vector<float> ReducePrecision(const std::vector<float>& values, int64_t e, int64_t m) {
  const Dims dims{static_cast<int64_t>(values.size())};
  const Shape shape = Shape::Array(ElementType::kF32, dims);
  TestContext context;
  const TestOp op{
      Opcode::kReducePrecision, {shape}, {{"exponent_bits", e}, {"mantissa_bits", m}}, shape};
  return ElementsOf<float>(op.Eval({MakeTestTensor(dims, values)}, context).tensor());
}

TEST_CASE("reduce-precision rounds, overflows and flushes") {
  CheckSame<float>("5, 10", ReducePrecision({65520, -65519, 6e-8f, -6e-8f, 1.0f + 0x1p-11f}, 5, 10),
                   {kInfF32, -65504, 0, -0.0f, 1});
  CheckSame<float>("ties to even",
                   ReducePrecision({1 + 0x1p-11f, 1 + 0x3p-11f, 1 + 0x1.8p-10f}, 8, 10),
                   {1, 1 + 0x1p-9f, 1 + 0x1p-9f});
  CheckSame<float>("all bits", ReducePrecision({1.1f, 1e-45f, kInfF32, kNanF32}, 8, 23),
                   {1.1f, 1e-45f, kInfF32, kNanF32});
  CheckSame<float>("NaN needs a mantissa", ReducePrecision({-kNanF32, 1.5f, 3}, 8, 0),
                   {kInfF32, 2, 2});
  CheckSame<float>("no exponent", ReducePrecision({1, 2, 0.5f}, 1, 23), {0, kInfF32, 0});
}

// ---- evaluation ---------------------------------------------------------------------------------

TEST_CASE("an operand that nobody else holds is updated in place") {
  const Shape shape = Shape::Array(ElementType::kF32, {3});
  TestContext context;
  Tensor a = MakeTestTensor<float>({3}, {1, 2, 3});
  const Tensor b = MakeTestTensor<float>({3}, {10, 20, 30});
  const std::byte* bytes = a.bytes();
  const TestOp op{Opcode::kSubtract, {shape, shape}, {}, shape};
  Tensor kept = op.Eval({a, b}, context).tensor();
  CHECK(kept.bytes() != bytes);
  CHECK(ElementsOf<float>(a) == std::vector<float>{1, 2, 3});
  std::vector<Value> args;
  args.push_back(std::move(a));
  args.push_back(b);
  AttrList attrs;
  const Value result = GetOpDef(op.opcode).eval(op.Call(attrs), args, context);
  CHECK(result.tensor().bytes() == bytes);
  CHECK(ElementsOf<float>(result.tensor()) == std::vector<float>{-9, -18, -27});
}

TEST_CASE("scalar operands stand for every element, over several blocks") {
  constexpr int64_t kCount = 3000;
  const Shape shape = Shape::Array(ElementType::kBF16, {kCount});
  const Shape scalar = Shape::Scalar(ElementType::kBF16);
  Tensor x(shape, nullptr);
  for (int64_t i = 0; i < kCount; ++i)
    x.mutable_data<BF16>()[i] = BF16(static_cast<float>(i % 128));
  TestContext context;
  const Value result = TestOp{Opcode::kClamp, {scalar, shape, scalar}, {}, shape}.Eval(
      {Tensor::Scalar(BF16(10.0f)), x, Tensor::Scalar(BF16(100.0f))}, context);
  bool ok = true;
  for (int64_t i = 0; i < kCount; ++i) {
    const float expected = std::min(100.0f, std::max(10.0f, static_cast<float>(i % 128)));
    ok &= static_cast<float>(result.tensor().data<BF16>()[i]) == expected;
  }
  CHECK(ok);
}

TEST_CASE("run-time sizes are kept") {
  Shape shape = Shape::Array(ElementType::kF32, {4});
  shape.set_dynamic(0, true);
  Tensor a = MakeTestTensor<float>({4}, {1, 2, 3, 4});
  a.set_dynamic_sizes({2});
  TestContext context;
  const Value result = TestOp{Opcode::kExponential, {shape}, {}, shape}.Eval({a}, context);
  CHECK(result.tensor().live_dim(0) == 2);
}

TEST_CASE("an operation without meaning for a type says so") {
  const Shape c64 = Shape::Array(ElementType::kC64, {1});
  const Tensor z = MakeTestTensor<std::complex<float>>({1}, {{1, 2}});
  TestContext context;
  CHECK_THROWS_AS((TestOp{Opcode::kMaximum, {c64, c64}, {}, c64}.Eval({z, z}, context)), RunError);
}

}  // namespace
}  // namespace hlo
