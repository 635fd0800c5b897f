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

using Wide = __int128;

// A type as the model sees it: a width and a sign.
struct Model {
  ElementType type;
  int width;
  bool is_signed;

  explicit Model(ElementType t) : type(t), width(BitsOf(t)), is_signed(IsSigned(t)) {}
  Wide modulus() const { return Wide{1} << width; }
  Wide min() const { return is_signed ? -(modulus() / 2) : 0; }
  Wide max() const { return min() + modulus() - 1; }
  Wide Unsigned(Wide x) const { return ((x % modulus()) + modulus()) % modulus(); }
  Wide Wrap(Wide x) const {
    const Wide u = Unsigned(x);
    return u > max() ? u - modulus() : u;
  }
};

Wide Floor(Wide a, int shift) { return a >> shift; }  // arithmetic in g++ and clang

Wide Power(const Model& m, Wide base, Wide exponent) {
  if (exponent == 0) return 1;
  if (exponent < 0) return base == 1 ? 1 : 0;
  // 64-bit squares fill 128 bits: only without a sign do they wrap as they should.
  using Unsigned = unsigned __int128;
  const auto product = [&](Wide a, Wide b) {
    return m.Unsigned(static_cast<Wide>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b)));
  };
  Wide result = 1;
  for (int bit = m.width - 1; bit >= 0; --bit) {
    result = product(result, result);
    if (((exponent >> bit) & 1) != 0) result = product(result, m.Unsigned(base));
  }
  return result;
}

using Binary = std::function<Wide(const Model&, Wide, Wide)>;
const std::map<Opcode, Binary> kBinary = {
    {Opcode::kAdd, [](const Model&, Wide a, Wide b) { return a + b; }},
    {Opcode::kSubtract, [](const Model&, Wide a, Wide b) { return a - b; }},
    {Opcode::kDivide, [](const Model&, Wide a, Wide b) { return b == 0 ? Wide{-1} : a / b; }},
    {Opcode::kRemainder, [](const Model&, Wide a, Wide b) { return b == 0 ? a : a % b; }},
    {Opcode::kMaximum, [](const Model&, Wide a, Wide b) { return a > b ? a : b; }},
    {Opcode::kMinimum, [](const Model&, Wide a, Wide b) { return a < b ? a : b; }},
    {Opcode::kAnd, [](const Model&, Wide a, Wide b) { return a & b; }},
    {Opcode::kOr, [](const Model&, Wide a, Wide b) { return a | b; }},
    {Opcode::kXor, [](const Model&, Wide a, Wide b) { return a ^ b; }},
    {Opcode::kPower, Power},
    {Opcode::kShiftLeft,
     [](const Model& m, Wide a, Wide b) {
       return m.Unsigned(b) < m.width ? m.Unsigned(a) << static_cast<int>(m.Unsigned(b)) : 0;
     }},
    {Opcode::kShiftRightLogical,
     [](const Model& m, Wide a, Wide b) {
       return m.Unsigned(b) < m.width ? Floor(m.Unsigned(a), static_cast<int>(m.Unsigned(b))) : 0;
     }},
    {Opcode::kShiftRightArithmetic,
     [](const Model& m, Wide a, Wide b) {
       const Wide u = m.Unsigned(a);
       const Wide value = 2 * u >= m.modulus() ? u - m.modulus() : u;
       const Wide amount = m.Unsigned(b);
       return Floor(value, static_cast<int>(amount < m.width ? amount : m.width - 1));
     }},
};

using Unary = std::function<Wide(const Model&, Wide)>;
const std::map<Opcode, Unary> kUnary = {
    {Opcode::kNegate, [](const Model&, Wide a) { return -a; }},
    {Opcode::kNot, [](const Model&, Wide a) { return -1 - a; }},
    {Opcode::kPopcnt,
     [](const Model& m, Wide a) {
       Wide count = 0;
       for (Wide u = m.Unsigned(a); u != 0; u /= 2) count += u % 2;
       return count;
     }},
    {Opcode::kCountLeadingZeros,
     [](const Model& m, Wide a) {
       Wide count = m.width;
       for (Wide u = m.Unsigned(a); u != 0; u /= 2) --count;
       return count;
     }},
};

const std::map<Opcode, Unary> kSignedUnary = {
    {Opcode::kAbs, [](const Model&, Wide a) { return a < 0 ? -a : a; }},
    {Opcode::kSign, [](const Model&, Wide a) { return Wide{a > 0} - Wide{a < 0}; }},
};

const ElementType kIntegers[] = {
    ElementType::kS1,  ElementType::kS2,  ElementType::kS4,  ElementType::kS8, ElementType::kS16,
    ElementType::kS32, ElementType::kS64, ElementType::kU1,  ElementType::kU2, ElementType::kU4,
    ElementType::kU8,  ElementType::kU16, ElementType::kU32, ElementType::kU64};

