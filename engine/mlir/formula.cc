#include "engine/mlir/formula.h"

#include <fmt/format.h>

#include <iterator>
#include <limits>

#include "engine/mlir/cursor.h"
#include "engine/mlir/op_rows.h"
#include "engine/types/number_text.h"

namespace hlo::mlir {
namespace {

// A number that has no type yet, or a value.
struct Term {
  Instruction* value = nullptr;
  double number = 0;
  bool is_number = false;
};

struct FunctionRow {
  std::string_view name;
  Opcode opcode;
};
constexpr FunctionRow kFunctions[] = {
    {"abs", Opcode::kAbs},
    {"atan2", Opcode::kAtan2},
    {"complex", Opcode::kComplex},
    {"cos", Opcode::kCosine},
    {"exp", Opcode::kExponential},
    {"finite", Opcode::kIsFinite},
    {"floor", Opcode::kFloor},
    {"imag", Opcode::kImag},
    {"log", Opcode::kLog},
    {"log1p", Opcode::kLogPlusOne},
    {"pow", Opcode::kPower},
    {"real", Opcode::kReal},
    {"rem", Opcode::kRemainder},
    {"shl", Opcode::kShiftLeft},
    {"shr", Opcode::kShiftRightLogical},
    {"sin", Opcode::kSine},
    {"sqrt", Opcode::kSqrt},
};

// Of one formula. The texts are the table's own, so what does not parse is a fault of ours.
class Emitter {
 public:
  Emitter(OpImport& op, const Formula& formula, const Values& operands)
      : op_(op), in_(formula.text), like_(operands[0]) {
    for (size_t i = 0; i < operands.size(); ++i) {
      names_[formula.parameters.substr(i, 1)] = operands[i];
    }
  }

  Instruction* Run() {
    while (true) {
      const size_t begin = in_.position();
      in_.SkipSpace();
      const std::string_view name = in_.Word();
      if (!name.empty() && in_.Next() == '=' && in_.Peek(1) != '=') {
        in_.Advance();
        names_[name] = Typed(ReadChoice(), like_);
        in_.Take(";");
        continue;
      }
      in_.set_position(begin);
      return Typed(ReadChoice(), like_);
    }
  }

 private:
  // A number as an array like another.
  Instruction* Typed(const Term& term, Instruction* like) {
    if (!term.is_number || !like) return term.value;
    const Shape& shape = like->shape();
    Instruction* scalar = op_.Constant(NumberOf(shape.element_type(), term.number));
    return shape.rank() == 0
               ? scalar
               : op_.Emit(Opcode::kBroadcast, {scalar}, {{"dimensions", Dims{}}}, &shape);
  }
  Term Binary(Opcode opcode, const Term& a, const Term& b) {
    Instruction* like = a.value ? a.value : b.value ? b.value : like_;
    return {op_.Emit(opcode, {Typed(a, like), Typed(b, like)})};
  }
  Term Compare(const char* direction, const Term& a, const Term& b) {
    Instruction* like = a.value ? a.value : b.value;
    return {
        op_.Emit(Opcode::kCompare, {Typed(a, like), Typed(b, like)}, {{"direction", direction}})};
  }

  Term ReadChoice() {
    const Term condition = ReadLogic();
    if (!in_.Take("?")) return condition;
    const Term yes = ReadChoice();
    in_.Take(":");
    const Term no = ReadChoice();
    Instruction* like = yes.value ? yes.value : no.value ? no.value : like_;
    return {op_.Emit(Opcode::kSelect, {condition.value, Typed(yes, like), Typed(no, like)})};
  }

  Term ReadLogic() {
    Term left = ReadComparison();
    while (true) {
      if (in_.Take("|")) {
        left = Binary(Opcode::kOr, left, ReadComparison());
      } else if (in_.Take("&")) {
        left = Binary(Opcode::kAnd, left, ReadComparison());
      } else {
        return left;
      }
    }
  }

  Term ReadComparison() {
    const Term left = ReadSum();
    static constexpr std::pair<std::string_view, const char*> kDirections[] = {
        {"<=", "LE"}, {"<", "LT"}, {"==", "EQ"}, {"!=", "NE"}, {">", "GT"}};
    for (const auto& [text, direction] : kDirections) {
      if (in_.Take(text)) return Compare(direction, left, ReadSum());
    }
    return left;
  }

