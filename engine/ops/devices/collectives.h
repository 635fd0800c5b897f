// Shared by the collectives: attributes, shapes, and what members take from a meeting.
#ifndef HLO_ENGINE_OPS_DEVICES_COLLECTIVES_H_
#define HLO_ENGINE_OPS_DEVICES_COLLECTIVES_H_

#include <cstddef>

#include "engine/ops/attributes.h"
#include "engine/ops/devices/peers.h"
#include "engine/ops/eval.h"
#include "engine/ops/op_call.h"

namespace hlo {

inline constexpr AttrDef kChannelIdAttr{
    "channel_id", AttrKind::kInt, AttrUse::kOptional,
    "Marks a collective over partitions; equal numbers belong together."};

inline constexpr AttrDef kGroupsAttr{
    .name = "replica_groups",
    .kind = AttrKind::kReplicaGroups,
    .use = AttrUse::kOptional,
    .doc = "Which devices work together; an empty list is one group of all.",
    .always_printed = true};
inline constexpr AttrDef kConstrainAttr{
    "constrain_layout", AttrKind::kBool, AttrUse::kOptional,
    "The layouts of operands and result are fixed, because other programs take part."};

// ---- Evaluation: what a member takes from a meeting (meetings.h)

/// all-reduce: the arrays of all members, in rank order, combined by to_apply; collective-reduce:
/// the same for the root, zeros for all others.
Value TakeReduced(const OpCall& call, Meeting& meeting, size_t rank, EvalContext& context);
/// reduce-scatter: block `rank` of the same.
Value TakeScattered(const OpCall& call, Meeting& meeting, size_t rank, EvalContext& context);
/// all-gather, and all-gather-start: the arrays of all members, concatenated.
Value TakeGathered(const OpCall& call, Meeting& meeting, size_t rank, EvalContext& context);
Value TakeGatheredStart(const OpCall& call, Meeting& meeting, size_t rank, EvalContext& context);
/// collective-broadcast: the arrays of the root.
Value TakeBroadcast(const OpCall& call, Meeting& meeting, size_t rank, EvalContext& context);

// ---- Shapes -------------------------------------------------------------------------------------

/// The shape of the one operand, or the tuple of all of them.
Shape OperandShapes(const OpCall& call);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_DEVICES_COLLECTIVES_H_
