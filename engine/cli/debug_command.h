// `hlo debug`: a run that one moves through by commands, one a line.
#ifndef HLO_ENGINE_CLI_DEBUG_COMMAND_H_
#define HLO_ENGINE_CLI_DEBUG_COMMAND_H_

#include <memory>
#include <string>

#include "engine/base/function_ref.h"
#include "engine/cli/command.h"
#include "engine/views/run_view.h"

namespace hlo {

/// Records the run of a document and carries out commands on it. What a command says goes to the
/// output; a command that is not understood is said there, too, and makes the exit status 1, as
/// does a run that fails. `next` gives the next command, false after the last one; `file` is what
/// the program's faults are said of.
void DebugProgram(std::shared_ptr<const Document> document, const RunRequest& request,
                  FunctionRef<bool(std::string*)> next, const std::string& file,
                  CommandResult& result);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_DEBUG_COMMAND_H_
