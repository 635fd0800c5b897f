// What a program gives does not depend on how it is run or written: generated programs give the
// same bits when they are traced, when their text is printed and read, with regions that are
// interpreted instead of compiled, and as StableHLO. HLO_GENERATED_PROGRAMS says how many there
// are, HLO_GENERATED_SEED where they begin.
#include <fmt/format.h>
#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#endif

#include <cstdlib>
#include <memory>
#include <string>

#include "doctest/doctest.h"
#include "engine/hlo/printer.h"
#include "engine/views/convert_view.h"
#include "engine/views/document.h"
#include "tests/all_targets.h"
#include "tests/generated/generator.h"
#include "tests/generated/outcome.h"
#include "tests/golden/repeated_runs.h"

namespace hlo {
namespace {

// A number of the environment; Emscripten's own getenv does not have Node's.
uint64_t FromEnvironment(const char* name, uint64_t usual) {
#ifdef __EMSCRIPTEN__
  const double value =
      EM_ASM_DOUBLE({ return Number(process["env"][UTF8ToString($0)]) || 0; }, name);
  return value > 0 ? static_cast<uint64_t>(value) : usual;
#else
  const char* value = std::getenv(name);
  return value ? std::strtoull(value, nullptr, 10) : usual;
#endif
}

constexpr Budget::Limits kLimits{.memory_bytes = 256 << 20, .steps = 200'000, .seconds = 20};
// What is interpreted or traced takes more steps.
constexpr Budget::Limits kStepwiseLimits{
    .memory_bytes = 256 << 20, .steps = 20'000'000, .seconds = 20};

// The difference that matters: where a limit is met is not the same, since other ways of running
// take other steps and keep other values.
std::string DifferenceButLimits(const Outcome& got, const Outcome& wanted, std::string_view what) {
  for (const DiagCode code : {DiagCode::kStepsExceeded, DiagCode::kMemoryExceeded}) {
    const std::string_view id = GetDiagInfo(code).id;
    if (got.error.starts_with(id) && wanted.error.starts_with(id)) return "";
  }
  return OutcomeDifference(got, wanted, what);
}

// Nothing says what the numbers of rng are, and so not that another dialect has the same.
bool HasRandom(const Program& program) {
  for (const Statement& statement : program.statements) {
    if (statement.opcode.starts_with("rng") ||
        statement.computations.find(" rng") != std::string::npos) {
      return true;
    }
  }
  return false;
}

std::string CheckConverted(const Document& document, const Program& program,
                           const Outcome& wanted) {
  const ConvertView there = ConvertDocument(document, TextKind::kMlir);
  if (!there.ok) return "";  // something has no counterpart
  const auto back = std::make_shared<const Document>(there.text);
  if (!back->ok()) {
    return fmt::format("converted it is refused: {}\n{}", FirstError(back->diagnostics()),
                       there.text);
  }
  // Failures name instructions, which have other names there.
  if (HasRandom(program) || !wanted.error.empty()) return "";
  const std::string difference =
      DifferenceButLimits(RunIt(back, program, kLimits, false), wanted, "converted to StableHLO");
  return difference.empty() ? "" : difference + "\n" + there.text;
}

// What is wrong with the engine's answers for the program; empty when nothing is.
std::string FaultOf(const Program& program, int* refused = nullptr, int* failed = nullptr) {
  const auto document = std::make_shared<const Document>(program.Text());
  if (!document->ok()) {
    // Instructions that mean something only beside others were not tried one by one.
    if (refused) ++*refused;
    return "";
  }
  const Outcome plain = RunIt(document, program, kLimits, false);
  if (failed && !plain.error.empty()) ++*failed;
  if (plain.error.starts_with("internal-fault")) return plain.error;
  // What a run took is enough for it.
  if (plain.error.empty()) {
    Budget::Limits limits = kLimits;
    limits.memory_bytes = plain.record->budget->memory_peak();
    const std::string error = RunIt(document, program, limits, false).error;
    if (!error.empty()) return fmt::format("within its own memory it fails: {}", error);
  }
  // A run that ends at a limit ends at it when it is traced, too.
  const Budget::Limits& traced = plain.error.empty() ? kStepwiseLimits : kLimits;
  std::string fault = DifferenceButLimits(RunIt(document, program, traced, true), plain, "traced");
  if (!fault.empty()) return fault;
  fault = RepeatedRunsDifference(*plain.record, OptionsWithTargets(), kLimits);
  if (!fault.empty()) return fault;
  fault = DifferenceButLimits(RunIt(document, program, kStepwiseLimits, false, false), plain,
                              "regions interpreted");
  if (!fault.empty() && plain.error.empty()) return fault;
  const std::string printed = PrintModule(*document->module());
  const auto again = std::make_shared<const Document>(printed);
  if (!again->ok()) {
    return fmt::format("printed it is refused: {}\n{}", FirstError(again->diagnostics()), printed);
  }
  if (PrintModule(*again->module()) != printed) return "printed twice it is another text";
  fault = DifferenceButLimits(RunIt(again, program, kLimits, false), plain, "printed");
  return fault.empty() ? CheckConverted(*document, program, plain) : fault;
}

TEST_CASE("generated programs give the same however they are run and written") {
  const uint64_t count = FromEnvironment("HLO_GENERATED_PROGRAMS", 300);
  const uint64_t first = FromEnvironment("HLO_GENERATED_SEED", 1);
  int refused = 0, failed = 0;
  MESSAGE("seeds " << first << " to " << first + count - 1);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    GeneratorOptions options;
    options.several_devices = seed % 4 == 0;
    options.mixed_floats = seed % 3 != 0;
    options.statements = 4 + static_cast<int>(seed % 16);
    const Program program = Generator(seed, options).Generate();
    const std::string fault = FaultOf(program, &refused, &failed);
    if (fault.empty()) continue;
    const Program less =
        Minimised(program, [](const Program& smaller) { return !FaultOf(smaller).empty(); });
    FAIL_CHECK("seed " << seed << ": " << FaultOf(less) << "\n" << less.Text());
  }
  CHECK(refused <= static_cast<int>(count / 10));
  CHECK(failed <= static_cast<int>(count / 3));
}

TEST_CASE("generated programs: every opcode that runs has a recipe that succeeds") {
  // Those that need others in the text, or a host with values; golden files run them.
  constexpr std::string_view kWithout[] = {"custom-call", "infeed", "parameter", "recv",
                                           "recv-done",   "send",   "send-done"};
  for (size_t i = 0; i < kOpcodeCount; ++i) {
    const std::string_view opcode = Text(static_cast<Opcode>(i));
    CAPTURE(opcode);
    if (std::find(std::begin(kWithout), std::end(kWithout), opcode) != std::end(kWithout)) continue;
    int good = 0;
    for (uint64_t seed = 0; seed < 4; ++seed) {
      const auto program =
          Generator(seed, {.mixed_floats = false, .several_devices = true}).GenerateFor(opcode);
      if (!program) continue;
      const Document document(program->Text());
      INFO(program->Text() << FirstError(document.diagnostics()));
      CHECK(document.ok());
      good += document.ok();
    }
    CHECK(good > 0);
  }
}

}  // namespace
}  // namespace hlo
