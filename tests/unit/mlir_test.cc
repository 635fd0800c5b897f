// MLIR text: its syntax, its import, and texts that are broken.
#include <doctest/doctest.h>

#include <random>
#include <string>

#include "engine/hlo/verifier.h"
#include "engine/mlir/importer.h"
#include "engine/mlir/text/parser.h"
#include "engine/views/document.h"
#include "engine/views/sharding_view.h"

namespace hlo {
namespace {

constexpr const char* kStaticMlir = R"(module @m attributes {a = #stablehlo<precision DEFAULT>} {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>) -> (tensor<2xf32>, tensor<i1>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
    %cst = stablehlo.constant dense<[1.0, 0x7F800000]> : tensor<2xf32>
    %1:2 = stablehlo.while(%i = %0, %j = %cst) : tensor<2xf32>, tensor<2xf32>
     cond {
      %c = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %2 = "stablehlo.sort"(%i) <{dimension = 0 : i64}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %3 = stablehlo.compare  LT, %a, %b,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %3 : tensor<i1>
      }) : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %2, %j : tensor<2xf32>, tensor<2xf32>
    }
    %t = stablehlo.constant dense<true> : tensor<i1>
    return %1#0, %t : tensor<2xf32>, tensor<i1>
  }
}
)";

// The fixes of the first fault of a program.
std::vector<std::string> FixesOf(const std::string& line) {
  const Document document("func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n  " + line +
                          "\n  return %0 : tensor<4xf32>\n}\n");
  REQUIRE(document.diagnostics().has_errors());
  std::vector<std::string> fixes;
  for (const Fix& fix : document.diagnostics().list()[0].fixes) {
    fixes.push_back(document.text().substr(fix.range.begin, fix.range.end - fix.range.begin) +
                    " -> " + fix.replacement);
  }
  return fixes;
}

TEST_CASE("Names that are misspelt, or that others give, have fixes") {
  using Fixes = std::vector<std::string>;
  CHECK(FixesOf("%0 = stablehlo.exponetial %arg0 : tensor<4xf32>") ==
        Fixes{"stablehlo.exponetial -> stablehlo.exponential"});
  CHECK(FixesOf("%0 = stablehlo.exp %arg0 : tensor<4xf32>") ==
        Fixes{"stablehlo.exp -> stablehlo.exponential"});
  CHECK(FixesOf("%0 = stablehlo.negate %arg1 : tensor<4xf32>") == Fixes{"%arg1 -> %arg0"});
  CHECK(FixesOf("%0 = stablehlo.negate %something : tensor<4xf32>").empty());
}

TEST_CASE("MLIR text is told from HLO text") {
  CHECK(LooksLikeMlir(kStaticMlir));
  CHECK(LooksLikeMlir("// a comment\nfunc.func @f() { return }"));
  CHECK(LooksLikeMlir("\"builtin.module\"() ({}) : () -> ()"));
  CHECK(LooksLikeMlir("sdy.mesh @mesh = <[\"x\"=2]>"));
  CHECK(LooksLikeMlir("#loc = loc(unknown)\nmodule { func.func @f() }"));
  CHECK_FALSE(LooksLikeMlir("HloModule m\nENTRY e { ROOT p = f32[] parameter(0) }"));
  CHECK_FALSE(LooksLikeMlir("module = f32[2] parameter(0)"));
  CHECK_FALSE(LooksLikeMlir("f32[2]"));
  CHECK(Document(kStaticMlir).kind() == TextKind::kMlir);
}

TEST_CASE("Pretty forms become operands, attributes, words, regions and types") {
  Diagnostics faults;
  const mlir::Program program = mlir::ParseProgram(kStaticMlir, faults);
  REQUIRE(faults.empty());
  REQUIRE(program.ops.size() == 1);
  const mlir::Op& function = program.ops[0].regions[0].blocks[0].ops[0];
  CHECK(function.Find("sym_name")->text == "main");
  const auto& ops = function.regions[0].blocks[0].ops;
  REQUIRE(ops.size() == 5);
  CHECK(ops[0].operands.size() == 2);
  CHECK(ops[0].Find("contracting_dims")->list.size() == 2);
  CHECK(ops[2].results[0].index == 2);
  REQUIRE(ops[2].regions.size() == 2);
  CHECK(ops[2].regions[1].blocks[0].arguments[1].name == "j");
  const mlir::Op& sort = ops[2].regions[1].blocks[0].ops[0];
  CHECK(sort.regions[0].blocks[0].arguments.size() == 2);
  CHECK(sort.regions[0].blocks[0].ops[0].words.size() == 2);
}

TEST_CASE("Instructions have the names and the places of SSA values") {
  Diagnostics faults;
  const auto module = ImportMlir(kStaticMlir, faults);
  REQUIRE(module);
  REQUIRE_FALSE(faults.has_errors());
  VerifyModule(*module, faults);
  CHECK_FALSE(faults.has_errors());
  const Instruction* cst = module->entry()->Find("cst");
  REQUIRE(cst);
  const Range whole = cst->places().whole;
  CHECK(module->source().substr(whole.begin, 10) == "%cst = sta");
  CHECK(module->entry()->result_shape().elements().size() == 2);
}

