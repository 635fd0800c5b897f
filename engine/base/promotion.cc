#include "engine/base/promotion.h"

namespace hlo {

void ReportAsErrors(const Diagnostics& found, Diagnostics& out) {
  for (const Diagnostic& d : found.list()) {
    const Severity severity = d.severity == Severity::kWarning ? Severity::kError : d.severity;
    Diagnostic& copy = out.Report(d.code, severity, d.range, d.message);
    copy.notes = d.notes;
    copy.fixes = d.fixes;
  }
}

}  // namespace hlo
