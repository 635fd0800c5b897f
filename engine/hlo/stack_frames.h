// The tables of a module that say where in the source program instructions come from.
// Source: XLA, hlo/parser/hlo_parser.cc (ParseStackFrameIndex), hlo/ir/hlo_module.cc.
#ifndef HLO_ENGINE_HLO_STACK_FRAMES_H_
#define HLO_ENGINE_HLO_STACK_FRAMES_H_

#include <compare>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace hlo {

class AttrReader;
class Module;

/// FileNames, FunctionNames, FileLocations, StackFrames. Their entries are numbered from 1.
struct StackFrameIndex {
  struct Location {
    int32_t file = 0, function = 0, line = 0, end_line = 0, column = 0, end_column = 0;
    // NOLINTNEXTLINE(modernize-use-nullptr): what is defaulted holds a zero for clang-tidy 14
    friend auto operator<=>(const Location&, const Location&) = default;
  };
  struct Frame {
    int32_t location = 0;
    int32_t parent = 0;  ///< 0: none; in the text it is one higher
    // NOLINTNEXTLINE(modernize-use-nullptr)
    friend auto operator<=>(const Frame&, const Frame&) = default;
  };
  std::vector<std::string> files, functions;
  std::vector<Location> locations;
  std::vector<Frame> frames;
};

/// The tables at the position, if FileNames follows. Faults are reported.
bool ReadStackFrames(AttrReader& in, StackFrameIndex* index);

/// The tables as XLA prints them: what the instructions' metadata name, in the order in which they
/// do.
struct PrintedFrames {
  StackFrameIndex index;
  std::unordered_map<int64_t, int64_t> numbers;  ///< of the module's frames, in `index`
};
PrintedFrames FramesInUse(const Module& module);
/// From "\n\nFileNames" on; nothing when there are no frames.
void AppendStackFrames(const StackFrameIndex& index, std::string* out);

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_STACK_FRAMES_H_
