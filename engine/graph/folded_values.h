// Values that are drawn as part of their users.
#ifndef HLO_ENGINE_GRAPH_FOLDED_VALUES_H_
#define HLO_ENGINE_GRAPH_FOLDED_VALUES_H_

#include "engine/graph/program_graph.h"

namespace hlo {

/// Constants, and broadcasts of scalars: they have many users, and say little as boxes.
class FoldedValues {
 public:
  /// The focus is never folded.
  FoldedValues(const ProgramGraph& graph, bool folds, const Instruction* focus)
      : graph_(graph), folds_(folds), focus_(focus) {}

  bool IsFolded(const Instruction& instruction) const;
  /// What stands for an operand: of a broadcast that is folded, the scalar.
  const Instruction& Behind(const Instruction& operand) const;

  /// visit(operand, number) for all that are not folded, in order.
  template <typename Visit>
  void ForEachOperand(const Instruction& instruction, Visit visit) const {
    for (int i = 0; i < instruction.operand_count(); ++i) {
      const Instruction& operand = Behind(*instruction.operand(i));
      if (!IsFolded(operand)) visit(operand, i);
    }
  }
  /// visit(user) for all that are not folded; of a broadcast that is folded, for its users.
  template <typename Visit>
  void ForEachUser(const Instruction& instruction, Visit visit) const {
    for (const uint32_t number : graph_.UsersOf(instruction)) {
      const Instruction& user = graph_.At(number);
      if (!IsFolded(user)) {
        visit(user);
        continue;
      }
      for (const uint32_t next : graph_.UsersOf(user)) visit(graph_.At(next));
    }
  }

 private:
  const ProgramGraph& graph_;
  bool folds_;
  const Instruction* focus_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_GRAPH_FOLDED_VALUES_H_
