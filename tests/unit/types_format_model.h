// An independent, slow model of the small types: values by ldexp, rounding by search among all
// values. Knows nothing of engine/types but the names of the types.
#ifndef HLO_TESTS_UNIT_TYPES_FORMAT_MODEL_H_
#define HLO_TESTS_UNIT_TYPES_FORMAT_MODEL_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/kernels/constants.h"

namespace hlo::model {

/// A float format, with its code points as numbers.
struct Row {
  std::string_view type;
  int sign, exponent, mantissa, bias;
  uint32_t max_code;
  double max;
  std::optional<uint32_t> inf_code;
  uint32_t first_nan, last_nan;  ///< Without sign; first > last: no NaN.
  uint32_t nan_code;             ///< What a positive NaN converts to.
  bool negative_zero;
};

inline const Row kRows[] = {
    {"f16", 1, 5, 10, 15, 0x7BFF, 65504, 0x7C00, 0x7C01, 0x7FFF, 0x7E00, true},
    {"bf16", 1, 8, 7, 127, 0x7F7F, 3.3895313892515355e38, 0x7F80, 0x7F81, 0x7FFF, 0x7FC0, true},
    {"f8e5m2", 1, 5, 2, 15, 0x7B, 57344, 0x7C, 0x7D, 0x7F, 0x7E, true},
    {"f8e4m3", 1, 4, 3, 7, 0x77, 240, 0x78, 0x79, 0x7F, 0x7C, true},
    {"f8e4m3fn", 1, 4, 3, 7, 0x7E, 448, {}, 0x7F, 0x7F, 0x7F, true},
    {"f8e4m3b11fnuz", 1, 4, 3, 11, 0x7F, 30, {}, 1, 0, 0x80, false},
    {"f8e3m4", 1, 3, 4, 3, 0x6F, 15.5, 0x70, 0x71, 0x7F, 0x78, true},
    {"f8e5m2fnuz", 1, 5, 2, 16, 0x7F, 57344, {}, 1, 0, 0x80, false},
    {"f8e4m3fnuz", 1, 4, 3, 8, 0x7F, 240, {}, 1, 0, 0x80, false},
    {"f8e8m0fnu", 0, 8, 0, 127, 0xFE, 1.7014118346046923e38, {}, 0xFF, 0xFF, 0xFF, false},
    {"f6e3m2fn", 1, 3, 2, 3, 0x1F, 28, {}, 1, 0, 0x20, true},
    {"f6e2m3fn", 1, 2, 3, 1, 0x1F, 7.5, {}, 1, 0, 0x20, true},
    {"f4e2m1fn", 1, 2, 1, 1, 0x7, 6, {}, 1, 0, 0x8, true},
};

inline const Row* FindRow(std::string_view type) {
  for (const Row& row : kRows) {
    if (row.type == type) return &row;
  }
  return nullptr;
}

inline int Width(const Row& row) { return row.sign + row.exponent + row.mantissa; }
inline uint32_t SignBit(const Row& row) { return row.sign != 0 ? 1u << (Width(row) - 1) : 0u; }

inline double Decode(const Row& row, uint32_t code) {
  const bool is_negative = (code & SignBit(row)) != 0;
  const uint32_t magnitude = is_negative ? code - SignBit(row) : code;
  if (is_negative && magnitude == 0 && !row.negative_zero) return -kNan;  // fnuz
  if (magnitude >= row.first_nan && magnitude <= row.last_nan) {
    return is_negative ? -kNan : kNan;
  }
  if (row.inf_code == magnitude) return is_negative ? -kInfinity : kInfinity;
  const int e = static_cast<int>(magnitude >> row.mantissa);
  const int m = static_cast<int>(magnitude & ((1u << row.mantissa) - 1));
  double value;
  if (row.mantissa == 0) {
    value = std::ldexp(1.0, e - row.bias);
  } else if (e == 0) {
    value = std::ldexp(m, 1 - row.bias - row.mantissa);
  } else {
    value = std::ldexp(m + (1 << row.mantissa), e - row.bias - row.mantissa);
  }
  return is_negative ? -value : value;
}

/// Rounds by search. Built once per format.
class Encoder {
 public:
  explicit Encoder(const Row& row) : row_(row) {
    for (uint32_t code = 0; code <= row.max_code; ++code) values_.push_back(Decode(row, code));
    // The value that would come after the largest, if the exponent had no end.
    next_ = values_.back() + (values_.back() - values_[values_.size() - 2]);
    if (row.mantissa == 0) next_ = 2 * values_.back();
  }

  const std::vector<double>& values() const { return values_; }
  double next() const { return next_; }

  uint32_t Encode(double v, bool from_f32) const {
    const uint32_t sign = std::signbit(v) ? SignBit(row_) : 0;
    if (std::isnan(v)) {
      return row_.negative_zero ? row_.nan_code ^ sign : row_.nan_code;
    }
    if (row_.mantissa == 0) return EncodeScale(v, from_f32);
    const double a = std::fabs(v);
    const uint32_t code = Nearest(a);
    if (code > row_.max_code) {
      if (row_.inf_code) return *row_.inf_code | sign;
      if (Width(row_) < 8) return row_.max_code | sign;
      return row_.negative_zero ? row_.nan_code | sign : row_.nan_code;
    }
    if (code == 0 && !row_.negative_zero) return 0;
    return code | sign;
  }

 private:
  uint32_t Nearest(double a) const {
    if (a > next_) return row_.max_code + 1;
    const auto above = std::lower_bound(values_.begin(), values_.end(), a);
    const uint32_t high = static_cast<uint32_t>(above - values_.begin());
    const double high_value = high <= row_.max_code ? *above : next_;
    if (high_value == a) return high;
    const double low_value = values_[high - 1];
    const double middle = low_value + (high_value - low_value) / 2;
    if (a != middle) return a < middle ? high - 1 : high;
    return high % 2 == 0 ? high : high - 1;
  }
  uint32_t EncodeScale(double v, bool from_f32) const {
    if (!(v > 0)) return row_.nan_code;
    if (v <= values_.front()) return 0;
    if (from_f32 && v < values_[1]) return 1;  // XLA's conversion from f32 does so
    const auto above = std::lower_bound(values_.begin(), values_.end(), v);
    const uint32_t high = static_cast<uint32_t>(above - values_.begin());
    const double high_value = high <= row_.max_code ? *above : next_;
    const uint32_t code = v >= 0.75 * high_value ? high : high - 1;
    return code > row_.max_code ? row_.nan_code : code;
  }

  const Row& row_;
  std::vector<double> values_;
  double next_;
};

}  // namespace hlo::model

#endif  // HLO_TESTS_UNIT_TYPES_FORMAT_MODEL_H_
