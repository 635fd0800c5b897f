// The subcommands of `hlo`: a row for each, in the file of its family.
#ifndef HLO_ENGINE_CLI_SUBCOMMAND_H_
#define HLO_ENGINE_CLI_SUBCOMMAND_H_

#include <CLI/CLI.hpp>
#include <span>

#include "engine/cli/command.h"
#include "engine/cli/options.h"

namespace hlo {

struct Subcommand {
  const char* name;
  /// What it does, for --help.
  const char* doc;
  /// Declares what it takes.
  void (*declare)(CLI::App* command, Options& options);
  void (*run)(const Options& options, CommandResult& result);
};

/// Those that read programs, layouts and numbers.
std::span<const Subcommand> TextSubcommands();
/// Those that run a program.
std::span<const Subcommand> RunSubcommands();

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_SUBCOMMAND_H_
