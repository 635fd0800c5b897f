#include "engine/cli/rewrites.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "engine/rewrite/isolate.h"
#include "engine/rewrite/shrink.h"

namespace hlo {
namespace {

void Say(CommandResult& result, std::string_view text) {
  fmt::format_to(std::back_inserter(result.err), "hlo: {}\n", text);
}

const Instruction* FindIn(const Module& module, std::string_view name) {
  const size_t slash = name.find('/');
  if (slash != std::string_view::npos) {
    const Computation* computation = module.FindComputation(name.substr(0, slash));
    return computation ? computation->Find(name.substr(slash + 1)) : nullptr;
  }
  if (const Instruction* found = module.entry() ? module.entry()->Find(name) : nullptr) {
    return found;
  }
  for (const Computation& computation : module.computations()) {
    if (const Instruction* found = computation.Find(name)) return found;
  }
  return nullptr;
}

}  // namespace

void ShrinkTo(const Module& module, int64_t peak_bytes, CommandResult& result) {
  const Shrunk shrunk = Shrink(module, {.peak_bytes = peak_bytes});
  result.out = shrunk.text;
  for (const auto& [from, to] : shrunk.changes) Say(result, fmt::format("{} -> {}", from, to));
  Say(result, fmt::format("{} bytes at the peak", shrunk.peak_bytes));
  if (shrunk.fits) return;
  Say(result, fmt::format("does not become small enough: {}", shrunk.why));
  result.status = std::max(result.status, kExitDiagnostics);
}

void IsolateFrom(const Module& module, const std::vector<std::string>& names, bool slice,
                 CommandResult& result) {
  std::vector<const Instruction*> instructions;
  for (const std::string& name : names) {
    const Instruction* found = FindIn(module, name);
    if (!found || (!instructions.empty() && found->parent() != instructions[0]->parent())) {
      Say(result, found ? fmt::format("{} is in another computation than {}", name, names[0])
                        : fmt::format("there is no instruction {}", name));
      result.status = std::max(result.status, kExitUsage);
      return;
    }
    instructions.push_back(found);
  }
  result.out = Isolate(instructions, slice ? IsolateExtent::kSlice : IsolateExtent::kPart).text;
}

}  // namespace hlo
