#include "engine/cli/cost_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/cost/machines.h"
#include "engine/views/cost_view.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"

namespace hlo {
namespace {

constexpr std::string_view kHere = "here";

void FailWithNames(const CostRequest& request, CommandResult& result) {
  fmt::format_to(std::back_inserter(result.err), "hlo: no machine '{}': expected {}",
                 request.machine, kHere);
  for (const Machine& machine : KnownMachines()) result.err += ", " + machine.id;
  result.err += "\n";
  result.status = std::max(result.status, kExitUsage);
}

std::string JsonOf(const Document& document, const CostRequest& request) {
  Json options = {{"savings", 1000}};
  if (request.machine == kHere) {
    options["machine"] = ParseJson(MeasureMachineJson());
  } else if (!request.machine.empty()) {
    options["machine"] = request.machine;
  }
  const auto costs = CostsOf(document);
  return CostJson(document, costs.get(), JsonText(options)) + "\n";
}

}  // namespace

void PrintCost(const Document& document, const CostRequest& request, bool json,
               CommandResult& result) {
  const std::string_view id = request.machine.empty() ? kUsualMachine : request.machine;
  const Machine* known = FindMachine(id);
  if (!known && id != kHere) return FailWithNames(request, result);
  if (json) {
    result.out = JsonOf(document, request);
  } else {
    result.out = CostText(document, known ? *known : MeasuredMachine());
  }
}

}  // namespace hlo
