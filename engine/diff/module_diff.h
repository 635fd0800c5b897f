// What became of a module's instructions in another module: before and after a compiler's pass, or
// an edit.
#ifndef HLO_ENGINE_DIFF_MODULE_DIFF_H_
#define HLO_ENGINE_DIFF_MODULE_DIFF_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/hlo/ir.h"

namespace hlo {

/// What happened to an instruction. In the order in which several of one instruction are told.
enum class DiffKind : uint8_t {
  kAdded,       ///< There was no such instruction.
  kRemoved,     ///< There is none any more.
  kReplaced,    ///< Another operation computes what its users read.
  kMerged,      ///< An equal instruction is used instead.
  kDuplicated,  ///< One more of an instruction that was there.
  kFused,       ///< It is inside a fusion now.
  kUnfused,     ///< It is outside of its fusion now.
  kInlined,     ///< It stands where its computation was called.
  kMoved,       ///< It is in another computation.
  kOperands,    ///< It reads something else.
  kAttributes,  ///< Its attributes differ.
  kShape,       ///< Its dimensions or element type differ.
  kLayout,      ///< Its layout differs.
  kReordered,   ///< A schedule has it elsewhere.
  kRenamed,     ///< Nothing else: its name differs.
};
inline constexpr int kDiffKinds = static_cast<int>(DiffKind::kRenamed) + 1;

/// A kind of change as people and programs read it.
struct DiffKindRow {
  std::string_view word;  ///< "fused"
  std::string_view doc;
};
const DiffKindRow& GetDiffKind(DiffKind kind);

struct InstructionChange {
  const Instruction* before = nullptr;  ///< Null if there was none.
  const Instruction* after = nullptr;   ///< Null if there is none.
  std::vector<DiffKind> kinds;          ///< At least one, sorted.
  std::string what;  ///< In words: "fused into %fusion.1; layout {0,1}, was {1,0}"
};

/// Numbers of a module that a pass may change.
struct ModuleTotals {
  int64_t instructions = 0;
  int64_t computations = 0;
  int64_t fusions = 0;
  int64_t peak_bytes = 0;  ///< Of the device's main memory (plan/program_memory.h).
  int64_t argument_bytes = 0;
  int64_t temporary_bytes = 0;  ///< At the peak.
};

struct ModuleDiff {
  ModuleTotals before, after;
  /// In the order of the text after; what is gone stands before what followed it.
  std::vector<InstructionChange> changes;
  std::array<int64_t, kDiffKinds> counts{};  ///< Changes by kind; one may be of several.
  int64_t unchanged = 0;                     ///< Instructions after with nothing to tell.
  /// What differs in the modules' headers, in words.
  std::vector<std::string> header;
  /// Instructions that are the same, sorted by their places after.
  std::vector<std::pair<const Instruction*, const Instruction*>> pairs;
};

/// Compares two modules by what their instructions compute. Takes time in proportion to both (n log
/// n for the order). Throws what CountWork and CountBytes throw.
ModuleDiff DiffModules(const Module& before, const Module& after);

/// Two texts line by line: lines of `before` and of `after`, 0-based, that correspond, both rising.
/// They hold the same instruction, or stand at the same place between two that do.
using LinePairs = std::vector<std::pair<uint32_t, uint32_t>>;
LinePairs AlignLines(const ModuleDiff& diff, std::string_view before, std::string_view after);

}  // namespace hlo

#endif  // HLO_ENGINE_DIFF_MODULE_DIFF_H_
