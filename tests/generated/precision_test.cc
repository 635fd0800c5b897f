// Programs in wider floats: golden and generated ones stay valid and run, and beside themselves in
// their own types nothing differs.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/hlo/printer.h"
#include "engine/hlo/verifier.h"
#include "engine/precision/widen.h"
#include "engine/views/precision_view.h"
#include "tests/all_targets.h"
#include "tests/generated/generator.h"
#include "tests/generated/outcome.h"
#include "tests/golden/read_file.h"

namespace hlo {
namespace {

constexpr Widening kWidenings[] = {
    {ElementType::kF64, false}, {ElementType::kF32, false}, {ElementType::kF32, true},
    {std::nullopt, false},      {std::nullopt, true},
};

constexpr Budget::Limits kWideLimits{.memory_bytes = 128 << 20, .steps = 20'000, .seconds = 20};

// Whether a run ended for a reason that has nothing to do with how wide its floats are.
bool IsLimit(const Diagnostic& fault) {
  return fault.code == DiagCode::kMemoryExceeded || fault.code == DiagCode::kStepsExceeded ||
         fault.code == DiagCode::kTimeExceeded;
}

// What is wrong with a program in wider floats; empty when nothing is.
std::string WideningFault(const std::shared_ptr<const Document>& document, const Widening& widening,
                          const RunRequest& request) {
  PrecisionReference reference;
  reference.widening = widening;
  const PrecisionView view = MakePrecisionView(document, reference, request);
  for (const Diagnostic& fault : view.faults.list()) {
    if (fault.severity != Severity::kError || IsLimit(fault)) continue;
    // Programs that fail do so on their own.
    if (fault.message.starts_with("this program: ")) return "";
    return fault.message;
  }
  const bool is_own = !widening.floats && !widening.sums_in_f64;
  if (!is_own || !view.ok) return "";
  if (view.report.not_compared > 0) return "values without a counterpart";
  if (view.report.parted > 0) return "control flow parts";
  for (const InstructionError& each : view.report.instructions) {
    if (each.worst.differing > 0 || each.first_count != each.second_count) {
      return fmt::format("{} differs from itself", each.first->name());
    }
  }
  return "";
}

// The faults of a program in all wider floats, with the widening's number.
std::string AllFaults(const std::string& text, const RunRequest& request) {
  const auto document = std::make_shared<const Document>(text);
  if (!document->ok() || !document->module()->entry()) return "";
  int number = 0;
  for (const Widening& widening : kWidenings) {
    const std::string fault = WideningFault(document, widening, request);
    if (!fault.empty()) return fmt::format("widening {}: {}\n{}", number, fault, text);
    ++number;
  }
  return "";
}

// HLO_LONG asks for all of it, which takes a minute.
bool IsLong() { return std::getenv("HLO_LONG") != nullptr; }

RunRequest WideRequest() {
  RunRequest request;
  request.options = OptionsWithTargets();
  request.options.fill_elided = Fill::Kind::kRandom;
  request.limits = kWideLimits;
  return request;
}

TEST_CASE("precision: generated programs in wider floats are valid, run, and equal themselves") {
  const uint64_t count = IsLong() ? 1000 : 40;
  for (uint64_t seed = 1; seed <= count; ++seed) {
    GeneratorOptions options;
    options.several_devices = seed % 4 == 0;
    options.mixed_floats = seed % 3 != 0;
    options.statements = 6 + static_cast<int>(seed % 20);
    const Program program = Generator(seed, options).Generate();
    RunRequest request = WideRequest();
    request.inputs = program.inputs;
    request.options.replicas = program.replicas;
    request.options.partitions = program.partitions;
    const std::string fault = AllFaults(program.Text(), request);
    if (!fault.empty()) FAIL_CHECK("seed " << seed << ": " << fault);
  }
}

TEST_CASE("precision: golden programs in wider floats are valid, run, and equal themselves") {
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"control", "mixed_floats", "ops"}) {
    for (const auto& each :
         std::filesystem::recursive_directory_iterator(std::string("tests/data/") + folder)) {
      if (each.path().extension() == ".hlo") files.push_back(each.path());
    }
  }
  REQUIRE(files.size() > 50);
  std::sort(files.begin(), files.end());
  size_t number = 0;
  for (const auto& file : files) {
    std::string text = ReadFile(file);
    constexpr std::string_view kCut = "// -----";
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find(kCut, at), text.size());
      const std::string chunk = text.substr(at, end - at);
      at = end + kCut.size();
      constexpr size_t kEach = 8;
      if (chunk.find("// run") == std::string::npos) continue;
      if (number++ % kEach != 0 && !IsLong()) continue;
      const std::string fault = AllFaults(chunk, WideRequest());
      if (!fault.empty()) FAIL_CHECK(file.string() << ": " << fault);
    }
  }
}

