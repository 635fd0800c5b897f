// Attributes of instructions as fields of HloInstructionProto: one table for both directions.
#ifndef HLO_ENGINE_PROTO_ATTRIBUTE_PROTO_H_
#define HLO_ENGINE_PROTO_ATTRIBUTE_PROTO_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/function_ref.h"
#include "engine/hlo/ir.h"
#include "engine/proto/schema.h"
#include "engine/proto/wire.h"

namespace hlo {

/// Where an attribute is in HloInstructionProto.
struct AttrField {
  std::string_view name;         ///< of the attribute
  std::array<uint32_t, 3> path;  ///< field numbers, from message to message; 0 after the last one
  ProtoEnum words = ProtoEnum::kPrimitiveType;  ///< of words that are numbers there
  bool is_text = false;                         ///< words are text there
  int region = 0;                               ///< its first among the called computations
};
/// The field of an attribute of an op; null for one that the messages do not have.
const AttrField* FindAttrField(Opcode opcode, std::string_view name);

/// The value of an attribute that names no instruction or computation and is no literal. Nothing
/// where the message does not say it. `*faulty` becomes true when it says something that is no
/// value of this kind. `rank` is that of the first operand; 0: unknown.
std::optional<AttrValue> AttrFromProto(const WireMessage& instruction, const AttrDef& def,
                                       const AttrField& field, int64_t rank, bool* faulty);

/// Writes such a value into the message that has the field: the last number of the path is given.
void AttrToProto(const AttrValue& value, const AttrDef& def, const AttrField& field,
                 uint32_t number, WireWriter* out);

/// The devices of a collective operation; nothing where the message has none.
std::optional<ReplicaGroups> ReplicaGroupsFromProto(const WireMessage& instruction, bool* faulty);
void ReplicaGroupsToProto(const ReplicaGroups& groups, WireWriter* out);

/// The map of FrontendAttributes.
KeyValues KeyValuesFromProto(const WireMessage& proto);
std::string KeyValuesToProto(const KeyValues& pairs);

/// `origin` of a value of this shape, of an OriginalValueProto; empty where it says nothing.
std::string OriginFromProto(const WireMessage& proto, const Shape& shape);
/// The bytes of an OriginalValueProto.
std::string OriginToProto(std::string_view text);

}  // namespace hlo

#endif  // HLO_ENGINE_PROTO_ATTRIBUTE_PROTO_H_
