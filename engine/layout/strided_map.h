// Addresses as sums of strides: CuTe's layouts, with swizzles, and those of numpy and torch.
#ifndef HLO_ENGINE_LAYOUT_STRIDED_MAP_H_
#define HLO_ENGINE_LAYOUT_STRIDED_MAP_H_

#include <memory>
#include <string>
#include <vector>

#include "engine/layout/digit_map.h"

namespace hlo {

/// CuTe's Swizzle<B,M,S>: exclusive-ors B bits of the offset into B others, S places away, none of
/// them below bit M. S > 0 changes the bits from M on, S < 0 those from M - S on. Its own inverse.
/// Source: CuTe, swizzle.hpp ("0bxxxxxxxxxxxxxxxYYYxxxxxxxZZZxxxx").
struct Swizzle {
  int64_t bits = 0, base = 0, shift = 0;

  /// The offset of an element that would lie at `offset` without it. `offset` is not negative.
  int64_t operator()(int64_t offset) const {
    const int64_t mask = ((int64_t{1} << bits) - 1) << base;
    return shift >= 0 ? offset ^ ((offset >> shift) & mask) : offset ^ ((offset & mask) << -shift);
  }
  /// The bit above the highest one that it changes.
  int64_t end() const { return base + bits + (shift < 0 ? -shift : 0); }
  friend bool operator==(const Swizzle&, const Swizzle&) = default;
};

/// One mode: a digit of a dimension, and the place of its stride in the text.
struct StridedMode {
  LayoutDigit digit;
  Range range;
};

/// offset = swizzle(base + sum of digit * stride). The digits of a dimension multiply to its size.
/// Strides may be negative as long as no offset is, and may leave holes; no two elements share an
/// offset. The buffer ends with the last element; a swizzle rounds it up to what it permutes.
class StridedMap final : public DigitMap {
 public:
  struct Parts {
    Dims dims;
    std::vector<StridedMode> modes;  ///< The digits of a dimension from the lowest up.
    int64_t base = 0;
    Range base_range;
    Swizzle swizzle;
    Range range;  ///< Of the whole layout.
  };
  /// No offset is this large or larger.
  static constexpr int64_t kOffsetLimit = int64_t{1} << 61;

  /// Null, with a diagnostic at the stride or the offset that is wrong, when offsets would be
  /// negative or too large, or two elements would share one.
  static std::unique_ptr<StridedMap> Make(Parts parts, int64_t element_bits,
                                          Diagnostics& diagnostics);

  int64_t OffsetOf(std::span<const int64_t> index) const override;
  bool IndexAt(int64_t offset, std::span<int64_t> index) const override;
  AddressExplanation Explain(std::span<const int64_t> index) const override;
  std::string ExplainPadding(int64_t offset) const override;
  std::vector<PaddingCause> PaddingCauses() const override;
  bool Digits(DigitForm* form, std::string* why) const override;
  void Show(LayoutMapVisitor& visitor) const override { visitor.VisitStrided(*this); }

  /// All modes as they were given, also those of one value, with the base.
  const DigitForm& modes() const { return form(); }
  const Swizzle& swizzle() const { return swizzle_; }

 private:
  StridedMap() = default;
  static bool CheckSpan(const Parts& parts, Diagnostics& diagnostics);
  bool CheckAliases(const Parts& parts, Diagnostics& diagnostics) const;
  bool ReportAlias(const Parts& parts, const std::vector<int64_t>& difference,
                   Diagnostics& diagnostics) const;
  void SetPhysicalDims(Sizes* sizes) const;

  Swizzle swizzle_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_STRIDED_MAP_H_
