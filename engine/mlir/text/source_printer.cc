// Prints whole texts as StableHLO's own tools do.
#include <utility>

#include "engine/mlir/exporter.h"
#include "engine/mlir/text/asm_printer.h"
#include "engine/mlir/text/parser.h"

namespace hlo {
namespace {

// Maps every op to its place in the text.
void MarkPlaces(std::vector<mlir::Op>& ops, bool* has_checks) {
  for (mlir::Op& op : ops) {
    op.origin = op.range.begin + 1;
    *has_checks |= op.name.starts_with("check.") || op.name.starts_with("interpreter.");
    for (mlir::Region& region : op.regions) {
      for (mlir::Block& block : region.blocks) MarkPlaces(block.ops, has_checks);
    }
  }
}

}  // namespace

std::optional<PrintedStableHlo> PrintStableHlo(std::string_view text) {
  Diagnostics faults;
  mlir::Program program = mlir::ParseProgram(text, faults);
  if (faults.has_errors()) return std::nullopt;
  PrintedStableHlo out;
  MarkPlaces(program.ops, &out.has_checks);
  auto printed = mlir::PrintProgram(program);
  if (!printed) return std::nullopt;
  out.text = std::move(printed->text);
  for (const auto& [origin, line] : printed->lines) out.lines.emplace_back(origin - 1, line);
  return out;
}

}  // namespace hlo
