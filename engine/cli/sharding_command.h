// `hlo sharding`: which device has which part of the arrays that have a sharding.
#ifndef HLO_ENGINE_CLI_SHARDING_COMMAND_H_
#define HLO_ENGINE_CLI_SHARDING_COMMAND_H_

#include <string>

#include "engine/cli/command.h"
#include "engine/views/document.h"

namespace hlo {

/// Writes the pieces of all instructions, or of those called `name` (may be empty). A program
/// without such shardings is a diagnostic that names `file`.
void PrintShardings(const Document& document, const std::string& name, bool json,
                    const std::string& file, CommandResult& result);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_SHARDING_COMMAND_H_
