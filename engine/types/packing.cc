#include "engine/types/packing.h"

namespace hlo {

int64_t PackedBytes(int64_t elements, int bits) {
  const int64_t per_byte = 8 / bits;
  return elements / per_byte + (elements % per_byte != 0);
}

void PackElements(std::span<const std::byte> elements, int bits, std::byte* packed) {
  const size_t per_byte = static_cast<size_t>(8 / bits);
  const uint32_t mask = (1u << bits) - 1;
  for (size_t first = 0; first < elements.size(); first += per_byte) {
    uint32_t byte = 0;
    for (size_t k = 0; k < per_byte && first + k < elements.size(); ++k) {
      const uint32_t element = std::to_integer<uint32_t>(elements[first + k]) & mask;
      byte |= element << (static_cast<int>(k) * bits);
    }
    *packed++ = static_cast<std::byte>(byte);
  }
}

void UnpackElements(const std::byte* packed, int bits, ElementType type,
                    std::span<std::byte> elements) {
  const size_t per_byte = static_cast<size_t>(8 / bits);
  const int spare = 8 - bits;
  const bool is_signed = IsSigned(type);
  for (size_t i = 0; i < elements.size(); ++i) {
    const uint32_t byte = std::to_integer<uint32_t>(packed[i / per_byte]);
    const auto top = static_cast<uint8_t>(byte >> (static_cast<int>(i % per_byte) * bits) << spare);
    elements[i] = is_signed ? static_cast<std::byte>(static_cast<int8_t>(top) >> spare)
                            : static_cast<std::byte>(top >> spare);
  }
}

}  // namespace hlo
