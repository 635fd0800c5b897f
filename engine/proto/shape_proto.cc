// Source: XLA, shape.cc (Shape::FromProto, ToProto), layout.cc.
#include "engine/proto/shape_proto.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/proto/schema.h"

namespace hlo {
namespace {

// Fields of ShapeProto and LayoutProto (messages.def).
enum ShapeField : uint32_t {
  kShapeElementType = 2,
  kShapeDims = 3,
  kShapeTupleShapes = 4,
  kShapeLayout = 5,
  kShapeIsDynamic = 6
};
enum LayoutField : uint32_t {
  kShapeMinorToMajor = 1,
  kShapeTiles = 6,
  kShapeElementBits = 7,
  kShapeMemorySpace = 8,
  kShapePhysicalShape = 10,
  kShapeIndexType = 11,
  kShapePointerType = 12,
  kShapeMetadataPrefix = 15,
  kShapeTailAlignment = 16,
  kShapeSplits = 17,
};
enum ShapeTypeNumber : int64_t {
  kShapeTuple = 13,
  kShapeOpaque = 14,
  kShapeToken = 17,
  kShapeBuffer = 34
};

void AppendList(const Dims& values, std::string* out) {
  fmt::format_to(std::back_inserter(*out), "{}", fmt::join(values, ","));
}

void AppendNumber(std::string_view word, int64_t number, int64_t omitted, std::string* out) {
  if (number != omitted) fmt::format_to(std::back_inserter(*out), "{}({})", word, number);
}

void AppendType(std::string_view word, int64_t number, std::string* out) {
  if (number != 0) {
    out->append(word).append("(").append(EnumText(ProtoEnum::kPrimitiveType, number)).append(")");
  }
}

// A tile's `*` is the smallest number there is.
void AppendTile(const Dims& sizes, std::string* out) {
  out->push_back('(');
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (i > 0) out->push_back(',');
    if (sizes[i] < 0) {
      out->push_back('*');
    } else {
      fmt::format_to(std::back_inserter(*out), "{}", sizes[i]);
    }
  }
  out->push_back(')');
}

void AppendLayoutProto(const WireMessage& layout, std::string* out) {
  std::string extras;
  const auto tiles = layout.Messages(kShapeTiles);
  if (!tiles.empty()) extras.push_back('T');
  for (const WireMessage& tile : tiles) AppendTile(tile.Ints(1), &extras);
  AppendNumber("L", std::max<int64_t>(layout.Int(kShapeTailAlignment, 1), 1), 1, &extras);
  AppendType("#", layout.Int(kShapeIndexType), &extras);
  AppendType("*", layout.Int(kShapePointerType), &extras);
  AppendNumber("E", layout.Int(kShapeElementBits), 0, &extras);
  AppendNumber("S", layout.Int(kShapeMemorySpace), 0, &extras);
  const auto splits = layout.Messages(kShapeSplits);
  if (!splits.empty()) extras.append("SC");
  for (const WireMessage& split : splits) {
    fmt::format_to(std::back_inserter(extras), "({}:", split.Int(1));
    AppendList(split.Ints(2), &extras);
    extras.push_back(')');
  }
  if (layout.Has(kShapePhysicalShape)) {
    extras.append("P(");
    AppendShapeProto(layout.Message(kShapePhysicalShape), &extras);
    extras.push_back(')');
  }
  AppendNumber("M", layout.Int(kShapeMetadataPrefix), 0, &extras);
  const Dims order = layout.Ints(kShapeMinorToMajor);
  if (order.empty() && extras.empty()) return;
  out->push_back('{');
  AppendList(order, out);
  if (!extras.empty()) out->append(":").append(extras);
  out->push_back('}');
}

void AppendArray(const WireMessage& proto, std::string* out) {
  out->push_back('[');
  const Dims dims = proto.Ints(kShapeDims);
  const Dims dynamic = proto.Ints(kShapeIsDynamic);
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i > 0) out->push_back(',');
    const bool is_dynamic = i < dynamic.size() && dynamic[i] != 0;
    if (is_dynamic && dims[i] < 0) {  // the bound of `?` is the smallest number there is
      out->push_back('?');
      continue;
    }
    fmt::format_to(std::back_inserter(*out), "{}{}", is_dynamic ? "<=" : "", dims[i]);
  }
  out->push_back(']');
  AppendLayoutProto(proto.Message(kShapeLayout), out);
}

