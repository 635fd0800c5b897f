// Shapes as text. Source: XLA, hlo/parser/hlo_parser.cc (ParseShape), shape_util.cc.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/base/bits.h"
#include "engine/base/work_limit.h"
#include "engine/layout/layout_text.h"
#include "engine/types/padding_value.h"
#include "engine/types/scanner.h"
#include "engine/types/shape.h"

namespace hlo {
namespace {

constexpr int kMostDynamicDims = 32;   // Shape keeps the flags in a word
constexpr size_t kMostDims = 1000;     // so that recursion over dimensions is bounded
constexpr size_t kLongestName = 4000;  // of a tuple, where it is cut

void AppendDims(const Shape& shape, std::string* out) {
  out->push_back('[');
  for (int i = 0; i < shape.rank(); ++i) {
    if (i > 0) out->push_back(',');
    if (shape.is_unbounded(i)) {
      out->push_back('?');
      continue;
    }
    if (shape.is_dynamic(i)) out->append("<=");
    fmt::format_to(std::back_inserter(*out), FMT_STRING("{}"), shape.dim(i));
  }
  out->push_back(']');
}

void AppendArray(const Shape& shape, const ShapeTextOptions& options, std::string* out) {
  out->append(Text(shape.element_type()));
  AppendDims(shape, out);
  if (options.layout) AppendLayout(shape.layout(), out);
}

// Tuples end with an ellipsis once the whole text has `longest` bytes.
void AppendPart(const Shape& shape, const ShapeTextOptions& options, size_t longest,
                std::string* out) {
  switch (shape.kind()) {
    case Shape::Kind::kArray:
      return AppendArray(shape, options, out);
    case Shape::Kind::kBuffer:
      out->append("b(");
      AppendArray(shape, options, out);
      return out->push_back(')');
    case Shape::Kind::kToken:
      out->append("token[]");
      return;
    case Shape::Kind::kOpaque:
      out->append("opaque[]");
      return;
    case Shape::Kind::kTuple:
      break;
  }
  out->push_back('(');
  const std::vector<Shape>& elements = shape.elements();
  CountWork(elements.size());
  for (size_t i = 0; i < elements.size(); ++i) {
    if (i > 0) out->append(", ");
    if (out->size() >= longest) {
      out->append("...");
      break;
    }
    if (i > 0 && i % 5 == 0) {
      fmt::format_to(std::back_inserter(*out), FMT_STRING("/*index={}*/"), i);
    }
    AppendPart(elements[i], options, longest, out);
  }
  out->push_back(')');
}

// Names of the element types in other systems, to suggest a fix for an unknown one.
struct Alias {
  std::string_view word;
  ElementType type;
};
constexpr Alias kAliases[] = {
    {"bfloat16", ElementType::kBF16},   {"bool", ElementType::kPred},
    {"complex128", ElementType::kC128}, {"complex64", ElementType::kC64},
    {"double", ElementType::kF64},      {"float", ElementType::kF32},
    {"float16", ElementType::kF16},     {"float32", ElementType::kF32},
    {"float64", ElementType::kF64},     {"half", ElementType::kF16},
    {"i1", ElementType::kPred},         {"i16", ElementType::kS16},
    {"i32", ElementType::kS32},         {"i4", ElementType::kS4},
    {"i64", ElementType::kS64},         {"i8", ElementType::kS8},
    {"int", ElementType::kS32},         {"int16", ElementType::kS16},
    {"int32", ElementType::kS32},       {"int64", ElementType::kS64},
    {"int8", ElementType::kS8},         {"ui16", ElementType::kU16},
    {"ui32", ElementType::kU32},        {"ui64", ElementType::kU64},
    {"ui8", ElementType::kU8},          {"uint16", ElementType::kU16},
    {"uint32", ElementType::kU32},      {"uint64", ElementType::kU64},
    {"uint8", ElementType::kU8},
};

std::optional<ElementType> GuessElementType(std::string_view word) {
  if (word.size() > 16) return std::nullopt;
  std::string lower(word);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (auto type = ElementTypeFromText(lower)) return type;
  const auto* found = std::find_if(std::begin(kAliases), std::end(kAliases),
                                   [&](const Alias& alias) { return alias.word == lower; });
  return found == std::end(kAliases) ? std::nullopt : std::optional(found->type);
}

class ShapeParser {
 public:
  ShapeParser(Scanner& in, const ShapeParseOptions& options) : in_(in), options_(options) {}

