// Who calls which computation.
#ifndef HLO_ENGINE_HLO_CALL_GRAPH_H_
#define HLO_ENGINE_HLO_CALL_GRAPH_H_

#include <cstdint>
#include <span>
#include <vector>

#include "engine/hlo/ir.h"

namespace hlo {

/// visit(attr, computation) for every computation that an attribute names, in order. A computation
/// that was not found (which was reported) is skipped.
template <typename Visit>
void ForEachCallee(const Attr& attr, Visit visit) {
  ForEachRegion(attr.value, [&](const Region* region) {
    if (region) visit(attr, *AsComputation(region));
  });
}
/// The same of all attributes of an instruction.
template <typename Visit>
void ForEachCallee(const Instruction& instruction, Visit visit) {
  for (const Attr& attr : instruction.attrs()) ForEachCallee(attr, visit);
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
