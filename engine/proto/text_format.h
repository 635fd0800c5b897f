// The text format of protocol buffers (`.pbtxt`, `.textproto`), made into the wire format.
// Source: Protocol Buffers, "Text Format Language Specification".
#ifndef HLO_ENGINE_PROTO_TEXT_FORMAT_H_
#define HLO_ENGINE_PROTO_TEXT_FORMAT_H_

#include <optional>
#include <string>
#include <string_view>

#include "engine/base/diagnostics.h"
#include "engine/proto/schema.h"

namespace hlo {

/// The bytes of a message of this type. Fields that messages.def does not have are skipped. Faults
/// are reported, and nothing returned.
std::optional<std::string> BytesOfProtoText(MessageType type, std::string_view text,
                                            Diagnostics& diagnostics);

}  // namespace hlo

#endif  // HLO_ENGINE_PROTO_TEXT_FORMAT_H_
