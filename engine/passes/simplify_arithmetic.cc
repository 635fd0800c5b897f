// Rules about arithmetic. Only those that keep every bit: x + 0 is not x for the float -0, and
// arithmetic may change the payload of a NaN, so floats are left alone but where nothing is
// computed.
#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/passes/rewriter.h"

namespace hlo {
namespace {

bool HasIntegers(const Shape& shape) {
  return shape.IsArray() &&
         (IsIntegral(shape.element_type()) || shape.element_type() == ElementType::kPred);
}

enum class Number : uint8_t { kOther, kZero, kOne, kOnes };

// What an integer that all elements are means to arithmetic.
Number NumberOf(const Instruction& instruction) {
  const std::optional<Splat> splat = SplatOf(instruction);
  if (!splat || !HasIntegers(instruction.shape())) return Number::kOther;
  const auto size = static_cast<size_t>(BytesOf(splat->value->element_type()));
  uint64_t bits = 0;
  std::memcpy(&bits, splat->value->bytes(), std::min(size, sizeof bits));
  if (bits == 0) return Number::kZero;
  if (splat->value->element_type() == ElementType::kPred) return Number::kOnes;
  if (bits == 1 && BitsOf(splat->value->element_type()) > 1) return Number::kOne;
  const uint64_t ones = size >= sizeof bits ? ~uint64_t{0} : (uint64_t{1} << (8 * size)) - 1;
  const bool whole_bytes = BitsOf(splat->value->element_type()) == static_cast<int>(8 * size);
  return whole_bytes && bits == ones ? Number::kOnes : Number::kOther;
}

// What `x op number` is: x, the number itself, or something else.
enum class Outcome : uint8_t { kOther, kOperand, kNumber };

Outcome WithNumberRight(Opcode opcode, Number number, bool is_pred) {
  switch (opcode) {
    case Opcode::kAdd:
    case Opcode::kSubtract:
    case Opcode::kShiftLeft:
    case Opcode::kShiftRightArithmetic:
    case Opcode::kShiftRightLogical:
      if (is_pred) return Outcome::kOther;
      return number == Number::kZero ? Outcome::kOperand : Outcome::kOther;
    case Opcode::kXor:
      return number == Number::kZero ? Outcome::kOperand : Outcome::kOther;
    case Opcode::kMultiply:
      if (is_pred) return Outcome::kOther;
      if (number == Number::kZero) return Outcome::kNumber;
      return number == Number::kOne ? Outcome::kOperand : Outcome::kOther;
    case Opcode::kDivide:
      if (is_pred) return Outcome::kOther;
      return number == Number::kOne ? Outcome::kOperand : Outcome::kOther;
    case Opcode::kAnd:
      if (number == Number::kZero) return Outcome::kNumber;
      return number == Number::kOnes ? Outcome::kOperand : Outcome::kOther;
    case Opcode::kOr:
      if (number == Number::kOnes) return Outcome::kNumber;
      return number == Number::kZero ? Outcome::kOperand : Outcome::kOther;
    default:
      return Outcome::kOther;
  }
}

MaybeRewrite Binary(Instruction* instruction) {
  if (!HasIntegers(instruction->shape())) return {};
  Instruction* a = instruction->operand(0);
  Instruction* b = instruction->operand(1);
  const bool is_pred = instruction->shape().element_type() == ElementType::kPred;
  const auto result = [&](Outcome outcome, Instruction* other,
                          Instruction* number) -> MaybeRewrite {
    Instruction* instead = outcome == Outcome::kOperand  ? other
                           : outcome == Outcome::kNumber ? number
                                                         : nullptr;
    if (!instead || !(instead->shape() == instruction->shape())) return {};
    return Rewrite{instead, outcome == Outcome::kOperand
                                ? "the constant changes nothing, as the type is no float"
                                : "the constant alone determines the result"};
  };
  MaybeRewrite found = result(WithNumberRight(instruction->opcode(), NumberOf(*b), is_pred), a, b);
  if (!found && instruction->def().commutative) {
    found = result(WithNumberRight(instruction->opcode(), NumberOf(*a), is_pred), b, a);
  }
  if (found || a != b || !(a->shape() == instruction->shape())) return found;
  switch (instruction->opcode()) {
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kMaximum:
    case Opcode::kMinimum:
      return Rewrite{a, "both operands are the same"};
    default:
      return {};
  }
}

MaybeRewrite Select(Rewriter& rewriter, Instruction* instruction) {
  Instruction* predicate = instruction->operand(0);
  const auto instead = [&](int i, std::string_view why) -> MaybeRewrite {
    if (!(instruction->operand(i)->shape() == instruction->shape())) return {};
    return Rewrite{instruction->operand(i), why};
  };
  if (instruction->operand(1) == instruction->operand(2))
    return instead(1, "both choices are the same");
  const Number number = NumberOf(*predicate);
  if (number != Number::kOther) {
    return instead(number == Number::kZero ? 2 : 1, "the predicate is a constant");
  }
  if (predicate->opcode() != Opcode::kNot || !rewriter.SeesThrough(*predicate)) return {};
  Instruction* on_true = instruction->operand(1);
  rewriter.SetOperand(instruction, 0, predicate->operand(0));
  rewriter.SetOperand(instruction, 1, instruction->operand(2));
  rewriter.SetOperand(instruction, 2, on_true);
  return Rewrite{nullptr, "choices change places instead of the predicate being negated"};
}

}  // namespace

MaybeRewrite SimplifyArithmetic(Rewriter& rewriter, Instruction* instruction) {
  if (instruction->opcode() == Opcode::kSelect) return Select(rewriter, instruction);
  if (instruction->operand_count() == 2 && instruction->def().elementwise) {
    return Binary(instruction);
  }
  if (instruction->opcode() != Opcode::kNot && instruction->opcode() != Opcode::kNegate) return {};
  Instruction* operand = instruction->operand(0);
  if (operand->opcode() != instruction->opcode() || !HasIntegers(instruction->shape()) ||
      !rewriter.SeesThrough(*operand) || !(operand->operand(0)->shape() == instruction->shape())) {
    return {};
  }
  return Rewrite{operand->operand(0), "applied twice it changes nothing"};
}

}  // namespace hlo
