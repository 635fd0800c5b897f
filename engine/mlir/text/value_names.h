// The names that MLIR's printer gives to SSA values, whatever the source calls them.
#ifndef HLO_ENGINE_MLIR_TEXT_VALUE_NAMES_H_
#define HLO_ENGINE_MLIR_TEXT_VALUE_NAMES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/mlir/text/syntax.h"

namespace hlo::mlir {

/// An op's name hints: comma-separated, empty if it has none.
struct NameHints {
  /// For its results: `c`; `output_state,output`, one name each.
  std::string_view results;
  /// For the arguments of its regions: `iterArg` for all; `input,carry`, where the first is for as
  /// many as there are operands in the op's first parentheses.
  std::string_view arguments;
};

/// Values by their names in the source, region by region. A region is numbered as a whole before
/// its nested regions, which continue its numbers; so sibling regions use the same names.
/// Source: LLVM, AsmPrinter.cpp, SSANameState.
class ValueNames {
 public:
  /// The hints of an op, and how many results it has.
  struct OpNames {
    NameHints hints;
    size_t result_count = 0;
  };
  using Describe = OpNames (*)(const Op& op);

  explicit ValueNames(Describe describe) : describe_(describe) {}

  /// Names everything in a region of `parent`, the numbering of an isolated region starts anew. The
  /// region must outlive this.
  void Enter(const Region& region, const Op& parent, bool is_isolated);
  void Leave() { levels_.pop_back(); }

  /// `%0`, `%0#1`, `%cst`; for an undefined value the name in the source.
  std::string NameOf(const ValueName& value) const;
  /// `%0 = `, `%0:2 = `, `%output_state, %output = `; empty for an op without results.
  std::string ResultsOf(const Op& op) const;

 private:
  struct Group {
    std::string name;
    size_t size = 1;
  };
  // The index of the first value that a source name refers to.
  struct Place {
    size_t group = 0, index = 0;
  };
  struct Level {
    std::vector<Group> groups;
    std::unordered_map<std::string_view, Place> places;
    std::unordered_map<const Op*, std::pair<size_t, size_t>> results;  // first group, end
    std::unordered_set<std::string> used;
    int64_t next_value = 0, next_argument = 0, next_conflict = 0;
    bool is_isolated = false;
  };
  bool IsUsed(const std::string& name) const;
  std::string Unique(std::string_view name);
  void NameArguments(const Block& block, bool is_entry, const Op& parent);
  void NameResults(const Op& op);

  Describe describe_;
  std::vector<Level> levels_;
};

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_TEXT_VALUE_NAMES_H_
