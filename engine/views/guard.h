// The one place where exceptions end: whatever answering a question throws becomes a diagnostic.
#ifndef HLO_ENGINE_VIEWS_GUARD_H_
#define HLO_ENGINE_VIEWS_GUARD_H_

#include <new>
#include <utility>

#include "engine/base/diagnostics.h"

namespace hlo {

/// Reports the exception that is being handled: a RunError by its code, lack of memory, and what
/// nobody expects as a fault of the engine. To be called in a handler. Throws std::bad_alloc when
/// there is no memory even for the report.
void ReportCaught(Diagnostics& diagnostics);

/// Does the work. Whatever it throws is reported as an error of the whole text; false then.
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

/// What `ask` answers; where it throws, what `explain` answers to the faults. Where there is no
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
    // Nothing can be said.
  }
  return Answer{};
}

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_GUARD_H_
