#include "engine/run/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/io/npy.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/run/fill.h"
#include "engine/run/random.h"
#include "engine/types/literal.h"
#include "engine/types/number_text.h"
#include "engine/types/scanner.h"

namespace hlo {
namespace {

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return text.substr(text.size());  // it keeps its place
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

// Whether a text is a number, or several between commas, as a literal has them: `-2.5e3`, `nan`.
bool IsNumbers(std::string_view text) {
  for (bool is_last = false; !is_last;) {
    const size_t comma = text.find(',');
    is_last = comma == std::string_view::npos;
    std::string_view number = Trim(text.substr(0, comma));
    if (!is_last) text.remove_prefix(comma + 1);
    if (number.starts_with('-') || number.starts_with('+')) number.remove_prefix(1);
    if (number == "nan" || number == "inf" || number == "true" || number == "false") continue;
    const char* const end = number.data() + number.size();
    double value = 0;
    if (number.empty() || ScanDouble(number.data(), end, &value) != end) return false;
  }
  return true;
}

// Whether a number can be the literal of every array of a shape: those of complex types have two.
bool IsOfNumbers(const Shape& shape) {
  if (shape.IsArray()) return !IsComplex(shape.element_type());
  if (!shape.IsTuple()) return false;
  const auto& parts = shape.elements();
  return std::all_of(parts.begin(), parts.end(), IsOfNumbers);
}

// One specification being read; everything a branch of the grammar needs.
struct SpecReader {
  std::string_view text;  ///< the whole specification
  std::string_view spec;  ///< without the space around it
  const Shape& shape;
  uint64_t seed;  ///< of this parameter's stream
  Budget* budget;
  Diagnostics& diagnostics;
  std::span<const int64_t> largest;  ///< of integers, by array
  const InputForms* forms;           ///< null: there are only rules and literals
  bool reads_only = false;           ///< no array is made of a rule or an expression

  uint32_t OffsetOf(std::string_view part) const {
    return static_cast<uint32_t>(part.data() - text.data());
  }
  Range RangeOf(std::string_view part) const {
    return {OffsetOf(part), OffsetOf(part) + static_cast<uint32_t>(part.size())};
  }
  std::nullopt_t Fault(std::string_view part, std::string message) const {
    diagnostics.Report(DiagCode::kInputInvalid, RangeOf(part), std::move(message));
    return std::nullopt;
  }