// Every value of a narrow type; edges and pseudo-random values of a wide one.
std::vector<Wide> Samples(const Model& m) {
  std::vector<Wide> values;
  if (m.width <= 8) {
    for (Wide v = m.min(); v <= m.max(); ++v) values.push_back(v);
    return values;
  }
  for (int i = 0; i <= 3; ++i) {
    values.push_back(m.min() + i);
    values.push_back(m.max() - i);
    values.push_back(m.Wrap(i));
    values.push_back(m.Wrap(-i));
  }
  for (int bit = 2; bit < m.width; bit += 3) values.push_back(m.Wrap(Wide{1} << bit));
  for (int amount = m.width - 2; amount <= m.width + 2; ++amount) values.push_back(amount);
  uint64_t state = 1;
  for (int i = 0; i < 60; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    values.push_back(m.Wrap(static_cast<Wide>(state >> (i % 48))));
  }
  return values;
}

Tensor TensorOf(ElementType type, const std::vector<Wide>& values) {
  Tensor tensor(type, Dims{static_cast<int64_t>(values.size())}, nullptr);
  for (size_t i = 0; i < values.size(); ++i) {
    const int64_t low = static_cast<int64_t>(values[i]);
    ConvertElements(ElementType::kS64, reinterpret_cast<const std::byte*>(&low), type,
                    tensor.mutable_bytes() + static_cast<int64_t>(i) * BytesOf(type), 1);
  }
  return tensor;
}

Wide ValueAt(const Tensor& tensor, size_t i) {
  const ElementType type = tensor.element_type();
  int64_t value = 0;
  ConvertElements(type, tensor.bytes() + static_cast<int64_t>(i) * BytesOf(type), ElementType::kS64,
                  reinterpret_cast<std::byte*>(&value), 1);
  return type == ElementType::kU64 ? static_cast<Wide>(static_cast<uint64_t>(value)) : value;
}

void CheckBinary(Opcode opcode, const Model& m, const Binary& expected) {
  std::vector<Wide> a, b;
  for (Wide x : Samples(m)) {
    for (Wide y : Samples(m)) {
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
    const Wide actual = ValueAt(result.tensor(), i);
    if (actual == m.Wrap(expected(m, a[i], b[i]))) continue;
    if (++wrong > 1) continue;
    FAIL_CHECK(Text(opcode) << " of " << Text(m.type) << " " << static_cast<int64_t>(a[i]) << ", "
                            << static_cast<int64_t>(b[i]) << " is "
                            << static_cast<int64_t>(actual));
  }
  CHECK(wrong == 0);
}

void CheckUnary(Opcode opcode, const Model& m, const Unary& expected) {
  const std::vector<Wide> a = Samples(m);
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
    for (const auto& [opcode, expected] : kBinary) CheckBinary(opcode, Model(type), expected);
  }
}

TEST_CASE("multiply and mulhi give the two halves of the product") {
  for (ElementType type : kIntegers) {
    const Model m(type);
    // 64-bit unsigned products need 128 bits without a sign: their bits are the same.
    CheckBinary(Opcode::kMultiply, m, [](const Model& model, Wide a, Wide b) {
      return model.Wrap(
          static_cast<Wide>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b)) &
          (model.modulus() - 1));
    });
    CheckBinary(Opcode::kMulhi, m, [](const Model& model, Wide a, Wide b) {
      const auto product = static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b);
      return model.Wrap(static_cast<Wide>(product >> model.width) & (model.modulus() - 1));
    });
  }
}

TEST_CASE("unary integer ops follow their definition for every type") {
  for (ElementType type : kIntegers) {
    for (const auto& [opcode, expected] : kUnary) CheckUnary(opcode, Model(type), expected);
    if (!IsSigned(type)) continue;
    for (const auto& [opcode, expected] : kSignedUnary) CheckUnary(opcode, Model(type), expected);
  }
}

TEST_CASE("clamp and compare of integers") {
  for (ElementType type : kIntegers) {
    const Model m(type);
    const std::vector<Wide> samples = Samples(m);
    std::vector<Wide> a, b;
    for (Wide x : samples) {
      for (Wide y : samples) {
        a.push_back(x);
        b.push_back(y);
      }
    }
    const int64_t n = static_cast<int64_t>(a.size());
    const Shape shape = Shape::Array(type, {n});
    TestContext context;
    // As low and high bound of one value, also where low > high.
    const std::vector<Wide> x(a.size(), m.Wrap(1));
    const Value clamped = TestOp{Opcode::kClamp, {shape, shape, shape}, {}, shape}.Eval(
        {TensorOf(type, a), TensorOf(type, x), TensorOf(type, b)}, context);
    bool ok = true;
    for (size_t i = 0; i < a.size(); ++i) {
      const Wide raised = x[i] > a[i] ? x[i] : a[i];
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
      {Opcode::kXor, {false, true, true, false}},
      {Opcode::kPower, {true, false, true, true}}};
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
