// `hlo precision`: what the width of its floats costs a program.
#ifndef HLO_ENGINE_CLI_PRECISION_COMMAND_H_
#define HLO_ENGINE_CLI_PRECISION_COMMAND_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/cli/command.h"
#include "engine/views/document.h"

namespace hlo {

/// What `hlo precision` is asked for.
struct PrecisionArguments {
  std::string as = "f64";
  bool json = false;
  std::vector<std::string> inputs;  ///< as of `hlo run`
  uint64_t seed = 0;
};
/// Where the arguments go that other commands have too.
struct PrecisionPlaces {
  std::string* file;
  std::string* other;
  std::vector<std::string>* inputs;
  uint64_t* seed;
};

void AddPrecisionCommand(CLI::App& app, const PrecisionPlaces& places,
                         PrecisionArguments* arguments);

/// Writes the errors of a program's values against those of a more precise run or, if `other` is
/// not null, of that program. Faults of the documents have been reported. The status is 1 where a
/// run fails.
void PrintPrecision(std::shared_ptr<const Document> document, std::shared_ptr<const Document> other,
                    const PrecisionArguments& arguments, CommandResult& result);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_PRECISION_COMMAND_H_
