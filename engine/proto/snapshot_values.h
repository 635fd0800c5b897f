// What a snapshot has besides the program, in the forms that runs take and give.
#ifndef HLO_ENGINE_PROTO_SNAPSHOT_VALUES_H_
#define HLO_ENGINE_PROTO_SNAPSHOT_VALUES_H_

#include <cstdint>
#include <string>

#include "engine/types/literal.h"

namespace hlo {

/// How a value differs from the one that is expected.
struct Differences {
  bool same_shape = true;
  int64_t elements = 0;   ///< of all arrays
  int64_t differing = 0;  ///< two NaN are alike; other elements differ when their text does
  std::string first;      ///< "{1} {2,3}: 4 instead of 5": the element of a tuple, then the index
};
Differences DifferencesFrom(const ShapedLiteral& expected, const Value& value, const Shape& shape);

/// The same in a sentence about the result.
std::string DifferencesText(const Differences& differences);

}  // namespace hlo

#endif  // HLO_ENGINE_PROTO_SNAPSHOT_VALUES_H_
