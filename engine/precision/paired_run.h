// Two runs side by side, compared value by value as these are made.
#ifndef HLO_ENGINE_PRECISION_PAIRED_RUN_H_
#define HLO_ENGINE_PRECISION_PAIRED_RUN_H_

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/run/executor.h"

namespace hlo {

/// How far the arrays of a value are from those of another one.
struct ValueError {
  /// Errors in ulp: none, up to 1/2, up to 1, 2, 4, ... ; the last one has all larger ones.
  static constexpr int kBuckets = 60;
  int64_t elements = 0;
  int64_t differing = 0;
  double absolute = 0;  ///< largest, like the next two; of finite elements
  double relative = 0;
  double ulp = 0;   ///< in the narrower type of the two; 0 for integers
  double norm = 0;  ///< root of the sum of squared errors, relative to that of the second value
  std::vector<int64_t> path;                 ///< of the array with the worst element in a tuple
  Dims index;                                ///< of the worst element
  double worst_first = 0, worst_second = 0;  ///< its values
  int64_t overflows = 0;                     ///< infinite only in the first
  int64_t underflows = 0;  ///< zero only in the first, for being too small for its type
  int64_t nans = 0;        ///< NaN only in the first
  bool same_shape = true;
  std::array<int64_t, kBuckets> histogram{};
};
/// Compares values of the same structure; arrays in their run-time sizes.
ValueError ErrorOf(const Value& first, const Value& second);

/// One execution of an instruction.
struct ExecutionError {
  int64_t device = 0;
  IterationPath iterations;
  double ulp = 0;
  double norm = 0;
};

/// What is known of an instruction's values in both runs.
struct InstructionError {
  static constexpr size_t kMostKept = 512;
  const Instruction* first = nullptr;         ///< null: the first program has none
  const Instruction* second = nullptr;        ///< null: no counterpart
  int64_t first_count = 0, second_count = 0;  ///< executions
  int64_t compared = 0;                       ///< pairs of executions
  ValueError worst;          ///< of the execution with the largest norm; histogram: of all
  double introduced = 0;     ///< largest, of executions: norm beyond the sum of the operands'
  double amplification = 0;  ///< norm relative to the operands', where that is largest
  int64_t order = 0;         ///< of its first execution
  int64_t differs_at =
      -1;  ///< the number of the first pair of values, of all, that differ; -1: none
  std::vector<ExecutionError> executions;  ///< the first kMostKept
  /// The sum or difference that lost most: operands, and their size relative to the result.
  double cancellation = 0, cancelled[2] = {0, 0};
};

/// A run to be compared.
struct PairedSide {
  const Module* module;
  RunOptions options;
  std::vector<std::vector<Value>> arguments;  ///< by device
};

struct PairedReport {
  std::vector<InstructionError> instructions;  ///< in order of execution
  std::vector<ValueError> results;             ///< by device, where both runs have one
  std::optional<RunFailure> first_failure, second_failure;
  int64_t not_compared = 0;  ///< values that waited too long for their counterpart
};

/// Runs both. `counterpart` has, for instructions of the second module, those of the first; others
/// are not compared. The budget is both runs'.
PairedReport CompareRuns(
    PairedSide first, PairedSide second,
    const std::unordered_map<const Instruction*, const Instruction*>& counterpart, Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_PRECISION_PAIRED_RUN_H_
