// Conditions as people write them.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <set>
#include <utility>

#include "engine/base/source.h"
#include "engine/hlo/source_place.h"
#include "engine/timeline/condition.h"

namespace hlo {
namespace {

using Clause = Condition::Clause;

constexpr ConditionForm kForms[] = {
    {"NAME", "the instruction has its value, or begins (a call, a collective)"},
    {"NAME > 0.5",
     "its value compares so: < <= > >= == !=, also with nan and inf; beside another clause, as in "
     "'line 12 and NAME > 0.5', the value that it has then"},
    {"NAME[2,3] > 0.5", "an element of it does"},
    {"max NAME[0:4, 2] > 0.5",
     "a statistic does, of all or a slice: nans, infs, zeros; min, max, mean, sum, norm of what is "
     "no NaN"},
    {"NAME crosses 0.5", "its value gets from one side of a number to the other, or to it"},
    {"NAME changes", "its value has other bits than the one before on this device"},
    {"differs from RUN", "the value is not that of another run, by the instruction's name"},
    {"nan", "the value of an instruction has a NaN"},
    {"inf", "it has an infinity"},
    {"nonfinite", "it has one or the other"},
    {"op OPCODE", "an instruction of this opcode"},
    {"line N", "an instruction that begins in line N of the text"},
    {"source FILE:N", "an instruction that comes from this line of the source program"},
    {"iteration N", "in iteration N, from 0, of the innermost loop around"},
    {"device D", "on this device"},
    {"collective", "devices met, or sent, or received: the value is there"},
};

std::string_view TrimmedClause(std::string_view text) {
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
constexpr std::string_view kCrosses = " crosses";
constexpr std::string_view kChanges = " changes";

std::string Sources(const Module& module, std::string_view name) {
  std::set<std::string> known;
  std::set<int64_t> lines;
  for (const Computation& computation : module.computations()) {
    for (const Instruction& each : computation.instructions()) {
      for (const SourcePlace& place : SourcePlacesOf(each, module)) {
        if (IsFileNamed(place.file, name)) lines.insert(place.line);
        known.insert(std::string(place.file.substr(place.file.rfind('/') + 1)));
      }
    }
  }
  constexpr size_t kMost = 8;
  const auto first = [](const auto& all) {
    auto end = all.begin();
    for (size_t i = 0; i < kMost && end != all.end(); ++i) ++end;
    return fmt::format("{}{}", fmt::join(all.begin(), end, ", "), end == all.end() ? "" : ", ...");
  };
  if (!lines.empty()) return fmt::format("of this file there are lines {}", first(lines));
  if (known.empty()) return "its instructions have no metadata about it";
  return fmt::format("they come from {}", first(known));
}

class ClauseReader {
 public:
  ClauseReader(std::string_view program, const Module& module, Condition::Resolve resolve,
               Condition::Differing differing, std::string* problem)
      : program_(program),
        module_(module),
        resolve_(resolve),
        differing_(differing),
        problem_(problem) {}

  std::optional<Clause> Read(std::string_view text) {
    problem_->clear();
    if (text.empty()) return Refuse("a condition is missing");
    auto clause = Keyword(text);
    if (clause || !problem_->empty()) return clause;
    return OfInstruction(text);
  }

 private:
  using Kind = Clause::Kind;

  std::nullopt_t Refuse(std::string problem) {
    *problem_ = std::move(problem);
    return std::nullopt;
  }

  // What is known by its first word; nothing, and no problem, when the word is none of these.
  std::optional<Clause> Keyword(std::string_view text) {
    if (text == "nan") return Clause{.kind = Kind::kNan};
    if (text == "inf") return Clause{.kind = Kind::kInf};
    if (text == "nonfinite") return Clause{.kind = Kind::kNonFinite};
    if (text == "collective") return Clause{.kind = Kind::kCollective};
    const size_t space = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, space);
    const std::string_view rest = TrimmedClause(text.substr(space));
    const bool is_name = rest.empty() && !resolve_(text).empty();
    if (is_name) return std::nullopt;  // "line" may be an instruction
    if (word == "op") {
      const auto opcode = OpcodeFromText(rest);
      if (!opcode) return Refuse(fmt::format("there is no opcode '{}'", rest));
      return Clause{.kind = Kind::kOpcode, .opcode = *opcode};
    }
    if (word == "differs") return Differs(rest);
    if (word == "source") return Source(rest);
    if (word == "line") return Line(rest);
    if (word != "device" && word != "iteration") return std::nullopt;
    const auto number = WholeNumber(rest);
    if (!number) return NoNumber(rest, word);
    return Clause{.kind = word == "device" ? Kind::kDevice : Kind::kIteration, .number = *number};
  }

  std::nullopt_t NoNumber(std::string_view text, std::string_view word) {
    return Refuse(
        fmt::format("'{}' is not a number of {} {}", text, word == "iteration" ? "an" : "a", word));
  }

  std::optional<Clause> Line(std::string_view text) {
    const auto number = WholeNumber(text);
    if (!number) return NoNumber(text, "line");
    const LineTable lines(program_);
    if (*number < 1 || *number > lines.line_count()) {
      return Refuse(
          fmt::format("the text has lines 1 to {}, and no line {}", lines.line_count(), *number));
    }
    const std::string_view line = lines.Line(static_cast<uint32_t>(*number));
    const auto begin = static_cast<uint32_t>(line.data() - program_.data());
    return Clause{
        .kind = Kind::kLine, .begin = begin, .end = begin + static_cast<uint32_t>(line.size()) + 1};
  }

  std::optional<Clause> Source(std::string_view text) {
    const size_t colon = text.rfind(':');
    Clause clause{.kind = Kind::kSource, .number = -1};
    clause.text = std::string(text.substr(0, colon));
    if (colon != text.npos) {
      const auto line = WholeNumber(TrimmedClause(text.substr(colon + 1)));
      if (!line) return NoNumber(text.substr(colon + 1), "line");
      clause.number = *line;
    }
    if (clause.text.empty()) return Refuse("a file is missing: source file.py:12 is expected");
    for (const Computation& computation : module_.computations()) {
      for (const Instruction& each : computation.instructions()) {
        const auto places = SourcePlacesOf(each, module_);
        const bool is_from =
            std::any_of(places.begin(), places.end(), [&](const SourcePlace& place) {
              return IsFileNamed(place.file, clause.text) &&
                     (clause.number < 0 || clause.number == place.line);
            });
        if (is_from) clause.instructions.push_back(&each);
      }
    }
    if (!clause.instructions.empty()) return clause;
    return Refuse(
        fmt::format("no instruction comes from '{}': {}", text, Sources(module_, clause.text)));
  }

  std::optional<Clause> Differs(std::string_view text) {
    constexpr std::string_view kFrom = "from ";
    const bool has_run = text.starts_with(kFrom) && !TrimmedClause(text.substr(5)).empty();
    if (!has_run) return Refuse("another run is missing: differs from RUN is expected");
    Clause clause{.kind = Kind::kDiffers};
    clause.steps = differing_(TrimmedClause(text.substr(kFrom.size())), problem_);
    if (!clause.steps) return std::nullopt;
    return clause;
  }

  std::optional<Clause> OfInstruction(std::string_view text) {
    if (text.ends_with(kChanges)) {
      return Measured({.kind = Kind::kChanges}, text.substr(0, text.size() - kChanges.size()));
    }
    const size_t crosses = text.find(kCrosses);
    if (crosses != text.npos) {
      return Against({.kind = Kind::kCrosses}, text.substr(0, crosses), "crosses",
                     text.substr(crosses + kCrosses.size()));
    }
    for (const std::string_view comparison : kComparisons) {
      const size_t at = text.find(comparison);
      if (at == text.npos) continue;
      return Against({.kind = Kind::kCompares, .text = std::string(comparison)}, text.substr(0, at),
                     comparison, text.substr(at + comparison.size()));
    }
    Clause clause{.kind = Kind::kInstruction};
    clause.instructions = resolve_(text);
    if (!clause.instructions.empty()) return clause;
    const auto measure = ParseMeasure(text, problem_);
    if (!measure) return std::nullopt;
    const bool is_measure = !measure->is_whole() && !resolve_(measure->name).empty();
    if (is_measure) {
      return Refuse(fmt::format(
          "'{0}' alone is no condition: write '{0} > 0.5', '{0} crosses 0.5' or '{0} changes'",
          text));
    }
    if (measure->name.find(' ') == measure->name.npos) {
      return Refuse(fmt::format("there is no instruction '{}'", measure->name));
    }
    return Refuse(
        fmt::format("'{}' is no condition. Write, for example, NAME, NAME > 0.5, NAME[2,3] == 1, "
                    "NAME changes, op dot or line 12",
                    text));
  }

  std::optional<Clause> Against(Clause clause, std::string_view left, std::string_view word,
                                std::string_view right) {
    right = TrimmedClause(right);
    const auto value = AnyNumber(right);
    if (right.empty()) return Refuse(fmt::format("a number is missing after '{}'", word));
    if (!value) return Refuse(fmt::format("'{}' is not a number", right));
    clause.value = *value;
    return Measured(std::move(clause), left);
  }

  // The instructions, of which at least one has to have what is measured.
  std::optional<Clause> Measured(Clause clause, std::string_view text) {
    auto measure = ParseMeasure(text, problem_);
    if (!measure) return std::nullopt;
    std::vector<const Instruction*> all = resolve_(measure->name);
    if (all.empty()) return Refuse(fmt::format("there is no instruction '{}'", measure->name));
    for (const Instruction* each : all) {
      std::string fault = Fault(*measure, each->shape(), clause.kind == Kind::kChanges);
      if (fault.empty()) {
        clause.instructions.push_back(each);
      } else if (problem_->empty()) {
        *problem_ = fmt::format("'{}' is {}: {}", measure->name,
                                ShapeText(each->shape(), {.layout = false}), fault);
      }
    }
    if (clause.instructions.empty()) return std::nullopt;
    problem_->clear();
    clause.measure = std::move(*measure);
    return clause;
  }

  // Why a value is not of one number, where one is needed.
  static std::string Fault(const Measure& measure, const Shape& shape, bool may_be_many) {
    std::string fault = MeasureFault(measure, shape);
    if (!fault.empty() || may_be_many || measure.statistic != Statistic::kNone) return fault;
    const Shape* part = &shape;
    size_t used = 0;
    for (; part->IsTuple() && used < measure.index.size(); ++used) {
      part = &part->elements()[static_cast<size_t>(measure.index[used].begin)];
    }
    if (!part->IsArray()) return "one number is compared: name[0] is the first element of a tuple";
    int64_t count = 1;
    for (size_t d = 0; d < part->dims().size(); ++d) {
      const int64_t size = part->dims()[d];
      const bool has_index = used + d < measure.index.size();
      const Measure::Index index = has_index ? measure.index[used + d] : Measure::Index{};
      count *= (index.end < 0 ? size : index.end) - index.begin;
    }
    if (count == 1) return "";
    return "one number is compared: an element like name[0,1], or a statistic like 'max name'";
  }

  std::string_view program_;
  const Module& module_;
  Condition::Resolve resolve_;
  Condition::Differing differing_;
  std::string* problem_;
};

bool SaysWhichStep(const Clause& clause) {
  using Kind = Clause::Kind;
  constexpr Kind kPlaces[] = {Kind::kInstruction, Kind::kOpcode,  Kind::kLine,   Kind::kSource,
                              Kind::kCollective,  Kind::kCrosses, Kind::kChanges};
  return std::find(std::begin(kPlaces), std::end(kPlaces), clause.kind) != std::end(kPlaces);
}

// What is compared beside a place is the value that is there then; of several comparisons the first
// one says which step is meant.
void HoldComparisons(std::vector<Clause>* clauses) {
  bool has_place = std::any_of(clauses->begin(), clauses->end(), SaysWhichStep);
  for (Clause& clause : *clauses) {
    if (clause.kind != Clause::Kind::kCompares) continue;
    clause.is_held = has_place;
    has_place = true;
  }
}

}  // namespace

std::span<const ConditionForm> ConditionForms() { return kForms; }

std::optional<Condition> Condition::Parse(std::string_view text, std::string_view program,
                                          const Module& module, Resolve resolve,
                                          Differing differing, std::string* problem) {
  constexpr std::string_view kAnd = " and ";
  Condition condition;
  ClauseReader reader(program, module, resolve, differing, problem);
  std::string padded = fmt::format(" {} ", TrimmedClause(text));
  std::string_view rest = padded;
  while (true) {
    const size_t at = std::min(rest.find(kAnd), rest.size());
    auto clause = reader.Read(TrimmedClause(rest.substr(0, at)));
    if (!clause) return std::nullopt;
    condition.clauses_.push_back(std::move(*clause));
    if (at == rest.size()) break;
    rest.remove_prefix(at + kAnd.size() - 1);  // the blank begins what comes next
  }
  HoldComparisons(&condition.clauses_);
  return condition;
}

}  // namespace hlo
