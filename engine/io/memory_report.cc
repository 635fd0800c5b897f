#include "engine/io/memory_report.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/types/scanner.h"

namespace hlo {
namespace {

constexpr std::string_view kPhrases[] = {"Ran out of memory in memory space",
                                         "Largest program allocations in",
                                         "BufferAssignment OOM Debugging",
                                         "Peak buffers:",
                                         "Out of memory while trying to allocate",
                                         "Out of memory allocating",
                                         "Hbm usage:",
                                         "BufferAssignment:\n",
                                         "Allocations sorted by size"};

constexpr std::string_view kUnits = "BKMGTP";  // powers of 1024

// What a line says, by the words it begins with.
enum class Key : uint8_t {
  kSize,
  kOperator,
  kShape,
  kParameterShape,
  kUnpadded,
  kPadding,
  kLabel,
  kType,
  kRanOut,
  kTensorCore,
  kOutOfMemory,
  kTotal,
  kProgram,
  kStats,
  kLargest,
};
struct KeyRow {
  std::string_view words;
  Key key;
};
constexpr KeyRow kKeys[] = {
    {"Size: ", Key::kSize},
    {"Operator: ", Key::kOperator},
    {"Shape: ", Key::kShape},
    {"Entry Parameter Subshape: ", Key::kParameterShape},
    {"Unpadded size: ", Key::kUnpadded},
    {"Extra memory due to padding: ", Key::kPadding},
    {"XLA label: ", Key::kLabel},
    {"XLA Label: ", Key::kLabel},
    {"Allocation type: ", Key::kType},
    {"Ran out of memory in memory space ", Key::kRanOut},
    {"Out of memory while trying to allocate ", Key::kOutOfMemory},
    {"Out of memory allocating ", Key::kOutOfMemory},
    {"ran out of memory trying to allocate ", Key::kOutOfMemory},
    {"TensorCore Hbm usage: ", Key::kTensorCore},
    {" usage >= ", Key::kTotal},
    {" requirement ", Key::kProgram},
    {"BufferAssignment stats:", Key::kStats},
    {"Largest program allocations in ", Key::kLargest},
    {"Peak buffers:", Key::kLargest},
};

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

// The first key of a line that begins at the start of a word; what precedes it is a log prefix.
const KeyRow* FindKey(std::string_view line, size_t* at) {
  const KeyRow* found = nullptr;
  *at = line.size();
  for (const KeyRow& row : kKeys) {
    const size_t place = line.substr(0, *at + row.words.size() - 1).find(row.words);
    if (place == std::string_view::npos || place >= *at) continue;
    if (place > 0 && IsWordCharacter(row.words[0]) && IsWordCharacter(line[place - 1])) continue;
    found = &row;
    *at = place;
  }
  return found;
}

// The value of `key="..."` or `key=...` in the text of a line.
std::string_view Quoted(std::string_view text, std::string_view key) {
  const size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + key.size());
  if (!text.starts_with('"')) return text.substr(0, text.find_first_of(" ,}"));
  text.remove_prefix(1);
  return text.substr(0, text.find('"'));
}

// The size after some words; -1 when they do not occur.
int64_t After(std::string_view text, std::string_view words) {
  const size_t at = text.find(words);
  return at == std::string_view::npos ? -1 : ParseByteCount(text.substr(at + words.size()));
}

// Reads line by line; a buffer lasts from its "Size:" to the next one.
class ReportReader {
 public:
  explicit ReportReader(std::string_view text) : text_(text) {}

  MemoryReportText Read() {
    // A report inside a string, as Python shows exceptions, has no line breaks of its own.
    const bool escaped = std::count(text_.begin(), text_.end(), '\n') < 3 &&
                         text_.find("\\n") != std::string_view::npos;
    const std::string_view line_break = escaped ? "\\n" : "\n";
    for (size_t begin = 0; begin < text_.size();) {
      const size_t end = std::min(text_.find(line_break, begin), text_.size());
      ReadLine(begin, text_.substr(begin, end - begin));
      begin = end + line_break.size();
    }
    return std::move(report_);
  }

 private:
  void ReadLine(size_t begin, std::string_view line) {
    size_t at = 0;
    const KeyRow* row = FindKey(line, &at);
    if (row == nullptr) {
      if (in_totals_) ReadTotal(line);
      return;
    }
    const std::string_view rest = Trimmed(line.substr(at + row->words.size()));
    const Range range{static_cast<uint32_t>(begin + at),
                      static_cast<uint32_t>(begin + line.size())};
    in_totals_ = row->key == Key::kTotal || row->key == Key::kProgram || row->key == Key::kStats;
    if (row->key <= Key::kType) {
      ReadBuffer(row->key, rest, range);
    } else {
      ReadSummary(row->key, rest);
    }
  }

