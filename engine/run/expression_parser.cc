// Reads input expressions: precedence climbing over a text.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <string>
#include <utility>

#include "engine/base/byte_count.h"
#include "engine/base/characters.h"
#include "engine/base/text_reader.h"
#include "engine/run/expression.h"
#include "engine/run/input_fault.h"
#include "engine/types/number_text.h"

namespace hlo {
namespace {

using Step = Expression::Step;

// Nested deeper, an expression is refused; so is one of more steps.
constexpr int kDeepestExpression = 200;
constexpr size_t kMostSteps = 10'000;

struct InfixOperator {
  std::string_view text;
  int level;  // the higher the tighter
};
// Longer ones before those that they begin with.
constexpr InfixOperator kInfix[] = {
    {"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<=", 3}, {">=", 3}, {"<", 3}, {">", 3},
    {"+", 4},  {"-", 4},  {"**", 7}, {"//", 5}, {"*", 5},  {"/", 5},  {"%", 5}, {"^", 7},
};
constexpr int kPrefixLevel = 6;
constexpr int kPowerLevel = 7;

struct NamedNumber {
  std::string_view name;
  double value;
};
constexpr NamedNumber kNamedNumbers[] = {
    {"pi", 3.141592653589793},
    {"e", 2.718281828459045},
    {"inf", std::numeric_limits<double>::infinity()},
    {"nan", std::numeric_limits<double>::quiet_NaN()},
    {"true", 1},
    {"false", 0},
};

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, uint32_t offset, const Shape& array,
                   Diagnostics& diagnostics)
      : text_(text), offset_(offset), array_(array), diagnostics_(diagnostics) {}

  bool Parse(std::vector<Step>* steps) {
    steps_ = steps;
    bool is_complex = false;
    if (!Choice(&is_complex)) return false;
    Skip();
    if (at_ < text_.size()) return Fault(at_, HereEnd(), "expects an operator, not " + Here());
    if (is_complex && !IsComplex(array_.element_type())) {
      return Fault(0, text_.size(),
                   fmt::format("this is complex, but the array is {}: take re(...) or abs(...)",
                               Text(array_.element_type())));
    }
    return true;
  }

