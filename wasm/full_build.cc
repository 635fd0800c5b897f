// The full build: every call, every language.
#include "wasm/build.h"

namespace hlo {

EngineBuild TheBuild() { return {{SmallCalls(), FullCalls()}, AllLanguages()}; }

}  // namespace hlo
