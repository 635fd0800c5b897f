// Converting a value of one element type to another.
// Source: operation semantics, ConvertElementType; XLA, hlo_evaluator.cc; ml_dtypes, float8.h.
#ifndef HLO_ENGINE_TYPES_CONVERT_H_
#define HLO_ENGINE_TYPES_CONVERT_H_

#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "engine/types/element_type.h"
#include "engine/types/storage.h"

namespace hlo {

namespace convert_internal {

template <typename T>
struct IntLimits {
  static constexpr T kMin = std::numeric_limits<T>::min();
  static constexpr T kMax = std::numeric_limits<T>::max();
};
template <int kBits, bool kIsSigned>
struct IntLimits<SmallInt<kBits, kIsSigned>> {
  static constexpr int kMin = SmallInt<kBits, kIsSigned>::kMin;
  static constexpr int kMax = SmallInt<kBits, kIsSigned>::kMax;
};

/// A number as the C++ type that arithmetic on it uses: small floats as float, small integers as
/// int, the others as they are.
template <typename T>
auto Widen(T value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return value;
  } else if constexpr (kClassOf<T> == TypeClass::kFloat) {
    return static_cast<float>(value);
  } else {
    return value.value();
  }
}

/// f32 or f64 to an integer type: truncates toward zero, saturates; NaN is 0.
template <typename To, typename Float>
To SaturatingInteger(Float value) {
  using Limits = IntLimits<To>;
  // The largest integer may not be exact in Float; then it rounds up to the power of two itself.
  constexpr Float kAboveMax = static_cast<Float>(Limits::kMax) + 1;
  constexpr Float kMin = static_cast<Float>(Limits::kMin);
  if (value != value) return To(0);
  if (value <= kMin) return To(Limits::kMin);
  if (value >= kAboveMax) return To(Limits::kMax);
  if constexpr (std::is_integral_v<To>) {
    return static_cast<To>(value);
  } else {
    return To(static_cast<int>(value));
  }
}

}  // namespace convert_internal

/// The value of `value` in the storage type To, by these rules: floats to integers saturate and NaN
/// becomes 0; integers wrap; anything but zero becomes true (NaN too); floats round to nearest
/// even. Complex to real takes the real part (XLA's own evaluator refuses it), complex to pred is
/// true when either part is not zero.
template <typename To, typename From>
To ConvertElement(const From& value) {
  constexpr TypeClass kTo = kClassOf<To>;
  constexpr TypeClass kFrom = kClassOf<From>;
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (kFrom == TypeClass::kComplex && kTo == TypeClass::kComplex) {
    using Part = typename To::value_type;
    return To(static_cast<Part>(value.real()), static_cast<Part>(value.imag()));
  } else if constexpr (kFrom == TypeClass::kComplex) {
    if constexpr (kTo == TypeClass::kPred) return value.real() != 0 || value.imag() != 0;
    return ConvertElement<To>(static_cast<double>(value.real()));
  } else if constexpr (kTo == TypeClass::kComplex) {
    return To(ConvertElement<typename To::value_type>(value), 0);
  } else {
    const auto wide = convert_internal::Widen(value);
    if constexpr (kTo == TypeClass::kPred) {
      return wide != 0;
    } else if constexpr (kFrom == TypeClass::kFloat && kTo != TypeClass::kFloat) {
      return convert_internal::SaturatingInteger<To>(wide);
    } else {
      return static_cast<To>(wide);
    }
  }
}

/// ConvertElement of n elements between types known at run time. The arrays are aligned for their
/// types and do not overlap. The result for c64 to another class is that of its parts as f64, and
/// the payload of a NaN may become the default one.
void ConvertElements(ElementType from, const std::byte* source, ElementType to,
                     std::byte* destination, int64_t n);

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_CONVERT_H_
