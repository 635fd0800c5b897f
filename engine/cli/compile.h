// `hlo compile`: a program as files that run without this project.
#ifndef HLO_ENGINE_CLI_COMPILE_H_
#define HLO_ENGINE_CLI_COMPILE_H_

#include <string>

#include "engine/cli/command.h"
#include "engine/views/standalone_view.h"

namespace hlo {

/// The name of the files of a program that is read from this path.
std::string StandaloneName(const std::string& path);

/// Writes NAME.wasm, NAME.fused.wasm if there is one, and NAME.mjs into a folder, which is made if
/// need be, and says so in `out`.
void WriteStandalone(const StandaloneView& view, const std::string& name, const std::string& folder,
                     CommandResult& result);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_COMPILE_H_
