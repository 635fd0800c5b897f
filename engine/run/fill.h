// Arrays made by rule: random numbers, iota, constants. For inputs and for elided constants.
#ifndef HLO_ENGINE_RUN_FILL_H_
#define HLO_ENGINE_RUN_FILL_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/budget.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo {

/// How every array of a value is filled.
struct Fill {
  enum class Kind : uint8_t {
    kRandom,   ///< floats and complex parts uniform in [0, 1); integers 0..9 as far as they fit;
               ///< pred
    kUniform,  ///< uniform in [low, high)
    kNormal,   ///< standard normal, converted to the element type
    kIota,     ///< 0, 1, 2, ... in row-major order; integers wrap, pred alternates
    kZero,
  };
  Kind kind = Kind::kRandom;
  double low = 0;   ///< kUniform
  double high = 1;  ///< kUniform
};

/// How many integers Fill::Kind::kRandom draws from, 0 on: those up to `largest`, of a negative one
/// up to 9, as far as the type has them.
uint64_t RandomIntegerCount(ElementType type, int64_t largest);

/// The kind with this name ("random", "uniform", "normal", "iota", "zero").
std::optional<Fill::Kind> FillKindFromText(std::string_view text);

/// A value of the shape; tokens and opaque parts stay tokens. The same seed gives the same value on
/// every platform. `largest`, for the arrays in the shape in order: with Fill::Kind::kRandom,
/// integers are uniform in [0, largest] where that is not negative. Throws
/// RunError(kMemoryExceeded).
Value MakeFilled(const Shape& shape, const Fill& fill, uint64_t seed, Budget* budget,
                 std::span<const int64_t> largest = {});

/// A value of the shape with every element of every array equal to `element`, converted.
Value MakeConstant(const Shape& shape, const Tensor& element, Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_FILL_H_
