// What a pass says about what it did.
#ifndef HLO_ENGINE_PASSES_REPORT_H_
#define HLO_ENGINE_PASSES_REPORT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hlo {

/// What happened to an instruction.
enum class ChangeKind : uint8_t { kInlined, kReplaced, kRemoved, kFused, kMoved, kLayout };
/// "inlined", ...
std::string_view Text(ChangeKind kind);

/// One change of a program.
struct PassChange {
  ChangeKind kind;
  std::string computation;  ///< Where.
  std::string before;       ///< The instruction; empty where it is new.
  std::string after;        ///< What it has become, or what has taken its place; empty: nothing.
  std::string reason;       ///< In words.
};

/// A buffer with its place in the program's memory.
struct AssignedBuffer {
  std::string instruction;
  std::string shape;
  std::string_view type;  ///< As in `ProgramBuffer`.
  int64_t offset = 0, bytes = 0;
  int64_t begin = 0, end = 0;  ///< Positions in the entry computation, both included.
};

/// All that a pass did.
struct PassReport {
  std::vector<PassChange> changes;
  bool header_changed = false;  ///< The module's own attributes.
  std::string note;  ///< One sentence: why nothing or not everything was done, or the sum of it.
  std::vector<AssignedBuffer> buffers;  ///< By offset.
  int64_t buffer_bytes = 0;             ///< Of the memory that they lie in.
};

}  // namespace hlo

#endif  // HLO_ENGINE_PASSES_REPORT_H_
