#include "engine/why/first.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/base/indices.h"
#include "engine/ops/op_def.h"
#include "engine/types/doubles.h"
#include "engine/types/literal.h"
#include "engine/why/range.h"
#include "engine/why/recent_values.h"
#include "engine/why/search_time.h"
#include "engine/why/sums.h"

namespace hlo {
namespace {

constexpr int64_t kBlockOfNumbers = 4096;

// Elements as numbers, a block at a time: of complex ones NaN or infinity where a part is, else 0.
class NumberBlocks {
 public:
  explicit NumberBlocks(const Tensor& array) : array_(array) {}
  const std::vector<double>& At(int64_t begin, int64_t count) {
    const ElementType type = array_.element_type();
    numbers_.resize(static_cast<size_t>(IsComplex(type) ? 2 * count : count));
    ReadDoubles(array_, begin, count, numbers_.data());
    if (IsComplex(type)) {
      for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
        const double sum = std::abs(numbers_[2 * i]) + std::abs(numbers_[2 * i + 1]);
        numbers_[i] = std::isfinite(sum) ? 0 : sum;
      }
    }
    return numbers_;
  }

 private:
  const Tensor& array_;
  std::vector<double> numbers_;
};

double PlainNumberAt(const Tensor& array, const Dims& index) {
  return NumberBlocks(array).At(Ravel(index, array.dims()), 1)[0];
}

bool HoldsFloats(const Value& value) {
  return value.is_array() &&
         (IsFloat(value.tensor().element_type()) || IsComplex(value.tensor().element_type()));
}

std::string Written(const Instruction& instruction, const std::vector<OperandElement>& operands) {
  const Opcode opcode = instruction.opcode();
  const char* sign = opcode == Opcode::kAdd        ? "+"
                     : opcode == Opcode::kSubtract ? "-"
                     : opcode == Opcode::kMultiply ? "*"
                     : opcode == Opcode::kDivide   ? "/"
                                                   : nullptr;
  if (sign && operands.size() == 2) {
    return fmt::format("{} {} {}", operands[0].value, sign, operands[1].value);
  }
  std::string list;
  for (const OperandElement& each : operands) list += (list.empty() ? "" : ", ") + each.value;
  return fmt::format("{}({})", Text(opcode), list);
}

class FirstScan {
 public:
  FirstScan(Timeline& timeline, FirstKind wanted)
      : timeline_(timeline), wanted_(wanted), recent_(timeline) {}

  std::optional<FoundElement> Find(int64_t steps) {
    const SearchTime time(timeline_);
    for (int64_t step = 0; step < std::min(steps, timeline_.length()); ++step) {
      if (time.IsOver()) {
        throw RunError(DiagCode::kTimeExceeded,
                       fmt::format("the search was stopped after {} of {} steps", step, steps));
      }
      const StepFacts facts = timeline_.At(step);
      // At the end of a program its root is named once more, without operands.
      if (!facts.has_value || !facts.instruction || facts.kind == StepKind::kEnd) continue;
      LookAt(facts);
      recent_.Keep(step, facts.value);
      if (found_ && wanted_ != FirstKind::kLoss) break;
    }
    if (found_) Explain();
    return std::move(found_);
  }

 private:
  // With `is_sum`, where a sum may overflow on the way, and be a NaN in the end.
  bool IsSought(double number, bool is_sum) const {
    if (is_sum && wanted_ == FirstKind::kOverflow) return !std::isfinite(number);
    if (wanted_ == FirstKind::kNan) return std::isnan(number);
    if (wanted_ == FirstKind::kNonFinite) return !std::isfinite(number);
    if (wanted_ == FirstKind::kUnderflow) return number == 0;
    if (wanted_ == FirstKind::kLoss) return true;
    return std::isinf(number);
  }

  // Whether the instruction can have made what is sought, and did not only pass it on.
  bool CanMake(const StepFacts& facts) const {
    const Instruction& instruction = *facts.instruction;
    const Opcode opcode = instruction.opcode();
    if (wanted_ == FirstKind::kNan) return true;
    if (wanted_ == FirstKind::kUnderflow) {
      return MayUnderflow(instruction) || IsSum(instruction.Call());
    }
    if (wanted_ == FirstKind::kLoss) return MayLose(opcode);
    const bool is_given = opcode == Opcode::kParameter || opcode == Opcode::kConstant;
    if (is_given) return wanted_ != FirstKind::kOverflow;
    const bool runs = facts.kind == StepKind::kReturn && instruction.def().runs != Runs::kOtherwise;
    return !instruction.def().keeps_data && !instruction.def().is_collective && !runs;
  }

  void LookAt(const StepFacts& facts) {
    if (!CanMake(facts)) return;
    // Made once: it holds all operands, and a tuple has as many parts.
    const OpCall call = facts.instruction->Call();
    LookAtPart(facts, call, IsSum(call), facts.value, {});
  }

