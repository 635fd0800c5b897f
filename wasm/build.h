// Which of the two builds a module is.
#ifndef HLO_WASM_BUILD_H_
#define HLO_WASM_BUILD_H_

#include "engine/views/calls.h"

namespace hlo {

/// What this build contains: small_build.cc or full_build.cc.
EngineBuild TheBuild();
/// The engine that the module is: JavaScript makes a module for each engine. It is made when it is
/// first asked for.
Engine& TheEngine();

}  // namespace hlo

#endif  // HLO_WASM_BUILD_H_
