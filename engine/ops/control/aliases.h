// Checks of `output_to_operand_aliasing`: which parts of a result reuse the buffers of operands.
#ifndef HLO_ENGINE_OPS_CONTROL_ALIASES_H_
#define HLO_ENGINE_OPS_CONTROL_ALIASES_H_

#include <span>

#include "engine/base/diagnostics.h"
#include "engine/ops/attributes.h"
#include "engine/ops/op_call.h"

namespace hlo {

/// The row of the attribute, for every op that has it.
inline constexpr AttrDef kAliasingAttr{
    "output_to_operand_aliasing", AttrKind::kAliases, AttrUse::kOptional,
    "Parts of the result that are the same buffer as a part of an operand."};

/// The subshape at an index; null if there is none. The empty index is the shape itself.
const Shape* SubShape(const Shape& shape, std::span<const int64_t> index);

/// Checks that every alias refers to a subshape of a result of this shape.
bool LeadTo(std::span<const Alias> aliases, const Shape& result);

/// How closely two aliased subshapes must match.
struct AliasRule {
  Shape::EqualOptions equal = {};  ///< where layouts count; elsewhere without them
  bool scalars_move = false;       ///< scalars, and arrays of one element, may change their memory
  bool any_shapes = false;         ///< the parts need only be there
};

/// Checks that every alias refers to an existing operand and existing subshapes with one shape.
/// Source: XLA, hlo_verifier.cc, HandleFusion, HandleCustomCall and HandleCall.
void CheckAliases(const OpCall& call, const AliasRule& rule, Diagnostics& out);
/// The same for a result and operands other than the call's own.
void CheckAliases(const OpCall& call, const Shape& result, std::span<const Shape* const> operands,
                  const AliasRule& rule, Diagnostics& out);
/// Checks that both sides of one alias have one shape.
void CheckAliasedShapes(const OpCall& call, const Shape& from, const Shape& to,
                        const AliasRule& rule, Diagnostics& out);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_CONTROL_ALIASES_H_
