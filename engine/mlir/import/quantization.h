// The parameters of !quant.uniform types.
#ifndef HLO_ENGINE_MLIR_IMPORT_QUANTIZATION_H_
#define HLO_ENGINE_MLIR_IMPORT_QUANTIZATION_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/types/element_type.h"

namespace hlo::mlir {

/// real = (stored - zero point) * scale; stored within [min, max].
struct Quantization {
  ElementType storage = ElementType::kS8;
  ElementType expressed = ElementType::kF32;
  double min = 0, max = 0;
  int64_t axis = -1;  ///< -1: one scale for the whole tensor; else one for each index along it
  std::vector<double> scales;
  std::vector<int64_t> zero_points;
};

/// Parses the text between the angle brackets: `i8<-127:127>:f32:0, {0.5:1, 0.25}`. Nothing if it
/// is malformed or breaks a constraint, for which *problem is set.
/// Source: StableHLO, spec.md, Quantized types, C4, C6, C8, C11. (C1 is left out: StableHLO's own
/// programs have i32 for f32.)
std::optional<Quantization> ReadQuantization(std::string_view text, std::string* problem);
/// Why a tensor of these sizes cannot be so quantised; empty if it can. Source: C12, C13.
std::string AxisFault(const Quantization& quant, std::span<const int64_t> dims);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_IMPORT_QUANTIZATION_H_
