// Literals from text. Source: XLA, hlo/parser/hlo_parser.cc (ParseLiteral, ParseDenseLiteral).
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/types/element_reader.h"
#include "engine/types/literal.h"
#include "engine/types/literal_nesting.h"
#include "engine/types/literal_placement.h"
#include "engine/types/scanner.h"

namespace hlo {
namespace {

constexpr int kDeepest = 500;
constexpr ShapeParseOptions kGlued{.glued_layout = true};
constexpr int64_t kUnbudgetedBytes = int64_t{1} << 30;
// A few bytes of text make a splat: without a budget it is kept small.

class LiteralParser {
 public:
  LiteralParser(Scanner& in, Budget* budget) : in_(in), budget_(budget) {}

  // The value of a literal of the shape; nothing after a fault. `elided()` is then set when `{...}`
  // occurred anywhere in it.
  std::optional<Value> Parse(const Shape& shape, bool shaped_elements) {
    in_.SkipSpace();
    switch (shape.kind()) {
      case Shape::Kind::kTuple:
        return ParseTuple(shape, shaped_elements);
      case Shape::Kind::kArray:
        return shape.IsScalar() ? ParseScalar(shape) : ParseArray(shape);
      case Shape::Kind::kToken:
        if (in_.rest().substr(0, 5) == "token") {
          in_.Advance(5);
          return Value();
        }
        break;
      case Shape::Kind::kOpaque:
      case Shape::Kind::kBuffer:
        break;
    }
    in_.Fault(DiagCode::kLiteralValue,
              fmt::format("unsupported literal shape {}", ShapeName(shape)));
    return std::nullopt;
  }

  // A shape and its literal, or a tuple of such.
  std::optional<ShapedLiteral> ParseShaped(int depth) {
    if (depth > kDeepest) {
      Fault(DiagCode::kRecursionLimit, "maximum recursion depth exceeded");
      return std::nullopt;
    }
    in_.SkipSpace();
    ShapedLiteral result;
    std::optional<Value> value;
    if (in_.Peek() == '(' && !(depth == 0 && WholeShapeFollows())) {
      value = ParseShapedTuple(depth, &result.shape);
    } else if (auto shape = ParseShapeHere()) {
      result.shape = std::move(*shape);
      value = Parse(result.shape, false);
    }
    if (!value) return std::nullopt;
    result.literal = {std::move(*value), elided_};
    return result;
  }

  bool elided() const { return elided_; }

 private:
  void Fault(DiagCode code, std::string message) { in_.Fault(code, std::move(message)); }

  std::optional<Shape> ParseShapeHere() {
    uint32_t consumed = 0;
    const uint32_t base = in_.base_offset() + static_cast<uint32_t>(in_.position());
    auto shape = ParseShape(in_.rest(), base, &consumed, in_.diagnostics(), kGlued);
    in_.Advance(consumed);
    return shape;
  }

  // Whether the parenthesis at the cursor starts the shape of a tuple, with a literal after it.
  bool WholeShapeFollows() {
    const size_t position = in_.position();
    Diagnostics trial;
    uint32_t consumed = 0;
    const bool is_shape = ParseShape(in_.rest(), 0, &consumed, trial, kGlued).has_value();
    in_.Advance(consumed);
    in_.SkipSpace();
    const bool has_literal = in_.Peek() == '(';
    in_.set_position(position);
    return is_shape && has_literal;
  }

  std::optional<Value> ParseShapedTuple(int depth, Shape* shape) {
    in_.Take('(');
    std::vector<Shape> shapes;
    Value::Elements elements;
    if (!in_.Take(')')) {
      do {
        auto element = ParseShaped(depth + 1);
        if (!element) return std::nullopt;
        shapes.push_back(std::move(element->shape));
        elements.push_back(std::move(element->literal.value));
      } while (in_.Take(','));
      if (!in_.Take(')')) {
        Fault(DiagCode::kSyntaxError,
              fmt::format("expects ')' at the end of the tuple literal, but sees {}", in_.Here()));
        return std::nullopt;
      }
    }
    *shape = Shape::Tuple(std::move(shapes));
    return Value::Tuple(std::move(elements));
  }

