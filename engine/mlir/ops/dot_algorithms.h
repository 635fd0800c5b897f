// The algorithms of dot under the names that both dialects have for them.
#ifndef HLO_ENGINE_MLIR_OPS_DOT_ALGORITHMS_H_
#define HLO_ENGINE_MLIR_OPS_DOT_ALGORITHMS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hlo::mlir {

/// The parts of #stablehlo.dot_algorithm.
struct DotAlgorithm {
  std::string_view name;  ///< HLO's word
  std::string_view operand_type, accumulation_type;
  int64_t operations = 1;
  bool is_imprecise = false;
};
/// `, algorithm = <lhs_precision_type = bf16, ...>` for the number of HLO's algorithm name; empty
/// if unset.
std::string DotAlgorithmText(int64_t word);
/// HLO's algorithm name for these fields; nothing if it has none.
std::optional<std::string_view> DotAlgorithmWord(const DotAlgorithm& parts);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_OPS_DOT_ALGORITHMS_H_
