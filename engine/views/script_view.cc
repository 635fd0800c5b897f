#include "engine/views/script_view.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "engine/hlo/printer.h"
#include "engine/mlir/exporter.h"
#include "engine/views/json_parts.h"

namespace hlo {

ScriptView MakeScript(const RunRecord& record, const RunRequest&) {
  ScriptView view;
  view.diagnostics = record.diagnostics;
  const Document& document = *record.document;
  if (!document.ok() || !document.module()->entry()) return view;
  Diagnostics faults;
  StableHloText made = ExportStableHlo(*document.module(), faults);
  view.ok = true;
  view.text = faults.has_errors() ? PrintModule(*document.module()) : std::move(made.text);
  return view;
}

std::string ScriptJson(const ScriptView& view, const Document& document) {
  return JsonText({{"ok", view.ok},
                   {"text", view.text},
                   {"diagnostics", DiagnosticsJson(view.diagnostics, document.map())}});
}

}  // namespace hlo
