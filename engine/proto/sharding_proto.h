// Shardings, lists of devices and OpMetadata as XLA's messages.
#ifndef HLO_ENGINE_PROTO_SHARDING_PROTO_H_
#define HLO_ENGINE_PROTO_SHARDING_PROTO_H_

#include <optional>
#include <string>

#include "engine/hlo/sharding.h"
#include "engine/proto/wire.h"

namespace hlo {

/// The sharding of an OpSharding message; nothing where it contradicts itself.
std::optional<Sharding> ShardingFromProto(const WireMessage& proto);
/// The bytes of an OpSharding message.
std::string ShardingToProto(const Sharding& sharding);

/// The mesh of a MeshProto; nothing where it has no device.
std::optional<DeviceMesh> MeshFromProto(const WireMessage& proto);
/// The axes of AxisRefProto messages (a repeated field); nothing where the mesh does not have them.
std::optional<std::vector<MeshAxis>> AxesFromProto(const std::vector<WireMessage>& axes,
                                                   const DeviceMesh& mesh);

/// Metadata, with the keys of the HLO text, which are the names of the message's fields.
KeyValues MetadataFromProto(const WireMessage& proto);
std::string MetadataToProto(const KeyValues& metadata);

}  // namespace hlo

#endif  // HLO_ENGINE_PROTO_SHARDING_PROTO_H_
