// Checks of StableHLO programs: every one that does not hold is reported where it stands; probes.
#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "engine/views/document.h"
#include "engine/views/run_view.h"
#include "tests/all_targets.h"

namespace hlo {
namespace {

std::unique_ptr<RunRecord> RunText(const std::string& text, bool trace = false) {
  const auto document = std::make_shared<const Document>(text);
  for (const Diagnostic& d : document->diagnostics().list()) FAIL(d.message);
  RunRequest request;
  request.options = OptionsWithTargets();
  request.trace = trace;
  return RunDocument(document, request);
}

std::string TextAt(const RunRecord& record, size_t i) {
  const Range range = record.diagnostics.list().at(i).range;
  return record.document->text().substr(range.begin, range.end - range.begin);
}

TEST_CASE("all checks that do not hold are reported, each at its place, and the run fails") {
  const auto record = RunText(R"(func.func @main() -> tensor<2xf32> {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[1.0, 2.5]> : tensor<2xf32>
  check.expect_eq %a, %b : tensor<2xf32>
  check.expect_eq %a, %a : tensor<2xf32>
  check.expect_close %a, %b, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
  check.expect_almost_eq_const %b, dense<[1.0, 3.0]> : tensor<2xf32>
  return %a : tensor<2xf32>
}
)");
  CHECK_FALSE(record->output.has_value());
  REQUIRE(record->diagnostics.list().size() == 3);
  CHECK(TextAt(*record, 0) == "check.expect_eq %a, %b : tensor<2xf32>");
  CHECK(TextAt(*record, 1).starts_with("check.expect_close"));
  CHECK(TextAt(*record, 2).starts_with("check.expect_almost_eq_const"));
  // 2 and 2.5 are a quarter of [2, 4) apart: 2^21 units in the last place.
  const std::string& message = record->diagnostics.list()[0].message;
  CHECK(message.find("element {1}: 2, expected 2.5") != std::string::npos);
  CHECK(message.find("absolute 0.5, relative 0.2, 2097152 ulp") != std::string::npos);
}

TEST_CASE("a check in a loop is reported once, with how often it failed") {
  const auto record = RunText(R"(func.func @main() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %n = stablehlo.while(%i = %zero) : tensor<i32>
  cond {
    %c = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    check.expect_eq %i, %zero : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  check.expect_eq %n, %zero : tensor<i32>
  return
}
)");
  REQUIRE(record->diagnostics.list().size() == 2);
  CHECK(record->diagnostics.list()[0].message.find("(and 3 more times)") != std::string::npos);
  CHECK(record->diagnostics.list()[0].notes.size() == 1);  // called from the loop
}

TEST_CASE("checks in programs that run_parallel starts are those of the whole run") {
  const auto record = RunText(R"(func.func @f(%x: tensor<i32>) -> tensor<i32> {
  %two = stablehlo.constant dense<2> : tensor<i32>
  check.expect_eq %x, %two : tensor<i32>
  return %x : tensor<i32>
}
func.func @main() {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %r:2 = "interpreter.run_parallel"(%two, %one) {programs = [[@f], [@f]]} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  check.expect_eq %r#0, %r#1 : tensor<i32>
  return
}
)");
  REQUIRE(record->diagnostics.list().size() == 2);
  CHECK(record->diagnostics.list()[0].message.find("on device 1 (replica 1, partition 0)") !=
        std::string::npos);
  CHECK(TextAt(*record, 0) == "check.expect_eq %x, %two : tensor<i32>");
}

TEST_CASE("a failure that ends the run is reported beside the checks") {
  const auto record = RunText(R"(func.func @main() -> tensor<i32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  check.expect_eq %one, %two : tensor<i32>
  %r = stablehlo.custom_call @nobody(%one) : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}
)");
  REQUIRE(record->diagnostics.list().size() == 2);
  CHECK(record->diagnostics.list()[1].code == DiagCode::kNotExecutable);
}

TEST_CASE("probes are in the trace and in the record; what an earlier run left is read") {
  const std::string text = R"(func.func @main() {
  %one = stablehlo.constant dense<1> : tensor<i64>
  %seen = interpreter.probe %one, probe_id = "x" : tensor<i64>
  interpreter.print %seen : tensor<i64>
  check.expect_serialized_eq %seen, probe_id = "x" : tensor<i64>
  check.expect_serialized_eq %seen, probe_id = "y", iter = 4 : tensor<i64>
  return
}
)";
  const auto document = std::make_shared<const Document>(text);
  RunRequest request;
  request.options = OptionsWithTargets();
  const auto alone = RunDocument(document, request);
  REQUIRE(alone->diagnostics.list().size() == 1);
  CHECK(alone->diagnostics.list()[0].message.find("value number 4 under \"y\"") !=
        std::string::npos);
  request.probe_reader = [](std::string_view id, int64_t iteration, const Shape&) {
    return id == "y" && iteration == 4 ? std::optional(Value(Tensor::Scalar<int64_t>(1)))
                                       : std::nullopt;
  };
  const auto record = RunDocument(document, request);
  CHECK(record->diagnostics.empty());
  REQUIRE(record->probes.entries().size() == 2);
  CHECK(record->probes.entries()[0].id == "x");
  CHECK(record->probes.entries()[1].is_print);
  CHECK(record->probes.entries()[1].id == "%seen");
  bool is_traced = false;
  for (const TraceEntry* entry : record->trace->Entries()) {
    is_traced |= entry->instruction->name() == "seen" && entry->value.is_array();
  }
  CHECK(is_traced);
}

}  // namespace
}  // namespace hlo
