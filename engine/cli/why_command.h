// `hlo why`: where an element of a run comes from.
#ifndef HLO_ENGINE_CLI_WHY_COMMAND_H_
#define HLO_ENGINE_CLI_WHY_COMMAND_H_

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "engine/cli/command.h"
#include "engine/views/run_view.h"

namespace hlo {

/// What the command line asks.
struct WhyArguments {
  std::string element;
  std::string first;
  bool reach = false;
};

/// Adds what `hlo why` has beside the options of a run.
void AddWhyOptions(CLI::App* why, WhyArguments* arguments);

/// Runs the program and writes the chain of an element, or what was found first: as lines or JSON.
/// Faults of the run are said of `file`.
void PrintWhy(std::shared_ptr<const Document> document, const RunRequest& request,
              const WhyArguments& arguments, const std::string& file, bool json,
              CommandResult& result);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_WHY_COMMAND_H_
