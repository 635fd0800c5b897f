// Whole texts, and what they become.
#include <utility>

#include "engine/mlir/cursor.h"
#include "engine/mlir/importer.h"
#include "engine/mlir/op_import.h"
#include "engine/mlir/parser.h"
#include "engine/mlir/type_reader.h"

namespace hlo {

namespace {

std::unique_ptr<Module> ImportOnce(std::string text, Diagnostics& diagnostics, Budget* budget,
                                   MlirArguments* arguments, bool is_given) {
  auto module = std::make_unique<Module>();
  ModuleEditor editor(module.get());
  editor.SetSource(std::move(text));
  const std::string_view source = module->source();
  const mlir::Program program = mlir::ParseProgram(source, diagnostics);
  mlir::Importer(program, source, editor, diagnostics, budget, arguments, is_given).Run();
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

std::string HloInputSpec(std::string_view spec) {
  mlir::Cursor in(spec);
  mlir::Program program;
  Diagnostics trial;
  in.SkipSpace();
  const bool is_type = spec.substr(std::min(in.position(), spec.size())).starts_with("tensor<");
  const mlir::Type* type = is_type ? mlir::TypeReader(in, program, trial).Read() : nullptr;
  if (!type || type->kind != mlir::Type::Kind::kShape) return std::string(spec);
  return ShapeName(type->shape) + " " + std::string(spec.substr(in.position()));
}

}  // namespace hlo
