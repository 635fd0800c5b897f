#include "engine/mlir/text/dense.h"

#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "engine/mlir/text/cursor.h"
#include "engine/types/convert.h"
#include "engine/types/element_reader.h"
#include "engine/types/literal.h"
#include "engine/types/number_text.h"

namespace hlo::mlir {
namespace {

constexpr int64_t kMostBytes = int64_t{1} << 30;

int HexDigit(char c) {
  if (IsDigit(c)) return c - '0';
  const char lower = static_cast<char>(c | 32);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

class DenseReader {
 public:
  DenseReader(std::string_view text, uint32_t offset, const Shape& shape, Diagnostics& diagnostics)
      : text_(text),
        shape_(shape),
        diagnostics_(diagnostics),
        type_(shape.element_type()),
        part_(ComponentType(type_)),
        in_(text, offset, diagnostics) {}

  bool Read(Tensor& tensor);

 private:
  bool Fail(size_t begin, size_t end, std::string message) {
    diagnostics_.Report(DiagCode::kLiteralValue, in_.RangeOf(begin, end), std::move(message));
    return false;
  }
  bool ReadBytes(Tensor& tensor);
  bool ReadLists(Tensor& tensor);
  int64_t ReadElements(std::byte* to, int64_t most);
  bool ReadPart(std::byte* to);
  bool ReadHex(std::byte* to);
  bool ReadInteger(std::byte* to);
  void Fill(Tensor& tensor, const std::byte* element) {
    const int64_t bytes = BytesOf(type_);
    for (int64_t i = 0; i < tensor.element_count(); ++i) {
      std::memcpy(tensor.mutable_bytes() + i * bytes, element, static_cast<size_t>(bytes));
    }
  }

  std::string_view text_;
  const Shape& shape_;
  Diagnostics& diagnostics_;
  ElementType type_, part_;
  Scanner in_;
};

bool DenseReader::Read(Tensor& tensor) {
  in_.SkipSpace();
  if (in_.AtEnd()) {
    return tensor.element_count() == 0 || Fail(0, text_.size(), "the elements are missing");
  }
  if (in_.Peek() == '"') return ReadBytes(tensor);
  if (in_.Peek() == '[') return ReadLists(tensor);
  alignas(16) std::byte element[16] = {};
  if (ReadElements(element, 1) != 1) return false;
  in_.SkipSpace();
  if (!in_.AtEnd()) return Fail(in_.position(), text_.size(), "expected one element");
  Fill(tensor, element);
  return true;
}

bool DenseReader::ReadBytes(Tensor& tensor) {
  std::string_view digits = text_.substr(in_.position() + 1);
  digits = digits.substr(0, digits.find('"'));
  const auto fail = [&](std::string message) { return Fail(0, text_.size(), std::move(message)); };
  if (!digits.starts_with("0x")) return fail("expected \"0x...\"");
  digits.remove_prefix(2);
  const int64_t count = tensor.element_count();
  const int64_t given = static_cast<int64_t>(digits.size() / 2);
  const bool is_packed = type_ == ElementType::kPred && given == (count + 7) / 8 && count > 1;
  const bool is_splat = !is_packed && given == BytesOf(type_) && count != 1;
  const int64_t wanted = is_packed ? given : is_splat ? BytesOf(type_) : tensor.byte_size();
  if (digits.size() % 2 != 0 || given != wanted) {
    return fail(fmt::format("{} has {} bytes, but {} are given", ShapeName(shape_), wanted, given));
  }
  alignas(16) std::byte element[16] = {};
  std::byte* const out = is_splat ? element : tensor.mutable_bytes();
  const uint8_t mask =
      IsFloat(type_) || BitsOf(type_) >= 8 ? 0xff : static_cast<uint8_t>((1 << BitsOf(type_)) - 1);
  for (int64_t i = 0; i < given; ++i) {
    const size_t at = static_cast<size_t>(i) * 2;
    const int high = HexDigit(digits[at]), low = HexDigit(digits[at + 1]);
    if (high < 0 || low < 0) return fail("expected hexadecimal digits");
    const uint8_t byte = static_cast<uint8_t>(high * 16 + low);
    if (!is_packed) {
      out[i] = static_cast<std::byte>(byte & mask);
      continue;
    }
    for (int64_t bit = 0; bit < 8 && i * 8 + bit < count; ++bit) {
      out[i * 8 + bit] = static_cast<std::byte>((byte >> bit) & 1);
    }
  }
  // Small signed integers are stored with their sign in all bits.
  if (IsSigned(type_) && BitsOf(type_) < 8) {
    const int shift = 8 - BitsOf(type_);
    for (int64_t i = 0; i < given; ++i) {
      out[i] = static_cast<std::byte>(
          static_cast<int8_t>(static_cast<uint8_t>(static_cast<unsigned>(out[i]) << shift)) >>
          shift);
    }
  }
  if (is_splat) Fill(tensor, element);
  return true;
}

bool DenseReader::ReadHex(std::byte* to) {
  const size_t begin = in_.position();
  in_.Advance(2);
  uint64_t bits = 0;
  size_t digits = 0;
  for (; HexDigit(in_.Peek()) >= 0; ++digits, in_.Advance()) {
    bits = bits << 4 | static_cast<uint64_t>(HexDigit(in_.Peek()));
  }
  const int bytes = BytesOf(part_);
  if (digits == 0 || digits > 16 || (bytes < 8 && bits >> (8 * bytes) != 0)) {
    return Fail(begin, in_.position(), fmt::format("no bits of {}", Text(part_)));
  }
  std::memcpy(to, &bits, static_cast<size_t>(bytes));
  return true;
}

// Integers have no sign of their own: 255 of i8 is -1.
bool DenseReader::ReadInteger(std::byte* to) {
  const std::string_view rest = in_.rest();
  const IntegerToken token = ScanInteger(rest.data(), rest.data() + rest.size());
  const int bits = BitsOf(part_);
  const auto length = static_cast<size_t>(token.end - rest.data());
  const bool is_unsigned = token.fits && !token.is_negative && length > 0;
  if (is_unsigned && part_ == ElementType::kPred && token.magnitude > 1) {
    return Fail(in_.position(), in_.position() + length, "integer constant out of range for i1");
  }
  const bool has_top_bit = IsSigned(part_) && is_unsigned && (token.magnitude >> (bits - 1)) == 1;
  if (!has_top_bit || (length < rest.size() && rest[length] == '.')) {
    return ReadElementTexts(part_, in_, to, 1) == 1;
  }
  const auto value = static_cast<int64_t>(token.magnitude << (64 - bits)) >> (64 - bits);
  ConvertElements(ElementType::kS64, reinterpret_cast<const std::byte*>(&value), part_, to, 1);
  in_.Advance(length);
  return true;
}

bool DenseReader::ReadPart(std::byte* to) {
  in_.SkipSpace();
  if (in_.Peek() == '0' && in_.Peek(1) == 'x') return ReadHex(to);
  if (!IsFloat(part_)) return ReadInteger(to);
  // As in MLIR: parsed as a double, then rounded to nearest, with the type's own overflow
  // behaviour. A type without a zero gets its smallest number instead.
  const std::string_view rest = in_.rest();
  double value = 0;
  const char* const end = ScanDouble(rest.data(), rest.data() + rest.size(), &value);
  if (end == rest.data())
    return ReadElementTexts(part_, in_, to, 1) == 1;  // which reports the error
  const auto length = static_cast<size_t>(end - rest.data());
  if (rest.substr(0, length).find_first_of(".eEn") == std::string_view::npos) {
    const Range range = in_.RangeOf(in_.position(), in_.position() + length);
    diagnostics_
        .Report(DiagCode::kLiteralValue, range,
                "unexpected decimal integer literal for a floating point value")
        .fixes.push_back({"make it a float", range, fmt::format("{}.0", rest.substr(0, length))});
    return false;
  }
  in_.Advance(length);
  if (value == 0 && part_ == ElementType::kF8E8M0FNU) {
    *to = std::byte{0};
    return true;
  }
  ConvertElements(ElementType::kF64, reinterpret_cast<const std::byte*>(&value), part_, to, 1);
  return true;
}

// Elements up to a bracket, separated by commas; at least one. -1 after an error.
int64_t DenseReader::ReadElements(std::byte* to, int64_t most) {
  const int64_t bytes = BytesOf(type_);
  if (!IsComplex(type_)) {
    int64_t count = 0;
    while (count < most) {
      if (!ReadPart(to + count * bytes)) return -1;
      ++count;
      if (!in_.Take(',')) break;
    }
    return count;
  }
  int64_t count = 0;
  while (count < most) {
    const size_t begin = in_.position();
    if (!in_.Take('(') || !ReadPart(to) || !in_.Take(',') || !ReadPart(to + bytes / 2) ||
        !in_.Take(')')) {
      Fail(begin, in_.position(), "expected a complex number: (real, imaginary)");
      return -1;
    }
    to += bytes;
    ++count;
    if (!in_.Take(',')) break;
  }
  return count;
}

bool DenseReader::ReadLists(Tensor& tensor) {
  const size_t rank = shape_.dims().size();
  std::vector<int64_t> counts;  // of the open lists
  int64_t done = 0;
  const int64_t bytes = BytesOf(type_);
  do {
    in_.SkipSpace();
    const size_t begin = in_.position();
    if (in_.Take('[')) {
      if (counts.size() >= rank) {
        return Fail(begin, begin + 1,
                    fmt::format("{} has only {} dimensions", ShapeName(shape_), rank));
      }
      counts.push_back(0);
      continue;
    }
    if (in_.Take(']')) {
      const int64_t wanted = shape_.dims()[counts.size() - 1];
      const bool is_empty = tensor.element_count() == 0;
      if (counts.back() != wanted && !is_empty) {
        return Fail(begin, begin + 1,
                    fmt::format("a list of dimension {} of {} has {} entries", counts.size() - 1,
                                ShapeName(shape_), counts.back()));
      }
      counts.pop_back();
      if (!counts.empty()) ++counts.back();
      in_.Take(',');
      continue;
    }
    if (in_.AtEnd() || counts.size() != rank || done >= tensor.element_count()) {
      return Fail(begin, begin + 1, fmt::format("the elements do not fit {}", ShapeName(shape_)));
    }
    const int64_t got =
        ReadElements(tensor.mutable_bytes() + done * bytes, tensor.element_count() - done);
    if (got < 0) return false;
    done += got;
    counts.back() += got;
  } while (!counts.empty());
  in_.SkipSpace();
  if (!in_.AtEnd()) return Fail(in_.position(), text_.size(), "expected the end of the elements");
  return done == tensor.element_count() ||
         Fail(0, text_.size(),
              fmt::format("{} elements are given for {}", done, ShapeName(shape_)));
}

}  // namespace

std::optional<Tensor> ReadDense(std::string_view text, uint32_t offset, const Shape& shape,
                                Diagnostics& diagnostics, Budget* budget) {
  const Range whole{offset, offset + static_cast<uint32_t>(text.size())};
  if (!shape.IsArray() || shape.stored_bytes() > kMostBytes) {
    diagnostics.Report(DiagCode::kTooLarge, whole,
                       fmt::format("a constant of {} is too large", ShapeName(shape)));
    return std::nullopt;
  }
  try {
    Tensor tensor(shape, budget);
    if (DenseReader(text, offset, shape, diagnostics).Read(tensor)) return tensor;
  } catch (const RunError& error) {
    diagnostics.Report(error.code(), whole, error.message());
  }
  return std::nullopt;
}

std::optional<Tensor> ReadFill(std::string_view text, const Shape& shape) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (!shape.IsArray() || shape.stored_bytes() <= kLargestWrittenFill) return std::nullopt;
  if (first == std::string_view::npos || text[first] == '[' || text[first] == '"') {
    return std::nullopt;
  }
  Diagnostics faults;
  return ReadDense(text, 0, Shape::Scalar(shape.element_type()), faults, nullptr);
}

}  // namespace hlo::mlir
