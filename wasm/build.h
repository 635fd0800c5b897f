// Which of the two builds a module is.
#ifndef HLO_WASM_BUILD_H_
#define HLO_WASM_BUILD_H_

#include "engine/views/calls.h"

namespace hlo {

/// What this build contains: small_build.cc or full_build.cc.
EngineBuild TheBuild();

}  // namespace hlo

#endif  // HLO_WASM_BUILD_H_
