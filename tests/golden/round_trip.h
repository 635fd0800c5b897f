// A run case as HLO, as StableHLO, and as HLO again: the same results, bit for bit.
#ifndef HLO_TESTS_GOLDEN_ROUND_TRIP_H_
#define HLO_TESTS_GOLDEN_ROUND_TRIP_H_

#include <set>
#include <string>

#include "tests/golden/golden_case.h"

namespace hlo {

/// What came of converting a case there and back.
struct RoundTrip {
  bool passed = true;
  std::string failure;            ///< for people
  std::set<std::string> missing;  ///< what has no counterpart, as the diagnostics say it
};
/// Converts the program of a run case to StableHLO, imports that, and runs it with the values that
/// the case's own program gets: results, values for the host, and failures must be the same.
/// Converting again must give the same text.
RoundTrip RunRoundTrip(const GoldenCase& golden);

}  // namespace hlo

#endif  // HLO_TESTS_GOLDEN_ROUND_TRIP_H_
