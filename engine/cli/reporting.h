// How commands say what is wrong.
#ifndef HLO_ENGINE_CLI_REPORTING_H_
#define HLO_ENGINE_CLI_REPORTING_H_

#include <string_view>

#include "engine/base/diagnostics.h"
#include "engine/cli/command.h"

namespace hlo {

/// A line on standard error; the exit status becomes at least this one.
void Fail(CommandResult& result, int status, std::string_view message);
/// Diagnostics with carets on standard error; the status becomes 1 when an error is among them.
/// With `json` errors are on standard output too, as {"ok":false,"diagnostics":[...]} with
/// Diagnostic of wasm/text_types.ts, where nothing is yet.
void Report(CommandResult& result, const Diagnostics& diagnostics, std::string_view file,
            std::string_view text, bool json = false);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_REPORTING_H_
