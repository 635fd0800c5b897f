#include "engine/views/run_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/run/executor.h"
#include "engine/threads/pool.h"
#include "engine/views/fingerprint.h"
#include "engine/views/guard.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/names.h"
#include "engine/views/profile_view.h"
#include "engine/views/run_inputs.h"
#include "engine/views/run_remedies.h"

namespace hlo {
namespace {

void RunProgram(RunRecord& record, const RunRequest& request) {
  const Module& module = *record.document->module();
  RunOptions options = request.options;
  options.probes = &record.probes;
  record.probes.set_reader(request.probe_reader);
  if (request.profile) record.profile = std::make_unique<RunProfile>();
  options.profile = record.profile.get();
  Executor executor(module, options, record.budget.get(), record.trace.get());
  std::vector<std::vector<Value>> args;
  for (const RunRecord::Device& device : record.devices) args.push_back(device.inputs);
  const double begin = record.budget->seconds_used();
  const auto started =
      args.empty() ? executor.Start(record.inputs) : executor.StartDevices(std::move(args));
  if (started == Executor::Status::kRunning) executor.Run();
  record.executed_seconds = record.budget->seconds_used() - begin;
  record.host_outputs = executor.host_outputs();
  record.made_up = executor.stand_ins();
  if (options.fill_elided) record.filled = ElidedConstants(module);
  if (executor.status() != Executor::Status::kDone) {
    executor.Report(record.diagnostics);
    return;
  }
  record.output = executor.result();
  for (size_t i = 0; i < record.devices.size(); ++i) {
    record.devices[i].output = executor.results()[i];
  }
}

void Run(RunRecord& record, const RunRequest& request) {
  if (!PrepareRun(record, request)) return;
  if (request.trace) record.trace = std::make_unique<Trace>(request.trace_limits);
  RunProgram(record, request);
}

// Whether a `check` operation holds; nothing for other instructions.
std::optional<bool> Holds(const Instruction& instruction, const RunRecord& record) {
  const Attr* target = nullptr;
  for (const Attr& attr : instruction.attrs()) {
    if (attr.def->name == "custom_call_target") target = &attr;
  }
  const std::string* name = target ? std::get_if<std::string>(&target->value) : nullptr;
  if (!name || !name->starts_with("check.")) return std::nullopt;
  const Range& whole = instruction.places().whole;
  const auto& faults = record.diagnostics.list();
  return std::none_of(faults.begin(), faults.end(),
                      [&](const Diagnostic& fault) { return fault.range == whole; });
}

Json TraceEntryJson(const TraceEntry& entry, const RunRecord& record, AnswerRoom* room) {
  const Instruction& instruction = *entry.instruction;
  room->bytes -= 2 * static_cast<int64_t>(instruction.name().size());
  const TextMap& map = record.document->map();
  Json json =
      ObjectJson({{"id", entry.id},
                  {"name", instruction.name()},
                  {"shown", ShownName(*record.document, instruction)},
                  {"opcode", Text(instruction.opcode())},
                  {"computation", instruction.parent()->name()},
                  {"iterations", entry.iterations ? Json(*entry.iterations) : Json::array()},
                  {"depth", entry.depth},
                  {"range", RangeJson(instruction.places().whole, map)},
                  {"value", ValueInfoJson(entry.value, instruction.shape(), room)},
                  {"dropped", entry.dropped}});
  if (!record.devices.empty()) json["device"] = entry.device;
  if (const auto holds = Holds(instruction, record)) json["holds"] = *holds;
  return json;
}

// Each entry has a size limit of its own; the elements of tuples share the rest.
Json EntriesJson(const RunRecord& record, const ListWindow& window, AnswerRoom* room) {
  Json json = Json::array();
  const auto [begin, end] = window.Within(0, static_cast<int64_t>(record.entries.size()));
  room->infos -= end - begin;
  for (int64_t i = begin; i < end && room->bytes > 0; ++i) {
    ++room->infos;
    json.push_back(TraceEntryJson(*record.entries[static_cast<size_t>(i)], record, room));
  }
  return json;
}

Json InputsJson(const RunRecord& record, const std::vector<Value>& inputs, AnswerRoom* room) {
  Json json = Json::array();
  for (size_t i = 0; i < inputs.size() && !room->used_up(); ++i) {
    json.push_back(
        ValueInfoJson(inputs[i], record.entry().parameter_shape(static_cast<int>(i)), room));
  }
  return json;
}

Json DevicesJson(const RunRecord& record, AnswerRoom* room) {
  Json json = Json::array();
  for (size_t i = 0; i < record.devices.size() && !room->used_up(); ++i) {
    const RunRecord::Device& device = record.devices[i];
    const int64_t number = static_cast<int64_t>(i);
    Json output = nullptr;
    if (device.output) output = ValueInfoJson(*device.output, record.entry().result_shape(), room);
    json.push_back(ObjectJson({{"device", number},
                               {"replica", number / record.grid.partitions},
                               {"partition", number % record.grid.partitions},
                               {"output", std::move(output)},
                               {"inputs", InputsJson(record, device.inputs, room)}}));
  }
  return json;
}

Json HostOutputsJson(const RunRecord& record, AnswerRoom* room) {
  Json json = Json::array();
  for (const HostOutput& output : record.host_outputs) {
    if (room->used_up()) break;
    json.push_back(ObjectJson({{"device", output.device},
                               {"channel", output.channel ? Json(*output.channel) : Json(nullptr)},
                               {"shown", ShownName(*record.document, *output.instruction)},
                               {"value", ValueInfoJson(output.value, *output.shape, room)}}));
  }
  return json;
}

// A number that is not negative and fits.
template <typename T>
T NumberOr(const Json& number, T otherwise) {
  if (!number.is_number()) return otherwise;
  const double value = number.get<double>();
  const bool fits = value >= 0 && value < static_cast<double>(std::numeric_limits<T>::max());
  return fits ? static_cast<T>(value) : otherwise;
}

template <typename T>
T NumberOr(const Json& json, const char* name, T otherwise) {
  auto it = json.find(name);
  return it == json.end() ? otherwise : NumberOr<T>(*it, otherwise);
}

std::string StringOr(const Json& json, const char* name, std::string otherwise) {
  auto it = json.find(name);
  return it != json.end() && it->is_string() ? it->get<std::string>() : std::move(otherwise);
}

bool BoolOr(const Json& json, const char* name, bool otherwise) {
  auto it = json.find(name);
  return it != json.end() && it->is_boolean() ? it->get<bool>() : otherwise;
}

// The objects in an optional array.
std::vector<Json> ObjectsOf(const Json& options, const char* name) {
  std::vector<Json> objects;
  auto list = options.find(name);
  if (list == options.end() || !list->is_array()) return objects;
  for (const Json& item : *list) {
    if (item.is_object()) objects.push_back(item);
  }
  return objects;
}

DeviceSet DevicesOf(const Json& item) {
  return {NumberOr<int64_t>(item, "replica", -1), NumberOr<int64_t>(item, "partition", -1)};
}

void ReadDeviceOptions(const Json& options, RunRequest& request) {
  request.options.replicas = NumberOr<int64_t>(options, "replicas", 0);
  request.options.partitions = NumberOr<int64_t>(options, "partitions", 0);
  for (const Json& item : ObjectsOf(options, "deviceInputs")) {
    DeviceInput input;
    input.devices = DevicesOf(item);
    input.parameter = NumberOr<int64_t>(item, "parameter", 0);
    input.spec = StringOr(item, "value", "");
    request.device_inputs.push_back(std::move(input));
  }
  for (const Json& item : ObjectsOf(options, "hostInputs")) {
    HostInput input;
    input.devices = DevicesOf(item);
    const int64_t channel = NumberOr<int64_t>(item, "channel", -1);
    if (channel >= 0) input.channel = channel;
    input.spec = StringOr(item, "value", "");
    request.options.host_inputs.push_back(std::move(input));
  }
}

}  // namespace

RunRequest ParseRunRequest(std::string_view text) {
  RunRequest request;
  const Json json = ParseJson(text);
  const Json options = json.is_object() ? json : Json::object();
  if (auto inputs = options.find("inputs"); inputs != options.end() && inputs->is_array()) {
    for (const Json& spec : *inputs) {
      request.inputs.push_back(spec.is_string() ? spec.get<std::string>() : "");
    }
  }
  request.trace = BoolOr(options, "trace", true);
  request.profile = BoolOr(options, "plan", !request.trace);
  request.fingerprint = BoolOr(options, "fingerprint", false);
  request.options.seed = NumberOr<uint64_t>(options, "seed", 0);
  request.options.fill_elided = FillKindFromText(StringOr(options, "fillElided", ""));
  request.options.stand_ins = StringOr(options, "standIns", "") == "random";
  request.products = StringOr(options, "products", "");
  request.options.multiply_add = MultiplyAddNamed(StringOr(options, "multiplyAdd", ""));
  request.is_alone = StringOr(options, "threads", "") == "one";
  ReadDeviceOptions(options, request);
  if (auto window = options.find("traceWindow"); window != options.end()) {
    request.trace_window.count = NumberOr<int64_t>(*window, -1);
  }
  request.limits.seconds = NumberOr<double>(options, "timeLimit", 10);
  request.limits.memory_bytes = NumberOr<uint64_t>(options, "memoryLimit", uint64_t{1} << 30);
  const auto steps = NumberOr<uint64_t>(options, "stepLimit", 0);
  if (steps > 0) request.limits.steps = steps;
  request.trace_limits.bytes =
      NumberOr<uint64_t>(options, "traceLimit", request.trace_limits.bytes);
  return request;
}

bool PrepareRun(RunRecord& record, const RunRequest& request) {
  if (record.document->wants_inputs()) {
    record.document =
        std::make_shared<const Document>(record.document->text(), VerifierOptions(),
                                         InputsOf(request), record.document->languages());
  }
  const Document& text = *record.document;
  if (text.ok() && text.module()->entry()) {
    record.grid = GridOf(*text.module(), request.options);
    // Too many devices are the executor's to report; no inputs are made for them.
    return !IsAllowed(record.grid) ||
           (CheckInputsFit(record, request) && MakeInputs(record, request));
  }
  record.diagnostics = text.diagnostics();
  if (record.diagnostics.has_errors()) return false;
  record.diagnostics.Report(
      DiagCode::kNotExecutable, {0, 0},
      fmt::format("nothing to run: the text is {}",
                  text.kind() == TextKind::kLayout ? "a layout alone" : "empty"));
  return false;
}

std::unique_ptr<RunRecord> RunDocument(std::shared_ptr<const Document> document,
                                       const RunRequest& request) {
  auto record = std::make_unique<RunRecord>();
  record->document = std::move(document);
  record->budget = std::make_unique<Budget>(request.limits);
  {
    const AloneScope alone(request.is_alone);
    TakeThreadsUsed();
    Guarded(record->diagnostics, [&] { Run(*record, request); });
    record->threads = TakeThreadsUsed();
  }
  Diagnostics none;
  Guarded(none, [&] { record->remedies = JsonText(RemediesJson(*record, request)); });
  if (request.fingerprint) Guarded(none, [&] { record->fingerprint = FingerprintOf(*record); });
  record->seconds = record->budget->seconds_used();
  if (record->trace) {
    Guarded(record->diagnostics, [&] { record->entries = record->trace->Entries(); });
  }
  return record;
}

Json TraceJson(const RunRecord& record, const ListWindow& window) {
  AnswerRoom room;
  return EntriesJson(record, window, &room);
}

Json RunJson(const RunRecord& record, int handle, const ListWindow& window) {
  AnswerRoom room;
  const TextMap& map = record.document->map();
  Json output = nullptr;
  const bool ran = record.document->ok() && record.document->module()->entry();
  if (record.output) output = ValueInfoJson(*record.output, record.entry().result_shape(), &room);
  Json inputs = ran ? InputsJson(record, record.inputs, &room) : Json::array();
  Json trace = EntriesJson(record, window, &room);
  Json json = ObjectJson({{"ok", record.output.has_value()},
                          {"diagnostics", DiagnosticsJson(record.diagnostics, map)},
                          {"handle", handle},
                          {"output", std::move(output)},
                          {"inputs", std::move(inputs)},
                          {"trace", std::move(trace)},
                          {"traceCount", record.trace ? record.trace->count() : 0},
                          {"seconds", record.seconds},
                          {"steps", record.budget->steps_used()},
                          {"peakBytes", record.budget->memory_peak()}});
  if (record.threads > 1) json["threads"] = record.threads;
  if (!record.filled.empty()) json["filled"] = InstructionsJson(record.filled, *record.document);
  if (!record.made_up.empty()) json["madeUp"] = InstructionsJson(record.made_up, *record.document);
  if (record.remedies.size() > 2) json["remedies"] = ParseJson(record.remedies);
  if (!record.devices.empty()) json["devices"] = DevicesJson(record, &room);
  if (!record.host_outputs.empty()) json["hostOutputs"] = HostOutputsJson(record, &room);
  if (record.profile) json["plan"] = ProfileJson(record);
  if (!record.fingerprint.empty()) json["fingerprint"] = record.fingerprint;
  return json;
}

namespace {

// The number that ends a text after the prefix; nothing when there is none.
std::optional<int64_t> NumberAfter(std::string_view text, std::string_view prefix) {
  constexpr size_t kMostDigits = 9;
  if (!text.starts_with(prefix)) return std::nullopt;
  text.remove_prefix(prefix.size());
  if (text.empty() || text.size() > kMostDigits) return std::nullopt;
  int64_t number = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    number = 10 * number + (c - '0');
  }
  return number;
}

// "output", "input:N" with "@D" for device D, "host:N".
bool ReadEntryName(std::string_view name, ValueSelector* selector) {
  const size_t at = std::min(name.find('@'), name.size());
  if (at < name.size()) {
    const auto device = NumberAfter(name.substr(at), "@");
    if (!device) return false;
    selector->device = *device;
  }
  name = name.substr(0, at);
  if (name == "output") return true;
  const auto input = NumberAfter(name, "input:");
  const auto host = NumberAfter(name, "host:");
  if (!input && !host) return false;
  selector->kind = input ? ValueSelector::Kind::kInput : ValueSelector::Kind::kHostOutput;
  selector->number = input ? *input : *host;
  return true;
}

}  // namespace

