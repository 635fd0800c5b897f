#include "engine/timeline/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "engine/run/finiteness.h"
#include "engine/types/tensor.h"

namespace hlo {
namespace {

using Clause = Condition::Clause;

bool Compares(double left, std::string_view comparison, double right) {
  if (comparison == "<") return left < right;
  if (comparison == "<=") return left <= right;
  if (comparison == ">") return left > right;
  if (comparison == ">=") return left >= right;
  const bool is_equal = left == right || (std::isnan(left) && std::isnan(right));
  return is_equal == (comparison == "==");
}

// From one side to the other; what reaches the threshold has crossed it.
bool HasCrossed(double before, double now, double threshold) {
  return (before < threshold && now >= threshold) || (before > threshold && now <= threshold);
}

NonFinite NonFiniteOf(const Value& value) {
  if (value.is_array()) return NonFiniteIn(value.tensor());
  NonFinite all;
  if (!value.is_tuple()) return all;
  for (const Value& element : value.elements()) {
    const NonFinite one = NonFiniteOf(element);
    all.nan |= one.nan;
    all.infinity |= one.infinity;
  }
  return all;
}

bool IsExchange(const Instruction& instruction) {
  return instruction.def().is_collective || instruction.opcode() == Opcode::kRecvDone ||
         instruction.opcode() == Opcode::kSend;
}

bool IsOf(const Clause& clause, const StepFacts& facts) {
  const auto& all = clause.instructions;
  return std::find(all.begin(), all.end(), facts.instruction) != all.end();
}

bool ComparesSo(const Clause& clause, const StepFacts& facts) {
  if (!facts.has_value || !IsOf(clause, facts)) return false;
  const auto number = MeasuredNumber(clause.measure, facts.value);
  return number && Compares(*number, clause.text, clause.value);
}

// Of clauses that need no other step.
bool ClauseMatches(const Clause& clause, const StepFacts& facts) {
  using Kind = Clause::Kind;
  const auto holds = [&](bool NonFinite::*what) {
    return facts.has_value && NonFiniteOf(facts.value).*what;
  };
  switch (clause.kind) {
    case Kind::kInstruction:
      return IsOf(clause, facts) && (facts.has_value || facts.kind == StepKind::kEnter);
    case Kind::kCompares:
      return ComparesSo(clause, facts);
    case Kind::kOpcode:
      return facts.instruction->opcode() == clause.opcode;
    case Kind::kLine: {
      const uint32_t begin = facts.instruction->places().whole.begin;
      return clause.begin <= begin && begin < clause.end;
    }
    case Kind::kSource:
      return IsOf(clause, facts);
    case Kind::kDevice:
      return facts.device == clause.number;
    case Kind::kIteration:
      return facts.iterations && !facts.iterations->empty() &&
             facts.iterations->back() == clause.number;
    case Kind::kNan:
      return holds(&NonFinite::nan);
    case Kind::kInf:
      return holds(&NonFinite::infinity);
    case Kind::kNonFinite:
      return facts.has_value && NonFiniteOf(facts.value).any();
    case Kind::kCollective:
      return facts.has_value && IsExchange(*facts.instruction);
    case Kind::kDiffers:
      return clause.steps->Has(facts.step);
    case Kind::kCrosses:
    case Kind::kChanges:
      break;
  }
  return false;
}

bool IsOneOf(const std::vector<const Instruction*>& all, const Timeline& timeline,
             const Timeline::Stretch& stretch) {
  return std::any_of(all.begin(), all.end(), [&](const Instruction* each) {
    return stretch.Has(timeline.NumberOf(*each));
  });
}

}  // namespace

bool Condition::MayMatchIn(const Timeline& timeline, const Timeline::Stretch& stretch) const {
  const auto may = [&](const Clause& clause) {
    return clause.is_held || clause.instructions.empty() ||
           IsOneOf(clause.instructions, timeline, stretch);
  };
  // What looks back has to see every value of its instructions.
  const auto sees = [&](const Clause& clause) {
    return clause.looks_back() && IsOneOf(clause.instructions, timeline, stretch);
  };
  return std::all_of(clauses_.begin(), clauses_.end(), may) ||
         std::any_of(clauses_.begin(), clauses_.end(), sees);
}

ConditionMatcher::ConditionMatcher(const Condition& condition, Timeline& timeline, int64_t begin)
    : condition_(condition), timeline_(timeline) {
  LookBack(begin);
}

void ConditionMatcher::Restart(int64_t begin) {
  last_.clear();
  LookBack(begin);
}

// The last values before the position, stretch by stretch back from there until all are found.
void ConditionMatcher::LookBack(int64_t begin) {
  begin = std::min(begin, timeline_.length());
  std::set<Key> missing;
  const auto& clauses = condition_.clauses();
  for (size_t i = 0; i < clauses.size(); ++i) {
    if (!clauses[i].looks_back()) continue;
    for (const Instruction* each : clauses[i].instructions) {
      for (int64_t device = 0; device < timeline_.grid().count(); ++device) {
        const Key key = KeyOf(i, each, device);
        if (unseen_.count(key) == 0) missing.insert(key);
      }
    }
  }
  if (missing.empty() || begin <= 0) return;
  for (size_t at = timeline_.StretchOf(begin - 1) + 1; at-- > 0 && !missing.empty();) {
    const Timeline::Stretch& stretch = timeline_.stretch(at);
    const bool is_wanted = std::any_of(missing.begin(), missing.end(), [&](const Key& key) {
      const Instruction* const instruction = std::get<1>(key);
      return instruction ? stretch.Has(timeline_.NumberOf(*instruction))
                         : IsOneOf(clauses[std::get<0>(key)].instructions, timeline_, stretch);
    });
    if (!is_wanted) continue;
    std::set<Key> found;
    timeline_.ForEach(stretch.begin, std::min(begin, timeline_.StretchEnd(at)),
                      [&](const StepFacts& facts) {
                        for (size_t i = 0; i < clauses.size(); ++i) {
                          const Key key = KeyOf(i, facts.instruction, facts.device);
                          if (missing.count(key) == 0) continue;
                          Note(i, facts);
                          if (last_.count(key) > 0) found.insert(key);
                        }
                        return true;
                      });
    for (const Key& key : found) missing.erase(key);
  }
  unseen_.merge(missing);
}

ConditionMatcher::Key ConditionMatcher::KeyOf(size_t clause, const Instruction* instruction,
                                              int64_t device) const {
  return {clause, condition_.clauses()[clause].is_held ? nullptr : instruction, device};
}

// Notes the value that a step gives, and returns the one before it.
std::optional<ConditionMatcher::Last> ConditionMatcher::Note(size_t clause,
                                                             const StepFacts& facts) {
  const Clause& each = condition_.clauses()[clause];
  if (!facts.has_value || facts.kind == StepKind::kEnd || !IsOf(each, facts)) return std::nullopt;
  Last now;
  if (each.kind == Clause::Kind::kCrosses || each.is_held) {
    const auto number = MeasuredNumber(each.measure, facts.value);
    if (!number) return std::nullopt;
    now.number = *number;
  } else {
    const bool is_number = each.measure.statistic != Statistic::kNone;
    const auto number = is_number ? MeasuredNumber(each.measure, facts.value) : std::nullopt;
    now.number = number.value_or(0);
    now.bits = is_number ? 0 : MeasuredBits(each.measure, facts.value);
  }
  const auto [entry, is_first] =
      last_.try_emplace(KeyOf(clause, facts.instruction, facts.device), now);
  if (is_first) return std::nullopt;
  return std::exchange(entry->second, now);
}

bool ConditionMatcher::Holds(size_t clause, const StepFacts& facts) {
  const Clause& each = condition_.clauses()[clause];
  if (!each.looks_back()) return ClauseMatches(each, facts);
  const auto before = Note(clause, facts);
  if (each.is_held) {
    const auto last = last_.find(KeyOf(clause, nullptr, facts.device));
    return last != last_.end() && Compares(last->second.number, each.text, each.value);
  }
  if (!before) return false;
  const Last& now = last_.at({clause, facts.instruction, facts.device});
  if (each.kind == Clause::Kind::kCrosses) {
    return HasCrossed(before->number, now.number, each.value);
  }
  return before->bits != now.bits || !Compares(before->number, "==", now.number);
}

bool ConditionMatcher::operator()(const StepFacts& facts) {
  if (facts.kind == StepKind::kEnd) return false;  // its value was made by the root
  bool all = true;
  // Those that look back note every value, whether others hold or not.
  for (size_t i = 0; i < condition_.clauses().size(); ++i) {
    if (all || condition_.clauses()[i].looks_back()) all &= Holds(i, facts);
  }
  return all;
}

std::optional<int64_t> FindNext(Timeline& timeline, const Condition& condition, int64_t begin) {
  std::optional<int64_t> found;
  if (begin >= timeline.length()) return found;
  ConditionMatcher matches(condition, timeline, begin);
  for (size_t i = timeline.StretchOf(begin); i < timeline.stretch_count() && !found; ++i) {
    if (!condition.MayMatchIn(timeline, timeline.stretch(i))) continue;
    timeline.ForEach(std::max(begin, timeline.stretch(i).begin), timeline.StretchEnd(i),
                     [&](const StepFacts& facts) {
                       if (matches(facts)) found = facts.step;
                       return !found;
                     });
  }
  return found;
}

std::optional<int64_t> FindPrevious(Timeline& timeline, const Condition& condition, int64_t end) {
  std::optional<int64_t> found;
  end = std::min(end, timeline.length());
  if (end <= 0) return found;
  std::optional<ConditionMatcher> matches;
  for (size_t i = timeline.StretchOf(end - 1) + 1; i-- > 0 && !found;) {
    if (!condition.MayMatchIn(timeline, timeline.stretch(i))) continue;
    const int64_t begin = timeline.stretch(i).begin;
    if (matches) {
      matches->Restart(begin);
    } else {
      matches.emplace(condition, timeline, begin);
    }
    timeline.ForEach(begin, std::min(end, timeline.StretchEnd(i)), [&](const StepFacts& facts) {
      if ((*matches)(facts)) found = facts.step;
      return true;
    });
  }
  return found;
}

}  // namespace hlo
