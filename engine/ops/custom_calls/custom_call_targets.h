// The built-in custom-call targets: those that XLA itself defines, expands or ignores, those of its
// builder library, calls of vendors' libraries that its compilers write, and the functions of
// StableHLO's CHLO dialect. One row each, in the file of its family.
#ifndef HLO_ENGINE_OPS_CUSTOM_CALLS_CUSTOM_CALL_TARGETS_H_
#define HLO_ENGINE_OPS_CUSTOM_CALLS_CUSTOM_CALL_TARGETS_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ops/custom_calls/call_as.h"
#include "engine/ops/custom_calls/custom_calls.h"

namespace hlo {

/// A target: its documentation for `hlo ops --markdown`, and its function.
struct BuiltInTarget {
  std::string_view name;
  /// Aliases, separated by spaces. A target chlo.X is also found as mhlo.X.
  std::string_view aliases = {};
  std::string_view operands;
  std::string_view result;
  /// What it computes.
  std::string_view doc;
  /// Other inputs besides the operands: keys of backend_config, computations, the result's shape.
  std::string_view config = {};
  /// Maximum error against the exact result, for f64 unless stated; empty: exact, or as the op's.
  std::string_view error = {};
  std::string_view source;

  // One of the three is set (CustomCallTarget).
  Value (*eval)(const OpCall& call, std::span<Value> args, EvalContext& context) = nullptr;
  CustomCallSteps enter = nullptr;
  ElementLoop (*loop)(ElementType type) = nullptr;

  /// The op that does the same (PlainOpOf), if there is one: opt-barrier, call, or one that is
  /// element-wise.
  std::optional<Opcode> plain = {};
};

// The families.
std::span<const BuiltInTarget> MarkerTargets();   ///< marker_targets.cc
std::span<const BuiltInTarget> MathTargets();     ///< math_targets.cc
std::span<const BuiltInTarget> MatrixTargets();   ///< matrix_targets.cc
std::span<const BuiltInTarget> SortingTargets();  ///< sorting_targets.cc
std::span<const BuiltInTarget> RandomTargets();   ///< random_targets.cc
std::span<const BuiltInTarget> LibraryTargets();  ///< library_targets.cc

/// The op that does what a custom-call does: opt-barrier where a built-in target passes its operand
/// on, call where it runs its computation, or the op that its target is another name of. Nothing
/// for other targets, for added ones, and where the shapes do not fit. Where the call knows no
/// targets, built-in ones count.
std::optional<Opcode> PlainOpOf(const OpCall& call);

/// The row of a family that a target of this name has; null when it has none.
const BuiltInTarget* FindTarget(std::span<const BuiltInTarget> family, std::string_view target);

/// The names in a space-separated list.
std::vector<std::string_view> NamesIn(std::string_view list);
/// All names of a row.
std::vector<std::string> NamesOf(const BuiltInTarget& row);

// ---- Helpers for the functions of targets ------------------------------------------------------

/// Throws RunError: "custom-call to NAME " followed by the reason.
[[noreturn]] void RefuseCall(const OpCall& call, std::string_view why);
/// Throws RunError unless the call has this number of operands.
void WantOperands(const OpCall& call, int count);
/// The number (or true, false as 1, 0) that backend_config gives for a key, as JSON, as an MLIR
/// dictionary or as `key=value` words; `otherwise` if there is none.
int64_t ConfigInt(const OpCall& call, std::string_view key, int64_t otherwise);
/// The same for a number that need not be whole, and for a word, with or without quotes.
double ConfigDouble(const OpCall& call, std::string_view key, double otherwise);
std::string_view ConfigWord(const OpCall& call, std::string_view key, std::string_view otherwise);
/// The numbers or words of the list in brackets that backend_config gives for a key.
std::optional<std::vector<std::string_view>> ConfigList(const OpCall& call, std::string_view key);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_CUSTOM_CALLS_CUSTOM_CALL_TARGETS_H_
