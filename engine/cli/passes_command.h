// `hlo passes`: what the passes of a compiler do to a program.
#ifndef HLO_ENGINE_CLI_PASSES_COMMAND_H_
#define HLO_ENGINE_CLI_PASSES_COMMAND_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "engine/cli/command.h"
#include "engine/views/document.h"

namespace hlo {

/// The options of the command.
struct PassesOptions {
  std::vector<std::string> only;
  std::vector<std::string> skip;
  std::string print_after;
  bool diff = false;
};

/// Adds the options to the subcommand.
void AddPassesOptions(CLI::App* command, PassesOptions& options);

/// Runs the passes over a document without errors and writes what they did, or the program after
/// one of them; with `json` all of it as JSON.
void WritePasses(const Document& document, const PassesOptions& options, bool json,
                 CommandResult& result);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_PASSES_COMMAND_H_