  std::optional<Value> ParseTuple(const Shape& shape, bool shaped_elements) {
    const size_t begin = in_.position();
    if (!in_.Take('(')) {
      Fault(DiagCode::kLiteralValue,
            fmt::format("expects '(' in front of tuple elements, for a literal of {}, but sees {}",
                        ShapeName(shape), in_.Here()));
      return std::nullopt;
    }
    const std::vector<Shape>& shapes = shape.elements();
    Value::Elements elements;
    for (const Shape& element_shape : shapes) {
      if (in_.Take(')')) return WrongTupleSize(begin, shapes.size(), elements.size());
      if (!elements.empty() && !in_.Take(',')) {
        Fault(DiagCode::kSyntaxError,
              fmt::format("expects ',' to separate tuple elements, but sees {}", in_.Here()));
        return std::nullopt;
      }
      if (shaped_elements && !element_shape.IsTuple() && !TakeShape(element_shape)) {
        return std::nullopt;
      }
      auto element = Parse(element_shape, shaped_elements);
      if (!element) return std::nullopt;
      elements.push_back(std::move(*element));
    }
    if (!in_.Take(')')) {
      Fault(DiagCode::kLiteralValue,
            fmt::format("expects ')' at the end of the tuple with {} elements, but sees {}",
                        shapes.size(), in_.Here()));
      return std::nullopt;
    }
    return Value::Tuple(std::move(elements));
  }

  std::optional<Value> WrongTupleSize(size_t begin, size_t expected, size_t actual) {
    in_.FaultAt(
        DiagCode::kLiteralValue, begin, in_.position(),
        fmt::format("expects the {}th element: the tuple has {} elements", actual, expected));
    return std::nullopt;
  }

  bool TakeShape(const Shape& expected) {
    in_.SkipSpace();
    const size_t begin = in_.position();
    auto shape = ParseShapeHere();
    if (!shape) return false;
    if (Shape::Compatible(*shape, expected)) return true;
    in_.FaultAt(DiagCode::kLiteralValue, begin, in_.position(),
                fmt::format("expects an element of shape {}, but sees {}", ShapeName(expected),
                            ShapeName(*shape)));
    return false;
  }

  std::optional<Value> ParseScalar(const Shape& shape) {
    const char c = in_.Peek();
    if (c == '{') {
      Fault(DiagCode::kLiteralValue, "expects nested array in rank 0, but sees larger");
      return std::nullopt;
    }
    if (c == '}') {
      Fault(DiagCode::kLiteralValue, "unexpected '}' token");
      return std::nullopt;
    }
    auto tensor = Allocate(shape.element_type(), {});
    if (!tensor) return std::nullopt;
    if (ReadElementTexts(shape.element_type(), in_, tensor->mutable_bytes(), 1, &shape) != 1) {
      return std::nullopt;
    }
    return Value(std::move(*tensor));
  }

  // A scalar for an array: it fills every element.
  std::optional<Value> ParseSplat(const Shape& shape) {
    auto element = ParseScalar(Shape::Scalar(shape.element_type()));
    if (!element) return std::nullopt;
    if (budget_ == nullptr && shape.stored_bytes() > kLargestWrittenFill) return element;
    auto tensor = Allocate(shape.element_type(), shape.dims());
    if (!tensor) return std::nullopt;
    FillWith(element->tensor(), &*tensor);
    return Value(std::move(*tensor));
  }

  // An array with dimensions.
  std::optional<Value> ParseArray(const Shape& shape) {
    Dims sizes = shape.dims();
    uint32_t open = 0;
    for (int i = 0; i < shape.rank() && i < 32; ++i) {
      if (shape.is_dynamic(i)) open |= uint32_t{1} << i;
      if (shape.is_unbounded(i)) {
        Fault(DiagCode::kLiteralValue,
              fmt::format("{} has no bound, so it can have no literal", ShapeName(shape)));
        return std::nullopt;
      }
    }
    if (open != 0 && in_.Peek() == '(') {
      if (!ParseLiveSizes(shape, &sizes)) return std::nullopt;
      open = 0;
    }
    in_.SkipSpace();
    if (in_.Peek() != '{') return ParseSplat(shape);
    if (TakeEllipsis()) return Value();
    const int64_t count = shape.element_count();
    // A text that is too short for the array is still read, to report its fault, but not stored.
    // (One with dynamic dimensions may be shorter than its bounds.)
    const bool fits = shape.has_dynamic_dims() || count <= MostElements(count);
    std::optional<Tensor> tensor;
    if (fits && !(tensor = Allocate(shape.element_type(), shape.dims()))) return std::nullopt;
    if (count == 0 && TakeEmptyBraces()) {
      if (sizes != shape.dims()) tensor->set_dynamic_sizes(std::move(sizes));
      return Value(std::move(*tensor));
    }
    LiteralNesting nesting(std::move(sizes), open);
    bool has_dots = false;
    if (!ReadElements(shape, tensor ? &*tensor : nullptr, nesting, &has_dots)) return std::nullopt;
    elided_ |= has_dots;
    if (has_dots) return Value();
    const Dims live = nesting.SettledSizes();
    if (!tensor) return std::nullopt;  // cannot happen: a complete literal fits its text
    if (live == shape.dims()) return Value(std::move(*tensor));
    auto spread = Allocate(shape.element_type(), shape.dims());
    if (!spread) return std::nullopt;
    SpreadElements(*tensor, live, &*spread);
    spread->set_dynamic_sizes(live);
    return Value(std::move(*spread));
  }

