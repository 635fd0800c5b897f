#include "engine/ops/memory_image.h"

#include <memory>

#include "engine/ops/relayout_copy.h"

namespace hlo {
namespace {

/// The tensor's own bytes as a map: row-major, whole bytes for every element.
std::unique_ptr<LayoutMap> OwnMap(const Tensor& tensor) {
  Diagnostics faults;
  return MakeLayoutMap(tensor.dims(), 8 * BytesOf(tensor.element_type()),
                       Layout::Descending(tensor.rank()), {}, faults);
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
  CopyRelayout(*OwnMap(tensor), tensor.bytes(), map, image, budget);
}

void ReadImage(const std::byte* image, const LayoutMap& map, Tensor* tensor, Budget* budget) {
  const ElementType type = tensor->element_type();
  CopyRelayout(map, image, *OwnMap(*tensor), tensor->mutable_bytes(), budget);
  if (!IsSubByte(type)) return;
  std::byte* bytes = tensor->mutable_bytes();
  for (int64_t i = 0; i < tensor->element_count(); ++i) bytes[i] = Canonical(bytes[i], type);
}

}  // namespace hlo
