// Shapes: text both ways, faults with their places, equality, sizes.
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "doctest/doctest.h"
#include "engine/base/budget.h"
#include "engine/types/shape.h"
#include "tests/unit/literal_cases.h"

namespace hlo {
namespace {

struct GoodShape {
  std::string_view text;
  std::string_view printed;  // empty: the same
};
const GoodShape kGoodShapes[] = {
    {"f32[]", ""},
    {"f32[2,3]{1,0}", ""},
    {"f32[2,3]", "f32[2,3]{1,0}"},
    {"f32[2,3]{0,1}", ""},
    {" f32 [ 2 , 3 ] { 0 , 1 } ", "f32[2,3]{0,1}"},
    {"f32[0,7]{1,0}", ""},
    {"pred[<=5,?]{1,0}", ""},
    {"f32[ <= 5 ]", "f32[<=5]{0}"},
    {"bf16[6,16,256]{2,1,0:T(2,*,128)(2,1)}", ""},
    {"f32[]{:T(256)}", ""},
    {"s4[16]{0:E(4)}", ""},
    {"pred[12,45]{1,0:T(2,128)S(3)}", ""},
    {"()", ""},
    {"(f32[], s32[4]{0})", ""},
    {"(f32[1],(f32[2], token[]), opaque[])", "(f32[1]{0}, (f32[2]{0}, token[]), opaque[])"},
    {"(/*index=0*/f32[], // first\n u1[])", "(f32[], u1[])"},
    {"b(s32[])", ""},
    {"b(f32[2]{0})", ""},
    {"token[]", ""},
    {"opaque[]", ""},
    {"f8e4m3b11fnuz[1]{0}", ""},
    {"c128[9223372036854775807,0]{1,0}", ""},
};

TEST_CASE("shapes: text is read and printed") {
  for (const GoodShape& row : kGoodShapes) {
    const Shape shape = ShapeOf(row.text);
    const std::string printed = ShapeText(shape);
    CHECK(printed == (row.printed.empty() ? row.text : row.printed));
    CHECK(ShapeOf(printed) == shape);
  }
}

TEST_CASE("shapes: every element type is read and printed") {
  for (const ElementTypeInfo& info : ElementTypes()) {
    const std::string text = std::string(info.text) + "[2,5]{0,1}";
    const Shape shape = ShapeOf(text);
    CHECK(Text(shape.element_type()) == info.text);
    CHECK(ShapeText(shape) == text);
    CHECK(shape.stored_bytes() == 10 * info.bytes);
  }
  CHECK_FALSE(ElementTypeFromText("").has_value());
  CHECK_FALSE(ElementTypeFromText("F32").has_value());
  CHECK_FALSE(ElementTypeFromText("tuple").has_value());
  CHECK_FALSE(ElementTypeFromText("token").has_value());
  CHECK_FALSE(ElementTypeFromText(std::string(1000, 'f')).has_value());
}

struct BadShape {
  std::string_view text;
  std::string_view message;  // a part of it
  DiagCode code;
  Range range;
};
const BadShape kBadShapes[] = {
    {"", "expects a shape, but sees the end", DiagCode::kSyntaxError, {0, 0}},
    {"g32[]", "'g32' is no element type", DiagCode::kShapeInvalid, {0, 3}},
    {"(f32[], float32[])", "'float32' is no element type", DiagCode::kShapeInvalid, {8, 15}},
    {"f32", "expects '[' after the element type", DiagCode::kSyntaxError, {3, 3}},
    {"f32[2", "expects ']' after the dimensions", DiagCode::kSyntaxError, {5, 5}},
    {"f32[2;3]", "expects ']' after the dimensions, but sees ';'", DiagCode::kSyntaxError, {5, 6}},
    {"f32[-1]", "expects a dimension size, but sees '-1'", DiagCode::kShapeInvalid, {4, 6}},
    {"f32[x]", "expects a dimension size, but sees 'x'", DiagCode::kShapeInvalid, {4, 5}},
    {"f32[2,]", "expects a dimension size, but sees ']'", DiagCode::kShapeInvalid, {6, 7}},
    {"f32[<5]", "expects a dimension size", DiagCode::kShapeInvalid, {4, 5}},
    {"f32[9223372036854775808]", "fit 64 bits", DiagCode::kTooLarge, {4, 23}},
    {"f32[4294967296,4294967296]", "do not fit 64 bits", DiagCode::kTooLarge, {15, 25}},
    {"c128[1152921504606846976]", "do not fit 64 bits", DiagCode::kTooLarge, {5, 24}},
    {"b(s32[], f32[])", "expects ')' at the end of buffer shape", DiagCode::kSyntaxError, {7, 8}},
    {"b((f32[]))", "a buffer holds an array", DiagCode::kShapeInvalid, {2, 9}},
    {"(f32[]", "expects ')' at the end of tuple shape", DiagCode::kSyntaxError, {6, 6}},
    {"token", "expects '['", DiagCode::kSyntaxError, {5, 5}},
    {"token[1]", "expects ']'", DiagCode::kSyntaxError, {6, 7}},
    {"f32[] x", "expects the end of the shape, but sees 'x'", DiagCode::kSyntaxError, {6, 7}},
    {"f32[]{}", "expects the end of the shape", DiagCode::kSyntaxError, {5, 6}},
    {"f32[2]{1,0}",
     "Dimensions size is 1, but minor to major size is 2",
     DiagCode::kLayoutInvalid,
     {6, 11}},
};

TEST_CASE("shapes: faults are named and located") {
  for (const BadShape& row : kBadShapes) {
    INFO(row.text);
    Diagnostics diagnostics;
    CHECK_FALSE(ParseShapeText(row.text, diagnostics).has_value());
    REQUIRE_FALSE(diagnostics.empty());
    const Diagnostic& first = diagnostics.list()[0];
    CAPTURE(first.message);
    CHECK(first.message.find(row.message) != std::string::npos);
    CHECK(first.code == row.code);
    CHECK(first.range.begin == row.range.begin);
    CHECK(first.range.end == row.range.end);
  }
}

TEST_CASE("shapes: a warning of an element size below the type's") {
  const auto warnings = [](std::string_view text) {
    Diagnostics diagnostics;
    CHECK(ParseShapeText(text, diagnostics).has_value());
    return diagnostics.list();
  };
  REQUIRE(warnings("f32[8]{0:E(4)}").size() == 1);
  CHECK(warnings("f32[8]{0:E(4)}")[0].message == "E(4): an element of f32 has 32 bits");
  CHECK(warnings("f32[8]{0:E(4)}")[0].severity == Severity::kWarning);
  CHECK(warnings("s4[8]{0:E(4)}").empty());
  CHECK(warnings("f32[8]{0:E(32)}").empty());
}

TEST_CASE("shapes: words of other systems for element types have a fix") {
  Diagnostics diagnostics;
  uint32_t consumed = 0;
  CHECK_FALSE(ParseShape("Int64[3]", 100, &consumed, diagnostics).has_value());
  REQUIRE(diagnostics.size() == 1);
  REQUIRE(diagnostics.list()[0].fixes.size() == 1);
  CHECK(diagnostics.list()[0].fixes[0].replacement == "s64");
  CHECK(diagnostics.list()[0].fixes[0].range == Range{100, 105});
}

TEST_CASE("shapes: a prefix is read, and a brace after it may be no layout") {
  const auto consumed_by = [](std::string_view text, bool glued) {
    Diagnostics diagnostics;
    uint32_t consumed = 0;
    CHECK(ParseShape(text, 0, &consumed, diagnostics, {.glued_layout = glued}).has_value());
    CHECK(diagnostics.empty());
    return consumed;
  };
  CHECK(consumed_by("f32[2]{0} add(", false) == 9);
  CHECK(consumed_by("f32[2] {\n p = ", false) == 6);
  CHECK(consumed_by("f32[2] {0}", false) == 10);
  CHECK(consumed_by("f32[2] {0, 1}", true) == 6);
  CHECK(consumed_by("f32[2]{0} {0, 1}", true) == 9);
  CHECK(consumed_by("f32[2] {{0}, {1}}", false) == 6);
}

TEST_CASE("shapes: deep and wide texts are refused, not followed") {
  const auto message_of = [](const std::string& text) {
    Diagnostics diagnostics;
    CHECK_FALSE(ParseShapeText(text, diagnostics).has_value());
    return diagnostics.empty() ? "" : diagnostics.list()[0].message;
  };
  CHECK(message_of(std::string(100000, '(')).find("recursion depth") != std::string::npos);
  std::string buffers;
  for (int i = 0; i < 100000; ++i) buffers += "b(";
  CHECK(message_of(buffers).find("recursion depth") != std::string::npos);
  std::string dims = "f32[1";
  for (int i = 0; i < 100000; ++i) dims += ",1";
  CHECK(message_of(dims + "]").find("at most 1000 dimensions") != std::string::npos);
  std::string dynamic = "f32[1";
  for (int i = 0; i < 32; ++i) dynamic += ",1";
  CHECK(message_of(dynamic + ",<=2]").find("may be dynamic") != std::string::npos);
  std::string nested = std::string(500, '(') + "f32[]" + std::string(500, ')');
  CHECK(ShapeText(ShapeOf(nested)) == nested);
}

TEST_CASE("shapes: any text is refused or read, and what is read prints back") {
  const std::string_view parts[] = {"f32", "s4", "[", "]",   "[2,3]", "{1,0}", "{0:T(2)}",
                                    "(",   ")",  ",", "<=5", "?",     "b",     "token",
                                    "[]",  " ",  "{", "}",   "3",     "-1",    "/*x*/"};
  uint64_t random = 99;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (int j = 0; j < 6; ++j) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      text += parts[(random >> 33) % std::size(parts)];
    }
    Diagnostics diagnostics;
    uint32_t consumed = 0;
    const auto shape = ParseShape(text, 0, &consumed, diagnostics, {.glued_layout = i % 2 == 0});
    bool good = shape.has_value() != diagnostics.has_errors() && consumed <= text.size();
    if (good && shape) good = ParseShapeText(ShapeText(*shape), diagnostics) == shape;
    if (!good) FAIL_CHECK(text);
  }
}

