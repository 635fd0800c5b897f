#include "engine/hlo/stack_frames.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <map>
#include <unordered_set>
#include <utility>

#include "engine/hlo/attribute_text.h"
#include "engine/hlo/ir.h"

namespace hlo {
namespace {

// `1 "name" 2 "name" ...`; the numbers are ignored.
bool ReadNames(AttrReader& in, std::vector<std::string>* names) {
  int64_t number = 0;
  while (IsDigit(in.lex.Peek())) {
    if (!in.lex.ReadInt(&number) || !in.lex.ReadString(&names->emplace_back())) return false;
  }
  return true;
}

// `1 {a=1 b=2} 2 {...}`: all keys, in any order.
template <size_t N, typename Add>
bool ReadEntries(AttrReader& in, const std::array<std::string_view, N>& keys, Add add) {
  int64_t number = 0;
  while (IsDigit(in.lex.Peek())) {
    std::array<int32_t, N> values = {};
    if (!in.lex.ReadInt(&number) || !ReadInt32Fields(in, keys, values)) return false;
    add(values);
  }
  return true;
}

bool ReadWord(AttrReader& in, std::string_view word) {
  return in.lex.ConsumeWord(word) || in.lex.Fail(fmt::format("expects '{}'", word));
}

// Entries in the order in which they are first asked for.
template <typename T>
class Interned {
 public:
  explicit Interned(std::vector<T>* list) : list_(*list) {}
  int32_t Number(const T& entry) {
    const auto [at, is_new] = numbers_.emplace(entry, static_cast<int32_t>(list_.size()) + 1);
    if (is_new) list_.push_back(entry);
    return at->second;
  }

 private:
  std::vector<T>& list_;
  std::map<T, int32_t> numbers_;
};

// Entry `number` of a table that counts from 1, or null.
template <typename T>
const T* Entry(const std::vector<T>& table, int64_t number) {
  const bool exists = number >= 1 && number <= static_cast<int64_t>(table.size());
  return exists ? &table[static_cast<size_t>(number - 1)] : nullptr;
}

class FrameCollector {
 public:
  FrameCollector(const StackFrameIndex& from, PrintedFrames* to)
      : from_(from),
        numbers_(to->numbers),
        files_(&to->index.files),
        functions_(&to->index.functions),
        locations_(&to->index.locations),
        frames_(&to->index.frames) {}

  // A frame and those around it, the outermost first. One of a broken chain gets no number.
  void Add(int64_t frame) {
    std::vector<int64_t> path;
    int64_t current = frame;
    while (current != 0 && numbers_.count(current) == 0) {
      const StackFrameIndex::Frame* entry = Entry(from_.frames, current);
      // What was seen before and got no number belongs to a chain that is broken or cyclic.
      if (!entry || !seen_.insert(current).second) return;
      path.push_back(current);
      current = entry->parent;
    }
    int64_t parent = current == 0 ? 0 : numbers_[current];
    for (auto at = path.rbegin(); at != path.rend(); ++at) {
      const StackFrameIndex::Location* location =
          Entry(from_.locations, Entry(from_.frames, *at)->location);
      const std::string* file = location ? Entry(from_.files, location->file) : nullptr;
      const std::string* function = location ? Entry(from_.functions, location->function) : nullptr;
      if (!file || !function) return;
      StackFrameIndex::Location moved = *location;
      moved.file = files_.Number(*file);
      moved.function = functions_.Number(*function);
      parent = frames_.Number({locations_.Number(moved), static_cast<int32_t>(parent)});
      numbers_[*at] = parent;
    }
  }

 private:
  const StackFrameIndex& from_;
  std::unordered_map<int64_t, int64_t>& numbers_;
  std::unordered_set<int64_t> seen_;
  Interned<std::string> files_, functions_;
  Interned<StackFrameIndex::Location> locations_;
  Interned<StackFrameIndex::Frame> frames_;
};

void AppendNames(std::string_view title, const std::vector<std::string>& names, std::string* out) {
  out->append(title);
  for (size_t i = 0; i < names.size(); ++i) {
    fmt::format_to(std::back_inserter(*out), "{} \"", i + 1);
    AppendEscaped(names[i], out);
    out->append("\"\n");
  }
}

}  // namespace

bool ReadStackFrames(AttrReader& in, StackFrameIndex* index) {
  constexpr std::array<std::string_view, 6> kLocation = {
      "file_name_id", "function_name_id", "line", "end_line", "column", "end_column"};
  constexpr std::array<std::string_view, 2> kFrame = {"file_location_id", "parent_frame_id"};
  if (!in.lex.ConsumeWord("FileNames")) return true;
  return ReadNames(in, &index->files) && ReadWord(in, "FunctionNames") &&
         ReadNames(in, &index->functions) && ReadWord(in, "FileLocations") &&
         ReadEntries(in, kLocation,
                     [&](const std::array<int32_t, 6>& v) {
                       index->locations.push_back({v[0], v[1], v[2], v[3], v[4], v[5]});
                     }) &&
         ReadWord(in, "StackFrames") &&
         ReadEntries(in, kFrame, [&](const std::array<int32_t, 2>& v) {
           index->frames.push_back({v[0], v[1] > 0 ? v[1] - 1 : 0});
         });
}

PrintedFrames FramesInUse(const Module& module) {
  PrintedFrames printed;
  FrameCollector collector(module.stack_frames(), &printed);
  for (const Computation& computation : module.computations()) {
    for (const Instruction& instruction : computation.instructions()) {
      const int64_t frame = StackFrameOf(instruction.attrs().Keys("metadata"));
      if (frame != 0) collector.Add(frame);
    }
  }
  return printed;
}

void AppendStackFrames(const StackFrameIndex& index, std::string* out) {
  if (index.frames.empty()) return;
  AppendNames("\n\nFileNames\n", index.files, out);
  AppendNames("\nFunctionNames\n", index.functions, out);
  auto append = std::back_inserter(*out);
  out->append("\nFileLocations\n");
  for (size_t i = 0; i < index.locations.size(); ++i) {
    const StackFrameIndex::Location& l = index.locations[i];
    fmt::format_to(append,
                   "{} {{file_name_id={} function_name_id={} line={} end_line={} column={} "
                   "end_column={}}}\n",
                   i + 1, l.file, l.function, l.line, l.end_line, l.column, l.end_column);
  }
  out->append("\nStackFrames\n");
  for (size_t i = 0; i < index.frames.size(); ++i) {
    const StackFrameIndex::Frame& frame = index.frames[i];
    fmt::format_to(append, "{} {{file_location_id={} parent_frame_id={}}}\n", i + 1, frame.location,
                   frame.parent + 1);
  }
}

}  // namespace hlo
