// All values of the small types, for tests that leave none of them out.
#ifndef HLO_TESTS_UNIT_ALL_VALUES_H_
#define HLO_TESTS_UNIT_ALL_VALUES_H_

#include <cstdint>
#include <cstring>

#include "engine/types/tensor.h"
#include "tests/unit/types_format_model.h"

namespace hlo {

/// Every stored value of a type of 16 bits or fewer in the order of their codes, each `repeat`
/// times, and all of that `cycles` times over.
inline Tensor AllValues(ElementType type, int64_t repeat = 1, int64_t cycles = 1) {
  const model::Row* row = model::FindRow(Text(type));
  const int bits = row != nullptr ? model::Width(*row) : BitsOf(type);
  const int64_t codes = int64_t{1} << bits;
  Tensor tensor(type, Dims{codes * repeat * cycles}, nullptr);
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    int64_t stored = i / repeat % codes;
    if (IsSigned(type) && (stored >> (bits - 1)) != 0) stored -= codes;
    std::memcpy(tensor.mutable_bytes() + i * BytesOf(type), &stored,
                static_cast<size_t>(BytesOf(type)));
  }
  return tensor;
}

}  // namespace hlo

#endif  // HLO_TESTS_UNIT_ALL_VALUES_H_
