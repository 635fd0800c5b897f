#include "engine/views/number_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/types/literal.h"
#include "engine/types/number_text.h"
#include "engine/views/json.h"

namespace hlo {
namespace {

Json OneTypeJson(const NumberParts& parts) {
  // JSON has no NaN and no infinity: numbers are texts.
  return ObjectJson({{"type", Text(parts.type)},
                     {"value", ExactNumber(parts.value)},
                     {"hex", HexOfNumber(parts)},
                     {"sign", parts.sign},
                     {"exponent", parts.exponent},
                     {"mantissa", parts.mantissa},
                     {"kind", parts.kind},
                     {"below", ShownNumber(parts.below)},
                     {"above", ShownNumber(parts.above)},
                     {"relativeError", ShownNumber(parts.relative_error)}});
}

Json OneIntegerJson(const IntegerParts& parts) {
  return ObjectJson({{"type", Text(parts.type)},
                     {"value", parts.value},
                     {"otherwise", parts.otherwise},
                     {"hex", HexOfNumber(parts)},
                     {"bits", parts.bits},
                     {"below", parts.below},
                     {"above", parts.above},
                     {"exact", parts.is_exact}});
}

std::string HexOfCode(uint64_t code, ElementType type) {
  return fmt::format("0x{:0{}x}", code, (BitsOf(type) + 3) / 4);
}

}  // namespace

std::optional<double> ParseNumber(std::string_view text) {
  Diagnostics faults;
  uint32_t consumed = 0;
  const auto literal = ParseLiteral(text, Shape::Scalar(ElementType::kF64), 0, &consumed, faults);
  if (!literal || literal->elided || consumed != text.size()) return std::nullopt;
  return *literal->value.tensor().data<double>();
}

std::string ShownNumber(double value) {
  std::string text;
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  AppendDouble(value, &text);
  return text;
}
std::string ExactNumber(double value) {
  return std::isfinite(value) ? ExactDecimal(value) : ShownNumber(value);
}

std::string BitsOfNumber(const NumberParts& parts) {
  std::string text = parts.sign;
  for (const std::string* part : {&parts.exponent, &parts.mantissa}) {
    if (!text.empty() && !part->empty()) text += ' ';
    text += *part;
  }
  return text;
}
std::string HexOfNumber(const NumberParts& parts) { return HexOfCode(parts.code, parts.type); }
std::string HexOfNumber(const IntegerParts& parts) { return HexOfCode(parts.code, parts.type); }

std::vector<NumberParts> PartsInFloatTypes(double given) {
  std::vector<NumberParts> rows;
  for (size_t i = 0; i < ElementTypes().size(); ++i) {
    const auto type = static_cast<ElementType>(i);
    if (IsFloat(type)) rows.push_back(PartsOfNumber(given, type));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const NumberParts& a, const NumberParts& b) {
    return BitsOf(a.type) > BitsOf(b.type);
  });
  return rows;
}

std::vector<IntegerParts> PartsInIntegerTypes(std::string_view text) {
  std::vector<IntegerParts> rows;
  const auto given = ParseWholeNumber(text);
  for (size_t i = 0; given && i < ElementTypes().size(); ++i) {
    const auto type = static_cast<ElementType>(i);
    if (IsIntegral(type)) rows.push_back(PartsOfInteger(*given, type));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const IntegerParts& a, const IntegerParts& b) {
    return BitsOf(a.type) > BitsOf(b.type);
  });
  return rows;
}

Json NumberPartsJson(double given, const std::vector<NumberParts>& types,
                     const std::vector<IntegerParts>& integers) {
  Json list = Json::array(), whole = Json::array();
  for (const NumberParts& parts : types) list.push_back(OneTypeJson(parts));
  for (const IntegerParts& parts : integers) whole.push_back(OneIntegerJson(parts));
  return ObjectJson(
      {{"f64", ExactNumber(given)}, {"types", std::move(list)}, {"integers", std::move(whole)}});
}

}  // namespace hlo
