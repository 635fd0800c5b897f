#include "engine/cli/number_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <vector>

#include "engine/types/number_parts.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/number_view.h"

namespace hlo {
namespace {

void AppendTable(const std::vector<NumberParts>& rows, std::string& out) {
  auto line = [&out](auto... cells) {
    fmt::format_to(std::back_inserter(out), "{:<14} {:<24} {:<10} {:<20} {:<10} {}\n", cells...);
  };
  line("type", "value", "error", "hex", "kind", "sign exponent mantissa");
  for (const NumberParts& parts : rows) {
    line(Text(parts.type), ShownNumber(parts.value),
         parts.relative_error == 0 ? std::string("exact")
                                   : fmt::format("{:.2g}", parts.relative_error),
         HexOfNumber(parts), parts.kind, BitsOfNumber(parts));
  }
}

void AppendIntegers(const std::vector<IntegerParts>& rows, std::string& out) {
  if (rows.empty()) return;
  auto line = [&out](auto... cells) {
    fmt::format_to(std::back_inserter(out), "{:<14} {:<24} {:<10} {:<20} {}\n", cells...);
  };
  out += '\n';
  line("type", "value", "", "hex", "bits, two's complement");
  for (const IntegerParts& parts : rows) {
    line(Text(parts.type), parts.value, parts.is_exact ? "exact" : "low bits", HexOfNumber(parts),
         parts.bits);
  }
}

void AppendInteger(const IntegerParts& parts, std::string& out) {
  auto shown = [](const std::string& text) { return text.empty() ? "none" : text; };
  fmt::format_to(std::back_inserter(out),
                 "{} {}{}\n  hex       {}\n  bits      {}\n  {}  {}\n  below     {}\n"
                 "  above     {}\n",
                 Text(parts.type), parts.value, parts.is_exact ? "" : " (the low bits)",
                 HexOfNumber(parts), parts.bits, IsSigned(parts.type) ? "unsigned" : "signed  ",
                 parts.otherwise, shown(parts.below), shown(parts.above));
}

void AppendOne(const NumberParts& parts, std::string& out) {
  fmt::format_to(std::back_inserter(out),
                 "{} {}\n  exactly   {}\n  hex       {}\n  sign      {}\n  exponent  {}\n"
                 "  mantissa  {}\n  kind      {}\n  below     {}\n  above     {}\n  error     {}\n",
                 Text(parts.type), ShownNumber(parts.value), ExactNumber(parts.value),
                 HexOfNumber(parts), parts.sign.empty() ? "none" : parts.sign, parts.exponent,
                 parts.mantissa.empty() ? "none" : parts.mantissa, parts.kind,
                 ShownNumber(parts.below), ShownNumber(parts.above),
                 parts.relative_error == 0 ? "exact" : ShownNumber(parts.relative_error));
}

}  // namespace

void AddNumberOptions(CLI::App* number, NumberRequest* request) {
  number->add_option("NUMBER", request->number, "0.1, 1e-3, inf, nan; after -- if it is negative")
      ->required();
  number->add_option("--type", request->type, "One type alone, with its neighbours: bf16");
  number->add_flag("--json", request->json, "Print everything as JSON");
}

void PrintNumber(const NumberRequest& request, CommandResult& result) {
  auto refuse = [&result](const std::string& why) {
    result.err += "hlo: " + why + "\n";
    result.status = std::max(result.status, kExitUsage);
  };
  const auto given = ParseNumber(request.number);
  if (!given) return refuse(fmt::format("'{}' is not a number", request.number));
  const auto wanted = ElementTypeFromText(request.type);
  const bool is_integral = wanted && IsIntegral(*wanted);
  if (!request.type.empty() && !(wanted && (IsFloat(*wanted) || is_integral))) {
    return refuse(fmt::format("'{}' is no float type and no integer type", request.type));
  }
  std::vector<NumberParts> rows;
  if (!is_integral) {
    rows = wanted ? std::vector{PartsOfNumber(*given, *wanted)} : PartsInFloatTypes(*given);
  }
  std::vector<IntegerParts> integers;
  if (!wanted || is_integral) integers = PartsInIntegerTypes(request.number);
  if (is_integral) {
    std::erase_if(integers, [&](const IntegerParts& parts) { return parts.type != *wanted; });
    if (integers.empty()) {
      return refuse(fmt::format("'{}' is no whole number of 64 bits", request.number));
    }
  }
  if (request.json) {
    result.out = JsonText(NumberPartsJson(*given, rows, integers)) + "\n";
  } else if (is_integral) {
    AppendInteger(integers[0], result.out);
  } else if (wanted) {
    AppendOne(rows[0], result.out);
  } else {
    result.out = fmt::format("{} as f64 is exactly {}; errors are relative to that.\n",
                             request.number, ExactNumber(*given));
    AppendTable(rows, result.out);
    AppendIntegers(integers, result.out);
  }
}

}  // namespace hlo
