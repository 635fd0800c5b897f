// Elements of any type as f64, complex ones as pairs of them.
#ifndef HLO_ENGINE_TYPES_DOUBLES_H_
#define HLO_ENGINE_TYPES_DOUBLES_H_

#include <complex>
#include <cstdint>
#include <span>

#include "engine/base/function_ref.h"
#include "engine/base/small_vector.h"
#include "engine/types/tensor.h"

namespace hlo {

/// c128 for a complex type, else f64: every float and every integer of at most 53 bits is in it.
inline ElementType DoubleTypeOf(ElementType type) {
  return IsComplex(type) ? ElementType::kC128 : ElementType::kF64;
}

/// `count` elements from `begin` on, in row-major order: one f64 each, and of complex ones the real
/// and the imaginary part in turn. Integers of 64 bits are rounded.
void ReadDoubles(const Tensor& tensor, int64_t begin, int64_t count, double* out);

/// The element at an index; its imaginary part is 0 unless the type is complex.
std::complex<double> NumberAt(const Tensor& tensor, const Dims& index);

/// All elements as ReadDoubles gives them, some thousands at a time, which `use` may change; until
/// it returns false.
void EachBlockOfDoubles(const Tensor& tensor, FunctionRef<bool(std::span<double>)> use);

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_DOUBLES_H_
