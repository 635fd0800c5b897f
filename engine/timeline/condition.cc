#include "engine/timeline/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <limits>

#include "engine/base/source.h"
#include "engine/run/finiteness.h"
#include "engine/types/convert.h"

namespace hlo {
namespace {

using Clause = Condition::Clause;

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::optional<int64_t> WholeNumber(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

std::optional<double> AnyNumber(std::string_view text) {
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf" || text == "+inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  if (text == "true" || text == "false") return text == "true" ? 1 : 0;
  char* end = nullptr;
  const std::string terminated(text);
  const double number = std::strtod(terminated.c_str(), &end);
  if (terminated.empty() || end != terminated.c_str() + terminated.size()) return std::nullopt;
  return number;
}

constexpr std::string_view kComparisons[] = {"<=", ">=", "==", "!=", "<", ">"};

bool Holds(double left, std::string_view comparison, double right) {
  if (comparison == "<") return left < right;
  if (comparison == "<=") return left <= right;
  if (comparison == ">") return left > right;
  if (comparison == ">=") return left >= right;
  const bool is_equal = left == right || (std::isnan(left) && std::isnan(right));
  return is_equal == (comparison == "==");
}

// "[2,3]" at the end of a name, which loses it. False when it is malformed.
bool TakeIndex(std::string_view* name, std::vector<int64_t>* index) {
  const size_t open = name->find('[');
  if (open == name->npos) return true;
  if (name->back() != ']') return false;
  std::string_view list = name->substr(open + 1, name->size() - open - 2);
  *name = Trimmed(name->substr(0, open));
  while (!Trimmed(list).empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    const auto number = WholeNumber(Trimmed(list.substr(0, comma)));
    if (!number) return false;
    index->push_back(*number);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return true;
}

std::optional<Clause> InstructionClause(std::string_view text, Condition::Resolve resolve,
                                        std::string* problem) {
  Clause clause{.kind = Clause::Kind::kInstruction};
  std::string_view name = text;
  for (const std::string_view comparison : kComparisons) {
    const size_t at = text.find(comparison);
    if (at == text.npos) continue;
    name = Trimmed(text.substr(0, at));
    const std::string_view right = Trimmed(text.substr(at + comparison.size()));
    const auto value = AnyNumber(right);
    if (!value) {
      *problem = fmt::format("'{}' is no number", right);
      return std::nullopt;
    }
    clause.comparison = std::string(comparison);
    clause.value = *value;
    break;
  }
  if (!TakeIndex(&name, &clause.index)) {
    *problem = fmt::format("'{}' is no element: name[2,3] is expected", name);
    return std::nullopt;
  }
  clause.instructions = resolve(name);
  if (!clause.instructions.empty()) return clause;
  *problem = fmt::format("there is no instruction '{}'", name);
  return std::nullopt;
}

// What is known by its first word; nothing when the word is none of these.
std::optional<Clause> KeywordClause(std::string_view text, std::string_view program,
                                    std::string* problem) {
  using Kind = Clause::Kind;
  if (text == "nan") return Clause{.kind = Kind::kNan};
  if (text == "inf") return Clause{.kind = Kind::kInf};
  if (text == "nonfinite") return Clause{.kind = Kind::kNonFinite};
  if (text == "collective") return Clause{.kind = Kind::kCollective};
  const size_t space = text.find(' ');
  if (space == text.npos) return std::nullopt;
  const std::string_view word = text.substr(0, space);
  const std::string_view rest = Trimmed(text.substr(space));
  if (word == "op") {
    const auto opcode = OpcodeFromText(rest);
    if (!opcode) *problem = fmt::format("there is no opcode '{}'", rest);
    if (!opcode) return std::nullopt;
    return Clause{.kind = Kind::kOpcode, .opcode = *opcode};
  }
  if (word != "line" && word != "device" && word != "iteration") return std::nullopt;
  const auto number = WholeNumber(rest);
  if (!number) {
    *problem =
        fmt::format("'{}' is no number of {} {}", rest, word == "iteration" ? "an" : "a", word);
    return std::nullopt;
  }
  if (word != "line") {
    return Clause{.kind = word == "device" ? Kind::kDevice : Kind::kIteration, .number = *number};
  }
  const LineTable lines(program);
  if (*number < 1 || *number > lines.line_count()) {
    *problem =
        fmt::format("the text has lines 1 to {}, and no line {}", lines.line_count(), *number);
    return std::nullopt;
  }
  const std::string_view line = lines.Line(static_cast<uint32_t>(*number));
  const auto begin = static_cast<uint32_t>(line.data() - program.data());
  return Clause{
      .kind = Kind::kLine, .begin = begin, .end = begin + static_cast<uint32_t>(line.size()) + 1};
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

bool ClauseMatches(const Clause& clause, const StepFacts& facts) {
  using Kind = Clause::Kind;
  const auto holds = [&](bool NonFinite::*what) {
    return facts.has_value && NonFiniteOf(facts.value).*what;
  };
  switch (clause.kind) {
    case Kind::kInstruction: {
      const auto& all = clause.instructions;
      if (std::find(all.begin(), all.end(), facts.instruction) == all.end()) return false;
      if (!clause.comparison) return facts.has_value || facts.kind == StepKind::kEnter;
      if (!facts.has_value) return false;
      const auto element = ElementAt(facts.value, clause.index);
      return element && Holds(*element, *clause.comparison, clause.value);
    }
    case Kind::kOpcode:
      return facts.instruction->opcode() == clause.opcode;
    case Kind::kLine: {
      const uint32_t begin = facts.instruction->places().whole.begin;
      return clause.begin <= begin && begin < clause.end;
    }
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
  }
  return false;
}

}  // namespace

std::optional<Condition> Condition::Parse(std::string_view text, std::string_view program,
                                          Resolve resolve, std::string* problem) {
  constexpr std::string_view kAnd = " and ";
  Condition condition;
  std::string_view rest = Trimmed(text);
  if (rest.empty()) {
    *problem = "a condition is missing";
    return std::nullopt;
  }
  while (!rest.empty()) {
    const size_t at = std::min(rest.find(kAnd), rest.size());
    const std::string_view part = Trimmed(rest.substr(0, at));
    rest.remove_prefix(std::min(at + kAnd.size(), rest.size()));
    problem->clear();
    auto clause = KeywordClause(part, program, problem);
    if (!clause && problem->empty()) clause = InstructionClause(part, resolve, problem);
    if (!clause) return std::nullopt;
    condition.clauses_.push_back(std::move(*clause));
  }
  return condition;
}

bool Condition::Matches(const StepFacts& facts) const {
  if (facts.kind == StepKind::kEnd) return false;  // its value was made by the root
  return std::all_of(clauses_.begin(), clauses_.end(),
                     [&](const Clause& clause) { return ClauseMatches(clause, facts); });
}

bool Condition::MayMatchIn(const Timeline& timeline, const Timeline::Stretch& stretch) const {
  return std::all_of(clauses_.begin(), clauses_.end(), [&](const Clause& clause) {
    if (clause.kind != Clause::Kind::kInstruction) return true;
    return std::any_of(
        clause.instructions.begin(), clause.instructions.end(),
        [&](const Instruction* each) { return stretch.Has(timeline.NumberOf(*each)); });
  });
}

std::optional<double> ElementAt(const Value& value, const std::vector<int64_t>& index) {
  const Value* part = &value;
  size_t used = 0;
  while (part->is_tuple()) {
    if (used == index.size()) return std::nullopt;
    const auto element = static_cast<size_t>(index[used++]);
    if (element >= part->elements().size()) return std::nullopt;
    part = &part->elements()[element];
  }
  if (!part->is_array()) return std::nullopt;
  const Tensor& tensor = part->tensor();
  if (index.size() - used != static_cast<size_t>(tensor.rank())) return std::nullopt;
  int64_t offset = 0;
  for (int d = 0; d < tensor.rank(); ++d) {
    const int64_t i = index[used++];
    if (i >= tensor.dim(d)) return std::nullopt;
    offset = offset * tensor.dim(d) + i;
  }
  const ElementType type = tensor.element_type();
  const std::byte* at = tensor.bytes() + offset * BytesOf(type);
  std::complex<double> number;
  const ElementType wide = IsComplex(type) ? ElementType::kC128 : ElementType::kF64;
  ConvertElements(type, at, wide, reinterpret_cast<std::byte*>(&number), 1);
  return IsComplex(type) ? std::abs(number) : number.real();
}

std::optional<int64_t> FindNext(Timeline& timeline, const Condition& condition, int64_t begin) {
  std::optional<int64_t> found;
  if (begin >= timeline.length()) return found;
  for (size_t i = timeline.StretchOf(begin); i < timeline.stretch_count() && !found; ++i) {
    if (!condition.MayMatchIn(timeline, timeline.stretch(i))) continue;
    timeline.ForEach(std::max(begin, timeline.stretch(i).begin), timeline.StretchEnd(i),
                     [&](const StepFacts& facts) {
                       if (condition.Matches(facts)) found = facts.step;
                       return !found;
                     });
  }
  return found;
}

std::optional<int64_t> FindPrevious(Timeline& timeline, const Condition& condition, int64_t end) {
  std::optional<int64_t> found;
  end = std::min(end, timeline.length());
  if (end <= 0) return found;
  for (size_t i = timeline.StretchOf(end - 1) + 1; i-- > 0 && !found;) {
    if (!condition.MayMatchIn(timeline, timeline.stretch(i))) continue;
    timeline.ForEach(timeline.stretch(i).begin, std::min(end, timeline.StretchEnd(i)),
                     [&](const StepFacts& facts) {
                       if (condition.Matches(facts)) found = facts.step;
                       return true;
                     });
  }
  return found;
}

}  // namespace hlo
