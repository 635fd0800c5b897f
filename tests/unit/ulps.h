// How far a result is from the exact one.
#ifndef HLO_TESTS_UNIT_ULPS_H_
#define HLO_TESTS_UNIT_ULPS_H_

#include <cmath>
#include <limits>

namespace hlo {

/// In units of the last place of the exact result, which is given as a wider number; large for a
/// wrong special value or sign of zero.
template <typename T, typename Wide>
double UlpsBetween(T got, Wide wanted) {
  constexpr double kWrong = 1e9;
  const auto rounded = static_cast<T>(wanted);
  if (std::isnan(wanted)) return std::isnan(got) ? 0 : kWrong;
  if (std::isinf(rounded) || std::isinf(got)) return got == rounded ? 0 : kWrong;
  if (rounded == 0 && got == 0) return std::signbit(got) == std::signbit(rounded) ? 0 : kWrong;
  int exponent = 0;
  std::frexp(std::fmax(std::fabs(wanted), Wide{std::numeric_limits<T>::min()}), &exponent);
  return static_cast<double>(std::fabs(Wide{got} - wanted) /
                             std::ldexp(Wide{1}, exponent - std::numeric_limits<T>::digits));
}

}  // namespace hlo

#endif  // HLO_TESTS_UNIT_ULPS_H_
