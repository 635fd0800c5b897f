// The wire format of protocol buffers: reading messages without copying them, and writing them.
// Source: Protocol Buffers, "Encoding".
#ifndef HLO_ENGINE_PROTO_WIRE_H_
#define HLO_ENGINE_PROTO_WIRE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/small_vector.h"

namespace hlo {

/// How the value of a field is written. Groups (3 and 4) occur in no message of XLA.
enum class WireType : uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

/// One field of a message as it is written.
struct WireField {
  uint32_t number = 0;
  WireType type = WireType::kVarint;
  uint64_t value = 0;      ///< of every type but kBytes
  std::string_view bytes;  ///< of kBytes
};

/// Reads the fields of a message in order. Never past the end of the bytes.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : begin_(bytes.data()), rest_(bytes) {}
  /// The next field. False at the end, and where the bytes are no field (then `failed()`).
  bool Next(WireField* field);
  bool failed() const { return failed_; }
  /// How many bytes were read.
  size_t position() const { return static_cast<size_t>(rest_.data() - begin_); }

  /// Takes a number from the front of the bytes; false where there is none.
  static bool TakeVarint(std::string_view* bytes, uint64_t* value);

 private:
  bool Fail() {
    failed_ = true;
    return false;
  }
  const char* begin_;
  std::string_view rest_;
  bool failed_ = false;
};

/// A message whose bytes are known to be well formed (schema.h, CheckMessage); of others it finds
/// the fields in front of the first fault. A getter looks through the message once; absent fields
/// have the default.
class WireMessage {
 public:
  WireMessage() = default;
  explicit WireMessage(std::string_view bytes) : bytes_(bytes) {}

  std::string_view bytes() const { return bytes_; }
  bool Has(uint32_t number) const;
  /// Of several values of a field that is not repeated the last one counts.
  int64_t Int(uint32_t number, int64_t otherwise = 0) const;
  bool Bool(uint32_t number) const { return Int(number) != 0; }
  float Float(uint32_t number) const;
  double Double(uint32_t number) const;
  std::string_view Bytes(uint32_t number) const;
  /// Several occurrences are merged, as the format asks for.
  WireMessage Message(uint32_t number) const;
  /// Repeated numbers, packed or not.
  Dims Ints(uint32_t number) const;
  std::vector<WireMessage> Messages(uint32_t number) const;
  std::vector<std::string_view> Strings(uint32_t number) const;

 private:
  std::optional<WireField> Last(uint32_t number) const;
  std::string_view bytes_;
  std::shared_ptr<const std::string> owned_;  // what `bytes_` views, if it was merged
};

/// Writes the fields of a message; default values are written only when asked for.
class WireWriter {
 public:
  /// Left out when 0.
  void Int(uint32_t number, int64_t value) {
    if (value != 0) Put(number, value);
  }
  /// Written even when 0.
  void Put(uint32_t number, int64_t value);
  void Float(uint32_t number, float value);
  void Double(uint32_t number, double value);
  /// Left out when empty.
  void String(uint32_t number, std::string_view text) {
    if (!text.empty()) Message(number, text);
  }
  /// Written even when empty: an empty message differs from an absent one.
  void Message(uint32_t number, std::string_view bytes);
  /// Packed; left out when empty.
  template <typename List>
  void Ints(uint32_t number, const List& values) {
    std::string packed;
    for (int64_t value : values) AppendVarint(static_cast<uint64_t>(value), &packed);
    String(number, packed);
  }
  const std::string& bytes() const { return bytes_; }
  std::string Take() { return std::move(bytes_); }

  static void AppendVarint(uint64_t value, std::string* out);

 private:
  void Key(uint32_t number, WireType type) {
    AppendVarint(uint64_t{number} << 3 | static_cast<uint64_t>(type), &bytes_);
  }
  std::string bytes_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_PROTO_WIRE_H_
