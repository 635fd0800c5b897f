#include "engine/proto/schema.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "engine/hlo/attribute_text.h"
#include "engine/proto/wire.h"
#include "engine/types/element_type.h"

namespace hlo {
namespace {

constexpr FieldRow kFields[] = {
#define PROTO_FIELD(message, field, number, type) \
  {MessageType::k##message, #field, number, FieldType::k##type, {}, {}},
#define PROTO_ENUM_FIELD(message, field, number, enumeration) \
  {MessageType::k##message, #field, number, FieldType::kEnum, ProtoEnum::k##enumeration, {}},
#define PROTO_MESSAGE_FIELD(message, field, number, type) \
  {MessageType::k##message, #field, number, FieldType::kMessage, {}, MessageType::k##type},
#include "engine/proto/messages.def"
};

// The element types have their numbers in their own table.
constexpr EnumWord kPrimitiveTypes[] = {{"PRIMITIVE_TYPE_INVALID", 0},
#define ELEMENT(name, text, number, bits, bytes, klass, cpp) {text, number},
#include "engine/types/element_type.def"
                                        {"tuple", 13},
                                        {"opaque_type", 14},
                                        {"token", 17},
                                        {"buffer", 34}};
constexpr EnumWord kAliasKinds[] = {{"UNDEFINED_ALIAS", 0}, {"MAY_ALIAS", 1}, {"MUST_ALIAS", 2}};
constexpr EnumWord kRandomDistributions[] = {
    {"RNG_INVALID", 0}, {"RNG_UNIFORM", 1}, {"RNG_NORMAL", 2}};
constexpr EnumWord kFftTypes[] = {{"FFT", 0}, {"IFFT", 1}, {"RFFT", 2}, {"IRFFT", 3}};
constexpr EnumWord kRandomAlgorithms[] = {
    {"RNG_DEFAULT", 0}, {"RNG_THREE_FRY", 1}, {"RNG_PHILOX", 2}};
constexpr EnumWord kPaddingTypes[] = {
    {"PADDING_INVALID", 0}, {"PADDING_VALID", 1}, {"PADDING_SAME", 2}};
constexpr EnumWord kSchedules[] = {
    {"SCHEDULE_NONE", 0}, {"SCHEDULE_LATEST", 1}, {"SCHEDULE_EARLIEST", 2}};
constexpr EnumWord kApiVersions[] = {{"API_VERSION_UNSPECIFIED", 0},
                                     {"API_VERSION_ORIGINAL", 1},
                                     {"API_VERSION_STATUS_RETURNING", 2},
                                     {"API_VERSION_STATUS_RETURNING_UNIFIED", 3},
                                     {"API_VERSION_TYPED_FFI", 4}};
constexpr EnumWord kTransposes[] = {
    {"TRANSPOSE_INVALID", 0}, {"NO_TRANSPOSE", 1}, {"TRANSPOSE", 2}, {"ADJOINT", 3}};
constexpr EnumWord kPrecisions[] = {{"DEFAULT", 0}, {"HIGH", 1}, {"HIGHEST", 2}};
constexpr EnumWord kAlgorithms[] = {{"ALG_UNSET", 0},
                                    {"ALG_DOT_ANY_F8_ANY_F8_F32", 1},
                                    {"ALG_DOT_ANY_F8_ANY_F8_F32_FAST_ACCUM", 2},
                                    {"ALG_DOT_F16_F16_F16", 3},
                                    {"ALG_DOT_F16_F16_F32", 4},
                                    {"ALG_DOT_BF16_BF16_BF16", 5},
                                    {"ALG_DOT_BF16_BF16_F32", 6},
                                    {"ALG_DOT_BF16_BF16_F32_X3", 7},
                                    {"ALG_DOT_BF16_BF16_F32_X6", 8},
                                    {"ALG_DOT_TF32_TF32_F32", 9},
                                    {"ALG_DOT_TF32_TF32_F32_X3", 10},
                                    {"ALG_DOT_F32_F32_F32", 11},
                                    {"ALG_DOT_F64_F64_F64", 12},
                                    {"ALG_DOT_BF16_BF16_F32_X9", 13}};
constexpr EnumWord kAccuracyModes[] = {{"DEFAULT", 0}, {"HIGHEST", 1}};
constexpr EnumWord kDimLevelTypes[] = {
    {"DIM_DENSE", 0}, {"DIM_COMPRESSED", 1}, {"DIM_SINGLETON", 2}, {"DIM_LOOSE_COMPRESSED", 3}};
constexpr EnumWord kShardingTypes[] = {{"REPLICATED", 0}, {"MAXIMAL", 1}, {"TUPLE", 2},
                                       {"OTHER", 3},      {"MANUAL", 4},  {"UNKNOWN", 5},
                                       {"UNREDUCED", 6}};
constexpr EnumWord kShardGroups[] = {{"AS", 0}, {"LIKE", 1}};
constexpr EnumWord kHeapEvents[] = {{"ALLOC", 0}, {"FREE", 1}, {"SHARE_WITH", 2}};

// In the order of ProtoEnum.
constexpr std::span<const EnumWord> kEnums[] = {
    kPrimitiveTypes,   kAliasKinds,    kRandomDistributions, kFftTypes,
    kRandomAlgorithms, kPaddingTypes,  kSchedules,           kApiVersions,
    kTransposes,       kPrecisions,    kAlgorithms,          kAccuracyModes,
    kDimLevelTypes,    kShardingTypes, kShardGroups,         kHeapEvents};

// Fields by message and number.
const std::vector<const FieldRow*>& FieldsOf(MessageType message) {
  static const std::vector<std::vector<const FieldRow*>> kByMessage = [] {
    std::vector<std::vector<const FieldRow*>> lists;
    for (const FieldRow& row : kFields) {
      const auto type = static_cast<size_t>(row.message);
      if (lists.size() <= type) lists.resize(type + 1);
      if (lists[type].size() <= row.number) lists[type].resize(row.number + 1);
      lists[type][row.number] = &row;
    }
    return lists;
  }();
  return kByMessage[static_cast<size_t>(message)];
}

bool IsPackedInts(std::string_view bytes) {
  uint64_t value = 0;
  while (!bytes.empty()) {
    if (!WireReader::TakeVarint(&bytes, &value)) return false;
  }
  return true;
}

bool CheckDepth(MessageType type, std::string_view bytes, int levels);

bool CheckField(const FieldRow& row, const WireField& field, int levels) {
  const bool is_bytes = field.type == WireType::kBytes;
  switch (row.type) {
    case FieldType::kInt:
    case FieldType::kEnum:
      return is_bytes ? IsPackedInts(field.bytes) : field.type == WireType::kVarint;
    case FieldType::kFloat:
      return is_bytes ? field.bytes.size() % 4 == 0 : field.type == WireType::kFixed32;
    case FieldType::kDouble:
      return is_bytes ? field.bytes.size() % 8 == 0 : field.type == WireType::kFixed64;
    case FieldType::kString:
      return is_bytes;
    case FieldType::kMessage:
      return is_bytes && CheckDepth(row.type_of, field.bytes, levels - 1);
  }
  return false;
}

bool CheckDepth(MessageType type, std::string_view bytes, int levels) {
  if (levels < 0) return false;
  WireReader reader(bytes);
  for (WireField field; reader.Next(&field);) {
    const FieldRow* row = FindField(type, field.number);
    if (row && !CheckField(*row, field, levels)) return false;
  }
  return !reader.failed();
}

}  // namespace

std::span<const EnumWord> EnumWords(ProtoEnum type) { return kEnums[static_cast<size_t>(type)]; }

std::optional<int64_t> EnumNumber(ProtoEnum type, std::string_view word) {
  for (const EnumWord& row : EnumWords(type)) {
    if (FindWord({&row.word, 1}, word, /*ignore_case=*/true)) return row.number;
  }
  return std::nullopt;
}

std::string_view EnumText(ProtoEnum type, int64_t number) {
  for (const EnumWord& row : EnumWords(type)) {
    if (row.number == number) return row.word;
  }
  return {};
}

const FieldRow* FindField(MessageType message, uint32_t number) {
  const auto& fields = FieldsOf(message);
  return number < fields.size() ? fields[number] : nullptr;
}

const FieldRow* FindField(MessageType message, std::string_view name) {
  for (const FieldRow* row : FieldsOf(message)) {
    if (row && row->name == name) return row;
  }
  return nullptr;
}

bool CheckMessage(MessageType type, std::string_view bytes) {
  return CheckDepth(type, bytes, kMostMessageDepth);
}

}  // namespace hlo
