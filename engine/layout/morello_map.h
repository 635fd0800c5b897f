// Addresses under Morello's layouts.
#ifndef HLO_ENGINE_LAYOUT_MORELLO_MAP_H_
#define HLO_ENGINE_LAYOUT_MORELLO_MAP_H_

#include <memory>
#include <string>
#include <vector>

#include "engine/layout/digit_map.h"
#include "engine/layout/morello_layout.h"

namespace hlo {

/// A Morello layout applied to sizes. From fastest to slowest, each physical dimension of n values
/// adds alpha * (floor(x / v) mod n), with alpha the volume so far and v the volume so far of its
/// logical dimension; odd-even dimensions first deinterleave floor(x / v) mod n. Never any padding.
/// Source: Morello, data layouts; layout.rs. Differs from Morello: where a faster part of the same
/// logical dimension lies below an odd-even one, its formula maps two elements to one address; this
/// one deinterleaves what is left after the faster part.
class MorelloMap final : public DigitMap {
 public:
  /// Null, with a diagnostic at the physical dimension that is wrong (or at `range`), when the
  /// layout does not apply to the sizes.
  static std::unique_ptr<MorelloMap> Make(std::span<const int64_t> dims, int64_t element_bits,
                                          const MorelloLayout& layout, Range range,
                                          Diagnostics& diagnostics);

  AddressExplanation Explain(std::span<const int64_t> index) const override;
  std::string ExplainPadding(int64_t offset) const override;
  std::vector<PaddingCause> PaddingCauses() const override { return {}; }

 private:
  // A physical dimension with its numbers filled in.
  struct Part {
    size_t logical;
    int64_t size;    // n
    int64_t stride;  // alpha
    int64_t below;   // v
    bool odd_even;
    bool packed;
  };
  MorelloMap() = default;
  // The coordinate within the part of index `x` of its logical dimension.
  static int64_t Digit(const Part& part, int64_t x);
  static DigitForm FormOf(const std::vector<Part>& parts);
  // As it is written: "1 p(4)".
  static std::string PartText(const Part& part);
  // The term that the part (number `number` from the fastest) adds for the index of its dimension;
  // `before`: the sum of the terms of the faster parts.
  AddressTerm TermOf(const Part& part, size_t number, int64_t index, int64_t before) const;

  std::vector<Part> parts_;  // slowest first
};

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_MORELLO_MAP_H_
