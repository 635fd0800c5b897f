// Imports whole texts as modules.
#include <utility>

#include "engine/mlir/import/op_import.h"
#include "engine/mlir/importer.h"
#include "engine/mlir/text/parser.h"
#include "engine/mlir/text/value_check.h"

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
  // An importer error is often a consequence of the same fault, reported at the op.
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
  // Arguments are constants only where sizes of the program depend on them.
  const size_t mark = diagnostics.size();
  auto module = ImportOnce(text, diagnostics, budget, arguments, false);
  if (!arguments->wanted) return module;
  diagnostics.TruncateTo(mark);
  return ImportOnce(std::move(text), diagnostics, budget, arguments, true);
}

}  // namespace hlo