  // A part of the step's value, which is the result of `call`.
  void LookAtPart(const StepFacts& facts, const OpCall& call, bool is_sum, const Value& value,
                  const Dims& path) {
    if (found_ && wanted_ != FirstKind::kLoss) return;
    if (value.is_tuple()) {
      for (size_t i = 0; i < value.elements().size(); ++i) {
        LookAtPart(facts, call, is_sum, value.elements()[i],
                   Joined(path, Dims{static_cast<int64_t>(i)}));
      }
      return;
    }
    if (!HoldsFloats(value)) return;
    const Tensor& array = value.tensor();
    NumberBlocks blocks(array);
    std::vector<Value> args;
    for (int64_t begin = 0; begin < array.element_count(); begin += kBlockOfNumbers) {
      timeline_.budget()->Poll();
      const int64_t count = std::min(kBlockOfNumbers, array.element_count() - begin);
      const std::vector<double>& numbers = blocks.At(begin, count);
      for (int64_t i = 0; i < count; ++i) {
        const double number = numbers[static_cast<size_t>(i)];
        if (!IsSought(number, is_sum)) continue;
        if (args.empty()) args = ArgsOf(facts);
        const Dims at = Unravel(begin + i, array.dims());
        if (is_sum && wanted_ == FirstKind::kUnderflow) {
          const bool is_inside =
              HasArrays(args) &&
              UnderflowInside({call, args, facts.value}, path, at, timeline_.budget()).has_value();
          if (is_inside) return Take(facts, path, at, 0);
          continue;
        }
        if (wanted_ == FirstKind::kLoss || wanted_ == FirstKind::kUnderflow) {
          LookAtOperands(facts, args, begin, numbers, count);
          break;
        }
        if (IsMadeHere(facts, args, path, at, number)) return Take(facts, path, at, 0);
      }
      if (found_ && wanted_ != FirstKind::kLoss) return;
    }
  }

  static bool HasArrays(const std::vector<Value>& args) {
    return std::all_of(args.begin(), args.end(), [](const Value& arg) { return arg.is_array(); });
  }

  std::vector<Value> ArgsOf(const StepFacts& facts) {
    std::vector<Value> args;
    for (const int64_t step : facts.operands) args.push_back(recent_.At(step));
    return args;
  }

  void Take(const StepFacts& facts, const Dims& path, const Dims& index, double lost) {
    found_.emplace();
    found_->place = {facts.step, path, index};
    found_->lost_bits = lost;
  }

  // A block of a result of floats whose elements each depend on those of the operands at their
  // place.
  void LookAtOperands(const StepFacts& facts, const std::vector<Value>& args, int64_t begin,
                      const std::vector<double>& numbers, int64_t count) {
    const Opcode opcode = facts.instruction->opcode();
    const Tensor& result = facts.value.tensor();
    if (!IsFloat(result.element_type())) return;
    std::vector<std::vector<double>> given;
    for (const Value& arg : args) {
      if (!arg.is_array() || IsComplex(arg.tensor().element_type()) ||
          arg.tensor().element_count() != result.element_count()) {
        return;
      }
      given.push_back(NumberBlocks(arg.tensor()).At(begin, count));
    }
    if (given.empty()) return;
    const ElementType from = args[0].tensor().element_type();
    std::vector<double> operands(given.size());
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
      for (size_t j = 0; j < given.size(); ++j) operands[j] = given[j][i];
      const int64_t at = begin + static_cast<int64_t>(i);
      if (wanted_ == FirstKind::kLoss) {
        const double lost = LostBits(opcode, operands, numbers[i], from);
        if (lost >= 1 && lost > (found_ ? found_->lost_bits : 0)) {
          Take(facts, {}, Unravel(at, result.dims()), lost);
        }
        continue;
      }
      if (numbers[i] != 0 || !IsRoundedToZero(opcode, operands)) continue;
      Take(facts, {}, Unravel(at, result.dims()), 0);
      return;
    }
  }

  // Of a NaN or an infinity: whether none of the elements that it depends on is one.
  bool IsMadeHere(const StepFacts& facts, const std::vector<Value>& args, const Dims& path,
                  const Dims& index, double number) {
    const Instruction& instruction = *facts.instruction;
    const Opcode opcode = instruction.opcode();
    const bool is_overflow = wanted_ == FirstKind::kOverflow;
    if (std::isnan(number) && !is_overflow) return true;
    if (opcode == Opcode::kConstant) return false;
    if (opcode == Opcode::kParameter) return facts.depth == 0;
    bool is_value = false;
    std::vector<double> operands;
    const OpCall call = instruction.Call();
    for (const Elements& from : SourcesOf({call, args, facts.value}, path, index)) {
      const Tensor* array = ArrayAt(args[static_cast<size_t>(from.operand)], from.path);
      const int64_t count = array ? CountOf(from.box) : 0;
      if (from.role == SourceRole::kValue) is_value |= count > 0;
      for (int64_t i = 0; i < count; ++i) {
        if (i % kBlockOfNumbers == kBlockOfNumbers - 1) timeline_.budget()->Poll();
        const double operand = PlainNumberAt(*array, IndexIn(from.box, i));
        if (!std::isfinite(operand)) return false;
        if (operands.size() < 4) operands.push_back(operand);
      }
    }
    if (!is_overflow) return true;
    if (std::isnan(number)) {
      return OverflowInside({call, args, facts.value}, path, index, timeline_.budget()).has_value();
    }
    return is_value && !operands.empty() && !IsPole(opcode, operands);
  }

