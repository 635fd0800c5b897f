#include "engine/io/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "engine/types/number_text.h"
#include "engine/types/scanner.h"
#include "engine/types/tensor_view.h"

namespace hlo {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kMostDims = 64;  // NumPy's own limit

// How a header names an element type, without the byte order: numpy's code, a letter and the bytes,
// where it has one, and the name, which for narrow types is that of the package ml_dtypes.
struct Dtype {
  std::string code;  ///< empty: none
  std::string name;
};

Dtype DtypeOf(ElementType type) {
  const std::string_view text = Text(type);
  const int bits = BitsOf(type);
  const auto numbered = [&](char letter, std::string_view word) {
    return Dtype{bits < 8 ? "" : fmt::format("{}{}", letter, BytesOf(type)),
                 fmt::format("{}{}", word, bits)};
  };
  switch (ClassOf(type)) {
    case TypeClass::kPred:
      return {"b1", "bool"};
    case TypeClass::kSigned:
      return numbered('i', "int");
    case TypeClass::kUnsigned:
      return numbered('u', "uint");
    case TypeClass::kComplex:
      return numbered('c', "complex");
    case TypeClass::kFloat:
      break;
  }
  if (type == ElementType::kBF16) return {"", "bfloat16"};
  // "f8e5m2" is float8_e5m2.
  const size_t exponent = text.find('e');
  if (exponent == std::string_view::npos) return numbered('f', "float");
  return {"", fmt::format("float{}_{}", text.substr(1, exponent - 1), text.substr(exponent))};
}

struct Header {
  std::optional<ElementType> type;
  bool is_big_endian = false;
  std::optional<bool> is_fortran;
  std::optional<Dims> dims;
};

// The dictionary of a header: a Python literal.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, uint32_t base, std::optional<ElementType> wanted,
               Diagnostics& diagnostics)
      : in_(text, base, diagnostics), wanted_(wanted) {}

  std::optional<Header> Parse() {
    if (!Expect('{')) return std::nullopt;
    while (!in_.Take('}')) {
      if (!ParseEntry()) return std::nullopt;
      in_.SkipSpace();
      if (in_.Peek() != '}' && !Expect(',')) return std::nullopt;
    }
    if (!header_.type || !header_.is_fortran || !header_.dims) {
      return Fault(fmt::format("the header lacks '{}'", !header_.type         ? "descr"
                                                        : !header_.is_fortran ? "fortran_order"
                                                                              : "shape"));
    }
    return header_;
  }

 private:
  std::nullopt_t Fault(std::string message) {
    in_.Fault(DiagCode::kInputInvalid, fmt::format("npy: {}", message));
    return std::nullopt;
  }
  bool Expect(char c) {
    if (in_.Take(c)) return true;
    Fault(fmt::format("expects '{}' in the header, but sees {}", c, in_.Here()));
    return false;
  }

  std::optional<std::string_view> ParseString() {
    in_.SkipSpace();
    const char quote = in_.Peek();
    if (quote != '\'' && quote != '"') {
      return Fault(fmt::format("expects a string in the header, but sees {}", in_.Here()));
    }
    in_.Advance();
    const size_t begin = in_.position();
    while (!in_.AtEnd() && in_.Peek() != quote) in_.Advance();
    const std::string_view text = in_.Since(begin);
    if (!Expect(quote)) return std::nullopt;
    return text;
  }

  bool ParseEntry() {
    auto key = ParseString();
    if (!key || !Expect(':')) return false;
    in_.SkipSpace();
    if (*key == "descr") return ParseDescr();
    if (*key == "fortran_order") return ParseOrder();
    if (*key == "shape") return ParseDims();
    Fault(fmt::format("the header has an unknown key '{}'", key->substr(0, 40)));
    return false;
  }

  bool ParseDescr() {
    if (in_.Peek() == '[') {
      Fault("structured dtypes have no element type");
      return false;
    }
    auto descr = ParseString();
    if (!descr) return false;
    std::string_view name = *descr;
    if (!name.empty() && std::string_view("<>|=").find(name[0]) != std::string_view::npos) {
      header_.is_big_endian = name[0] == '>';
      name.remove_prefix(1);
    }
    header_.type = TypeOf(name);
    if (header_.type) return true;
    if (name == "V1" || name == "V2") {
      Fault(fmt::format("the dtype '{}' does not say which type of {} its elements have", *descr,
                        name == "V1" ? "1 byte" : "2 bytes"));
    } else {
      Fault(fmt::format("the dtype '{}' is not supported", descr->substr(0, 40)));
    }
    return false;
  }

  std::optional<ElementType> TypeOf(std::string_view name) const {
    for (int i = 0; i < static_cast<int>(ElementTypes().size()); ++i) {
      const auto type = static_cast<ElementType>(i);
      const Dtype dtype = DtypeOf(type);
      if ((!name.empty() && name == dtype.code) || name == dtype.name) return type;
    }
    const bool is_raw = name.size() == 2 && name[0] == 'V';
    if (is_raw && wanted_ && BytesOf(*wanted_) == name[1] - '0') return wanted_;
    return std::nullopt;
  }

  bool ParseOrder() {
    for (bool is_fortran : {false, true}) {
      const std::string_view word = is_fortran ? "True" : "False";
      if (in_.rest().substr(0, word.size()) != word) continue;
      in_.Advance(word.size());
      header_.is_fortran = is_fortran;
      return true;
    }
    Fault(fmt::format("expects True or False for 'fortran_order', but sees {}", in_.Here()));
    return false;
  }

  bool ParseDims() {
    if (!Expect('(')) return false;
    Dims dims;
    while (!in_.Take(')')) {
      in_.SkipSpace();
      const std::string_view rest = in_.rest();
      const IntegerToken size = ScanInteger(rest.data(), rest.data() + rest.size());
      const size_t length = static_cast<size_t>(size.end - rest.data());
      if (length == 0 || size.is_negative || !size.fits || size.magnitude >> 63 != 0) {
        Fault(fmt::format("expects a dimension size, but sees {}", in_.Here()));
        return false;
      }
      if (dims.size() == kMostDims) {
        Fault(fmt::format("more than {} dimensions", kMostDims));
        return false;
      }
      dims.push_back(static_cast<int64_t>(size.magnitude));
      in_.Advance(length);
      if (in_.Peek() == 'L') in_.Advance();  // Python 2 wrote long integers so
      if (!in_.Take(',')) {
        if (!Expect(')')) return false;
        break;
      }
    }
    header_.dims = std::move(dims);
    return true;
  }

  Scanner in_;
  std::optional<ElementType> wanted_;
  Header header_;
};

