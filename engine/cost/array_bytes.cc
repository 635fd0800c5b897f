#include "engine/cost/array_bytes.h"

#include <algorithm>

#include "engine/base/work_limit.h"
#include "engine/layout/layout_map.h"
#include "engine/layout/layout_sizes.h"
#include "engine/layout/memory_space.h"

namespace hlo {
namespace {

bool HasBounds(const Shape& shape) {
  for (int i = 0; i < shape.rank(); ++i) {
    if (shape.is_unbounded(i)) return false;
  }
  return true;
}

StoredBytes StoredBytesOf(const Shape& shape) {
  CountWork();
  if (!HasBounds(shape)) return {};
  const int type_bits = 8 * BytesOf(shape.element_type());
  const auto elements = ByteSizeOf(shape.dims(), type_bits, shape.layout());
  if (!elements) return {};
  StoredBytes bytes{static_cast<double>(*elements), 0};
  const Layout& layout = shape.layout();
  if (!layout.has_extras()) return bytes;
  Diagnostics faults;
  const auto map = MakeLayoutMap(shape.dims(), type_bits, layout, {}, faults);
  if (map) bytes.padding = std::max(0.0, static_cast<double>(map->byte_size()) - bytes.elements);
  return bytes;
}

}  // namespace

bool IsInVmem(const Shape& array) {
  return array.layout().extras().memory_space == kVmemMemorySpace;
}

const StoredBytes& ShapeBytes::Of(const Shape& shape) {
  const auto [found, is_new] = known_.try_emplace(&shape);
  if (!is_new) return found->second;
  StoredBytes sum;
  ForEachArray(shape, [&](const Shape& array) {
    const StoredBytes bytes = StoredBytesOf(array);
    sum.elements += bytes.elements;
    sum.padding += bytes.padding;
    if (IsInVmem(array)) sum.vmem += bytes.elements + bytes.padding;
  });
  return found->second = sum;
}

double ShapeBytes::ShareOf(const Shape& shape, double bytes) {
  const StoredBytes& all = Of(shape);
  return all.elements > 0 ? bytes / all.elements : 0;
}

Traffic ShapeBytes::Read(const Shape& shape) {
  const StoredBytes& bytes = Of(shape);
  return {.read = bytes.elements, .padding = bytes.padding, .vmem = bytes.vmem};
}

Traffic ShapeBytes::Written(const Shape& shape) {
  const StoredBytes& bytes = Of(shape);
  return {.written = bytes.elements, .padding = bytes.padding, .vmem = bytes.vmem};
}

Traffic ShapeBytes::ReadPart(const Shape& shape, double bytes) {
  const double share = ShareOf(shape, bytes);
  return {.read = bytes, .padding = Of(shape).padding * share, .vmem = Of(shape).vmem * share};
}

Traffic ShapeBytes::WrittenPart(const Shape& shape, double bytes) {
  const double share = ShareOf(shape, bytes);
  return {.written = bytes, .padding = Of(shape).padding * share, .vmem = Of(shape).vmem * share};
}

}  // namespace hlo
