// `hlo debug`: a run that one moves through by commands, one a line.
#ifndef HLO_ENGINE_CLI_DEBUG_COMMAND_H_
#define HLO_ENGINE_CLI_DEBUG_COMMAND_H_

#include <memory>
#include <string>

#include "engine/cli/command.h"
#include "engine/views/run_view.h"

namespace hlo {

/// Records the run of a document and carries out the commands of a script on it. What a command
/// says goes to the output; a command that is not understood is said there, too, and makes the exit
/// status 1, as does a run that fails.
void DebugProgram(std::shared_ptr<const Document> document, const RunRequest& request,
                  const std::string& script, CommandResult& result);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_DEBUG_COMMAND_H_
