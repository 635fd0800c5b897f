#include "engine/io/inflate.h"

#include <array>
#include <cstdint>

namespace hlo {
namespace {

constexpr int kMostCodeBits = 15;

// A count of bits, which must not be negative, as a size.
constexpr size_t Size(int bits) { return static_cast<size_t>(bits); }

// Reads bits, the lowest of each byte first.
class BitStream {
 public:
  explicit BitStream(std::span<const std::byte> data) : data_(data) {}

  // -1 at the end.
  int Bit() {
    if (at_ >= data_.size()) return -1;
    const int bit = std::to_integer<int>(data_[at_]) >> shift_ & 1;
    if (++shift_ == 8) shift_ = 0, ++at_;
    return bit;
  }
  // -1 where fewer are left.
  int Bits(int count) {
    int value = 0;
    for (int i = 0; i < count; ++i) {
      const int bit = Bit();
      if (bit < 0) return -1;
      value |= bit << i;
    }
    return value;
  }
  // The next whole bytes: the rest of a byte that was begun is skipped.
  std::span<const std::byte> Bytes(size_t count) {
    if (shift_ > 0) shift_ = 0, ++at_;
    if (data_.size() - at_ < count) return {};
    at_ += count;
    return data_.subspan(at_ - count, count);
  }

 private:
  std::span<const std::byte> data_;
  size_t at_ = 0;
  int shift_ = 0;
};

// A Huffman code by its lengths: how many codes there are of each, and their symbols in order.
class HuffmanCode {
 public:
  explicit HuffmanCode(std::span<const uint8_t> lengths) {
    for (const uint8_t length : lengths) ++counts_[length];
    counts_[0] = 0;
    std::array<int, kMostCodeBits + 2> offsets{};
    for (size_t i = 1; i <= kMostCodeBits; ++i) offsets[i + 1] = offsets[i] + counts_[i];
    symbols_.resize(lengths.size());
    for (size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      if (lengths[symbol] == 0) continue;
      symbols_[static_cast<size_t>(offsets[lengths[symbol]]++)] = static_cast<int>(symbol);
    }
  }
  // -1 if the bits are no code.
  int Read(BitStream& in) const {
    int code = 0, first = 0, index = 0;
    for (size_t length = 1; length <= kMostCodeBits; ++length) {
      const int bit = in.Bit();
      if (bit < 0) return -1;
      code |= bit;
      const int count = counts_[length];
      if (code - first < count) return symbols_[static_cast<size_t>(index + code - first)];
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    return -1;
  }

 private:
  std::array<int, kMostCodeBits + 1> counts_{};
  std::vector<int> symbols_;
};

class Inflater {
 public:
  Inflater(std::span<const std::byte> data, size_t size) : in_(data), size_(size) {
    out_.reserve(size);
  }
  bool Run() {
    for (;;) {
      const int last = in_.Bit();
      const int kind = in_.Bits(2);
      if (last < 0 || kind < 0 || kind == 3) return false;
      const bool good = kind == 0 ? Stored() : kind == 1 ? Fixed() : Dynamic();
      if (!good) return false;
      if (last == 1) return out_.size() == size_;
    }
  }
  std::vector<std::byte> Take() { return std::move(out_); }

 private:
  bool Stored() {
    const auto head = in_.Bytes(4);
    if (head.size() != 4) return false;
    auto pair = [&](size_t i) {
      return std::to_integer<size_t>(head[i]) | std::to_integer<size_t>(head[i + 1]) << 8;
    };
    const size_t length = pair(0);
    if ((length ^ 0xffff) != pair(2)) return false;
    const auto bytes = in_.Bytes(length);
    if (bytes.size() != length || size_ - out_.size() < length) return false;
    out_.insert(out_.end(), bytes.begin(), bytes.end());
    return true;
  }
  bool Fixed() {
    std::array<uint8_t, 288> lengths{};
    for (size_t i = 0; i < lengths.size(); ++i) {
      lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    }
    std::array<uint8_t, 30> distances{};
    distances.fill(5);
    return Codes(HuffmanCode(lengths), HuffmanCode(distances));
  }
  bool Dynamic() {
    constexpr std::array<uint8_t, 19> kOrder = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                11, 4,  12, 3, 13, 2, 14, 1, 15};
    const int literals = in_.Bits(5) + 257, distances = in_.Bits(5) + 1, codes = in_.Bits(4) + 4;
    if (literals < 257 || distances < 1 || codes < 4 || literals > 286 || distances > 30) {
      return false;
    }
    std::array<uint8_t, 19> own{};
    for (size_t i = 0; i < static_cast<size_t>(codes); ++i) {
      const int length = in_.Bits(3);
      if (length < 0) return false;
      own[kOrder[i]] = static_cast<uint8_t>(length);
    }
    const HuffmanCode code(own);
    const auto count = Size(literals) + Size(distances);
    std::vector<uint8_t> lengths;
    while (lengths.size() < count) {
      const int symbol = code.Read(in_);
      if (symbol < 0 || (symbol == 16 && lengths.empty())) return false;
      if (symbol < 16) {
        lengths.push_back(static_cast<uint8_t>(symbol));
        continue;
      }
      const int more = in_.Bits(symbol == 16 ? 2 : symbol == 17 ? 3 : 7);
      if (more < 0) return false;
      const uint8_t repeated = symbol == 16 ? lengths.back() : uint8_t{0};
      lengths.insert(lengths.end(), Size(more) + (symbol == 18 ? 11 : 3), repeated);
    }
    if (lengths.size() != count) return false;
    const std::span<const uint8_t> all(lengths);
    return Codes(HuffmanCode(all.first(Size(literals))), HuffmanCode(all.subspan(Size(literals))));
  }
  bool Codes(const HuffmanCode& literals, const HuffmanCode& distances) {
    for (;;) {
      const int symbol = literals.Read(in_);
      if (symbol == 256) return true;
      if (symbol < 0) return false;
      if (symbol < 256) {
        if (out_.size() == size_) return false;
        out_.push_back(static_cast<std::byte>(symbol));
      } else if (!Copy(symbol - 257, distances)) {
        return false;
      }
    }
  }
  // Some bytes again that came before.
  bool Copy(int symbol, const HuffmanCode& distances) {
    if (symbol > 28) return false;
    const int more = symbol < 8 || symbol == 28 ? 0 : (symbol - 4) / 4;
    const int base = symbol < 8 ? 3 + symbol : symbol == 28 ? 258 : 3 + ((4 + symbol % 4) << more);
    const int extra = in_.Bits(more);
    const int code = distances.Read(in_);
    if (extra < 0 || code < 0 || code > 29) return false;
    const int far = code < 4 ? 0 : (code - 2) / 2;
    const int distance_extra = in_.Bits(far);
    if (distance_extra < 0) return false;
    const int nearest = code < 4 ? 1 + code : 1 + ((2 + code % 2) << far);
    const size_t distance = Size(nearest) + Size(distance_extra);
    const size_t length = Size(base) + Size(extra);
    if (distance > out_.size() || size_ - out_.size() < length) return false;
    for (size_t i = 0; i < length; ++i) out_.push_back(out_[out_.size() - distance]);
    return true;
  }

  BitStream in_;
  const size_t size_;
  std::vector<std::byte> out_;
};

}  // namespace

std::optional<std::vector<std::byte>> Inflate(std::span<const std::byte> data, size_t size) {
  Inflater inflater(data, size);
  if (!inflater.Run()) return std::nullopt;
  return inflater.Take();
}

}  // namespace hlo
