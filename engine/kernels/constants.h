// Mathematical constants that several functions need.
#ifndef HLO_ENGINE_KERNELS_CONSTANTS_H_
#define HLO_ENGINE_KERNELS_CONSTANTS_H_

#include <limits>

namespace hlo {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
inline constexpr double kPi = 3.14159265358979324;
inline constexpr double kTwoPi = 6.28318530717958648;
inline constexpr double kHalfPi = 1.57079632679489661923132169164;
inline constexpr double kLn2 = 0.693147180559945309417232121458;

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_CONSTANTS_H_
