#include "engine/views/layout_report.h"

#include <fmt/format.h>

#include <iterator>

#include "engine/base/byte_count.h"
#include "engine/layout/digit_form.h"
#include "engine/views/layout_compare.h"

namespace hlo {

std::string LayoutReport(const LayoutView& view) {
  const LayoutMap& map = *view.map;
  std::string text = fmt::format(
      "{}\n  physical dimensions  {}\n  elements             {} ({} with padding)\n"
      "  bytes                {} ({} of {} bits)\n  {}\n",
      view.subject, fmt::join(map.physical_dims(), " x "), map.element_count(), map.aligned_count(),
      map.byte_size(), Counted(map.aligned_count(), "element"), map.element_bits(),
      view.padding.text);
  auto append = [&text](std::string_view line) {
    fmt::format_to(std::back_inserter(text), "  {}\n", line);
  };
  for (const PaddingCause& cause : view.padding.causes) append(cause.text);
  for (const std::string& line : TermLines(TermsOf(view))) append(line);
  for (const std::string& fact : view.facts) append(fact);
  const std::string formula = AddressFormula(map);
  if (!formula.empty()) append("offset = " + formula);
  text += "in other notations\n";
  for (const LayoutConversion& conversion : ConvertLayout(view)) {
    if (conversion.notation == view.notation && conversion.note.empty()) continue;
    fmt::format_to(std::back_inserter(text), "  {:<8} {}{}{}\n", conversion.notation->name,
                   conversion.text.empty() ? conversion.reason : conversion.text,
                   conversion.note.empty() ? "" : "   ", conversion.note);
  }
  return text;
}

}  // namespace hlo
