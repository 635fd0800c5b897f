// `hlo diff`: two programs compared.
#ifndef HLO_ENGINE_CLI_DIFF_H_
#define HLO_ENGINE_CLI_DIFF_H_

#include <memory>

#include "engine/cli/command.h"
#include "engine/views/document.h"

namespace hlo {

/// Writes what became of the instructions of `before` in `after`, as text or as ModuleDiff of
/// wasm/engine_api.ts. Faults of the documents have been reported.
void DiffDocuments(std::shared_ptr<const Document> before, std::shared_ptr<const Document> after,
                   bool as_json, CommandResult& result);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_DIFF_H_
