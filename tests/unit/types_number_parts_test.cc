// Numbers as bits: parts, neighbours, exact digits.
#include <cmath>

#include "doctest/doctest.h"
#include "engine/types/number_parts.h"

namespace hlo {
namespace {

TEST_CASE("parts of numbers in float types") {
  const NumberParts bf16 = PartsOfNumber(0.1, ElementType::kBF16);
  CHECK(bf16.code == 0x3dcd);
  CHECK(bf16.sign == "0");
  CHECK(bf16.exponent == "01111011");
  CHECK(bf16.mantissa == "1001101");
  CHECK(bf16.value == 0.10009765625);
  CHECK(bf16.below == 0.099609375);
  CHECK(bf16.above == 0.1005859375);
  CHECK(PartsOfNumber(0.1, ElementType::kF64).relative_error == 0);
  CHECK(PartsOfNumber(1e-45, ElementType::kF32).kind == "subnormal");
  CHECK(PartsOfNumber(0, ElementType::kF32).above == 0x1p-149);
  CHECK(PartsOfNumber(0, ElementType::kF32).below == -0x1p-149);
  CHECK(PartsOfNumber(1e9, ElementType::kF16).kind == "infinity");
  CHECK(PartsOfNumber(1e9, ElementType::kF8E4M3FN).kind == "NaN");
  CHECK(PartsOfNumber(448, ElementType::kF8E4M3FN).below == 416);
  CHECK(std::isnan(PartsOfNumber(448, ElementType::kF8E4M3FN).above));
  CHECK(PartsOfNumber(2, ElementType::kF8E8M0FNU).sign.empty());
}

TEST_CASE("exact digits") {
  CHECK(ExactDecimal(0.1) == "0.1000000000000000055511151231257827021181583404541015625");
  CHECK(ExactDecimal(-2.5) == "-2.5");
  CHECK(ExactDecimal(0) == "0");
  CHECK(ExactDecimal(-0.0) == "-0");
  CHECK(ExactDecimal(1e22) == "10000000000000000000000");
  CHECK(ExactDecimal(0x1p-1074).size() == 1076);
}

}  // namespace
}  // namespace hlo
