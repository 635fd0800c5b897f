// One element as a number, whatever its type.
#ifndef HLO_ENGINE_TYPES_ELEMENT_NUMBER_H_
#define HLO_ENGINE_TYPES_ELEMENT_NUMBER_H_

#include <array>
#include <cstddef>
#include <cstring>

#include "engine/types/convert.h"

namespace hlo {

/// The element at `bytes`, which need not be aligned, as an f64: of an integer of 64 bits the
/// nearest one, of a complex number its real part.
inline double ElementNumber(ElementType type, const std::byte* bytes) {
  alignas(16) std::array<std::byte, 16> element;
  std::memcpy(element.data(), bytes, static_cast<size_t>(BytesOf(type)));
  double number = 0;
  ConvertElements(type, element.data(), ElementType::kF64, reinterpret_cast<std::byte*>(&number),
                  1);
  return number;
}

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_ELEMENT_NUMBER_H_