  // "(3,2)": the run-time size of every dimension.
  bool ParseLiveSizes(const Shape& shape, Dims* sizes) {
    const size_t begin = in_.position();
    in_.Take('(');
    for (int i = 0; i < shape.rank(); ++i) {
      if (i > 0) in_.Take(',');
      in_.SkipSpace();
      const std::string_view rest = in_.rest();
      const IntegerToken size = ScanInteger(rest.data(), rest.data() + rest.size());
      const int64_t bound = shape.dim(i);
      const bool in_range = size.fits && (!size.is_negative || size.magnitude == 0) &&
                            (shape.is_dynamic(i) ? size.magnitude <= static_cast<uint64_t>(bound)
                                                 : size.magnitude == static_cast<uint64_t>(bound));
      if (size.end == rest.data() || !in_range) {
        Fault(DiagCode::kLiteralValue,
              fmt::format("expects a run-time size of dimension {}, {} {}, but sees {}", i,
                          shape.is_dynamic(i) ? "at most" : "which is", bound, in_.Here()));
        return false;
      }
      in_.Advance(static_cast<size_t>(size.end - rest.data()));
      (*sizes)[static_cast<size_t>(i)] = static_cast<int64_t>(size.magnitude);
    }
    if (in_.Take(')')) return true;
    in_.FaultAt(DiagCode::kLiteralValue, begin, in_.position(),
                fmt::format("expects {} run-time sizes and ')'", shape.rank()));
    return false;
  }

  // "{...}"
  bool TakeEllipsis() {
    const size_t begin = in_.position();
    if (in_.Take('{')) {
      in_.SkipSpace();
      if (in_.rest().substr(0, 3) == "...") {
        in_.Advance(3);
        if (in_.Take('}')) return elided_ = true;
      }
    }
    in_.set_position(begin);
    return false;
  }

  bool TakeEmptyBraces() {
    const size_t begin = in_.position();
    if (in_.Take('{') && in_.Take('}')) return true;
    in_.set_position(begin);
    return false;
  }

  // An upper bound of the elements that the literal at the cursor can hold, but no more than
  // `wanted`: every element takes a character and a separator.
  int64_t MostElements(int64_t wanted) const {
    const std::string_view rest = in_.rest();
    const int64_t whole = static_cast<int64_t>(rest.size() / 2 + 1);
    if (wanted <= 64 || wanted > whole) return whole;
    int64_t depth = 0;
    size_t i = 0;
    for (; i < rest.size() && static_cast<int64_t>(i) < 2 * wanted; ++i) {
      const char c = rest[i];
      if (c == '/' && i + 1 < rest.size() && rest[i + 1] == '*') {
        i = std::min(rest.find("*/", i + 2), rest.size());
      } else if (c == '{') {
        ++depth;
      } else if ((c == '}' && --depth == 0) || c == '=' || c == '%') {
        break;  // no literal extends beyond these
      }
    }
    return static_cast<int64_t>(i / 2 + 1);
  }

  std::optional<Tensor> Allocate(ElementType type, std::span<const int64_t> dims) {
    if (budget_ == nullptr && Shape::Array(type, dims).stored_bytes() > kUnbudgetedBytes) {
      Fault(DiagCode::kTooLarge, fmt::format("a literal of more than {} bytes", kUnbudgetedBytes));
      return std::nullopt;
    }
    try {
      return Tensor(type, dims, budget_);
    } catch (const RunError& error) {
      Fault(error.code(), error.message());
    }
    return std::nullopt;
  }

