// Texts that the tables of several ops share: names of operands, element types.
#ifndef HLO_ENGINE_OPS_OP_WORDS_H_
#define HLO_ENGINE_OPS_OP_WORDS_H_

#include <string_view>

namespace hlo {

// OpDef::operands.
inline constexpr std::string_view kOperand[] = {"operand"};
inline constexpr std::string_view kArgument[] = {"argument"};
inline constexpr std::string_view kLhsAndRhs[] = {"lhs", "rhs"};
inline constexpr std::string_view kInputOrInit[] = {"input_or_init"};
inline constexpr std::string_view kStart[] = {"start"};
inline constexpr std::string_view kState[] = {"state"};

// The attribute that names the computation of a fusion or of an async op.
inline constexpr std::string_view kCalls = "calls";

// OpDef::types.
inline constexpr std::string_view kAllArrayTypes = "all array types";

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_OP_WORDS_H_
