#include "engine/why/range.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "engine/types/element_type.h"

namespace hlo {
namespace {

// Bits of the significand: "f8e4m3" has 4, with the one that is not stored.
int SignificandBits(ElementType type) {
  if (type == ElementType::kF64) return 53;
  if (type == ElementType::kF32) return 24;
  if (type == ElementType::kF16) return 11;
  if (type == ElementType::kBF16) return 8;
  const std::string_view text = Text(type);
  const size_t m = text.find('m');
  return m == text.npos || m + 1 >= text.size() ? BitsOf(type) : text[m + 1] - '0' + 1;
}

}  // namespace

bool IsPole(Opcode opcode, const std::vector<double>& operands) {
  switch (opcode) {
    case Opcode::kDivide:
      return operands.size() > 1 && operands[1] == 0;
    case Opcode::kLog:
    case Opcode::kRsqrt:
    case Opcode::kPower:
      return operands[0] == 0;
    case Opcode::kLogPlusOne:
      return operands[0] == -1;
    default:
      return false;
  }
}

bool MayUnderflow(const Instruction& instruction) {
  switch (instruction.opcode()) {
    case Opcode::kMultiply:
    case Opcode::kDivide:
    case Opcode::kExponential:
    case Opcode::kPower:
    case Opcode::kLogistic:
    case Opcode::kConvert:
    case Opcode::kReducePrecision:
      return true;
    default:
      return false;
  }
}

bool MayLose(Opcode opcode) {
  return opcode == Opcode::kAdd || opcode == Opcode::kSubtract || opcode == Opcode::kConvert ||
         opcode == Opcode::kReducePrecision;
}

double LostBits(Opcode opcode, const std::vector<double>& operands, double result,
                ElementType from) {
  if (!std::isfinite(result)) return 0;
  if (opcode == Opcode::kAdd || opcode == Opcode::kSubtract) {
    const double largest = std::max(std::abs(operands[0]), std::abs(operands[1]));
    return result == 0 ? 0 : std::log2(largest / std::abs(result));
  }
  const double x = operands[0];
  if (x == 0 || x == result || !std::isfinite(x)) return 0;
  const int bits = IsFloat(from) ? SignificandBits(from) : std::ilogb(x) + 1;
  return std::max(0.0, std::log2(std::abs((x - result) / x)) + bits);
}

bool IsRoundedToZero(Opcode opcode, const std::vector<double>& operands) {
  for (const double operand : operands) {
    if (!std::isfinite(operand)) return false;
  }
  const bool is_function = opcode == Opcode::kExponential || opcode == Opcode::kLogistic;
  if (is_function) return true;
  if (opcode == Opcode::kPower) return operands[0] != 0;
  return std::none_of(operands.begin(), operands.end(), [](double x) { return x == 0; });
}

}  // namespace hlo
