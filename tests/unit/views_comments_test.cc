// What Format keeps of a text that no IR has.
#include <string>
#include <string_view>

#include "doctest/doctest.h"
#include "engine/views/check_view.h"
#include "engine/views/document.h"

namespace hlo {
namespace {

std::string Formatted(std::string_view text) { return FormatText(Document(std::string(text))); }

TEST_CASE("Format keeps comments where they were") {
  const std::string text = Formatted(
      "// my notes\n// two lines\nHloModule m // header\n\n/* a sum */ add { x = f32[] "
      "parameter(0) "
      "y = f32[] parameter(1)\n  // both\n  ROOT s = f32[] add(x, y)\n  // the end\n}\n\n"
      "// where it begins\nENTRY e { p = f32[2] parameter(0) // input\n"
      "  z = f32[] constant(0), /* within */ metadata={op_name=\"a // b\"} // zero\n"
      "  ROOT r = f32[] reduce(p, /*index=1*/z), dimensions={0}, to_apply=add\n}\n// last\n");
  CHECK(text ==
        "// my notes\n// two lines\n"
        "HloModule m, entry_computation_layout={(f32[2]{0})->f32[]} // header\n\n"
        "/* a sum */\nadd {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  // both\n"
        "  ROOT s = f32[] add(x, y)\n  // the end\n}\n\n"
        "// where it begins\nENTRY e {\n  p = f32[2]{0} parameter(0) // input\n"
        "  z = f32[] constant(0), metadata={op_name=\"a // b\"} /* within */ // zero\n"
        "  ROOT r = f32[] reduce(p, z), dimensions={0}, to_apply=add\n}\n// last\n");
  CHECK(Formatted(text) == text);
}

TEST_CASE("Format keeps comments of texts without a header, and as many as there are") {
  CHECK(Formatted("ENTRY e { /* a *//* b */ ROOT p = f32[] parameter(0) }") ==
        "HloModule module_e, entry_computation_layout={(f32[])->f32[]}\n\n"
        "ENTRY e { /* a */ /* b */\n  ROOT p = f32[] parameter(0)\n}\n");
  std::string many = "ENTRY e { ";
  for (int i = 0; i < 100000; ++i) many += "/**/";
  const std::string text = Formatted(many + "ROOT p = f32[] parameter(0) }");
  CHECK(text.size() > 500000);
  CHECK(Formatted(text).size() == text.size());
}

TEST_CASE("Format keeps one of the empty lines between instructions, and around comments") {
  const std::string text = Formatted(
      "// top\n\nHloModule m\n\n\n// about add\n\nadd {\n  x = f32[] parameter(0)\n\n\n"
      "  // the other\n  y = f32[] parameter(1)   // behind\n\n  ROOT s = f32[] add(x, y)\n\n"
      "  // end\n}\nENTRY e {\n  p = f32[] parameter(0)\r\n\r\n"
      "  ROOT c = f32[] call(p, p), to_apply=add\n\n}\n");
  CHECK(text ==
        "// top\n\nHloModule m, entry_computation_layout={(f32[])->f32[]}\n\n"
        "// about add\n\nadd {\n  x = f32[] parameter(0)\n\n"
        "  // the other\n  y = f32[] parameter(1) // behind\n\n  ROOT s = f32[] add(x, y)\n\n"
        "  // end\n}\n\nENTRY e {\n  p = f32[] parameter(0)\n\n"
        "  ROOT c = f32[] call(p, p), to_apply=add\n}\n");
  CHECK(Formatted(text) == text);
}

TEST_CASE("Format keeps comments and empty lines of StableHLO") {
  const std::string text = Formatted(
      "// top\n\nfunc.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { // head\n"
      "      // inside\n\n  return %a : tensor<2xf32> // last\n}\n");
  CHECK(text ==
        "// top\n\nfunc.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { // head\n"
        "  // inside\n\n  return %a : tensor<2xf32> // last\n}\n");
}

TEST_CASE("Format keeps a text that it cannot read") {
  CHECK(Formatted("// note\nENTRY e {") == "// note\nENTRY e {");
}

}  // namespace
}  // namespace hlo
