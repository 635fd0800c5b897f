// Floating-point numbers as MLIR's printer writes them.
#ifndef HLO_ENGINE_MLIR_TEXT_FLOAT_TEXT_H_
#define HLO_ENGINE_MLIR_TEXT_FLOAT_TEXT_H_

#include <cstddef>
#include <string>

#include "engine/types/element_type.h"

namespace hlo::mlir {

/// Appends the number of a real type that has these bits: with seven digits and an exponent if they
/// read back to the same bits (`1.000000e+00`), else with as many digits as the type can need
/// (`0.69999999999999996`, `3.40282347E+38`), else, and if such digits contain no decimal point, as
/// the bits in hexadecimal (`0x7FC00000`).
/// Source: LLVM, AsmPrinter.cpp, printFloatValue; APFloat.cpp, toString.
void AppendFloat(ElementType type, const std::byte* bits, std::string* out);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_TEXT_FLOAT_TEXT_H_
