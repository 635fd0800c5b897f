// Element-wise ops on integers and pred, against their definition in 128-bit arithmetic: every pair
// of values of the types of 8 bits and fewer, edges and random pairs of the wider ones.
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "doctest/doctest.h"
#include "engine/ops/op_def.h"
#include "engine/types/convert.h"
#include "tests/unit/op_runner.h"

namespace hlo {
namespace {

using Int128 = __int128;

// A type as the model sees it: a width and a sign.
struct IntegerModel {
  ElementType type;
  int width;
  bool is_signed;

  explicit IntegerModel(ElementType t) : type(t), width(BitsOf(t)), is_signed(IsSigned(t)) {}
  Int128 modulus() const { return Int128{1} << width; }
  Int128 min() const { return is_signed ? -(modulus() / 2) : 0; }
  Int128 max() const { return min() + modulus() - 1; }
  Int128 Unsigned(Int128 x) const { return ((x % modulus()) + modulus()) % modulus(); }
  Int128 Wrap(Int128 x) const {
    const Int128 u = Unsigned(x);
    return u > max() ? u - modulus() : u;
  }
};

Int128 Floor(Int128 a, int shift) { return a >> shift; }  // arithmetic in g++ and clang

Int128 Power(const IntegerModel& m, Int128 base, Int128 exponent) {
  if (exponent == 0) return 1;
  if (exponent < 0) return base == 1 ? 1 : 0;
  // 64-bit squares fill 128 bits: only without a sign do they wrap as they should.
  using Unsigned = unsigned __int128;
  const auto product = [&](Int128 a, Int128 b) {
    return m.Unsigned(static_cast<Int128>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b)));
  };
  Int128 result = 1;
  for (int bit = m.width - 1; bit >= 0; --bit) {
    result = product(result, result);
    if (((exponent >> bit) & 1) != 0) result = product(result, m.Unsigned(base));
  }
  return result;
}

using BinaryModel = std::function<Int128(const IntegerModel&, Int128, Int128)>;
const std::map<Opcode, BinaryModel> kBinary = {
    {Opcode::kAdd, [](const IntegerModel&, Int128 a, Int128 b) { return a + b; }},
    {Opcode::kSubtract, [](const IntegerModel&, Int128 a, Int128 b) { return a - b; }},
    {Opcode::kDivide,
     [](const IntegerModel&, Int128 a, Int128 b) { return b == 0 ? Int128{-1} : a / b; }},
    {Opcode::kRemainder,
     [](const IntegerModel&, Int128 a, Int128 b) { return b == 0 ? a : a % b; }},
    {Opcode::kMaximum, [](const IntegerModel&, Int128 a, Int128 b) { return a > b ? a : b; }},
    {Opcode::kMinimum, [](const IntegerModel&, Int128 a, Int128 b) { return a < b ? a : b; }},
    {Opcode::kAnd, [](const IntegerModel&, Int128 a, Int128 b) { return a & b; }},
    {Opcode::kOr, [](const IntegerModel&, Int128 a, Int128 b) { return a | b; }},
    {Opcode::kXor, [](const IntegerModel&, Int128 a, Int128 b) { return a ^ b; }},
    {Opcode::kPower, Power},
    {Opcode::kShiftLeft,
     [](const IntegerModel& m, Int128 a, Int128 b) {
       return m.Unsigned(b) < m.width ? m.Unsigned(a) << static_cast<int>(m.Unsigned(b)) : 0;
     }},
    {Opcode::kShiftRightLogical,
     [](const IntegerModel& m, Int128 a, Int128 b) {
       return m.Unsigned(b) < m.width ? Floor(m.Unsigned(a), static_cast<int>(m.Unsigned(b))) : 0;
     }},
    {Opcode::kShiftRightArithmetic,
     [](const IntegerModel& m, Int128 a, Int128 b) {
       const Int128 u = m.Unsigned(a);
       const Int128 value = 2 * u >= m.modulus() ? u - m.modulus() : u;
       const Int128 amount = m.Unsigned(b);
       return Floor(value, static_cast<int>(amount < m.width ? amount : m.width - 1));
     }},
};

using UnaryModel = std::function<Int128(const IntegerModel&, Int128)>;
const std::map<Opcode, UnaryModel> kUnary = {
    {Opcode::kNegate, [](const IntegerModel&, Int128 a) { return -a; }},
    {Opcode::kNot, [](const IntegerModel&, Int128 a) { return -1 - a; }},
    {Opcode::kPopcnt,
     [](const IntegerModel& m, Int128 a) {
       Int128 count = 0;
       for (Int128 u = m.Unsigned(a); u != 0; u /= 2) count += u % 2;
       return count;
     }},
    {Opcode::kCountLeadingZeros,
     [](const IntegerModel& m, Int128 a) {
       Int128 count = m.width;
       for (Int128 u = m.Unsigned(a); u != 0; u /= 2) --count;
       return count;
     }},
};

