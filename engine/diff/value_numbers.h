// The instructions of a module in the order in which they are executed, and a number for what each
// of them computes: equal in two modules if the same operations compute it from the same
// parameters, whatever the instructions are called and whichever fusion they are in.
#ifndef HLO_ENGINE_DIFF_VALUE_NUMBERS_H_
#define HLO_ENGINE_DIFF_VALUE_NUMBERS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/hlo/call_graph.h"
#include "engine/hlo/ir.h"

namespace hlo {

/// The role of a computation: whose instructions are compared with whose.
enum class ComputationRole : uint8_t {
  kPlain,   ///< The entry, and what is called in any other way: reducers, bodies of loops.
  kFused,   ///< Called by one fusion alone.
  kCalled,  ///< Called by one `call` alone.
};

/// A module's instructions by number. Indices of instructions count over the whole module.
class ValueNumbers {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  /// Takes time in proportion to the module. The module must outlive this.
  explicit ValueNumbers(const Module& module);

  size_t size() const { return instructions_.size(); }
  const Instruction& instruction(uint32_t index) const { return *instructions_[index]; }
  uint32_t IndexOf(const Instruction& instruction) const {
    return first_[static_cast<size_t>(instruction.parent()->index())] +
           static_cast<uint32_t>(instruction.index());
  }
  /// All of them, operands before users, also across the boundaries of fusions and calls.
  const std::vector<uint32_t>& order() const { return order_; }
  /// The instruction that computes the value: another one for parameters of fusions and calls,
  /// for those, and for the elements of a tuple that the module makes itself.
  uint32_t SourceOf(uint32_t index) const { return source_[index]; }
  bool IsSource(uint32_t index) const { return source_[index] == index; }
  /// The sources of its operands.
  uint32_t OperandSource(uint32_t index, int operand) const {
    return source_[IndexOf(*instructions_[index]->operand(operand))];
  }
  /// A hash of the operation alone: opcode, shape without layout, attributes that say what it
  /// computes, and the computations that it applies.
  uint64_t Operation(uint32_t index) const { return operation_[index]; }
  /// A hash of the operation and of all that it is computed from.
  uint64_t Value(uint32_t index) const { return value_[index]; }
  ComputationRole RoleOf(const Computation& computation) const {
    return roles_[static_cast<size_t>(computation.index())];
  }
  /// The only caller of a fused or called computation; null for others.
  const Instruction* CallerOf(const Computation& computation) const {
    return callers_[static_cast<size_t>(computation.index())];
  }

 private:
  void FindRoles(const Module& module);
  void Visit(const Computation& computation);
  void Number(const Instruction& instruction);
  uint32_t FindSource(const Instruction& instruction) const;
  uint64_t OperationHash(const Instruction& instruction) const;

  std::vector<const Instruction*> instructions_;
  std::vector<uint32_t> first_;  // of each computation
  std::vector<uint32_t> order_, source_;
  std::vector<uint64_t> operation_, value_;
  std::vector<uint64_t> computed_;  // by computation: its root's value
  std::vector<ComputationRole> roles_;
  std::vector<const Instruction*> callers_;
};

/// A number for an attribute's value, where it may be compared: not for the names of other
/// instructions and computations, which do not matter.
uint64_t AttributeHash(const Attr& attr, const Computation* computation);
/// Whether an attribute says what is computed: others are about where the instruction came from and
/// how it is scheduled.
bool SaysWhatIsComputed(const AttrDef& def);

}  // namespace hlo

#endif  // HLO_ENGINE_DIFF_VALUE_NUMBERS_H_
