// The same program in more precise numbers.
#ifndef HLO_ENGINE_PRECISION_WIDEN_H_
#define HLO_ENGINE_PRECISION_WIDEN_H_

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "engine/hlo/ir.h"
#include "engine/ops/custom_calls/custom_calls.h"
#include "engine/precision/widened_types.h"

namespace hlo {

/// How a program is made more precise.
struct Widening {
  WideFloat floats = ElementType::kF64;  ///< what every narrow float is read as
  /// What sums many numbers (dot, ragged-dot, convolution, reduce, reduce-window) does so in f64:
  /// its operands become f64, and its result is rounded once, to the type that it has otherwise.
  bool sums_in_f64 = false;
};

/// A program, and which of its instructions stands for which of the program that it was made of.
struct WidenedModule {
  std::unique_ptr<Module> module;
  std::unordered_map<const Instruction*, const Instruction*> originals;
  /// By instruction, its original's number: what its random numbers depend on
  /// (RunOptions::numbers).
  std::unordered_map<const Instruction*, int64_t> numbers;
};

/// The program in wider floats. All names stay, and every instruction has its counterpart, also in
/// loops, calls and fusions. What looks at the bits of a number (bitcast-convert, custom calls that
/// are not known to take any float) or makes numbers by its type (rng, infeed) works on the narrow
/// types as before: its operands are rounded, its result is converted exactly. Roundings to types
/// that are widened (convert to a narrow float, reduce-precision, stochastic-convert) do not take
/// place. `targets` are those that custom calls find; null: none. The module must be valid, with an
/// entry.
WidenedModule Widen(const Module& module, const Widening& widening,
                    const CustomCallTargets* targets);

}  // namespace hlo

#endif  // HLO_ENGINE_PRECISION_WIDEN_H_
