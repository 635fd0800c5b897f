// What convolutions are written with.
#ifndef HLO_ENGINE_STANDALONE_WINDOW_CODE_H_
#define HLO_ENGINE_STANDALONE_WINDOW_CODE_H_

#include <cstdint>

#include "engine/ops/windows/convolution.h"
#include "engine/standalone/operation.h"

namespace hlo {

/// The operands of a convolution, all of whose elements are there.
struct ConvolvedArrays {
  ConvolutionForm form;
  int32_t operands[2] = {};
  Shape shapes[2] = {};
};

/// Writes their convolution, which is the result of the operation.
bool WriteConvolved(const ConvolvedArrays& arrays, const Operation& operation, Emitter* emitter);
/// The operation convolution.
bool WriteConvolution(const Operation& operation, Emitter* emitter);
/// The same of operands with zeros that are not stored.
bool WriteSparseConvolution(const Operation& operation, Emitter* emitter);

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_WINDOW_CODE_H_
