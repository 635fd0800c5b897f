// StableHLO whose sizes are not written: what is asked for, what it becomes, and texts that would
// take long.
#include <doctest/doctest.h>

#include <random>
#include <string>

#include "engine/hlo/verifier.h"
#include "engine/mlir/importer.h"
#include "engine/views/run_view.h"
#include "tests/unit/program_cases.h"
#include "tests/unit/sanitizers.h"

namespace hlo {
namespace {

constexpr const char* kDynamicMlir = R"(module @m {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<?x2xf32>) -> tensor<?xf32> {
    %c = stablehlo.constant dense<2> : tensor<i32>
    %0 = stablehlo.multiply %arg0, %c : tensor<i32>
    %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.dynamic_reshape %arg1, %1 : (tensor<?x2xf32>, tensor<1xi32>) -> tensor<?xf32>
    %3 = call @twice(%arg0, %2) : (tensor<i32>, tensor<?xf32>) -> tensor<?xf32>
    return %3 : tensor<?xf32>
  }
  func.func private @twice(%arg0: tensor<i32>, %arg1: tensor<?xf32>) -> tensor<?xf32> {
    %0 = stablehlo.get_dimension_size %arg1, dim = 0 : (tensor<?xf32>) -> tensor<i32>
    %1 = stablehlo.add %0, %0 : tensor<i32>
    %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.concatenate %arg1, %arg1, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %4 = stablehlo.dynamic_reshape %3, %2 : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>
    return %4 : tensor<?xf32>
  }
}
)";

TEST_CASE("A module whose sizes are not known says so, and how to go on") {
  const Document document(kDynamicMlir);
  CHECK(document.wants_inputs());
  REQUIRE(document.diagnostics().error_count() == 1);
  const Diagnostic& fault = document.diagnostics().list()[0];
  CHECK(fault.message.find("%arg1 is tensor<?x2xf32>, and input 1 is not given") == 0);
  REQUIRE(fault.fixes.size() == 1);
  CHECK(document.text().substr(fault.fixes[0].range.begin, 15) == "tensor<?x2xf32>");
  // The fix leaves what it cannot know: the value of a size.
  const Document mended(Mended(kDynamicMlir, fault.fixes[0]));
  REQUIRE(mended.diagnostics().error_count() == 1);
  CHECK(mended.diagnostics().list()[0].message.find("give input 0 a value") != std::string::npos);
  CHECK(mended.wants_inputs());
  const Document whole(mended.text(), VerifierOptions(), {"8"});
  CHECK(whole.ok());
  CHECK(ShapeName(whole.module()->entry()->result_shape()) == "f32[32]");
}

TEST_CASE("Inputs refine a program, in every form") {
  for (const char* type : {"f32[3,2]", "tensor<3x2xf32>", "f32[3,2] {{1,2},{3,4},{5,6}}",
                           " tensor<3x2xf32> iota", "f32[3,2]{0,1} random"}) {
    for (const char* size : {"3", "s32[] 3", "tensor<i32> 3"}) {
      const Document document(kDynamicMlir, VerifierOptions(), {size, type});
      REQUIRE(document.ok());
      CHECK(ShapeName(document.module()->entry()->result_shape()) == "f32[12]");
      RunRequest request;
      request.inputs = {size, type};
      const auto record = RunDocument(std::make_shared<const Document>(kDynamicMlir), request);
      REQUIRE(record->output);
      CHECK(record->output->tensor().element_count() == 12);
    }
  }
  // A size that the reshape cannot have; a type that is another; no size.
  for (const auto& inputs : {std::vector<std::string>{"4", "f32[3,2]"},
                             {"3", "f32[3,3]"},
                             {"3", "{{1,2}}"},
                             {"", "f32[3,2]"},
                             {"random", "f32[3,2]"},
                             {"3"},
                             {"3", "f32[?,2]"},
                             {"3", "f32[<=3,2]", "f32[3,"},
                             {"3", "f32["}}) {
    const Document document(kDynamicMlir, VerifierOptions(), inputs);
    CHECK((document.ok() == (inputs.size() == 3)));
  }
}

TEST_CASE("A static program does not depend on its inputs") {
  const char* text =
      "func.func @main(%a: tensor<i32>) -> tensor<i32> {\n  return %a : tensor<i32>\n}\n";
  const Document document(text, VerifierOptions(), {"3"});
  REQUIRE(document.ok());
  CHECK_FALSE(document.wants_inputs());
  CHECK(document.module()->entry()->root()->opcode() == Opcode::kParameter);
}

TEST_CASE("Sizes that take a long computation are found without recursion") {
  std::string text =
      "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
      "  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"
      "  %c = stablehlo.constant dense<0> : tensor<i32>\n";
  constexpr int kSteps = Rounds(50000);
  for (int i = 0; i < kSteps; ++i) {
    text += "  %" + std::to_string(i + 1) + " = stablehlo.add %" + std::to_string(i) +
            ", %c : tensor<i32>\n";
  }
  text += "  %s = stablehlo.reshape %" + std::to_string(kSteps) +
          " : (tensor<i32>) -> tensor<1xi32>\n"
          "  %r = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>\n"
          "  return %r : tensor<?xf32>\n}\n";
  const Document document(text, VerifierOptions(), {"f32[7]"});
  REQUIRE(document.ok());
  CHECK(ShapeName(document.module()->entry()->result_shape()) == "f32[7]");
}

// @f0 calls @f1 with two sizes, which calls @f2 with two sizes ...: 2^40 functions.
TEST_CASE("Functions are not made without end") {
  std::string text =
      "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
      "  %0 = call @f0(%x) : (tensor<?xf32>) -> tensor<?xf32>\n  return %x : tensor<?xf32>\n}\n";
  for (int i = 0; i < 40; ++i) {
    const std::string own = "@f" + std::to_string(i), next = "@f" + std::to_string(i + 1);
    text += "func.func private " + own + "(%x: tensor<?xf32>) -> tensor<?xf32> {\n" +
            "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n" + "  %0 = call " + next +
            "(%x) : (tensor<?xf32>) -> tensor<?xf32>\n" + "  %1 = stablehlo.pad %x, %z, low = [" +
            std::to_string(int64_t{1} << i) +
            "], high = [0], interior = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>\n" +
            "  %2 = call " + next + "(%1) : (tensor<?xf32>) -> tensor<?xf32>\n" +
            "  return %x : tensor<?xf32>\n}\n";
  }
  text +=
      "func.func private @f40(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
      "  return %x : tensor<?xf32>\n}\n";
  const Document document(text, VerifierOptions(), {"f32[1]"});
  REQUIRE(document.diagnostics().has_errors());
  bool is_told = false;
  for (const Diagnostic& fault : document.diagnostics().list()) {
    is_told |= fault.message.find("too many calls with different sizes") != std::string::npos;
  }
  CHECK(is_told);
}

TEST_CASE("Broken dynamic texts are refused, quickly and without harm") {
  std::mt19937 random(5);
  const std::string program = kDynamicMlir;
  for (int i = 0; i < 2000; ++i) {
    std::string text = program;
    for (int k = 0; k < 3; ++k) {
      const size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text.erase(at, 1 + random() % 8);
          break;
        case 1:
          text[at] = "%@#{}[]()<>:,=\"x0-?9"[random() % 20];
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 20));
      }
    }
    Diagnostics faults;
    MlirArguments arguments{{"3", "f32[3,2]"}, false, {}};
    const auto module = ImportMlir(text, faults, nullptr, &arguments);
    if (module && !faults.has_errors()) VerifyModule(*module, faults);
  }
}

}  // namespace
}  // namespace hlo
