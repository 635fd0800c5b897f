// Generated code in the tables of threads.
#ifndef HLO_WASM_REGION_INSTALLER_H_
#define HLO_WASM_REGION_INSTALLER_H_

#include <cstdint>

namespace hlo {

/// Modules that are made from now on import shared memory, and are kept for other threads. To be
/// called before any is made.
void KeepModulesForThreads();

/// Puts into this thread's table what was made since the module with the number `*seen` (0: all),
/// which is moved on. Returns whether the browser took it. While nothing is made.
bool InstallModulesInThread(uint64_t* seen);

}  // namespace hlo

#endif  // HLO_WASM_REGION_INSTALLER_H_
