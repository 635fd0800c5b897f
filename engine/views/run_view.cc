#include "engine/views/run_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/run/executor.h"
#include "engine/run/inputs.h"
#include "engine/views/json_parts.h"

namespace hlo {
namespace {

// Adds the faults of an input at its parameter; they are located in the specification, which is
// not part of the text.
void ReportInput(const Instruction& parameter, size_t number, const Diagnostics& faults,
                 Diagnostics& out) {
  for (const Diagnostic& fault : faults.list()) {
    out.Report(fault.code, parameter.places().whole,
               fmt::format("input {} ({} {}): {}", number, parameter.name(),
                           ShapeName(parameter.shape()), fault.message));
  }
}

const InputFile* FindFile(const RunRequest& request, size_t number) {
  for (const InputFile& file : request.files) {
    if (file.parameter == static_cast<int64_t>(number)) return &file;
  }
  return nullptr;
}

// Makes every input; all faults are reported.
bool MakeInputs(RunRecord& record, const RunRequest& request) {
  const std::vector<Instruction*>& parameters = record.entry().parameters();
  for (size_t i = 0; i < parameters.size(); ++i) {
    Diagnostics faults;
    const InputFile* file = FindFile(request, i);
    const std::string_view spec =
        i < request.inputs.size() ? std::string_view(request.inputs[i]) : std::string_view();
    auto value =
        file ? MakeInputFromNpy(file->bytes, parameters[i]->shape(), record.budget.get(), faults)
             : MakeInput(spec, parameters[i]->shape(), static_cast<int64_t>(i),
                         request.options.seed, record.budget.get(), faults);
    ReportInput(*parameters[i], i, faults, record.diagnostics);
    record.inputs.push_back(value ? std::move(*value) : Value());
  }
  const size_t given = std::max(request.inputs.size(), parameters.size());
  for (size_t i = parameters.size(); i < given; ++i) {
    if (request.inputs[i].empty()) continue;
    record.diagnostics.Report(DiagCode::kInputInvalid, record.entry().name_range(),
                              fmt::format("input {} is given, but the entry computation has {} "
                                          "parameters",
                                          i, parameters.size()));
  }
  return !record.diagnostics.has_errors();
}

void RunGuarded(RunRecord& record, const RunRequest& request) {
  if (!MakeInputs(record, request)) return;
  Executor executor(*record.document->module(), request.options, record.budget.get(),
                    record.trace.get());
  if (executor.Start(record.inputs) == Executor::Status::kRunning) executor.Run();
  if (executor.status() == Executor::Status::kDone) {
    record.output = executor.result();
  } else {
    ReportFailure(executor.failure(), record.diagnostics);
  }
}

Json TraceEntryJson(const TraceEntry& entry, const TextMap& map, int64_t* room) {
  const Instruction& instruction = *entry.instruction;
  return {{"id", entry.id},
          {"name", instruction.name()},
          {"opcode", Text(instruction.opcode())},
          {"computation", instruction.parent()->name()},
          {"iterations", entry.iterations ? Json(*entry.iterations) : Json::array()},
          {"depth", entry.depth},
          {"range", RangeJson(instruction.places().whole, map)},
          {"value", ValueInfoJson(entry.value, instruction.shape(), room)},
          {"dropped", entry.dropped}};
}

template <typename T>
T NumberOr(const Json& json, const char* name, T otherwise) {
  auto it = json.find(name);
  if (it == json.end() || !it->is_number()) return otherwise;
  const double value = it->get<double>();
  return value >= 0 && value < 1.8e19 ? static_cast<T>(value) : otherwise;
}

std::string StringOr(const Json& json, const char* name, std::string otherwise) {
  auto it = json.find(name);
  return it != json.end() && it->is_string() ? it->get<std::string>() : otherwise;
}

}  // namespace

RunRequest ParseRunRequest(std::string_view text) {
  RunRequest request;
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  const Json options = json.is_object() ? json : Json::object();
  if (auto inputs = options.find("inputs"); inputs != options.end() && inputs->is_array()) {
    for (const Json& spec : *inputs) {
      request.inputs.push_back(spec.is_string() ? spec.get<std::string>() : "");
    }
  }
  auto trace = options.find("trace");
  request.trace = trace == options.end() || !trace->is_boolean() || trace->get<bool>();
  request.options.seed = NumberOr<uint64_t>(options, "seed", 0);
  request.options.fill_elided = FillKindFromText(StringOr(options, "fillElided", ""));
  request.limits.seconds = NumberOr<double>(options, "timeLimit", 10);
  request.limits.memory_bytes = NumberOr<uint64_t>(options, "memoryLimit", uint64_t{1} << 30);
  request.trace_limits.bytes =
      NumberOr<uint64_t>(options, "traceLimit", request.trace_limits.bytes);
  return request;
}

std::unique_ptr<RunRecord> RunDocument(std::shared_ptr<const Document> document,
                                       const RunRequest& request) {
  auto record = std::make_unique<RunRecord>();
  record->document = std::move(document);
  record->budget = std::make_unique<Budget>(request.limits);
  const Document& text = *record->document;
  if (!text.ok() || !text.module()->entry()) {
    record->diagnostics = text.diagnostics();
    if (!record->diagnostics.has_errors()) {
      record->diagnostics.Report(
          DiagCode::kNotExecutable, {0, 0},
          fmt::format("nothing to run: the text is {}",
                      text.kind() == TextKind::kShape ? "a shape alone" : "empty"));
    }
    return record;
  }
  if (request.trace) record->trace = std::make_unique<Trace>(request.trace_limits);
  try {
    RunGuarded(*record, request);
  } catch (const RunError& error) {
    record->diagnostics.Report(error.code(), {}, error.message());
  } catch (const std::bad_alloc&) {
    record->diagnostics.Report(DiagCode::kMemoryExceeded, {}, "the machine has no memory left");
  }
  record->seconds = record->budget->seconds_used();
  return record;
}

Json RunJson(const RunRecord& record, int handle) {
  constexpr int64_t kMaxInfos = 100000;
  int64_t room = kMaxInfos;
  const TextMap& map = record.document->map();
  Json output = nullptr;
  Json inputs = Json::array();
  Json trace = Json::array();
  const bool ran = record.document->ok() && record.document->module()->entry();
  if (record.output) output = ValueInfoJson(*record.output, record.entry().result_shape(), &room);
  for (size_t i = 0; ran && i < record.inputs.size(); ++i) {
    inputs.push_back(ValueInfoJson(record.inputs[i],
                                   record.entry().parameter_shape(static_cast<int>(i)), &room));
  }
  if (record.trace) {
    for (const TraceEntry* entry : record.trace->Entries()) {
      trace.push_back(TraceEntryJson(*entry, map, &room));
    }
  }
  return {{"ok", record.output.has_value()},
          {"diagnostics", DiagnosticsJson(record.diagnostics, map)},
          {"handle", handle},
          {"output", std::move(output)},
          {"inputs", std::move(inputs)},
          {"trace", std::move(trace)},
          {"traceCount", record.trace ? record.trace->count() : 0},
          {"seconds", record.seconds},
          {"steps", record.budget->steps_used()},
          {"peakBytes", record.budget->memory_peak()}};
}

std::optional<ValueSelector> ParseValueSelector(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("entry")) return std::nullopt;
  ValueSelector selector;
  selector.handle = NumberOr<int>(json, "handle", 0);
  const Json& entry = json["entry"];
  if (entry.is_number()) {
    selector.kind = ValueSelector::Kind::kTrace;
    selector.number = NumberOr<int64_t>(json, "entry", -1);
  } else {
    const std::string name = StringOr(json, "entry", "");
    constexpr std::string_view kInput = "input:";
    if (name.starts_with(kInput)) {
      selector.kind = ValueSelector::Kind::kInput;
      if (name.size() > kInput.size() + 9) return std::nullopt;
      for (char c : name.substr(kInput.size())) {
        if (c < '0' || c > '9') return std::nullopt;
        selector.number = 10 * selector.number + (c - '0');
      }
    } else if (name != "output") {
      return std::nullopt;
    }
  }
  if (auto path = json.find("path"); path != json.end() && path->is_array()) {
    for (const Json& step : *path) {
      selector.path.push_back(step.is_number() ? static_cast<int64_t>(step.get<double>()) : -1);
    }
  }
  return selector;
}

std::optional<ValuePart> SelectValue(const RunRecord& record, const ValueSelector& selector) {
  switch (selector.kind) {
    case ValueSelector::Kind::kOutput:
      if (!record.output) return std::nullopt;
      return PartOf(*record.output, record.entry().result_shape(), selector.path);
    case ValueSelector::Kind::kInput: {
      const size_t number = static_cast<size_t>(selector.number);
      if (number >= record.inputs.size()) return std::nullopt;
      return PartOf(record.inputs[number], record.entry().parameter_shape(static_cast<int>(number)),
                    selector.path);
    }
    case ValueSelector::Kind::kTrace: {
      const TraceEntry* entry = record.trace ? record.trace->Find(selector.number) : nullptr;
      if (!entry || entry->dropped) return std::nullopt;
      return PartOf(entry->value, entry->instruction->shape(), selector.path);
    }
  }
  return std::nullopt;
}

}  // namespace hlo
