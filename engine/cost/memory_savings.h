// What would make a program need less memory, and how much less.
#ifndef HLO_ENGINE_COST_MEMORY_SAVINGS_H_
#define HLO_ENGINE_COST_MEMORY_SAVINGS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/hlo/ir.h"
#include "engine/plan/program_memory.h"

namespace hlo {

/// One thing to do, by itself: savings do not add up.
struct MemorySaving {
  std::string_view kind;   ///< "donation", "in-place", "schedule" or "layout"
  int64_t peak_bytes = 0;  ///< The peak of the device's main memory after it.
  int64_t saved_bytes = 0;
  std::string what;  ///< In a sentence.
  /// What it is about: results that take over parameters, instructions that write over an operand,
  /// arrays whose layout is another one; of a schedule, nothing.
  std::vector<const Instruction*> instructions;
};

/// The savings that there are, the largest first. `memory` is the module's. In the model of
/// program_memory.h:
/// - donation: results written into parameters of their shape that are not donated yet;
/// - in-place: element-wise operations that write over an operand which nothing needs afterwards;
/// - schedule: the entry in another order, operands that need more memory before those that need
///   less;
/// - layout: arrays that live at the peak with tiles or an order that pads less.
std::vector<MemorySaving> FindMemorySavings(const Module& module, const ProgramMemory& memory);

}  // namespace hlo

#endif  // HLO_ENGINE_COST_MEMORY_SAVINGS_H_