  std::optional<Shape> Parse(int depth) {
    in_.SkipSpace();
    if (depth > options_.max_depth) {
      in_.Fault(DiagCode::kRecursionLimit,
                fmt::format("maximum recursion depth exceeded: shapes nested deeper than {} levels",
                            options_.max_depth));
      return std::nullopt;
    }
    if (in_.Peek() == '(') return ParseTuple(depth);
    const size_t begin = in_.position();
    while (IsWordCharacter(in_.Peek())) in_.Advance();
    const std::string_view word = in_.Since(begin);
    if (auto type = ElementTypeFromText(word)) return ParseArray(*type, begin);
    if (word == "token") return ParseEmptyBrackets(Shape::Token());
    if (word == "opaque") return ParseEmptyBrackets(Shape::Opaque());
    if (word == "b" && in_.Take('(')) return ParseBuffer(depth);
    in_.set_position(begin);
    const std::optional<ElementType> meant = ReportNoShape(word);
    if (!meant || !options_.goes_on) return std::nullopt;
    in_.Advance(word.size());
    return ParseArray(*meant, begin);
  }

 private:
  // The element type that is probably meant.
  std::optional<ElementType> ReportNoShape(std::string_view word) {
    if (word.empty()) {
      in_.Fault(DiagCode::kSyntaxError, fmt::format("expects a shape, but sees {}", in_.Here()));
      return std::nullopt;
    }
    Diagnostic& fault =
        in_.Fault(DiagCode::kShapeInvalid,
                  fmt::format("expects a shape, but {} is no element type", in_.Here()));
    const std::optional<ElementType> type = GuessElementType(word);
    if (type) {
      fault.fixes.push_back(
          {fmt::format("write '{}'", Text(*type)),
           {fault.range.begin, fault.range.begin + static_cast<uint32_t>(word.size())},
           std::string(Text(*type))});
    }
    return type;
  }

  bool Expect(char c, std::string_view where) {
    if (in_.Take(c)) return true;
    in_.Fault(DiagCode::kSyntaxError,
              fmt::format("expects '{}' {}, but sees {}", c, where, in_.Here()));
    return false;
  }

  std::optional<Shape> ParseEmptyBrackets(Shape shape) {
    if (!Expect('[', "after the type")) return std::nullopt;
    if (!Expect(']', "after '['")) return std::nullopt;
    return shape;
  }

  std::optional<Shape> ParseTuple(int depth) {
    const size_t begin = in_.position();
    in_.Advance();
    std::vector<Shape> elements;
    if (in_.Take(')')) return Shape::Tuple({});
    do {
      auto element = Parse(depth + 1);
      if (!element) return std::nullopt;
      elements.push_back(std::move(*element));
    } while (in_.Take(','));
    if (!Expect(')', "at the end of tuple shape")) return std::nullopt;
    if (std::string fault = Shape::TupleFault(elements); !fault.empty()) {
      in_.FaultAt(DiagCode::kTooLarge, begin, in_.position(), std::move(fault));
      return std::nullopt;
    }
    return Shape::Tuple(std::move(elements));
  }

  std::optional<Shape> ParseBuffer(int depth) {
    in_.SkipSpace();
    const size_t begin = in_.position();
    if (in_.Peek() == ')') {
      in_.Fault(DiagCode::kSyntaxError, "expected primitive type and dimensions of the buffer");
      return std::nullopt;
    }
    auto inner = Parse(depth + 1);
    if (!inner) return std::nullopt;
    if (!inner->IsArray()) {
      in_.FaultAt(DiagCode::kShapeInvalid, begin, in_.position(),
                  fmt::format("a buffer holds an array, not {}", ShapeName(*inner)));
      return std::nullopt;
    }
    if (!Expect(')', "at the end of buffer shape")) return std::nullopt;
    return Shape::Buffer(std::move(*inner));
  }