// The sum of n ones in bf16, one after the other: from 256 on, adding one gives 256 again.
std::string SumOfOnes(int64_t n) {
  return fmt::format(R"(
cond {{
  s = (s32[], bf16[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant({})
  ROOT less = pred[] compare(i, n), direction=LT
}}
body {{
  s = (s32[], bf16[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  ten = s32[] constant(10)
  j = s32[] add(i, ten)
  v = bf16[] get-tuple-element(s), index=1
  one = bf16[] constant(1)
  a = bf16[] add(v, one)
  b = bf16[] add(a, one)
  c = bf16[] add(b, one)
  d = bf16[] add(c, one)
  e = bf16[] add(d, one)
  f = bf16[] add(e, one)
  g = bf16[] add(f, one)
  h = bf16[] add(g, one)
  k = bf16[] add(h, one)
  sum = bf16[] add(k, one)
  ROOT t = (s32[], bf16[]) tuple(j, sum)
}}
ENTRY e {{
  z = s32[] constant(0)
  f = bf16[] constant(0)
  t = (s32[], bf16[]) tuple(z, f)
  w = (s32[], bf16[]) while(t), condition=cond, body=body
  ROOT r = bf16[] get-tuple-element(w), index=1
}})",
                     n);
}

TEST_CASE(
    "precision: the sum of 100,000 ones in bf16 stalls at 256, and its error grows from there") {
  RunRequest request = WideRequest();
  request.limits.steps = 10'000'000;
  request.limits.seconds = 300;  // sanitizers on a busy machine
  const auto document = std::make_shared<const Document>(SumOfOnes(100'000));
  const PrecisionView view = MakePrecisionView(document, {}, request);
  REQUIRE(view.ok);
  REQUIRE(view.report.results.size() == 1);
  CHECK(view.report.results[0].worst_first == 256);
  CHECK(view.report.results[0].worst_second == 100'000);
  CHECK(view.report.results[0].relative == doctest::Approx(0.99744));
  // Exact to 256; then the error grows along the run, never down but for what has none.
  double before = 0;
  int64_t rising = 0;
  for (const GrowthPoint& point : view.report.growth) {
    if (point.instruction->name() != "sum" || point.norm == 0) continue;
    CHECK(point.norm >= before);
    rising += point.norm > before;
    before = point.norm;
  }
  CHECK(rising > 10);
  for (const InstructionError& each : view.report.instructions) {
    if (each.first->name() != "sum") continue;
    REQUIRE(each.executions.size() == InstructionError::kMostKept);
    CHECK(each.executions[24].norm == 0);                            // 250
    CHECK(each.executions[26].norm == doctest::Approx(14.0 / 270));  // 256 of 270
    CHECK(each.executions[99].norm == doctest::Approx(744.0 / 1000));
  }
}

TEST_CASE("precision: sums in f64 are rounded once, to the type that they have") {
  constexpr char kLongDot[] = R"(
add { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT s = f32[] add(x, y) }
ENTRY e {
  a = f32[4096] parameter(0)
  zero = f32[] constant(0)
  d = f32[] dot(a, a), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  r = f32[] reduce(a, zero), dimensions={0}, to_apply=add
  ROOT t = (f32[], f32[]) tuple(d, r)
})";
  const auto document = std::make_shared<const Document>(kLongDot);
  PrecisionReference summed;
  summed.widening = {std::nullopt, true};
  const PrecisionView beside = MakePrecisionView(document, summed, WideRequest());
  const PrecisionView wide = MakePrecisionView(document, {}, WideRequest());
  REQUIRE(beside.report.arrays.size() == 2);
  REQUIRE(wide.report.arrays.size() == 2);
  const ValueError& dot = beside.report.arrays[0].error;
  CHECK(dot.ulp >= 1);
  const auto rounded = static_cast<float>(wide.report.arrays[0].error.worst_second);
  CHECK(dot.worst_second == static_cast<double>(rounded));
  const WidenedModule made =
      Widen(*document->module(), summed.widening, WideRequest().options.custom_calls);
  const std::string text = PrintModule(*made.module);
  CHECK(text.find("f64[] dot(") != std::string::npos);
  CHECK(text.find("f64[] reduce(") != std::string::npos);
  CHECK(text.find("f32[] convert(") != std::string::npos);
}

}  // namespace
}  // namespace hlo
