// Addresses as sums of digits of the indices: the form in which two layouts can be laid over each
// other, whatever notation they are written in.
#ifndef HLO_ENGINE_LAYOUT_ADDRESS_DIGITS_H_
#define HLO_ENGINE_LAYOUT_ADDRESS_DIGITS_H_

#include <cstdint>
#include <vector>

namespace hlo {

/// One term of an address: stride * (floor(index[dim] / below) mod size).
/// Source: reference/layouts.md section 8.3, where Morello's offsets have this form.
struct AddressDigit {
  int32_t dim = 0;    ///< Logical dimension.
  int64_t below = 1;  ///< How many values of the dimension share a value of the digit, at least 1.
  int64_t size = 1;   ///< Values of the digit, with padding; more than 1.
  int64_t stride = 0;
};

/// offset(index) = base + the sum of the digits' terms, for every index of the array.
struct AddressDigits {
  int64_t base = 0;
  std::vector<AddressDigit> digits;
};

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_ADDRESS_DIGITS_H_
