// Checks of `output_to_operand_aliasing`: which parts of a result reuse the buffers of operands.
// Source: XLA, hlo_verifier.cc, CheckOutputOperandAliasing.
#ifndef HLO_ENGINE_OPS_ALIASES_H_
#define HLO_ENGINE_OPS_ALIASES_H_

#include "engine/base/diagnostics.h"
#include "engine/ops/attributes.h"
#include "engine/ops/op_call.h"

namespace hlo {

/// The row of the attribute, for every op that has it.
inline constexpr AttrDef kAliasingAttr{
    "output_to_operand_aliasing", AttrKind::kAliases, AttrUse::kOptional,
    "Parts of the result that are the same buffer as a part of an operand."};

/// The part of a shape at an index; null when there is none. The empty index is the shape itself.
const Shape* SubShape(const Shape& shape, std::span<const int64_t> index);

/// Every alias is of an operand there is (or that a later async-update binds to `late`'s
/// parameter), of parts there are, of one shape; with layouts when these count. Buffers and the
/// arrays inside them are the same.
void CheckAliases(const OpCall& call, const Region* late, Diagnostics& out);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_ALIASES_H_
