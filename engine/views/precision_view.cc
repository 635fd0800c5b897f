#include "engine/views/precision_view.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "engine/base/work_limit.h"
#include "engine/diff/module_diff.h"
#include "engine/views/guard.h"

namespace hlo {
namespace {

// Fills a record's inputs, within the memory. Null, with faults, when the program cannot be run.
// `whose` precedes what is said of another program than the one whose places are shown.
const Module* Prepare(RunRecord& record, std::shared_ptr<const Document> document,
                      const RunRequest& request, uint64_t memory, std::string_view whose,
                      Diagnostics& faults) {
  Budget::Limits limits = request.limits;
  limits.memory_bytes = memory;
  record.budget = std::make_unique<Budget>(limits);
  record.document = std::move(document);
  if (PrepareRun(record, request)) {
    if (IsAllowed(record.grid)) return record.document->module();
    faults.Report(DiagCode::kNotExecutable, Range{}, fmt::format("{}too many devices", whose));
    return nullptr;
  }
  for (const Diagnostic& fault : record.diagnostics.list()) {
    faults.Report(fault.code, whose.empty() ? fault.range : Range{},
                  fmt::format("{}{}", whose, fault.message));
  }
  return nullptr;
}

std::vector<std::vector<Value>> ArgumentsOf(const RunRecord& record) {
  if (record.devices.empty()) return {record.inputs};
  std::vector<std::vector<Value>> arguments;
  for (const RunRecord::Device& device : record.devices) arguments.push_back(device.inputs);
  return arguments;
}

// Both programs and their inputs. Values are released to the budgets, which are members before
// them.
struct PrecisionPair {
  std::optional<Budget> budget;
  RunRecord first, second;
  WidenedModule widened;
  Counterparts counterpart;
  PairedSide sides[2];
};

// Whether the values of two instructions that stand for one another in two programs say something
// about the programs: an edit may have changed a size, and what a loop hands on may have another
// place in its state.
bool CanBeCompared(const Instruction& a, const Instruction& b) {
  if (!HaveSameDims(a.shape(), b.shape())) return false;
  const bool are_elements =
      a.opcode() == Opcode::kGetTupleElement && b.opcode() == Opcode::kGetTupleElement;
  return !are_elements || a.attrs().Int("index") == b.attrs().Int("index") ||
         !HaveSameDims(a.operand(0)->shape(), b.operand(0)->shape());
}

// The second run is of another program, or of the same one.
bool PrepareOther(PrecisionPair& pair, PrecisionView& view, const PrecisionReference& reference,
                  const RunRequest& request, Budget::Limits left) {
  const RunRequest second = reference.changes ? Changed(request, *reference.changes) : request;
  const auto other = reference.other ? reference.other : view.document;
  const Module* const compared =
      Prepare(pair.second, other, second, left.memory_bytes, view.other_name + ": ", view.faults);
  if (!compared) return false;
  pair.sides[1] = {compared, second.options, ArgumentsOf(pair.second)};
  const Module& module = *pair.sides[0].module;
  if (compared == &module) {
    for (const Computation& computation : module.computations()) {
      for (const Instruction& each : computation.instructions()) pair.counterpart[&each] = &each;
    }
  } else {
    for (const auto& [before, after] : DiffModules(module, *compared).pairs) {
      if (CanBeCompared(*before, *after)) pair.counterpart[after] = before;
    }
  }
  left.memory_bytes = pair.second.budget->memory_left();
  pair.budget.emplace(left);
  return true;
}

bool PrepareWider(PrecisionPair& pair, PrecisionView& view, const Widening& widening,
                  const RunRequest& request, const Budget::Limits& left) {
  pair.budget.emplace(left);
  pair.widened = Widen(*pair.sides[0].module, widening, request.options.custom_calls);
  VerifyModule(*pair.widened.module, view.faults);
  if (view.faults.has_errors()) return false;
  pair.sides[1] = {pair.widened.module.get(), request.options, {}};
  pair.sides[1].options.numbers = &pair.widened.numbers;
  for (const auto& device : pair.sides[0].arguments) {
    auto& arguments = pair.sides[1].arguments.emplace_back();
    for (const Value& value : device) {
      arguments.push_back(WidenedValue(value, widening.floats, &*pair.budget));
    }
  }
  pair.counterpart = pair.widened.originals;
  return true;
}

// False, with faults, when there is nothing to compare.
bool PreparePair(PrecisionPair& pair, PrecisionView& view, const PrecisionReference& reference,
                 const RunRequest& request) {
  const size_t others = reference.other ? reference.other->text().size() : 0;
  const WorkLimit limit(WorkLimit::ForText(view.document->text().size() + others));
  const Module* module =
      Prepare(pair.first, view.document, request, request.limits.memory_bytes, "", view.faults);
  if (!module) return false;
  view.document = pair.first.document;
  pair.sides[0] = {module, request.options, ArgumentsOf(pair.first)};
  Budget::Limits left = request.limits;
  left.memory_bytes = pair.first.budget->memory_left();
  const bool is_wider = !reference.other && !reference.changes;
  return is_wider ? PrepareWider(pair, view, reference.widening, request, left)
                  : PrepareOther(pair, view, reference, request, left);
}

void ReportFailure(const PrecisionView& view, const RunFailure& failure, bool is_first,
                   Diagnostics& faults) {
  const Instruction* const at = failure.stack.empty() ? nullptr : failure.stack.back();
  faults.Report(failure.code, is_first && at ? at->places().whole : Range{},
                fmt::format("{}: {}{}", is_first ? "this program" : view.other_name,
                            at ? fmt::format("{}: ", at->name()) : std::string(), failure.message));
}

std::string NameOfReference(const PrecisionReference& reference) {
  if (!reference.expected.empty()) return "what is expected";
  if (reference.other) return "the other program";
  if (reference.changes) return "the other run";
  const Widening& widening = reference.widening;
  const std::string sums = widening.sums_in_f64 ? "sums in f64" : "";
  if (!widening.floats) return sums.empty() ? "the program itself" : "the program with " + sums;
  return fmt::format("the program in {}{}", Text(*widening.floats),
                     widening.floats == ElementType::kF64 || sums.empty() ? "" : " with " + sums);
}

void RunPair(PrecisionView& view, const PrecisionReference& reference, const RunRequest& request) {
  PrecisionPair pair;
  if (!PreparePair(pair, view, reference, request)) return;
  view.report = CompareRuns(std::move(pair.sides[0]), std::move(pair.sides[1]), pair.counterpart,
                            &*pair.budget);
  const PairedReport& report = view.report;
  if (report.first_failure) ReportFailure(view, *report.first_failure, true, view.faults);
  if (report.second_failure) ReportFailure(view, *report.second_failure, false, view.faults);
  // The modules of both runs end here; what failed points into them.
  for (InstructionError& error : view.report.instructions) error.second = nullptr;
  view.report.first_failure = view.report.second_failure = std::nullopt;
  view.ok = !view.faults.has_errors();
}

void RunExpected(PrecisionView& view, const PrecisionReference& reference, RunRequest request) {
  request.trace = request.profile = request.fingerprint = false;
  const auto record = RunDocument(view.document, request);
  view.document = record->document;
  view.faults = record->diagnostics;
  if (!record->output) return;
  CompareExpected(*record, reference.expected, request, &view.report, view.faults);
  view.ok = !view.faults.has_errors();
}

// What another request gives for a parameter replaces all that was given for it.
void ReplaceInput(RunRequest& request, int64_t parameter) {
  const auto is_its = [=](const auto& each) { return each.parameter == parameter; };
  std::erase_if(request.files, is_its);
  std::erase_if(request.device_inputs, is_its);
  if (parameter < static_cast<int64_t>(request.inputs.size())) {
    request.inputs[static_cast<size_t>(parameter)].clear();
  }
}

}  // namespace

RunRequest Changed(const RunRequest& first, const RunChanges& changes) {
  RunRequest request = first;
  const RunRequest& given = changes.given;
  for (size_t i = 0; i < given.inputs.size(); ++i) {
    if (given.inputs[i].empty()) continue;
    ReplaceInput(request, static_cast<int64_t>(i));
    if (request.inputs.size() <= i) request.inputs.resize(i + 1);
    request.inputs[i] = given.inputs[i];
  }
  for (const InputFile& file : given.files) {
    ReplaceInput(request, file.parameter);
    request.files.push_back(file);
  }
  for (const DeviceInput& input : given.device_inputs) request.device_inputs.push_back(input);
  if (changes.seed) request.options.seed = *changes.seed;
  if (changes.replicas) request.options.replicas = *changes.replicas;
  if (changes.products) request.options.products = *changes.products;
  if (changes.multiply_add) request.options.multiply_add = *changes.multiply_add;
  if (changes.partitions) request.options.partitions = *changes.partitions;
  return request;
}

PrecisionView MakePrecisionView(std::shared_ptr<const Document> document,
                                const PrecisionReference& reference, const RunRequest& request) {
  PrecisionView view{.document = std::move(document), .other_name = NameOfReference(reference)};
  Guarded(view.faults, [&] {
    if (reference.expected.empty()) {
      RunPair(view, reference, request);
    } else {
      RunExpected(view, reference, request);
    }
  });
  if (view.faults.has_errors()) view.ok = false;
  return view;
}

}  // namespace hlo