TEST_CASE("shapes: printing") {
  const Shape tuple = ShapeOf("(f32[], f32[], f32[], f32[], f32[], s8[3]{0})");
  CHECK(ShapeText(tuple, {.layout = false}) ==
        "(f32[], f32[], f32[], f32[], f32[], /*index=5*/s8[3])");
  CHECK(ShapeName(ShapeOf("f32[2,<=3]{0,1:T(2,2)}")) == "f32[2,<=3]");
}

TEST_CASE("shapes: what equality looks at") {
  const auto equal = [](std::string_view a, std::string_view b, Shape::EqualOptions options) {
    return Shape::Equal(ShapeOf(a), ShapeOf(b), options);
  };
  CHECK(equal("f32[2,3]{1,0}", "f32[2,3]", {}));
  CHECK_FALSE(equal("f32[2,3]{0,1}", "f32[2,3]", {}));
  CHECK(equal("f32[2,3]{0,1}", "f32[2,3]", {.layout = false}));
  CHECK_FALSE(equal("f32[<=3]", "f32[3]", {}));
  CHECK(equal("f32[<=3]", "f32[3]", {.dynamic = false}));
  CHECK(equal("f32[?]", "f32[3]", {.dynamic = false}));
  CHECK_FALSE(equal("f32[3]", "f16[3]", {}));
  CHECK(equal("f32[3]", "f16[3]", {.float_width = false}));
  CHECK_FALSE(equal("f32[3]", "s32[3]", {.float_width = false}));
  CHECK(equal("f32[3]", "s32[3]", {.element_type = false}));
  CHECK_FALSE(equal("(f32[3])", "f32[3]", {}));
  CHECK_FALSE(equal("(f32[3])", "(f32[3], f32[])", {}));
  CHECK_FALSE(equal("b(f32[3])", "f32[3]", {}));
  CHECK(equal("(f32[3]{0}, token[])", "(f32[3], token[])", {}));
  CHECK(Shape::Compatible(ShapeOf("(f32[2,3]{0,1})"), ShapeOf("(f32[2,<=3])")));
}

