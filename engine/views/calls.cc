#include "engine/views/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/views/json.h"
#include "engine/views/json_parts.h"

namespace hlo {
namespace {

// Thrown for an argument of the wrong kind.
struct ArgumentFault {
  std::string what;
};

// An integer from a front end whose numbers are floating-point.
int64_t IntegerOf(const Json& value) {
  if (value.is_number_integer()) return value.get<int64_t>();
  const double number = value.is_number() ? value.get<double>() : 0;
  return number >= -9e15 && number <= 9e15 ? static_cast<int64_t>(number) : 0;
}

uint32_t Offset(const Json& value) {
  return static_cast<uint32_t>(std::clamp<int64_t>(IntegerOf(value), 0, UINT32_MAX));
}

const Json& Absent() {
  static const Json null;
  return null;
}

}  // namespace

CallArguments::CallArguments(CallIn in, const OpenTexts& texts)
    : texts_(texts),
      buffers_(std::move(in.buffers)),
      list_(std::make_unique<nlohmann::ordered_json>(ParseJson(in.json))) {
  if (!list_->is_array()) throw ArgumentFault{"the arguments are not a list"};
}
CallArguments::~CallArguments() = default;

const Json& CallArguments::At(size_t i) const { return i < list_->size() ? (*list_)[i] : Absent(); }

const std::vector<std::byte>* CallArguments::BufferOf(const hlo::Json& value) const {
  if (!value.is_object() || !value.contains("$buffer")) return nullptr;
  const auto at = static_cast<uint64_t>(IntegerOf(value["$buffer"]));
  return at < buffers_.size() ? &buffers_[at] : nullptr;
}

std::string_view CallArguments::Text(size_t i) const {
  const hlo::Json& value = At(i);
  if (value.is_string()) return value.get_ref<const std::string&>();
  if (value.is_object() && value.contains("$document")) {
    const std::string* open = texts_.Find(IntegerOf(value["$document"]));
    if (!open) throw ArgumentFault{"no such document"};
    return *open;
  }
  const std::vector<std::byte>* bytes = BufferOf(value);
  if (!bytes) throw ArgumentFault{fmt::format("argument {} is not a text", i + 1)};
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

std::string_view CallArguments::OptionalText(size_t i) const {
  return At(i).is_null() ? std::string_view() : Text(i);
}

int64_t CallArguments::Integer(size_t i) const { return IntegerOf(At(i)); }

std::string CallArguments::Json(size_t i) const { return JsonText(At(i)); }

std::vector<TextChange> CallArguments::Changes(size_t i) const {
  std::vector<TextChange> changes;
  for (const hlo::Json& change : At(i)) {
    const bool is_change = change.is_object() && change.contains("from") && change.contains("to") &&
                           change.contains("insert") && change["insert"].is_string();
    if (!is_change) throw ArgumentFault{"a change is {from, to, insert}"};
    changes.push_back({Offset(change["from"]), Offset(change["to"]), change["insert"]});
  }
  return changes;
}

std::vector<ProgramArgument> CallArguments::TakeArrays(size_t i, const Session& session) {
  std::vector<ProgramArgument> arrays;
  const hlo::Json& list = At(i);
  if (!list.is_array()) throw ArgumentFault{"the arrays are not a list"};
  for (const hlo::Json& item : list) {
    if (item.is_object() && item.contains("value")) {
      const ResidentArray* kept = session.Array(static_cast<int>(IntegerOf(item["value"])));
      if (!kept) throw ArgumentFault{"no such value"};
      arrays.emplace_back(*kept);
      continue;
    }
    const auto* bytes = BufferOf(item);
    if (!bytes) throw ArgumentFault{"an array is not a typed array"};
    arrays.emplace_back(std::move(buffers_[static_cast<size_t>(bytes - buffers_.data())]));
  }
  return arrays;
}

bool CallArguments::Flag(size_t i, std::string_view name) const {
  const hlo::Json& options = At(i);
  const auto found = options.is_object() ? options.find(name) : options.end();
  return options.is_object() && found != options.end() && *found == true;
}

std::vector<InputFile> CallArguments::TakeFiles(size_t i, const char* name) {
  std::vector<InputFile> files;
  const hlo::Json& options = At(i);
  const auto list = options.is_object() ? options.find(name) : options.end();
  if (list == options.end() || !list->is_array()) return files;
  for (const hlo::Json& file : *list) {
    if (!file.is_object()) continue;
    InputFile& input = files.emplace_back();
    input.parameter = file.contains("parameter") ? IntegerOf(file["parameter"]) : 0;
    const auto* bytes = file.contains("bytes") ? BufferOf(file["bytes"]) : nullptr;
    if (!bytes) throw ArgumentFault{"a file is not a Uint8Array"};
    input.bytes = std::move(buffers_[static_cast<size_t>(bytes - buffers_.data())]);
  }
  return files;
}

const CallRow* Engine::Find(std::string_view name) const {
  for (const CallRows rows : build_.calls) {
    for (const CallRow& row : rows) {
      if (row.name == name) return &row;
    }
  }
  return nullptr;
}

CallOut Engine::Call(std::string_view name, CallIn in) {
  CallOut out;
  const CallRow* row = Find(name);
  if (!row) {
    out.fault = fmt::format("this build of the engine has no call '{}'", name);
    return out;
  }
  try {
    CallArguments arguments(std::move(in), session_.texts());
    return row->function(*this, arguments);
  } catch (const ArgumentFault& fault) {
    out.fault = fmt::format("{}: {}", name, fault.what);
  }
  return out;
}

CallOut AnswerJson(std::string json) {
  CallOut out;
  out.json = std::move(json);
  return out;
}

CallOut AnswerBuffer(CallBuffer buffer) {
  CallOut out = AnswerJson(R"({"$buffer":0})");
  out.buffers.push_back(std::move(buffer));
  return out;
}

void AddMembers(CallOut& out, std::string_view name, std::vector<std::vector<uint8_t>> buffers) {
  if (!out.json.ends_with('}')) return;
  out.json.pop_back();
  if (out.json.size() > 1) out.json += ',';
  fmt::format_to(std::back_inserter(out.json), R"("{}":[)", name);
  for (size_t i = 0; i < buffers.size(); ++i) {
    fmt::format_to(std::back_inserter(out.json), R"({}{{"$buffer":{}}})", i == 0 ? "" : ",",
                   out.buffers.size());
    out.buffers.push_back(std::move(buffers[i]));
  }
  out.json += "]}";
}

void AddMember(CallOut& out, std::string_view name, CallBuffer buffer) {
  if (!out.json.ends_with('}')) return;
  out.json.pop_back();
  if (out.json.size() > 1) out.json += ',';
  fmt::format_to(std::back_inserter(out.json), R"("{}":{{"$buffer":{}}}}})", name,
                 out.buffers.size());
  out.buffers.push_back(std::move(buffer));
}

}  // namespace hlo
