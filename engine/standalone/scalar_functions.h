// The functions of f64 and of complex numbers that code of stand-alone modules calls.
#ifndef HLO_ENGINE_STANDALONE_SCALAR_FUNCTIONS_H_
#define HLO_ENGINE_STANDALONE_SCALAR_FUNCTIONS_H_

#include "engine/codegen/function_pool.h"
#include "engine/codegen/function_writer.h"

namespace hlo {

/// Whether there is code for it.
bool HasScalarFunction(const PoolFunction& function);
/// How many f64 it takes and gives.
int ParametersOf(const PoolFunction& function);
int ResultsOf(const PoolFunction& function);
/// The function, of the same lines as the engine's (engine/lanes, kernels/complex_functions.h). It
/// calls others of the pool.
CodeBytes WriteScalarFunction(const PoolFunction& function, FunctionPool* pool);

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_SCALAR_FUNCTIONS_H_