  void ReadBuffer(Key key, std::string_view rest, Range range) {
    if (key == Key::kSize) {
      if (report_.buffers.size() == MemoryReportText::kMostBuffers) {
        open_ = false;
        return;
      }
      report_.buffers.emplace_back();
      report_.buffers.back().range = range;
      report_.buffers.back().bytes = ParseByteCount(rest);
      open_ = true;
      return;
    }
    if (!open_) return;
    ReportedBuffer& buffer = report_.buffers.back();
    buffer.range.end = range.end;
    switch (key) {
      case Key::kOperator: {
        buffer.op_name = Quoted(rest, "op_name=");
        const std::string_view file = Quoted(rest, "source_file=");
        if (!file.empty()) {
          buffer.source = std::string(file) + ":" + std::string(Quoted(rest, "source_line="));
        }
        break;
      }
      case Key::kParameterShape:
        buffer.type = "entry parameter";
        [[fallthrough]];
      case Key::kShape:
        buffer.shape = rest;
        break;
      case Key::kUnpadded:
        buffer.unpadded_bytes = ParseByteCount(rest);
        break;
      case Key::kPadding:
        buffer.padding_bytes = ParseByteCount(rest);
        break;
      case Key::kLabel:
        buffer.label = rest;
        break;
      default:
        buffer.type = rest;
        break;
    }
  }

  void ReadSummary(Key key, std::string_view rest) {
    open_ = false;
    switch (key) {
      case Key::kRanOut:
        ReadRanOut(rest);
        break;
      case Key::kTensorCore:  // "34.82G, SparseCore Hbm usage 174.10G, ... bytes: 95.74G"
        report_.space = "hbm";
        AddTotal("TensorCore", rest.substr(0, rest.find(',')));
        if (const size_t at = rest.find("usage "); at != std::string_view::npos) {
          AddTotal("SparseCore", rest.substr(at + 6, rest.find(',', at) - at - 6));
        }
        report_.capacity = After(rest, "bytes: ");
        break;
      case Key::kOutOfMemory:
        if (report_.space.empty()) report_.space = "device";
        AddTotal("asked for", rest);
        break;
      case Key::kTotal:
        AddTotal("total", rest);
        break;
      case Key::kProgram:
        AddTotal("program requirement", rest);
        break;
      case Key::kLargest:
        if (report_.space.empty()) {
          const std::string_view space = rest.substr(0, rest.find(':'));
          report_.space = space.empty() ? "device" : std::string(space);
        }
        break;
      default:
        break;
    }
  }

  // "hbm. Used 41.74G of 16.00G hbm. Exceeded hbm capacity by 25.74G."
  void ReadRanOut(std::string_view rest) {
    report_.space = rest.substr(0, rest.find_first_of(". "));
    report_.used = After(rest, "Used ");
    report_.capacity = After(rest, " of ");
    report_.exceeded = After(rest, "capacity by ");
  }

  void AddTotal(std::string name, std::string_view text) {
    constexpr size_t kMostTotals = 100;
    if (report_.totals.size() == kMostTotals) return;
    if (text.ends_with(':')) text.remove_suffix(1);
    report_.totals.push_back({std::move(name), ParseByteCount(text), std::string(text)});
  }

  // "    HLO temp    41.19G (...)", "   parameter allocation:    6.00MiB": words, then a size.
  void ReadTotal(std::string_view line) {
    const size_t mark = line.find_last_of(">]");
    if (mark != std::string_view::npos) line.remove_prefix(mark + 1);
    line = Trimmed(line);
    size_t at = line.find("  ");
    if (const size_t colon = line.find(": "); colon != std::string_view::npos) {
      at = std::min(at, colon);
    }
    if (at == std::string_view::npos) {
      const size_t space = line.rfind(' ');
      if (space == std::string_view::npos) return;
      at = space;
    }
    std::string_view text = line.substr(at);
    if (text.starts_with(':')) text.remove_prefix(1);
    text = Trimmed(text);
    const size_t unit = std::min(text.find_first_not_of("0123456789."), text.size());
    const bool is_size = unit > 0 && unit < text.size() && kUnits.find(text[unit]) < kUnits.size();
    if (is_size || text.starts_with("unknown")) {
      AddTotal(std::string(Trimmed(line.substr(0, at))), text);
    }
  }

  std::string_view text_;
  MemoryReportText report_;
  bool open_ = false;       // the last buffer takes further lines
  bool in_totals_ = false;  // lines are those of a summary
};

}  // namespace

bool LooksLikeMemoryReport(std::string_view text) {
  return std::any_of(std::begin(kPhrases), std::end(kPhrases), [text](std::string_view phrase) {
    return text.find(phrase) != std::string_view::npos;
  });
}

int64_t ParseByteCount(std::string_view text) {
  constexpr double kMost = 4e18;
  double value = 0;
  double place = 0;  // of the next digit after the point
  size_t at = 0;
  for (; at < text.size() && (IsDigit(text[at]) || (text[at] == '.' && place == 0)); ++at) {
    if (text[at] == '.') {
      if (at == 0 || at + 1 == text.size() || !IsDigit(text[at + 1])) break;
      place = 0.1;
    } else if (place > 0) {
      value += place * (text[at] - '0');
      place /= 10;
    } else {
      value = 10 * value + (text[at] - '0');
    }
  }
  if (at == 0) return -1;
  if (at < text.size() && text[at] == ' ') ++at;
  if (at < text.size() && text.substr(at, 5) != "bytes") {
    const size_t unit = kUnits.find(text[at]);
    if (unit != std::string_view::npos) value = std::ldexp(value, 10 * static_cast<int>(unit));
  }
  return value < kMost ? std::llround(value) : -1;
}

MemoryReportText ParseMemoryReport(std::string_view text) {
  return LooksLikeBufferAssignment(text) ? ParseBufferAssignment(text) : ReportReader(text).Read();
}

}  // namespace hlo
