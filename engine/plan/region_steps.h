// A region as steps over numbered scalars: what the compiler makes, and the program runs.
#ifndef HLO_ENGINE_PLAN_REGION_STEPS_H_
#define HLO_ENGINE_PLAN_REGION_STEPS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "engine/kernels/element_loop.h"
#include "engine/ops/opcode.h"
#include "engine/types/element_type.h"

namespace hlo {

class Instruction;

/// A scalar of the program: the parameters come first, then whatever is computed.
struct RegionScalar {
  int32_t id = 0;
  ElementType type = {};
};

/// One operation; or the place where a loop starts. Its result is a scalar that nothing else
/// computes, except for the state of a loop, which steps in the loop compute anew.
struct RegionStep {
  ElementLoop loop;
  int32_t args[ElementLoop::kMaxOperands] = {};
  int32_t result = 0;
  int32_t arg_bytes[ElementLoop::kMaxOperands] = {};
  int32_t result_bytes = 0;
  int32_t starts_loop = -1;      ///< number of the loop; then there is nothing to compute
  std::optional<Opcode> opcode;  ///< when it is this op, and attributes do not matter to it
  bool on_rows = false;          ///< computes one element for every row
  /// What it is a part of; null where that is not known. Of the module that was compiled.
  const Instruction* source = nullptr;
};

/// A loop: for as long as any lane of a block is active, the steps of the condition, which take
/// lanes out, then those of the body, which compute the next state of the lanes still active.
struct RegionLoop {
  size_t begin = 0;    ///< the step that starts it; the condition follows
  size_t body = 0;     ///< first step of the body
  size_t end = 0;      ///< the step after it
  int32_t active = 0;  ///< pred: the lanes that still run
};

/// A scalar that is this float for all elements, as it is known beforehand.
struct KnownNumber {
  int32_t id;
  double value;
};

struct RegionConstant {
  int32_t id;
  ElementType type;
  std::array<std::byte, 16> value;  ///< one element
};

/// A region in steps, in the order in which they are run; none without use.
struct RegionSteps {
  std::vector<ElementType> parameters;
  std::vector<int32_t> uniform_parameters;  ///< those that are the same for all elements
  std::vector<KnownNumber> known_numbers;   ///< uniform parameters that are constants
  /// Of elements: those that are the same in every row. The arrays of these and of uniform ones may
  /// be as long as a block, and serve every block.
  std::vector<int32_t> row_parameters;
  std::vector<RegionConstant> constants;
  std::vector<RegionStep> steps;
  std::vector<RegionLoop> loops;      ///< outer ones before inner ones
  std::vector<RegionScalar> results;  ///< each the result of a step or a constant
  /// The numbers of the parameters that results are, or -1.
  std::vector<int> result_parameters;
  int32_t scalar_count = 0;
  /// Elements of a row, where the program has scalars of rows besides those of elements; else 0.
  /// It then runs on whole rows, and has no loops.
  int64_t row_length = 0;
  std::vector<bool> is_row;  ///< by scalar: one for every row; empty without rows

  bool IsRow(int32_t scalar) const { return row_length > 0 && is_row[static_cast<size_t>(scalar)]; }
  /// The scalars that are the same for all elements: constants, and parameters that are.
  std::set<int32_t> UniformScalars() const {
    std::set<int32_t> uniform(uniform_parameters.begin(), uniform_parameters.end());
    for (const RegionConstant& constant : constants) uniform.insert(constant.id);
    return uniform;
  }
  /// Whether a parameter is the same in every block.
  bool IsRepeated(int32_t parameter) const {
    const auto has = [&](const std::vector<int32_t>& some) {
      return std::find(some.begin(), some.end(), parameter) != some.end();
    };
    return has(uniform_parameters) || has(row_parameters);
  }
  /// Whether a step reduces rows, or gives the elements of each row the one scalar of it.
  bool IsFold(const RegionStep& step) const {
    return step.starts_loop < 0 && !step.on_rows && IsRow(step.result);
  }
  bool IsSpread(const RegionStep& step) const {
    return step.starts_loop < 0 && !IsRow(step.result) && IsRow(step.args[0]);
  }
  /// How many of a scalar there are for so many elements.
  int64_t CountOf(int32_t scalar, int64_t elements) const {
    return IsRow(scalar) ? elements / row_length : elements;
  }
};

/// Elements per block: a register of f32 takes a tenth of a first-level cache.
inline constexpr int64_t kRegionBlock = 1024;
static_assert(kRegionBlock % 64 == 0, "blocks of all types begin where vectors do");

/// The elements that a program takes at a time: whole rows.
inline int64_t BlockOf(const RegionSteps& steps) {
  if (steps.row_length == 0) return kRegionBlock;
  return std::max(kRegionBlock / steps.row_length, int64_t{1}) * steps.row_length;
}

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_REGION_STEPS_H_
