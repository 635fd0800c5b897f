#include "engine/mlir/ops/dot_algorithms.h"

#include <fmt/format.h>

#include <iterator>

#include "engine/ops/products/precision.h"

namespace hlo::mlir {
namespace {

// Source: the StableHLO specification of dot_general, "algorithm"; XLA's PrecisionConfig.
constexpr DotAlgorithm kAlgorithms[] = {
    {"dot_any_f8_any_f8_f32", "f8E5M2", "f32"},
    {"dot_any_f8_any_f8_f32_fast_accum", "f8E5M2", "f32", 1, true},
    {"dot_f16_f16_f16", "f16", "f16"},
    {"dot_f16_f16_f32", "f16", "f32"},
    {"dot_bf16_bf16_bf16", "bf16", "bf16"},
    {"dot_bf16_bf16_f32", "bf16", "f32"},
    {"dot_bf16_bf16_f32_x3", "bf16", "f32", 3},
    {"dot_bf16_bf16_f32_x6", "bf16", "f32", 6},
    {"dot_bf16_bf16_f32_x9", "bf16", "f32", 9},
    {"dot_tf32_tf32_f32", "tf32", "f32"},
    {"dot_tf32_tf32_f32_x3", "tf32", "f32", 3},
    {"dot_f32_f32_f32", "f32", "f32"},
    {"dot_f64_f64_f64", "f64", "f64"},
};
static_assert(std::size(kAlgorithms) + 1 == std::size(kDotAlgorithmWords));

}  // namespace

std::string DotAlgorithmText(int64_t word) {
  if (word <= 0 || word > static_cast<int64_t>(std::size(kAlgorithms))) return {};
  const DotAlgorithm& a = kAlgorithms[word - 1];
  return fmt::format(
      ", algorithm = <lhs_precision_type = {0}, rhs_precision_type = {0}, accumulation_type = {1}, "
      "lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = {2}, "
      "allow_imprecise_accumulation = {3}>",
      a.operand_type, a.accumulation_type, a.operations, a.is_imprecise);
}

std::optional<std::string_view> DotAlgorithmWord(const DotAlgorithm& parts) {
  for (const DotAlgorithm& row : kAlgorithms) {
    // All 8-bit types share one algorithm.
    const bool is_type =
        row.operand_type == parts.operand_type ||
        (row.operand_type.starts_with("f8") && parts.operand_type.starts_with("f8"));
    if (is_type && row.accumulation_type == parts.accumulation_type &&
        row.operations == parts.operations && row.is_imprecise == parts.is_imprecise) {
      return row.name;
    }
  }
  return std::nullopt;
}

}  // namespace hlo::mlir