  // A non-negative size.
  bool ParseSize(int64_t* size) {
    in_.SkipSpace();
    const size_t begin = in_.position();
    int64_t value = 0;
    bool fits = true;
    for (; IsDigit(in_.Peek()); in_.Advance()) {
      fits &= MultiplyChecked(value, 10, &value) && AddChecked(value, in_.Peek() - '0', &value);
    }
    *size = value;
    if (in_.position() == begin) {
      in_.Fault(DiagCode::kShapeInvalid,
                fmt::format("expects a dimension size, but sees {}", in_.Here()));
      return false;
    }
    if (!fits) {
      in_.FaultAt(DiagCode::kTooLarge, begin, in_.position(), "a dimension size must fit 64 bits");
    }
    return fits;
  }

  bool ParseDim(Dims* dims, uint32_t* dynamic, Range* place) {
    in_.SkipSpace();
    const size_t begin = in_.position();
    if (dims->size() >= kMostDims) {
      in_.Fault(DiagCode::kTooLarge, fmt::format("a shape has at most {} dimensions", kMostDims));
      return false;
    }
    const bool is_unbounded = in_.Peek() == '?';
    const bool is_bounded = in_.Peek() == '<' && in_.Peek(1) == '=';
    int64_t size = Shape::kUnbounded;
    if (is_unbounded) in_.Advance();
    if (is_bounded) in_.Advance(2);
    if (!is_unbounded && !ParseSize(&size)) return false;
    if (is_unbounded || is_bounded) {
      if (dims->size() >= kMostDynamicDims) {
        in_.FaultAt(DiagCode::kTooLarge, begin, in_.position(),
                    fmt::format("only the first {} dimensions may be dynamic", kMostDynamicDims));
        return false;
      }
      *dynamic |= uint32_t{1} << dims->size();
    }
    dims->push_back(size);
    *place = in_.RangeFrom(begin);
    return true;
  }

  std::optional<Shape> ParseArray(ElementType type, size_t begin) {
    if (!Expect('[', "after the element type")) return std::nullopt;
    Dims dims;
    uint32_t dynamic = 0;
    const size_t dimensions = in_.position();
    bool crosses = false;
    if (!in_.Take(']')) {
      // The dimension with which the bytes do not fit any more.
      Range place, too_large;
      do {
        if (!ParseDim(&dims, &dynamic, &place)) return std::nullopt;
        if (too_large.end == 0 && !SizeFits(type, dims)) too_large = place;
      } while (in_.Take(',') || TakeCross(&crosses));
      if (!Expect(']', "after the dimensions")) return std::nullopt;
      if (crosses && !ReportCrosses(dimensions)) return std::nullopt;
      if (!SizeFits(type, dims)) {
        in_.diagnostics().Report(
            DiagCode::kTooLarge, too_large,
            fmt::format("the bytes of {} do not fit 64 bits", in_.Since(begin).substr(0, 200)));
        return std::nullopt;
      }
    }
    auto layout = ParseLayoutOf(type, dims);
    if (!layout) return std::nullopt;
    Shape shape = Shape::ArrayWithLayout(type, dims, std::move(*layout));
    for (int i = 0; dynamic >> i != 0 && i < kMostDynamicDims; ++i) {
      shape.set_dynamic(i, ((dynamic >> i) & 1) != 0);
    }
    return shape;
  }

  // `f32[2x3]`, as some documents write dimensions.
  bool TakeCross(bool* crosses) {
    if (in_.Peek() != 'x' || !IsDigit(in_.Peek(1))) return false;
    in_.Advance();
    return *crosses = true;
  }
  bool ReportCrosses(size_t begin) {
    const size_t end = in_.position() - 1;
    std::string fixed(in_.text().substr(begin, end - begin));
    std::replace(fixed.begin(), fixed.end(), 'x', ',');
    in_.FaultAt(DiagCode::kShapeInvalid, begin, end,
                fmt::format("dimensions are separated by commas: [{}]", fixed))
        .fixes.push_back({"write commas", in_.RangeOf(begin, end), fixed});
    return options_.goes_on;
  }

  static bool SizeFits(ElementType type, const Dims& dims) {
    int64_t bytes = BytesOf(type);
    if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return true;
    for (int64_t size : dims) {
      if (size != Shape::kUnbounded && !MultiplyChecked(bytes, size, &bytes)) return false;
    }
    return true;
  }

