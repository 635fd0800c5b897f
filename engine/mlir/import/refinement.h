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

/// Whether no dimension is `?`, including those of tuple elements.
bool IsStatic(const Shape& shape);
/// Whether a shape is the written one, with a size for every `?`.
bool Refines(const Shape& shape, const Shape& written);

/// What is given about an argument of the entry: its shape, and the values if it holds a few
/// integers.
struct GivenArgument {
  Shape shape;
  std::optional<Tensor> value;
};
/// Reads an input specification (run/inputs.h) for an argument whose written type is `written`:
/// `f32[3,4]` before a literal or a generator rule, or `3` for an integer. If the shape remains
/// unknown or does not match: nothing, and the rest of a message that begins with "input 1" in
/// *problem.
std::optional<GivenArgument> ReadGivenArgument(std::string_view spec, const Shape& written,
                                               Budget* budget, std::string* problem);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_IMPORT_REFINEMENT_H_
