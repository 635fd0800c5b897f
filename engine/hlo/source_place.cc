#include "engine/hlo/source_place.h"

#include <cstdlib>

#include "engine/hlo/attribute_text.h"

namespace hlo {

std::vector<SourcePlace> SourcePlacesOf(const Instruction& instruction, const Module& module) {
  std::vector<SourcePlace> places;
  const KeyValues& metadata = instruction.attrs().Keys("metadata");
  const std::string* file = FindValue(metadata, "source_file");
  const std::string* line = FindValue(metadata, "source_line");
  if (file && !file->empty()) {
    places.push_back({*file, line ? std::atoll(line->c_str()) : 0});
    return places;
  }
  const StackFrameIndex& index = module.stack_frames();
  const auto is_in = [](int64_t number, const auto& list) {
    return number > 0 && static_cast<uint64_t>(number) <= list.size();
  };
  int64_t number = StackFrameOf(metadata);
  // A frame that is its own ancestor would go on for ever.
  while (is_in(number, index.frames) && places.size() < index.frames.size()) {
    const StackFrameIndex::Frame& frame = index.frames[static_cast<size_t>(number - 1)];
    if (is_in(frame.location, index.locations)) {
      const auto& location = index.locations[static_cast<size_t>(frame.location - 1)];
      if (is_in(location.file, index.files)) {
        places.push_back({index.files[static_cast<size_t>(location.file - 1)], location.line});
      }
    } else {
      break;
    }
    number = frame.parent;
  }
  return places;
}

bool IsFileNamed(std::string_view file, std::string_view name) {
  if (name.empty() || !file.ends_with(name)) return false;
  return file.size() == name.size() || name.front() == '/' ||
         file[file.size() - name.size() - 1] == '/';
}

}  // namespace hlo
