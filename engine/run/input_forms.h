// The forms of input specifications beyond rules and literals: expressions, arrays as other
// languages write them, and cells written over.
// A build that has to be small goes without them.
#ifndef HLO_ENGINE_RUN_INPUT_FORMS_H_
#define HLO_ENGINE_RUN_INPUT_FORMS_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/base/budget.h"
#include "engine/base/diagnostics.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo {

/// What reads the other forms; as MakeInput (inputs.h), which comes here with what is `text` of a
/// specification that is no rule and no literal.
struct InputForms {
  /// An expression for every array of the shape. `seed` is of the parameter's stream. With
  /// `reads_only` it is read and not evaluated: the value is no array.
  std::optional<Value> (*read)(std::string_view text, uint32_t offset, const Shape& shape,
                               uint64_t seed, Budget* budget, Diagnostics& diagnostics,
                               bool reads_only);
  /// An array as other languages write it: a list (nested_lists.h), or a call of a function that
  /// makes arrays (array_functions.h). `*is_one`: it is, so that no literal has to be tried.
  std::optional<Value> (*read_foreign)(std::string_view text, uint32_t offset, const Shape& shape,
                                       uint64_t seed, Budget* budget, Diagnostics& diagnostics,
                                       bool reads_only, bool* is_one);
  /// Elements that are written over others: `[2,3] = 5, [0,0] = nan`, as what follows `with`. The
  /// value, which nobody else holds, has the shape; null: they are read and not written.
  bool (*overwrite)(std::string_view text, uint32_t offset, const Shape& shape, Value* value,
                    Diagnostics& diagnostics);
};

/// Every form there is.
const InputForms& AllInputForms();

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_INPUT_FORMS_H_
