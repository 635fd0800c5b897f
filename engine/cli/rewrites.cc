#include "engine/cli/rewrites.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "engine/hlo/printer.h"
#include "engine/rewrite/isolate.h"
#include "engine/views/names.h"

namespace hlo {
namespace {

void Say(CommandResult& result, std::string_view text) {
  fmt::format_to(std::back_inserter(result.err), "hlo: {}\n", text);
}

}  // namespace

void ShrinkTo(const Module& module, const ShrinkTarget& target, CommandResult& result) {
  const Shrunk shrunk = Shrink(module, target);
  const bool is_same = shrunk.fits && shrunk.changes.empty();
  result.out = is_same ? PrintModule(module) : shrunk.text;
  if (is_same) Say(result, "the program is small enough as it is");
  for (const auto& [from, to] : shrunk.changes) Say(result, fmt::format("{} -> {}", from, to));
  Say(result, fmt::format("{} bytes at the peak", shrunk.peak_bytes));
  if (shrunk.fits && !result.out.empty()) return;
  Say(result, fmt::format("does not become small enough: {}", shrunk.why));
  result.status = std::max(result.status, kExitDiagnostics);
}

void IsolateFrom(const Document& document, const std::vector<std::string>& names, bool slice,
                 CommandResult& result) {
  std::vector<const Instruction*> instructions;
  for (const std::string& name : names) {
    std::string problem;
    const Computation* in = instructions.empty() ? nullptr : instructions[0]->parent();
    const Instruction* found = OneInstruction(document, name, &problem, in);
    if (found && in && found->parent() != in) {
      problem = fmt::format("{} is in another computation than {}", name, names[0]);
    }
    if (!problem.empty()) {
      Say(result, problem);
      result.status = std::max(result.status, kExitUsage);
      return;
    }
    instructions.push_back(found);
  }
  const Isolated isolated =
      Isolate(instructions, slice ? IsolateExtent::kSlice : IsolateExtent::kPart);
  result.out = isolated.text;
  if (!isolated.text.empty()) return;
  Say(result, fmt::format("nothing is isolated: {}", isolated.why));
  result.status = std::max(result.status, kExitDiagnostics);
}

}  // namespace hlo
