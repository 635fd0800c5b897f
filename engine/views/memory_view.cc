#include "engine/views/memory_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "engine/base/function_ref.h"
#include "engine/base/stable_sort.h"
#include "engine/cost/savings.h"
#include "engine/io/memory_report.h"
#include "engine/layout/layout_sizes.h"
#include "engine/layout/memory_space.h"
#include "engine/plan/program_memory.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/memory_picture.h"
#include "engine/views/names.h"

namespace hlo {
namespace {

constexpr int64_t kMostBuffers = 1000;  // in one window
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

int64_t PaddingOf(const SizedBuffer& size) {
  return size.bytes >= 0 && size.unpadded >= 0 ? size.bytes - size.unpadded : -1;
}

// "3.00 GiB"
std::string BinaryText(int64_t bytes) {
  std::string text = BytesText(bytes);
  const char unit = text.back();
  text.pop_back();
  return unit == 'B' ? fmt::format("{} B", text) : fmt::format("{} {}iB", text, unit);
}

// What would make a buffer smaller, and by how much: another order of its dimensions, or tiles that
// fit it better. "" where nothing saves a sixteenth of it.
std::string AdviceFor(const Shape& shape, const SizedBuffer& size) {
  if (PaddingOf(size) <= 0) return "";
  const auto better = BetterLayoutFor(shape, size.bytes);
  if (!better) return "";
  return fmt::format("{}: saves {} ({})", better->change,
                     BinaryText(static_cast<int64_t>(better->bytes)), ShapeText(better->shape));
}

Json BufferJson(std::string_view name, std::string_view shape, const SizedBuffer& size,
                std::string_view type, Json range) {
  return {{"name", name},
          {"shape", shape},
          {"bytes", size.bytes},
          {"unpaddedBytes", size.unpadded},
          {"paddingBytes", PaddingOf(size)},
          {"cause", size.cause},
          {"type", type},
          {"range", std::move(range)}};
}

// The numbers of the buffers in a window of those with these sizes, in its order; of `those` alone.
std::vector<uint32_t> BuffersIn(const BufferWindow& wanted, const std::vector<SizedBuffer>& sizes,
                                FunctionRef<bool(uint32_t)> those, size_t* count) {
  const auto key = [&](uint32_t i) {
    return wanted.by_padding ? PaddingOf(sizes[i]) : sizes[i].bytes;
  };
  std::vector<uint32_t> order =
      StableOrder(sizes.size(), [&](uint32_t a, uint32_t b) { return key(a) > key(b); });
  order.erase(std::remove_if(order.begin(), order.end(), [&](uint32_t i) { return !those(i); }),
              order.end());
  *count = order.size();
  const auto [begin, end] = wanted.window.Within(0, static_cast<int64_t>(order.size()));
  return {order.begin() + begin, order.begin() + end};
}

// "copy.40488" of "%copy.40488 = s32[...] copy(...)".
std::string_view LabelName(std::string_view label) {
  return BareName(label.substr(0, label.find(" = ")));
}

std::string NameOf(const Document& document, const ProgramBuffer& buffer,
                   const ProgramMemory& memory) {
  const Computation* parent = buffer.instruction->parent();
  std::string name = ShownName(document, *buffer.instruction);
  if (parent == memory.computation) return name;
  return fmt::format("{}/{}", ShownName(document, *parent), name);
}

std::string MetadataOf(const Instruction& instruction, std::string_view key) {
  const std::string* value = FindValue(instruction.attrs().Keys("metadata"), key);
  return value ? *value : "";
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

bool LivesAtPeak(const ProgramBuffer& buffer, const ProgramMemory& memory) {
  return std::any_of(memory.spaces.begin(), memory.spaces.end(), [&](const SpaceUse& use) {
    return use.space == buffer.space && LivesAtPeak(buffer, use);
  });
}

// The instruction at the position that a window is about, where it is about one.
Json PositionJson(const Document& document, const ProgramMemory& memory, int64_t at) {
  if (!memory.computation || at < 0 || at >= memory.positions) return nullptr;
  const Instruction& instruction = memory.computation->instructions()[static_cast<size_t>(at)];
  return {{"name", ShownName(document, instruction)},
          {"range", RangeJson(instruction.places().name, document.map())}};
}

const Instruction* AtPeak(const ProgramMemory& memory, const SpaceUse& use) {
  if (use.live.empty()) return nullptr;
  return &memory.computation->instructions()[static_cast<size_t>(use.peak_at)];
}

Json SpaceJson(const Document& document, const ProgramMemory& memory, const SpaceUse& use) {
  const Instruction* at_peak = AtPeak(memory, use);
  return {{"space", use.space},
          {"name", MemorySpaceName(use.space)},
          {"doc", MemorySpaceDoc(use.space)},
          {"peakBytes", use.peak_bytes},
          {"peakAt", use.peak_at},
          {"peakName", at_peak ? ShownName(document, *at_peak) : ""},
          {"peakPadding", use.peak_padding},
          {"parameterBytes", use.parameter_bytes},
          {"constantBytes", use.constant_bytes},
          {"outputBytes", use.output_bytes},
          {"temporaryBytes", use.temporary_bytes},
          {"timeline", TimelineJson(use.live)}};
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

ProgramMemory MemoryOf(const Document& document) {
  return document.ok() ? MakeProgramMemory(*document.module()) : ProgramMemory();
}

BufferWindow ParseBufferWindow(std::string_view json) {
  BufferWindow window{.window = ParseListWindow(json)};
  int64_t& count = window.window.count;
  if (count < 0 || count > kMostBuffers) count = kMostBuffers;
  const Json object = ParseJson(json);
  if (!object.is_object()) return window;
  window.by_padding = object.contains("by") && object["by"] == "padding";
  const auto at = object.find("at");
  if (at != object.end() && at->is_number_unsigned()) window.at = at->get<int64_t>();
  if (at != object.end() && *at == "peak") window.at = BufferWindow::kPeak;
  return window;
}

namespace {

// Of the document; what `window` asks for.
Json ProgramJson(const Document& document, const ProgramMemory& memory,
                 const BufferWindow& window) {
  std::vector<SizedBuffer> sizes;
  sizes.reserve(memory.buffers.size());
  for (const ProgramBuffer& buffer : memory.buffers) {
    sizes.push_back({buffer.size.bytes, buffer.size.unpadded_bytes, buffer.size.cause});
  }
  const auto lives = [&](uint32_t i) {
    const ProgramBuffer& buffer = memory.buffers[i];
    if (window.at == BufferWindow::kEver) return true;
    if (window.at == BufferWindow::kPeak) return LivesAtPeak(buffer, memory);
    return buffer.begin <= window.at && window.at <= buffer.end;
  };
  Json buffers = Json::array();
  size_t count = 0;
  for (uint32_t i : BuffersIn(window, sizes, lives, &count)) {
    const ProgramBuffer& buffer = memory.buffers[i];
    const Instruction& instruction = *buffer.instruction;
    Json json = BufferJson(NameOf(document, buffer, memory), ShapeSummary(*buffer.shape), sizes[i],
                           buffer.type, RangeJson(instruction.places().name, document.map()));
    json["advice"] = AdviceFor(*buffer.shape, sizes[i]);
    const std::string file = MetadataOf(instruction, "source_file");
    json["opName"] = MetadataOf(instruction, "op_name");
    json["source"] = file.empty() ? "" : file + ":" + MetadataOf(instruction, "source_line");
    json["space"] = MemorySpaceName(buffer.space);
    json["begin"] = buffer.begin;
    json["end"] = buffer.end;
    json["atPeak"] = LivesAtPeak(buffer, memory);
    buffers.push_back(std::move(json));
  }
  Json spaces = Json::array();
  for (const SpaceUse& use : memory.spaces) spaces.push_back(SpaceJson(document, memory, use));
  return ObjectJson(
      {{"ok", memory.computation != nullptr},
       {"diagnostics", DiagnosticsJson(document.diagnostics(), document.map())},
       {"computation", memory.computation ? memory.computation->name() : std::string_view()},
       {"complete", memory.complete},
       {"positions", memory.positions},
       {"spaces", std::move(spaces)},
       {"position", PositionJson(document, memory, window.at)},
       {"bufferCount", count},
       {"buffers", std::move(buffers)}});
}

}  // namespace

std::string ProgramMemoryJson(const Document& document, const ProgramMemory& memory,
                              const BufferWindow& window) {
  return JsonText(ProgramJson(document, memory, window));
}

std::string ProgramMemoryJson(const Document& document) {
  const ProgramMemory memory = MemoryOf(document);
  Json json = ProgramJson(document, memory, {});
  json["savings"] = ParseJson(MemorySavingsJson(document, memory));
  return JsonText(json);
}

std::string ProgramMemoryText(const Document& document) {
  const ProgramMemory memory = MemoryOf(document);
  if (!memory.computation) return "";
  std::string text;
  for (const SpaceUse& use : memory.spaces) {
    const Instruction* at_peak = AtPeak(memory, use);
    if (memory.spaces.size() > 1) text += MemorySpaceName(use.space) + ": ";
    fmt::format_to(std::back_inserter(text),
                   "peak {} at {} ({} of {}), {} of it padding\n"
                   "parameters {}, constants {}, outputs {}, temporaries {}\n",
                   BytesText(use.peak_bytes), at_peak ? at_peak->name() : "", use.peak_at + 1,
                   memory.positions, BytesText(use.peak_padding), BytesText(use.parameter_bytes),
                   BytesText(use.constant_bytes), BytesText(use.output_bytes),
                   BytesText(use.temporary_bytes));
  }
  if (!memory.complete) text += "some arrays have no known size and are left out\n";
  text += MemorySavingsText(document, memory);
  constexpr size_t kMostRows = 50;
  for (size_t i = 0; i < std::min(kMostRows, memory.buffers.size()); ++i) {
    const ProgramBuffer& buffer = memory.buffers[i];
    AppendRow(&text, buffer.size.bytes, buffer.size.unpadded_bytes,
              std::string(buffer.type) + (LivesAtPeak(buffer, memory) ? " *" : ""),
              NameOf(document, buffer, memory), ShapeSummary(*buffer.shape), buffer.size.cause);
  }
  if (!memory.buffers.empty()) text += "* live at the peak\n";
  return text;
}

std::string MemoryReportJson(const Document& document, const BufferWindow& window) {
  const MemoryReportText report = ParseMemoryReport(document.text());
  Json totals = Json::array();
  for (const ReportedTotal& total : report.totals) {
    totals.push_back({{"name", total.name}, {"bytes", total.bytes}, {"text", total.text}});
  }
  std::vector<SizedBuffer> sizes;
  int64_t padding = 0;
  for (const ReportedBuffer& buffer : report.buffers) {
    sizes.push_back(SizeOf(buffer));
    if (!AddChecked(padding, std::max<int64_t>(PaddingOf(sizes.back()), 0), &padding)) {
      padding = INT64_MAX;
    }
  }
  Json buffers = Json::array();
  size_t count = 0;
  for (uint32_t i : BuffersIn(
           window, sizes, [](uint32_t) { return true; }, &count)) {
    const ReportedBuffer& buffer = report.buffers[i];
    Json json = BufferJson(LabelName(buffer.label), buffer.shape, sizes[i], buffer.type,
                           RangeJson(buffer.range, document.map()));
    Diagnostics faults;
    const auto shape = ParseShapeText(buffer.shape, faults);
    json["advice"] = shape ? AdviceFor(*shape, sizes[i]) : "";
    json["opName"] = buffer.op_name;
    json["source"] = buffer.source;
    json["space"] = "";
    json["begin"] = buffer.begin;
    json["end"] = buffer.end;
    buffers.push_back(std::move(json));
  }
  return JsonText({{"ok", document.kind() == TextKind::kMemoryReport},
                   {"diagnostics", DiagnosticsJson(document.diagnostics(), document.map())},
                   {"space", report.space},
                   {"used", report.used},
                   {"capacity", report.capacity},
                   {"exceeded", report.exceeded},
                   {"totals", std::move(totals)},
                   {"paddingBytes", padding},
                   {"bufferCount", count},
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
