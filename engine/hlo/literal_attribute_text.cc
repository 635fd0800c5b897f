// Attributes of kind Literal: `constant(literal)`, which has its instruction's shape, and
// `literal=shape literal`, which brings its own; there a tuple is `(shape literal, ...)`.
// Source: XLA, hlo/parser/hlo_parser.cc, ParseLiteral.
#include <fmt/format.h>

#include <algorithm>

#include "engine/hlo/attribute_text.h"
#include "engine/types/literal.h"

namespace hlo {
namespace {

constexpr int kMostNesting = 100;

std::optional<Literal> ReadArray(AttrReader& in, const Shape& shape) {
  uint32_t consumed = 0;
  std::string_view rest = in.lex.Rest();
  std::optional<Literal> literal =
      ParseLiteral(rest, shape, in.lex.pos(), &consumed, in.lex.diagnostics(), in.budget);
  if (literal) in.lex.Advance(consumed);
  return literal;
}

std::optional<ShapedLiteral> ReadShaped(AttrReader& in, int depth) {
  if (in.lex.Peek() != '(') {
    std::optional<Shape> shape = in.ReadShape();
    if (!shape) return {};
    std::optional<Literal> literal = ReadArray(in, *shape);
    if (!literal) return {};
    return ShapedLiteral{std::move(*shape), std::move(*literal)};
  }
  const int most = std::min(kMostNesting, in.levels_left());
  if (depth > most) {
    in.lex.diagnostics().Report(
        DiagCode::kRecursionLimit, in.lex.TokenRange(),
        fmt::format("maximum recursion depth exceeded: a literal nested over {} deep", most));
    return {};
  }
  std::vector<Shape> shapes;
  Value::Elements values;
  bool elided = false;
  bool ok = ReadList(in.lex, '(', ')', [&] {
    std::optional<ShapedLiteral> element = ReadShaped(in, depth + 1);
    if (!element) return false;
    elided |= element->literal.elided;
    shapes.push_back(std::move(element->shape));
    values.push_back(std::move(element->literal.value));
    return true;
  });
  if (!ok) return {};
  return ShapedLiteral{Shape::Tuple(std::move(shapes)), {Value::Tuple(std::move(values)), elided}};
}

void PrintValue(const Value& value, const Shape& shape, const LiteralTextOptions& options,
                std::string* out) {
  if (!shape.IsTuple()) {
    AppendShape(shape, {}, out);
    out->push_back(' ');
    AppendLiteral(value, shape, options, out);
    return;
  }
  out->append("( ");
  for (size_t i = 0; i < shape.elements().size(); ++i) {
    if (i > 0) out->append(", ");
    PrintValue(value.elements()[i], shape.elements()[i], options, out);
  }
  out->append(" )");
}

}  // namespace

bool ReadLiteral(AttrReader& in, const AttrDef& def, AttrValue* value) {
  std::optional<ShapedLiteral> read;
  if (def.use != AttrUse::kPositional) {
    read = ReadShaped(in, 0);
  } else if (in.result_shape) {
    std::optional<Literal> literal = ReadArray(in, *in.result_shape);
    if (literal) read = ShapedLiteral{*in.result_shape, std::move(*literal)};
  }
  if (read) *value = std::make_shared<const ShapedLiteral>(std::move(*read));
  return read.has_value();
}

void PrintLiteral(const AttrValue& value, const AttrDef& def, const AttrPrinter& to,
                  std::string* out) {
  const ShapedLiteral& shaped = *std::get<std::shared_ptr<const ShapedLiteral>>(value);
  LiteralTextOptions options{.max_elements = to.options.max_constant_elements};
  bool own_shape = def.use != AttrUse::kPositional;
  if (shaped.literal.elided) {
    // The value is not known: an array of it prints as it was read.
    if (own_shape) {
      AppendShape(shaped.shape, {}, out);
      out->push_back(' ');
    }
    out->append("{...}");
  } else if (own_shape) {
    PrintValue(shaped.literal.value, shaped.shape, options, out);
  } else {
    AppendLiteral(shaped.literal.value, shaped.shape, options, out);
  }
}

}  // namespace hlo
