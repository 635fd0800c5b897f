#include "engine/ops/movement/memory_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/ops/movement/relayout_copy.h"
#include "engine/types/padding_value.h"

namespace hlo {
namespace {

/// The tensor's own bytes as a map: row-major, whole bytes for every element.
std::unique_ptr<LayoutMap> OwnMap(const Tensor& tensor) {
  Diagnostics faults;
  return MakeLayoutMap(tensor.dims(), 8 * BytesOf(tensor.element_type()),
                       Layout::Descending(tensor.rank()), {}, faults);
}

/// A byte as values of types narrower than 8 bits are stored.
std::byte Canonical(std::byte byte, ElementType type) {
  if (type == ElementType::kPred) return std::byte{byte != std::byte{0}};
  int spare = 8 - BitsOf(type);
  uint8_t shifted = static_cast<uint8_t>(static_cast<uint8_t>(byte) << spare);
  if (!IsSigned(type)) return static_cast<std::byte>(shifted >> spare);
  return static_cast<std::byte>(static_cast<int8_t>(shifted) >> spare);
}

}  // namespace

std::unique_ptr<LayoutMap> ImageMap(const Shape& shape) {
  Diagnostics faults;
  auto map =
      MakeLayoutMap(shape.dims(), 8 * BytesOf(shape.element_type()), shape.layout(), {}, faults);
  if (map) return map;
  throw RunError(DiagCode::kRuntimeError,
                 fmt::format("the layout of {} has no memory image: {}", ShapeText(shape),
                             faults.empty() ? "" : faults.list()[0].message));
}

void WriteImage(const Tensor& tensor, const LayoutMap& map, std::byte* image, Budget* budget) {
  CopyRelayout(*OwnMap(tensor), tensor.bytes(), map, image, budget);
}

void WritePadding(const Shape& shape, const LayoutMap& map, std::byte* image, Budget* budget) {
  const auto value = PaddingValueOf(shape);
  if (!value) return;
  const int64_t bits = map.element_bits();
  const int64_t known = std::min<int64_t>(bits, 8 * BytesOf(shape.element_type()));
  std::array<int64_t, 1024> elements;
  constexpr int64_t kStretch = elements.size();
  for (int64_t first = 0; first < map.physical_count(); first += kStretch) {
    budget->Poll();
    map.ElementsAt(first, elements);
    const int64_t count = std::min(kStretch, map.physical_count() - first);
    for (int64_t i = 0; i < count; ++i) {
      if (elements[static_cast<size_t>(i)] != LayoutMap::kPadding) continue;
      for (int64_t bit = 0; bit < known; ++bit) {
        const auto from = std::to_integer<unsigned>((*value)[static_cast<size_t>(bit / 8)]);
        const int64_t at = (first + i) * bits + bit;
        image[at / 8] |= static_cast<std::byte>(((from >> (bit % 8)) & 1) << (at % 8));
      }
    }
  }
}

void ReadImage(const std::byte* image, const LayoutMap& map, Tensor* tensor, Budget* budget) {
  const ElementType type = tensor->element_type();
  CopyRelayout(map, image, *OwnMap(*tensor), tensor->mutable_bytes(), budget);
  if (!IsSubByte(type)) return;
  std::byte* bytes = tensor->mutable_bytes();
  for (int64_t i = 0; i < tensor->element_count(); ++i) bytes[i] = Canonical(bytes[i], type);
}

}  // namespace hlo
