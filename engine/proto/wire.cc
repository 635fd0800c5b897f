#include "engine/proto/wire.h"

#include <cstring>
#include <utility>

namespace hlo {
namespace {

// Little-endian bytes as a number.
template <typename T>
bool TakeFixed(std::string_view* bytes, uint64_t* value) {
  if (bytes->size() < sizeof(T)) return false;
  *value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) {
    *value |= uint64_t{static_cast<unsigned char>((*bytes)[i])} << (8 * i);
  }
  bytes->remove_prefix(sizeof(T));
  return true;
}

// The bits of a value as another type of the same size.
template <typename To, typename From>
To BitsAs(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

void AppendFixed(uint64_t value, int bytes, std::string* out) {
  for (int i = 0; i < bytes; ++i) out->push_back(static_cast<char>(value >> (8 * i) & 0xff));
}

}  // namespace

bool WireReader::TakeVarint(std::string_view* bytes, uint64_t* value) {
  constexpr size_t kMostBytes = 10;
  *value = 0;
  for (size_t i = 0; i < bytes->size() && i < kMostBytes; ++i) {
    const auto byte = static_cast<unsigned char>((*bytes)[i]);
    *value |= uint64_t{byte & 0x7fu} << (7 * i);
    if (byte < 0x80) {
      bytes->remove_prefix(i + 1);
      return true;
    }
  }
  return false;
}

bool WireReader::Next(WireField* field) {
  if (failed_ || rest_.empty()) return false;
  uint64_t key = 0;
  if (!TakeVarint(&rest_, &key)) return Fail();
  constexpr uint64_t kMostNumber = (uint64_t{1} << 29) - 1;
  if (key >> 3 == 0 || key >> 3 > kMostNumber) return Fail();
  field->number = static_cast<uint32_t>(key >> 3);
  field->type = static_cast<WireType>(key & 7);
  field->bytes = {};
  switch (field->type) {
    case WireType::kVarint:
      return TakeVarint(&rest_, &field->value) || Fail();
    case WireType::kFixed32:
      return TakeFixed<uint32_t>(&rest_, &field->value) || Fail();
    case WireType::kFixed64:
      return TakeFixed<uint64_t>(&rest_, &field->value) || Fail();
    case WireType::kBytes:
      if (!TakeVarint(&rest_, &field->value) || field->value > rest_.size()) return Fail();
      field->bytes = rest_.substr(0, field->value);
      rest_.remove_prefix(field->value);
      return true;
  }
  return Fail();
}

std::optional<WireField> WireMessage::Last(uint32_t number) const {
  std::optional<WireField> last;
  WireReader reader(bytes_);
  for (WireField field; reader.Next(&field);) {
    if (field.number == number) last = field;
  }
  return last;
}

bool WireMessage::Has(uint32_t number) const { return Last(number).has_value(); }

int64_t WireMessage::Int(uint32_t number, int64_t otherwise) const {
  const auto last = Last(number);
  if (!last) return otherwise;
  if (last->type != WireType::kBytes) return static_cast<int64_t>(last->value);
  // A list where one number is expected.
  std::string_view packed = last->bytes;
  uint64_t value = static_cast<uint64_t>(otherwise);
  while (!packed.empty() && WireReader::TakeVarint(&packed, &value)) {
  }
  return static_cast<int64_t>(value);
}

float WireMessage::Float(uint32_t number) const {
  const auto last = Last(number);
  return last ? BitsAs<float>(static_cast<uint32_t>(last->value)) : 0;
}

double WireMessage::Double(uint32_t number) const {
  const auto last = Last(number);
  return last ? BitsAs<double>(last->value) : 0;
}

std::string_view WireMessage::Bytes(uint32_t number) const {
  const auto last = Last(number);
  return last ? last->bytes : std::string_view{};
}

WireMessage WireMessage::Message(uint32_t number) const {
  WireMessage message;
  message.owned_ = owned_;
  WireReader reader(bytes_);
  std::shared_ptr<std::string> merged;
  bool found = false;
  for (WireField field; reader.Next(&field);) {
    if (field.number != number) continue;
    if (found) {
      if (!merged) merged = std::make_shared<std::string>(message.bytes_);
      merged->append(field.bytes);
    } else {
      message.bytes_ = field.bytes;
    }
    found = true;
  }
  if (merged) {
    message.bytes_ = *merged;
    message.owned_ = std::move(merged);
  }
  return message;
}

Dims WireMessage::Ints(uint32_t number) const {
  Dims values;
  WireReader reader(bytes_);
  for (WireField field; reader.Next(&field);) {
    if (field.number != number) continue;
    if (field.type != WireType::kBytes) {
      values.push_back(static_cast<int64_t>(field.value));
      continue;
    }
    for (uint64_t value = 0; !field.bytes.empty();) {
      if (!WireReader::TakeVarint(&field.bytes, &value)) break;
      values.push_back(static_cast<int64_t>(value));
    }
  }
  return values;
}

std::vector<std::string_view> WireMessage::Strings(uint32_t number) const {
  std::vector<std::string_view> strings;
  WireReader reader(bytes_);
  for (WireField field; reader.Next(&field);) {
    if (field.number == number) strings.push_back(field.bytes);
  }
  return strings;
}

std::vector<WireMessage> WireMessage::Messages(uint32_t number) const {
  std::vector<WireMessage> messages;
  for (std::string_view bytes : Strings(number)) {
    messages.emplace_back(bytes).owned_ = owned_;
  }
  return messages;
}

void WireWriter::AppendVarint(uint64_t value, std::string* out) {
  for (; value >= 0x80; value >>= 7) out->push_back(static_cast<char>(value | 0x80));
  out->push_back(static_cast<char>(value));
}

void WireWriter::Put(uint32_t number, int64_t value) {
  Key(number, WireType::kVarint);
  AppendVarint(static_cast<uint64_t>(value), &bytes_);
}

void WireWriter::Float(uint32_t number, float value) {
  Key(number, WireType::kFixed32);
  AppendFixed(BitsAs<uint32_t>(value), sizeof(value), &bytes_);
}

void WireWriter::Double(uint32_t number, double value) {
  Key(number, WireType::kFixed64);
  AppendFixed(BitsAs<uint64_t>(value), sizeof(value), &bytes_);
}

void WireWriter::Message(uint32_t number, std::string_view bytes) {
  Key(number, WireType::kBytes);
  AppendVarint(bytes.size(), &bytes_);
  bytes_.append(bytes);
}

}  // namespace hlo
