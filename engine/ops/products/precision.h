// The precision attributes of dot, convolution and related ops. None of them changes a value in
// this engine unless a run asks for products as some hardware computes them (product_rounding.h).
// Source: XLA, xla_data.proto, PrecisionConfig.
#ifndef HLO_ENGINE_OPS_PRODUCTS_PRECISION_H_
#define HLO_ENGINE_OPS_PRODUCTS_PRECISION_H_

#include <string_view>

#include "engine/ops/attributes.h"

namespace hlo {

inline constexpr std::string_view kPrecisionWords[] = {"default", "high", "highest",
                                                       "packed_nibble"};
/// The last of them that says how precise a product is.
inline constexpr int64_t kHighestPrecision = 2;
inline constexpr std::string_view kDotAlgorithmWords[] = {
    "unset",
    "dot_any_f8_any_f8_f32",
    "dot_any_f8_any_f8_f32_fast_accum",
    "dot_f16_f16_f16",
    "dot_f16_f16_f32",
    "dot_bf16_bf16_bf16",
    "dot_bf16_bf16_f32",
    "dot_bf16_bf16_f32_x3",
    "dot_bf16_bf16_f32_x6",
    "dot_bf16_bf16_f32_x9",
    "dot_tf32_tf32_f32",
    "dot_tf32_tf32_f32_x3",
    "dot_f32_f32_f32",
    "dot_f64_f64_f64",
};

/// `operand_precision={default,highest}`.
inline constexpr AttrDef kOperandPrecisionAttr{
    .name = "operand_precision",
    .kind = AttrKind::kWordList,
    .use = AttrUse::kOptional,
    .doc =
        "Precision asked of the hardware, per operand. Without effect here unless a run's products "
        "are rounded. packed_nibble says that a TPU is to take a byte for two integers.",
    .words = kPrecisionWords,
    .noun = "precision",
    .ignore_case = true};
/// `algorithm=dot_tf32_tf32_f32_x3`.
inline constexpr AttrDef kDotAlgorithmAttr{
    .name = "algorithm",
    .kind = AttrKind::kWord,
    .use = AttrUse::kOptional,
    .doc =
        "How the hardware should multiply and add. Without effect here unless a run's products are "
        "rounded.",
    .words = kDotAlgorithmWords,
    .ignore_case = true,
    .default_text = "unset"};

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_PRODUCTS_PRECISION_H_
