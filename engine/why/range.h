// Where the exact result of an operation on single numbers is out of the range or the precision of
// its type. Internal to engine/why.
#ifndef HLO_ENGINE_WHY_RANGE_H_
#define HLO_ENGINE_WHY_RANGE_H_

#include <vector>

#include "engine/hlo/ir.h"

namespace hlo {

/// Whether the exact result of finite operands is infinite.
bool IsPole(Opcode opcode, const std::vector<double>& operands);
/// Whether a zero may be the result of rounding; sums and differences are exact there.
bool MayUnderflow(const Instruction& instruction);
/// Whether a zero that these operands gave is one.
bool IsRoundedToZero(Opcode opcode, const std::vector<double>& operands);
bool MayLose(Opcode opcode);
/// How many bits of the operands, of type `from`, no longer count in the result.
double LostBits(Opcode opcode, const std::vector<double>& operands, double result,
                ElementType from);

}  // namespace hlo

#endif  // HLO_ENGINE_WHY_RANGE_H_
