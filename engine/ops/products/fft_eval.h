// The values of fft.
#ifndef HLO_ENGINE_OPS_PRODUCTS_FFT_EVAL_H_
#define HLO_ENGINE_OPS_PRODUCTS_FFT_EVAL_H_

#include <span>

#include "engine/ops/eval.h"
#include "engine/ops/op_call.h"

namespace hlo {

/// The words of fft_type.
enum FftType : int64_t { kFft, kIfft, kRfft, kIrfft };

/// The transform of args[0] over its last dimensions, in f64 whatever the type. Throws RunError; in
/// what the page loads first (HLO_SMALL) always: what says `fft` runs in the full engine
/// (wasm/pair.ts).
Value EvalFft(const OpCall& call, std::span<Value> args, EvalContext& context);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_PRODUCTS_FFT_EVAL_H_
