// Files in which XLA keeps programs as protocol buffers: what `--xla_dump_to` writes besides text.
#ifndef HLO_ENGINE_PROTO_DUMP_FILE_H_
#define HLO_ENGINE_PROTO_DUMP_FILE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.h"
#include "engine/base/diagnostics.h"
#include "engine/hlo/ir.h"
#include "engine/proto/schema.h"
#include "engine/types/literal.h"

namespace hlo {

/// What such a file has.
struct DumpFile {
  MessageType type = MessageType::kHloModule;  ///< of the whole file
  std::string text;                            ///< the program as HLO text
  std::string buffer_assignment;               ///< as XLA's text of it; empty: the file has none
  std::vector<ShapedLiteral> arguments;        ///< of a snapshot, by parameter
  std::optional<ShapedLiteral> result;         ///< of a snapshot: what the program gave for them
  std::string platform;                        ///< of a snapshot: where
};

/// Whether the bytes are HloModuleProto, HloProto, HloSnapshot or HloUnoptimizedSnapshot, in the
/// wire format or as text. Told from the content alone; of other bytes it is fast.
bool LooksLikeDump(std::string_view bytes);

/// Reads such a file. Nothing, with a diagnostic, where it is none or too broken to tell. The text
/// of a program with faults is given too: whoever parses it reports them.
std::optional<DumpFile> ReadDumpFile(std::string_view bytes, Diagnostics& diagnostics,
                                     Budget* budget = nullptr);

/// "HloSnapshot", "HloProto", ...: the name of XLA's message.
std::string_view MessageName(MessageType type);

/// A module as a file of this kind: the bytes of HloProto.
std::string HloProtoOf(const Module& module);
/// The bytes of HloSnapshot.
std::string SnapshotOf(const Module& module, const std::vector<ShapedLiteral>& arguments,
                       const std::optional<ShapedLiteral>& result, std::string_view platform);

}  // namespace hlo

#endif  // HLO_ENGINE_PROTO_DUMP_FILE_H_
