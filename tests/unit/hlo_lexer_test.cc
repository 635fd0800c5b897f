// The lexer's tokens, and the kinds of tokens that highlighting is told.
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/hlo/lexer.h"
#include "engine/hlo/parser.h"

namespace hlo {
namespace {

struct Fixture {
  explicit Fixture(std::string_view text) : lexer(text, &diagnostics) {}
  Diagnostics diagnostics;
  Lexer lexer;
};

TEST_CASE("space and comments are skipped") {
  Fixture f(" \t\r\n/* a * / b */ // c\n  x");
  CHECK(f.lexer.Peek() == 'x');
  CHECK(f.diagnostics.empty());
}

TEST_CASE("an open comment is reported once, at its opening") {
  Fixture f("x /* y");
  f.lexer.ConsumeIdentifier();
  CHECK(f.lexer.AtEnd());
  CHECK(f.lexer.AtEnd());
  REQUIRE(f.diagnostics.list().size() == 1);
  CHECK(f.diagnostics.list()[0].code == DiagCode::kLexicalError);
  CHECK(f.diagnostics.list()[0].range == Range{2, 4});
}

TEST_CASE("names") {
  struct Row {
    std::string_view text, name;
    uint32_t end;
  };
  const Row rows[] = {{"add.12 ", "add.12", 6}, {"%p0,", "p0", 3},   {"a-b_c=", "a-b_c", 5},
                      {"% p", "", 0},           {"1a", "", 0},       {"%1", "", 0},
                      {"_x", "_x", 2},          {"ROOT", "ROOT", 4}, {"", "", 0}};
  for (const Row& row : rows) {
    CAPTURE(row.text);
    Fixture f(row.text);
    Range range;
    CHECK(f.lexer.ConsumeName(&range) == row.name);
    if (row.end > 0) CHECK(range == Range{0, row.end});
  }
}

TEST_CASE("integers") {
  struct Row {
    std::string_view text;
    bool ok;
    int64_t value;
  };
  const Row rows[] = {{"0", true, 0},
                      {"-7,", true, -7},
                      {"9223372036854775807", true, INT64_MAX},
                      {"-9223372036854775808", true, INT64_MIN},
                      {"18446744073709551615", true, -1},
                      {"18446744073709551616", false, 0},
                      {"-9223372036854775809", false, 0},
                      {"x", false, 0},
                      {"-", false, 0},
                      {"", false, 0}};
  for (const Row& row : rows) {
    CAPTURE(row.text);
    Fixture f(row.text);
    int64_t value = 0;
    CHECK(f.lexer.ReadInt(&value) == row.ok);
    CHECK(f.diagnostics.has_errors() != row.ok);
    if (row.ok) CHECK(value == row.value);
  }
}

TEST_CASE("numbers") {
  double value = 0;
  CHECK(Fixture("1e-5").lexer.ReadNumber(&value));
  CHECK(value == 1e-5);
  CHECK(Fixture("-.5}").lexer.ReadNumber(&value));
  CHECK(value == -.5);
  for (std::string_view bad : {"", "e", "1e999", "0x10", "--1", "1.2.3"}) {
    CAPTURE(bad);
    CHECK_FALSE(Fixture(bad).lexer.ReadNumber(&value));
  }
}

TEST_CASE("strings and their escapes") {
  struct Row {
    std::string_view text, value;
  };
  const Row rows[] = {{R"("plain")", "plain"},
                      {R"('a"b')", "a\"b"},
                      {R"("a\"b\\\n\x41\101\t")", "a\"b\\\nAA\t"},
                      {R"("")", ""}};
  for (const Row& row : rows) {
    CAPTURE(row.text);
    Fixture f(row.text);
    std::string value;
    CHECK(f.lexer.ReadString(&value));
    CHECK(value == row.value);
    // Escaping and reading back is the identity.
    std::string escaped = "\"";
    AppendEscaped(value, &escaped);
    escaped += "\"";
    std::string again;
    CHECK(Fixture(escaped).lexer.ReadString(&again));
    CHECK(again == value);
  }
}

TEST_CASE("groups in braces") {
  struct Row {
    std::string_view text, group;
  };
  const Row rows[] = {
      {"{} x", "{}"}, {"{a: {b}} }", "{a: {b}}"}, {R"({"}": "\"}"})", R"({"}": "\"}"})"}};
  for (const Row& row : rows) {
    CAPTURE(row.text);
    Fixture f(row.text);
    std::string_view group;
    CHECK(f.lexer.ReadBraces(&group));
    CHECK(group == row.group);
  }
}

TEST_CASE("what is never closed gives up at its line's end") {
  std::string value;
  std::string_view group;
  Fixture string("\"abc\nx");
  CHECK_FALSE(string.lexer.ReadString(&value));
  CHECK(string.lexer.Peek() == 'x');
  Fixture braces("{abc\nx");
  CHECK_FALSE(braces.lexer.ReadBraces(&group));
  CHECK(braces.lexer.Peek() == 'x');
}

using TokenKinds = std::vector<std::pair<TokenKind, std::string>>;

TokenKinds KindsOf(std::string_view text) {
  TokenKinds kinds;
  for (const Token& token : Tokenize(text)) {
    kinds.emplace_back(token.kind,
                       text.substr(token.range.begin, token.range.end - token.range.begin));
  }
  return kinds;
}

bool HasToken(const TokenKinds& kinds, TokenKind kind, std::string_view text) {
  for (const auto& [k, t] : kinds) {
    if (t == text) return k == kind;
  }
  return false;
}

TEST_CASE("token kinds") {
  TokenKinds kinds = KindsOf(
      "HloModule m, is_scheduled=true // note\n"
      "sum { a = f32[] parameter(0) }\n"
      "ENTRY main {\n"
      "  p = f32[2,3]{1,0:T(2,128)} parameter(0)\n"
      "  ROOT r = f32[2] reduce(p, %zero), dimensions={1}, to_apply=sum, metadata={op_name=\"x\"}\n"
      "  c = f32[1] convolution(p, q), dim_labels=b01f_01io->b01f, window={size=3x3}\n"
      "}\n");
  CHECK(HasToken(kinds, TokenKind::kKeyword, "HloModule"));
  CHECK(HasToken(kinds, TokenKind::kComputationName, "m"));
  CHECK(HasToken(kinds, TokenKind::kAttribute, "is_scheduled"));
  CHECK(HasToken(kinds, TokenKind::kKeyword, "true"));
  CHECK(HasToken(kinds, TokenKind::kComment, "// note"));
  CHECK(HasToken(kinds, TokenKind::kComputationName, "sum"));
  CHECK(HasToken(kinds, TokenKind::kName, "a"));
  CHECK(HasToken(kinds, TokenKind::kType, "f32"));
  CHECK(HasToken(kinds, TokenKind::kOpcode, "parameter"));
  CHECK(HasToken(kinds, TokenKind::kComputationName, "main"));
  CHECK(HasToken(kinds, TokenKind::kLayout, "{1,0:T(2,128)}"));
  CHECK(HasToken(kinds, TokenKind::kName, "%zero"));
  CHECK(HasToken(kinds, TokenKind::kAttribute, "to_apply"));
  CHECK(HasToken(kinds, TokenKind::kString, "\"x\""));
  CHECK(HasToken(kinds, TokenKind::kNumber, "b01f_01io->b01f"));
  CHECK(HasToken(kinds, TokenKind::kNumber, "3x3"));
}

TEST_CASE("tokens cover everything but space, in order, for any bytes") {
  std::string text;
  uint32_t seed = 1;
  for (int i = 0; i < 20000; ++i) {
    seed = seed * 1664525 + 1013904223;
    constexpr std::string_view kChars = "ab%{}()[]=,\"'/*#\\-.>< \n0x\x80\0";
    text.push_back(kChars[(seed >> 16) % kChars.size()]);
  }
  uint32_t end = 0;
  for (const Token& token : Tokenize(text)) {
    REQUIRE(token.range.begin >= end);
    REQUIRE(token.range.end > token.range.begin);
    for (uint32_t i = end; i < token.range.begin; ++i) {
      REQUIRE(std::string_view(" \n\t\r").find(text[i]) != std::string_view::npos);
    }
    end = token.range.end;
  }
  CHECK(end <= text.size());
}

}  // namespace
}  // namespace hlo
