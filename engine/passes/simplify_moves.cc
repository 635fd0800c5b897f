// Rules about tuples and about what only moves elements.
#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/passes/rewriter.h"

namespace hlo {
namespace {

bool IsIdentity(const Dims& permutation) {
  for (size_t i = 0; i < permutation.size(); ++i) {
    if (permutation[i] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

// Whether an integer type holds every value of another.
bool Holds(ElementType wide, ElementType narrow) {
  if (!IsIntegral(wide) || !IsIntegral(narrow)) return false;
  if (IsSigned(narrow)) return IsSigned(wide) && BitsOf(wide) >= BitsOf(narrow);
  return IsSigned(wide) ? BitsOf(wide) > BitsOf(narrow) : BitsOf(wide) >= BitsOf(narrow);
}

MaybeRewrite Reshape(Rewriter& rewriter, Instruction* instruction) {
  Instruction* operand = instruction->operand(0);
  if (operand->opcode() != Opcode::kReshape || !rewriter.SeesThrough(*operand)) return {};
  rewriter.SetOperand(instruction, 0, operand->operand(0));
  return Rewrite{nullptr, "a reshape of a reshape is one reshape"};
}

MaybeRewrite Transpose(Rewriter& rewriter, Instruction* instruction) {
  Instruction* operand = instruction->operand(0);
  const Dims outer = instruction->attrs().Ints("dimensions");
  if (IsIdentity(outer) && operand->shape() == instruction->shape()) {
    return Rewrite{operand, "the transpose changes no dimension's place"};
  }
  if (operand->opcode() != Opcode::kTranspose || !rewriter.SeesThrough(*operand)) return {};
  const Dims& inner = operand->attrs().Ints("dimensions");
  Dims both;
  for (const int64_t d : outer) both.push_back(inner[static_cast<size_t>(d)]);
  if (!rewriter.Become(instruction, Opcode::kTranspose, {operand->operand(0)},
                       {{"dimensions", both}})) {
    return {};
  }
  return Rewrite{nullptr, "a transpose of a transpose is one transpose"};
}

MaybeRewrite Broadcast(Rewriter& rewriter, Instruction* instruction) {
  Instruction* operand = instruction->operand(0);
  const Dims outer = instruction->attrs().Ints("dimensions");
  if (IsIdentity(outer) && operand->shape() == instruction->shape()) {
    return Rewrite{operand, "the broadcast repeats nothing"};
  }
  if (operand->opcode() != Opcode::kBroadcast || !rewriter.SeesThrough(*operand)) return {};
  Dims both;
  for (const int64_t d : operand->attrs().Ints("dimensions")) {
    both.push_back(outer[static_cast<size_t>(d)]);
  }
  if (!rewriter.Become(instruction, Opcode::kBroadcast, {operand->operand(0)},
                       {{"dimensions", both}})) {
    return {};
  }
  return Rewrite{nullptr, "a broadcast of a broadcast is one broadcast"};
}

MaybeRewrite Convert(Rewriter& rewriter, Instruction* instruction) {
  Instruction* operand = instruction->operand(0);
  if (operand->shape() == instruction->shape()) {
    return Rewrite{operand, "the type is the same before and after the conversion"};
  }
  if (operand->opcode() != Opcode::kConvert || !rewriter.SeesThrough(*operand)) return {};
  Instruction* first = operand->operand(0);
  if (!Holds(operand->shape().element_type(), first->shape().element_type()) ||
      !Holds(operand->shape().element_type(), instruction->shape().element_type())) {
    return {};
  }
  if (first->shape() == instruction->shape()) {
    return Rewrite{first, "the wider type between holds every value, and the first type is back"};
  }
  rewriter.SetOperand(instruction, 0, first);
  return Rewrite{nullptr, "the wider type between the two conversions holds every value"};
}

MaybeRewrite Reverse(Rewriter& rewriter, Instruction* instruction) {
  Instruction* operand = instruction->operand(0);
  const Dims& dims = instruction->attrs().Ints("dimensions");
  const bool nothing = std::all_of(dims.begin(), dims.end(), [&](int64_t d) {
    return instruction->shape().dim(static_cast<int>(d)) <= 1;
  });
  if (nothing && operand->shape() == instruction->shape()) {
    return Rewrite{operand, "every reversed dimension has one element at most"};
  }
  if (operand->opcode() != Opcode::kReverse || !rewriter.SeesThrough(*operand)) return {};
  Dims a = dims, b = operand->attrs().Ints("dimensions");
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  if (a != b || !(operand->operand(0)->shape() == instruction->shape())) return {};
  return Rewrite{operand->operand(0), "reversed twice along the same dimensions"};
}

MaybeRewrite Pad(Instruction* instruction) {
  for (const PadDim& dim : instruction->attrs().Padding("padding")) {
    if (dim.low != 0 || dim.high != 0 || dim.interior != 0) return {};
  }
  if (!(instruction->operand(0)->shape() == instruction->shape())) return {};
  return Rewrite{instruction->operand(0), "nothing is padded"};
}

}  // namespace

MaybeRewrite SimplifyTuples(Rewriter& rewriter, Instruction* instruction) {
  if (instruction->opcode() == Opcode::kGetTupleElement) {
    Instruction* tuple = instruction->operand(0);
    if (tuple->opcode() != Opcode::kTuple || rewriter.draft().HasControl(*tuple)) return {};
    Instruction* element = tuple->operand(static_cast<int>(instruction->attrs().Int("index")));
    if (!(element->shape() == instruction->shape())) return {};
    return Rewrite{element, "it is an element of a tuple that is made here"};
  }
  if (instruction->opcode() != Opcode::kTuple || instruction->operand_count() == 0) return {};
  Instruction* whole = nullptr;
  for (int i = 0; i < instruction->operand_count(); ++i) {
    const Instruction* element = instruction->operand(i);
    if (element->opcode() != Opcode::kGetTupleElement || element->attrs().Int("index") != i ||
        (whole && element->operand(0) != whole)) {
      return {};
    }
    whole = element->operand(0);
  }
  if (!whole || !(whole->shape() == instruction->shape())) return {};
  return Rewrite{whole, "it is made of all elements of another tuple"};
}

MaybeRewrite SimplifyMoves(Rewriter& rewriter, Instruction* instruction) {
  switch (instruction->opcode()) {
    case Opcode::kReshape:
      if (instruction->operand(0)->shape() == instruction->shape()) {
        return Rewrite{instruction->operand(0), "the shape is the same before and after"};
      }
      return Reshape(rewriter, instruction);
    case Opcode::kTranspose:
      return Transpose(rewriter, instruction);
    case Opcode::kBroadcast:
      return Broadcast(rewriter, instruction);
    case Opcode::kConvert:
      return Convert(rewriter, instruction);
    case Opcode::kReverse:
      return Reverse(rewriter, instruction);
    case Opcode::kPad:
      return Pad(instruction);
    case Opcode::kBitcastConvert:
    case Opcode::kBitcast:
      if (!(instruction->operand(0)->shape() == instruction->shape())) return {};
      return Rewrite{instruction->operand(0), "the shape is the same before and after"};
    case Opcode::kCopy: {
      Instruction* operand = instruction->operand(0);
      if (operand->opcode() != Opcode::kCopy || !rewriter.SeesThrough(*operand)) return {};
      rewriter.SetOperand(instruction, 0, operand->operand(0));
      return Rewrite{nullptr, "a copy of a copy is one copy"};
    }
    default:
      return {};
  }
}

}  // namespace hlo
