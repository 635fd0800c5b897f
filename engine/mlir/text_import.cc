// Whole texts, and what they become.
#include <utility>

#include "engine/mlir/asm_printer.h"
#include "engine/mlir/exporter.h"
#include "engine/mlir/importer.h"
#include "engine/mlir/op_import.h"
#include "engine/mlir/parser.h"
#include "engine/mlir/value_check.h"

namespace hlo {

namespace {

std::unique_ptr<Module> ImportOnce(std::string text, Diagnostics& diagnostics, Budget* budget,
                                   MlirArguments* arguments, bool is_given) {
  auto module = std::make_unique<Module>();
  ModuleEditor editor(module.get());
  editor.SetSource(std::move(text));
  if (arguments) arguments->missing = 0;
  const std::string_view source = module->source();
  const mlir::Program program = mlir::ParseProgram(source, diagnostics);
  mlir::Importer(program, source, editor, diagnostics, budget, arguments, is_given).Run();
  // What the importer refuses is often the same fault, said of the op.
  const size_t missing = arguments ? arguments->missing : 0;
  if (diagnostics.error_count() == missing) mlir::CheckValues(program, diagnostics);
  return module->entry() ? std::move(module) : nullptr;
}

}  // namespace

std::unique_ptr<Module> ImportMlir(std::string text, Diagnostics& diagnostics, Budget* budget,
                                   MlirArguments* arguments) {
  if (!arguments || arguments->specs.empty()) {
    return ImportOnce(std::move(text), diagnostics, budget, arguments, false);
  }
  // Arguments are constants only where the program hangs on them.
  const size_t mark = diagnostics.size();
  auto module = ImportOnce(text, diagnostics, budget, arguments, false);
  if (!arguments->wanted) return module;
  diagnostics.TruncateTo(mark);
  return ImportOnce(std::move(text), diagnostics, budget, arguments, true);
}

namespace {

// Lets every op be found by its place in the text.
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
