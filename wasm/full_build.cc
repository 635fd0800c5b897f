// The full build: every call, every language, every custom-call target.
#include "wasm/build.h"

namespace hlo {

EngineBuild TheBuild() {
  return {{SmallCalls(), FullCalls()}, AllLanguages(), AllTargets(), &AllInputForms()};
}

}  // namespace hlo
