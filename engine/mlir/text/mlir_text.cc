#include "engine/mlir/text/mlir_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>

#include "engine/base/work_limit.h"
#include "engine/mlir/text/cursor.h"
#include "engine/mlir/text/float_text.h"
#include "engine/types/literal.h"
#include "engine/types/number_text.h"

namespace hlo::mlir {
namespace {

// The largest number of elements that MLIR itself prints as a list.
constexpr int64_t kLongestList = 100;

void AppendHex(const std::byte* bytes, size_t count, std::string* out) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  for (size_t i = 0; i < count; ++i) {
    const auto byte = static_cast<uint8_t>(bytes[i]);
    *out += kDigits[byte >> 4];
    *out += kDigits[byte & 15];
  }
}

// In memory order. The upper bits of integers narrower than a byte are zero in MLIR.
void AppendBytes(const Tensor& tensor, std::string* out) {
  const ElementType type = tensor.element_type();
  const auto count = static_cast<size_t>(tensor.byte_size());
  out->reserve(out->size() + 2 * count);
  if (IsFloat(type) || BitsOf(type) >= 8 || type == ElementType::kPred) {
    return AppendHex(tensor.bytes(), count, out);
  }
  const auto mask = static_cast<std::byte>((1 << BitsOf(type)) - 1);
  for (size_t i = 0; i < count; ++i) {
    const std::byte byte = tensor.bytes()[i] & mask;
    AppendHex(&byte, 1, out);
  }
}

void AppendOne(const Tensor& tensor, int64_t index, std::string* out) {
  const ElementType type = tensor.element_type();
  const std::byte* bytes = tensor.bytes() + index * BytesOf(type);
  if (IsComplex(type)) {
    const ElementType part = ComponentType(type);
    *out += '(';
    AppendFloat(part, bytes, out);
    *out += ',';
    AppendFloat(part, bytes + BytesOf(part), out);
    *out += ')';
  } else if (IsFloat(type)) {
    AppendFloat(type, bytes, out);
  } else if (type == ElementType::kPred) {
    *out += static_cast<bool>(*bytes) ? "true" : "false";
  } else {
    AppendElement(tensor, index, out);
  }
}

bool IsSplat(const Tensor& tensor) {
  const size_t bytes = static_cast<size_t>(tensor.byte_size());
  const size_t one = static_cast<size_t>(BytesOf(tensor.element_type()));
  // All elements are equal if the array equals itself shifted by one element.
  return bytes > 0 && std::memcmp(tensor.bytes(), tensor.bytes() + one, bytes - one) == 0;
}

void AppendLists(const Tensor& tensor, std::string* out) {
  const Dims& dims = tensor.dims();
  const size_t rank = dims.size();
  const int64_t count = tensor.element_count();
  for (int64_t i = 0; i < count; ++i) {
    // How many nested lists begin (or end) at an element: those whose element count divides its
    // position.
    size_t begins = 0, ends = 0;
    int64_t inner = 1;
    for (size_t d = rank; d-- > 0;) {
      inner *= dims[d];
      if (i % inner == 0) ++begins;
      if ((i + 1) % inner == 0) ++ends;
    }
    if (i > 0) *out += ", ";
    out->append(begins, '[');
    AppendOne(tensor, i, out);
    out->append(ends, ']');
  }
}

}  // namespace

bool HasMlirType(ElementType type) { return BitsOf(type) > 1 || type == ElementType::kPred; }

std::string ElementText(ElementType type) {
  std::string text(Text(type));
  switch (ClassOf(type)) {
    case TypeClass::kPred:
      return "i1";
    case TypeClass::kSigned:
      return "i" + text.substr(1);
    case TypeClass::kUnsigned:
      return "ui" + text.substr(1);
    case TypeClass::kComplex:
      return "complex<" + std::string(Text(ComponentType(type))) + ">";
    case TypeClass::kFloat:
      break;
  }
  if (BitsOf(type) >= 16) return text;
  std::string name = "f";
  for (char c : text.substr(1)) name += c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  return name;
}