TEST_CASE("Every fault of a text is reported where it is") {
  const std::string text =
      "func.func @main(%a: tensor<2xf3>) -> tensor<2xf32> {\n  return %a : tensor<2xf32>\n}\n"
      "func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
      "  %0 = stablehlo.add %a, %b : tensor<2xf32>\n"
      "  %1 = stablehlo.slice %a [0] : (tensor<2xf32>) -> tensor<1xf32>\n"
      "  %2 = stablehlo.constant dense<[1.0, x]> : tensor<2xf32>\n"
      "  return %a : tensor<2xf32>\n}\n";
  Diagnostics faults;
  ImportMlir(text, faults);
  CHECK(faults.error_count() >= 4);
  for (const Diagnostic& fault : faults.list()) {
    CHECK(fault.range.end <= text.size());
    CHECK(fault.range.begin < fault.range.end);
  }
}

TEST_CASE("Deep nesting is refused, not followed") {
  for (const char* open : {"{a = ", "[", "\"x\"() ({ ", "module { ", "tuple<", "(", "tensor<"}) {
    std::string text = "func.func @f() {\n  %0 = \"stablehlo.constant\"() {value = ";
    for (int i = 0; i < 100000; ++i) text += open;
    Diagnostics faults;
    ImportMlir(text, faults);
    CHECK(faults.has_errors());
  }
}

TEST_CASE("Broken texts are refused, quickly and without harm") {
  std::mt19937 random(4);
  const std::string program = kStaticMlir;
  for (int i = 0; i < 3000; ++i) {
    std::string text = program;
    const int changes = 1 + static_cast<int>(random() % 4);
    for (int k = 0; k < changes; ++k) {
      const size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text.erase(at, 1 + random() % 8);
          break;
        case 1:
          text[at] = "%@#{}[]()<>:,=\"x0-"[random() % 18];
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), random() % 20));
          break;
        default:
          text.resize(at + 1);
      }
    }
    Diagnostics faults;
    const auto module = ImportMlir(text, faults);
    if (module && !faults.has_errors()) VerifyModule(*module, faults);
  }
}

TEST_CASE("Shardings of Shardy are HLO's along a mesh; those of several values are not of one") {
  const auto shardings = [](const std::string& sharding, const std::string& body,
                            bool is_valid = true) {
    const Document document(
        "module @m {\n  sdy.mesh @mesh = <[\"x\"=2, \"y\"=2], device_ids=[3, 2, 1, "
        "0]>\n  sdy.mesh @one = <[], device_ids=[5]>\n  func.func public "
        "@main(%arg0: tensor<4x6xf32> {sdy.sharding = " +
        sharding + "}) -> tensor<4x6xf32> {\n" + body + "  }\n}\n");
    CHECK(document.ok() == is_valid);
    return is_valid ? ShardingsText(document, "") : "";
  };
  const std::string plain = "    return %arg0 : tensor<4x6xf32>\n";
  const auto one = [&](const std::string& sharding) { return shardings(sharding, plain); };
  CHECK(one("#sdy.sharding<@mesh, [{\"x\"}p1, {\"y\", ?}]>")
            .find("{mesh['x'=2,'y'=2], device_ids=(3,2,1,0), [{'x'}, {'y', ?}]}") !=
        std::string::npos);
  CHECK(one("#sdy.sharding<@mesh, [{}, {\"y\"}], replicated={\"x\"}>").find("replicated={'x'}") !=
        std::string::npos);
  CHECK(one("#sdy.sharding<mesh<[\"a\"=3]>, [{}, {\"a\"}]>").find("device 2: [0:4, 4:6]") !=
        std::string::npos);
  CHECK(one("#sdy.sharding<@one, [{}, {}]>").find("device 5 alone") != std::string::npos);
  for (const char* const wrong :
       {"#sdy.sharding<@mesh, [{\"x\"}]>", "#sdy.sharding<@other, [{}, {}]>",
        "#sdy.sharding<@mesh, [{\"z\"}, {}]>", "#sdy.sharding<>", "#sdy.other<@mesh, [{}, {}]>",
        "#sdy.sharding_per_value<[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>]>"}) {
    CAPTURE(wrong);
    shardings(wrong, plain, false);
  }
  const std::string constrained = shardings(
      "#sdy.sharding<@mesh, [{}, {}]>",
      "    %0 = stablehlo.negate %arg0 : tensor<4x6xf32>\n    %1 = sdy.sharding_constraint %0 "
      "<@mesh, [{\"y\"}, {}]> : tensor<4x6xf32>\n    return %1 : tensor<4x6xf32>\n");
  CHECK(constrained.find("%1 f32[4,6]") != std::string::npos);
}

}  // namespace
}  // namespace hlo
