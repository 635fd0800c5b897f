#include "tests/golden/round_trip.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <vector>

#include "engine/run/executor.h"
#include "engine/run/probes.h"
#include "engine/views/convert_view.h"
#include "engine/views/document.h"
#include "engine/views/run_view.h"
#include "tests/golden/same_bits.h"

namespace hlo {
namespace {

void CompareLeaves(const std::vector<Value>& got, const std::vector<Value>& wanted,
                   std::string_view what, RoundTrip* trip) {
  if (got.size() != wanted.size()) {
    trip->failure += fmt::format("  {}: {} values, not {}\n", what, got.size(), wanted.size());
    return;
  }
  for (size_t i = 0; i < got.size(); ++i) {
    if (SameBits(got[i], wanted[i])) continue;
    trip->failure += fmt::format("  {} {}:\n    got  {}\n    want {}\n", what, i, TextOf(got[i]),
                                 TextOf(wanted[i]));
  }
}

void CompareRun(const GoldenCase& golden, const RunRecord& record, const Document& back,
                RoundTrip* trip) {
  // Inputs that do not fit are no matter of the program.
  for (const Diagnostic& diagnostic : record.diagnostics.list()) {
    if (diagnostic.code == DiagCode::kInputInvalid || diagnostic.message.starts_with("input ")) {
      return;
    }
  }
  Budget budget(golden.limits);
  RunOptions options = golden.options;
  Probes probes;
  options.probes = &probes;
  options.replicas = record.grid.replicas;
  options.partitions = record.grid.partitions;
  Executor executor(*back.module(), options, &budget, nullptr);
  // The very inputs of the original: parameters are what they were, tuples included.
  std::vector<std::vector<Value>> args;
  for (const RunRecord::Device& device : record.devices) args.push_back(device.inputs);
  const auto started =
      args.empty() ? executor.Start(record.inputs) : executor.StartDevices(std::move(args));
  if (started == Executor::Status::kRunning) executor.Run();
  if (executor.status() != Executor::Status::kDone) {
    // Some failures are part of what a program means.
    if (record.output || !record.diagnostics.has_errors() ||
        record.diagnostics.list()[0].code != executor.failure().code) {
      trip->failure += fmt::format("  the run failed: {}\n", executor.failure().message);
    }
    return;
  }
  if (!record.output) {
    trip->failure += "  the run did not fail as that of the original does\n";
    return;
  }
  if (record.devices.empty()) {
    CompareLeaves(Flattened({executor.result()}), Flattened({*record.output}), "result", trip);
  }
  for (size_t i = 0; i < record.devices.size(); ++i) {
    CompareLeaves(Flattened({executor.results()[i]}), Flattened({*record.devices[i].output}),
                  fmt::format("device {}, result", i), trip);
  }
  std::vector<Value> got, wanted;
  for (const HostOutput& output : executor.host_outputs()) got.push_back(output.value);
  for (const HostOutput& output : record.host_outputs) wanted.push_back(output.value);
  CompareLeaves(Flattened(got), Flattened(wanted), "for the host", trip);
}

// The numbers of rng follow from its place in the program: nothing says which they are.
bool HasRandom(const Module& module) {
  for (const Computation& computation : module.computations()) {
    for (const Instruction& instruction : computation.instructions()) {
      if (instruction.opcode() == Opcode::kRng) return true;
    }
  }
  return false;
}

void AddErrors(const Diagnostics& diagnostics, std::string* out) {
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    if (diagnostic.severity == Severity::kError) *out += "    " + diagnostic.message + "\n";
  }
}

}  // namespace

// The other way: what came of the StableHLO is printed as HLO, which is valid, reads back, and is
// StableHLO again. The importer spells some ops by others, which stay as they are the next time.
void CompareBack(const std::string& first, const Document& back, RoundTrip* trip) {
  std::string text = first;
  for (int i = 0; i < 2; ++i) {
    const Document hlo(i == 0 ? ConvertDocument(back, TextKind::kHlo).text
                              : ConvertDocument(Document(text), TextKind::kHlo).text);
    const ConvertView again = ConvertDocument(hlo, TextKind::kMlir);
    if (!again.ok) {
      trip->failure += "  back as HLO it is refused:\n" + hlo.text();
      return AddErrors(hlo.ok() ? again.diagnostics : hlo.diagnostics(), &trip->failure);
    }
    if (again.text == text) return;
    if (i > 0) trip->failure += "  there and back it is another text:\n" + again.text;
    text = again.text;
  }
}

RoundTrip RunRoundTrip(const GoldenCase& golden) {
  RoundTrip trip;
  const auto document =
      std::make_shared<const Document>(golden.Text(), VerifierOptions(), golden.inputs);
  const ConvertView there = ConvertDocument(*document, TextKind::kMlir);
  if (!there.ok) {
    for (const Diagnostic& diagnostic : there.diagnostics.list()) {
      if (diagnostic.severity == Severity::kError) trip.missing.insert(diagnostic.message);
    }
    return trip;
  }
  const Document back(there.text);
  if (!back.ok()) {
    trip.failure = "  the StableHLO is refused:\n";
    AddErrors(back.diagnostics(), &trip.failure);
  } else {
    RunRequest request;
    request.inputs = golden.inputs;
    request.device_inputs = golden.device_inputs;
    request.options = golden.options;
    request.limits = golden.limits;
    request.trace = false;
    if (!HasRandom(*document->module())) {
      CompareRun(golden, *RunDocument(document, request), back, &trip);
    }
    if (ConvertDocument(back, TextKind::kMlir).text != there.text) {
      trip.failure += "  it is not printed as StableHLO's tools print it\n";
    }
    CompareBack(there.text, back, &trip);
  }
  if (!trip.failure.empty()) trip.failure += there.text;
  trip.passed = trip.failure.empty();
  return trip;
}

}  // namespace hlo