 private:
  // ---- Text
  void Skip() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) {
      ++at_;
    }
  }
  bool Take(std::string_view token) {
    Skip();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  size_t WordEnd(size_t begin) const {
    while (begin < text_.size() && (IsNameStart(text_[begin]) || IsDigit(text_[begin]))) ++begin;
    return begin;
  }
  // The end of what stands here: a word or a character, of which bytes beyond ASCII are joined.
  size_t HereEnd() const {
    if (at_ >= text_.size()) return text_.size();
    size_t end = WordEnd(at_);
    if (end > at_) return end;
    for (end = at_ + 1; end < text_.size() && (text_[end] & 0xc0) == 0x80;) ++end;
    return end;
  }
  std::string Here() const {
    if (at_ >= text_.size()) return "the end";
    return fmt::format("'{}'", text_.substr(at_, std::min<size_t>(HereEnd() - at_, 40)));
  }
  bool Fault(size_t begin, size_t end, std::string message) {
    return InputFault(diagnostics_, offset_, begin, end, std::move(message));
  }
  bool Expect(std::string_view token, std::string_view what) {
    if (Take(token)) return true;
    return Fault(at_, HereEnd(), fmt::format("expects '{}' {}, not {}", token, what, Here()));
  }

  // ---- Steps
  bool Push(Step step) {
    if (steps_->size() >= kMostSteps) {
      return Fault(0, text_.size(), "the expression has too many parts");
    }
    steps_->push_back(step);
    return true;
  }
  bool Number(double value) { return Push({.number = value}); }
  // Whether the last `count` steps are real numbers: which ones.
  bool AreNumbers(int count, double* numbers) const {
    const auto first = steps_->end() - count;
    return std::all_of(first, steps_->end(), [&](const Step& step) {
      *numbers++ = step.number;
      return step.kind == Step::Kind::kNumber && !step.is_complex;
    });
  }
  // `begin`, `end`: where the function is written.
  bool Apply(std::string_view name, int operands, bool is_complex, size_t begin, size_t end,
             bool* result) {
    const ExpressionFunction* function = FindExpressionFunction(name);
    if (is_complex && function->complex == nullptr) {
      return Fault(begin, end,
                   fmt::format("'{}' has no meaning for complex numbers: take re(...) or abs(...)",
                               text_.substr(begin, end - begin)));
    }
    *result = is_complex && !function->makes_real;
    double numbers[ExpressionFunction::kMostArguments];
    if (!is_complex && AreNumbers(operands, numbers)) {
      if (function->is_in_domain && !function->is_in_domain(numbers)) {
        return Fault(begin, end,
                     fmt::format("'{}' expects that {}", text_.substr(begin, end - begin),
                                 function->domain));
      }
      // What is made of numbers is a number: -1 is one to whoever asks.
      if (function->real) {
        steps_->resize(steps_->size() - static_cast<size_t>(operands));
        return Number(function->real(numbers));
      }
    }
    return Push({.kind = Step::Kind::kApply,
                 .operands = operands,
                 .is_complex = *result,
                 .function = function});
  }

  // ---- Grammar

  // c ? a : b, which reads from the right.
  bool Choice(bool* is_complex) {
    if (++depth_ > kDeepestExpression) return Fault(at_, HereEnd(), "nested too deeply");
    if (!Infix(1, is_complex)) return false;
    Skip();
    const size_t begin = at_;
    if (Take("?")) {
      bool first = false, second = false;
      if (!Choice(&first) || !Expect(":", "between the two choices") || !Choice(&second)) {
        return false;
      }
      if (!Apply("where", 3, *is_complex || first || second, begin, begin + 1, is_complex)) {
        return false;
      }
    }
    --depth_;
    return true;
  }

  const InfixOperator* PeekInfix() {
    Skip();
    for (const InfixOperator& each : kInfix) {
      if (text_.substr(at_).starts_with(each.text)) return &each;
    }
    return nullptr;
  }

  // Operators of this level and tighter ones.
  bool Infix(int least, bool* is_complex) {
    if (++depth_ > kDeepestExpression) return Fault(at_, HereEnd(), "nested too deeply");
    if (!Prefix(is_complex)) return false;
    bool compared = false;
    while (const InfixOperator* infix = PeekInfix()) {
      if (infix->level < least) break;
      const size_t begin = at_;
      if (infix->level == 3 && std::exchange(compared, true)) {
        return Fault(begin, begin + infix->text.size(),
                     "comparisons do not chain: write a < b && b < c");
      }
      if (infix->level != 3) compared = false;
      at_ += infix->text.size();
      const bool is_power = infix->level == kPowerLevel;
      bool right = false;
      if (!(is_power ? Infix(kPrefixLevel, &right) : Infix(infix->level + 1, &right))) return false;
      const std::string_view name = infix->text == "^" ? "**" : infix->text;
      if (!Apply(name, 2, *is_complex || right, begin, begin + infix->text.size(), is_complex)) {
        return false;
      }
    }
    --depth_;
    return true;
  }

  // -2 ** 2 is -4, as in Python.
  bool Prefix(bool* is_complex) {
    Skip();
    const size_t begin = at_;
    if (Take("+")) return Infix(kPrefixLevel, is_complex);
    const bool is_minus = Take("-");
    const bool is_not = !is_minus && !text_.substr(at_).starts_with("!=") && Take("!");
    if (!is_minus && !is_not) return Atom(is_complex);
    if (!Infix(kPrefixLevel, is_complex)) return false;
    return Apply(is_minus ? "neg" : "!", 1, *is_complex, begin, begin + 1, is_complex);
  }

  bool Atom(bool* is_complex) {
    Skip();
    if (Take("(")) return Choice(is_complex) && Expect(")", "at the end of the parentheses");
    if (at_ < text_.size() && (IsDigit(text_[at_]) || text_[at_] == '.')) {
      return Numeral(is_complex);
    }
    if (at_ < text_.size() && IsNameStart(text_[at_])) return Word(is_complex);
    return Fault(at_, HereEnd(), "expects a number, an index or a function, not " + Here());
  }

  bool Numeral(bool* is_complex) {
    const size_t begin = at_;
    const char* end = nullptr;
    double value = 0;
    if (text_.substr(at_).starts_with("0x")) {
      for (at_ += 2; at_ < text_.size() && std::isxdigit(static_cast<unsigned char>(text_[at_]));
           ++at_) {
        const int digit = text_[at_] <= '9' ? text_[at_] - '0' : (text_[at_] | 32) - 'a' + 10;
        value = value * 16 + digit;
      }
    } else {
      end = ScanDouble(text_.data() + at_, text_.data() + text_.size(), &value);
      at_ = static_cast<size_t>(end - text_.data());
    }
    const size_t prefix = end ? 0 : 2;
    if (at_ == begin + prefix) return Fault(at_, HereEnd(), "expects a number, not " + Here());
    const size_t word = WordEnd(at_);
    const std::string_view unit = text_.substr(at_, word - at_);
    if (unit == "i" || unit == "j") {
      at_ = word;
      *is_complex = true;
      return Push({.is_complex = true, .number = value});
    }
    if (!unit.empty()) {
      return Fault(begin, word,
                   fmt::format("'{}' is not a number", text_.substr(begin, word - begin)));
    }
    return Number(value);
  }

  // A dimension by its number in a word like i0 or n12; -1 when it is none.
  int DimensionOf(std::string_view word) const {
    if (word.size() < 2 || word.size() > 4) return -1;
    int dim = 0;
    for (char c : word.substr(1)) {
      if (!IsDigit(c)) return -1;
      dim = dim * 10 + (c - '0');
    }
    return dim;
  }
  bool CheckDimension(int dim, size_t begin, size_t end) {
    const auto rank = static_cast<int>(array_.dims().size());
    if (dim < rank) return true;
    return Fault(begin, end,
                 rank == 0
                     ? std::string("the array is a scalar: it has no dimension")
                     : fmt::format("there is no dimension {}: the array has {}, numbered from 0",
                                   dim, Counted(rank, "dimension")));
  }

  bool Word(bool* is_complex) {
    const size_t begin = at_;
    at_ = WordEnd(at_);
    const size_t end = at_;
    const std::string_view word = text_.substr(begin, end - begin);
    for (const NamedNumber& known : kNamedNumbers) {
      if (known.name == word) return Number(known.value);
    }
    if (word == "i" || word == "j") {
      *is_complex = true;
      return Push({.is_complex = true, .number = 1});
    }
    if (word == "n") return Number(static_cast<double>(ElementsOf()));
    if (word == "k") return Push({.kind = Step::Kind::kIndex});
    if (const int dim = DimensionOf(word); dim >= 0 && (word[0] == 'i' || word[0] == 'n')) {
      if (!CheckDimension(dim, begin, end)) return false;
      if (word[0] == 'i') return Push({.kind = Step::Kind::kIndex, .dim = dim});
      return Number(static_cast<double>(array_.dims()[static_cast<size_t>(dim)]));
    }
    if (word == "zero" || word == "zeros") return Number(0);
    if (word == "ones") return Number(1);
    if (word == "random" || word == "rand") return Call(word, "uniform", begin, end, is_complex);
    if (word == "randn") return Call(word, "normal", begin, end, is_complex);
    if (word == "eye") return Eye(begin, end);
    if (word == "permutation") return Push({.kind = Step::Kind::kPermutation});
    if (word == "iota") return Iota();
    if (word == "linspace" || word == "logspace" || word == "arange")
      return Space(word, begin, end);
    return Call(word, word, begin, end, is_complex);
  }

  int64_t ElementsOf() const {
    int64_t count = 1;
    for (int64_t size : array_.dims()) count *= size;
    return count;
  }

  bool Eye(size_t begin, size_t end) {
    if (array_.dims().size() < 2) return Fault(begin, end, "eye needs an array of two dimensions");
    return Push({.kind = Step::Kind::kEye});
  }

  // The number of a dimension as an argument.
  bool Dimension(int* dim) {
    Skip();
    const size_t begin = at_;
    const size_t end = WordEnd(at_);
    at_ = end;
    *dim = DimensionOf("d" + std::string(text_.substr(begin, end - begin)));
    if (*dim < 0) {
      at_ = begin;
      return Fault(begin, HereEnd(), "expects the number of a dimension, not " + Here());
    }
    return CheckDimension(*dim, begin, end);
  }

  bool Iota() {
    Step step{.kind = Step::Kind::kIndex};
    if (Take("(") && !(Dimension(&step.dim) && Expect(")", "after the dimension"))) return false;
    return Push(step);
  }

  bool Space(std::string_view word, size_t begin, size_t end) {
    bool first = false, second = false;
    Step step{.kind = word == "arange" ? Step::Kind::kIndex : Step::Kind::kSpace, .operands = 2};
    if (!Expect("(", fmt::format("after {}", word)) || !Choice(&first) ||
        !Expect(",", "between the two numbers") || !Choice(&second)) {
      return false;
    }
    if (Take(",") && !Dimension(&step.dim)) return false;
    if (!Expect(")", "at the end of the arguments")) return false;
    if (first || second) return Fault(begin, end, fmt::format("{} is of real numbers", word));
    bool none = false;
    if (word == "arange") {
      step.operands = 0;  // start + step * index
      return Push(step) && Apply("*", 2, false, begin, end, &none) &&
             Apply("+", 2, false, begin, end, &none);
    }
    if (word == "linspace") return Push(step);
    // 10 ** linspace: the base comes first.
    const Step ten{.number = 10};
    steps_->insert(steps_->begin() + static_cast<std::ptrdiff_t>(StartOfOperands(2)), ten);
    return Push(step) && Apply("**", 2, false, begin, end, &none);
  }

  // Where the steps of the last operands on the stack begin.
  size_t StartOfOperands(int count) const {
    size_t at = steps_->size();
    for (int wanted = count; wanted > 0;) {
      --at;
      wanted += (*steps_)[at].operands - 1;
    }
    return at;
  }

  bool Call(std::string_view word, std::string_view name, size_t begin, size_t end,
            bool* is_complex) {
    const ExpressionFunction* function = FindExpressionFunction(name);
    if (function == nullptr || name == "neg") {
      return Fault(begin, end,
                   fmt::format("'{}' is neither a function nor an index (i0, i1, ...) or size "
                               "(n0, n1, ...)",
                               word.substr(0, 40)));
    }
    int count = 0;
    bool any = false;
    const bool has_arguments = Take("(");
    if (has_arguments && !Take(")")) {
      do {
        bool one = false;
        if (!Choice(&one)) return false;
        any |= one;
        ++count;
      } while (Take(","));
      if (!Expect(")", "at the end of the arguments")) return false;
    }
    if (count < function->least || count > function->most) {
      return Fault(
          begin, end,
          fmt::format("'{}' takes {}{} argument{}, not {}", word, function->least,
                      function->most == function->least ? std::string()
                                                        : fmt::format(" to {}", function->most),
                      function->most == 1 ? "" : "s", count));
    }
    if (name == "uniform" && count == 1) {
      return Fault(begin, end,
                   fmt::format("'{}' takes two arguments, low and high, or none", word));
    }
    for (; count < function->most; ++count) {
      if (!Number(function->defaults[count])) return false;
    }
    return Apply(name, function->most, any, begin, end, is_complex);
  }

  std::string_view text_;
  uint32_t offset_;
  const Shape& array_;
  Diagnostics& diagnostics_;
  std::vector<Step>* steps_ = nullptr;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::optional<Expression> Expression::Parse(std::string_view text, uint32_t offset,
                                            const Shape& array, Diagnostics& diagnostics) {
  Expression expression;
  if (!ExpressionParser(text, offset, array, diagnostics).Parse(&expression.steps_)) {
    return std::nullopt;
  }
  expression.is_complex_ =
      std::any_of(expression.steps_.begin(), expression.steps_.end(), [](const Step& step) {
        return step.is_complex || (step.function != nullptr && step.function->makes_real);
      });
  return expression;
}

}  // namespace hlo
