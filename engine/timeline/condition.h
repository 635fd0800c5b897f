// Conditions on the steps of a run: where to stop, what to look for.
#ifndef HLO_ENGINE_TIMELINE_CONDITION_H_
#define HLO_ENGINE_TIMELINE_CONDITION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/function_ref.h"
#include "engine/timeline/timeline.h"

namespace hlo {

/// A step fulfils a condition when it fulfils all of its clauses:
///   NAME, COMPUTATION/NAME     the instruction has its value, or begins (calls, collectives)
///   NAME[2,3] > 0.5            the same, and this element of its value (NAME > 0.5: of a scalar)
///                              compares so: < <= > >= == !=; with nan or inf on the right == alone
///   op OPCODE                  an instruction of this opcode
///   line N                     an instruction that begins in line N of the text
///   device D                   on this device
///   iteration N                in iteration N, from 0, of the innermost loop around
///   nan, inf, nonfinite        the value of an instruction holds one
///   collective                 devices meet, or send, or receive: the value is there
class Condition {
 public:
  /// The instructions that a name in a condition means; those of all computations that have it.
  using Resolve = FunctionRef<std::vector<const Instruction*>(std::string_view name)>;

  /// Clauses joined by "and". Nothing, and what is wrong, when it is not understood.
  static std::optional<Condition> Parse(std::string_view text, std::string_view program,
                                        Resolve resolve, std::string* problem);
  bool Matches(const StepFacts& facts) const;
  /// Whether a step of a stretch could match: by what was executed there.
  bool MayMatchIn(const Timeline& timeline, const Timeline::Stretch& stretch) const;

  struct Clause {
    enum class Kind : uint8_t {
      kInstruction,
      kOpcode,
      kLine,
      kDevice,
      kIteration,
      kNan,
      kInf,
      kNonFinite,
      kCollective
    } kind;
    std::vector<const Instruction*> instructions = {};
    Opcode opcode = {};
    int64_t number = 0;           ///< device or iteration
    uint32_t begin = 0, end = 0;  ///< of a line, in bytes
    /// Of kInstruction with a comparison.
    std::optional<std::string> comparison = {};
    std::vector<int64_t> index = {};
    double value = 0;
  };

 private:
  std::vector<Clause> clauses_;
};

/// An element of an array as a number: of pred 0 or 1, of a complex one its magnitude. Nothing when
/// the value is no array or has no such element. Indices of a tuple's value come first, and the
/// array's after them.
std::optional<double> ElementAt(const Value& value, const std::vector<int64_t>& index);

/// The first step from `begin` on that fulfils the condition; nothing when there is none.
std::optional<int64_t> FindNext(Timeline& timeline, const Condition& condition, int64_t begin);
/// The last such step before `end`.
std::optional<int64_t> FindPrevious(Timeline& timeline, const Condition& condition, int64_t end);

}  // namespace hlo

#endif  // HLO_ENGINE_TIMELINE_CONDITION_H_
