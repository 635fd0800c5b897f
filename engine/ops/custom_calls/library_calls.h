// Calls of vendors' libraries that XLA's compilers write in place of ops. Each is OpDef::eval of a
// custom-call and throws RunError for operands and configurations that are not known.
#ifndef HLO_ENGINE_OPS_CUSTOM_CALLS_LIBRARY_CALLS_H_
#define HLO_ENGINE_OPS_CUSTOM_CALLS_LIBRARY_CALLS_H_

#include <span>
#include <string_view>

#include "engine/ops/eval.h"
#include "engine/ops/op_call.h"
#include "engine/types/tensor.h"

namespace hlo {

/// The numbers of a list in backend_config; words are those of operand_precision. Empty where there
/// is no list.
Dims ConfigDims(const OpCall& call, std::string_view key);

/// lhs, rhs, c where beta is not 0, a vector where the epilogue adds one -> epilogue(alpha dot(lhs,
/// rhs) + beta c + vector). Operands and result of f32 and narrower are computed in f32.
/// Source: XLA, backend_configs.proto (GemmBackendConfig), gemm_rewriter.cc, thunk_emitter.cc.
Value EvalGemm(const OpCall& call, std::span<Value> args, EvalContext& context);
/// The same of 8-bit floats: after c come scalars that lhs and rhs are multiplied by, after the
/// vector one for a result of 8-bit floats; in older programs scalars for c and the result before
/// the vector.
Value EvalGemmF8(const OpCall& call, std::span<Value> args, EvalContext& context);

/// lhs[..., m, k], rhs[..., k, n] or [k, n], and an array for each addition -> the product, then
/// the fused ops. Source: XLA, onednn_matmul.cc.
Value EvalOneDnnProduct(const OpCall& call, std::span<Value> args, EvalContext& context);

// library_convolution.cc. Source: XLA, cudnn_fused_conv_rewriter.cc, conv_rewriter.cc,
// gpu_conv_runner.cc. Window and labels are always those of the convolution input, filter ->
// output.

/// input, filter -> output.
Value EvalConvForward(const OpCall& call, std::span<Value> args, EvalContext& context);
/// output's gradient, filter -> input's gradient.
Value EvalConvBackwardInput(const OpCall& call, std::span<Value> args, EvalContext& context);
/// input, output's gradient -> filter's gradient.
Value EvalConvBackwardFilter(const OpCall& call, std::span<Value> args, EvalContext& context);
/// input, filter, bias, perhaps a side input -> activation(conv_result_scale convolution +
/// side_input_scale side input + bias).
Value EvalConvActivation(const OpCall& call, std::span<Value> args, EvalContext& context);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_CUSTOM_CALLS_LIBRARY_CALLS_H_
