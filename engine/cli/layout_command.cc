#include "engine/cli/layout_command.h"

#include <fmt/format.h>

#include <iterator>
#include <optional>

#include "engine/cli/reporting.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/layout_compare.h"
#include "engine/views/layout_report.h"
#include "engine/views/layout_view.h"
#include "engine/views/relayout_view.h"

namespace hlo {
namespace {

void AppendAddress(const AddressExplanation& explanation, std::string& text) {
  fmt::format_to(std::back_inserter(text), "element {{{}}}: offset {}, byte {}",
                 fmt::join(explanation.index, ","), explanation.offset, explanation.first_bit / 8);
  if (explanation.first_bit % 8 != 0) {
    fmt::format_to(std::back_inserter(text), ", bit {}", explanation.first_bit % 8);
  }
  text += "\n";
  for (const AddressTerm& term : explanation.terms) {
    fmt::format_to(std::back_inserter(text), "  part {}\n", term.part);
    for (const std::string& line : term.lines) {
      fmt::format_to(std::back_inserter(text), "    {}\n", line);
    }
  }
  for (const std::string& line : explanation.lines) {
    fmt::format_to(std::back_inserter(text), "  {}\n", line);
  }
}

void AppendComparison(const LayoutView& view, const LayoutView& other,
                      const LayoutComparison& comparison, std::string& text) {
  fmt::format_to(std::back_inserter(text), "compared with {}\n  {}\n", other.text, comparison.text);
  for (const std::string& line : RelayoutLines(view, other, MakeRelayoutView(view, other))) {
    fmt::format_to(std::back_inserter(text), "  {}\n", line);
  }
}

}  // namespace

void PrintLayout(const LayoutArguments& options, CommandResult& result) {
  Dims index;
  if (options.has_index && !ParseIndex(options.index, &index)) {
    return Fail(result, kExitUsage,
                fmt::format("--index expects numbers like 2,3, not '{}'", options.index));
  }
  const LayoutView view = MakeLayoutView(options.shape);
  Report(result, view.diagnostics, "<shape>", view.text);
  std::optional<LayoutView> other;
  std::optional<LayoutComparison> comparison;
  if (!options.compared.empty()) {
    other = MakeLayoutView(options.compared);
    Report(result, other->diagnostics, "<other>", other->text);
    comparison = CompareLayouts(view, *other);
  }
  std::optional<AddressView> address;
  if (options.has_index) address = MakeAddressView(view, index);
  if (options.json) {
    Json json = ParseJson(LayoutJson(view));
    json["conversions"] = ParseJson(ConversionsJson(view));
    if (address) json["address"] = ParseJson(AddressJson(*address));
    if (comparison) {
      json["comparison"] = ParseJson(ComparisonJson(*comparison));
      json["relayout"] = ParseJson(RelayoutJson(view, *other));
    }
    result.out = JsonText(json) + "\n";
  }
  if (!view.map) return;
  if (!options.json) result.out = LayoutReport(view);
  if (comparison && !options.json) AppendComparison(view, *other, *comparison, result.out);
  if (comparison && other->map && !comparison->comparable) {
    Fail(result, kExitDiagnostics, comparison->problem);
  }
  if (!address) return;
  if (!address->ok) return Fail(result, kExitDiagnostics, address->problem);
  if (!options.json) AppendAddress(address->explanation, result.out);
}

}  // namespace hlo
