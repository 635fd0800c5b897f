// A module with the innermost loops of products whose steps are fused: instructions that compilers
// and tools of the engine's own module do not know.
#ifndef HLO_ENGINE_CODEGEN_FUSED_PRODUCTS_H_
#define HLO_ENGINE_CODEGEN_FUSED_PRODUCTS_H_

#include "engine/codegen/function_writer.h"

namespace hlo {

/// Its functions are those of kernels/fused_code.h, in their order. An instruction of relaxed SIMD
/// is fused on machines that have one like it, and takes two steps elsewhere: whoever uses the
/// module has to try that. Source: the relaxed SIMD proposal, i.e. WebAssembly 3.0.
CodeBytes FusedProductsModule();

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_FUSED_PRODUCTS_H_
