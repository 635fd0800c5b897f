// How the value of a constant differs from the one it had.
#ifndef HLO_ENGINE_DIFF_CONSTANT_CHANGE_H_
#define HLO_ENGINE_DIFF_CONSTANT_CHANGE_H_

#include <string>

#include "engine/types/literal.h"

namespace hlo {

/// In words: "value is 3, was 2" where both are short; of longer arrays of one type and size
/// "3 of 1024 elements differ, the first at [0,2]: 3, was 2"; otherwise "another value".
std::string ConstantChange(const ShapedLiteral& before, const ShapedLiteral& after);

}  // namespace hlo

#endif  // HLO_ENGINE_DIFF_CONSTANT_CHANGE_H_