  // Reads braces and elements to the closing brace. Without a tensor the elements are discarded.
  // `...` in the outermost braces stands for all elements that are not written.
  bool ReadElements(const Shape& shape, Tensor* tensor, LiteralNesting& nesting, bool* has_dots) {
    const ElementType type = shape.element_type();
    int64_t index = 0;
    const size_t width = static_cast<size_t>(BytesOf(type));
    constexpr int64_t kScratchElements = 16;
    alignas(16) std::byte scratch[kScratchElements * 16];
    std::byte* out = tensor != nullptr ? tensor->mutable_bytes() : nullptr;
    do {
      in_.SkipSpace();
      const char c = in_.Peek();
      std::string fault;
      if (in_.AtEnd()) {
        fault = "expects a literal with its closing brace, but sees the end of the text";
      } else if (c == '{') {
        fault = nesting.Open();
        if (fault.empty()) in_.Advance();
      } else if (c == '}') {
        fault = nesting.Close();
        if (fault.empty()) in_.Advance();
      } else if (c == ',' && nesting.level() > 0) {
        in_.Advance();
      } else if (in_.rest().substr(0, 3) == "...") {
        fault = nesting.Elide();
        *has_dots = true;
        if (fault.empty()) in_.Advance(3);
      } else if (nesting.level() != nesting.rank()) {
        fault = fmt::format("expects nested array in rank {}, but sees {}", nesting.rank(),
                            nesting.level() == 0 ? in_.Here() : std::to_string(nesting.level()));
      } else if (nesting.room() == 0) {
        fault = fmt::format("expects {} elements on the minor-most dimension, but sees more",
                            nesting.sizes().back());
      } else {
        int64_t most = nesting.room();
        if (tensor == nullptr) most = std::min(most, kScratchElements);
        const int64_t read =
            ReadElementTexts(type, in_, tensor != nullptr ? out : scratch, most, &shape, index);
        if (read <= 0) return false;
        index += read;
        if (tensor != nullptr) out += static_cast<size_t>(read) * width;
        nesting.Count(read);
      }
      if (!fault.empty()) {
        in_.FaultAt(DiagCode::kLiteralValue, in_.position(), in_.position() + in_.HereLength(),
                    std::move(fault));
        return false;
      }
    } while (nesting.level() > 0);
    return true;
  }

  Scanner& in_;
  Budget* budget_;
  bool elided_ = false;
};

}  // namespace

std::optional<Literal> ParseLiteral(std::string_view text, const Shape& shape, uint32_t base_offset,
                                    uint32_t* consumed, Diagnostics& diagnostics, Budget* budget,
                                    bool shaped_elements) {
  Scanner in(text, base_offset, diagnostics);
  LiteralParser parser(in, budget);
  auto value = parser.Parse(shape, shaped_elements);
  if (consumed != nullptr) *consumed = static_cast<uint32_t>(in.position());
  if (!value) return std::nullopt;
  return Literal{std::move(*value), parser.elided()};
}

Value WholeValue(const Value& value, const Shape& shape, Budget* budget) {
  if (value.is_tuple()) {
    Value::Elements elements;
    for (size_t i = 0; i < value.elements().size(); ++i) {
      elements.push_back(WholeValue(value.elements()[i], shape.elements()[i], budget));
    }
    return Value::Tuple(std::move(elements));
  }
  if (!value.is_array() || value.tensor().rank() == shape.rank()) return value;
  Tensor whole(shape, budget);
  FillWith(value.tensor(), &whole);
  return whole;
}

std::optional<ShapedLiteral> ParseShapedLiteralPrefix(std::string_view text, uint32_t base_offset,
                                                      uint32_t* consumed, Diagnostics& diagnostics,
                                                      Budget* budget) {
  Scanner in(text, base_offset, diagnostics);
  auto literal = LiteralParser(in, budget).ParseShaped(0);
  if (consumed != nullptr) *consumed = static_cast<uint32_t>(in.position());
  return literal;
}

std::optional<ShapedLiteral> ParseShapedLiteral(std::string_view text, Diagnostics& diagnostics,
                                                Budget* budget) {
  uint32_t consumed = 0;
  auto literal = ParseShapedLiteralPrefix(text, 0, &consumed, diagnostics, budget);
  if (!literal) return std::nullopt;
  Scanner in(text, 0, diagnostics);
  in.set_position(consumed);
  in.SkipSpace();
  if (!in.AtEnd()) {
    in.Fault(DiagCode::kSyntaxError,
             fmt::format("expects the end of the literal, but sees {}", in.Here()));
    return std::nullopt;
  }
  return literal;
}

}  // namespace hlo
