// LiteralProto: elements in the order of the shape's layout.
// Source: XLA, literal.cc (LiteralBase::Piece::WriteToProto, CopyFromProto).
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "engine/proto/schema.h"
#include "engine/proto/shape_proto.h"
#include "engine/types/packing.h"

namespace hlo {
namespace {

constexpr uint32_t kLiteralShapeField = 1;
constexpr uint32_t kLiteralTupleField = 10;

// Which field has the elements of a type, and how they are written there.
enum class Form : uint8_t { kNumbers, kReals, kBytes };
struct ElementsRow {
  ElementType type;
  uint32_t field;
  Form form;
};
constexpr ElementsRow kElements[] = {
    {ElementType::kPred, 2, Form::kNumbers},      {ElementType::kU8, 3, Form::kBytes},
    {ElementType::kS32, 4, Form::kNumbers},       {ElementType::kS64, 5, Form::kNumbers},
    {ElementType::kU32, 6, Form::kNumbers},       {ElementType::kU64, 7, Form::kNumbers},
    {ElementType::kF32, 8, Form::kReals},         {ElementType::kF64, 9, Form::kReals},
    {ElementType::kF16, 11, Form::kBytes},        {ElementType::kC64, 12, Form::kReals},
    {ElementType::kBF16, 13, Form::kBytes},       {ElementType::kS8, 15, Form::kBytes},
    {ElementType::kU16, 16, Form::kBytes},        {ElementType::kS16, 17, Form::kBytes},
    {ElementType::kC128, 18, Form::kReals},       {ElementType::kF8E5M2, 19, Form::kBytes},
    {ElementType::kF8E4M3FN, 20, Form::kBytes},   {ElementType::kS4, 21, Form::kBytes},
    {ElementType::kU4, 22, Form::kBytes},         {ElementType::kF8E4M3B11FNUZ, 23, Form::kBytes},
    {ElementType::kF8E5M2FNUZ, 24, Form::kBytes}, {ElementType::kF8E4M3FNUZ, 25, Form::kBytes},
    {ElementType::kS2, 26, Form::kBytes},         {ElementType::kU2, 27, Form::kBytes},
    {ElementType::kF8E4M3, 28, Form::kBytes},     {ElementType::kF8E3M4, 29, Form::kBytes},
    {ElementType::kS1, 30, Form::kBytes},         {ElementType::kU1, 31, Form::kBytes},
    {ElementType::kF4E2M1FN, 32, Form::kBytes},   {ElementType::kF8E8M0FNU, 33, Form::kBytes},
};

const ElementsRow* FindElements(ElementType type) {
  const auto* row = std::find_if(std::begin(kElements), std::end(kElements),
                                 [type](const ElementsRow& each) { return each.type == type; });
  return row == std::end(kElements) ? nullptr : row;
}

// Elements as they are stored here, in the order of the message. Of real numbers a repeated field
// may be one packed value or many single ones. They are not read much further than `most` bytes:
// numbers take up to eight times as many as in the message.
std::string StoredBytes(const WireMessage& proto, const ElementsRow& row, size_t most) {
  std::string bytes;
  const auto size = static_cast<size_t>(BytesOf(row.type));
  auto append = [&](uint64_t number, size_t count) {
    for (size_t i = 0; i < count; ++i) bytes.push_back(static_cast<char>(number >> (8 * i) & 0xff));
  };
  WireReader reader(proto.bytes());
  for (WireField field; reader.Next(&field);) {
    if (field.number != row.field) continue;
    if (row.form == Form::kNumbers) {
      if (field.type != WireType::kBytes) append(field.value, size);
      while (!field.bytes.empty() && bytes.size() <= most &&
             WireReader::TakeVarint(&field.bytes, &field.value)) {
        append(row.type == ElementType::kPred ? field.value != 0 : field.value, size);
      }
    } else if (field.type == WireType::kBytes) {
      if (row.form == Form::kBytes) bytes.clear();  // not repeated
      bytes.append(field.bytes);
    } else {
      append(field.value, field.type == WireType::kFixed32 ? 4 : 8);
    }
  }
  return bytes;
}

// Whether the elements lie in row-major order.
bool IsRowMajor(const Shape& shape) {
  return shape.rank() < 2 || Layout(shape.layout().minor_to_major()).IsDescending();
}

// Calls visit(position in the message) for every element in row-major order.
template <typename Visit>
void ForEachPosition(const Shape& shape, Visit visit) {
  const auto rank = static_cast<size_t>(shape.rank());
  Dims strides(rank, 0);
  int64_t stride = 1;
  for (int64_t dim : shape.layout().minor_to_major()) {
    strides[static_cast<size_t>(dim)] = stride;
    stride *= shape.dims()[static_cast<size_t>(dim)];
  }
  Dims index(rank, 0);
  int64_t position = 0;
  for (int64_t n = shape.element_count(); n > 0; --n) {
    visit(position);
    for (size_t i = rank; i-- > 0;) {
      position += strides[i];
      if (++index[i] < shape.dims()[i]) break;
      position -= strides[i] * index[i];
      index[i] = 0;
    }
  }
}

std::optional<Tensor> ArrayFromProto(const WireMessage& proto, const Shape& shape,
                                     Diagnostics& diagnostics, Budget* budget) {
  const ElementsRow* row = FindElements(shape.element_type());
  if (!row || !shape.has_known_sizes()) {
    diagnostics.Report(DiagCode::kLiteralValue, {},
                       fmt::format("a literal of type {} is not read", ShapeName(shape)));
    return std::nullopt;
  }
  const int64_t count = shape.element_count();
  const int size = BytesOf(shape.element_type());
  const int64_t expected = shape.stored_bytes();
  const std::string stored = StoredBytes(proto, *row, static_cast<size_t>(expected));
  const int bits = BitsOf(shape.element_type());
  const auto given = static_cast<int64_t>(stored.size());
  const bool packed = size == 1 && bits < 8 && row->form == Form::kBytes && given != count &&
                      given == PackedBytes(count, bits);
  if (!packed && given != expected) {
    diagnostics.Report(
        DiagCode::kLiteralValue, {},
        given > expected
            ? fmt::format("a literal of type {} has more than {} elements", ShapeName(shape), count)
            : fmt::format("a literal of type {} has {} elements instead of {}", ShapeName(shape),
                          given / size, count));
    return std::nullopt;
  }
  Tensor tensor(shape, budget);
  std::byte* to = tensor.mutable_bytes();
  if (packed) {
    UnpackElements(reinterpret_cast<const std::byte*>(stored.data()), bits, shape.element_type(),
                   {to, static_cast<size_t>(count)});
  } else if (count > 0) {
    std::memcpy(to, stored.data(), static_cast<size_t>(count * size));
    // Only the low bits of such an element count, and they are kept extended.
    if (bits < 8 && row->form == Form::kBytes) {
      std::string narrow(static_cast<size_t>(PackedBytes(count, bits)), '\0');
      auto* bytes = reinterpret_cast<std::byte*>(narrow.data());
      PackElements({to, static_cast<size_t>(count)}, bits, bytes);
      UnpackElements(bytes, bits, shape.element_type(), {to, static_cast<size_t>(count)});
    }
  }
  if (IsRowMajor(shape)) return tensor;
  Tensor ordered(shape, budget);
  std::byte* out = ordered.mutable_bytes();
  ForEachPosition(shape, [&](int64_t position) {
    std::memcpy(out, to + position * size, static_cast<size_t>(size));
    out += size;
  });
  return ordered;
}

std::optional<Value> ValueFromProto(const WireMessage& proto, const Shape& shape,
                                    Diagnostics& diagnostics, Budget* budget) {
  if (shape.IsToken()) return Value();
  if (shape.IsArray()) {
    auto tensor = ArrayFromProto(proto, shape, diagnostics, budget);
    return tensor ? std::optional<Value>(std::move(*tensor)) : std::nullopt;
  }
  const auto elements = proto.Messages(kLiteralTupleField);
  if (!shape.IsTuple() || elements.size() != shape.elements().size()) {
    diagnostics.Report(
        DiagCode::kLiteralValue, {},
        fmt::format("a literal does not have the parts of its type {}", ShapeName(shape)));
    return std::nullopt;
  }
  Value::Elements values;
  for (size_t i = 0; i < elements.size(); ++i) {
    auto value = ValueFromProto(elements[i], shape.elements()[i], diagnostics, budget);
    if (!value) return std::nullopt;
    values.push_back(std::move(*value));
  }
  return Value::Tuple(std::move(values));
}

void WriteArray(const Tensor& tensor, const Shape& shape, WireWriter* out) {
  const ElementsRow* row = FindElements(shape.element_type());
  if (!row) return;
  const auto size = static_cast<size_t>(BytesOf(shape.element_type()));
  const auto count = static_cast<size_t>(tensor.element_count());
  const std::byte* from = tensor.bytes();
  std::string stored(reinterpret_cast<const char*>(from), count * size);
  if (!IsRowMajor(shape)) {
    ForEachPosition(shape, [&](int64_t position) {
      std::memcpy(stored.data() + static_cast<size_t>(position) * size, from, size);
      from += size;
    });
  }
  if (row->form != Form::kNumbers) return out->String(row->field, stored);
  std::string packed;
  for (size_t i = 0; i < count; ++i) {
    uint64_t number = 0;
    std::memcpy(&number, stored.data() + i * size, size);
    if (row->type == ElementType::kS32) {
      number = static_cast<uint64_t>(int64_t{static_cast<int32_t>(number)});
    }
    WireWriter::AppendVarint(number, &packed);
  }
  out->String(row->field, packed);
}

}  // namespace

std::optional<ShapedLiteral> LiteralFromProto(const WireMessage& proto, Diagnostics& diagnostics,
                                              Budget* budget) {
  auto shape = ShapeFromProto(proto.Message(kLiteralShapeField), diagnostics);
  if (!shape) return std::nullopt;
  auto value = ValueFromProto(proto, *shape, diagnostics, budget);
  if (!value) return std::nullopt;
  return ShapedLiteral{std::move(*shape), Literal{std::move(*value), false}};
}

std::string LiteralToProto(const Value& value, const Shape& shape) {
  WireWriter out;
  out.Message(kLiteralShapeField, ShapeToProto(shape));
  if (value.is_tuple() && shape.IsTuple()) {
    for (size_t i = 0; i < shape.elements().size(); ++i) {
      out.Message(kLiteralTupleField, LiteralToProto(value.elements()[i], shape.elements()[i]));
    }
  } else if (value.is_array()) {
    WriteArray(value.tensor(), shape, &out);
  }
  return out.Take();
}

}  // namespace hlo
