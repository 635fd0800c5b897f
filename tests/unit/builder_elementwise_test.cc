// The Builder: element-wise operations with implicit broadcasting, constants, faults.
#include <cmath>

#include "tests/unit/builder_runner.h"
#include "tests/unit/program_cases.h"

namespace hlo {
namespace {

TEST_CASE("Builder, implicit broadcasting") {
  struct {
    const char* lhs;
    const char* rhs;
    Dims broadcast_dimensions;
    std::string expected;
  } cases[] = {
      {"s32[2] {1,2}", "s32[2] {10,20}", {}, "{11, 22}"},
      // A scalar and anything.
      {"s32[2] {1,2}", "s32[] 5", {}, "{6, 7}"},
      {"s32[] 5", "s32[2] {1,2}", {}, "{6, 7}"},
      // A matrix and a vector, as rows and as columns, on either side.
      {"s32[2,3] {{1,2,3},{4,5,6}}", "s32[3] {7,8,9}", {1}, "{{8, 10, 12}, {11, 13, 15}}"},
      {"s32[2,3] {{1,2,3},{4,5,6}}", "s32[2] {10,20}", {0}, "{{11, 12, 13}, {24, 25, 26}}"},
      {"s32[2] {10,20}", "s32[2,3] {{1,2,3},{4,5,6}}", {0}, "{{11, 12, 13}, {24, 25, 26}}"},
      // Dimensions of size 1 are stretched, on both sides at once.
      {"s32[2,1] {{1},{2}}", "s32[1,3] {{10,20,30}}", {}, "{{11, 21, 31}, {12, 22, 32}}"},
      {"s32[1] {1}", "s32[2,2] {{1,2},{3,4}}", {1}, "{{2, 3}, {4, 5}}"},
      {"s32[2,1] {{1},{2}}", "s32[2] {10,20}", {1}, "{{11, 21}, {12, 22}}"},
      {"s32[1,0] {{}}", "s32[1,1] {{1}}", {}, "{{}}"},
  };
  for (const auto& test : cases) {
    CAPTURE(test.lhs);
    CAPTURE(test.rhs);
    Builder b("add");
    b.Add(b.ConstantLiteral(test.lhs), b.ConstantLiteral(test.rhs), test.broadcast_dimensions);
    CHECK(RunBuilt(b) == test.expected);
  }
}

TEST_CASE("Builder, what does not broadcast") {
  struct {
    const char* lhs;
    const char* rhs;
    Dims broadcast_dimensions;
    const char* fault;
  } cases[] = {
      {"s32[2] {1,2}", "s32[3] {1,2,3}", {}, "dimensions must be equal, or 1"},
      {"s32[2,2] {{1,2},{3,4}}", "s32[2] {1,2}", {}, "need broadcast_dimensions"},
      {"s32[2,2] {{1,2},{3,4}}", "s32[2] {1,2}", {2}, "1 ascending numbers below 2"},
      {"s32[2,2] {{1,2},{3,4}}", "s32[2] {1,2}", {-1}, "1 ascending numbers below 2"},
      {"s32[2,2] {{1,2},{3,4}}", "s32[2] {1,2}", {0, 1}, "1 ascending numbers below 2"},
      {"s32[2,2,1] {{{1},{2}},{{3},{4}}}", "s32[2,2] {{1,2},{3,4}}", {1, 0}, "ascending"},
      {"s32[2] {1,2}", "f32[2] {1,2}", {}, "add"},
      {"(s32[]) (1)", "s32[] 1", {}, "add"},
  };
  for (const auto& test : cases) {
    CAPTURE(test.lhs);
    CAPTURE(test.rhs);
    Builder b("add");
    CHECK(!b.Add(b.ConstantLiteral(test.lhs), b.ConstantLiteral(test.rhs),
                 test.broadcast_dimensions));
    std::string fault = FaultOf(b);
    CAPTURE(fault);
    CHECK(Contains(fault, test.fault));
  }
}

TEST_CASE("Builder, dynamic sizes go through broadcasting") {
  Builder b("dynamic");
  Op x = b.ConstantLiteral("f32[2,1] {{1},{2}}");
  Op sized = b.SetDimensionSize(x, b.ConstantR0<int32_t>(1), 0);
  Op sum = b.Add(sized, b.ConstantLiteral("f32[1,3] {{10,20,30}}"));
  CHECK(ShapeName(sum.shape()) == "f32[<=2,3]");
  CHECK(FaultOf(b) == "");
}

TEST_CASE("Builder, every unary and binary operation is what its name says") {
  struct {
    Op (Builder::*method)(Op);
    float in;
    double out;
  } unary[] = {{&Builder::Abs, -2, 2},
               {&Builder::Cbrt, 27, 3},
               {&Builder::Ceil, 1.5, 2},
               {&Builder::Cos, 1, std::cos(1)},
               {&Builder::Erf, 1, std::erf(1)},
               {&Builder::Exp, 1, std::exp(1)},
               {&Builder::Expm1, 1, std::expm1(1)},
               {&Builder::Floor, 1.5, 1},
               {&Builder::Imag, 3, 0},
               {&Builder::Log, 3, std::log(3)},
               {&Builder::Log1p, 3, std::log1p(3)},
               {&Builder::Logistic, 1, 1 / (1 + std::exp(-1))},
               {&Builder::Neg, 3, -3},
               {&Builder::Real, 3, 3},
               {&Builder::Round, 2.5, 3},
               {&Builder::RoundNearestEven, 2.5, 2},
               {&Builder::Rsqrt, 4, 0.5},
               {&Builder::Sign, -3, -1},
               {&Builder::Sin, 1, std::sin(1)},
               {&Builder::Sqrt, 9, 3},
               {&Builder::Tan, 1, std::tan(1)},
               {&Builder::Tanh, 1, std::tanh(1)},
               {&Builder::Acos, 0.5, std::acos(0.5)},
               {&Builder::Sinh, 1, std::sinh(1)}};
  for (const auto& test : unary) {
    Builder b("unary");
    (b.*test.method)(b.ConstantR0(test.in));
    CHECK(std::stod(RunBuilt(b)) == doctest::Approx(test.out).epsilon(1e-6));
  }
  struct {
    Op (Builder::*method)(Op, Op, const Dims&);
    const char* out;
  } binary[] = {{&Builder::Add, "9"},
                {&Builder::Sub, "5"},
                {&Builder::Mul, "14"},
                {&Builder::Div, "3"},
                {&Builder::Pow, "49"},
                {&Builder::Rem, "1"},
                {&Builder::Max, "7"},
                {&Builder::Min, "2"},
                {&Builder::And, "2"},
                {&Builder::Or, "7"},
                {&Builder::Xor, "5"},
                {&Builder::ShiftLeft, "28"},
                {&Builder::Eq, "false"},
                {&Builder::Ne, "true"},
                {&Builder::Ge, "true"},
                {&Builder::Gt, "true"},
                {&Builder::Le, "false"},
                {&Builder::Lt, "false"},
                {&Builder::LtTotalOrder, "false"},
                {&Builder::ShiftRightArithmetic, "1"},
                {&Builder::ShiftRightLogical, "1"}};
  for (const auto& test : binary) {
    Builder b("binary");
    (b.*test.method)(b.ConstantR0<int32_t>(7), b.ConstantR0<int32_t>(2), {});
    CHECK(RunBuilt(b) == std::string(test.out));
  }
  Builder bits("bits");
  Op x = bits.ConstantR0<uint8_t>(5);
  bits.Tuple({bits.Clz(x), bits.PopulationCount(x), bits.Not(x),
              bits.IsFinite(bits.ConstantR0(INFINITY)),
              bits.Complex(bits.ConstantR0(1.0f), bits.ConstantR0(2.0f)),
              bits.Atan2(bits.ConstantR0(0.0f), bits.ConstantR0(1.0f))});
  CHECK(RunBuilt(bits) == "(5, 2, 250, false, (1, 2), 0)");
}

TEST_CASE("Builder, the total order of floats") {
  Builder b("order");
  Op zeros = b.ConstantR1<float>({0.0f, NAN}), others = b.ConstantR1<float>({-0.0f, NAN});
  b.Tuple({b.Eq(zeros, others), b.EqTotalOrder(zeros, others), b.GtTotalOrder(zeros, others)});
  CHECK(RunBuilt(b) == "({1, 0}, {0, 1}, {1, 0})");
}

TEST_CASE("Builder, Clamp and Select") {
  Builder b("clamp");
  b.Clamp(b.ConstantR0<int32_t>(0), b.ConstantR1<int32_t>({-1, 5, 9}), b.ConstantR0<int32_t>(6));
  CHECK(RunBuilt(b) == "{0, 5, 6}");
  Builder c("select");
  Op pred = c.ConstantLiteral("pred[4] {1,0,0,1}");
  Op v1 = c.ConstantR1<int32_t>({1, 2, 3, 4}), v2 = c.ConstantR1<int32_t>({100, 200, 300, 400});
  Op by_scalar = c.Select(c.ConstantR0(true), v1, v2);
  c.Tuple({c.Select(pred, v1, v2), by_scalar});
  CHECK(RunBuilt(c) == "({1, 200, 300, 4}, {1, 2, 3, 4})");
  // Tuples, also in tuples.
  Builder d("tuples");
  auto pair = [&](int32_t a) {
    return d.Tuple({d.ConstantR0(a), d.Tuple({d.ConstantR1<int32_t>({a, a + 1})})});
  };
  d.Select(d.ConstantR0(false), pair(1), pair(5));
  CHECK(RunBuilt(d) == "(5, ({5, 6}))");
  Builder e("tuples");
  Op one = e.Tuple({e.ConstantR0(1)});
  CHECK(!e.Select(e.ConstantLiteral("pred[2] {1,0}"), one, one));
  CHECK(Contains(FaultOf(e), "scalar pred"));
}

TEST_CASE("Builder, conversions") {
  Builder b("convert");
  b.ConvertElementType(b.ConstantR1<int32_t>({0, 1, 2}), ElementType::kF32);
  CHECK(RunBuilt(b) == "{0, 1, 2}");
  // f16 has 5 exponent bits and 10 of the mantissa.
  Builder c("reduce_precision");
  c.ReducePrecision(c.ConstantR1<float>({1.0001f, 70000.0f}), 5, 10);
  CHECK(RunBuilt(c) == "{1, inf}");
}

TEST_CASE("Builder, Map") {
  Builder f("f");
  Op x = f.Parameter(0, Shape::Scalar(ElementType::kF32), "x");
  Op y = f.Parameter(1, Shape::Scalar(ElementType::kF32), "y");
  f.Add(f.Mul(x, y), x);
  std::unique_ptr<Module> region = BuildRegion(f);
  Builder b("map");
  b.Map({b.ConstantR1<float>({1, 2}), b.ConstantR1<float>({10, 20})}, region.get(), {0});
  CHECK(RunBuilt(b) == "{11, 42}");
}

TEST_CASE("Builder, constants and limits") {
  Builder b("constants");
  b.Tuple({b.ConstantR1<bool>({true, false}), b.ConstantLiteral("(s8[], f16[1]) (3, {0.5})"),
           b.MinValue(ElementType::kS8), b.MaxValue(ElementType::kU16),
           b.MinValue(ElementType::kF32), b.MaxValue(ElementType::kF8E4M3FN),
           b.MinValue(ElementType::kF8E4M3FN), b.MaxValue(ElementType::kPred),
           b.MinValue(ElementType::kPred), b.Zero(ElementType::kC64), b.One(ElementType::kBF16)});
  CHECK(RunBuilt(b) ==
        "({1, 0}, (3, {0.5}), -128, 65535, -inf, 448, -448, true, false, (0, 0), 1)");
  Builder c("bad");
  CHECK(!c.ConstantLiteral("s32[2] {1}"));
  CHECK(!c.MaxValue(ElementType::kC64));
  Diagnostics diagnostics;
  CHECK(c.Build(diagnostics) == nullptr);
  CHECK(diagnostics.error_count() == 2);
}

// ---- Faults -------------------------------------------------------------------------------------

TEST_CASE("Builder: faults are collected, and nothing follows from nothing") {
  Builder b("faults");
  Op x = b.Parameter(0, Shape::Array(ElementType::kF32, {2}), "x");
  Op bad = b.Transpose(x, {1});
  CHECK(!bad);
  CHECK(bad.shape().IsTuple());
  CHECK(!b.Add(bad, x));
  CHECK(!b.Tuple({x, bad}));
  CHECK(!b.Reduce(x, x, nullptr, {0}));
  CHECK(!b.Parameter(0, Shape::Scalar(ElementType::kF32), "again"));
  CHECK(!b.Parameter(-1, Shape::Scalar(ElementType::kF32), "negative"));
  CHECK(!b.Parameter(1, Shape::Array(ElementType::kF32, {-5}), "size"));
  CHECK(
      !b.Parameter(1, Shape::Array(ElementType::kF32, {int64_t{1} << 40, int64_t{1} << 40}), "s"));
  CHECK(!b.Instruct(Opcode::kAdd, {x}));
  CHECK(!b.Instruct(Opcode::kAbs, {x}, {{"colour", int64_t{1}}}));
  CHECK(!b.Instruct(Opcode::kCompare, {x, x}, {{"direction", std::string("UP")}}));
  Diagnostics diagnostics;
  CHECK(b.Build(diagnostics) == nullptr);
  std::vector<std::string> parts = {"transpose.2: ",
                                    "reduce: the computation was not built",
                                    "again: parameter number 0 is taken",
                                    "negative: parameter number -1 is negative",
                                    "size: ",
                                    "s: ",
                                    "add expects 2 operands, but has 1",
                                    "abs: attribute colour is not one of this op",
                                    "compare: attribute direction has no word UP"};
  REQUIRE(diagnostics.size() == parts.size());
  for (size_t i = 0; i < parts.size(); ++i) {
    CAPTURE(diagnostics.list()[i].message);
    CHECK(diagnostics.list()[i].message.find(parts[i]) == 0);
  }
}

TEST_CASE("Builder: what Build finds") {
  Builder empty("empty");
  CHECK(FaultOf(empty) == "empty has no instruction");
  Builder gap("gap");
  gap.Parameter(3, Shape::Scalar(ElementType::kF32), "p");
  CHECK(Contains(FaultOf(gap), "parameter number 3 is out of range"));
  Builder huge("huge");
  huge.Parameter(int64_t{1} << 60, Shape::Scalar(ElementType::kF32), "p");
  CHECK(Contains(FaultOf(huge), "is out of range"));
  Builder a("a"), b("b");
  Op x = a.ConstantR0(1.0f);
  b.ConstantR0(1.0f);
  CHECK(!b.Neg(x));
  CHECK(Contains(FaultOf(b), "belongs to another computation than b"));
  CHECK(FaultOf(a) == "");
  CHECK(FaultOf(a) == "the Builder has built its program");
  CHECK(!a.ConstantR0(1.0f));
}

TEST_CASE("Builder: any root, names of its own, parameters in any order") {
  Builder b("my program");
  Op y = b.Parameter(1, Shape::Scalar(ElementType::kF32), "f32");
  Op x = b.Parameter(0, Shape::Scalar(ElementType::kF32), "f32");
  Op difference = b.Sub(x, y);
  b.Add(x, y);
  std::unique_ptr<Module> module;
  REQUIRE(FaultOf(b, &module, difference) == "");
  CHECK(module->name() == "my_program");
  CHECK(module->entry()->name() == "my_program");
  CHECK(module->entry()->root()->opcode() == Opcode::kSubtract);
  CHECK(module->entry()->parameters()[0]->name() == "f32_.1");
  CHECK(module->entry()->parameters()[1]->name() == "f32_");
}

}  // namespace
}  // namespace hlo
