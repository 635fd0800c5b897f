// The build that a page loads first: what HLO needs. wasm/pair.ts hands the rest to the full build,
// texts with a custom call among it.
#include "wasm/build.h"

namespace hlo {

EngineBuild TheBuild() { return {{SmallCalls()}, HloLanguages(), SmallTargets()}; }

}  // namespace hlo
