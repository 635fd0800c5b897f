#include "tests/generated/outcome.h"

#include <fmt/format.h>

#include "tests/all_targets.h"
#include "tests/golden/same_bits.h"

namespace hlo {

std::string FirstError(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    if (diagnostic.severity == Severity::kError) {
      return fmt::format("{}: {}", GetDiagInfo(diagnostic.code).id, diagnostic.message);
    }
  }
  return "";
}

Outcome RunIt(const std::shared_ptr<const Document>& document, const Program& program,
              const Budget::Limits& limits, bool trace, bool compile_regions) {
  RunRequest request;
  request.options = OptionsWithTargets();
  request.inputs = program.inputs;
  request.trace = trace;
  request.limits = limits;
  request.options.compile_regions = compile_regions;
  Outcome outcome;
  outcome.record = RunDocument(document, request);
  const RunRecord& record = *outcome.record;
  outcome.error = FirstError(record.diagnostics);
  if (record.output) outcome.values.push_back(*record.output);
  for (const RunRecord::Device& device : record.devices) {
    if (device.output) outcome.values.push_back(*device.output);
  }
  for (const HostOutput& output : record.host_outputs) outcome.values.push_back(output.value);
  outcome.values = Flattened(outcome.values);
  return outcome;
}

std::string OutcomeDifference(const Outcome& got, const Outcome& wanted, std::string_view what) {
  if (got.error != wanted.error) {
    return fmt::format("{}: error '{}', not '{}'", what, got.error, wanted.error);
  }
  const std::vector<Value>& a = got.values;
  const std::vector<Value>& b = wanted.values;
  if (a.size() != b.size()) return fmt::format("{}: {} values, not {}", what, a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    if (SameBits(a[i], b[i])) continue;
    return fmt::format("{}: value {} is\n{}\nnot\n{}", what, i, TextOf(a[i]), TextOf(b[i]));
  }
  return "";
}

}  // namespace hlo
