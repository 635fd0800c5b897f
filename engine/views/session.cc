#include "engine/views/session.h"

#include <new>
#include <utility>

#include "engine/base/work_limit.h"
#include "engine/io/npy.h"
#include "engine/views/check_view.h"
#include "engine/views/completion_view.h"
#include "engine/views/convert_view.h"
#include "engine/views/cost_view.h"
#include "engine/views/debug_view.h"
#include "engine/views/devices_view.h"
#include "engine/views/diff_view.h"
#include "engine/views/graph_view.h"
#include "engine/views/guard.h"
#include "engine/views/input_view.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/layout_view.h"
#include "engine/views/memory_picture.h"
#include "engine/views/memory_view.h"
#include "engine/views/non_finite.h"
#include "engine/views/passes_view.h"
#include "engine/views/place_view.h"
#include "engine/views/plan_view.h"
#include "engine/views/precision_view.h"
#include "engine/views/rewrite_view.h"
#include "engine/views/run_inputs.h"
#include "engine/views/script_view.h"
#include "engine/views/sharding_view.h"
#include "engine/views/why_view.h"

namespace hlo {

std::string_view EngineVersion() { return "0.1.0"; }

namespace {

// Answers about a value have limits of their own; if one fails, the answer is empty.
template <typename Answer, typename Ask>
Answer OfValue(const Ask& ask) {
  return Guarded<Answer>(ask, [](const Diagnostics&) { return Answer{}; });
}

std::vector<std::string> ReadInputs(std::string_view inputs) {
  std::vector<std::string> specs;
  const Json list = ParseJson(inputs);
  if (!list.is_array()) return specs;
  for (const Json& input : list) {
    specs.push_back(input.is_string() ? input.get<std::string>() : std::string());
  }
  return specs;
}

}  // namespace

bool Session::IsDocumentOf(std::string_view text) {
  if (!document_) return false;
  const uint64_t version = texts_.VersionOf(text);
  if (version != 0 && version == document_version_) return true;
  if (document_->text().size() != text.size()) return false;
  CountWork(text.size() / sizeof(uint64_t));
  if (document_->text() != text) return false;
  if (version != 0) document_version_ = version;
  return true;
}

std::shared_ptr<const Document> Session::DocumentOf(std::string_view text) {
  if (!IsDocumentOf(text) || (document_->wants_inputs() && document_inputs_ != inputs_)) {
    memory_ = nullptr;
    costs_ = nullptr;
    document_ =
        std::make_shared<const Document>(std::string(text), VerifierOptions(), inputs_, languages_);
    document_version_ = texts_.VersionOf(text);
    document_inputs_ = inputs_;
  }
  return document_;
}

// Answers from the text's document; if making that fails, from an empty one with the diagnostics.
std::string Session::Ask(std::string_view text, AnswerOf answer) {
  return Guarded<std::string>(
      [&] {
        const WorkLimit limit(WorkLimit::ForText(text.size()));
        return answer(*DocumentOf(text));
      },
      [&](Diagnostics faults) { return answer(Document(std::move(faults))); });
}

std::string Session::Check(std::string_view text, std::string_view inputs) {
  inputs_ = OfValue<std::vector<std::string>>([&] { return ReadInputs(inputs); });
  return Ask(text, CheckJson);
}
std::string Session::Outline(std::string_view text, std::string_view window) {
  return Ask(text, [&](const Document& document) {
    return OutlineJson(document, ParseListWindow(window));
  });
}
std::string Session::MemoryReport(std::string_view text, std::string_view window) {
  return Ask(text, [&](const Document& document) {
    return MemoryReportJson(document, ParseBufferWindow(window));
  });
}
std::shared_ptr<const hlo::ProgramMemory> Session::MemoryFor(const Document& document) {
  const bool is_last = &document == document_.get();
  if (is_last && memory_) return memory_;
  auto memory = std::make_shared<const hlo::ProgramMemory>(MemoryOf(document));
  if (is_last) memory_ = memory;
  return memory;
}

std::string Session::ProgramMemory(std::string_view text, std::string_view window) {
  return Ask(text, [&](const Document& document) {
    return ProgramMemoryJson(document, *MemoryFor(document), ParseBufferWindow(window));
  });
}
std::string Session::MemoryPicture(std::string_view text, std::string_view options) {
  return Ask(text, [&](const Document& document) {
    return MemoryPictureJson(document, *MemoryFor(document), options);
  });
}
std::string Session::MemorySavings(std::string_view text) {
  return Ask(text, [&](const Document& document) {
    return MemorySavingsJson(document, *MemoryFor(document));
  });
}

Session::DiffAnswer Session::Diff(std::string_view after, std::string_view before,
                                  std::string_view options) {
  DiffAnswer answer;
  answer.json = Guarded<std::string>(
      [&] {
        const WorkLimit limit(WorkLimit::ForText(after.size() + before.size()));
        answer.lines.clear();
        answer.marks.clear();
        const bool is_other = !diff_ || diff_->after->text() != after ||
                              diff_->before->text() != before ||
                              (diff_->after->wants_inputs() && diff_inputs_ != inputs_);
        if (is_other) {
          // The program may be open already; the other text must not take its place.
          auto shown = DocumentOf(after);
          auto other = std::make_shared<const Document>(std::string(before), VerifierOptions{},
                                                        std::vector<std::string>{}, languages_);
          diff_ =
              std::make_shared<const DiffView>(MakeDiffView(std::move(other), std::move(shown)));
          diff_inputs_ = inputs_;
        }
        return DiffJson(*diff_, options, &answer.lines, &answer.marks);
      },
      [&](Diagnostics faults) {
        DiffView none{std::make_shared<const Document>(Diagnostics()),
                      std::make_shared<const Document>(std::move(faults))};
        return DiffJson(none, "", &answer.lines, &answer.marks);
      });
  return answer;
}

std::string Session::Graph(std::string_view text, std::string_view options) {
  return Ask(text, [&](const Document& document) { return GraphJson(document, options); });
}
std::string Session::Shardings(std::string_view text, std::string_view options) {
  return Ask(text, [&](const Document& document) { return ShardingsJson(document, options); });
}
// The recorded run of these options; the last one is kept.
std::shared_ptr<Debugger> Session::DevicesOf(std::string_view text, std::string_view options,
                                             std::vector<InputFile> files) {
  std::string key(options);
  for (const InputFile& file : files) {
    key += '\n';
    key.append(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
  }
  key += '\n';
  key += text;
  if (devices_ && key == devices_key_) return devices_;
  devices_ = nullptr;
  RunRequest request = RequestOf(options);
  request.files = std::move(files);
  devices_ = RecordDevices(DocumentOf(text), request);
  devices_key_ = std::move(key);
  return devices_;
}
std::string Session::Devices(std::string_view text, std::string_view options,
                             std::vector<InputFile> files) {
  return Guarded<std::string>(
      [&] { return DevicesJson(*DevicesOf(text, options, std::move(files))); },
      [&](Diagnostics faults) {
        const Document nothing(std::move(faults));
        return NoDevicesJson(nothing.diagnostics(), nothing);
      });
}
std::string Session::DevicesAt(std::string_view text, std::string_view options, int64_t position,
                               int64_t device, std::vector<InputFile> files) {
  return Guarded<std::string>(
      [&] { return DevicesAtJson(*DevicesOf(text, options, std::move(files)), position, device); },
      [](const Diagnostics&) { return std::string("null"); });
}
std::string Session::GraphSearch(std::string_view text, std::string_view wanted) {
  return Ask(text, [&](const Document& document) { return GraphSearchJson(document, wanted); });
}

std::string Session::Cost(std::string_view text, std::string_view options) {
  return Ask(text, [&](const Document& document) {
    const bool is_last = &document == document_.get();
    auto costs = is_last ? costs_ : nullptr;
    if (!costs) costs = CostsOf(document);
    if (is_last) costs_ = costs;
    return CostJson(document, costs.get(), options);
  });
}

std::string Session::Precision(std::string_view text, std::string_view options,
                               std::string_view other, PrecisionFiles files) {
  return Guarded<std::string>(
      [&] {
        RunRequest request = RequestOf(options);
        request.files = std::move(files.inputs);
        std::shared_ptr<const Document> document;
        PrecisionReference reference;
        {
          // What is run has a limit of its own.
          const WorkLimit limit(WorkLimit::ForText(text.size() + other.size()));
          document = DocumentOf(text);
          if (!other.empty()) {
            reference.other = std::make_shared<const Document>(
                std::string(other), VerifierOptions{}, InputsOf(request), languages_);
          }
        }
        if (!files.changed.empty()) {
          reference.changes.emplace().given.files = std::move(files.changed);
        }
        return PrecisionAnswer(document, std::move(reference), std::move(files.expected), request,
                               options);
      },
      [&](Diagnostics faults) {
        const PrecisionView none{.document = std::make_shared<const Document>(Diagnostics()),
                                 .faults = std::move(faults)};
        return PrecisionJson(none, false);
      });
}

std::string Session::Shrink(std::string_view text, std::string_view options) {
  return Ask(text, [&](const Document& document) { return ShrinkJson(document, options); });
}
std::string Session::Isolate(std::string_view text, std::string_view options) {
  return Ask(text, [&](const Document& document) { return IsolateJson(document, options); });
}
std::string Session::PassesOver(std::string_view text, std::string_view options) {
  return Ask(text,
             [&](const Document& document) { return PassesJson(document, options, &passes_); });
}

std::string Session::Format(std::string_view text) {
  return Guarded<std::string>(
      [&] {
        const WorkLimit limit(WorkLimit::ForText(text.size()));
        return FormatText(*DocumentOf(text));
      },
      [&](const Diagnostics&) { return std::string(text); });
}

// `make(document, lines)`: the answer, with pairs of lines that belong together.
template <typename Make>
Session::PairsAnswer Session::AskForPairs(std::string_view text, Make make) {
  std::vector<uint32_t> lines;
  std::string json = Ask(text, [&](const Document& document) {
    lines.clear();
    return make(document, &lines);
  });
  return {std::move(json), std::move(lines)};
}

Session::PairsAnswer Session::Convert(std::string_view text, std::string_view options) {
  return AskForPairs(text, [&](const Document& document, std::vector<uint32_t>* lines) {
    return ConvertJson(document, options, lines);
  });
}

Session::PairsAnswer Session::PlanOf(std::string_view text, std::string_view options) {
  return AskForPairs(text, [&](const Document& document, std::vector<uint32_t>* lines) {
    return PlanResultJson(document, options, lines);
  });
}

std::string Session::Place(std::string_view text, uint32_t offset) {
  return Ask(text, [&](const Document& document) { return PlaceJson(document, offset); });
}

std::string Session::Definition(std::string_view text, std::string_view name,
                                std::string_view computation) {
  return Ask(text,
             [&](const Document& document) { return DefinitionJson(document, name, computation); });
}

Session::PairsAnswer Session::Rename(std::string_view text, uint32_t offset,
                                     std::string_view name) {
  std::vector<uint32_t> ranges;
  std::string json = Ask(text, [&](const Document& document) {
    ranges.clear();
    return RenameJson(document, offset, name, &ranges);
  });
  return {std::move(json), std::move(ranges)};
}

std::string Session::Complete(std::string_view text, uint32_t offset) {
  return Ask(text, [&](const Document& document) { return CompletionJson(document, offset); });
}

RunRequest Session::RequestOf(std::string_view options) const {
  RunRequest request = ParseRunRequest(options);
  request.options.custom_calls = &custom_calls_;
  request.options.input_forms = input_forms_;
  if (find_products_) request.options.products = find_products_(request.products);
  return request;
}

std::string Session::Compile(std::string_view text, std::string_view options) {
  RunRequest request = RequestOf(options);
  inputs_ = InputsOf(request);
  return Ask(text, [&](const Document& document) {
    if (!document.ok() || !document.module()->entry()) return CompileJson(document, nullptr, 0);
    const int handle = next_handle_++;
    programs_[handle] = std::make_unique<CompiledProgram>(document_, request);
    return CompileJson(document, programs_[handle].get(), handle);
  });
}

std::string Session::Debug(std::string_view text, std::string_view options,
                           std::vector<InputFile> files) {
  RunRequest request = RequestOf(options);
  request.files = std::move(files);
  return Ask(text, [&](const Document& document) {
    const bool is_kept = &document == document_.get();
    auto debugger = std::make_shared<Debugger>(
        is_kept ? document_ : std::make_shared<const Document>(std::string(text)), request);
    const int handle = debugger->timeline() ? next_handle_++ : 0;
    Json json = ObjectJson(
        {{"handle", handle},
         {"diagnostics", DiagnosticsJson(debugger->diagnostics(), debugger->document().map())}});
    if (handle > 0) debuggers_[handle] = std::move(debugger);
    of_timelines_ = [this](const ValueSelector& selector) -> std::optional<ValuePart> {
      const auto found = debuggers_.find(selector.handle);
      const bool is_step =
          found != debuggers_.end() && selector.kind == ValueSelector::Kind::kTrace;
      return is_step ? found->second->ValueAt(selector.number, selector.path) : std::nullopt;
    };
    return JsonText(json);
  });
}

std::string Session::AskDebugger(int handle, std::string_view request) {
  const auto found = debuggers_.find(handle);
  return found == debuggers_.end() ? R"({"problem":"this run is not kept"})"
                                   : found->second->Answer(request, [&](int other) {
                                       const auto kept = debuggers_.find(other);
                                       return kept == debuggers_.end() ? nullptr : kept->second;
                                     });
}

CompiledProgram* Session::Program(int handle) {
  const auto found = programs_.find(handle);
  return found == programs_.end() ? nullptr : found->second.get();
}

int Session::Keep(ResidentArray array) {
  arrays_.insert_or_assign(next_handle_, std::move(array));
  return next_handle_++;
}

const ResidentArray* Session::Array(int handle) const {
  const auto found = arrays_.find(handle);
  return found == arrays_.end() ? nullptr : &found->second;
}

// What may be asked for it is said by the options.
std::unique_ptr<RunRecord> Session::MakeRun(std::string_view text, RunRequest& request) {
  return Guarded<std::unique_ptr<RunRecord>>(
      [&] { return RunDocument(DocumentOf(text), request); },
      [&](Diagnostics faults) {
        return RunDocument(std::make_shared<const Document>(std::move(faults)), request);
      });
}

std::string Session::PythonScript(std::string_view text, std::string_view options,
                                  std::vector<InputFile> files) {
  return Guarded<std::string>(
      [&] {
        RunRequest request = RequestOf(options);
        request.files = std::move(files);
        request.trace = false;
        std::unique_ptr<RunRecord> made;
        const RunRecord* record = KeptRun(text, options);
        if (!record) record = (made = MakeRun(text, request)).get();
        if (!record) throw std::bad_alloc();
        const WorkLimit limit(WorkLimit::ForText(text.size()));
        return ScriptJson(MakeScript(*record, request), *record->document);
      },
      [&](Diagnostics faults) {
        const Document document(std::move(faults));
        return ScriptJson(
            {.ok = false, .text = "", .diagnostics = document.diagnostics(), .files = {}},
            document);
      });
}

const RunRecord* Session::KeptRun(std::string_view text, std::string_view options) const {
  const Json named = ParseJson(options);
  if (!named.is_object() || !named.contains("handle") || !named["handle"].is_number_integer()) {
    return nullptr;
  }
  const auto run = runs_.find(named["handle"].get<int>());
  const bool fits = run != runs_.end() && run->second->document->text() == text;
  return fits ? run->second.get() : nullptr;
}

std::string Session::Run(std::string_view text, std::string_view options,
                         std::vector<InputFile> files) {
  return Guarded<std::string>(
      [&] {
        RunRequest request = RequestOf(options);
        request.files = std::move(files);
        std::unique_ptr<RunRecord> record = MakeRun(text, request);
        if (!record) throw std::bad_alloc();
        const WorkLimit limit(WorkLimit::ForText(text.size()));
        const bool ran = record->output || record->trace;
        std::string json = JsonText(RunJson(*record, ran ? next_handle_ : 0, request.trace_window));
        if (ran) runs_.insert_or_assign(next_handle_, std::move(record)), ++next_handle_;
        return json;
      },
      [&](Diagnostics faults) {
        const auto nothing = std::make_shared<const Document>(std::move(faults));
        return JsonText(RunJson(*RunDocument(nothing, {}), 0));
      });
}

std::string Session::InputFaults(std::string_view text, int64_t parameter, std::string_view spec) {
  return Ask(text, [&](const Document& document) {
    return InputFaultsJson(document, parameter, spec, input_forms_);
  });
}

std::string Session::MakeInput(std::string_view text, std::string_view options, int64_t parameter,
                               std::vector<InputFile> files) {
  auto answer = [](int handle, const Diagnostics& faults, const Document& document) {
    return JsonText(
        ObjectJson({{"handle", handle}, {"diagnostics", DiagnosticsJson(faults, document.map())}}));
  };
  return Guarded<std::string>(
      [&] {
        RunRequest request = RequestOf(options);
        request.files = std::move(files);
        const auto document = DocumentOf(text);
        Diagnostics faults;
        auto record = MakeInputRecord(document, request, parameter, faults);
        const int handle = record ? next_handle_++ : 0;
        if (record) runs_.insert_or_assign(handle, std::move(record));
        return answer(handle, faults, *document);
      },
      [&](Diagnostics faults) {
        const Document document(std::move(faults));
        return answer(0, document.diagnostics(), document);
      });
}

std::string Session::Why(std::string_view text, std::string_view options,
                         std::vector<InputFile> files) {
  return Guarded<std::string>(
      [&] {
        Json about_run = ParseJson(options);
        if (about_run.is_object()) {
          for (const char* asked : {"element", "first", "reach"}) about_run.erase(asked);
        }
        std::string key = JsonText(about_run);
        for (const InputFile& file : files) {
          key += ' ' + std::to_string(file.parameter) + ' ';
          key.append(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
        }
        if (!why_ || why_options_ != key || why_->document().text() != text) {
          RunRequest request = RequestOf(options);
          request.files = std::move(files);
          why_ = nullptr;
          why_ = std::make_shared<WhyRun>(DocumentOf(text), request);
          why_options_ = std::move(key);
        }
        return WhyJson(*why_, why_->Ask(ParseWhyQuestion(options)));
      },
      [&](const Diagnostics& faults) {
        why_ = nullptr;
        return WhyFailedJson(faults);
      });
}

std::optional<ValuePart> Session::Find(std::string_view ref) const {
  const auto selector = ParseValueSelector(ref);
  if (!selector) return std::nullopt;
  auto run = runs_.find(selector->handle);
  if (run != runs_.end()) return SelectValue(*run->second, *selector);
  return of_timelines_ ? of_timelines_(*selector) : std::nullopt;
}

Session::WindowAnswer Session::ValueWindow(std::string_view ref, std::string_view window) {
  return OfValue<WindowAnswer>([&]() -> WindowAnswer {
    hlo::ValueWindow view;
    const auto part = Find(ref);
    if (part && part->value->is_array()) {
      view = MakeValueWindow(part->value->tensor(), ParseWindowSpec(window));
    }
    Json json =
        ObjectJson({{"rows", view.rows}, {"cols", view.cols}, {"text", std::move(view.text)}});
    return {JsonText(json), std::move(view.numbers)};
  });
}

const RunRecord* Session::RunOf(std::string_view ref) const {
  const Json run = ParseJson(ref);
  const auto handle = run.is_object() ? run.find("handle") : run.end();
  const bool is_number = run.is_object() && handle != run.end() && handle->is_number();
  const auto found = is_number ? runs_.find(handle->get<int>()) : runs_.end();
  return found == runs_.end() ? nullptr : found->second.get();
}

std::string Session::TraceEntries(std::string_view ref, std::string_view window) {
  return OfValue<std::string>([&] {
    const RunRecord* run = RunOf(ref);
    return run ? JsonText(TraceJson(*run, ParseListWindow(window))) : std::string("[]");
  });
}

std::string Session::NonFinite(std::string_view ref) {
  return OfValue<std::string>([&] {
    const RunRecord* run = RunOf(ref);
    return run ? NonFiniteJson(*run) : std::string("[]");
  });
}

std::string Session::ValueStats(std::string_view ref) {
  return OfValue<std::string>([&] {
    const auto part = Find(ref);
    return ValueStatsJson(part && part->value->is_array() ? MakeValueStats(part->value->tensor())
                                                          : hlo::ValueStats{});
  });
}

const Tensor* Session::ValueArray(std::string_view ref) const {
  const auto part = Find(ref);
  return part && part->value->is_array() ? &part->value->tensor() : nullptr;
}

std::string Session::ValueText(std::string_view ref, int64_t max_elements) {
  return OfValue<std::string>([&] {
    const auto part = Find(ref);
    return part ? hlo::ValueText(*part->value, *part->shape, max_elements) : "";
  });
}

std::vector<uint8_t> Session::ValueNpy(std::string_view ref) {
  return OfValue<std::vector<uint8_t>>([&]() -> std::vector<uint8_t> {
    const auto part = Find(ref);
    if (!part || !part->value->is_array()) return {};
    const Tensor& tensor = part->value->tensor();
    const std::string header = NpyHeader(tensor);
    std::vector<uint8_t> file;
    file.reserve(header.size() + static_cast<size_t>(tensor.byte_size()));
    file.assign(header.begin(), header.end());
    const auto* bytes = reinterpret_cast<const uint8_t*>(tensor.bytes());
    file.insert(file.end(), bytes, bytes + tensor.byte_size());
    return file;
  });
}

MemoryWindow Session::Memory(std::string_view ref, std::string_view subject, int64_t begin,
                             int64_t count) {
  return OfValue<MemoryWindow>([&]() -> MemoryWindow {
    const auto part = Find(ref);
    if (!part || !part->value->is_array()) return {};
    return MakeMemoryWindow(part->value->tensor(), MakeLayoutView(subject), begin, count);
  });
}

std::string Session::MemoryByte(std::string_view ref, std::string_view subject, int64_t byte) {
  return OfValue<std::string>([&] {
    const auto part = Find(ref);
    if (!part || !part->value->is_array()) return ByteJson({});
    return ByteJson(MakeByteView(part->value->tensor(), MakeLayoutView(subject), byte));
  });
}

}  // namespace hlo