std::string LayoutToProto(const Layout& layout) {
  WireWriter out;
  out.Ints(kShapeMinorToMajor, layout.minor_to_major());
  const LayoutExtras& extras = layout.extras();
  for (const Tile& tile : extras.tiles) {
    Dims sizes = tile.dims;
    std::replace(sizes.begin(), sizes.end(), Tile::kCombine, INT64_MIN);
    WireWriter inner;
    inner.Ints(1, sizes);
    out.Message(kShapeTiles, inner.bytes());
  }
  out.Int(kShapeElementBits, extras.element_bits);
  out.Int(kShapeMemorySpace, extras.memory_space);
  auto type = [](const std::string& text) {
    return text.empty() ? 0 : EnumNumber(ProtoEnum::kPrimitiveType, text).value_or(0);
  };
  if (!extras.physical_shape.empty()) {
    Diagnostics ignored;
    const auto shape = ParseShapeText(extras.physical_shape, ignored);
    if (shape) out.Message(kShapePhysicalShape, ShapeToProto(*shape));
  }
  out.Int(kShapeIndexType, type(extras.index_type));
  out.Int(kShapePointerType, type(extras.pointer_type));
  out.Int(kShapeMetadataPrefix, extras.metadata_prefix);
  out.Int(kShapeTailAlignment, extras.tail_alignment);
  for (const SplitConfig& split : extras.splits) {
    WireWriter inner;
    inner.Int(1, split.dim);
    inner.Ints(2, split.indices);
    out.Message(kShapeSplits, inner.bytes());
  }
  return out.Take();
}

}  // namespace

void AppendShapeProto(const WireMessage& proto, std::string* out) {
  const int64_t type = proto.Int(kShapeElementType);
  if (type == kShapeTuple || type == kShapeBuffer) {
    out->append(type == kShapeTuple ? "(" : "b(");
    bool first = true;
    for (const WireMessage& element : proto.Messages(kShapeTupleShapes)) {
      if (!first) out->append(", ");
      first = false;
      AppendShapeProto(element, out);
    }
    out->push_back(')');
  } else if (type == kShapeOpaque) {
    out->append("opaque[]");
  } else if (type == kShapeToken) {
    out->append("token[]");
  } else {
    const std::string_view word = EnumText(ProtoEnum::kPrimitiveType, type);
    out->append(word.empty() ? "unknown_type" : word);
    AppendArray(proto, out);
  }
}

std::optional<Shape> ShapeFromProto(const WireMessage& proto, Diagnostics& diagnostics) {
  std::string text;
  AppendShapeProto(proto, &text);
  return ParseShapeText(text, diagnostics);
}

std::string ShapeToProto(const Shape& shape) {
  WireWriter out;
  switch (shape.kind()) {
    case Shape::Kind::kTuple:
      out.Int(kShapeElementType, kShapeTuple);
      for (const Shape& element : shape.elements()) {
        out.Message(kShapeTupleShapes, ShapeToProto(element));
      }
      return out.Take();
    case Shape::Kind::kToken:
      out.Int(kShapeElementType, kShapeToken);
      return out.Take();
    case Shape::Kind::kOpaque:
      out.Int(kShapeElementType, kShapeOpaque);
      return out.Take();
    case Shape::Kind::kBuffer: {
      out.Int(kShapeElementType, kShapeBuffer);
      Shape array = Shape::ArrayWithLayout(shape.element_type(), shape.dims(), shape.layout());
      for (int i = 0; i < shape.rank(); ++i) array.set_dynamic(i, shape.is_dynamic(i));
      out.Message(kShapeTupleShapes, ShapeToProto(array));
      return out.Take();
    }
    case Shape::Kind::kArray:
      break;
  }
  out.Int(kShapeElementType, GetElementTypeInfo(shape.element_type()).proto_number);
  Dims sizes = shape.dims();
  std::replace(sizes.begin(), sizes.end(), Shape::kUnbounded, INT64_MIN);
  out.Ints(kShapeDims, sizes);
  out.Message(kShapeLayout, LayoutToProto(shape.layout()));
  if (shape.has_dynamic_dims()) {
    Dims dynamic;
    for (int i = 0; i < shape.rank(); ++i) {
      dynamic.push_back(shape.is_dynamic(i) || shape.is_unbounded(i) ? 1 : 0);
    }
    out.Ints(kShapeIsDynamic, dynamic);
  }
  return out.Take();
}

}  // namespace hlo
