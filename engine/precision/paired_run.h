// Two runs side by side, compared value by value as these are made.
#ifndef HLO_ENGINE_PRECISION_PAIRED_RUN_H_
#define HLO_ENGINE_PRECISION_PAIRED_RUN_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/precision/control_paths.h"
#include "engine/precision/growth.h"
#include "engine/precision/value_error.h"
#include "engine/run/executor.h"

namespace hlo {

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
  static constexpr size_t kMostPartings = 64;
  /// How many of the worst elements of every array of a result are listed.
  static constexpr size_t kWorstElements = 8;
  std::vector<InstructionError> instructions;  ///< in order of execution
  std::vector<ValueError> results;             ///< by device, where both runs have one
  std::vector<ArrayError> arrays;              ///< the same, array by array
  std::optional<RunFailure> first_failure, second_failure;
  int64_t not_compared = 0;       ///< executions that have no counterpart, or too late a one
  std::vector<Parting> partings;  ///< the first kMostPartings
  int64_t parted = 0;             ///< how many there are
  std::vector<GrowthPoint> growth;
};

/// Runs both. `counterpart` has, for instructions of the second module, those of the first; others
/// are not compared. The budget is both runs'.
PairedReport CompareRuns(PairedSide first, PairedSide second, const Counterparts& counterpart,
                         Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_PRECISION_PAIRED_RUN_H_
