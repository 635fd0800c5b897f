// What the fields of XLA's messages are: their numbers, names and types.
#ifndef HLO_ENGINE_PROTO_SCHEMA_H_
#define HLO_ENGINE_PROTO_SCHEMA_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace hlo {

/// `MessageType::kHloModule`, ...: the messages of messages.def.
enum class MessageType : uint8_t {
#define PROTO_MESSAGE(name) k##name,
#include "engine/proto/messages.def"
};

/// The enumerations that fields have.
enum class ProtoEnum : uint8_t {
  kPrimitiveType,
  kAliasKind,
  kRandomDistribution,
  kFftType,
  kRandomAlgorithm,
  kPaddingType,
  kCustomCallSchedule,
  kCustomCallApiVersion,
  kTranspose,
  kPrecision,
  kAlgorithm,
  kAccuracyMode,
  kDimLevelType,
  kShardingType,
  kShardGroupType,
  kHeapEventKind,
};

/// The words of an enumeration.
struct EnumWord {
  std::string_view word;
  int64_t number = 0;
};
std::span<const EnumWord> EnumWords(ProtoEnum type);
/// The number of a word; case does not count. Nothing for an unknown word.
std::optional<int64_t> EnumNumber(ProtoEnum type, std::string_view word);
/// The word of a number; empty for an unknown one.
std::string_view EnumText(ProtoEnum type, int64_t number);

/// kInt has all integers and bool, kString bytes too.
enum class FieldType : uint8_t { kInt, kFloat, kDouble, kString, kEnum, kMessage };

/// A row of messages.def.
struct FieldRow {
  MessageType message;
  std::string_view name;
  uint32_t number;
  FieldType type;
  ProtoEnum enumeration = {};  ///< of kEnum
  MessageType type_of = {};    ///< of kMessage
};
/// The row of a field; null for one that is not read.
const FieldRow* FindField(MessageType message, uint32_t number);
const FieldRow* FindField(MessageType message, std::string_view name);

/// Whether the bytes are a message of this type: every field that is known has a value of its type,
/// and messages are nested at most 100 deep. Linear in the number of bytes times the depth.
bool CheckMessage(MessageType type, std::string_view bytes);

/// Messages nested deeper are refused, as protocol buffers do.
inline constexpr int kMostMessageDepth = 100;

}  // namespace hlo

#endif  // HLO_ENGINE_PROTO_SCHEMA_H_