  std::optional<Value> Read();
  std::optional<Value> Filled(const Fill& fill, std::span<const int64_t> most = {}) const {
    return reads_only ? Value() : MakeFilled(shape, fill, seed, budget, most);
  }
  std::optional<Value> ReadBase();
  std::optional<Value> ReadWritten();
  bool IsWrittenAsLiteral() const;
  bool SkipShape();
  std::optional<Value> ReadConstant(std::string_view element_text);
  std::optional<Value> ReadUniform(std::string_view bounds);
  std::optional<Value> ReadLiteral();
  std::optional<Value> ReadLiteralOf(const Shape& part);
  std::optional<Value> ReadNumbersOf(const Shape& part);
  std::optional<Value> ReadShapedLiteral();
  bool AtEnd(std::string_view rest);
};

// The element type of the first array of a shape, for reading the V of constant:V.
std::optional<ElementType> FirstElementType(const Shape& shape) {
  if (shape.IsArray() || shape.IsBuffer()) return shape.element_type();
  if (!shape.IsTuple()) return std::nullopt;
  for (const Shape& element : shape.elements()) {
    if (auto type = FirstElementType(element)) return type;
  }
  return std::nullopt;
}

std::optional<Value> SpecReader::ReadConstant(std::string_view element_text) {
  const std::optional<ElementType> type = FirstElementType(shape);
  if (!type) return Filled({.kind = Fill::Kind::kZero});
  uint32_t consumed = 0;
  auto literal = ParseLiteral(element_text, Shape::Scalar(*type), OffsetOf(element_text), &consumed,
                              diagnostics, budget);
  if (!literal) return std::nullopt;
  if (literal->elided || !Trim(element_text.substr(consumed)).empty()) {
    return Fault(element_text, fmt::format("constant: expects one {} value, not '{}'", Text(*type),
                                           element_text));
  }
  if (reads_only) return Value();
  return MakeConstant(shape, literal->value.tensor(), budget);
}

std::optional<Value> SpecReader::ReadUniform(std::string_view bounds) {
  Fill fill{.kind = Fill::Kind::kUniform};
  if (bounds.empty()) return Filled(fill);
  const size_t comma = bounds.find(',');
  if (bounds.front() != '(' || bounds.back() != ')' || comma == std::string_view::npos) {
    return Fault(bounds, fmt::format("expects uniform(low, high), not 'uniform{}'", bounds));
  }
  const std::pair<std::string_view, double*> parts[] = {
      {bounds.substr(1, comma - 1), &fill.low},
      {bounds.substr(comma + 1, bounds.size() - comma - 2), &fill.high}};
  for (const auto& [part, bound] : parts) {
    uint32_t consumed = 0;
    auto number = ParseLiteral(part, Shape::Scalar(ElementType::kF64), OffsetOf(part), &consumed,
                               diagnostics);
    if (!number) return std::nullopt;
    if (number->elided || !Trim(part.substr(consumed)).empty()) {
      return Fault(part, fmt::format("expects a number, not '{}'", part));
    }
    *bound = *number->value.tensor().data<double>();
  }
  if (!(fill.low <= fill.high)) {
    return Fault(bounds, fmt::format("uniform{} is an empty interval", bounds));
  }
  return Filled(fill);
}

// Nothing but white space may follow a literal.
bool SpecReader::AtEnd(std::string_view rest) {
  rest = Trim(rest);
  if (rest.empty()) return true;
  Fault(rest, fmt::format("unexpected '{}' after the literal", rest.substr(0, 20)));
  return false;
}

std::optional<Value> SpecReader::ReadShapedLiteral() {
  uint32_t consumed = 0;
  auto shaped = ParseShapedLiteralPrefix(spec, OffsetOf(spec), &consumed, diagnostics, budget);
  if (!shaped || !AtEnd(spec.substr(consumed))) return std::nullopt;
  if (shaped->literal.elided) return Fault(spec, "an input cannot be elided");
  // A number that fills an array is not spread where it is only read.
  const bool fits =
      reads_only ? Shape::Compatible(shaped->shape, shape) : HasShape(shaped->literal.value, shape);
  if (!fits) {
    return Fault(spec, fmt::format("the input is {}, but the parameter is {}",
                                   ShapeName(shaped->shape), ShapeName(shape)));
  }
  return std::move(shaped->literal.value);
}

std::optional<Value> SpecReader::ReadLiteral() {
  // A literal without its shape holds no bracket, a shape always does (tuples: in an element).
  if (spec.find('[') != std::string_view::npos) return ReadShapedLiteral();
  const bool is_number = IsOfNumbers(shape) && IsNumbers(spec);
  if (is_number && spec.starts_with('+')) spec.remove_prefix(1);
  return is_number ? ReadNumbersOf(shape) : ReadLiteralOf(shape);
}

// The literal of one shape.
std::optional<Value> SpecReader::ReadLiteralOf(const Shape& part) {
  uint32_t consumed = 0;
  auto literal = ParseLiteral(spec, part, OffsetOf(spec), &consumed, diagnostics, budget);
  if (!literal || !AtEnd(spec.substr(consumed))) return std::nullopt;
  if (literal->elided) return Fault(spec, "an input cannot be elided");
  return std::move(literal->value);
}

// A number fills every array of a tuple, as rules do.
std::optional<Value> SpecReader::ReadNumbersOf(const Shape& part) {
  if (!part.IsTuple()) return ReadLiteralOf(part);
  Value::Elements elements;
  for (const Shape& element : part.elements()) {
    auto value = ReadNumbersOf(element);
    if (!value) return std::nullopt;
    elements.push_back(std::move(*value));
  }
  return Value::Tuple(std::move(elements));
}

constexpr std::string_view kConstant = "constant:";
constexpr std::string_view kUniform = "uniform";

// A shape alone or before a rule says what the parameter is. False: another one.
bool SpecReader::SkipShape() {
  if (spec.find('[') == std::string_view::npos) return true;
  Diagnostics trial;
  uint32_t consumed = 0;
  const auto given = ParseShape(spec, 0, &consumed, trial, {.glued_layout = true});
  const std::string_view rest = given ? Trim(spec.substr(consumed)) : spec;
  const bool is_rule = rest.empty() || rest.starts_with(kConstant) || rest.starts_with(kUniform) ||
                       FillKindFromText(rest).has_value();
  if (!is_rule) return true;
  if (!Shape::Compatible(*given, shape)) {
    Fault(spec, fmt::format("the input is {}, but the parameter is {}", ShapeName(*given),
                            ShapeName(shape)));
    return false;
  }
  spec = rest;
  return true;
}

// Where what cannot be read is said to be a faulty literal, not a faulty expression.
bool SpecReader::IsWrittenAsLiteral() const {
  return spec.find_first_of("{[") != std::string_view::npos || spec.find("...") != spec.npos ||
         (shape.IsTuple() && spec.starts_with('('));
}

// A literal, or else an expression. A number is a literal, which has to fit its type: an expression
// that is one would be converted, 3.5 to 3.
std::optional<Value> SpecReader::ReadWritten() {
  if (!forms) return ReadLiteral();
  bool is_foreign = false;
  auto foreign = forms->read_foreign(spec, OffsetOf(spec), shape, seed, budget, diagnostics,
                                     reads_only, &is_foreign);
  if (is_foreign) return foreign;
  const size_t before = diagnostics.size();
  std::string_view expression = spec;
  if (auto value = ReadLiteral()) return value;
  if (spec.find('[') != std::string_view::npos) {
    // A shape and an expression.
    Diagnostics trial;
    uint32_t consumed = 0;
    const auto given = ParseShape(spec, 0, &consumed, trial, {.glued_layout = true});
    if (!given || !Shape::Compatible(*given, shape)) return std::nullopt;
    expression = Trim(spec.substr(consumed));
    if (expression.find_first_of("{[") != std::string_view::npos) return std::nullopt;
  } else if (IsWrittenAsLiteral()) {
    return std::nullopt;
  }
  if (IsOfNumbers(shape) && IsNumbers(expression)) return std::nullopt;
  diagnostics.TruncateTo(before);
  return forms->read(expression, OffsetOf(expression), shape, seed, budget, diagnostics,
                     reads_only);
}

std::optional<Value> SpecReader::ReadBase() {
  if (!SkipShape()) return std::nullopt;
  if (spec.empty()) return Filled({}, largest);
  if (spec.starts_with(kConstant)) return ReadConstant(Trim(spec.substr(kConstant.size())));
  if (auto kind = FillKindFromText(spec)) return Filled({.kind = *kind}, largest);
  if (!spec.starts_with(kUniform)) return ReadWritten();
  const size_t before = diagnostics.size();
  if (auto value = ReadUniform(Trim(spec.substr(kUniform.size())))) return value;
  // Bounds that are no plain numbers, or more than bounds.
  const bool is_call = spec.find_first_of("()", spec.find('(') + 1) == spec.size() - 1;
  const bool is_said = diagnostics.list()[before].message.find("interval") != std::string::npos;
  if (!forms || (is_call && is_said)) return std::nullopt;
  diagnostics.TruncateTo(before);
  return ReadWritten();
}

constexpr std::string_view kWith = "with";

std::optional<Value> SpecReader::Read() {
  const size_t with = forms ? spec.rfind(kWith) : std::string_view::npos;
  if (with == std::string_view::npos) return ReadBase();
  const std::string_view cells = Trim(spec.substr(with + kWith.size()));
  if (!cells.starts_with('[')) return ReadBase();
  spec = Trim(spec.substr(0, with));
  auto value = ReadBase();
  if (!value) return std::nullopt;
  const bool is_written =
      forms->overwrite(cells, OffsetOf(cells), shape, reads_only ? nullptr : &*value, diagnostics);
  return is_written ? std::move(value) : std::nullopt;
}

}  // namespace

std::optional<Value> MakeInput(std::string_view spec, const Shape& shape, int64_t number,
                               uint64_t seed, Budget* budget, Diagnostics& diagnostics,
                               std::span<const int64_t> largest, const InputForms* forms) {
  SpecReader reader{spec,   Trim(spec),  shape,   Random::Mix(seed, static_cast<uint64_t>(number)),
                    budget, diagnostics, largest, forms};
  try {
    return reader.Read();
  } catch (const RunError& error) {
    diagnostics.Report(error.code(), {0, static_cast<uint32_t>(spec.size())}, error.message());
    return std::nullopt;
  }
}

void CheckInput(std::string_view spec, const Shape& shape, Diagnostics& diagnostics,
                const InputForms* forms) {
  SpecReader reader{spec, Trim(spec), shape, 0, nullptr, diagnostics, {}, forms, true};
  try {
    reader.Read();
  } catch (const RunError& error) {
    diagnostics.Report(error.code(), {0, static_cast<uint32_t>(spec.size())}, error.message());
  }
}

std::optional<Value> MakeInputFromNpy(std::span<const std::byte> bytes, const Shape& shape,
                                      Budget* budget, Diagnostics& diagnostics,
                                      std::string_view cells, const InputForms* forms) {
  if (!shape.IsArray()) {
    diagnostics.Report(
        DiagCode::kInputInvalid, {},
        fmt::format("the parameter is {}; an .npy file holds one array", ShapeName(shape)));
    return std::nullopt;
  }
  try {
    auto tensor = ParseNpy(bytes, shape.element_type(), diagnostics, budget);
    if (!tensor) return std::nullopt;
    Value value(std::move(*tensor));
    const std::string_view written = Trim(cells);
    if (HasShape(value, shape)) {
      if (!forms || !written.starts_with(kWith)) return value;
      const std::string_view list = Trim(written.substr(kWith.size()));
      const auto offset = static_cast<uint32_t>(list.data() - cells.data());
      const bool is_written = forms->overwrite(list, offset, shape, &value, diagnostics);
      return is_written ? std::optional(std::move(value)) : std::nullopt;
    }
    const Tensor& array = value.tensor();
    diagnostics.Report(
        DiagCode::kInputInvalid, {},
        fmt::format("the .npy file holds {}, but the parameter is {}",
                    ShapeName(Shape::Array(array.element_type(), array.dims())), ShapeName(shape)));
  } catch (const RunError& error) {
    diagnostics.Report(error.code(), {}, fmt::format(".npy file: {}", error.message()));
  }
  return std::nullopt;
}

}  // namespace hlo
