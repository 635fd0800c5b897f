// Places in memory for the buffers of a program.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <utility>

#include "engine/passes/passes.h"
#include "engine/plan/program_memory.h"

namespace hlo {
namespace {

constexpr int64_t kAlignment = 64;  // bytes, a cache line

// Memory of which parts are taken and given back.
class Arena {
 public:
  int64_t Take(int64_t bytes) {
    const auto fitting = by_size_.lower_bound({bytes, 0});
    if (fitting == by_size_.end()) return Extend(bytes);
    const auto [size, offset] = *fitting;
    Forget(offset, size);
    if (size > bytes) Keep(offset + bytes, size - bytes);
    return offset;
  }
  void Give(int64_t offset, int64_t bytes) {
    auto after = by_offset_.lower_bound(offset);
    if (after != by_offset_.end() && after->first == offset + bytes) {
      const int64_t size = after->second;
      Forget(after->first, size);
      bytes += size;
    }
    after = by_offset_.lower_bound(offset);
    if (after != by_offset_.begin()) {
      const auto before = std::prev(after);
      if (before->first + before->second == offset) {
        const auto [begin, size] = *before;
        Forget(begin, size);
        offset = begin;
        bytes += size;
      }
    }
    Keep(offset, bytes);
  }
  int64_t size() const { return size_; }

 private:
  // A free part at the end is used first.
  int64_t Extend(int64_t bytes) {
    int64_t offset = size_;
    if (!by_offset_.empty()) {
      const auto [begin, free] = *by_offset_.rbegin();
      if (begin + free == size_) {
        Forget(begin, free);
        offset = begin;
      }
    }
    size_ = offset + bytes;
    return offset;
  }
  void Keep(int64_t offset, int64_t bytes) {
    by_offset_[offset] = bytes;
    by_size_.insert({bytes, offset});
  }
  void Forget(int64_t offset, int64_t bytes) {
    by_offset_.erase(offset);
    by_size_.erase({bytes, offset});
  }

  std::map<int64_t, int64_t> by_offset_;           ///< free parts
  std::set<std::pair<int64_t, int64_t>> by_size_;  ///< the same, by size
  int64_t size_ = 0;
};

}  // namespace

void AssignBuffers(Draft& draft, PassReport& report) {
  const ProgramMemory memory = MakeProgramMemory(draft.module());
  std::vector<const ProgramBuffer*> buffers;
  for (const ProgramBuffer& buffer : memory.buffers) {
    if (buffer.space == 0 && buffer.size.bytes > 0) buffers.push_back(&buffer);
  }
  // Largest first where several begin at a time, as they come.
  std::stable_sort(buffers.begin(), buffers.end(),
                   [](const auto* a, const auto* b) { return a->first_moment < b->first_moment; });
  Arena arena;
  using End = std::pair<int64_t, size_t>;  // moment, number of the placed buffer
  std::priority_queue<End, std::vector<End>, std::greater<>> ends;
  std::vector<int64_t> taken;
  for (const ProgramBuffer* buffer : buffers) {
    while (!ends.empty() && ends.top().first < buffer->first_moment) {
      const size_t ended = ends.top().second;
      ends.pop();
      arena.Give(report.buffers[ended].offset, taken[ended]);
    }
    const int64_t bytes = (buffer->size.bytes + kAlignment - 1) / kAlignment * kAlignment;
    ends.emplace(buffer->last_moment, taken.size());
    taken.push_back(bytes);
    report.buffers.push_back({std::string(buffer->instruction->name()),
                              ShapeSummary(*buffer->shape), buffer->type, arena.Take(bytes),
                              buffer->size.bytes, buffer->begin, buffer->end});
  }
  std::stable_sort(
      report.buffers.begin(), report.buffers.end(),
      [](const AssignedBuffer& a, const AssignedBuffer& b) { return a.offset < b.offset; });
  report.buffer_bytes = arena.size();
  report.note = fmt::format("{} buffers in {} bytes of main memory{}.", report.buffers.size(),
                            report.buffer_bytes,
                            memory.complete ? "" : "; sizes that are not known are left out");
}

}  // namespace hlo
