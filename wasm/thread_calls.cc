// Threads of the full build, where the page is isolated: engine/threads/pool.h in a browser, whose
// threads are workers.
#include <emscripten/emscripten.h>

#include <cstddef>

#include "engine/threads/pool.h"
#include "wasm/region_installer.h"

// Calls function(argument). A trap, or a stack that is too small, ends the thread, not the page: 0.
// clang-format off
EM_JS(int, CallUntilTrap, (size_t callee, size_t argument), {
  try {
    wasmTable.get(callee)(argument);
    return 1;
  } catch (error) {
    console.error("A thread of the engine failed:", error);
    return 0;
  }
});
// clang-format on

namespace hlo {
namespace {

bool CallInThread(void (*function)(void*), void* argument) {
  return CallUntilTrap(reinterpret_cast<size_t>(function), reinterpret_cast<size_t>(argument)) != 0;
}

}  // namespace

extern "C" {

/// To be called before anything else: code is made for shared memory from now on.
EMSCRIPTEN_KEEPALIVE void hlo_begin_threads() {
  KeepModulesForThreads();
  SetThreadHooks({.prepare = InstallModulesInThread, .call = CallInThread});
}

/// SetThreads. Workers start once the thread that called has returned to its event loop; a run that
/// begins earlier has the ones that are there.
EMSCRIPTEN_KEEPALIVE int hlo_set_threads(int count) { return SetThreads(count); }

/// AwakeThreads.
EMSCRIPTEN_KEEPALIVE int hlo_awake_threads() { return AwakeThreads(); }

}  // extern "C"

}  // namespace hlo