const std::map<Opcode, UnaryModel> kSignedUnary = {
    {Opcode::kAbs, [](const IntegerModel&, Int128 a) { return a < 0 ? -a : a; }},
    {Opcode::kSign, [](const IntegerModel&, Int128 a) { return Int128{a > 0} - Int128{a < 0}; }},
};

const ElementType kIntegers[] = {
    ElementType::kS1,  ElementType::kS2,  ElementType::kS4,  ElementType::kS8, ElementType::kS16,
    ElementType::kS32, ElementType::kS64, ElementType::kU1,  ElementType::kU2, ElementType::kU4,
    ElementType::kU8,  ElementType::kU16, ElementType::kU32, ElementType::kU64};

// Every value of a narrow type; edges and pseudo-random values of a wide one.
std::vector<Int128> Samples(const IntegerModel& m) {
  std::vector<Int128> values;
  if (m.width <= 8) {
    for (Int128 v = m.min(); v <= m.max(); ++v) values.push_back(v);
    return values;
  }
  for (int i = 0; i <= 3; ++i) {
    values.push_back(m.min() + i);
    values.push_back(m.max() - i);
    values.push_back(m.Wrap(i));
    values.push_back(m.Wrap(-i));
  }
  for (int bit = 2; bit < m.width; bit += 3) values.push_back(m.Wrap(Int128{1} << bit));
  for (int amount = m.width - 2; amount <= m.width + 2; ++amount) values.push_back(amount);
  uint64_t state = 1;
  for (int i = 0; i < 60; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    values.push_back(m.Wrap(static_cast<Int128>(state >> (i % 48))));
  }
  return values;
}

Tensor TensorOf(ElementType type, const std::vector<Int128>& values) {
  Tensor tensor(type, Dims{static_cast<int64_t>(values.size())}, nullptr);
  for (size_t i = 0; i < values.size(); ++i) {
    const int64_t low = static_cast<int64_t>(values[i]);
    ConvertElements(ElementType::kS64, reinterpret_cast<const std::byte*>(&low), type,
                    tensor.mutable_bytes() + static_cast<int64_t>(i) * BytesOf(type), 1);
  }
  return tensor;
}

Int128 ValueAt(const Tensor& tensor, size_t i) {
  const ElementType type = tensor.element_type();
  int64_t value = 0;
  ConvertElements(type, tensor.bytes() + static_cast<int64_t>(i) * BytesOf(type), ElementType::kS64,
                  reinterpret_cast<std::byte*>(&value), 1);
  return type == ElementType::kU64 ? static_cast<Int128>(static_cast<uint64_t>(value)) : value;
}

void CheckBinary(Opcode opcode, const IntegerModel& m, const BinaryModel& expected) {
  std::vector<Int128> a, b;
  for (Int128 x : Samples(m)) {
    for (Int128 y : Samples(m)) {
      a.push_back(x);
      b.push_back(y);
    }
  }
  const Shape shape = Shape::Array(m.type, {static_cast<int64_t>(a.size())});
  TestContext context;
  const Value result = TestOp{opcode, {shape, shape}, {}, shape}.Eval(
      {TensorOf(m.type, a), TensorOf(m.type, b)}, context);
  int64_t wrong = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const Int128 actual = ValueAt(result.tensor(), i);
    if (actual == m.Wrap(expected(m, a[i], b[i]))) continue;
    if (++wrong > 1) continue;
    FAIL_CHECK(Text(opcode) << " of " << Text(m.type) << " " << static_cast<int64_t>(a[i]) << ", "
                            << static_cast<int64_t>(b[i]) << " is "
                            << static_cast<int64_t>(actual));
  }
  CHECK(wrong == 0);
}

void CheckUnary(Opcode opcode, const IntegerModel& m, const UnaryModel& expected) {
  const std::vector<Int128> a = Samples(m);
  const Shape shape = Shape::Array(m.type, {static_cast<int64_t>(a.size())});
  TestContext context;
  const Value result = TestOp{opcode, {shape}, {}, shape}.Eval({TensorOf(m.type, a)}, context);
  for (size_t i = 0; i < a.size(); ++i) {
    INFO(Text(opcode) << " of " << Text(m.type) << " " << static_cast<int64_t>(a[i]));
    CHECK(ValueAt(result.tensor(), i) == m.Wrap(expected(m, a[i])));
  }
}

