#include "engine/layout/layout_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "engine/base/bits.h"
#include "engine/base/indices.h"
#include "engine/layout/address_text.h"
#include "engine/layout/layout_text.h"
#include "engine/layout/layout_validity.h"
#include "engine/layout/padded_map.h"
#include "engine/layout/tiled_map.h"

namespace hlo {
namespace {

// value rounded up to a multiple.
bool RoundUpChecked(int64_t value, int64_t multiple, int64_t* result) {
  return MultiplyChecked(CeilDiv(value, multiple), multiple, result);
}

}  // namespace

bool ProductChecked(std::span<const int64_t> dims, int64_t* product) {
  *product = 0;
  if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return true;
  int64_t result = 1;
  for (int64_t size : dims) {
    if (!MultiplyChecked(result, size, &result)) return false;
  }
  *product = result;
  return true;
}

int64_t LayoutMap::byte_size() const {
  return CeilDiv(sizes_.aligned_count * sizes_.element_bits, 8);
}

bool LayoutMap::SetSizes(Sizes sizes, int64_t tail_alignment) {
  int64_t bits = 0;
  if (!ProductChecked(sizes.dims, &sizes.element_count) ||
      !MultiplyChecked(sizes.element_count, sizes.element_bits, &bits) ||
      !ProductChecked(sizes.physical_dims, &sizes.physical_count) ||
      !RoundUpChecked(sizes.physical_count, tail_alignment, &sizes.aligned_count) ||
      !MultiplyChecked(sizes.aligned_count, sizes.element_bits, &bits)) {
    return false;
  }
  sizes_ = std::move(sizes);
  return true;
}

int64_t LayoutMap::TileOf(int, std::span<const int64_t>) const { return 0; }

void LayoutMap::OffsetsAlong(std::span<const int64_t> start, int dim,
                             std::span<int64_t> offsets) const {
  SmallVector<int64_t, 16> index(start);
  for (int64_t& offset : offsets) {
    offset = OffsetOf({index.data(), index.size()});
    ++index[static_cast<size_t>(dim)];
  }
}

void LayoutMap::ElementsAt(int64_t first, std::span<int64_t> elements) const {
  const Dims strides = DenseStrides(dims());
  SmallVector<int64_t, 16> index(dims().size());
  for (size_t i = 0; i < elements.size(); ++i) {
    int64_t offset = 0;
    elements[i] = kPadding;
    if (!AddChecked(first, static_cast<int64_t>(i), &offset)) continue;
    if (!IndexAt(offset, {index.data(), index.size()})) continue;
    elements[i] = 0;
    for (size_t d = 0; d < strides.size(); ++d) elements[i] += index[d] * strides[d];
  }
}

void LayoutMap::FinishExplanation(AddressExplanation* explanation) const {
  explanation->offset = 0;
  for (size_t i = 0; i < explanation->bounds.size(); ++i) {
    explanation->offset =
        explanation->offset * explanation->bounds[i] + explanation->coordinates[i];
  }
  explanation->lines = ExplanationLines(*explanation);
  ExplainBits(explanation);
}

void LayoutMap::ExplainBits(AddressExplanation* explanation) const {
  explanation->first_bit = explanation->offset * element_bits();
  explanation->last_bit = explanation->first_bit + element_bits() - 1;
  explanation->lines.push_back(BitsText(explanation->first_bit, explanation->last_bit));
}

void LayoutMap::ExplainDigits(const DigitForm& form, AddressExplanation* explanation) {
  std::vector<std::string>& lines = explanation->lines;
  lines.push_back("index " + ListText(explanation->index));
  std::string sum = form.base != 0 ? fmt::format("= {}", form.base) : "";
  explanation->offset = form.base;
  for (const LayoutDigit& digit : form.digits) {
    const int64_t x = explanation->index[static_cast<size_t>(digit.dim)];
    const int64_t value = x / digit.below % digit.size;
    const int64_t part = value * digit.stride;
    lines.push_back(fmt::format("dimension {}: {} / {} mod {} = {}, times {} = {}", digit.dim, x,
                                digit.below, digit.size, value, digit.stride, part));
    sum += fmt::format("{} {}", sum.empty() ? "=" : " +", part);
    explanation->offset += part;
  }
  if (form.digits.size() + (form.base != 0 ? 1 : 0) > 1) lines.push_back(std::move(sum));
  lines.push_back(fmt::format("= {}", explanation->offset));
}

void LayoutMap::AppendTailCause(std::vector<PaddingCause>* causes) const {
  if (aligned_count() == physical_count()) return;
  causes->push_back({{},
                     physical_count(),
                     aligned_count(),
                     fmt::format("{} elements padded to {} by the tail alignment", physical_count(),
                                 aligned_count())});
}

std::unique_ptr<LayoutMap> MakeLayoutMap(std::span<const int64_t> dims, int type_bits,
                                         const Layout& layout, Range range,
                                         Diagnostics& diagnostics) {
  if (!ValidateLayout(layout, dims, range, diagnostics)) return nullptr;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] >= 0) continue;
    diagnostics.Report(
        DiagCode::kLayoutInvalid, range,
        fmt::format("dimension {} has no bound, so the array has no size in memory", i));
    return nullptr;
  }
  const LayoutExtras& extras = layout.extras();
  const int64_t bits = extras.element_bits != 0 ? extras.element_bits : type_bits;
  std::unique_ptr<LayoutMap> map;
  if (extras.padded_dimensions.empty()) {
    map = TiledMap::Make(dims, bits, layout);
  } else {
    map = PaddedMap::Make(dims, bits, layout);
  }
  if (map == nullptr) {
    diagnostics.Report(
        DiagCode::kTooLarge, range,
        fmt::format("an array of dimensions {} with layout {} is too large: its bits in memory, "
                    "with padding, must fit 64 bits, and it may have at most {} tiles and {} "
                    "physical dimensions",
                    ListText(dims).substr(0, 200), LayoutText(layout).substr(0, 200),
                    TiledMap::kMostTiles, TiledMap::kMostPhysicalDims));
  }
  return map;
}

}  // namespace hlo