  void Explain() {
    const StepFacts facts = timeline_.At(found_->place.step);
    const Instruction& instruction = *facts.instruction;
    const std::vector<Value> args = ArgsOf(facts);
    const Tensor* array = ArrayAt(facts.value, found_->place.path);
    found_->value = ElementText(*array, found_->place.index);
    const OpCall call = instruction.Call();
    const bool is_plain = instruction.def().elementwise && !args.empty();
    if (is_plain) {
      for (const Elements& from :
           SourcesOf({call, args, facts.value}, found_->place.path, found_->place.index)) {
        const Tensor* given = ArrayAt(args[static_cast<size_t>(from.operand)], from.path);
        if (!given || CountOf(from.box) != 1) continue;
        const Dims index = IndexIn(from.box, 0);
        found_->operands.push_back({from.operand, from.path, index, ElementText(*given, index)});
      }
    }
    std::optional<SumFault> inside;
    if (wanted_ != FirstKind::kLoss && IsSum(call) && HasArrays(args)) {
      const Executed at{call, args, facts.value};
      inside =
          wanted_ == FirstKind::kUnderflow
              ? UnderflowInside(at, found_->place.path, found_->place.index, timeline_.budget())
              : OverflowInside(at, found_->place.path, found_->place.index, timeline_.budget());
    }
    if (inside) found_->operands = std::move(inside->operands);
    found_->words = Words(instruction, Text(array->element_type()), facts.depth,
                          inside ? inside->words : std::string());
  }

  // `inside`: what of a sum is beyond its type.
  std::string Words(const Instruction& instruction, std::string_view type, int depth,
                    const std::string& inside) const {
    const FoundElement& at = *found_;
    const Opcode opcode = instruction.opcode();
    // The sign of a NaN means nothing.
    const bool is_nan = at.value == "nan" || at.value == "-nan";
    const std::string value = is_nan ? "NaN" : at.value;
    if (opcode == Opcode::kParameter && depth == 0) {
      return fmt::format("{} is among the inputs", value);
    }
    if (opcode == Opcode::kConstant) return fmt::format("{} is written in the program", value);
    const std::string made = !inside.empty() ? inside
                             : at.operands.empty()
                                 ? fmt::format("{} of finite elements", Text(opcode))
                                 : Written(instruction, at.operands);
    const int lost = static_cast<int>(std::lround(at.lost_bits));
    switch (wanted_) {
      case FirstKind::kOverflow:
        return fmt::format("{} is beyond the largest finite {}", made, type);
      case FirstKind::kUnderflow:
        return fmt::format("{} is not 0, but below the smallest {}", made, type);
      case FirstKind::kLoss:
        if (opcode == Opcode::kAdd || opcode == Opcode::kSubtract) {
          return fmt::format("{} = {}: the leading {} bits cancel", made, at.value, lost);
        }
        return fmt::format("{} = {}: rounding drops {} bits", made, at.value, lost);
      case FirstKind::kNan:
      case FirstKind::kInfinity:
      case FirstKind::kNonFinite:
        break;
    }
    if (inside.empty()) return fmt::format("{} is {}", made, value);
    return fmt::format("{} is beyond the largest finite {}: {} is {}", made, type, Text(opcode),
                       value);
  }

  Timeline& timeline_;
  FirstKind wanted_;
  RecentValues recent_;
  std::optional<FoundElement> found_;
};

}  // namespace

std::optional<FirstKind> FirstKindFromText(std::string_view word) {
  constexpr std::pair<std::string_view, FirstKind> kWords[] = {{"nan", FirstKind::kNan},
                                                               {"inf", FirstKind::kInfinity},
                                                               {"nonfinite", FirstKind::kNonFinite},
                                                               {"overflow", FirstKind::kOverflow},
                                                               {"underflow", FirstKind::kUnderflow},
                                                               {"loss", FirstKind::kLoss}};
  for (const auto& [text, wanted] : kWords) {
    if (text == word) return wanted;
  }
  return std::nullopt;
}

std::optional<FoundElement> FindFirst(Timeline& timeline, FirstKind wanted, int64_t steps) {
  return FirstScan(timeline, wanted).Find(steps);
}

std::string ElementText(const Tensor& array, const Dims& index) {
  std::string text;
  AppendElement(array, Ravel(index, array.dims()), &text);
  return text;
}

}  // namespace hlo
