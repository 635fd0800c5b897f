// Addresses under the legacy padding of the shapes documentation.
#ifndef HLO_ENGINE_LAYOUT_PADDED_MAP_H_
#define HLO_ENGINE_LAYOUT_PADDED_MAP_H_

#include <memory>
#include <vector>

#include "engine/layout/digit_map.h"

namespace hlo {

/// `padded_dimensions`: elements are placed as in an array of the padded sizes, in minor_to_major
/// order; every slot outside the logical bounds holds the padding value.
/// Source: shapes and layout, "Padding". XLA has dropped it.
class PaddedMap final : public DigitMap {
 public:
  /// The layout must be valid for the dimensions (ValidateLayout), all of which are bounded, and
  /// have padded dimensions and no tiles. Null when a size does not fit 64 bits.
  static std::unique_ptr<PaddedMap> Make(std::span<const int64_t> dims, int64_t element_bits,
                                         const Layout& layout);

  AddressExplanation Explain(std::span<const int64_t> index) const override;
  std::string ExplainPadding(int64_t offset) const override;
  std::vector<PaddingCause> PaddingCauses() const override;

 private:
  PaddedMap() = default;
  // False: outside the buffer. The index may be one of padding.
  bool SlotAt(int64_t offset, std::span<int64_t> index) const;

  std::vector<size_t> order_;  // logical dimension at each place, major to minor
  std::string value_;          // in the padding; empty when not specified
};

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_PADDED_MAP_H_
