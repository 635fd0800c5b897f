// The same program in more precise numbers.
#ifndef HLO_ENGINE_PRECISION_WIDEN_H_
#define HLO_ENGINE_PRECISION_WIDEN_H_

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "engine/hlo/ir.h"
#include "engine/ops/custom_calls/custom_calls.h"
#include "engine/types/tensor.h"

namespace hlo {

/// The element type that stands for `type`: floats narrower than `wide` (f32 or f64) become it, c64
/// becomes c128 beside f64; every other type stays.
ElementType WidenedType(ElementType type, ElementType wide);
Shape WidenedShape(const Shape& shape, ElementType wide);
/// The same numbers, exactly, in the wider types. Memory is charged to the budget.
Value WidenedValue(const Value& value, ElementType wide, Budget* budget);

/// A program, and which of its instructions stands for which of the program that it was made of.
struct WidenedModule {
  std::unique_ptr<Module> module;
  std::unordered_map<const Instruction*, const Instruction*> originals;
  /// By instruction, its original's number: what its random numbers depend on
  /// (RunOptions::numbers).
  std::unordered_map<const Instruction*, int64_t> numbers;
};

/// The program with every narrow float read as `wide` (f32 or f64). All names stay, and every
/// instruction has its counterpart, also in loops, calls and fusions. What looks at the bits of a
/// number (bitcast-convert, custom calls that are not known to take any float) or makes numbers by
/// its type (rng, infeed) works on the narrow types as before: its operands are rounded, its result
/// is converted exactly. Roundings that the program asks for (convert to a narrow float,
/// reduce-precision, stochastic-convert) do not take place. `targets` are those that custom calls
/// find; null: none. The module must be valid, with an entry.
WidenedModule Widen(const Module& module, ElementType wide, const CustomCallTargets* targets);

}  // namespace hlo

#endif  // HLO_ENGINE_PRECISION_WIDEN_H_
