// Which values of a run hold NaN or infinities; what made them, engine/why tells.
#ifndef HLO_ENGINE_VIEWS_NON_FINITE_H_
#define HLO_ENGINE_VIEWS_NON_FINITE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "engine/run/finiteness.h"
#include "engine/views/run_view.h"

namespace hlo {

/// An entry of a trace whose value is kept and is not all finite.
struct NonFiniteEntry {
  int64_t id = 0;
  NonFinite found;
};
/// In order of execution.
std::vector<NonFiniteEntry> NonFiniteEntries(const RunRecord& record);
/// [id, NaN, infinity] of each, and of the outputs ("output", "output@1"); the latter two 0 or 1.
std::string NonFiniteJson(const RunRecord& record);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_NON_FINITE_H_
