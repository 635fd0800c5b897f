#include "engine/cli/number_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <vector>

#include "engine/types/literal.h"
#include "engine/types/number_parts.h"
#include "engine/types/number_text.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"

namespace hlo {
namespace {

// As literals are: 0.1, 1e-3, -inf, nan.
std::optional<double> GivenNumber(const std::string& text) {
  Diagnostics faults;
  uint32_t consumed = 0;
  const auto literal = ParseLiteral(text, Shape::Scalar(ElementType::kF64), 0, &consumed, faults);
  if (!literal || literal->elided || consumed != text.size()) return std::nullopt;
  return *literal->value.tensor().data<double>();
}

std::string Shown(double value) {
  std::string text;
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  AppendDouble(value, &text);
  return text;
}
std::string Exactly(double value) {
  return std::isfinite(value) ? ExactDecimal(value) : Shown(value);
}

std::string BitsOfParts(const NumberParts& parts) {
  std::string text = parts.sign;
  for (const std::string* part : {&parts.exponent, &parts.mantissa}) {
    if (!text.empty() && !part->empty()) text += ' ';
    text += *part;
  }
  return text;
}
std::string HexOf(const NumberParts& parts) {
  return fmt::format("0x{:0{}x}", parts.code, (BitsOf(parts.type) + 3) / 4);
}

Json PartsJson(const NumberParts& parts) {
  // JSON has no NaN and no infinity: numbers are texts.
  return ObjectJson({{"type", Text(parts.type)},
                     {"value", Exactly(parts.value)},
                     {"hex", HexOf(parts)},
                     {"sign", parts.sign},
                     {"exponent", parts.exponent},
                     {"mantissa", parts.mantissa},
                     {"kind", parts.kind},
                     {"below", Shown(parts.below)},
                     {"above", Shown(parts.above)},
                     {"relativeError", Shown(parts.relative_error)}});
}

void AppendTable(const std::vector<NumberParts>& rows, std::string& out) {
  auto line = [&out](auto... cells) {
    fmt::format_to(std::back_inserter(out), "{:<14} {:<24} {:<10} {:<20} {:<10} {}\n", cells...);
  };
  line("type", "value", "error", "hex", "kind", "sign exponent mantissa");
  for (const NumberParts& parts : rows) {
    line(Text(parts.type), Shown(parts.value),
         parts.relative_error == 0 ? std::string("exact")
                                   : fmt::format("{:.2g}", parts.relative_error),
         HexOf(parts), parts.kind, BitsOfParts(parts));
  }
}

void AppendOne(const NumberParts& parts, std::string& out) {
  fmt::format_to(std::back_inserter(out),
                 "{} {}\n  exactly   {}\n  hex       {}\n  sign      {}\n  exponent  {}\n"
                 "  mantissa  {}\n  kind      {}\n  below     {}\n  above     {}\n  error     {}\n",
                 Text(parts.type), Shown(parts.value), Exactly(parts.value), HexOf(parts),
                 parts.sign.empty() ? "none" : parts.sign, parts.exponent,
                 parts.mantissa.empty() ? "none" : parts.mantissa, parts.kind, Shown(parts.below),
                 Shown(parts.above),
                 parts.relative_error == 0 ? "exact" : Shown(parts.relative_error));
}

}  // namespace

void AddNumberCommand(CLI::App& app, NumberRequest* request) {
  auto* number =
      app.add_subcommand("number", "Say how a number looks in the float types: its bits");
  number->add_option("NUMBER", request->number, "0.1, 1e-3, inf, nan; after -- if it is negative")
      ->required();
  number->add_option("--type", request->type, "One type alone, with its neighbours: bf16");
  number->add_flag("--json", request->json, "Print everything as JSON");
}

void PrintNumber(const NumberRequest& request, CommandResult& result) {
  auto refuse = [&result](std::string why) {
    result.err += "hlo: " + why + "\n";
    result.status = std::max(result.status, kExitUsage);
  };
  const auto given = GivenNumber(request.number);
  if (!given) return refuse(fmt::format("'{}' is no number", request.number));
  const auto wanted = ElementTypeFromText(request.type);
  if (!request.type.empty() && !(wanted && IsFloat(*wanted))) {
    return refuse(fmt::format("'{}' is no float type", request.type));
  }
  std::vector<NumberParts> rows;
  for (size_t i = 0; i < ElementTypes().size(); ++i) {
    const auto type = static_cast<ElementType>(i);
    if (IsFloat(type) && (!wanted || *wanted == type)) rows.push_back(PartsOfNumber(*given, type));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const NumberParts& a, const NumberParts& b) {
    return BitsOf(a.type) > BitsOf(b.type);
  });
  if (request.json) {
    Json types = Json::array();
    for (const NumberParts& parts : rows) types.push_back(PartsJson(parts));
    result.out = JsonText(ObjectJson({{"f64", Exactly(*given)}, {"types", types}})) + "\n";
  } else if (wanted) {
    AppendOne(rows[0], result.out);
  } else {
    result.out = fmt::format("{} as f64 is exactly {}; errors are relative to that.\n",
                             request.number, Exactly(*given));
    AppendTable(rows, result.out);
  }
}

}  // namespace hlo
