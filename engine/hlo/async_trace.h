// Where the state of an asynchronous operation comes from.
#ifndef HLO_ENGINE_HLO_ASYNC_TRACE_H_
#define HLO_ENGINE_HLO_ASYNC_TRACE_H_

#include <cstdint>
#include <map>

#include "engine/hlo/call_graph.h"
#include "engine/hlo/ir.h"

namespace hlo {

/// async-start, -update or -done.
bool IsAsync(Opcode opcode);
/// The first half of an operation whose halves have opcodes of their own (all-reduce-start, send).
bool IsStart(Opcode opcode);

/// Passes the state of an asynchronous operation through unchanged: a tuple, an element of one, a
/// barrier, a copy, a custom call that only annotates its operand.
/// Source: XLA, hlo_instruction.cc, IsAllowedAsyncIntermediary.
bool HandsStateOn(const Instruction& i);

/// Follows states back to what made them: through tuples, barriers, copies, and around loops.
/// Source: XLA, hlo_instruction_utils.h, TraceAsyncDataflow.
class AsyncTrace {
 public:
  AsyncTrace(const Module& module, const CallGraph& calls);

  /// The async-start, async-update, or start of another operation in two halves, that made the
  /// state; null when it cannot be traced. All traces together take a time that is proportional to
  /// the module; beyond it nothing is found, and is_spent() holds.
  const Instruction* Producer(const Instruction& state);
  bool is_spent() const { return steps_left_ <= 0; }

 private:
  const CallGraph& calls_;
  int64_t steps_left_;
};

/// The computations of chains whose later links do not name them.
class AsyncComputations {
 public:
  /// The module must outlive this.
  explicit AsyncComputations(const Module& module) : calls_(module), trace_(module, calls_) {}

  /// The computation that the start of this link's chain names; null when it cannot be traced. A
  /// link is traced once.
  const Region* Of(const Instruction& link);

 private:
  CallGraph calls_;
  AsyncTrace trace_;
  std::map<const Instruction*, const Region*> known_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_ASYNC_TRACE_H_
