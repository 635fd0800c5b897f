// Conditions on the steps of a run: where to stop, what to look for.
#ifndef HLO_ENGINE_TIMELINE_CONDITION_H_
#define HLO_ENGINE_TIMELINE_CONDITION_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/base/function_ref.h"
#include "engine/timeline/differing_steps.h"
#include "engine/timeline/measure.h"
#include "engine/timeline/timeline.h"

namespace hlo {

/// A form of a clause, for help and completion.
struct ConditionForm {
  std::string_view form;   ///< "NAME[2,3] > 0.5": words in capitals stand for something
  std::string_view about;  ///< when a step fulfils it
};
/// All forms of clauses.
std::span<const ConditionForm> ConditionForms();

/// A step fulfils a condition when it fulfils all of its clauses (ConditionForms()). NAME is an
/// instruction, also as COMPUTATION/NAME, of all computations that have it; where a value is
/// compared, NAME may be any Measure of one number, and with `changes` any Measure.
class Condition {
 public:
  /// The instructions that a name in a condition means; those of all computations that have it.
  using Resolve = FunctionRef<std::vector<const Instruction*>(std::string_view name)>;
  /// The steps that differ from the run that a text names; null, with a reason, when there is none.
  using Differing =
      FunctionRef<std::shared_ptr<const StepSet>(std::string_view run, std::string* problem)>;

  /// Clauses joined by "and". Nothing, and what is wrong, when it is not understood.
  static std::optional<Condition> Parse(std::string_view text, std::string_view program,
                                        const Module& module, Resolve resolve, Differing differing,
                                        std::string* problem);
  /// Whether a step of a stretch could match: by what was executed there.
  bool MayMatchIn(const Timeline& timeline, const Timeline::Stretch& stretch) const;

  struct Clause {
    enum class Kind : uint8_t {
      kInstruction,
      kCompares,
      kCrosses,
      kChanges,
      kOpcode,
      kLine,
      kSource,
      kDevice,
      kIteration,
      kNan,
      kInf,
      kNonFinite,
      kCollective,
      kDiffers
    } kind;
    std::vector<const Instruction*> instructions = {};
    Opcode opcode = {};
    int64_t number = 0;           ///< device or iteration; of kSource the line, -1: any
    uint32_t begin = 0, end = 0;  ///< of a line, in bytes
    std::string text = {};        ///< of kCompares the comparison, of kSource the file
    Measure measure = {};         ///< of kCompares, kCrosses and kChanges
    double value = 0;             ///< that it is compared with
    std::shared_ptr<const StepSet> steps = nullptr;  ///< of kDiffers
    /// Of kCompares beside a clause that says which step is meant: the value that the instruction
    /// has then is compared, wherever it was made.
    bool is_held = false;
    /// It needs the value before.
    bool looks_back() const { return is_held || kind == Kind::kCrosses || kind == Kind::kChanges; }
  };
  const std::vector<Clause>& clauses() const { return clauses_; }

 private:
  std::vector<Clause> clauses_;
};

/// Tells which steps of a run match a condition. The steps that it is shown must be in order,
/// without those of stretches in which the condition cannot match.
class ConditionMatcher {
 public:
  /// Begins at a position, as if it had been shown all steps before. The timeline's position
  /// becomes another one. Both must outlive it.
  ConditionMatcher(const Condition& condition, Timeline& timeline, int64_t begin);
  /// Begins again, at a position that is not after the one before.
  void Restart(int64_t begin);
  /// Whether the step matches. Steps are shown in order.
  bool operator()(const StepFacts& facts);

 private:
  // The last value of an instruction on a device, as a number or as its bits.
  struct Last {
    double number = 0;
    uint64_t bits = 0;
  };
  // Of a clause, on a device; null of one that compares the last value, of whichever instruction.
  using Key = std::tuple<size_t, const Instruction*, int64_t>;
  Key KeyOf(size_t clause, const Instruction* instruction, int64_t device) const;
  void LookBack(int64_t begin);
  std::optional<Last> Note(size_t clause, const StepFacts& facts);
  bool Holds(size_t clause, const StepFacts& facts);

  const Condition& condition_;
  Timeline& timeline_;
  std::map<Key, Last> last_;
  std::set<Key> unseen_;  // have no value before the position where it began
};

/// The first step from `begin` on that fulfils the condition; nothing when there is none.
std::optional<int64_t> FindNext(Timeline& timeline, const Condition& condition, int64_t begin);
/// The last such step before `end`.
std::optional<int64_t> FindPrevious(Timeline& timeline, const Condition& condition, int64_t end);

}  // namespace hlo

#endif  // HLO_ENGINE_TIMELINE_CONDITION_H_
