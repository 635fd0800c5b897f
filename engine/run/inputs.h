// What the parameters of a run get: the grammar of input specifications.
//
//   spec := ""                    the default: `random`, but integers that the program uses as
//                                 indices or sizes are within bounds
//         | random                floats in [0, 1), small integers, coin flips; from a seed
//         | uniform [ (low, high) ]
//         | normal | iota | zero
//         | constant: V           every element is the scalar literal V
//         | literal               `{{1,2,3},{4,5,6}}`, in the parameter's shape; a number
//                                 alone fills every array, and has to fit its type as any literal
//         | shape literal         `f32[2,3] {{1,2,3},{4,5,6}}`; the shape must be the parameter's
//         | expression            `sin(i0) + 0.1*i1`, `normal(0, 0.02)`, `linspace(-1, 1)`:
//                                 expression.h
//         | shape [ rule ]        `f32[2,3]`, `f32[2,3] iota`; or an expression
//         | spec with cells       `iota with [0,1] = 5, [2,2] = nan`: elements written over
//
// A rule (random ... constant), a number and an expression fill every array of a tuple. Numbers
// depend on its seed and on the parameter's number only, and are the same on every platform. Builds
// without `forms` (input_forms.h) have neither expressions nor cells.
#ifndef HLO_ENGINE_RUN_INPUTS_H_
#define HLO_ENGINE_RUN_INPUTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/budget.h"
#include "engine/base/diagnostics.h"
#include "engine/hlo/ir.h"
#include "engine/run/input_forms.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo {

/// The value of a parameter by its specification; `number` picks the stream of random numbers.
/// Faults are reported with ranges in the specification; nothing is returned then.
/// `largest` is for the default, see MakeFilled; `forms` may be null.
std::optional<Value> MakeInput(std::string_view spec, const Shape& shape, int64_t number,
                               uint64_t seed, Budget* budget, Diagnostics& diagnostics,
                               std::span<const int64_t> largest = {},
                               const InputForms* forms = nullptr);

/// Reports the faults of a specification that can be told without making the value, which may be
/// large: those of how it is written.
void CheckInput(std::string_view spec, const Shape& shape, Diagnostics& diagnostics,
                const InputForms* forms);

/// The value of a parameter from the bytes of an `.npy` file, which must hold an array of its
/// dimensions and element type. `cells`: elements that are written over, `with [0,1] = 5`; any
/// other text counts for nothing.
std::optional<Value> MakeInputFromNpy(std::span<const std::byte> bytes, const Shape& shape,
                                      Budget* budget, Diagnostics& diagnostics,
                                      std::string_view cells = {},
                                      const InputForms* forms = nullptr);

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_INPUTS_H_
