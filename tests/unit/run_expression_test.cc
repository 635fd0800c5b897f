// Inputs written as expressions, and elements that are written over.
#include <cstring>
#include <string>

#include "doctest/doctest.h"
#include "engine/run/inputs.h"
#include "tests/unit/literal_cases.h"

namespace hlo {
namespace {

std::string Expressed(const char* spec, const char* shape) {
  Diagnostics diagnostics;
  Budget budget;
  auto value = MakeInput(spec, ShapeOf(shape), 0, 7, &budget, diagnostics, {}, &AllInputForms());
  if (!value) return diagnostics.list()[0].message;
  return LiteralText(*value, ShapeOf(shape), {.hlo_spacing = false});
}

TEST_CASE("expressions of indices, sizes and constants") {
  CHECK(Expressed("10*i0 + i1", "s32[2,3]") == "{{0, 1, 2}, {10, 11, 12}}");
  CHECK(Expressed("k / n", "f32[4]") == "{0, 0.25, 0.5, 0.75}");
  CHECK(Expressed("n0 + n1", "s32[2,3]") == "{{5, 5, 5}, {5, 5, 5}}");
  CHECK(Expressed("-2**2", "f32[]") == "-4");
  CHECK(Expressed("2**3**2", "s32[]") == "512");
  CHECK(Expressed("7 % -3 + -7 // 2", "s32[]") == "-6");
  CHECK(Expressed("i0 < 2 ? 1 : i0 == 2 ? 5 : 9", "s32[4]") == "{1, 1, 5, 9}");
  CHECK(Expressed("i0 >= 1 && i0 != 2", "pred[4]") == "{0, 1, 0, 1}");
  CHECK(Expressed("cos(pi) + 0*i0", "f32[2]") == "{-1, -1}");
  CHECK(Expressed("i0 * 1.5", "u8[3]") == "{0, 1, 3}");
  CHECK(Expressed("300*i0", "s8[3]") == "{0, 127, 127}");
  CHECK(Expressed("0.1 + 0", "bf16[]") == "0.1001");
  CHECK(Expressed("f32[2,2] eye", "f32[2,2]") == "{{1, 0}, {0, 1}}");
  CHECK(Expressed("linspace(0, 1)", "f32[5]") == "{0, 0.25, 0.5, 0.75, 1}");
  CHECK(Expressed("linspace(0, 1, 1)", "f32[2,3]") == "{{0, 0.5, 1}, {0, 0.5, 1}}");
  CHECK(Expressed("arange(2, 3)", "s32[3]") == "{2, 5, 8}");
  CHECK(Expressed("logspace(0, 2)", "f32[3]") == "{1, 10, 100}");
  CHECK(Expressed("iota(0)", "s32[2,2]") == "{{0, 0}, {1, 1}}");
  CHECK(Expressed("i0 + 1", "(s32[2], f32[1])") == "({1, 2}, {1})");
  CHECK(Expressed("sqrt(-4 + 0) + i", "c64[]").find("nan, 1)") != std::string::npos);
  CHECK(Expressed("bernoulli(-i0)", "s32[2]") == "{0, 0}");
}

// A build without expressions reads the same of them: which one runs must not matter.
TEST_CASE("a number is a literal, and is checked like one") {
  struct Case {
    const char* spec;
    const char* shape;
    const char* gives;  // or what its fault says
  };
  const Case cases[] = {
      {"3.5", "s32[]", "expects integer for primitive type: S32, but sees '3.5'"},
      {"nan", "s32[]", "expects integer"},
      {"9999999999", "s32[]", "out of range"},
      {"-1", "u32[]", "out of range"},
      {"300", "s8[3]", "out of range"},
      {"1e999", "f32[2]", "out of range"},
      {"s32[2] 3.5", "s32[2]", "expects integer"},
      {"3.5", "(s32[], f32[1])", "expects integer"},
      {"3", "(s32[], f32[1])", "(3, {3})"},
      {"+3", "s32[2]", "{3, 3}"},
      {"-.5", "f32[2]", "{-0.5, -0.5}"},
      {"-inf", "f32[]", "-inf"},
      {"true", "pred[2]", "{1, 1}"},
  };
  for (const Case& c : cases) {
    INFO(c.spec << " " << c.shape);
    CHECK(Expressed(c.spec, c.shape).find(c.gives) != std::string::npos);
    const Shape shape = ShapeOf(c.shape);
    Diagnostics faults, typed;
    Budget budget;
    const auto value = MakeInput(c.spec, shape, 0, 7, &budget, faults);
    CHECK(Expressed(c.spec, c.shape) ==
          (value ? LiteralText(*value, shape, {.hlo_spacing = false}) : faults.list()[0].message));
    CheckInput(c.spec, shape, typed, &AllInputForms());
    CHECK(typed.has_errors() == !value.has_value());
  }
  // What is computed is converted.
  CHECK(Expressed("3.5 + 0", "s32[]") == "3");
  CHECK(Expressed("0x1f", "s32[]") == "31");
  CHECK(Expressed("2", "c64[]") == "(2, 0)");
}

TEST_CASE("complex expressions") {
  CHECK(Expressed("1 + 2i*i0", "c64[2]") == "{(1, 0), (1, 2)}");
  CHECK(Expressed("(1+i)**2", "c64[]") == "(0, 2)");
  CHECK(Expressed("sqrt(-1 + 0i)", "c64[]") == "(0, 1)");
  CHECK(Expressed("abs(3+4i)", "f32[]") == "5");
  CHECK(Expressed("1+i", "f32[]").find("this is complex") == 0);
  CHECK(Expressed("floor(i)", "c64[]").find("'floor' has no meaning") == 0);
}

TEST_CASE("distributions") {
  CHECK(Expressed("normal(0, 1)", "f32[3]") == Expressed("normal", "f32[3]"));
  CHECK(Expressed("uniform(1 - 2, 3)", "f32[3]") == Expressed("uniform(-1, 3)", "f32[3]"));
  CHECK(Expressed("normal() - normal()", "f32[2]") != "{0, 0}");
  CHECK(Expressed("randint(5, 6)", "s32[2]") == "{5, 5}");
  CHECK(Expressed("bernoulli(1)", "pred[2]") == "{1, 1}");
  CHECK(Expressed("permutation*0 + 1", "s32[2]") == "{1, 1}");
}

TEST_CASE("logarithms of powers are whole") {
  CHECK(Expressed("log10(10 ** (i0 - 30)) - (i0 - 30)", "f64[61]") == Expressed("zero", "f64[61]"));
  CHECK(Expressed("log2(2 ** (i0 - 1000)) - (i0 - 1000)", "f64[2000]") ==
        Expressed("zero", "f64[2000]"));
  CHECK(Expressed("log10(i0 - 1)", "f64[2]") == "{nan, -inf}");
  CHECK(Expressed("log2(inf)", "f64[1]") == "{inf}");
  CHECK(Expressed("1 / im(i0 - 1)", "f64[2]") == "{inf, inf}");
  CHECK(Expressed("im(inf)", "f64[1]") == "{0}");
}

TEST_CASE("arrays as Python, NumPy, JAX and MLIR print them") {
  CHECK(Expressed("[[1, 2, 3], [4, 5, 6]]", "f32[2,3]") == "{{1, 2, 3}, {4, 5, 6}}");
  CHECK(Expressed("[1,2]", "s8[2]") == "{1, 2}");
  CHECK(Expressed("[]", "s8[0]") == "{}");
  CHECK(Expressed("[[1. 2.]\n [3.5 -0.]]", "f32[2,2]") == "{{1, 2}, {3.5, -0}}");
  CHECK(Expressed("array([[1., 2.],\n       [nan, inf]], dtype=float32)", "f32[2,2]") ==
        "{{1, 2}, {nan, inf}}");
  CHECK(Expressed("Array([ True, False], dtype=bool)", "pred[2]") == "{1, 0}");
  CHECK(Expressed("torch.tensor([1e3], device='cuda:0')", "f32[1]") == "{1000}");
  CHECK(Expressed("dense<[[1], [2]]>", "s32[2,1]") == "{{1}, {2}}");
  CHECK(Expressed("dense<2.5>", "f32[2]") == "{2.5, 2.5}");
  CHECK(Expressed("dense<x>", "f32[2]").find("'x'") != std::string::npos);
  CHECK(Expressed("[1, 2] with [0] = 5", "s32[2]") == "{5, 2}");
  // What does not fit is said in the terms of a literal, and a shape before a literal is none.
  CHECK(Expressed("f32[2] {1, 2}", "f32[2]") == "{1, 2}");
  CHECK(Expressed("[1, 2, 3]", "f32[2]").find("expects") != std::string::npos);
  CHECK(Expressed("[1, x]", "f32[2]").find("'x'") != std::string::npos);
  CHECK(Expressed("[1, ..., 3]", "f32[3]") != "{1, 2, 3}");
  CHECK(Expressed("sort([2, 1])", "f32[2]").find("expects") != std::string::npos);
  CHECK(Expressed("][", "f32[2]").find("expects") != std::string::npos);
}

TEST_CASE("arrays as rows of numbers, and as C initializes them") {
  CHECK(Expressed("1 2 3\n4 5 6", "f32[2,3]") == "{{1, 2, 3}, {4, 5, 6}}");
  CHECK(Expressed("1,2,3\r\n4,5,6\n", "s32[2,3]") == "{{1, 2, 3}, {4, 5, 6}}");
  CHECK(Expressed("1\t-2.5\n+3\tinf", "f32[2,2]") == "{{1, -2.5}, {3, inf}}");
  CHECK(Expressed("1, 2, 3, 4", "f32[2,2]") == "{{1, 2}, {3, 4}}");
  CHECK(Expressed("1\n2\n3", "s8[3]") == "{1, 2, 3}");
  CHECK(Expressed("True false\n0 1", "pred[2,2]") == "{{1, 0}, {0, 1}}");
  CHECK(Expressed("[1, 2, 3, 4]", "f32[2,2]") == "{{1, 2}, {3, 4}}");
  CHECK(Expressed("np.array([1, 2])", "f32[1,2]") == "{{1, 2}}");
  CHECK(Expressed("{{1.0f, 2.F,}, {3f, nan}}", "f32[2,2]") == "{{1, 2}, {3, nan}}");
  CHECK(Expressed("{1.5f, 2}", "f32[2,1]") == "{{1.5}, {2}}");
  // A sum of two numbers fills the array.
  CHECK(Expressed("5 -2", "s32[2]") == "{3, 3}");
  CHECK(Expressed("5 -2 0", "s32[3]") == "{5, -2, 0}");
  CHECK(Expressed("5\n-2", "s32[2]") == "{5, -2}");
  // What HLO would refuse stays refused.
  CHECK(Expressed("{1, 2, 3, 4}", "f32[2,2]").find("expects nested array") == 0);
  CHECK(Expressed("1 2 3", "f32[2,2]") == "this has 3 numbers, but f32[2,2] has 4 elements");
  CHECK(Expressed("1 2\n3 4\n5 6", "f32[2,3]") ==
        "line 1 has 2 numbers, but a row of f32[2,3] has 3");
  CHECK(Expressed("1 300", "s8[2]").find("out of range") != std::string::npos);
  CHECK(Expressed("1 2", "(s32[], s32[])") ==
        "these are numbers, but the parameter is (s32[], s32[])");
  CHECK(Expressed("1,,2", "s32[2]").find("expects") != std::string::npos);
}

TEST_CASE("arrays as NumPy, JAX and PyTorch make them") {
  CHECK(Expressed("np.ones((2, 3))", "s32[2,3]") == "{{1, 1, 1}, {1, 1, 1}}");
  CHECK(Expressed("zeros(2, dtype=np.float32)", "f32[2]") == "{0, 0}");
  CHECK(Expressed("jnp.zeros((2,), jnp.float32) + 1", "f32[2]") == "{1, 1}");
  CHECK(Expressed("torch.full([2, 2], 7)", "s32[2,2]") == "{{7, 7}, {7, 7}}");
  CHECK(Expressed("np.full((2,), np.sin(0) + 3)", "s32[2]") == "{3, 3}");
  CHECK(Expressed("constant(3)", "s32[2]") == "{3, 3}");
  CHECK(Expressed("np.ones(())", "s32[]") == "1");
  CHECK(Expressed("np.eye(2)", "s32[2,2]") == "{{1, 0}, {0, 1}}");
  CHECK(Expressed("np.arange(4).reshape(2, -1)", "s32[2,2]") == "{{0, 1}, {2, 3}}");
  CHECK(Expressed("2*np.arange(1, 4)", "s32[3]") == "{2, 4, 6}");
  CHECK(Expressed("np.arange(0, 1, 0.25, dtype='f4')", "f32[4]") == "{0, 0.25, 0.5, 0.75}");
  CHECK(Expressed("np.linspace(0, 1, 5)", "f32[5]") == "{0, 0.25, 0.5, 0.75, 1}");
  CHECK(Expressed("np.pi", "f64[]") == Expressed("pi", "f64[]"));
  CHECK(Expressed("rand", "f32[3]") == Expressed("uniform", "f32[3]"));
  CHECK(Expressed("np.random.rand(3)", "f32[3]") == Expressed("uniform", "f32[3]"));
  CHECK(Expressed("np.random.random((3,))", "f32[3]") == Expressed("uniform", "f32[3]"));
  CHECK(Expressed("torch.randn(3)", "f32[3]") == Expressed("normal", "f32[3]"));
  CHECK(Expressed("np.random.normal(1, 2, size=(3,))", "f32[3]") ==
        Expressed("normal(1, 2)", "f32[3]"));
  CHECK(Expressed("jax.random.uniform(jax.random.key(0), (3,), minval=-1, maxval=1)", "f32[3]") ==
        Expressed("uniform(-1, 1)", "f32[3]"));
  CHECK(Expressed("np.random.randint(0, 9, (3,)).astype(np.int32)", "s32[3]") ==
        Expressed("randint(0, 9)", "s32[3]"));
  CHECK(Expressed("np.random.normal(loc=1, scale=2, size=(3,))", "f32[3]") ==
        Expressed("normal(1, 2)", "f32[3]"));
  CHECK(Expressed("torch.linspace(0, 1, steps=3)", "f32[3]") == "{0, 0.5, 1}");
  CHECK(Expressed("np.full(shape=(2,), fill_value=7)", "s32[2]") == "{7, 7}");
  // What they mean in expressions is as it was.
  CHECK(Expressed("arange(2, 3)", "s32[3]") == "{2, 5, 8}");
  CHECK(Expressed("linspace(0, 1, 1)", "f32[2,3]") == "{{0, 0.5, 1}, {0, 0.5, 1}}");
  CHECK(Expressed("random(0, 1)", "f32[3]") == Expressed("uniform", "f32[3]"));
}

TEST_CASE("elements written over") {
  CHECK(Expressed("iota with [1] = 9, [0]=-1", "s32[3]") == "{-1, 9, 2}");
  CHECK(Expressed("{{1,2},{3,4}} with [1,0] = nan", "f32[2,2]") == "{{1, 2}, {nan, 4}}");
  CHECK(Expressed("zero with [2] = 1", "s32[2]") == "the index is outside the array");
  CHECK(Expressed("i0 with [0]", "s32[2]") == "expects = and the value");
}

TEST_CASE("faults of expressions have their places") {
  struct Case {
    const char* spec;
    const char* says;
    uint32_t begin;
  };
  const Case cases[] = {
      {"i0 + sn(2)", "'sn' is neither", 5},
      {"i3", "there is no dimension 3: the array has 2 dimensions, numbered", 0},
      {"1 +", "expects a number", 3},
      {"(1", "expects ')'", 2},
      {"sin()", "'sin' takes 1 argument", 0},
      {"uniform(5)", "'uniform' takes two arguments, low and high, or none", 0},
      {"normal(0, -1)", "'normal' expects that its deviation is not below 0", 0},
      {"1 + randint(3, 3)", "'randint' expects that low is below high", 4},
      {"bernoulli(3 / 2)", "'bernoulli' expects that its probability is from 0 to 1", 0},
      {"1 < i0 < 2", "comparisons do not chain", 7},
      {"0x", "expects a number", 2},
      {"2 * np.ones((2, 3))", "this is an array of the sizes [2,3], but the parameter is", 4},
      {"np.arange(4)", "'arange' makes one dimension, but the parameter is", 0},
      {"np.arange(5).reshape(2, 2)", "this has 5 elements, but ", 0},
      {"np.ones((2, x))", "'x' is not a size", 12},
      {"np.ones((2, 2)).T", "'.T' is not understood after an array", 15},
      {"np.foo(2)", "'foo' is neither", 3},
      {"np.random.normal(scale=2, size=(2, 2))", "'scale=' is not understood here", 23},
      {"np.random.uniform(high=1, low=0)", "'high=' is not understood here", 23},
      {"np.eye(2, k=1)", "'k=' is not understood here", 12},
      {"np.linspace(0, 1, 4, endpoint=False)", "'endpoint=' is not understood here", 30},
      {"np.linspace(0, 1, 4, False)", "'linspace' takes 3 arguments, not 4", 21},
      {"jax.random.truncated_normal(key, -2, 2, (2, 2))", "'key' is neither", 28},
      {"np.ones((2, 2)", "expects ')' at the end of the arguments", 14},
      {"1 + 0=0x", "expects", 5},
      {"2x", "'2x' is not a number", 0},
      {"1 2", "this has 2 numbers, but f32[2,2] has 4 elements", 0},
      {"pi 2", "expects an operator", 3},
      {"frobnicate", "'frobnicate'", 0},
      {"linspace(1)", "expects ','", 10},
      {"\xff\xfe", "expects a number", 0},
  };
  for (const Case& c : cases) {
    INFO(c.spec);
    Diagnostics diagnostics;
    Budget budget;
    CHECK(
        !MakeInput(c.spec, ShapeOf("f32[2,2]"), 0, 0, &budget, diagnostics, {}, &AllInputForms()));
    REQUIRE(diagnostics.has_errors());
    CHECK(diagnostics.list()[0].message.find(c.says) != std::string::npos);
    CHECK(diagnostics.list()[0].range.begin == c.begin);
    CHECK(diagnostics.list()[0].range.end <= std::strlen(c.spec));
  }
  const std::string deep(100'000, '(');
  Diagnostics diagnostics;
  CHECK(!MakeInput(deep, ShapeOf("f32[2]"), 0, 0, nullptr, diagnostics, {}, &AllInputForms()));
}

}  // namespace
}  // namespace hlo
