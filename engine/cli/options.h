// What the command line says: the options that subcommands share, and all of them by name.
#ifndef HLO_ENGINE_CLI_OPTIONS_H_
#define HLO_ENGINE_CLI_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/cli/cost_command.h"
#include "engine/cli/graph_command.h"
#include "engine/cli/number_command.h"
#include "engine/cli/passes_command.h"
#include "engine/cli/precision_command.h"
#include "engine/cli/why_command.h"
#include "engine/hlo/verifier.h"
#include "engine/rewrite/shrink.h"

namespace hlo {

/// The options of all subcommands, as CLI11 fills them.
struct Options {
  std::vector<std::string> files;
  std::string file;
  std::vector<std::string> inputs;
  uint64_t seed = 0;
  bool trace = false;
  bool json = false;
  std::optional<int64_t> replicas;
  std::optional<int64_t> partitions;
  std::vector<std::string> infeeds;
  std::vector<std::string> receives;
  std::optional<double> time_limit;
  std::optional<uint64_t> memory_limit;
  int threads = 1;
  std::string fill_elided;
  std::string products, multiply_add;
  bool stand_ins = false;
  std::string probe_directory;
  std::string profile_file;
  std::string save_file;  // an .npz file for the results
  std::string script_file;
  std::string inputs_folder;
  std::string folder;
  std::string shape;
  std::optional<std::string> index;
  std::string compared;
  ShrinkTarget shrink;
  std::vector<std::string> names;
  bool slice = false;
  bool as_proto = false;
  bool markdown = false;
  std::string dialect;
  VerifierOptions verifier;
  bool same_precision = false;
  PassesOptions passes;
  GraphArguments graph;
  CostRequest cost;
  PrecisionArguments precision;
  WhyArguments why;
  NumberRequest number;
};

/// Checks of what an option is given, beside its type: CLI11 takes -1 for a large number, what is
/// too large for the largest one, and nan for any.
CLI::Validator IsWholeNumber(uint64_t least, uint64_t most = INT64_MAX);
CLI::Validator IsAboveZero();
CLI::Validator IsNotNegative();

/// The file that a subcommand is about; `what`: its help.
void AddFile(CLI::App* command, Options& options,
             const char* what = "HLO text; - is standard input");
/// --json, into options.json.
void AddJson(CLI::App* command, Options& options);
/// --input, for StableHLO whose sizes are not written.
void AddInputs(CLI::App* command, Options& options);
void AddProducts(CLI::App* command, Options& options);
void AddMultiplyAdd(CLI::App* command, Options& options);
/// FILE and all options that make up a run.
void AddRunOptions(CLI::App* command, Options& options);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_OPTIONS_H_
