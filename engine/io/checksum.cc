#include "engine/io/checksum.h"

#include <array>

namespace hlo {

uint32_t Crc32(std::span<const std::byte> bytes) {
  static const auto kTable = [] {
    std::array<uint32_t, 256> table{};
    for (uint32_t i = 0; i < table.size(); ++i) {
      uint32_t rest = i;
      for (int bit = 0; bit < 8; ++bit) {
        rest = (rest & 1) != 0 ? 0xedb88320 ^ rest >> 1 : rest >> 1;
      }
      table[i] = rest;
    }
    return table;
  }();
  uint32_t sum = ~uint32_t{0};
  for (const std::byte byte : bytes) {
    sum = kTable[(sum ^ std::to_integer<uint32_t>(byte)) & 0xff] ^ sum >> 8;
  }
  return ~sum;
}

}  // namespace hlo
