// Types with `?` and the static ones they become.
#ifndef HLO_ENGINE_MLIR_IMPORT_REFINEMENT_H_
#define HLO_ENGINE_MLIR_IMPORT_REFINEMENT_H_

#include <optional>
#include <string>
#include <string_view>

#include "engine/base/budget.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo::mlir {

/// Whether no dimension is `?`, of the elements of tuples neither.
bool IsStatic(const Shape& shape);
/// Whether a shape is the written one, with a size for every `?`.
bool Refines(const Shape& shape, const Shape& written);

/// What is given of an argument of the entry: its shape, and of a few integers their values.
struct GivenArgument {
  Shape shape;
  std::optional<Tensor> value;
};
/// Reads what an input's specification (run/inputs.h) says of an argument that is `written` so:
/// `f32[3,4]` before a literal or a rule, or `3` for an integer. Nothing, with a problem to go on
/// with ("input 1 ..."), when the shape stays unknown or is another.
std::optional<GivenArgument> ReadGivenArgument(std::string_view spec, const Shape& written,
                                               Budget* budget, std::string* problem);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_IMPORT_REFINEMENT_H_
