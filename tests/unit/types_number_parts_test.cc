// Numbers as bits: parts, neighbours, exact digits.
#include <cmath>

#include "doctest/doctest.h"
#include "engine/types/integer_parts.h"
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
  // As in `bf16[] constant(1.003906250001)`.
  CHECK(PartsOfNumber(1.003906250001, ElementType::kBF16).value == 1);
}

TEST_CASE("whole numbers in integer types: two's complement, neighbours, and what is left") {
  auto parts = [](std::string_view text, ElementType type) {
    const auto number = ParseWholeNumber(text);
    REQUIRE(number);
    return PartsOfInteger(*number, type);
  };
  const IntegerParts s4 = parts("-3", ElementType::kS4);
  CHECK(s4.code == 0xd);
  CHECK(s4.bits == "1101");
  CHECK(s4.value == "-3");
  CHECK(s4.otherwise == "13");
  CHECK(s4.below == "-4");
  CHECK(s4.above == "-2");
  CHECK(s4.is_exact);
  CHECK(parts("7", ElementType::kS4).above.empty());
  CHECK(parts("-8", ElementType::kS4).below.empty());
  CHECK(parts("8", ElementType::kS4).value == "-8");
  CHECK_FALSE(parts("8", ElementType::kS4).is_exact);
  CHECK(parts("-1", ElementType::kU8).value == "255");
  CHECK(parts("255", ElementType::kU8).otherwise == "-1");
  CHECK(parts("0", ElementType::kU8).below.empty());
  CHECK(parts("-1", ElementType::kS1).bits == "1");
  CHECK(parts("-9223372036854775808", ElementType::kS64).value == "-9223372036854775808");
  CHECK(parts("-9223372036854775808", ElementType::kS64).below.empty());
  CHECK(parts("18446744073709551615", ElementType::kU64).above.empty());
  CHECK(parts("18446744073709551615", ElementType::kS64).value == "-1");
  for (const char* const text : {"", "-", "1.5", "18446744073709551616", "-9223372036854775809"}) {
    CHECK_FALSE(ParseWholeNumber(text));
  }
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
