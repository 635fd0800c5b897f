// `hlo number`: how a number looks in the float types.
#ifndef HLO_ENGINE_CLI_NUMBER_COMMAND_H_
#define HLO_ENGINE_CLI_NUMBER_COMMAND_H_

#include <CLI/CLI.hpp>
#include <string>

#include "engine/cli/command.h"

namespace hlo {

struct NumberRequest {
  std::string number;
  std::string type;  ///< "": all of them
  bool json = false;
};

/// Declares what the subcommand takes.
void AddNumberOptions(CLI::App* number, NumberRequest* request);
/// Prints its answer; what is no number, or no float type, is a usage error.
void PrintNumber(const NumberRequest& request, CommandResult& result);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_NUMBER_COMMAND_H_
