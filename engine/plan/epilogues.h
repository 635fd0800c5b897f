// Joined loops that run as the epilogue of a product: on each part of its result as soon as that is
// final, while it is in the cache, instead of on all of it afterwards.
#ifndef HLO_ENGINE_PLAN_EPILOGUES_H_
#define HLO_ENGINE_PLAN_EPILOGUES_H_

#include <cstdint>
#include <string_view>

namespace hlo {

struct Island;
struct PlannedInstruction;

/// Why a loop that reads the result of a long product is not its epilogue.
enum class Separate : uint8_t {
  kWhole,   ///< the product is not final in parts that are long enough
  kNeeded,  ///< another step, or the caller, needs the product
  kOrder,   ///< the loop reads it in another order
  kRows,    ///< the loop reduces rows that are longer than a part
  kMemory,  ///< what the loop writes does not fit in the memory of the product
  kLater,   ///< an instruction between the two computes what the loop reads
};

/// In words, as what follows "because".
std::string_view Text(Separate why);

/// A loop that runs after the product that it reads.
struct SeparateLoop {
  const PlannedInstruction* loop = nullptr;
  const PlannedInstruction* product = nullptr;
  Separate why = {};
};

/// Finds the epilogues of an island whose steps are in the order of the program, and moves each
/// right behind its product (IslandStep::has_epilogue). Comes before the last uses of slots are
/// known. The loop writes its only result over the product, so no more memory is needed than if it
/// ran by itself.
void FindEpilogues(Island* island);

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_EPILOGUES_H_
