// Unsigned numbers in the order of elements: what sorting compares instead of the elements.
#ifndef HLO_ENGINE_KERNELS_ORDER_KEYS_H_
#define HLO_ENGINE_KERNELS_ORDER_KEYS_H_

#include <cstddef>
#include <cstdint>

#include "engine/types/element_type.h"

namespace hlo {

/// An order of the elements of a type, which is not complex.
struct ElementOrder {
  ElementType type = {};
  bool descending = false;
  /// Of floats: zeros of different signs and all NaNs are told apart (total_order.h).
  /// Otherwise the zeros are equal and NaNs, which are neither less nor greater than anything,
  /// come last in both directions.
  bool total = false;
};

/// Whether keys of the type have 64 bits; otherwise 32.
inline bool HasWideKeys(ElementType type) { return BytesOf(type) == 8; }

/// keys[i] < keys[j] when element i comes before element j, and equal when they are equal.
/// Only for the width of keys that the type has.
void WriteOrderKeys(ElementOrder order, const std::byte* from, int64_t n, uint32_t* keys);
void WriteOrderKeys(ElementOrder order, const std::byte* from, int64_t n, uint64_t* keys);

/// The elements that have these keys. What the order takes for equal has one form: +0 stands for
/// both zeros of an order that is not total, and one NaN for all. `to` may be where the keys are.
void ReadOrderKeys(ElementOrder order, const uint32_t* keys, int64_t n, std::byte* to);
void ReadOrderKeys(ElementOrder order, const uint64_t* keys, int64_t n, std::byte* to);

/// Whether elements of different bits can have the same key.
inline bool HasEqualKeys(ElementOrder order) { return IsFloat(order.type) && !order.total; }

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_ORDER_KEYS_H_
