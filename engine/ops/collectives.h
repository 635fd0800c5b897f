// What the files of collectives share.
#ifndef HLO_ENGINE_OPS_COLLECTIVES_H_
#define HLO_ENGINE_OPS_COLLECTIVES_H_

#include "engine/ops/attributes.h"
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

/// The shape of the one operand, or the tuple of all of them.
Shape OperandShapes(const OpCall& call);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_COLLECTIVES_H_
