// A program as a graph: which instruction uses which, and where values go through calls.
#ifndef HLO_ENGINE_GRAPH_PROGRAM_GRAPH_H_
#define HLO_ENGINE_GRAPH_PROGRAM_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/hlo/call_graph.h"
#include "engine/hlo/ir.h"

namespace hlo {

/// The computation whose result is the next state of a loop; null for other instructions.
const Computation* LoopBody(const Instruction& instruction);

/// Instructions are numbered in the order of the module. Built in time in proportion to the
/// program; valid as long as that does not change.
class ProgramGraph {
 public:
  explicit ProgramGraph(const Module& module);

  const Module& module() const { return module_; }
  size_t size() const { return all_.size(); }
  uint32_t NumberOf(const Instruction& instruction) const;
  const Instruction& At(uint32_t number) const { return *all_[number]; }
  const CallGraph& calls() const { return calls_; }
  /// The instructions of its computation that have it as an operand; each once.
  std::span<const uint32_t> UsersOf(const Instruction& instruction) const;
  /// Where the value of an instruction comes from: its operands, the roots of what it runs; of a
  /// parameter the operands of all callers, of a loop's also the last result of the body. Calls of
  /// one computation are not told apart.
  std::span<const uint32_t> SourcesOf(uint32_t number) const { return sources_.Of(number); }
  /// The reverse.
  std::span<const uint32_t> TargetsOf(uint32_t number) const { return targets_.Of(number); }

 private:
  /// Lists of numbers, one after another.
  struct Lists {
    std::vector<uint32_t> starts, items;
    std::span<const uint32_t> Of(uint32_t i) const {
      return {items.data() + starts[i], items.data() + starts[i + 1]};
    }
  };
  using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;
  /// For each `first` of the pairs, its `second`s, in order.
  static Lists ListsOf(size_t count, const Pairs& pairs);
  Pairs CallPairs() const;

  const Module& module_;
  CallGraph calls_;
  std::vector<uint32_t> first_;  // of each computation
  std::vector<const Instruction*> all_;
  Lists users_, sources_, targets_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_GRAPH_PROGRAM_GRAPH_H_
