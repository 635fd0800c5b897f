#include "engine/ops/memory_image.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace hlo {
namespace {

/// Copies `count` bits, low bits of a byte first.
void CopyBits(const std::byte* from, int64_t from_bit, std::byte* to, int64_t to_bit,
              int64_t count) {
  if (from_bit % 8 == 0 && to_bit % 8 == 0 && count % 8 == 0) {
    std::memcpy(to + to_bit / 8, from + from_bit / 8, static_cast<size_t>(count / 8));
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    int64_t source = from_bit + i, target = to_bit + i;
    std::byte bit = (from[source / 8] >> (source % 8)) & std::byte{1};
    std::byte mask = std::byte{1} << (target % 8);
    to[target / 8] = (to[target / 8] & ~mask) | (bit << (target % 8));
  }
}

/// Calls visit(element, slot) for every slot of the buffer that holds an element.
template <typename F>
void ForEachSlot(const LayoutMap& map, Budget* budget, F&& visit) {
  constexpr int64_t kWindow = 4096;
  int64_t elements[kWindow];
  for (int64_t first = 0; first < map.physical_count(); first += kWindow) {
    int64_t n = std::min(kWindow, map.physical_count() - first);
    map.ElementsAt(first, std::span(elements, static_cast<size_t>(n)));
    for (int64_t i = 0; i < n; ++i) {
      if (elements[i] != LayoutMap::kPadding) visit(elements[i], first + i);
    }
    budget->Poll();
  }
}

/// A byte as values of a type of fewer than 8 bits are kept.
std::byte Canonical(std::byte byte, ElementType type) {
  if (type == ElementType::kPred) return std::byte{byte != std::byte{0}};
  int spare = 8 - BitsOf(type);
  uint8_t shifted = static_cast<uint8_t>(static_cast<uint8_t>(byte) << spare);
  if (!IsSigned(type)) return static_cast<std::byte>(shifted >> spare);
  return static_cast<std::byte>(static_cast<int8_t>(shifted) >> spare);
}

}  // namespace

void WriteImage(const Tensor& tensor, const LayoutMap& map, std::byte* image, Budget* budget) {
  const int64_t kept_bits = 8 * BytesOf(tensor.element_type());
  const int64_t slot_bits = map.element_bits();
  ForEachSlot(map, budget, [&](int64_t element, int64_t slot) {
    CopyBits(tensor.bytes(), element * kept_bits, image, slot * slot_bits,
             std::min(kept_bits, slot_bits));
  });
}

void ReadImage(const std::byte* image, const LayoutMap& map, Tensor* tensor, Budget* budget) {
  const ElementType type = tensor->element_type();
  const int64_t kept_bits = 8 * BytesOf(type);
  const int64_t slot_bits = map.element_bits();
  std::memset(tensor->mutable_bytes(), 0, static_cast<size_t>(tensor->byte_size()));
  ForEachSlot(map, budget, [&](int64_t element, int64_t slot) {
    CopyBits(image, slot * slot_bits, tensor->mutable_bytes(), element * kept_bits,
             std::min(kept_bits, slot_bits));
  });
  if (!IsSubByte(type)) return;
  std::byte* bytes = tensor->mutable_bytes();
  for (int64_t i = 0; i < tensor->element_count(); ++i) bytes[i] = Canonical(bytes[i], type);
}

}  // namespace hlo
