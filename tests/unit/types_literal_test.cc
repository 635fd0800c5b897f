// Literals: text both ways for every code of every small type, good and bad tables, speed guards.
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "doctest/doctest.h"
#include "engine/base/bits.h"
#include "engine/types/literal.h"
#include "tests/unit/all_values.h"
#include "tests/unit/literal_cases.h"

namespace hlo {
namespace {

// The literal of a whole text; fails the test on a fault.
Literal LiteralOf(std::string_view text, const Shape& shape) {
  Diagnostics diagnostics;
  uint32_t consumed = 0;
  auto literal = ParseLiteral(text, shape, 0, &consumed, diagnostics);
  INFO(text.substr(0, 200) << ": " << (diagnostics.empty() ? "" : diagnostics.list()[0].message));
  REQUIRE(literal.has_value());
  CHECK(diagnostics.empty());
  CHECK(consumed == text.size());
  return *literal;
}

bool SameBytes(const Tensor& a, const Tensor& b) {
  return a.byte_size() == b.byte_size() &&
         std::memcmp(a.bytes(), b.bytes(), static_cast<size_t>(a.byte_size())) == 0;
}

TEST_CASE("literals: every value of every type of 16 bits or fewer reads back to the same bits") {
  int types = 0;
  for (size_t i = 0; i < ElementTypes().size(); ++i) {
    const ElementType type = static_cast<ElementType>(i);
    if (BytesOf(type) > 2) continue;
    const Tensor all = AllValues(type);
    const Shape shape = Shape::Array(type, all.dims());
    INFO(ShapeName(shape));
    CHECK(SameBytes(LiteralOf(LiteralText(all, shape), shape).value.tensor(), all));
    ++types;
  }
  CHECK(types == 24);
}

template <typename T, typename BitsType>
void CheckRoundTrip(const std::vector<BitsType>& codes) {
  const int64_t dims[] = {static_cast<int64_t>(codes.size())};
  Tensor tensor(kTypeOf<T>, dims, nullptr);
  std::memcpy(tensor.mutable_bytes(), codes.data(), codes.size() * sizeof(BitsType));
  const Shape shape = Shape::Array(kTypeOf<T>, dims);
  CHECK(SameBytes(LiteralOf(LiteralText(tensor, shape), shape).value.tensor(), tensor));
}

TEST_CASE("literals: f32, f64 and 64-bit integers read back to the same bits") {
  std::vector<uint32_t> f32 = {0,          0x80000000, 1,          0x7FFFFF,
                               0x800000,   0x7F7FFFFF, 0x7F800000, 0xFF800000,
                               0x7FC00000, 0xFFC00000, 0x7F800001, 0xFFFFFFFF};
  std::vector<uint64_t> f64 = {0,
                               uint64_t{1} << 63,
                               1,
                               0x7FEFFFFFFFFFFFFF,
                               0x7FF0000000000000,
                               0xFFF8000000000000,
                               0x7FF0000000000001,
                               0x000FFFFFFFFFFFFF};
  uint64_t random = 88172645463325252u;
  for (int i = 0; i < 20000; ++i) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    f32.push_back(static_cast<uint32_t>(random));
    f64.push_back(random);
  }
  CheckRoundTrip<float>(f32);
  CheckRoundTrip<double>(f64);
  CheckRoundTrip<int64_t>(f64);
  CheckRoundTrip<uint64_t>(f64);
  CheckRoundTrip<int32_t>(f32);
  f64.resize(20000);
  CheckRoundTrip<std::complex<float>>(f64);
}

struct GoodLiteral {
  std::string_view shape;
  std::string_view text;
  std::string_view printed;  // empty: the same
};
const GoodLiteral kGoodLiterals[] = {
    {"s32[]", "3", ""},
    {"s32[]", "-0", "0"},
    {"f32[]", "-0", ""},
    {"f32[]", "-0.0", "-0"},
    {"f32[]", "1.", "1"},
    {"f32[]", ".5", "0.5"},
    {"f32[]", "-2.5E-4", "-0.00025"},
    {"f32[]", "1e3", "1000"},
    {"f32[]", "3e+07", ""},
    {"f32[]", "0.1", ""},
    {"f32[]", "0.100000024", ""},
    {"f32[]", "16777217", "16777216"},
    {"f32[]", "18446744073709551615", "1.84467441e+19"},
    {"f32[]", "100000000000000000000000", "1e+23"},
    {"f32[]", "nan", ""},
    {"f32[]", "-nan", ""},
    {"f32[]", "nan(0x400000)", "nan"},
    {"f32[]", "nan(0x7)", ""},
    {"bf16[2]", "{-nan(0x7f), -nan(0x3f)}", ""},
    {"f32[2]", "{inf,-inf}", "{inf, -inf}"},
    {"f64[]", "0.1", ""},
    {"f64[]", "2.2250738585072014e-308", ""},
    {"f64[]", "179769313486231570000000e285", "1.7976931348623157e+308"},
    {"f16[]", "-65504", ""},
    {"f16[]", "65519.9", "65504"},
    {"bf16[]", "3.39e+38", ""},
    {"f8e5m2[]", "57344", "5.7e+04"},
    {"f8e4m3fn[2]", "{448, inf}", "{448, nan}"},
    {"f8e8m0fnu[2]", "{4, nan}", ""},
    {"f4e2m1fn[]", "-6.5", "-6"},
    {"f4e2m1fn[]", "7", "6"},
    {"pred[]", "true", ""},
    {"pred[]", "2", "true"},
    {"pred[3]", "{true, false, 7}", "{1, 0, 1}"},
    {"u64[]", "18446744073709551615", ""},
    {"s64[]", "-9223372036854775808", ""},
    {"s4[2]", "{-8, 7}", ""},
    {"u1[2]", "{0, 1}", ""},
    {"s1[2]", "{0, -1}", ""},
    {"s32[3]", "{1 2 3}", "{1, 2, 3}"},
    {"s32[3]", "{1,2,3,}", "{1, 2, 3}"},
    {"s32[0]", "{}", ""},
    {"s32[2,0]", "{}", "{ {}, {} }"},
    {"s32[2,0]", "{{}, {}}", "{ {}, {} }"},
    {"s32[1000000,0]", "{}", ""},
    {"s32[2,3]", "{{1,2,3},{4,5,6}}", "{ { 1, 2, 3 }, { 4, 5, 6 } }"},
    {"s32[2,1]", "{ {1}, {2} }", ""},
    {"s32[1,2,1]", "{{{1},{2}}}", "{ { {1}, {2} } }"},
    {"s32[2,1,1,2]", "{{{{1,2}}},{{{3,4}}}}",
     "{ { /*i0=0*/ { /*i1=0*/ { 1, 2 } } }, { /*i0=1*/ { /*i1=0*/ { 3, 4 } } } }"},
    {"s32[2]", "{/*a*/ 1, // b\n 2}", "{1, 2}"},
    {"s32[2,3]", "-7", "{ { -7, -7, -7 }, { -7, -7, -7 } }"},
    {"c64[2]", "(1, 2)", "{(1, 2), (1, 2)}"},
    {"s32[0]", "5", "{}"},
    {"s32[<=2]", "5", "{5, 5}"},
    {"c64[2]", "{(1, 2), (-inf, nan)}", ""},
    {"c128[]", "( 1.5,-0 )", "(1.5, -0)"},
    {"(f32[2,1], f32[2])", "( { {1}, {2} }, {2, 42} )", ""},
    {"((s32[]), ())", "((1),())", "( ( 1 ), (  ) )"},
    {"token[]", "token", ""},
    {"s32[<=4]", "(3) {1, 2, 3}", "{1, 2, 3}"},
    {"s32[<=4]", "{1, 2}", ""},
    {"s32[<=4]", "{1, 2, 3, 4}", ""},
    {"s32[<=4]", "{}", ""},
    {"s32[<=3,2]", "{{1,2},{3,4}}", "{ { 1, 2 }, { 3, 4 } }"},
    {"s32[2,<=3]", "(2,2) {{1,2},{3,4}}", "{ { 1, 2 }, { 3, 4 } }"},
};

TEST_CASE("literals: good text") {
  for (const GoodLiteral& row : kGoodLiterals) {
    const Shape shape = ShapeOf(row.shape);
    const Literal literal = LiteralOf(row.text, shape);
    CHECK_FALSE(literal.elided);
    CHECK(LiteralText(literal.value, shape) == (row.printed.empty() ? row.text : row.printed));
  }
}

struct BadLiteral {
  std::string_view shape;
  std::string_view text;
  std::string_view message;  // a part of it
  Range range;
};
const BadLiteral kBadLiterals[] = {
    {"u32[]",
     "4294967296",
     "value 4294967296 is out of range for literal's primitive type U32 namely [0, 4294967295].",
     {0, 10}},
    {"s4[]", "-9", "is out of range for literal's primitive type S4 namely [-8, 7].", {0, 2}},
    {"u8[2]", "{1, -1}", "value -1 is out of range", {4, 6}},
    {"u64[]", "99999999999999999999", "primitive type U64", {0, 20}},
    {"f16[]",
     "-65520",
     "is out of range for literal's primitive type F16 namely [-65504, 65504].",
     {0, 6}},
    {"bf16[]", "1e100", "out of range", {0, 5}},
    {"f32[]", "3.5e38", "F32", {0, 6}},
    {"f64[]",
     "1e999",
     "Constant is out of range for double (+/-1.79769e+308) and so is unparsable.",
     {0, 5}},
    {"f8e4m3fn[]", "465", "namely [-448, 448]", {0, 3}},
    {"f8e8m0fnu[]", "0", "F8E8M0FNU", {0, 1}},
    {"f8e4m3fn[1]", "{nan(0x1)}", "tries to set NaN payload 0x1", {1, 4}},
    {"bf16[]", "nan(0x80)", "tries to set NaN payload 0x80", {0, 3}},
    {"bf16[]", "nan(0x0)", "tries to set NaN payload 0x0", {0, 3}},
    {"bf16[]", "nan(0xZ)", "expects a NaN payload", {0, 3}},
    {"s32[]", "1.5", "expects integer for primitive type: S32, but sees '1.5'", {0, 3}},
    {"s32[]", "inf", "expects integer for primitive type: S32, but sees 'inf'", {0, 3}},
    {"f32[]", "abc", "expects a number for f32, but sees 'abc'", {0, 3}},
    {"f32[]", "1e", "expects a number for f32", {0, 2}},
    {"f32[]", "-", "expects a number for f32", {0, 1}},
    {"f32[]", "", "expects a value of f32, but sees the end", {0, 0}},
    {"pred[]", "yes", "expects 'true', 'false' or an integer", {0, 3}},
    {"c64[]", "1", "expects '(' before complex number", {0, 1}},
    {"c64[]", "(1 2)", "expect comma after real part of complex literal", {3, 4}},
    {"f32[]", "{1}", "expects nested array in rank 0, but sees larger", {0, 1}},
    {"f32[2,3]", "}{1, 2, 3}, {4, 5, 6}}", "unexpected '}' token", {0, 1}},
    {"f32[2]", "{1,{2}}", "expects nested array in rank 1, but sees larger", {3, 4}},
    {"f32[2,2]", "{1, 2}", "expects nested array in rank 2, but sees 1", {1, 2}},
    {"f32[2]", "x", "expects a number for f32", {0, 1}},
    {"f32[2]", "{1}", "expects 2 elements in the []th element, but sees 1", {2, 3}},
    {"f32[2]", "{1,2,3}", "expects 2 elements on the minor-most dimension, but sees more", {5, 6}},
    {"f32[2,3,2]",
     "{{{1, 2}, {3, 4}, {5, 6}, {7, 8}}}",
     "expects 3 elements in the [0]th element, but sees more",
     {26, 27}},
    {"f32[2,3,2]",
     "{{{1, 2}, {3, 4}}}",
     "expects 3 elements in the [0]th element, but sees 2",
     {16, 17}},
    {"f32[2]", "{1, 2", "the end of the text", {5, 5}},
    {"f32[1000000000,1000]",
     "{{1, 2, 3}}",
     "expects 1000 elements in the [0]th element, but sees 3",
     {9, 10}},
    {"(f32[], s32[])", "(1)", "expects the 1th element: the tuple has 2 elements", {0, 3}},
    {"(f32[])", "(1, 2)", "expects ')' at the end of the tuple with 1 elements", {2, 3}},
    {"(f32[])",
     "1",
     "expects '(' in front of tuple elements, for a literal of (f32[]), but sees '1'",
     {0, 1}},
    {"opaque[]", "1", "unsupported literal shape", {0, 1}},
    {"s32[?]", "{1}", "has no bound", {0, 1}},
    {"s32[<=2]", "(3) {1,2,3}", "expects a run-time size of dimension 0, at most 2", {1, 2}},
    {"s32[<=4]", "(2) {1,2,3}", "expects 2 elements on the minor-most", {9, 10}},
    {"s32[<=4]", "(4) {1,2,3}", "expects 4 elements in the", {10, 11}},
    {"s32[<=3,<=3]", "{{1,2},{3}}", "expects 2 elements in the [1]th element, but sees 1", {9, 10}},
    {"s32[<=2]", "{1,2,3}", "expects 2 elements on the minor-most", {5, 6}},
};

TEST_CASE("literals: faults are named and located") {
  for (const BadLiteral& row : kBadLiterals) {
    INFO(row.shape << " " << row.text);
    Diagnostics diagnostics;
    uint32_t consumed = 0;
    const Shape shape = ShapeOf(row.shape);
    CHECK_FALSE(ParseLiteral(row.text, shape, 1000, &consumed, diagnostics).has_value());
    CHECK(consumed <= row.text.size());
    REQUIRE(diagnostics.size() == 1);
    const Diagnostic& fault = diagnostics.list()[0];
    CAPTURE(fault.message);
    CHECK(fault.message.find(row.message) != std::string::npos);
    CHECK(fault.range.begin == row.range.begin + 1000);
    CHECK(fault.range.end >= row.range.end + 1000);
  }
  // XLA reads integers modulo 2^64.
  Diagnostics warned;
  uint32_t consumed = 0;
  const Shape s64 = ShapeOf("s64[]");
  const auto wrapped = ParseLiteral("9223372036854775808", s64, 1000, &consumed, warned);
  REQUIRE(wrapped.has_value());
  CHECK(LiteralText(wrapped->value, s64) == "-9223372036854775808");
  REQUIRE(warned.size() == 1);
  CHECK(warned.list()[0].severity == Severity::kWarning);
  CHECK(warned.list()[0].message ==
        "9223372036854775808 is read modulo 2^64, as -9223372036854775808");
  CHECK(warned.list()[0].range == Range{1000, 1019});
}

TEST_CASE("literals: `{...}` is known as elided, and only outermost") {
  const Literal literal = LiteralOf("{...}", ShapeOf("f32[1000000000,1000]"));
  CHECK(literal.elided);
  CHECK(literal.value.is_token());
  CHECK(LiteralText(literal.value, ShapeOf("f32[1000000000,1000]")) == "{...}");
  CHECK(LiteralOf("( 1, { ... } )", ShapeOf("(s32[], f32[5])")).elided);
  Diagnostics diagnostics;
  uint32_t consumed = 0;
  CHECK_FALSE(ParseLiteral("{{...},{...}}", ShapeOf("f32[2,2]"), 0, &consumed, diagnostics));
}

TEST_CASE("literals: what a scalar fills is made when it is used") {
  const Shape huge = ShapeOf("f32[1000000000,1000]");
  const Literal literal = LiteralOf("1.5", huge);
  CHECK(literal.value.tensor().byte_size() == 4);
  CHECK(LiteralText(literal.value, huge) == "1.5");
  Budget small({.memory_bytes = 1 << 20});
  CHECK_THROWS_AS(WholeValue(literal.value, huge, &small), RunError);
  const Shape large = ShapeOf("s16[100,400]");
  const Shape pair = Shape::Tuple({large, ShapeOf("s16[2]")});
  const Literal both = LiteralOf("(7, 8)", pair);
  CHECK(both.value.elements()[0].tensor().element_count() == 1);
  CHECK(LiteralText(both.value, pair) == "( 7, {8, 8} )");
  const Value whole = WholeValue(both.value, pair, &small);
  const Tensor& filled = whole.elements()[0].tensor();
  REQUIRE(filled.element_count() == 40000);
  CHECK(filled.data<int16_t>()[0] == 7);
  CHECK(filled.data<int16_t>()[39999] == 7);
}

TEST_CASE("literals: dynamic arrays keep their sizes, with zeros in the rest") {
  const Shape shape = ShapeOf("s32[<=3,<=4]");
  const Literal literal = LiteralOf("{{1,2},{3,4}}", shape);
  const Tensor& tensor = literal.value.tensor();
  CHECK(tensor.dynamic_sizes() == Dims{2, 2});
  const std::vector<int32_t> expected = {1, 2, 0, 0, 3, 4, 0, 0, 0, 0, 0, 0};
  CHECK(std::vector<int32_t>(tensor.data<int32_t>(), tensor.data<int32_t>() + 12) == expected);
  CHECK(LiteralText(literal.value, shape, {.shape = true, .hlo_spacing = false}) ==
        "s32[<=3,<=4](2,2) {{1, 2}, {3, 4}}");
}

TEST_CASE("literals: a run-time size is a dynamic dimension, whatever shape was written") {
  const Literal literal = LiteralOf("(2,3) {{1, 2, 3}, {4, 5, 6}}", ShapeOf("s32[<=4,3]"));
  CHECK(LiteralText(literal.value, ShapeOf("s32[4,3]"), {.shape = true, .hlo_spacing = false}) ==
        "s32[<=4,3](2,3) {{1, 2, 3}, {4, 5, 6}}");
}

TEST_CASE("literals: inputs are shapes with literals") {
  const char* kTexts[] = {
      "s32[2,3] {{1, 2, 3}, {4, 5, 6}}",           "f32[] -0", "s32[<=4](3) {1, 2, 3}",
      "(u32[2] {0, 1}, (f32[] 0.5, pred[] true))", "()",       "c64[1] {(1, 2)}",
  };
  for (const char* text : kTexts) {
    INFO(text);
    Diagnostics diagnostics;
    auto literal = ParseShapedLiteral(text, diagnostics);
    REQUIRE(literal.has_value());
    CHECK(LiteralText(literal->literal.value, literal->shape,
                      {.shape = true, .hlo_spacing = false}) == text);
  }
  Diagnostics diagnostics;
  auto tuple = ParseShapedLiteral("(f32[2], s32[]) ({1, 2}, 3)", diagnostics);
  REQUIRE(tuple.has_value());
  CHECK(ShapeName(tuple->shape) == "(f32[2], s32[])");
  CHECK(LiteralText(tuple->literal.value, tuple->shape) == "( {1, 2}, 3 )");
  auto laid_out = ParseShapedLiteral("s32[2,2]{0,1} {{1,2},{3,4}}", diagnostics);
  REQUIRE(laid_out.has_value());
  CHECK(laid_out->literal.value.tensor().data<int32_t>()[1] == 2);
  CHECK(LiteralText(laid_out->literal.value, laid_out->shape, {.shape = true, .layout = true}) ==
        "s32[2,2]{0,1} { { 1, 2 }, { 3, 4 } }");
  CHECK_FALSE(ParseShapedLiteral("s32[] 1 2", diagnostics).has_value());
  CHECK_FALSE(ParseShapedLiteral("(s32[] 1", diagnostics).has_value());
  CHECK_FALSE(ParseShapedLiteral(std::string(100000, '('), diagnostics).has_value());
}

TEST_CASE("literals: custom-call's form has a shape in front of every array") {
  const Shape shape = ShapeOf("(s32[2], pred[])");
  Diagnostics diagnostics;
  uint32_t consumed = 0;
  const std::string_view text = "( s32[2]{0} {1, 2}, pred[] true ), more";
  auto literal = ParseLiteral(text, shape, 0, &consumed, diagnostics, nullptr, true);
  REQUIRE(literal.has_value());
  CHECK(consumed == 33);
  CHECK(LiteralText(literal->value, shape, {.shape = true, .layout = true}) ==
        text.substr(0, consumed));
  CHECK_FALSE(ParseLiteral("(s32[3] {1,2,3}, pred[] true)", shape, 0, &consumed, diagnostics,
                           nullptr, true));
  CHECK(diagnostics.list()[0].message.find("expects an element of shape s32[2]") !=
        std::string::npos);
}

TEST_CASE("literals: printing is bounded and compact when asked") {
  const Shape shape = ShapeOf("s32[2,2]");
  const Literal literal = LiteralOf("{{1,2},{3,4}}", shape);
  CHECK(LiteralText(literal.value, shape, {.hlo_spacing = false}) == "{{1, 2}, {3, 4}}");
  CHECK(LiteralText(literal.value, shape, {.max_elements = 3}) == "{...}");
  CHECK(LiteralText(literal.value, shape, {.max_elements = 4}) == "{ { 1, 2 }, { 3, 4 } }");
  std::string element;
  AppendElement(literal.value.tensor(), 2, &element);
  CHECK(element == "3");
}

TEST_CASE("literals: memory is asked from the budget and never for more than the text can fill") {
  Budget budget({.memory_bytes = 100});
  Diagnostics diagnostics;
  uint32_t consumed = 0;
  CHECK(ParseLiteral("{1,2}", ShapeOf("f32[2]"), 0, &consumed, diagnostics, &budget));
  CHECK(budget.memory_peak() == 8);
  CHECK(budget.memory_used() == 0);
  CHECK_FALSE(
      ParseLiteral("{1,2}", ShapeOf("f32[1000000000]"), 0, &consumed, diagnostics, &budget));
  CHECK(budget.memory_peak() == 8);
  CHECK(diagnostics.list()[0].code == DiagCode::kLiteralValue);
  std::string text = "{1";
  for (int i = 0; i < 99; ++i) text += ",1";
  CHECK_FALSE(ParseLiteral(text + "}", ShapeOf("f32[100]"), 0, &consumed, diagnostics, &budget));
  CHECK(diagnostics.list()[1].code == DiagCode::kMemoryExceeded);
  CHECK_FALSE(ParseLiteral("{1}", ShapeOf("f32[<=1000000000]"), 0, &consumed, diagnostics));
  CHECK(diagnostics.list()[2].code == DiagCode::kTooLarge);
}

TEST_CASE("literals: any bytes are refused or read, never followed past the end") {
  const char* kShapes[] = {"f32[2,3]", "(s32[], c64[2])", "pred[]", "s32[<=4]", "f8e4m3fn[3]"};
  const std::string_view alphabet = "{}(),.-0123456789enaif/*x= \n\"<#";
  uint64_t random = 42;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (int j = 0; j < 12; ++j) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      text += alphabet[(random >> 33) % alphabet.size()];
    }
    Diagnostics diagnostics;
    uint32_t consumed = 0;
    auto literal =
        ParseLiteral(text, ShapeOf(kShapes[i % 5]), 0, &consumed, diagnostics, nullptr, i % 2 == 0);
    if (literal.has_value() == diagnostics.has_errors() || consumed > text.size()) {
      FAIL_CHECK(text);
    }
  }
}

}  // namespace
}  // namespace hlo
