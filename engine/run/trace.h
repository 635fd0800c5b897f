// The values of the instructions a run executed, as far as they fit into a byte limit.
#ifndef HLO_ENGINE_RUN_TRACE_H_
#define HLO_ENGINE_RUN_TRACE_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/hlo/ir.h"
#include "engine/types/tensor.h"

namespace hlo {

/// Iteration numbers of the enclosing loops, outermost first; shared by the instructions of one
/// iteration. Null outside loops.
using IterationPath = std::shared_ptr<const std::vector<int64_t>>;

/// One execution of an instruction.
struct TraceEntry {
  int64_t id = 0;  ///< serial number in order of execution
  const Instruction* instruction = nullptr;
  int64_t device = 0;  ///< flattened id of the device that executed it
  int depth = 0;       ///< calls around it; 0 in the entry computation
  IterationPath iterations;
  Value value;           ///< empty when dropped
  bool dropped = false;  ///< the value was dropped to stay within the limit
};

/// Keeps entries in order of execution. When the values grow beyond the limit, those of the oldest
/// loop iterations go first, then the oldest others; when there are too many entries, those of the
/// oldest loop iterations go altogether. Not thread-safe.
class Trace {
 public:
  struct Limits {
    uint64_t bytes = uint64_t{256} << 20;  ///< of values; what several values share counts once
    size_t entries = 20000;
  };
  Trace() : Trace(Limits{}) {}
  explicit Trace(Limits limits) : limits_(limits) {}
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  virtual ~Trace() = default;

  /// Gets every value of a run as it is made.
  virtual void Record(const Instruction& instruction, int64_t device, int depth,
                      const IterationPath& iterations, const Value& value);
  /// Gets the operands of an operation before it is evaluated.
  virtual void NoteOperands(const Instruction& instruction, int64_t device,
                            std::span<const Value> operands) {
    static_cast<void>(instruction), static_cast<void>(device), static_cast<void>(operands);
  }
  /// Executions recorded so far, kept or not.
  int64_t count() const { return next_id_; }
  /// What is kept, in order of execution.
  std::vector<const TraceEntry*> Entries() const;
  /// The entry with this id, or null.
  const TraceEntry* Find(int64_t id) const;
  /// Drops the oldest values until `bytes` bytes are freed or none is left.
  virtual void Release(uint64_t bytes);

 private:
  // Entries of one kind, oldest first; those before `first_kept` have lost their values.
  struct Queue {
    std::deque<TraceEntry> entries;
    size_t first_kept = 0;
  };
  bool DropOldest(Queue& queue);
  void PopOldest(Queue& queue);
  void Count(const Value& value);
  void Uncount(const Value& value);
  void Drop(TraceEntry& entry);

  Limits limits_;
  int64_t next_id_ = 0;
  uint64_t bytes_ = 0;
  uint64_t churn_ = 0;  // bytes dropped so far
  Queue outer_;
  Queue loops_;
  std::unordered_map<const void*, int64_t> holders_;  // of each buffer and each element list kept
};

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_TRACE_H_
