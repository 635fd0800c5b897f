#include "engine/views/dump_view.h"

#include <utility>

#include "engine/base/work_limit.h"
#include "engine/io/npy.h"
#include "engine/proto/dump_file.h"
#include "engine/views/guard.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"

namespace hlo {
namespace {

constexpr int64_t kLongestResult = 4096;  // elements

// An argument that is an array as a file.
std::vector<uint8_t> NpyOf(const Tensor& tensor) {
  const std::string header = NpyHeader(tensor);
  std::vector<uint8_t> file(header.begin(), header.end());
  const auto* bytes = reinterpret_cast<const uint8_t*>(tensor.bytes());
  file.insert(file.end(), bytes, bytes + tensor.byte_size());
  return file;
}

void Describe(const DumpFile& file, Json& json, DumpAnswer& answer) {
  json["ok"] = true;
  json["message"] = MessageName(file.type);
  json["text"] = file.text;
  json["bufferAssignment"] = file.buffer_assignment;
  json["platform"] = file.platform;
  for (const ShapedLiteral& argument : file.arguments) {
    const Value& value = argument.literal.value;
    const bool is_array = value.is_array();
    answer.arrays.push_back(is_array ? NpyOf(value.tensor()) : std::vector<uint8_t>());
    json["inputs"].push_back(is_array ? "" : LiteralText(value, argument.shape, {.shape = true}));
  }
  if (file.result && file.result->shape.leaf_count() > 0) {
    int64_t elements = 0;
    ForEachArray(file.result->shape,
                 [&](const Shape& shape) { elements += shape.element_count(); });
    if (elements <= kLongestResult) {
      json["result"] = LiteralText(file.result->literal.value, file.result->shape,
                                   {.shape = true, .layout = true});
    }
  }
}

}  // namespace

DumpAnswer ReadDump(std::string_view bytes) {
  DumpAnswer answer;
  Json json = {{"ok", false},
               {"message", ""},
               {"text", ""},
               {"bufferAssignment", ""},
               {"inputs", Json::array()},
               {"result", ""},
               {"platform", ""},
               {"problems", Json::array()}};
  Diagnostics faults;
  const bool done = Guarded(faults, [&] {
    const WorkLimit limit(WorkLimit::ForText(bytes.size()));
    const auto file = ReadDumpFile(bytes, faults);
    if (file) Describe(*file, json, answer);
  });
  if (!done) json["ok"] = false;
  for (const Diagnostic& fault : faults.list()) json["problems"].push_back(fault.message);
  answer.json = JsonText(json);
  return answer;
}

}  // namespace hlo
