#include "engine/views/session.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "engine/io/npy.h"
#include "engine/views/check_view.h"
#include "engine/views/completion_view.h"
#include "engine/views/convert_view.h"
#include "engine/views/json_parts.h"
#include "engine/views/layout_view.h"
#include "engine/views/memory_view.h"
#include "engine/views/place_view.h"
#include "engine/views/script_view.h"

namespace hlo {

std::string_view EngineVersion() { return "0.1.0"; }

std::shared_ptr<const Document> Session::DocumentOf(std::string_view text) {
  const bool is_same = document_ && document_->text() == text;
  if (!is_same || (document_->wants_inputs() && document_inputs_ != inputs_)) {
    document_ = std::make_shared<const Document>(std::string(text), VerifierOptions(), inputs_);
    document_inputs_ = inputs_;
  }
  return document_;
}

std::string Session::Check(std::string_view text, std::string_view inputs) {
  inputs_.clear();
  const Json list = Json::parse(inputs, nullptr, /*allow_exceptions=*/false);
  if (list.is_array()) {
    for (const Json& input : list) {
      inputs_.push_back(input.is_string() ? input.get<std::string>() : std::string());
    }
  }
  return CheckJson(*DocumentOf(text));
}
std::string Session::Outline(std::string_view text) { return OutlineJson(*DocumentOf(text)); }
std::string Session::Format(std::string_view text) { return FormatText(*DocumentOf(text)); }

std::string Session::Convert(std::string_view text, std::string_view options) {
  return ConvertJson(*DocumentOf(text), options);
}

std::string Session::PythonScript(std::string_view text, std::string_view options,
                                  std::vector<InputFile> files) {
  RunRequest request = ParseRunRequest(options);
  request.files = std::move(files);
  request.trace = false;
  const Json named = Json::parse(options, nullptr, /*allow_exceptions=*/false);
  if (named.is_object() && named.contains("handle") && named["handle"].is_number_integer()) {
    const auto run = runs_.find(named["handle"].get<int>());
    if (run != runs_.end() && run->second->document->text() == text) {
      return ScriptJson(MakeScript(*run->second, request), *run->second->document);
    }
  }
  const auto record = RunDocument(DocumentOf(text), request);
  return ScriptJson(MakeScript(*record, request), *record->document);
}

std::string Session::MemoryReport(std::string_view text) {
  return MemoryReportJson(*DocumentOf(text));
}
std::string Session::ProgramMemory(std::string_view text) {
  return ProgramMemoryJson(*DocumentOf(text));
}

std::string Session::Place(std::string_view text, uint32_t offset) {
  return PlaceJson(*DocumentOf(text), offset);
}

std::string Session::Definition(std::string_view text, std::string_view name) {
  return DefinitionJson(*DocumentOf(text), name);
}

std::string Session::Complete(std::string_view text, uint32_t offset) {
  return CompletionJson(*DocumentOf(text), offset);
}

std::string Session::Run(std::string_view text, std::string_view options,
                         std::vector<InputFile> files) {
  RunRequest request = ParseRunRequest(options);
  request.files = std::move(files);
  std::unique_ptr<RunRecord> record = RunDocument(DocumentOf(text), request);
  const bool ran = record->output || record->trace;
  const int handle = ran ? next_handle_++ : 0;
  std::string json = JsonText(RunJson(*record, handle));
  if (ran) runs_[handle] = std::move(record);
  return json;
}

std::optional<ValuePart> Session::Find(std::string_view ref) const {
  const auto selector = ParseValueSelector(ref);
  if (!selector) return std::nullopt;
  auto run = runs_.find(selector->handle);
  return run == runs_.end() ? std::nullopt : SelectValue(*run->second, *selector);
}

Session::WindowAnswer Session::ValueWindow(std::string_view ref, std::string_view window) {
  hlo::ValueWindow view;
  const auto part = Find(ref);
  if (part && part->value->is_array()) {
    view = MakeValueWindow(part->value->tensor(), ParseWindowSpec(window));
  }
  Json json = {{"rows", view.rows}, {"cols", view.cols}, {"text", std::move(view.text)}};
  return {JsonText(json), std::move(view.numbers)};
}

std::string Session::ValueStats(std::string_view ref) {
  const auto part = Find(ref);
  return ValueStatsJson(part && part->value->is_array() ? MakeValueStats(part->value->tensor())
                                                        : hlo::ValueStats{});
}

std::string Session::ValueText(std::string_view ref, int64_t max_elements) {
  const auto part = Find(ref);
  return part ? hlo::ValueText(*part->value, *part->shape, max_elements) : "";
}

std::vector<uint8_t> Session::ValueNpy(std::string_view ref) {
  const auto part = Find(ref);
  if (!part || !part->value->is_array()) return {};
  const Tensor& tensor = part->value->tensor();
  const std::string header = NpyHeader(tensor);
  std::vector<uint8_t> file(header.begin(), header.end());
  const auto* bytes = reinterpret_cast<const uint8_t*>(tensor.bytes());
  file.insert(file.end(), bytes, bytes + tensor.byte_size());
  return file;
}

MemoryWindow Session::Memory(std::string_view ref, std::string_view subject, int64_t begin,
                             int64_t count) {
  const auto part = Find(ref);
  if (!part || !part->value->is_array()) return {};
  return MakeMemoryWindow(part->value->tensor(), MakeLayoutView(subject), begin, count);
}

std::string Session::MemoryByte(std::string_view ref, std::string_view subject, int64_t byte) {
  const auto part = Find(ref);
  if (!part || !part->value->is_array()) return ByteJson({});
  return ByteJson(MakeByteView(part->value->tensor(), MakeLayoutView(subject), byte));
}

}  // namespace hlo
