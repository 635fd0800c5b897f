// Maps that are sums of digits of the index.
#ifndef HLO_ENGINE_LAYOUT_DIGIT_MAP_H_
#define HLO_ENGINE_LAYOUT_DIGIT_MAP_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/layout/layout_map.h"

namespace hlo {

/// offset = base + the terms of all digits (DigitForm): what the addresses of padded arrays, of
/// Morello's layouts, and of strides have in common. The classes that derive from it say which
/// digits these are, and why.
class DigitMap : public LayoutMap {
 public:
  int64_t OffsetOf(std::span<const int64_t> index) const override;
  bool IndexAt(int64_t offset, std::span<int64_t> index) const override;
  bool Digits(DigitForm* form, std::string* why) const override;

 protected:
  /// A digit that has several values, counted so that its stride is positive.
  struct Step {
    size_t digit;      ///< in form()
    int64_t size;      ///< of the digit
    int64_t stride;    ///< its absolute value
    int64_t reach;     ///< the most that this step and those after it add
    int64_t divisor;   ///< of all strides from here on
    bool is_reversed;  ///< the stride is negative
  };
  DigitMap() = default;
  /// Once, after SetSizes or before it. The digits of a dimension come from the lowest up and cover
  /// it; all sums of them fit; two elements must not share an offset.
  void SetDigits(DigitForm form);

  const DigitForm& form() const { return form_; }
  /// Largest stride first.
  const std::vector<Step>& steps() const { return steps_; }
  /// The smallest and the largest offset of an element.
  int64_t first() const { return first_; }
  int64_t last() const { return last_; }

 private:
  bool FindNested(int64_t rest, int64_t* values) const;
  bool FindByTrial(int64_t rest, int64_t* values) const;

  DigitForm form_;
  std::vector<bool> is_top_;  // of the digits: the highest of its dimension, which is not reduced
  std::vector<Step> steps_;
  int64_t first_ = 0;
  int64_t last_ = 0;
  bool is_nested_ = true;  // every stride is beyond what the steps after it reach
};

/// floor(a / b) and ceil(a / b) for b > 0 and any a.
inline int64_t FloorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
inline int64_t CeilDivSigned(int64_t a, int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_DIGIT_MAP_H_
