// Where exceptions are converted to diagnostics: whatever answering a call throws ends here.
#ifndef HLO_ENGINE_VIEWS_GUARD_H_
#define HLO_ENGINE_VIEWS_GUARD_H_

#include <new>
#include <utility>

#include "engine/base/diagnostics.h"

namespace hlo {

/// Reports the exception that is being handled: a RunError by its code, lack of memory, and
/// anything else as an internal error. Must be called in a handler. Throws std::bad_alloc if there
/// is no memory even for the report.
void ReportCaught(Diagnostics& diagnostics);

/// Calls the function. An exception is reported as an error of the whole text; returns false then.
template <typename Work>
bool Guarded(Diagnostics& diagnostics, const Work& work) {
  try {
    work();
    return true;
  } catch (...) {
    ReportCaught(diagnostics);
    return false;
  }
}

/// The result of `ask`; if it throws, the result of `explain` for the diagnostics. If there is no
/// memory even for that, `Answer{}`. Never throws.
template <typename Answer, typename Ask, typename Explain>
Answer Guarded(const Ask& ask, const Explain& explain) {
  try {
    Answer answer{};
    Diagnostics faults;
    if (Guarded(faults, [&] { answer = ask(); })) return answer;
    Diagnostics unexplained;
    if (Guarded(unexplained, [&] { answer = explain(std::move(faults)); })) return answer;
  } catch (const std::bad_alloc&) {
    // No memory to report anything.
  }
  return Answer{};
}

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_GUARD_H_
