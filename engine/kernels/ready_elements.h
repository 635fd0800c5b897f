// How a kernel hands on parts of its result before it has all of it.
#ifndef HLO_ENGINE_KERNELS_READY_ELEMENTS_H_
#define HLO_ENGINE_KERNELS_READY_ELEMENTS_H_

#include <cstdint>

#include "engine/base/budget.h"
#include "engine/base/function_ref.h"

namespace hlo {

/// Told that the elements [begin, begin + count) of a result are final, by the thread (pieces.h)
/// that has just computed them. May change them: the kernel does not touch them again. Every
/// element is handed on once. Throws RunError.
using ElementsReady = FunctionRef<void(int64_t begin, int64_t count, int thread, Budget* budget)>;

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_READY_ELEMENTS_H_
