// Rules about slices and concatenations.
#include <algorithm>
#include <utility>

#include "engine/passes/rewriter.h"

namespace hlo {
namespace {

MaybeRewrite SliceOfSlice(Rewriter& rewriter, Instruction* instruction) {
  Instruction* inner = instruction->operand(0);
  std::vector<SliceDim> both;
  const std::vector<SliceDim>& a = inner->attrs().Slices("slice");
  const std::vector<SliceDim>& b = instruction->attrs().Slices("slice");
  for (size_t i = 0; i < a.size(); ++i) {
    // The limit lies behind the last element that is taken.
    const int64_t count = instruction->shape().dim(static_cast<int>(i));
    const int64_t start = a[i].start + b[i].start * a[i].stride;
    const int64_t stride = a[i].stride * b[i].stride;
    both.push_back(
        {start, count > 0 ? start + (count - 1) * stride + 1 : start, count > 1 ? stride : 1});
  }
  if (!rewriter.Become(instruction, Opcode::kSlice, {inner->operand(0)}, {{"slice", both}})) {
    return {};
  }
  return Rewrite{nullptr, "a slice of a slice is one slice"};
}

MaybeRewrite SliceOfConcatenate(Rewriter& rewriter, Instruction* instruction) {
  Instruction* whole = instruction->operand(0);
  const auto d = static_cast<size_t>(whole->attrs().Ints("dimensions")[0]);
  std::vector<SliceDim> slices = instruction->attrs().Slices("slice");
  int64_t begin = 0;
  for (Instruction* part : whole->operands()) {
    const int64_t end = begin + part->shape().dim(static_cast<int>(d));
    if (slices[d].start >= begin && slices[d].limit <= end && slices[d].start < slices[d].limit) {
      slices[d].start -= begin;
      slices[d].limit -= begin;
      if (part->shape().element_type() != instruction->shape().element_type() ||
          !rewriter.Become(instruction, Opcode::kSlice, {part}, {{"slice", slices}})) {
        return {};
      }
      return Rewrite{nullptr, "the slice lies within one part of the concatenation"};
    }
    begin = end;
  }
  return {};
}

MaybeRewrite SimplifySlice(Rewriter& rewriter, Instruction* instruction) {
  Instruction* operand = instruction->operand(0);
  if (operand->shape() == instruction->shape()) {
    return Rewrite{operand, "the slice takes the whole array"};
  }
  if (!rewriter.SeesThrough(*operand)) return {};
  if (operand->opcode() == Opcode::kSlice) return SliceOfSlice(rewriter, instruction);
  if (operand->opcode() == Opcode::kConcatenate) return SliceOfConcatenate(rewriter, instruction);
  return {};
}

MaybeRewrite SimplifyConcatenate(Rewriter& rewriter, Instruction* instruction) {
  std::vector<Instruction*> parts;
  const int d = static_cast<int>(instruction->attrs().Ints("dimensions")[0]);
  for (Instruction* part : instruction->operands()) {
    if (part->shape().dim(d) > 0) parts.push_back(part);
  }
  if (parts.size() == 1 && parts[0]->shape() == instruction->shape()) {
    return Rewrite{parts[0], "only one part has elements"};
  }
  const bool same_types = std::all_of(parts.begin(), parts.end(), [&](const Instruction* part) {
    return part->shape().element_type() == instruction->shape().element_type();
  });
  if (parts.empty() || static_cast<int>(parts.size()) == instruction->operand_count() ||
      !same_types) {
    return {};
  }
  if (!rewriter.Become(instruction, Opcode::kConcatenate, parts,
                       {{"dimensions", instruction->attrs().Ints("dimensions")}})) {
    return {};
  }
  return Rewrite{nullptr, "parts without elements are left out"};
}

// Indices of dynamic slices are clamped so that the slice lies inside.
MaybeRewrite SimplifyDynamicSlice(Rewriter& rewriter, Instruction* instruction) {
  Instruction* operand = instruction->operand(0);
  if (operand->shape() == instruction->shape()) {
    return Rewrite{operand, "the slice takes the whole array, wherever it is asked to begin"};
  }
  const int rank = operand->shape().rank();
  if (instruction->operand_count() != rank + 1) return {};
  std::vector<SliceDim> slices;
  for (int i = 0; i < rank; ++i) {
    const Tensor* index = ConstantOf(*instruction->operand(i + 1));
    if (!index || index->element_type() != ElementType::kS32) return {};
    const int64_t size = instruction->shape().dim(i);
    const int64_t start =
        std::clamp<int64_t>(*index->data<int32_t>(), 0, operand->shape().dim(i) - size);
    slices.push_back({start, start + size, 1});
  }
  if (operand->shape().element_type() != instruction->shape().element_type() ||
      !rewriter.Become(instruction, Opcode::kSlice, {operand}, {{"slice", slices}})) {
    return {};
  }
  return Rewrite{nullptr, "the indices are constants"};
}

}  // namespace

MaybeRewrite SimplifySlices(Rewriter& rewriter, Instruction* instruction) {
  switch (instruction->opcode()) {
    case Opcode::kSlice:
      return SimplifySlice(rewriter, instruction);
    case Opcode::kConcatenate:
      return SimplifyConcatenate(rewriter, instruction);
    case Opcode::kDynamicSlice:
      return SimplifyDynamicSlice(rewriter, instruction);
    case Opcode::kDynamicUpdateSlice:
      if (instruction->operand(0)->shape() == instruction->shape() &&
          instruction->operand(1)->shape() == instruction->shape()) {
        return Rewrite{instruction->operand(1), "the update covers the whole array"};
      }
      return {};
    default:
      return {};
  }
}

}  // namespace hlo
