// Values that a program's probes (interpreter.probe of StableHLO text) note for the host.
#ifndef HLO_ENGINE_RUN_PROBES_H_
#define HLO_ENGINE_RUN_PROBES_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/ops/op_call.h"
#include "engine/types/tensor.h"

namespace hlo {

struct BuiltInTarget;  // engine/ops/custom_calls/custom_call_targets.h

/// The values that one run recorded, and how to read those of an earlier one.
class Probes {
 public:
  struct Entry {
    std::string id;
    Shape shape;
    Value value;
    bool is_print = false;  ///< of interpreter.print; `id` is the name of the value
  };
  /// The value that a probe left in a file, for its n-th execution; nothing when there is none.
  /// Throws RunError when the file cannot be read.
  using Reader = std::function<std::optional<Value>(std::string_view id, int64_t iteration,
                                                    const Shape& wanted)>;

  /// Throws RunError when there are too many.
  void Note(Entry entry);
  /// What the n-th execution of a probe noted, in this run or else in an earlier one.
  std::optional<Value> Find(std::string_view id, int64_t iteration, const Shape& wanted) const;
  /// Forgets all but the first `count`.
  void Truncate(size_t count) {
    if (count < entries_.size()) entries_.resize(count);
  }
  /// In order of execution.
  const std::deque<Entry>& entries() const { return entries_; }
  void set_reader(Reader reader) { reader_ = std::move(reader); }

 private:
  std::deque<Entry> entries_;
  Reader reader_;
};

/// The custom-call targets that StableHLO's interpreter dialect becomes: interpreter.print,
/// interpreter.probe, interpreter.run_parallel, and check.expect_serialized_eq, which compares with
/// what a probe noted.
std::span<const BuiltInTarget> InterpreterTargets();

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_PROBES_H_
