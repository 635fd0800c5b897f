#include "engine/views/memory_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/cost/memory_savings.h"
#include "engine/layout/layout_sizes.h"
#include "engine/plan/buffer_placement.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/names.h"

namespace hlo {
namespace {

// Rectangles of a picture: more are too thin to be seen.
constexpr size_t kMostPlaced = 400;
constexpr size_t kMostStretches = 1024;

// The most of each stretch of positions.
Json Stretches(const std::vector<int64_t>& live) {
  Json points = Json::array();
  const size_t stretch = live.size() / kMostStretches + 1;
  for (size_t at = 0; at < live.size(); at += stretch) {
    const auto begin = live.begin() + static_cast<std::ptrdiff_t>(at);
    const size_t n = std::min(stretch, live.size() - at);
    points.push_back(*std::max_element(begin, begin + static_cast<std::ptrdiff_t>(n)));
  }
  return points;
}

Json PlacedJson(const Document& document, const ProgramBuffer& buffer, int64_t offset) {
  const Instruction& instruction = *buffer.instruction;
  return ObjectJson({{"name", ShownName(document, instruction)},
                     {"shape", ShapeSummary(*buffer.shape)},
                     {"type", buffer.type},
                     {"offset", offset},
                     {"bytes", buffer.size.bytes},
                     {"paddingBytes", buffer.size.bytes - buffer.size.unpadded_bytes},
                     {"begin", buffer.begin},
                     {"end", buffer.end},
                     {"range", RangeJson(instruction.places().name, document.map())}});
}

}  // namespace

std::string MemoryPictureJson(const Document& document, const ProgramMemory& memory,
                              std::string_view options) {
  const Json json = ParseJson(options);
  int64_t space = 0;
  if (json.is_object() && json.contains("space") && json["space"].is_number_integer()) {
    space = json["space"].get<int64_t>();
  }
  int64_t peak = 0;
  for (const SpaceUse& use : memory.spaces) {
    if (use.space == space) peak = use.peak_bytes;
  }
  const BufferPlacement placement = PlaceBuffers(memory, space, kMostPlaced);
  Json buffers = Json::array();
  for (const PlacedBuffer& placed : placement.placed) {
    buffers.push_back(PlacedJson(document, memory.buffers[placed.buffer], placed.offset));
  }
  return JsonText(ObjectJson({{"ok", memory.computation != nullptr},
                              {"space", space},
                              {"positions", memory.positions},
                              {"peakBytes", peak},
                              {"bytes", placement.bytes},
                              {"buffers", std::move(buffers)},
                              {"rest", Stretches(placement.rest)}}));
}

std::string MemorySavingsJson(const Document& document, const ProgramMemory& memory) {
  Json savings = Json::array();
  if (memory.computation) {
    for (const MemorySaving& saving : FindMemorySavings(*document.module(), memory)) {
      savings.push_back(
          ObjectJson({{"kind", saving.kind},
                      {"what", saving.what},
                      {"savedBytes", saving.saved_bytes},
                      {"peakBytes", saving.peak_bytes},
                      {"instructions", InstructionsJson(saving.instructions, document)}}));
    }
  }
  return JsonText(savings);
}

std::string MemorySavingsText(const Document& document, const ProgramMemory& memory) {
  std::string text;
  if (!memory.computation) return text;
  for (const MemorySaving& saving : FindMemorySavings(*document.module(), memory)) {
    fmt::format_to(std::back_inserter(text), "{}: {} less, {} at the peak: {}\n", saving.kind,
                   BytesText(saving.saved_bytes), BytesText(saving.peak_bytes), saving.what);
  }
  return text;
}

}  // namespace hlo
