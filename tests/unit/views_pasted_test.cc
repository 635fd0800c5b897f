// What people paste that is no whole module: lines of one, and texts that are no HLO; what folds in
// a text, forms to fill in, and names as they are written.
#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>

#include "doctest/doctest.h"
#include "engine/views/check_view.h"
#include "engine/views/completion_view.h"
#include "engine/views/document.h"
#include "engine/views/folds.h"
#include "engine/views/names.h"

namespace hlo {
namespace {

const Instruction& RootOf(const Document& document) { return *document.module()->entry()->root(); }

TEST_CASE("lines of a computation are a program, and what they do not define its parameters") {
  const Document lines(
      "  %a.1 = f32[2,3]{1,0} add(f32[2,3]{1,0} %x, f32[2,3]{1,0} %y)\n"
      "  %b.2 = f32[2,3]{1,0} multiply(%a.1, f32[2,3]{1,0} %z), metadata={op_name=\"n\"}\n");
  REQUIRE(lines.ok());
  CHECK(RootOf(lines).name() == "b.2");
  CHECK(lines.module()->entry()->parameters().size() == 3);
  REQUIRE(lines.diagnostics().size() == 1);
  CHECK(lines.diagnostics().list()[0].severity == Severity::kWarning);
  CHECK(lines.diagnostics().list()[0].message.find("Expected eof") != std::string::npos);
  const Document strict(lines.text(), {.strict = true});
  CHECK_FALSE(strict.ok());
  CHECK(strict.diagnostics().list()[0].message.find("Expected eof") == 0);
}

TEST_CASE("lines down to the end of their computation, with its ROOT where that is") {
  const Document end(
      "  ROOT r = f32[2] add(a, b)\n"
      "  late = f32[2] negate(r)\n}\n");
  REQUIRE(end.ok());
  CHECK(RootOf(end).name() == "r");
  // The parameters that are there keep their order, not their numbers: others are missing.
  const Document some("p = f32[2] parameter(3)\nq = f32[2] add(p, c)\nr = f32[2] negate(q)");
  REQUIRE(some.ok());
  CHECK(some.module()->entry()->parameters()[0]->name() == "p");
  CHECK(some.module()->entry()->parameters()[1]->name() == "c");
  CHECK(Document("ROOT r = f32[2] negate(f32[2] a)").ok());
}

TEST_CASE("one line has one instruction, and nothing else follows the lines") {
  CHECK_FALSE(Document("x = f32[] constant(1) y = f32[] constant(2)").ok());
  CHECK_FALSE(Document("x = f32[] constant(1)\ny = f32[] negate(x)\n}\n}").ok());
  CHECK_FALSE(Document("x = f32[] constant(1)\nENTRY e { ROOT y = f32[] constant(2) }").ok());
}

std::string OnlyFault(const std::string& text) {
  const Document document(text);
  CHECK(document.kind() == TextKind::kForeign);
  REQUIRE(document.diagnostics().size() == 1);
  return document.diagnostics().list()[0].message;
}

TEST_CASE("a program among the lines of a log is offered alone") {
  const std::string program = "HloModule m\n\nENTRY e {\n  ROOT c = f32[] constant(1)\n}\n";
  std::string logged = "I0501 12:00:00.123456  1234 compiler.cc:7] Before optimizations:\n";
  std::string tensorflow;
  for (size_t begin = 0; begin < program.size();) {
    const size_t end = program.find('\n', begin);
    const std::string line = program.substr(begin, end - begin + 1);
    logged += "I0501 12:00:00.123456  1234 hlo_module.cc:99] " + line;
    if (line.starts_with("ENTRY")) logged += "W0501 12:00:00.2  1235 other.cc:3] slow\n";
    tensorflow += "2026-05-01 12:00:00.123456: I xla/hlo_module.cc:99] " + line;
    begin = end + 1;
  }
  // As cat -n, grep -n, less -N and bat number lines, and mails and tables quote them.
  const auto with = [&](auto margin) {
    std::string text = "The program:\n";
    int number = 0;
    for (size_t begin = 0; begin < program.size();) {
      const size_t end = program.find('\n', begin);
      text += margin(++number) + program.substr(begin, end - begin + 1);
      begin = end + 1;
    }
    return text + "The end.\n";
  };
  const std::string texts[] = {
      with([](int n) { return fmt::format("{:6}\t", n); }),
      with([](int n) { return fmt::format("{}: ", n); }),
      with([](int n) { return fmt::format("{:7} ", n); }),
      with([](int n) { return fmt::format("{:4}   \u2502 ", n); }),
      with([](int) { return std::string("> "); }),
      with([](int) { return std::string("| "); }),
      logged,
      logged + logged,
      tensorflow,
      "WARNING:jax._src.xla_bridge:905: No GPU/TPU found\n" + program,
      "INFO: a\n" + program + "INFO: b\n",
      "*** Begin module_0000.m.txt ***\n" + program + "*** End module_0000.m.txt ***\n",
      ">>> print(lowered.as_text())\n" + program + ">>> \n",
      "INFO: a\nHloModule dump:\n" + program,
      "It fails:\n```\n" + program + "```\nWhy?\n",
  };
  for (const std::string& text : texts) {
    CAPTURE(text);
    CHECK(OnlyFault(text).starts_with("This is a program among lines of a log"));
    const Document document(text);
    const Diagnostic& fault = document.diagnostics().list()[0];
    REQUIRE(fault.fixes.size() == 1);
    CHECK(fault.fixes[0].range.begin == 0);
    CHECK(fault.fixes[0].range.end == text.size());
    CHECK(fault.fixes[0].replacement == program);
  }
  CHECK(Document("// INFO: not a log\n" + program).kind() == TextKind::kHlo);
  // Numbers at the beginning of a line of a fenced program are its own.
  const std::string rows = "ENTRY e {\n  ROOT c = s32[2] constant({\n    1, 2})\n}\n";
  const Document fenced("```\n" + rows + "```\n");
  CHECK(fenced.diagnostics().list()[0].fixes[0].replacement == rows);
  CHECK(Document("```\nwords only, and no program of any kind\n```").kind() == TextKind::kForeign);
  CHECK(Document("INFO: a\nmodule {\n  func.func @main() { return }\n}\n").kind() ==
        TextKind::kForeign);
}

TEST_CASE("of several programs in a log each is offered alone, and of two modules each half") {
  const std::string first =
      "HloModule one, is_scheduled=true\n\nENTRY e {\n  ROOT c = f32[] constant(1)\n}\n";
  const std::string second = "HloModule two\n\nENTRY e {\n  ROOT c = f32[] constant(2)\n}\n";
  const std::string dumps = "*** Begin a.txt ***\n" + first +
                            "*** End a.txt ***\n*** Begin b.txt ***\n" + second +
                            "*** End b.txt ***\n";
  for (const std::string& text : {dumps, "INFO: before\n" + first + "INFO: after\n" + second}) {
    CAPTURE(text);
    CHECK(OnlyFault(text).starts_with("These are several programs among lines of a log"));
    const Document document(text);
    const Diagnostic& fault = document.diagnostics().list()[0];
    REQUIRE(fault.fixes.size() == 2);
    CHECK(fault.fixes[0].title == "keep one alone, program 1 of 2");
    CHECK(fault.fixes[0].replacement == first);
    CHECK(fault.fixes[1].title == "keep two alone, program 2 of 2");
    CHECK(fault.fixes[1].replacement == second);
  }
  const Document both(first + second);
  REQUIRE(both.diagnostics().size() == 1);
  const Diagnostic& fault = both.diagnostics().list()[0];
  CHECK(fault.message == "a second module begins here: a text holds one");
  REQUIRE(fault.fixes.size() == 2);
  CHECK(fault.fixes[0].range.begin == first.size());
  CHECK(fault.fixes[0].range.end == first.size() + second.size());
  CHECK(fault.fixes[1].range.begin == 0);
  CHECK(fault.fixes[1].range.end == first.size());
}

TEST_CASE("characters that editors and mails put into texts are named") {
  const std::map<std::string, std::string> found = {
      {"\u00a0", "the character U+00A0, which is not ASCII"},
      {"\u201c", "the character U+201C, which is not ASCII"},
      {"\x1b", "the character U+001B"},
      {"\U0001F600", "the character U+1F600, which is not ASCII"},
  };
  for (const auto& [character, words] : found) {
    const Document document("HloModule m\nENTRY e { ROOT c = f32[]" + character + " constant(1) }");
    REQUIRE_FALSE(document.ok());
    CHECK_MESSAGE(document.diagnostics().list()[0].message.find(words) != std::string::npos,
                  document.diagnostics().list()[0].message);
  }
}

TEST_CASE("what is no HLO is said not to be HLO, once, with what to do") {
  const std::map<std::string, std::string> texts = {
      {"import jax\nimport jax.numpy as jnp\n\ndef f(x):\n  return jnp.sin(x)\n", "Python"},
      {"# a note\n@jax.jit\ndef f(x):\n    return x\n", "Python"},
      {"y = jnp.dot(a, b)\nz = y + 1\n", "Python"},
      {"{ lambda ; a:f32[3]. let\n    b:f32[3] = sin a\n  in (b,) }\n", "a jaxpr"},
      {"Traceback (most recent call last):\n  File \"a.py\", line 1\nValueError: no\n",
       "a Python traceback"},
      {"#include <vector>\nint main() { return 0; }\n", "C or C++"},
      {"; ModuleID = 'm'\ndefine void @f() {\n  ret void\n}\n", "LLVM IR"},
      {".version 8.0\n.target sm_90\n", "PTX"},
      {"digraph G { a -> b }", "a graph for Graphviz"},
      {"{\"a\": [1, 2]}", "JSON"},
      {"<!DOCTYPE html><html></html>", "a web page or picture"},
      {std::string("\x0a\x04\x01\x02\x00\x03\x05\x06", 8), "binary data"},
      {"Please tell me how much padding this has", "plain words"},
  };
  for (const auto& entry : texts) {  // Clang 14 captures no structured bindings.
    const auto& text = entry.first;
    const auto& what = entry.second;
    CAPTURE(text);
    CHECK(OnlyFault(text).starts_with("This is not HLO: it looks like " + what + "."));
  }
  CHECK(OnlyFault("import jax\n").find("jax.jit(f).lower(x).as_text()") != std::string::npos);
  CHECK(OnlyFault("{ lambda a:f32[]. let in (a,) }").find(".compile().as_text()") !=
        std::string::npos);
}

TEST_CASE("HLO with faults, or with words of Python in it, stays HLO") {
  for (const std::string text :
       {"HloModule m\n// import jax\n// def f(x):\nENTRY e { bad",
        "// import of x\nENTRY e { ROOT p = f32[] parameter(0), metadata={op_name=\"= jnp.dot\"} }",
        "add", "x = f32[2] add(a, b)", "y = add(x, x)", "%x", "e { ROOT p = f32[] parameter(0) }",
        "import = f32[2] add(a, b)"}) {
    CAPTURE(text);
    CHECK(Document(text).kind() == TextKind::kHlo);
  }
}

// Each fold as "kind hidden text", kinds by number.
std::string Folded(std::string_view text, std::vector<Foldable> folds) {
  constexpr std::string_view kNames[] = {"entry",  "computation", "metadata", "config",
                                         "layout", "attribute",   "literal"};
  std::string all;
  for (const Foldable& fold : folds) {
    all += std::string(kNames[static_cast<size_t>(fold.kind)]) + " <" +
           std::string(text.substr(fold.range.begin, fold.range.end - fold.range.begin)) + ">\n";
  }
  return all;
}

TEST_CASE("what folds in HLO: bodies, metadata, configurations, layouts") {
  const std::string_view text =
      "HloModule m, x={}\nadd {\n  a = f32[] parameter(0)\n}\n"
      "ENTRY e {\n  p = f32[2,3]{1,0:T(2,128)} parameter(0), metadata={op_name=\"{}\" line=1}\n"
      "  ROOT c = f32[2,3]{0,1} custom-call(p), custom_call_target=\"f\", "
      "backend_config={\"a\": {\"b\": 1}}\n}\n";
  CHECK(Folded(text, FoldHlo(text)) ==
        "computation <\n  a = f32[] parameter(0)\n>\n"
        "entry <" +
            std::string(
                text.substr(text.find("e {\n") + 3, text.rfind('}') - text.find("e {\n") - 3)) +
            ">\n"
            "layout <1,0:T(2,128)>\nmetadata <op_name=\"{}\" line=1>\nlayout <0,1>\n"
            "config <\"a\": {\"b\": 1}>\n");
}

TEST_CASE("long attributes and constants fold, short ones do not, nor what is not closed") {
  const std::string values(200, '1');
  const std::string text = "c = s8[1] constant({" + values + "}), frontend_attributes={k=\"" +
                           values + "\"}, sharding={replicated}, backend_config=\"" + values + "\"";
  CHECK(Folded(text, FoldHlo(text)) ==
        "literal <{" + values + "}>\nattribute <k=\"" + values + "\">\nconfig <" + values + ">\n");
  CHECK(FoldHlo("ENTRY e {\n a = f32[2]{0} add(").size() == 1);
  CHECK(FoldHlo("}}}{{{((").empty());
  const std::string head(70, 'a');
  const std::string signature = "%f (" + head + ": f32[]) -> (f32[]) {";
  CHECK(Folded(signature, FoldHlo(signature)) == "attribute <" + head + ": f32[]>\n");
}

TEST_CASE("what folds in StableHLO: functions and locations") {
  const std::string_view text =
      "module @m attributes {mhlo.n = 1 : i32} {\n"
      "  func.func public @main(%a: tensor<2xf32> {jax.x = \"y\"}) -> tensor<2xf32> {\n"
      "    return %a : tensor<2xf32> loc(\"jit(f)/name\")\n  }\n"
      "  func.func private @g() {\n    return\n  }\n}\n";
  CHECK(Folded(text, FoldMlir(text)) ==
        "entry <\n    return %a : tensor<2xf32> loc(\"jit(f)/name\")\n  >\n"
        "metadata <\"jit(f)/name\">\ncomputation <\n    return\n  >\n");
}

const CompletionItem* Find(const CompletionView& view, std::string_view label) {
  for (const CompletionItem& item : view.items) {
    if (item.label == label) return &item;
  }
  return nullptr;
}

TEST_CASE("an opcode is completed to a form with its operands and required attributes") {
  const std::string text = "ENTRY e {\n  x = f32[2] ";
  const auto at = static_cast<uint32_t>(text.size());
  const CompletionView view = MakeCompletionView(Document(text), at);
  const CompletionItem* compare = Find(view, "compare");
  REQUIRE(compare);
  CHECK(compare->insert == "compare(lhs, rhs), direction=EQ");
  REQUIRE(compare->stops.size() == 3);
  const Range last = compare->stops[2];
  CHECK(compare->insert.substr(last.begin, last.end - last.begin) == "EQ");
  CHECK(Find(view, "parameter")->insert == "parameter(0)");
  CHECK(Find(view, "transpose")->insert == "transpose(operand), dimensions={}");
  // What has its operands already keeps them.
  const Document written(text + "(a, b)");
  CHECK(Find(MakeCompletionView(written, at), "compare")->insert.empty());
}

TEST_CASE("every form is read: it lacks no attribute and has no unknown one") {
  const std::string text = "ENTRY e {\n  x = f32[2] ";
  const CompletionView view =
      MakeCompletionView(Document(text), static_cast<uint32_t>(text.size()));
  for (const CompletionItem& item : view.items) {
    if (item.kind != "opcode") continue;
    CAPTURE(item.insert);
    const Document document(text + item.insert + "\n}\n");
    for (const Diagnostic& fault : document.diagnostics().list()) {
      CHECK(fault.code != DiagCode::kAttributeUnknown);
      CHECK(fault.code != DiagCode::kAttributeMissing);
    }
  }
}

TEST_CASE("names are shown as they are written") {
  const Document document(
      "f { a = f32[] parameter(0) }\n"
      "ENTRY %e.1 { a = f32[] parameter(0)  %b.2 = f32[] call(a), to_apply=f }\n");
  REQUIRE(document.ok());
  const Computation& f = document.module()->computations().front();
  CHECK(ShownName(document, f) == "f");
  CHECK(ShownName(document, *document.module()->entry()) == "%e.1");
  CHECK(ShownName(document, RootOf(document)) == "%b.2");
  const Instruction& second = *RootOf(document).operands()[0];
  CHECK(second.name() != "a");  // unique in the module
  CHECK(ShownName(document, second) == "a");
}

}  // namespace
}  // namespace hlo
