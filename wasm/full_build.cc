// The full build: every call, every language, every custom-call target.
#include "engine/ops/products/product_rounding.h"
#include "wasm/build.h"

namespace hlo {

EngineBuild TheBuild() {
  return {{SmallCalls(), FullCalls()},
          AllLanguages(),
          AllTargets(),
          &AllInputForms(),
          FindProductRounding};
}

}  // namespace hlo
