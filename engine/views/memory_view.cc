#include "engine/views/memory_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "engine/layout/layout_sizes.h"
#include "engine/views/json_parts.h"

namespace hlo {
namespace {

constexpr size_t kMostBuffers = 1000;
constexpr size_t kMostPoints = 4096;

// A buffer of a report with what its shape says where the report says nothing.
struct SizedBuffer {
  int64_t bytes = -1, unpadded = -1;
  std::string cause;
};
SizedBuffer SizeOf(const ReportedBuffer& buffer) {
  SizedBuffer sized{buffer.bytes, buffer.unpadded_bytes, ""};
  Diagnostics faults;
  const auto shape = ParseShapeText(buffer.shape, faults);
  const BufferSize exact = shape && shape->IsArray() ? SizeOfBuffer(*shape) : BufferSize{};
  sized.cause = exact.cause;
  // Reports round to a tenth or a hundredth of a unit; the shape is exact if it is that size.
  const int64_t off =
      exact.bytes > sized.bytes ? exact.bytes - sized.bytes : sized.bytes - exact.bytes;
  if (exact.bytes >= 0 && (sized.bytes < 0 || off <= sized.bytes / 16)) sized.bytes = exact.bytes;
  if (exact.bytes >= 0 && sized.bytes == exact.bytes) sized.unpadded = exact.unpadded_bytes;
  if (sized.unpadded < 0 && buffer.padding_bytes < 0) sized.unpadded = sized.bytes;
  return sized;
}

Json BufferJson(std::string_view name, std::string_view shape, const SizedBuffer& size,
                std::string_view type, Json range) {
  const bool known = size.bytes >= 0 && size.unpadded >= 0;
  return {{"name", name},
          {"shape", shape},
          {"bytes", size.bytes},
          {"unpaddedBytes", size.unpadded},
          {"paddingBytes", known ? size.bytes - size.unpadded : -1},
          {"cause", size.cause},
          {"type", type},
          {"range", std::move(range)}};
}

// "copy.40488" of "%copy.40488 = s32[...] copy(...)".
std::string_view LabelName(std::string_view label) {
  if (label.starts_with('%')) label.remove_prefix(1);
  return label.substr(0, label.find(" = "));
}

std::string NameOf(const ProgramBuffer& buffer, const ProgramMemory& memory) {
  const Computation* parent = buffer.instruction->parent();
  if (parent == memory.computation) return std::string(buffer.instruction->name());
  return fmt::format("{}/{}", parent->name(), buffer.instruction->name());
}

std::string MetadataOf(const Instruction& instruction, std::string_view key) {
  const Attr* metadata = FindAttr(instruction.attrs(), "metadata");
  const KeyValues* keys = metadata ? std::get_if<KeyValues>(&metadata->value) : nullptr;
  if (!keys) return "";
  for (const KeyValue& entry : *keys) {
    if (entry.key == key) return entry.value;
  }
  return "";
}

// The largest of each stretch of positions.
Json TimelineJson(const std::vector<int64_t>& live) {
  Json points = Json::array();
  const size_t stretch = live.size() / kMostPoints + 1;
  for (size_t at = 0; at < live.size(); at += stretch) {
    const auto begin = live.begin() + static_cast<std::ptrdiff_t>(at);
    const size_t n = std::min(stretch, live.size() - at);
    points.push_back(*std::max_element(begin, begin + static_cast<std::ptrdiff_t>(n)));
  }
  return points;
}

std::string_view PeakName(const ProgramMemory& memory) {
  if (memory.live.empty()) return "";
  return memory.computation->instructions()[static_cast<size_t>(memory.peak_at)].name();
}

void AppendRow(std::string* text, int64_t bytes, int64_t unpadded, std::string_view type,
               std::string_view name, std::string_view shape, std::string_view cause) {
  fmt::format_to(std::back_inserter(*text), "  {:>9}  {:<14} {}  {}\n",
                 bytes < 0 ? "?" : BytesText(bytes), type, name, shape);
  if (bytes > unpadded && unpadded >= 0) {
    fmt::format_to(std::back_inserter(*text), "             {} padding: {}\n",
                   BytesText(bytes - unpadded), cause);
  }
}

}  // namespace

std::string ProgramMemoryJson(const Document& document) {
  const ProgramMemory memory = MakeProgramMemory(document);
  Json buffers = Json::array();
  for (const ProgramBuffer& buffer : memory.buffers) {
    if (buffers.size() == kMostBuffers) break;
    const Instruction& instruction = *buffer.instruction;
    const SizedBuffer size{buffer.size.bytes, buffer.size.unpadded_bytes, buffer.size.cause};
    Json json = BufferJson(NameOf(buffer, memory), ShapeText(*buffer.shape), size, buffer.type,
                           RangeJson(instruction.places().name, document.map()));
    const std::string file = MetadataOf(instruction, "source_file");
    json["opName"] = MetadataOf(instruction, "op_name");
    json["source"] = file.empty() ? "" : file + ":" + MetadataOf(instruction, "source_line");
    json["begin"] = buffer.begin;
    json["end"] = buffer.end;
    buffers.push_back(std::move(json));
  }
  return JsonText(
      {{"ok", memory.computation != nullptr},
       {"diagnostics", DiagnosticsJson(document.diagnostics(), document.map())},
       {"computation", memory.computation ? memory.computation->name() : std::string_view()},
       {"complete", memory.complete},
       {"peakBytes", memory.peak_bytes},
       {"peakAt", memory.peak_at},
       {"peakName", PeakName(memory)},
       {"peakPadding", memory.peak_padding},
       {"parameterBytes", memory.parameter_bytes},
       {"constantBytes", memory.constant_bytes},
       {"outputBytes", memory.output_bytes},
       {"temporaryBytes", memory.temporary_bytes},
       {"timeline", TimelineJson(memory.live)},
       {"positions", memory.live.size()},
       {"buffers", std::move(buffers)}});
}

std::string ProgramMemoryText(const Document& document) {
  const ProgramMemory memory = MakeProgramMemory(document);
  if (!memory.computation) return "";
  std::string text = fmt::format(
      "peak {} at {} ({} of {}), {} of it padding\n"
      "parameters {}, constants {}, outputs {}, temporaries {}\n",
      BytesText(memory.peak_bytes), PeakName(memory), memory.peak_at + 1, memory.live.size(),
      BytesText(memory.peak_padding), BytesText(memory.parameter_bytes),
      BytesText(memory.constant_bytes), BytesText(memory.output_bytes),
      BytesText(memory.temporary_bytes));
  if (!memory.complete) text += "some arrays have no known size and are left out\n";
  constexpr size_t kMostRows = 50;
  for (size_t i = 0; i < std::min(kMostRows, memory.buffers.size()); ++i) {
    const ProgramBuffer& buffer = memory.buffers[i];
    const bool at_peak = buffer.begin <= memory.peak_at && memory.peak_at <= buffer.end;
    AppendRow(&text, buffer.size.bytes, buffer.size.unpadded_bytes,
              std::string(buffer.type) + (at_peak ? " *" : ""), NameOf(buffer, memory),
              ShapeText(*buffer.shape), buffer.size.cause);
  }
  if (!memory.buffers.empty()) text += "* live at the peak\n";
  return text;
}

std::string MemoryReportJson(const Document& document) {
  const MemoryReportText report = ParseMemoryReport(document.text());
  Json totals = Json::array();
  for (const ReportedTotal& total : report.totals) {
    totals.push_back({{"name", total.name}, {"bytes", total.bytes}, {"text", total.text}});
  }
  Json buffers = Json::array();
  for (const ReportedBuffer& buffer : report.buffers) {
    if (buffers.size() == kMostBuffers) break;
    Json json = BufferJson(LabelName(buffer.label), buffer.shape, SizeOf(buffer), buffer.type,
                           RangeJson(buffer.range, document.map()));
    json["opName"] = buffer.op_name;
    json["source"] = buffer.source;
    json["begin"] = -1;
    json["end"] = -1;
    buffers.push_back(std::move(json));
  }
  return JsonText({{"ok", document.kind() == TextKind::kMemoryReport},
                   {"diagnostics", DiagnosticsJson(document.diagnostics(), document.map())},
                   {"space", report.space},
                   {"used", report.used},
                   {"capacity", report.capacity},
                   {"exceeded", report.exceeded},
                   {"totals", std::move(totals)},
                   {"buffers", std::move(buffers)}});
}

std::string MemoryReportSummary(const Document& document) {
  const MemoryReportText report = ParseMemoryReport(document.text());
  std::string text;
  if (report.used >= 0) {
    text = fmt::format("{}: {} used of {}\n", report.space, BytesText(report.used),
                       report.capacity < 0 ? "?" : BytesText(report.capacity));
  }
  for (const ReportedTotal& total : report.totals) {
    fmt::format_to(std::back_inserter(text), "  {:<24} {}\n", total.name, total.text);
  }
  for (const ReportedBuffer& buffer : report.buffers) {
    const SizedBuffer size = SizeOf(buffer);
    AppendRow(&text, size.bytes, size.unpadded, buffer.type, LabelName(buffer.label), buffer.shape,
              size.cause);
  }
  return text;
}

}  // namespace hlo
