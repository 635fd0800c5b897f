// `hlo cost`: what a program costs by a model, and how long it takes a machine at least.
#ifndef HLO_ENGINE_CLI_COST_COMMAND_H_
#define HLO_ENGINE_CLI_COST_COMMAND_H_

#include <string>

#include "engine/cli/command.h"
#include "engine/views/document.h"

namespace hlo {

/// What `hlo cost` is asked for.
struct CostRequest {
  std::string machine;  ///< An id of engine/cost/machines.h; "here": measured; "": the usual one.
};

/// Writes the cost of a program, as lines or JSON; the document is ok().
void PrintCost(const Document& document, const CostRequest& request, bool json,
               CommandResult& result);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_COST_COMMAND_H_
