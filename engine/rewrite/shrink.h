// A program that does the same on smaller arrays.
#ifndef HLO_ENGINE_REWRITE_SHRINK_H_
#define HLO_ENGINE_REWRITE_SHRINK_H_

#include <cstdint>
#include <map>
#include <string>

#include "engine/hlo/ir.h"

namespace hlo {

/// What the smaller program may take.
struct ShrinkTarget {
  int64_t peak_bytes = int64_t{64} << 20;  ///< by ProgramMemory, over all memory spaces
  double operations = 1e9;  ///< of all instructions that say how many they have, each run once
};

/// The smaller program, or why there is none.
struct Shrunk {
  std::string text;                    ///< HLO; empty when nothing became smaller
  std::map<int64_t, int64_t> changes;  ///< sizes of dimensions, and what has become of them
  int64_t constants = 0;               ///< scalars that had the value of such a size, and follow it
  int64_t peak_bytes = 0;              ///< of the new program
  bool fits = false;                   ///< within the target
  std::string why;                     ///< when it does not fit: what is in the way
};

/// Divides sizes of dimensions until the program takes no more than the target. Every dimension of
/// the same size gets the same new size, and what ops ask of sizes (OpDef::sizes) holds. Slices,
/// padding, sizes in attributes and constants follow: of an array its first elements are left, and
/// a scalar that has the value of a size that changed gets the new one. The module has an entry and
/// no errors.
Shrunk Shrink(const Module& module, const ShrinkTarget& target);

}  // namespace hlo

#endif  // HLO_ENGINE_REWRITE_SHRINK_H_
