#include "engine/views/text_map.h"

#include <algorithm>

namespace hlo {
namespace {

// UTF-16 code units that a byte contributes: a character counts at its first byte; continuation
// bytes count 0.
uint32_t UnitsOf(char byte) {
  const uint8_t b = static_cast<uint8_t>(byte);
  if (b < 0x80) return 1;
  if (b < 0xc0) return 0;
  return b < 0xf0 ? 1 : 2;
}

bool IsContinuation(char byte) { return UnitsOf(byte) == 0; }

}  // namespace

TextMap::TextMap(std::string_view text)
    : text_(text), ascii_(std::all_of(text.begin(), text.end(), [](char c) {
        return static_cast<uint8_t>(c) < 0x80;
      })) {
  if (ascii_) return;
  uint32_t units = 0;
  for (size_t i = 0; i < text_.size(); ++i) {
    if (i % kStride == 0) units_.push_back(units);
    units += UnitsOf(text_[i]);
  }
}

uint32_t TextMap::ToUnits(uint32_t byte_offset) const {
  const uint32_t end = std::min(byte_offset, static_cast<uint32_t>(text_.size()));
  if (ascii_ || units_.empty()) return end;
  const uint32_t block = std::min(end / kStride, static_cast<uint32_t>(units_.size()) - 1);
  uint32_t units = units_[block];
  for (uint32_t i = block * kStride; i < end; ++i) units += UnitsOf(text_[i]);
  return units;
}

uint32_t TextMap::ToBytes(uint32_t unit_offset) const {
  const uint32_t size = static_cast<uint32_t>(text_.size());
  if (ascii_ || units_.empty()) return std::min(unit_offset, size);
  const auto after = std::upper_bound(units_.begin(), units_.end(), unit_offset);
  const uint32_t block = static_cast<uint32_t>(after - units_.begin()) - 1;
  uint32_t units = units_[block];
  uint32_t i = block * kStride;
  while (i < size && units + UnitsOf(text_[i]) <= unit_offset) units += UnitsOf(text_[i++]);
  // Back to the start of a character if the loop stopped inside one.
  while (i < size && i > 0 && IsContinuation(text_[i])) --i;
  return i;
}

}  // namespace hlo
