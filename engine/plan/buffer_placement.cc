#include "engine/plan/buffer_placement.h"

#include <algorithm>
#include <utility>

#include "engine/base/bits.h"
#include "engine/base/work_limit.h"

namespace hlo {
namespace {

// The lowest offset at which `bytes` fit between the stretches, which are sorted by where they
// begin.
int64_t LowestGap(const std::vector<std::pair<int64_t, int64_t>>& taken, int64_t bytes) {
  int64_t offset = 0;
  for (const auto& [begin, end] : taken) {
    if (begin - offset >= bytes) break;
    offset = std::max(offset, end);
  }
  return offset;
}

bool LivesAlways(const ProgramBuffer& buffer) { return buffer.type != "temporary"; }

// Buffers with bytes of this space, those that live all the time first; each part largest first.
std::vector<uint32_t> BuffersOf(const ProgramMemory& memory, int64_t space) {
  std::vector<uint32_t> found;
  for (const bool always : {true, false}) {
    for (size_t i = 0; i < memory.buffers.size(); ++i) {
      const ProgramBuffer& buffer = memory.buffers[i];
      if (buffer.space == space && buffer.size.bytes > 0 && LivesAlways(buffer) == always) {
        found.push_back(static_cast<uint32_t>(i));
      }
    }
  }
  return found;
}

}  // namespace

BufferPlacement PlaceBuffers(const ProgramMemory& memory, int64_t space, size_t most) {
  BufferPlacement placement;
  std::vector<uint32_t> all = BuffersOf(memory, space);
  if (all.size() > most) {
    // `buffers` is sorted by size: a small index is a large buffer.
    std::vector<uint32_t> largest = all;
    std::nth_element(largest.begin(), largest.begin() + static_cast<std::ptrdiff_t>(most),
                     largest.end());
    const uint32_t limit = largest[most];
    placement.rest.assign(static_cast<size_t>(memory.positions), 0);
    std::vector<int64_t> changes(static_cast<size_t>(memory.moments.back()) + 1, 0);
    for (uint32_t i : all) {
      if (i < limit) continue;
      const ProgramBuffer& buffer = memory.buffers[i];
      changes[static_cast<size_t>(buffer.first_moment)] += buffer.size.bytes;
      changes[static_cast<size_t>(buffer.last_moment) + 1] -= buffer.size.bytes;
    }
    int64_t now = 0;
    for (size_t i = 0; i < placement.rest.size(); ++i) {
      for (int64_t at = memory.moments[i]; at < memory.moments[i + 1]; ++at) {
        now += changes[static_cast<size_t>(at)];
        placement.rest[i] = std::max(placement.rest[i], now);
      }
    }
    all.erase(std::remove_if(all.begin(), all.end(), [&](uint32_t i) { return i >= limit; }),
              all.end());
  }
  std::vector<std::pair<int64_t, int64_t>> taken;
  for (uint32_t i : all) {
    const ProgramBuffer& buffer = memory.buffers[i];
    taken.clear();
    for (const PlacedBuffer& other : placement.placed) {
      const ProgramBuffer& there = memory.buffers[other.buffer];
      if (there.last_moment < buffer.first_moment || buffer.last_moment < there.first_moment) {
        continue;
      }
      taken.emplace_back(other.offset, other.offset + there.size.bytes);
    }
    CountWork(placement.placed.size());
    std::sort(taken.begin(), taken.end());
    const int64_t offset = LowestGap(taken, buffer.size.bytes);
    int64_t end = 0;
    if (!AddChecked(offset, buffer.size.bytes, &end)) break;
    placement.placed.push_back({i, offset});
    placement.bytes = std::max(placement.bytes, end);
  }
  return placement;
}

}  // namespace hlo
