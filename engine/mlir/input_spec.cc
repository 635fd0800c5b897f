// MLIR types in input specifications, which HLO programs accept as well.
#include <algorithm>

#include "engine/mlir/importer.h"
#include "engine/mlir/text/cursor.h"
#include "engine/mlir/text/type_reader.h"

namespace hlo {

std::string HloInputSpec(std::string_view spec) {
  mlir::Cursor in(spec);
  mlir::Program program;
  Diagnostics trial;
  in.SkipSpace();
  const bool is_type = spec.substr(std::min(in.position(), spec.size())).starts_with("tensor<");
  const mlir::Type* type = is_type ? mlir::TypeReader(in, program, trial).ReadTensor() : nullptr;
  if (!type || type->kind != mlir::Type::Kind::kShape) return std::string(spec);
  return ShapeName(type->shape) + " " + std::string(spec.substr(in.position()));
}

}  // namespace hlo
