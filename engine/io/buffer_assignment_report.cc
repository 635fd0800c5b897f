// What `--xla_dump_to` writes of the buffers of a program: `*-buffer-assignment.txt`, which lists
// every value of every allocation, and `*-memory-usage-report.txt`, which sums them up.
// Source: XLA, buffer_assignment.cc (BufferAssignment::ToString, MemoryUsageReport),
// hlo_live_range.cc (HloLiveRange::ToString).
#include <algorithm>
#include <charconv>
#include <string>
#include <unordered_map>
#include <utility>

#include "engine/io/memory_report.h"
#include "engine/types/scanner.h"

namespace hlo {
namespace {

constexpr std::string_view kAssignment = "BufferAssignment:\n";
constexpr std::string_view kUsage = "Allocations sorted by size";
constexpr std::string_view kUsageValues = "Allocations sorted by size with their values";

std::string_view WithoutSpace(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

// The integer after some words; -1 where there is none.
int64_t IntegerAfter(std::string_view text, std::string_view words) {
  const size_t at = text.find(words);
  int64_t number = -1;
  if (at != std::string_view::npos) {
    const char* const begin = text.data() + at + words.size();
    if (std::from_chars(begin, text.data() + text.size(), number).ec != std::errc()) return -1;
  }
  return number;
}

// What an allocation is for, by the words of its line.
std::string_view PurposeOf(std::string_view line) {
  struct Row {
    std::string_view words, purpose;
  };
  constexpr Row kRows[] = {{", parameter ", "parameter"},
                           {", constant", "constant"},
                           {", maybe-live-out", "output"},
                           {", thread-local", "thread-local"},
                           {", preallocated-temp", "temporary"}};
  for (const Row& row : kRows) {
    if (line.find(row.words) != std::string_view::npos) return row.purpose;
  }
  return "allocation";
}

class AssignmentReader {
 public:
  explicit AssignmentReader(std::string_view text) : text_(text) {}

  MemoryReportText Read() {
    report_.space = "device";
    // A usage report lists allocations twice, the second time with what is in them.
    const bool is_usage = text_.find(kAssignment) == std::string_view::npos;
    const size_t values = text_.find(kUsageValues);
    size_t begin = is_usage && values != std::string_view::npos ? values : 0;
    if (is_usage) report_.used = IntegerAfter(text_, "Total bytes used: ");
    while (begin < text_.size()) {
      const size_t end = std::min(text_.find('\n', begin), text_.size());
      ReadLine(begin, text_.substr(begin, end - begin));
      begin = end + 1;
    }
    CloseAllocation();
    for (const auto& [name, bytes] : totals_) {
      report_.totals.push_back({std::string(name), bytes, std::to_string(bytes) + " bytes"});
    }
    return std::move(report_);
  }

 private:
  void ReadLine(size_t begin, std::string_view line) {
    if (line.starts_with("allocation ")) return OpenAllocation(begin, line);
    if (line.starts_with(" value: ")) return ReadValue(begin, line);
    if (line.starts_with("Total bytes used: ")) {
      report_.used = IntegerAfter(line, "Total bytes used: ");
      CloseAllocation();
    } else if (line.starts_with("  BufferLiveRange:")) {
      in_ranges_ = true;
    } else if (in_ranges_ && line.starts_with("    ")) {
      ReadRange(line.substr(4));
    } else {
      in_ranges_ = false;
      if (is_open_ && line.starts_with('\t') && line.find(';') != line.npos) ReadGroup(begin, line);
    }
  }

  ReportedBuffer* Add(size_t begin, std::string_view line) {
    if (report_.buffers.size() == MemoryReportText::kMostBuffers) return nullptr;
    ReportedBuffer& buffer = report_.buffers.emplace_back();
    buffer.range = {static_cast<uint32_t>(begin), static_cast<uint32_t>(begin + line.size())};
    return &buffer;
  }

  // "allocation 3: size 64, maybe-live-out:", "allocation 3: size 1.0KiB, ...".
  void OpenAllocation(size_t begin, std::string_view line) {
    CloseAllocation();
    is_open_ = true;
    has_values_ = false;
    begin_ = begin;
    line_ = line;
    number_ = IntegerAfter(line, "allocation ");
    const size_t size = line.find("size ");
    bytes_ = size == std::string_view::npos ? -1 : ParseByteCount(line.substr(size + 5));
    const std::string_view purpose = PurposeOf(line);
    const auto total = std::find_if(totals_.begin(), totals_.end(),
                                    [&](const auto& each) { return each.first == purpose; });
    const int64_t bytes = std::max<int64_t>(bytes_, 0);
    constexpr int64_t kMost = int64_t{1} << 60;
    if (total == totals_.end()) {
      totals_.emplace_back(purpose, std::min(bytes, kMost));
    } else {
      total->second = std::min(total->second, kMost) + std::min(bytes, kMost);
    }
  }

  // An allocation of which no values are told is one buffer.
  void CloseAllocation() {
    if (is_open_ && !has_values_) {
      if (ReportedBuffer* buffer = Add(begin_, line_)) {
        buffer->bytes = bytes_;
        buffer->label = "%allocation." + std::to_string(number_);
        buffer->type = PurposeOf(line_);
        const size_t bar = line_.find('|');
        if (bar != std::string_view::npos) {
          buffer->shape = line_.substr(bar + 1, line_.find('|', bar + 1) - bar - 1);
        }
      }
    }
    is_open_ = false;
  }

  std::string Place(int64_t offset) const {
    return std::string(PurposeOf(line_)) + ", allocation " + std::to_string(number_) + " + " +
           std::to_string(offset);
  }

  // " value: <4 add.3{0} @0> (size=16,offset=0): f32[4]{0}"
  void ReadValue(size_t begin, std::string_view line) {
    const size_t open = line.find('<'), close = line.find("> (size=");
    if (open == line.npos || close == line.npos || close < open) return;
    std::string_view name = line.substr(open + 1, close - open - 1);
    name.remove_prefix(std::min(name.find(' ') + 1, name.size()));
    name = name.substr(0, name.find(" @"));
    has_values_ = true;
    ReportedBuffer* buffer = Add(begin, line);
    if (!buffer) return;
    const std::string_view rest = line.substr(close);
    buffer->bytes = IntegerAfter(rest, "size=");
    buffer->label = "%" + std::string(name);
    buffer->type = Place(std::max<int64_t>(IntegerAfter(rest, "offset="), 0));
    const size_t shape = rest.find("): ");
    if (shape != rest.npos) buffer->shape = WithoutSpace(rest.substr(shape + 3));
    by_name_.emplace(name, report_.buffers.size() - 1);
  }

  // "\t  64B( 50%);  64B;  0;  1; f32[16]{0}": cumulative size, size, offset, values, shapes.
  void ReadGroup(size_t begin, std::string_view line) {
    std::string_view parts[5];
    std::string_view rest = line;
    for (size_t i = 0; i < 5; ++i) {
      const size_t end = i < 4 ? rest.find(';') : rest.size();
      if (end == rest.npos) return;
      parts[i] = WithoutSpace(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (ParseByteCount(parts[1]) < 0) return;  // the line of titles
    has_values_ = true;
    ReportedBuffer* buffer = Add(begin, line);
    if (!buffer) return;
    buffer->bytes = ParseByteCount(parts[1]);
    buffer->type = Place(std::max<int64_t>(ParseByteCount(parts[2]), 0));
    buffer->label = "%" + std::string(parts[3]) + "_values";
    std::string_view shape = parts[4];
    if (const size_t times = shape.find("\u00d7"); times != shape.npos && times < 12) {
      shape.remove_prefix(times + 2);
    }
    // Of several shapes the first one is enough to be recognised by.
    const size_t next = shape.find(", ");
    buffer->shape = shape.starts_with('(') ? shape : shape.substr(0, next);
  }

  // "add.3{0}:4-7"; an empty index is written `{}`.
  void ReadRange(std::string_view line) {
    const size_t colon = line.rfind(':');
    if (colon == line.npos) return;
    std::string name(line.substr(0, colon));
    if (name.ends_with("{}")) name.resize(name.size() - 2);
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return;
    ReportedBuffer& buffer = report_.buffers[found->second];
    buffer.begin = IntegerAfter(line.substr(colon), ":");
    buffer.end = IntegerAfter(line.substr(colon), "-");
  }

  std::string_view text_;
  MemoryReportText report_;
  std::vector<std::pair<std::string_view, int64_t>> totals_;
  std::unordered_map<std::string, size_t> by_name_;
  // The allocation that is read.
  bool is_open_ = false, has_values_ = false;
  size_t begin_ = 0;
  std::string_view line_;
  int64_t number_ = -1, bytes_ = -1;
  bool in_ranges_ = false;
};

}  // namespace

bool LooksLikeBufferAssignment(std::string_view text) {
  const bool has_allocation = text.find("allocation ") != std::string_view::npos;
  return has_allocation &&
         (text.find(kAssignment) != std::string_view::npos || text.find(kUsage) != text.npos);
}

MemoryReportText ParseBufferAssignment(std::string_view text) {
  return AssignmentReader(text).Read();
}

}  // namespace hlo
