#include "engine/cli/reporting.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "engine/base/source.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"

namespace hlo {

void Fail(CommandResult& result, int status, std::string_view message) {
  fmt::format_to(std::back_inserter(result.err), "hlo: {}\n", message);
  result.status = std::max(result.status, status);
}

void Report(CommandResult& result, const Diagnostics& diagnostics, std::string_view file,
            std::string_view text, bool json) {
  const LineTable lines(text);
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    result.err += FormatDiagnostic(diagnostic, file, lines);
  }
  const size_t kept = diagnostics.list().size();
  if (diagnostics.error_count() > kept) {
    fmt::format_to(std::back_inserter(result.err), "hlo: {} more errors are not shown\n",
                   diagnostics.error_count() - kept);
  }
  if (!diagnostics.has_errors()) return;
  result.status = std::max(result.status, kExitDiagnostics);
  if (!json || !result.out.empty()) return;
  Json list = DiagnosticsJson(diagnostics, TextMap(text));
  result.out = JsonText(ObjectJson({{"ok", false}, {"diagnostics", std::move(list)}})) + "\n";
}

}  // namespace hlo