  // Whether the `{` at the cursor starts a layout, not a literal or a computation.
  bool LayoutFollows() {
    const size_t at = in_.position();
    in_.Advance();
    in_.SkipSpace();
    const bool is_layout =
        IsDigit(in_.Peek()) || in_.Peek() == ':' || (in_.Peek() == '-' && IsDigit(in_.Peek(1)));
    in_.set_position(at);
    return is_layout;
  }

  // The layout at the cursor, or the descending one.
  std::optional<Layout> ParseLayoutOf(ElementType type, const Dims& dims) {
    const size_t after = in_.position();
    if (!options_.glued_layout) in_.SkipSpace();
    if (in_.Peek() != '{' || !LayoutFollows()) {
      in_.set_position(after);
      return Layout::Descending(static_cast<int>(dims.size()));
    }
    const size_t begin = in_.position();
    LayoutParse parsed = ParseLayout(in_.rest(), in_.base_offset() + static_cast<uint32_t>(begin),
                                     in_.diagnostics());
    in_.Advance(parsed.consumed);
    if (!parsed.ok) return std::nullopt;
    if (!parsed.layout.has_extras() && parsed.layout.minor_to_major().size() == dims.size() &&
        parsed.layout.IsDescending()) {
      return std::move(parsed.layout);  // by far the most common
    }
    const Range range = in_.RangeOf(begin, in_.position());
    const size_t mark = in_.diagnostics().size();
    const bool is_valid = ValidateLayout(parsed.layout, dims, range, in_.diagnostics());
    const std::string& padding = parsed.layout.extras().padding_value;
    const bool pads_well = padding.empty() || ReadPaddingValue(type, padding);
    if (is_valid && pads_well) {
      WarnOfNarrowElements(type, parsed.layout.extras().element_bits, range);
      return std::move(parsed.layout);
    }
    // Recording places takes time, which valid layouts, nearly all there are, need not spend.
    in_.diagnostics().TruncateTo(mark);
    const LayoutPlaces places = PlacesOf(in_.Since(begin), range.begin);
    ValidateLayout(parsed.layout, dims, range, in_.diagnostics(), &places);
    if (!pads_well) {
      in_.diagnostics().Report(
          DiagCode::kLayoutInvalid, places.padding_value,
          fmt::format("the padding value {} is no value of type {}", padding, Text(type)));
    }
    return std::nullopt;
  }

  // XLA takes any number, and its backends none but that of a packed type.
  void WarnOfNarrowElements(ElementType type, int64_t bits, Range range) {
    if (bits == 0 || bits >= BitsOf(type)) return;
    in_.diagnostics().Report(
        DiagCode::kLayoutInvalid, Severity::kWarning, range,
        fmt::format("E({}): an element of {} has {} bits", bits, Text(type), BitsOf(type)));
  }

  Scanner& in_;
  const ShapeParseOptions& options_;
};

}  // namespace

void AppendShape(const Shape& shape, const ShapeTextOptions& options, std::string* out) {
  AppendPart(shape, options, std::string::npos, out);
}

std::string ShapeText(const Shape& shape, const ShapeTextOptions& options) {
  std::string text;
  AppendShape(shape, options, &text);
  return text;
}

std::string ShapeName(const Shape& shape) {
  std::string text;
  AppendPart(shape, {.layout = false}, kLongestName, &text);
  return text;
}

std::string ShapeSummary(const Shape& shape) {
  std::string text;
  AppendPart(shape, {}, kLongestName, &text);
  return text;
}

std::optional<Shape> ParseShape(std::string_view text, uint32_t base_offset, uint32_t* consumed,
                                Diagnostics& diagnostics, const ShapeParseOptions& options) {
  Scanner in(text, base_offset, diagnostics);
  auto shape = ShapeParser(in, options).Parse(0);
  if (consumed != nullptr) *consumed = static_cast<uint32_t>(in.position());
  return shape;
}

std::optional<Shape> ParseShapeText(std::string_view text, Diagnostics& diagnostics) {
  Scanner in(text, 0, diagnostics);
  const ShapeParseOptions options;
  auto shape = ShapeParser(in, options).Parse(0);
  if (!shape) return std::nullopt;
  in.SkipSpace();
  if (!in.AtEnd()) {
    in.Fault(DiagCode::kSyntaxError,
             fmt::format("expects the end of the shape, but sees {}", in.Here()));
    return std::nullopt;
  }
  return shape;
}

}  // namespace hlo