TEST_CASE("shapes: sizes, also of shapes that no memory holds") {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  CHECK(ShapeOf("f32[2,3]").element_count() == 6);
  CHECK(ShapeOf("f32[]").element_count() == 1);
  CHECK(ShapeOf("f32[<=4,2]").element_count() == 8);
  CHECK(ShapeOf("(f32[2,3], (s4[5]), token[])").stored_bytes() == 29);
  const int64_t big = int64_t{1} << 40;
  CHECK(Shape::Array(ElementType::kF32, {big, big}).element_count() == kMost);
  CHECK(Shape::Array(ElementType::kF32, {big, big}).stored_bytes() == kMost);
  CHECK(Shape::Array(ElementType::kF32, {big, big, 0}).stored_bytes() == 0);
  CHECK(ShapeOf("f32[?]").element_count() == kMost);
  CHECK(ShapeOf("f32[?]").is_dynamic(0));
}

TEST_CASE("shapes: a type made of itself again and again costs its parts once") {
  auto doubled = [](Shape shape, int times) {
    for (int i = 0; i < times; ++i) shape = Shape::Tuple({shape, shape});
    return shape;
  };
  const Shape scalar = Shape::Scalar(ElementType::kF32);
  const Shape a = doubled(scalar, 18);
  const Shape b = doubled(scalar, 18);
  CHECK(a.part_count() == (1 << 19) - 1);
  CHECK(a.level_count() == 18);
  CHECK(a.stored_bytes() == 4 << 18);
  // Two apart from one another: what costs 2^18 comparisons each would not end.
  for (int i = 0; i < 10000; ++i) REQUIRE(a == b);
  CHECK(!(a == doubled(Shape::Scalar(ElementType::kS32), 18)));
  CHECK(ShapeName(a).size() < 10000);
  CHECK(ShapeName(a).find("...") != std::string::npos);
  CHECK(Shape().part_count() == 1);
  CHECK(Shape().level_count() == 0);
}

TEST_CASE("shapes: types have a limit of parts and of levels") {
  Shape shape = Shape::Token();
  for (int i = 0; i < Shape::kMostLevels; ++i) shape = Shape::Tuple({shape});
  CHECK(Shape::TupleFault({&shape, 1}) == "tuples nested deeper than 500 levels");
  CHECK_THROWS_AS(Shape::Tuple({shape}), RunError);
  shape = Shape();
  for (int i = 0; i < 18; ++i) shape = Shape::Tuple({shape, shape});
  CHECK(Shape::TupleFault({&shape, 1}).empty());
  const std::vector<Shape> two(2, shape);
  CHECK(Shape::TupleFault(two).find("a tuple type of 1048575 parts") == 0);
  CHECK_THROWS_AS(Shape::Tuple(two), RunError);
}

TEST_CASE("shapes: tuple elements are shared") {
  const Shape a = ShapeOf("(f32[], s32[])");
  const Shape b = a;
  CHECK(&a.elements() == &b.elements());
  CHECK(Shape().IsTuple());
  CHECK(Shape().elements().empty());
}

}  // namespace
}  // namespace hlo
