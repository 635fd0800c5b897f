// Whether two runs gave the same, to the bit.
#ifndef HLO_TESTS_GOLDEN_SAME_BITS_H_
#define HLO_TESTS_GOLDEN_SAME_BITS_H_

#include <cstring>
#include <string>
#include <vector>

#include "engine/run/compare.h"
#include "engine/types/literal.h"
#include "engine/types/tensor.h"

namespace hlo {

/// Appends the arrays and tokens of a value, in order: StableHLO has no tuples.
inline void Flatten(const Value& value, std::vector<Value>* leaves) {
  if (!value.is_tuple()) {
    leaves->push_back(value);
    return;
  }
  for (const Value& element : value.elements()) Flatten(element, leaves);
}

inline std::vector<Value> Flattened(const std::vector<Value>& values) {
  std::vector<Value> leaves;
  for (const Value& value : values) Flatten(value, &leaves);
  return leaves;
}

/// Of arrays and tokens. What lies behind the run-time sizes is nobody's.
inline bool SameBits(const Value& a, const Value& b) {
  if (!a.is_array() || !b.is_array()) return a.is_array() == b.is_array();
  const Tensor& x = a.tensor();
  const Tensor& y = b.tensor();
  if (x.element_type() != y.element_type() || !(x.dims() == y.dims())) return false;
  if (!x.dynamic_sizes().empty() || !y.dynamic_sizes().empty()) {
    return !Compare(a, b, {.signed_zero = true});
  }
  return std::memcmp(x.bytes(), y.bytes(), static_cast<size_t>(x.byte_size())) == 0;
}

/// The first elements, for messages.
inline std::string TextOf(const Value& value) {
  if (!value.is_array()) return "token";
  const Tensor& tensor = value.tensor();
  return LiteralText(value, Shape::Array(tensor.element_type(), tensor.dims()),
                     {.shape = true, .hlo_spacing = false, .max_elements = 64});
}

}  // namespace hlo

#endif  // HLO_TESTS_GOLDEN_SAME_BITS_H_