// Where the header and the elements of a file are.
struct Parts {
  std::string_view header;
  size_t header_begin;
};

std::optional<Parts> SplitFile(std::span<const std::byte> file, Diagnostics& diagnostics) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  const auto fault = [&](size_t end, std::string_view message) {
    diagnostics.Report(DiagCode::kInputInvalid, {0, static_cast<uint32_t>(end)},
                       fmt::format("npy: {}", message));
    return std::nullopt;
  };
  const size_t most = std::min<size_t>(text.size(), 12);
  if (text.substr(0, kMagic.size()) != kMagic)
    return fault(most, "the file does not start with \\x93NUMPY");
  if (text.size() < 10) return fault(most, "the file ends within its header");
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<uint8_t>(text[i])); };
  const size_t version = byte(6);
  if (version < 1 || version > 3) {
    return fault(8, fmt::format("version {}.{} is not known", version, byte(7)));
  }
  const size_t begin = version == 1 ? 10 : 12;
  if (text.size() < begin) return fault(most, "the file ends within its header");
  size_t length = byte(8) | byte(9) << 8;
  if (version > 1) length |= byte(10) << 16 | byte(11) << 24;
  if (length > text.size() - begin) {
    return fault(most, fmt::format("the header has {} bytes, but only {} follow", length,
                                   text.size() - begin));
  }
  return Parts{text.substr(begin, length), begin};
}

void ReverseBytes(ElementType type, Tensor* tensor) {
  const int64_t width = BytesOf(ComponentType(type));
  std::byte* at = tensor->mutable_bytes();
  for (std::byte* end = at + tensor->byte_size(); at != end; at += width) {
    std::reverse(at, at + width);
  }
}

// Copies column-major elements to row-major places; only their width matters.
template <typename T>
void CopyFromFortran(const std::byte* source, Tensor* tensor, Budget* budget) {
  const size_t count = static_cast<size_t>(tensor->element_count());
  xt::dynamic_shape<size_t> shape(tensor->dims().begin(), tensor->dims().end());
  // The file's bytes need not be aligned for T.
  Tensor aligned(tensor->element_type(), tensor->dims(), budget);
  std::memcpy(aligned.mutable_bytes(), source, static_cast<size_t>(aligned.byte_size()));
  auto columns =
      xt::adapt<xt::layout_type::column_major>(aligned.data<T>(), count, xt::no_ownership(), shape);
  auto rows = xt::adapt(tensor->mutable_data<T>(), count, xt::no_ownership(), shape);
  rows = columns;
}