TEST_CASE("binary integer ops follow their definition for every type") {
  for (ElementType type : kIntegers) {
    for (const auto& [opcode, expected] : kBinary)
      CheckBinary(opcode, IntegerModel(type), expected);
  }
}

TEST_CASE("multiply and mulhi give the two halves of the product") {
  for (ElementType type : kIntegers) {
    const IntegerModel m(type);
    // 64-bit unsigned products need 128 bits without a sign: their bits are the same.
    CheckBinary(Opcode::kMultiply, m, [](const IntegerModel& model, Int128 a, Int128 b) {
      return model.Wrap(static_cast<Int128>(static_cast<unsigned __int128>(a) *
                                            static_cast<unsigned __int128>(b)) &
                        (model.modulus() - 1));
    });
    CheckBinary(Opcode::kMulhi, m, [](const IntegerModel& model, Int128 a, Int128 b) {
      const auto product = static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b);
      return model.Wrap(static_cast<Int128>(product >> model.width) & (model.modulus() - 1));
    });
  }
}

TEST_CASE("unary integer ops follow their definition for every type") {
  for (ElementType type : kIntegers) {
    for (const auto& [opcode, expected] : kUnary) CheckUnary(opcode, IntegerModel(type), expected);
    if (!IsSigned(type)) continue;
    for (const auto& [opcode, expected] : kSignedUnary)
      CheckUnary(opcode, IntegerModel(type), expected);
  }
}

TEST_CASE("clamp and compare of integers") {
  for (ElementType type : kIntegers) {
    const IntegerModel m(type);
    const std::vector<Int128> samples = Samples(m);
    std::vector<Int128> a, b;
    for (Int128 x : samples) {
      for (Int128 y : samples) {
        a.push_back(x);
        b.push_back(y);
      }
    }
    const int64_t n = static_cast<int64_t>(a.size());
    const Shape shape = Shape::Array(type, {n});
    TestContext context;
    // As low and high bound of one value, also where low > high.
    const std::vector<Int128> x(a.size(), m.Wrap(1));
    const Value clamped = TestOp{Opcode::kClamp, {shape, shape, shape}, {}, shape}.Eval(
        {TensorOf(type, a), TensorOf(type, x), TensorOf(type, b)}, context);
    bool ok = true;
    for (size_t i = 0; i < a.size(); ++i) {
      const Int128 raised = x[i] > a[i] ? x[i] : a[i];
      ok &= ValueAt(clamped.tensor(), i) == (raised < b[i] ? raised : b[i]);
    }
    CHECK_MESSAGE(ok, "clamp of " << Text(type));
    for (int64_t direction = 0; direction < 6; ++direction) {
      const Value held = TestOp{Opcode::kCompare,
                                {shape, shape},
                                {{"direction", direction}},
                                Shape::Array(ElementType::kPred, {n})}
                             .Eval({TensorOf(type, a), TensorOf(type, b)}, context);
      ok = true;
      for (size_t i = 0; i < a.size(); ++i) {
        const bool expected[] = {a[i] == b[i], a[i] != b[i], a[i] >= b[i],
                                 a[i] > b[i],  a[i] <= b[i], a[i] < b[i]};
        ok &= held.tensor().data<bool>()[i] == expected[direction];
      }
      CHECK_MESSAGE(ok, "compare " << direction << " of " << Text(type));
    }
  }
}

TEST_CASE("pred has logical operations") {
  const Shape shape = Shape::Array(ElementType::kPred, {4});
  const Tensor a = MakeTestTensor<bool>({4}, {false, false, true, true});
  const Tensor b = MakeTestTensor<bool>({4}, {false, true, false, true});
  const std::map<Opcode, std::vector<bool>> expected = {
      {Opcode::kAdd, {false, true, true, true}},
      {Opcode::kOr, {false, true, true, true}},
      {Opcode::kMaximum, {false, true, true, true}},
      {Opcode::kMultiply, {false, false, false, true}},
      {Opcode::kAnd, {false, false, false, true}},
      {Opcode::kMinimum, {false, false, false, true}},
      {Opcode::kXor, {false, true, true, false}}};
  TestContext context;
  for (const auto& row : expected) {
    const Opcode opcode = row.first;  // clang 14 captures no structured bindings
    const Value result = TestOp{opcode, {shape, shape}, {}, shape}.Eval({a, b}, context);
    CHECK_MESSAGE(ElementsOf<bool>(result.tensor()) == row.second, Text(opcode));
  }
  const Value inverted = TestOp{Opcode::kNot, {shape}, {}, shape}.Eval({b}, context);
  CHECK(ElementsOf<bool>(inverted.tensor()) == std::vector<bool>{true, false, true, false});
}

}  // namespace
}  // namespace hlo
