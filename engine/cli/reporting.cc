#include "engine/cli/reporting.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/base/source.h"

namespace hlo {

void Fail(CommandResult& result, int status, std::string_view message) {
  fmt::format_to(std::back_inserter(result.err), "hlo: {}\n", message);
  result.status = std::max(result.status, status);
}

void Report(CommandResult& result, const Diagnostics& diagnostics, std::string_view file,
            std::string_view text) {
  const LineTable lines(text);
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    result.err += FormatDiagnostic(diagnostic, file, lines);
  }
  const size_t kept = diagnostics.list().size();
  if (diagnostics.error_count() > kept) {
    fmt::format_to(std::back_inserter(result.err), "hlo: {} more errors are not shown\n",
                   diagnostics.error_count() - kept);
  }
  if (diagnostics.has_errors()) result.status = std::max(result.status, kExitDiagnostics);
}

}  // namespace hlo