std::optional<ValueSelector> ParseValueSelector(std::string_view text) {
  const Json json = ParseJson(text);
  if (!json.is_object() || !json.contains("entry")) return std::nullopt;
  ValueSelector selector;
  selector.handle = NumberOr<int>(json, "handle", 0);
  const Json& entry = json["entry"];
  if (entry.is_number()) {
    selector.kind = ValueSelector::Kind::kTrace;
    selector.number = NumberOr<int64_t>(json, "entry", -1);
  } else {
    if (!ReadEntryName(StringOr(json, "entry", ""), &selector)) return std::nullopt;
  }
  if (auto path = json.find("path"); path != json.end() && path->is_array()) {
    for (const Json& step : *path) {
      selector.path.push_back(NumberOr<int64_t>(step, -1));
    }
  }
  return selector;
}

namespace {

const RunRecord::Device* DeviceOf(const RunRecord& record, int64_t device) {
  const size_t number = static_cast<size_t>(device);
  return number < record.devices.size() ? &record.devices[number] : nullptr;
}

const std::optional<Value>* OutputOf(const RunRecord& record, int64_t device) {
  if (device == 0) return &record.output;
  const RunRecord::Device* own = DeviceOf(record, device);
  return own ? &own->output : nullptr;
}

const std::vector<Value>* InputsOf(const RunRecord& record, int64_t device) {
  if (device == 0) return &record.inputs;
  const RunRecord::Device* own = DeviceOf(record, device);
  return own ? &own->inputs : nullptr;
}

}  // namespace

std::optional<ValuePart> SelectValue(const RunRecord& record, const ValueSelector& selector) {
  switch (selector.kind) {
    case ValueSelector::Kind::kOutput: {
      const std::optional<Value>* output = OutputOf(record, selector.device);
      if (!output || !*output) return std::nullopt;
      return PartOf(**output, record.entry().result_shape(), selector.path);
    }
    case ValueSelector::Kind::kInput: {
      const std::vector<Value>* inputs = InputsOf(record, selector.device);
      const size_t number = static_cast<size_t>(selector.number);
      if (!inputs || number >= inputs->size()) return std::nullopt;
      return PartOf((*inputs)[number], record.entry().parameter_shape(static_cast<int>(number)),
                    selector.path);
    }
    case ValueSelector::Kind::kHostOutput: {
      const size_t number = static_cast<size_t>(selector.number);
      if (number >= record.host_outputs.size()) return std::nullopt;
      const HostOutput& output = record.host_outputs[number];
      return PartOf(output.value, *output.shape, selector.path);
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
