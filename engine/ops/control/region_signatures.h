// Expected signatures of the computations that an op calls, for OpDef::signature: if a text names a
// computation that it does not contain, a placeholder with this signature takes its place.
#ifndef HLO_ENGINE_OPS_CONTROL_REGION_SIGNATURES_H_
#define HLO_ENGINE_OPS_CONTROL_REGION_SIGNATURES_H_

#include <cstddef>
#include <optional>

#include "engine/ops/attributes.h"
#include "engine/ops/op_call.h"

namespace hlo {

// All of them are OpDef::signature: `written` is the result shape in the text, or null.

/// The operands to the result: call, fusion, custom-call.
std::optional<ProgramShape> CalledSignature(const OpCall& call, const AttrDef& attr, size_t index,
                                            const Shape* written);
/// The state to the state, or for the condition to a pred.
std::optional<ProgramShape> WhileSignature(const OpCall& call, const AttrDef& attr, size_t index,
                                           const Shape* written);
/// The operand of this branch (operand 0 is the selector) to the result.
std::optional<ProgramShape> BranchSignature(const OpCall& call, const AttrDef& attr, size_t index,
                                            const Shape* written);
/// A scalar of each operand to a scalar of the result.
std::optional<ProgramShape> MapSignature(const OpCall& call, const AttrDef& attr, size_t index,
                                         const Shape* written);
/// Two scalars of each reduced array, all accumulators before all elements, to one of each; the
/// initial values are the second half of the operands.
std::optional<ProgramShape> CombinerSignature(const OpCall& call, const AttrDef& attr, size_t index,
                                              const Shape* written);
/// The same for the operands of a collective, which are reduced one by one.
std::optional<ProgramShape> OneCombinerSignature(const OpCall& call, const AttrDef& attr,
                                                 size_t index, const Shape* written);
/// The same for the arrays that are scattered into.
std::optional<ProgramShape> ScatterSignature(const OpCall& call, const AttrDef& attr, size_t index,
                                             const Shape* written);
/// Two scalars of each operand, adjacent, to a pred.
std::optional<ProgramShape> ComparatorSignature(const OpCall& call, const AttrDef& attr,
                                                size_t index, const Shape* written);
/// `select` compares two elements of operand 0, `scatter` combines them.
std::optional<ProgramShape> SelectAndScatterSignature(const OpCall& call, const AttrDef& attr,
                                                      size_t index, const Shape* written);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_CONTROL_REGION_SIGNATURES_H_
