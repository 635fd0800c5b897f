// Who calls which computation.
#ifndef HLO_ENGINE_HLO_CALL_GRAPH_H_
#define HLO_ENGINE_HLO_CALL_GRAPH_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/hlo/ir.h"
#include "engine/ops/op_def.h"

namespace hlo {

/// visit(attr, computation) for every computation that an attribute names, in order. A computation
/// that was not found (which was reported) is skipped.
template <typename Visit>
void ForEachCallee(const Attr& attr, Visit visit) {
  ForEachRegion(attr.value, [&](const Region* region) {
    if (region) visit(attr, *AsComputation(region));
  });
}
/// The attribute of an instruction that is number i in the order of ForEachCallee; null after the
/// last one.
const Attr* AttrByNumber(const Instruction& instruction, size_t i);

/// The same of all attributes of an instruction. The computations of a conditional come in the
/// order of their numbers, whatever that of the text is.
template <typename Visit>
void ForEachCallee(const Instruction& instruction, Visit visit) {
  for (size_t i = 0; const Attr* attr = AttrByNumber(instruction, i); ++i) {
    ForEachCallee(*attr, visit);
  }
}

/// visit(operand, parameter) for every parameter of a computation that an instruction names and the
/// number of the operand that it gets: of fusions and calls the one of its number, of loops the
/// only one, of branches that of the branch.
template <typename Visit>
void ForEachPassed(const Instruction& caller, Visit visit) {
  const Runs runs = caller.def().runs;
  int branch = 0;
  ForEachCallee(caller, [&](const Attr&, const Computation& callee) {
    const int first = runs == Runs::kChosen ? ++branch : 0;
    const bool has_one = runs == Runs::kChosen || runs == Runs::kWhile;
    const auto parameters = static_cast<int>(callee.parameters().size());
    const int count =
        std::min(has_one ? std::min(parameters, 1) : parameters, caller.operand_count() - first);
    for (int i = 0; i < count; ++i) {
      const Instruction* parameter = callee.parameters()[static_cast<size_t>(i)];
      if (parameter) visit(first + i, *parameter);
    }
  });
}

/// An instruction that calls a computation, and the attribute in which it names it.
struct Caller {
  const Instruction* instruction;
  const Attr* attr;
};

/// The calls of a module, by what is called. Valid as long as the module does not change.
class CallGraph {
 public:
  explicit CallGraph(const Module& module);

  /// In the order of the text; a computation named twice by one instruction is there twice.
  std::span<const Caller> CallersOf(const Computation& computation) const;
  bool IsCalledBy(const Computation& computation, Opcode opcode) const;
  /// The only caller with this opcode; null when there is none or there are several.
  const Instruction* OnlyCaller(const Computation& computation, Opcode opcode) const;

 private:
  std::vector<uint32_t> starts_;  // by index of the computation
  std::vector<Caller> callers_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_CALL_GRAPH_H_
