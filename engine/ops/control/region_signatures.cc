#include "engine/ops/control/region_signatures.h"

#include <vector>

#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

Shape ScalarOf(const Shape& array) { return Shape::Scalar(array.element_type()); }

/// Whether the signature has scalars of all operands.
bool AreArrays(const OpCall& call) {
  for (int i = 0; i < call.operand_count(); ++i) {
    if (!call.operand(i).IsArray()) return false;
  }
  return call.operand_count() > 0;
}

std::optional<ProgramShape> Combiner(const OpCall& call, int count) {
  if (!AreArrays(call)) return std::nullopt;
  std::vector<Shape> scalars;
  scalars.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) scalars.push_back(ScalarOf(call.operand(i)));
  ProgramShape signature{scalars, OneOrTuple(scalars)};
  signature.parameters.insert(signature.parameters.end(), scalars.begin(), scalars.end());
  return signature;
}

std::optional<ProgramShape> Comparator(const OpCall& call, int count) {
  if (!AreArrays(call)) return std::nullopt;
  ProgramShape signature{{}, Shape::Scalar(ElementType::kPred)};
  for (int i = 0; i < count; ++i) {
    const Shape scalar = ScalarOf(call.operand(i));
    signature.parameters.insert(signature.parameters.end(), {scalar, scalar});
  }
  return signature;
}

}  // namespace

std::optional<ProgramShape> CalledSignature(const OpCall& call, const AttrDef&, size_t,
                                            const Shape* written) {
  if (!written) return std::nullopt;
  ProgramShape signature{{}, *written};
  for (int i = 0; i < call.operand_count(); ++i) signature.parameters.push_back(call.operand(i));
  return signature;
}

std::optional<ProgramShape> WhileSignature(const OpCall& call, const AttrDef& attr, size_t,
                                           const Shape*) {
  if (call.operand_count() == 0) return std::nullopt;
  const Shape& state = call.operand(0);
  return ProgramShape{{state},
                      attr.name == "condition" ? Shape::Scalar(ElementType::kPred) : state};
}

std::optional<ProgramShape> BranchSignature(const OpCall& call, const AttrDef& attr, size_t index,
                                            const Shape* written) {
  const int operand = attr.name == "false_computation" ? 2 : static_cast<int>(index) + 1;
  if (!written || operand >= call.operand_count()) return std::nullopt;
  return ProgramShape{{call.operand(operand)}, *written};
}

std::optional<ProgramShape> MapSignature(const OpCall& call, const AttrDef&, size_t,
                                         const Shape* written) {
  if (!written || !written->IsArray() || !AreArrays(call)) return std::nullopt;
  ProgramShape signature{{}, ScalarOf(*written)};
  for (int i = 0; i < call.operand_count(); ++i) {
    signature.parameters.push_back(ScalarOf(call.operand(i)));
  }
  return signature;
}

std::optional<ProgramShape> CombinerSignature(const OpCall& call, const AttrDef&, size_t,
                                              const Shape*) {
  return Combiner(call, call.operand_count() / 2);
}

std::optional<ProgramShape> OneCombinerSignature(const OpCall& call, const AttrDef&, size_t,
                                                 const Shape*) {
  return Combiner(call, 1);
}

std::optional<ProgramShape> ScatterSignature(const OpCall& call, const AttrDef&, size_t,
                                             const Shape*) {
  return Combiner(call, (call.operand_count() - 1) / 2);
}

std::optional<ProgramShape> ComparatorSignature(const OpCall& call, const AttrDef&, size_t,
                                                const Shape*) {
  return Comparator(call, call.operand_count());
}

std::optional<ProgramShape> SelectAndScatterSignature(const OpCall& call, const AttrDef& attr,
                                                      size_t, const Shape*) {
  return attr.name == "select" ? Comparator(call, 1) : Combiner(call, 1);
}

}  // namespace hlo
