#include "engine/views/convert_view.h"

#include <algorithm>

#include "engine/base/work_limit.h"
#include "engine/hlo/printer.h"
#include "engine/mlir/exporter.h"
#include "engine/views/guard.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"

namespace hlo {
namespace {

constexpr std::string_view kStableHlo = "stablehlo";
constexpr std::string_view kHloName = "hlo";

void Tidy(std::vector<std::pair<uint32_t, uint32_t>>* lines) {
  std::sort(lines->begin(), lines->end());
  lines->erase(std::unique(lines->begin(), lines->end()), lines->end());
}

// StableHLO is printed as its author wrote it, or, if sizes depend on the inputs, as the program
// for these inputs. Messages that only ask for inputs are not errors of the text.
bool PrintSource(const Document& document, ConvertView* view) {
  const MlirArguments& arguments = document.arguments();
  const bool is_sized = arguments.wanted && !arguments.specs.empty();
  if (document.kind() != TextKind::kMlir || is_sized ||
      document.diagnostics().error_count() != arguments.missing) {
    return false;
  }
  auto printed = PrintStableHlo(document.text());
  if (!printed) return false;
  if (arguments.missing > 0) view->diagnostics = {};
  view->ok = true;
  view->text = std::move(printed->text);
  const LineTable from(document.text());
  for (const auto& [place, line] : printed->lines) {
    view->lines.emplace_back(from.At(place).line - 1, line);
  }
  return true;
}

void Convert(const Document& document, TextKind to, ConvertView* view) {
  if (to == TextKind::kMlir && PrintSource(document, view)) return;
  if (!document.ok() || !document.module()->entry()) return;
  const Module& module = *document.module();
  const LineTable from(document.text());
  if (to == TextKind::kMlir) {
    StableHloText made = ExportStableHlo(module, view->diagnostics);
    view->diagnostics.SortByRange();
    view->text = std::move(made.text);
    for (const StableHloText::Line& line : made.lines) {
      const Range place = line.instruction->places().whole;
      if (place == Range{}) continue;
      view->lines.emplace_back(from.At(place.begin).line - 1, line.line);
    }
  } else {
    std::vector<PrintedPlace> places;
    view->text = PrintModule(module, {}, &places);
    const LineTable to(view->text);
    for (const PrintedPlace& place : places) {
      if (!place.is_instruction) continue;
      view->lines.emplace_back(from.At(place.source).line - 1, to.At(place.printed).line - 1);
    }
  }
  view->ok = !view->diagnostics.has_errors();
}

}  // namespace

TextKind DialectFromText(std::string_view name) {
  return name == kStableHlo ? TextKind::kMlir
         : name == kHloName ? TextKind::kHlo
                            : TextKind::kEmpty;
}

ConvertView ConvertDocument(const Document& document, TextKind to) {
  ConvertView view;
  view.diagnostics = document.diagnostics();
  Guarded(view.diagnostics, [&] {
    const WorkLimit limit(WorkLimit::ForText(document.text().size()));
    Convert(document, to, &view);
  });
  Tidy(&view.lines);
  view.ok = view.ok && !view.diagnostics.has_errors();
  if (!view.ok) {
    view.text.clear();
    view.lines.clear();
  }
  return view;
}

std::string ConvertJson(const Document& document, std::string_view options,
                        std::vector<uint32_t>* lines) {
  const bool is_mlir = document.kind() == TextKind::kMlir;
  const Json wanted = ParseJson(options);
  TextKind to = TextKind::kEmpty;
  if (wanted.is_object() && wanted.contains("to") && wanted["to"].is_string()) {
    to = DialectFromText(wanted["to"].get_ref<const std::string&>());
  }
  if (to == TextKind::kEmpty) to = is_mlir ? TextKind::kHlo : TextKind::kMlir;
  ConvertView view = ConvertDocument(document, to);
  for (const auto& [from, line] : view.lines) lines->insert(lines->end(), {from, line});
  return JsonText({{"ok", view.ok},
                   {"from", is_mlir ? kStableHlo : TextKindName(document.kind())},
                   {"to", to == TextKind::kMlir ? kStableHlo : kHloName},
                   {"text", std::move(view.text)},
                   {"diagnostics", DiagnosticsJson(view.diagnostics, document.map())}});
}

}  // namespace hlo