  Term ReadSum() {
    Term left = ReadProduct();
    while (true) {
      if (in_.Take("+")) {
        left = Binary(Opcode::kAdd, left, ReadProduct());
      } else if (in_.Take("-")) {
        left = Binary(Opcode::kSubtract, left, ReadProduct());
      } else {
        return left;
      }
    }
  }

  Term ReadProduct() {
    Term left = ReadFactor();
    while (true) {
      if (in_.Take("*")) {
        left = Binary(Opcode::kMultiply, left, ReadFactor());
      } else if (in_.Take("/")) {
        left = Binary(Opcode::kDivide, left, ReadFactor());
      } else {
        return left;
      }
    }
  }

  Term ReadFactor() {
    if (in_.Take("-")) {
      Term term = ReadFactor();
      if (!term.is_number) return {op_.Emit(Opcode::kNegate, {term.value})};
      term.number = -term.number;
      return term;
    }
    if (in_.Take("(")) {
      const Term inner = ReadChoice();
      in_.Take(")");
      return inner;
    }
    in_.SkipSpace();
    if (IsDigit(in_.Peek())) return {nullptr, ReadNumber(), true};
    const std::string_view name = in_.Word();
    if (name == "inf") return {nullptr, std::numeric_limits<double>::infinity(), true};
    if (name == "nan") return {nullptr, std::numeric_limits<double>::quiet_NaN(), true};
    return in_.Take("(") ? ReadCall(name) : Term{names_[name]};
  }

  double ReadNumber() {
    double value = 0;
    in_.SkipSpace();
    const std::string_view rest = in_.text().substr(in_.position());
    in_.Advance(static_cast<size_t>(ScanDouble(rest.data(), rest.data() + rest.size(), &value) -
                                    rest.data()));
    return value;
  }

  Term ReadCall(std::string_view name) {
    Values args = {Typed(ReadChoice(), like_)};
    if (in_.Take(";")) return ReadSeries(name == "cheb", args[0]);
    while (in_.Take(",")) args.push_back(Typed(ReadChoice(), args[0]));
    in_.Take(")");
    if (!args[0]) return {};
    const int bits = BitsOf(like_->shape().element_type());
    if (name == "bits" || name == "float") {
      const auto integer = ElementTypeFromText(fmt::format("u{}", bits));
      const Shape shape =
          name == "float" ? like_->shape()
                          : Shape::Array(integer.value_or(ElementType::kU8), like_->shape().dims());
      return {op_.Emit(Opcode::kBitcastConvert, args, {}, &shape)};
    }
    for (const FunctionRow& row : kFunctions) {
      if (row.name == name) return {op_.Emit(row.opcode, args)};
    }
    const Formula* formula = FindFormula(name);
    return {formula ? Emitter(op_, *formula, args).Run() : nullptr};
  }

  Term ReadSeries(bool is_chebyshev, Instruction* x) {
    Term one{nullptr, 0, true}, two = one, three = one;  // the last sums, youngest first
    bool is_first = true;
    while (!in_.Take(")") && !in_.AtEnd()) {
      const bool is_negative = in_.Take("-");
      const double number = ReadNumber();
      const Term next{nullptr, is_negative ? -number : number, true};
      three = two;
      two = one;
      if (is_first) {
        one = next;
      } else {
        Term product = Binary(Opcode::kMultiply, {x}, two);
        if (is_chebyshev) product = Binary(Opcode::kSubtract, product, three);
        one = Binary(Opcode::kAdd, product, next);
      }
      is_first = false;
    }
    if (!is_chebyshev) return one;
    return Binary(Opcode::kMultiply, {nullptr, 0.5, true}, Binary(Opcode::kSubtract, one, three));
  }

  OpImport& op_;
  Cursor in_;
  Instruction* like_;
  std::unordered_map<std::string_view, Instruction*> names_;
};

}  // namespace

Instruction* EmitFormula(OpImport& op, const Formula& formula, const Values& operands) {
  const Shape shape = operands[0]->shape();
  const bool widens = formula.widens && BitsOf(shape.element_type()) < 32;
  if (!widens) return Emitter(op, formula, operands).Run();
  const Shape wide = Shape::Array(ElementType::kF32, shape.dims());
  Values widened;
  for (Instruction* operand : operands) {
    widened.push_back(op.Emit(Opcode::kConvert, {operand}, {}, &wide));
    if (!widened.back()) return nullptr;
  }
  return op.Emit(Opcode::kConvert, {Emitter(op, formula, widened).Run()}, {}, &shape);
}

}  // namespace hlo::mlir