void AppendType(const Shape& shape, std::string* out) {
  if (shape.IsToken()) {
    *out += "!stablehlo.token";
    return;
  }
  if (shape.IsTuple()) {
    *out += "tuple<";
    for (size_t i = 0; i < shape.elements().size(); ++i) {
      if (i > 0) *out += ", ";
      AppendType(shape.elements()[i], out);
    }
    *out += '>';
    return;
  }
  *out += shape.IsBuffer() ? "memref<" : "tensor<";
  bool is_bounded = false;
  for (int i = 0; i < shape.rank(); ++i) {
    if (shape.is_dynamic(i)) {
      *out += "?x";
      is_bounded |= !shape.is_unbounded(i);
    } else {
      fmt::format_to(std::back_inserter(*out), "{}x", shape.dim(i));
    }
  }
  *out += ElementText(shape.element_type());
  for (int i = 0; is_bounded && i < shape.rank(); ++i) {
    *out += i == 0 ? ", #stablehlo.bounds<" : ", ";
    *out += shape.is_dynamic(i) && !shape.is_unbounded(i) ? std::to_string(shape.dim(i)) : "?";
  }
  *out += is_bounded ? ">>" : ">";
}

std::string TypeText(const Shape& shape) {
  std::string text;
  AppendType(shape, &text);
  return text;
}

void AppendFloatText(double value, bool is_f32, std::string* out) {
  for (int digits = 6;; ++digits) {
    const std::string text = fmt::format("{:.{}e}", value, digits);
    double back = 0;
    ScanDouble(text.data(), text.data() + text.size(), &back);
    const bool is_same =
        is_f32 ? static_cast<float>(back) == static_cast<float>(value) : back == value;
    if (is_same || digits == 16) {
      *out += text;
      return;
    }
  }
}

void AppendElements(const Tensor& tensor, std::string* out) {
  *out += "dense<";
  if (tensor.element_count() == 0) {
    // An array without elements is written without lists.
  } else if (IsSplat(tensor)) {
    AppendOne(tensor, 0, out);
  } else if (tensor.element_count() > kLongestList) {
    *out += "\"0x";
    AppendBytes(tensor, out);
    *out += '"';
  } else {
    AppendLists(tensor, out);
  }
  *out += '>';
}

std::string DenseRows(std::span<const Dims> rows, size_t width) {
  CountWork(rows.size() * width);
  std::string text = "dense<";
  if (!rows.empty() && width > 0) {
    for (size_t i = 0; i < rows.size(); ++i) {
      text += i > 0 ? "], [" : "[[";
      for (size_t k = 0; k < width; ++k) {
        if (k > 0) text += ", ";
        const fmt::format_int number(k < rows[i].size() ? rows[i][k] : -1);
        text.append(number.data(), number.size());
      }
    }
    text += "]]";
  }
  return text + fmt::format("> : tensor<{}x{}xi64>", rows.size(), width);
}

std::string IndexTensorText(std::span<const int64_t> numbers) {
  const bool is_splat =
      std::adjacent_find(numbers.begin(), numbers.end(), std::not_equal_to<>()) == numbers.end();
  std::string list = JoinDims(is_splat && !numbers.empty() ? numbers.first(1) : numbers);
  if (!is_splat) list = "[" + list + "]";
  return fmt::format("dense<{}> : tensor<{}xindex>", list, numbers.size());
}

void AppendQuoted(std::string_view text, std::string* out) {
  *out += '"';
  for (char c : text) {
    const auto byte = static_cast<std::byte>(c);
    if (c == '\\') {
      *out += "\\\\";
    } else if (c >= ' ' && c <= '~' && c != '"') {
      *out += c;
    } else {
      *out += '\\';
      AppendHex(&byte, 1, out);
    }
  }
  *out += '"';
}

void AppendSymbol(std::string_view name, std::string* out) {
  *out += '@';
  const bool is_plain = !name.empty() && IsNameStart(name[0]) &&
                        std::all_of(name.begin(), name.end(), IsWordCharacter);
  is_plain ? void(*out += name) : AppendQuoted(name, out);
}

std::string JoinDims(std::span<const int64_t> dims) {
  return fmt::format("{}", fmt::join(dims, ", "));
}

std::string I64Array(std::span<const int64_t> dims) {
  return dims.empty() ? "array<i64>" : fmt::format("array<i64: {}>", JoinDims(dims));
}

}  // namespace hlo::mlir
