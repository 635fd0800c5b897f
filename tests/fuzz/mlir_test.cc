// Mutated StableHLO programs: whatever the bytes, the engine imports or diagnoses them, and what it
// accepts it verifies, prints and runs within limits. Seeds are the golden files, pieces of which
// are also swapped between them; HLO_FUZZ_ROUNDS makes a long run by hand.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/hlo/parser.h"
#include "engine/hlo/printer.h"
#include "engine/mlir/exporter.h"
#include "engine/mlir/importer.h"
#include "engine/views/document.h"
#include "tests/fuzz/mutation.h"

namespace hlo {
namespace {

const std::vector<std::string>& MlirSeeds() {
  static const std::vector<std::string> kPrograms = [] {
    std::vector<std::string> programs = GoldenPrograms(
        {"mlir/chlo.mlir", "mlir/forms.mlir", "mlir/interpreter.mlir", "mlir/jax.mlir",
         "mlir/ops.mlir", "mlir/printed.mlir", "mlir/regions.mlir", "mlir/verify.mlir"});
    programs.push_back(
        "!a = tensor<2x3xf32>\n!b = tuple<!a, !a>\n!c = tuple<!b, !b>\n"
        "func.func @main(%a: !c, %b: tensor<1000000000x0xi8>) -> (!b, tensor<0x1000000000xi8>) {\n"
        "  %0 = stablehlo.get_tuple_element %a[1] : (!c) -> !b\n"
        "  %1 = stablehlo.transpose %b, dims = [1, 0] : (tensor<1000000000x0xi8>) -> "
        "tensor<0x1000000000xi8>\n"
        "  return %0, %1 : !b, tensor<0x1000000000xi8>\n}\n");
    return programs;
  }();
  return kPrograms;
}

// Bits of MLIR.
constexpr std::string_view kMlirBits[] = {"%0",
                                          "%0#1",
                                          "@main",
                                          "#a",
                                          "!a",
                                          "^bb0",
                                          "0x",
                                          "0xFF",
                                          "tensor<",
                                          "x",
                                          "i1",
                                          "f8E8M0FNU",
                                          "dense",
                                          "loc(",
                                          "array<i64",
                                          "do",
                                          "cond",
                                          "init:",
                                          "applies",
                                          "{-#",
                                          "#-}",
                                          "4294967296",
                                          "()",
                                          "complex<",
                                          "tuple<",
                                          "!quant.uniform<i8:f32, 1.0>",
                                          "stablehlo.add",
                                          "dense<\"0x",
                                          "stablehlo.return"};

constexpr int kMlirRounds = 4000;

// What is printed of a program, of one that is refused too, is a program that prints so; where the
// program was accepted, so is that.
void CheckPrinted(const Document& document) {
  if (document.kind() != TextKind::kMlir) return;
  const auto printed = PrintStableHlo(document.text());
  if (!printed) return;
  const auto again = PrintStableHlo(printed->text);
  INFO(printed->text);
  if (!document.ok()) return;
  REQUIRE(again);
  CHECK(again->text == printed->text);
  const Document back(printed->text);
  for (const Diagnostic& d : back.diagnostics().list()) {
    if (d.severity == Severity::kError) FAIL_CHECK(d.message);
  }
}

TEST_CASE(
    "mutated StableHLO programs import or are diagnosed, and what is accepted runs or fails") {
  REQUIRE(MlirSeeds().size() > 20);
  Random random(FuzzSeed(4));
  int accepted = 0;
  for (int round = 0; round < FuzzRounds(kMlirRounds); ++round) {
    const std::string text = Mutate(MlirSeeds(), kMlirBits, random);
    INFO("round " << round << "\n" << text);
    const auto document = std::make_shared<const Document>(text);
    CheckPlaces(document->diagnostics(), text);
    CheckPrinted(*document);
    if (!document->ok()) {
      CHECK((document->diagnostics().has_errors() || !document->module()));
      continue;
    }
    ++accepted;
    if (document->kind() == TextKind::kMlir && round % 4 == 0) {
      const std::string printed = PrintModule(*document->module());
      Diagnostics again;
      INFO(printed);
      CHECK(ParseModule(printed, again));
      for (const Diagnostic& d : again.list()) {
        if (again.has_errors()) FAIL_CHECK(d.message);
      }
    }
    CheckRun(document, round % 2 == 0);
  }
  CHECK(accepted > FuzzRounds(kMlirRounds) / 50);
}

TEST_CASE("deep and endless MLIR text is answered at once") {
  for (const char* open :
       {"{", "(", "[", "tensor<", "tuple<", "\"stablehlo.while\"() ({ ", "module { ", "loc(", "#a<",
        "dense<[", "func.func @f() { ", "array<i64: ", "(tensor<2xf32>) -> (", "{a = "}) {
    std::string text = "module { func.func @main() { ";
    for (int i = 0; i < 100000; ++i) text += open;
    Diagnostics diagnostics;
    ImportMlir(text, diagnostics);
    CHECK(diagnostics.has_errors());
    // The same where an attribute is wanted.
    diagnostics = Diagnostics();
    std::string value = "func.func @main() { %0 = \"stablehlo.add\"() {a = ";
    for (int i = 0; i < 100000; ++i) value += open;
    ImportMlir(value, diagnostics);
    CHECK(diagnostics.has_errors());
  }
}

}  // namespace
}  // namespace hlo
