#include "engine/layout/padded_map.h"

#include <fmt/format.h>

#include <utility>

#include "engine/base/indices.h"
#include "engine/layout/address_text.h"

namespace hlo {

std::unique_ptr<PaddedMap> PaddedMap::Make(std::span<const int64_t> dims, int64_t element_bits,
                                           const Layout& layout) {
  std::unique_ptr<PaddedMap> map(new PaddedMap);
  Sizes sizes;
  sizes.dims = Dims(dims);
  sizes.padded_dims = layout.extras().padded_dimensions;
  sizes.element_bits = element_bits;
  const Dims& order = layout.minor_to_major();
  for (size_t i = order.size(); i-- > 0;) {
    map->order_.push_back(static_cast<size_t>(order[i]));
    sizes.physical_dims.push_back(sizes.padded_dims[map->order_.back()]);
  }
  if (!map->SetSizes(std::move(sizes), layout.extras().tail_alignment)) return nullptr;
  const Dims strides = DenseStrides(map->physical_dims());
  DigitForm form;
  form.digits.resize(dims.size());
  for (size_t i = 0; i < map->order_.size(); ++i) {
    const size_t dim = map->order_[i];
    form.digits[dim] = {static_cast<int64_t>(dim), 1, dims[dim], strides[i]};
  }
  map->SetDigits(std::move(form));
  map->value_ = layout.extras().padding_value;
  return map;
}

bool PaddedMap::SlotAt(int64_t offset, std::span<int64_t> index) const {
  if (offset < 0 || offset >= physical_count()) return false;
  const Dims ordered = Unravel(offset, physical_dims());
  for (size_t i = 0; i < order_.size(); ++i) index[order_[i]] = ordered[i];
  return true;
}

AddressExplanation PaddedMap::Explain(std::span<const int64_t> index) const {
  AddressExplanation explanation;
  explanation.index = Dims(index);
  for (size_t dim : order_) {
    explanation.ordered_index.push_back(index[dim]);
    explanation.ordered_dims.push_back(dims()[dim]);
  }
  explanation.coordinates = explanation.ordered_index;
  explanation.bounds = physical_dims();
  FinishExplanation(&explanation);
  return explanation;
}

std::string PaddedMap::ExplainPadding(int64_t offset) const {
  Dims index(dims().size());
  if (!SlotAt(offset, {index.data(), index.size()})) {
    return "past the padded array: padding of the tail alignment or outside the buffer";
  }
  for (size_t i = 0; i < index.size(); ++i) {
    if (index[i] < dims()[i]) continue;
    return fmt::format("padding: dimension {} would be at {}, past its size {}; {}", i, index[i],
                       dims()[i],
                       value_.empty() ? "its content is not specified"
                                      : fmt::format("it holds the padding value {}", value_));
  }
  return "";
}

std::vector<PaddingCause> PaddedMap::PaddingCauses() const {
  std::vector<PaddingCause> causes;
  for (size_t dim : order_) {
    const int64_t size = dims()[dim];
    const int64_t padded = padded_dims()[dim];
    if (size == padded) continue;
    causes.push_back(
        {{static_cast<int64_t>(dim)},
         size,
         padded,
         fmt::format("dimension {}: {} padded to {} by the padded dimensions", dim, size, padded)});
  }
  AppendTailCause(&causes);
  return causes;
}

}  // namespace hlo
