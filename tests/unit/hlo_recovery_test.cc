// One pass shows every fault once, and nothing makes the parser crash, hang or fill memory.
#include <string>

#include "doctest/doctest.h"
#include "engine/hlo/parser.h"
#include "engine/hlo/printer.h"

namespace hlo {
namespace {

std::vector<std::string> Faults(std::string text) {
  Diagnostics diagnostics;
  ParseModule(std::move(text), diagnostics);
  std::vector<std::string> messages;
  for (const Diagnostic& d : diagnostics.list()) messages.push_back(d.message);
  return messages;
}

TEST_CASE("every broken instruction is reported once; what uses it is not") {
  std::vector<std::string> faults = Faults(
      "ENTRY e {\n"
      "  a = f32[ parameter(0)\n"               // the shape
      "  b = f32[2] parametr(1)\n"              // the opcode
      "  c = f32[2] add(a, b)\n"                // uses broken ones: silent
      "  d = add(c, a)\n"                       // silent
      "  e = f32[2] negate(nowhere)\n"          // not known
      "  e1 = f32[2] negate(unknown)\n"         // a keyword, and not known
      "  f = f32[2] negate(e), wild={1,{2}}\n"  // attribute
      "  g = f32[2] add(f, \n"                  // an operand is missing
      "  h = f32[2] negate(f)\n"
      "  i = f32[2] negate(g\n"  // a parenthesis is missing
      "  ROOT j = (f32[2], f32[2]) tuple(h, i)\n"
      "}\n"
      "ENTRY f { x = f32[] paramete(0) }\n");
  std::string all;
  for (const std::string& fault : faults) all += fault + "\n";
  CAPTURE(all);
  CHECK(faults.size() == 9);
}

TEST_CASE("a fault inside braces over several lines does not end the computation") {
  std::vector<std::string> faults = Faults(
      "ENTRY e {\n"
      "  a = f32[] parameter(0)\n"
      "  b = f32[] copy(a), metadata={\n"
      "    op_nam=\"x\"\n"
      "  }\n"
      "  c = f32[] copy(b)\n"
      "  ROOT d = f32[] copy(nope)\n"
      "}\n");
  CHECK(faults.size() == 2);
}

TEST_CASE("a missing closing brace is reported at the next computation") {
  std::vector<std::string> faults = Faults(
      "a {\n  x = f32[] parameter(0)\n"
      "ENTRY b {\n  y = f32[] parameter(0)\n  ROOT z = f32[] call(y), to_apply=a\n}\n");
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].find("expects '}'") == 0);
}

TEST_CASE("a partial module is there for views") {
  Diagnostics diagnostics;
  auto module = ParseModule(
      "ENTRY e {\n  a = f32[] parameter(0)\n  b = f32[] bad(a)\n  c = f32[] copy(a)\n}\n",
      diagnostics);
  REQUIRE(module);
  CHECK(module->entry()->instructions().size() == 2);
  CHECK(module->entry()->root()->name() == "c");
}

std::string Repeat(std::string_view piece, size_t bytes) {
  std::string text;
  text.reserve(bytes + piece.size());
  while (text.size() < bytes) text.append(piece);
  return text;
}

TEST_CASE("hostile texts end soon with few diagnostics") {
  constexpr size_t kBytes = 1 << 18;
  const std::string_view pieces[] = {"{",          "(",
                                     "[",          "{\n",
                                     "x = \n",     "\"",
                                     "\"\n",       "/*",
                                     "a(b(",       "ROOT\n",
                                     "ENTRY\n",    "%",
                                     "HloModule ", "x = f32[] add(",
                                     "x = ((((((", "a {\n",
                                     "}\n",        "a { b = f32[] call(), to_apply={ ",
                                     "'\\",        "a={",
                                     "\"\\\"\n",   "x = f32[2] constant({{{{",
                                     "\x80\xff",   "b(",
                                     "a = b#1#"};
  const std::string_view heads[] = {
      "", "ENTRY e {\n", "HloModule m, x=", "ENTRY e {\n  a = f32[] copy(b), backend_config="};
  for (std::string_view head : heads) {
    for (std::string_view piece : pieces) {
      CAPTURE(head);
      CAPTURE(piece);
      Diagnostics diagnostics;
      ParseModule(std::string(head) + Repeat(piece, kBytes), diagnostics);
      CHECK(diagnostics.has_errors());
      CHECK(diagnostics.list().size() <= Diagnostics::kMaxKept);
    }
  }
}

TEST_CASE("nesting is limited, and the limit can be chosen") {
  std::string text = "ENTRY e { r = f32[] ";
  for (int i = 0; i < 2000; ++i) text += "negate(f32[] ";
  Diagnostics diagnostics;
  ParseModule(text, diagnostics);
  REQUIRE(diagnostics.has_errors());
  CHECK(diagnostics.list()[0].code == DiagCode::kRecursionLimit);
  CHECK(diagnostics.list()[0].message.find("500") != std::string::npos);
  Diagnostics shallow;
  ParseModule("ENTRY e { r = f32[] negate(f32[] negate(f32[] constant(1))) }", shallow, nullptr,
              {.max_depth = 1});
  CHECK(shallow.has_errors());
}

TEST_CASE("cut short anywhere, a program gives diagnostics or parses") {
  const std::string text =
      "HloModule m, input_output_alias={ {}: (0, {}, may-alias) }\n"
      "sum (a: f32[], b: f32[]) -> f32[] {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
      "  ROOT s = f32[] add(a, b)\n}\n"
      "ENTRY %e {\n  %p = f32[2,3]{1,0:T(2,128)} parameter(0), sharding={devices=[2,1]<=[2]}\n"
      "  z = f32[] constant(-1.5e-3)\n  /* c */ w = f32[1,2] reduce-window(p, z), "
      "window={size=2x2 pad=0_0x0_0}, to_apply=sum, metadata={op_name=\"a\\\"b\"}\n"
      "  ROOT r = (f32[1,2], f32[2,3]) tuple(w, p#0), control-predecessors={z}\n}\n";
  for (size_t n = 0; n < text.size(); ++n) {
    Diagnostics diagnostics;
    auto module = ParseModule(text.substr(0, n), diagnostics);
    if (!diagnostics.has_errors() && module) PrintModule(*module);
    // And with one byte changed.
    std::string changed = text;
    changed[n] = "{}()=,%\"x\0"[n % 10];
    Diagnostics more;
    auto other = ParseModule(changed, more);
    if (!more.has_errors() && other) PrintModule(*other);
  }
}

}  // namespace
}  // namespace hlo
