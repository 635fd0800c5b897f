// How scalar operations name and take apart the storage types.
#ifndef HLO_ENGINE_KERNELS_SCALAR_TYPES_H_
#define HLO_ENGINE_KERNELS_SCALAR_TYPES_H_

#include <complex>
#include <cstdint>
#include <type_traits>

#include "engine/kernels/element_loop.h"
#include "engine/types/storage.h"

namespace hlo {

template <typename T>
concept IntegerElement = kClassOf<T>
== TypeClass::kSigned || kClassOf<T> == TypeClass::kUnsigned;
/// The floats with arithmetic of their own; the narrow ones compute in f32.
template <typename T>
concept RealElement = std::is_floating_point_v<T>;
template <typename T>
concept ComplexElement = kClassOf<T>
== TypeClass::kComplex;

template <typename T>
inline constexpr bool kIsNative = std::is_arithmetic_v<T>;
template <typename T>
inline constexpr bool kIsNarrowFloat = kClassOf<T> == TypeClass::kFloat && !kIsNative<T>;

/// Width of an integer type.
template <IntegerElement T>
inline constexpr int kWidthOf = [] {
  if constexpr (kIsNative<T>) {
    return static_cast<int>(8 * sizeof(T));
  } else {
    return T::kWidth;
  }
}();

/// Integer arithmetic is done in 32 bits, or 64 for 64-bit types, and wraps to the type's width at
/// the end: so nothing overflows in C++'s sense, and narrow types need no code of their own.
template <IntegerElement T>
using WorkBits = std::conditional_t<(kWidthOf<T> > 32), uint64_t, uint32_t>;
template <IntegerElement T>
using WorkNumber = std::conditional_t<kClassOf<T> == TypeClass::kSigned,
                                      std::make_signed_t<WorkBits<T>>, WorkBits<T>>;

/// The value, sign- or zero-extended.
template <IntegerElement T>
WorkNumber<T> ToNumber(T a) {
  return static_cast<WorkNumber<T>>(a);
}

/// The bits of the type's width, zero-extended.
template <IntegerElement T>
WorkBits<T> ToBits(T a) {
  constexpr WorkBits<T> kMask = ~WorkBits<T>{0} >> (8 * sizeof(WorkBits<T>) - kWidthOf<T>);
  return static_cast<WorkBits<T>>(ToNumber(a)) & kMask;
}

/// Wraps to the type.
template <IntegerElement T>
T FromBits(WorkBits<T> bits) {
  return static_cast<T>(bits);
}

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_SCALAR_TYPES_H_
