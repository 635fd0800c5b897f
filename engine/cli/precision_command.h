// `hlo precision`: a run beside a more precise one, another one, or what it should give.
#ifndef HLO_ENGINE_CLI_PRECISION_COMMAND_H_
#define HLO_ENGINE_CLI_PRECISION_COMMAND_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/cli/command.h"
#include "engine/views/run_view.h"

namespace hlo {

/// What `hlo precision` is asked for beside the options of a run.
struct PrecisionArguments {
  std::string as = "f64";
  std::string sums;
  std::vector<std::string> expected;
  std::vector<std::string> other_inputs;
  std::optional<uint64_t> other_seed;
  std::optional<int64_t> other_replicas, other_partitions;
  std::optional<std::string> other_products, other_multiply_add;
  std::optional<double> at_most;  ///< ulp that the result may be off
};

/// Adds them. `other`: where the name of another program goes.
void AddPrecisionOptions(CLI::App* precision, std::string* other, PrecisionArguments* arguments);

/// Writes the errors of a program's values against those of a more precise run, of `other` if that
/// is not null, of a run with other inputs or settings if such are given, or of its results against
/// those that are expected: as lines or JSON. Faults of the documents have been reported; those of
/// the runs are said of `file`. The status is 1 where a run fails, or where
/// the result is further off than it may be.
void PrintPrecision(const std::shared_ptr<const Document>& document,
                    std::shared_ptr<const Document> other, const RunRequest& request,
                    const PrecisionArguments& arguments, const std::string& file, bool json,
                    CommandResult& result);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_PRECISION_COMMAND_H_
