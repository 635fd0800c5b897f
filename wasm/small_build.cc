// The build that a page loads first: what HLO needs. wasm/pair.ts hands the rest to the full build.
#include <span>
#include <vector>

#include "engine/layout/film.h"
#include "engine/layout/notation_writers.h"
#include "engine/ops/custom_calls/custom_call_targets.h"
#include "wasm/build.h"

namespace hlo {

EngineBuild TheBuild() { return {{SmallCalls()}, HloLanguages()}; }

// In the place of what these rows do not need, but the tables of notations and of custom-call
// targets, which are one for both builds, name. Nothing of it is called.

// Layouts are read and looked at; films and conversions are the full build's.
Written WriteXla(const WriteRequest&) { return {}; }
Written WritePadded(const WriteRequest&) { return {}; }
Written WriteMorello(const WriteRequest&) { return {}; }
Written WriteCute(const WriteRequest&) { return {}; }
Written WriteStrides(const WriteRequest&) { return {}; }
std::vector<LayoutStep> StepsFromDigits(const LayoutMap&) { return {}; }
std::vector<LayoutStep> StepsFromDigits(const LayoutMap&, const DigitForm&) { return {}; }

// Texts with a custom call are the full build's (wasm/pair.ts).
std::span<const BuiltInTarget> MathTargets() { return {}; }
std::span<const BuiltInTarget> MatrixTargets() { return {}; }
std::span<const BuiltInTarget> SortingTargets() { return {}; }
std::span<const BuiltInTarget> RandomTargets() { return {}; }

}  // namespace hlo