void CopyElements(const std::byte* source, bool is_fortran, Tensor* tensor, Budget* budget) {
  if (tensor->element_count() == 0) return;
  if (!is_fortran || tensor->rank() < 2) {
    std::memcpy(tensor->mutable_bytes(), source, static_cast<size_t>(tensor->byte_size()));
    return;
  }
  switch (BytesOf(tensor->element_type())) {
    case 1:
      return CopyFromFortran<uint8_t>(source, tensor, budget);
    case 2:
      return CopyFromFortran<uint16_t>(source, tensor, budget);
    case 4:
      return CopyFromFortran<uint32_t>(source, tensor, budget);
    case 8:
      return CopyFromFortran<uint64_t>(source, tensor, budget);
    default:
      return CopyFromFortran<std::complex<double>>(source, tensor, budget);
  }
}

// Makes stored bytes valid values of the type, whatever the file had in the unused bits.
void Normalise(Tensor* tensor) {
  const ElementType type = tensor->element_type();
  if (BytesOf(type) != 1) return;
  uint8_t* bytes = tensor->mutable_data<uint8_t>();
  const int64_t n = tensor->element_count();
  DispatchType(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (kClassOf<T> == TypeClass::kPred) {
      for (int64_t i = 0; i < n; ++i) bytes[i] = bytes[i] != 0;
    } else if constexpr (kClassOf<T> == TypeClass::kFloat && sizeof(T) == 1) {
      for (int64_t i = 0; i < n; ++i) bytes[i] &= T::kMask;
    } else if constexpr (sizeof(T) == 1 && !std::is_arithmetic_v<T>) {
      T* values = tensor->mutable_data<T>();
      for (int64_t i = 0; i < n; ++i) values[i] = T(bytes[i]);
    }
  });
}

}  // namespace

std::optional<Tensor> ParseNpy(std::span<const std::byte> file, std::optional<ElementType> wanted,
                               Diagnostics& diagnostics, Budget* budget) {
  auto parts = SplitFile(file, diagnostics);
  if (!parts) return std::nullopt;
  auto header =
      HeaderParser(parts->header, static_cast<uint32_t>(parts->header_begin), wanted, diagnostics)
          .Parse();
  if (!header) return std::nullopt;
  const size_t data_begin = parts->header_begin + parts->header.size();
  const int64_t bytes = Shape::Array(*header->type, *header->dims).stored_bytes();
  if (static_cast<uint64_t>(bytes) > file.size() - data_begin) {
    diagnostics.Report(
        DiagCode::kInputInvalid,
        {static_cast<uint32_t>(data_begin), static_cast<uint32_t>(file.size())},
        fmt::format("npy: {}[{}] needs {} bytes of data, but the file has {}", Text(*header->type),
                    fmt::join(header->dims->begin(), header->dims->end(), ","), bytes,
                    file.size() - data_begin));
    return std::nullopt;
  }
  try {
    Tensor tensor(*header->type, *header->dims, budget);
    CopyElements(file.data() + data_begin, *header->is_fortran, &tensor, budget);
    if (header->is_big_endian) ReverseBytes(*header->type, &tensor);
    Normalise(&tensor);
    return tensor;
  } catch (const RunError& error) {
    diagnostics.Report(error.code(), {0, 0}, fmt::format("npy: {}", error.message()));
    return std::nullopt;
  }
}

std::string NpyHeader(const Tensor& tensor) {
  const ElementType type = tensor.element_type();
  const std::string code = DtypeOf(type).code;
  const std::string descr = code.empty()         ? fmt::format("<V{}", BytesOf(type))
                            : BytesOf(type) == 1 ? fmt::format("|{}", code)
                                                 : fmt::format("<{}", code);
  std::string header = fmt::format(
      "{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr,
      fmt::join(tensor.dims().begin(), tensor.dims().end(), ", "), tensor.rank() == 1 ? "," : "");
  // The elements start at a multiple of 64 bytes.
  constexpr size_t kPrefix = 10;
  header.append(63 - (kPrefix + header.size()) % 64, ' ');
  header.push_back('\n');
  std::string result(kMagic);
  result.append({'\x01', '\x00', static_cast<char>(header.size() & 0xFF),
                 static_cast<char>(header.size() >> 8 & 0xFF)});
  return result + header;
}

std::string NpyFile(const Tensor& tensor) {
  std::string file = NpyHeader(tensor);
  file.append(reinterpret_cast<const char*>(tensor.bytes()),
              static_cast<size_t>(tensor.byte_size()));
  return file;
}

}  // namespace hlo
