#include "engine/mlir/import/refinement.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/characters.h"
#include "engine/mlir/import/known_values.h"
#include "engine/types/literal.h"

namespace hlo::mlir {

bool IsStatic(const Shape& shape) {
  if (shape.IsTuple()) {
    return std::all_of(shape.elements().begin(), shape.elements().end(), IsStatic);
  }
  const Dims& dims = shape.dims();
  return std::find(dims.begin(), dims.end(), Shape::kUnbounded) == dims.end();
}

bool Refines(const Shape& shape, const Shape& written) {
  if (IsStatic(written)) return Shape::Compatible(shape, written);
  if (shape.kind() != written.kind()) return false;
  if (shape.IsTuple()) {
    const auto &elements = shape.elements(), &wanted = written.elements();
    return std::equal(elements.begin(), elements.end(), wanted.begin(), wanted.end(), Refines);
  }
  if (shape.element_type() != written.element_type() || shape.rank() != written.rank()) {
    return false;
  }
  for (int d = 0; d < shape.rank(); ++d) {
    if (!written.is_unbounded(d) && written.dim(d) != shape.dim(d)) return false;
  }
  return true;
}

namespace {

// The sizes that the braces of a literal give: `{{1, 2}}` has 1 and 2. What stands in them is
// checked by who reads the literal.
Dims SizesOf(std::string_view literal) {
  Dims sizes;
  size_t depth = 0, closed = SIZE_MAX;  // lists as deep as a closed one, or deeper, are counted
  int parentheses = 0;
  for (size_t i = 0; i < literal.size(); ++i) {
    const char c = literal[i];
    parentheses += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == '{' && ++depth > sizes.size()) {
      sizes.push_back(Trimmed(literal.substr(i + 1)).starts_with('}') ? 0 : 1);
    } else if (c == '}') {
      if (depth == 0) return {};
      closed = std::min(closed, depth--);
    } else if (c == ',' && parentheses == 0 && depth > 0 && depth < closed) {
      ++sizes[depth - 1];
    }
  }
  return sizes;
}

// The value if it is a few integers; nothing for a generator rule or for anything but a literal.
std::optional<Tensor> SmallValue(std::string_view text, const Shape& shape, Budget* budget) {
  const bool is_read = shape.IsArray() && !IsFloat(shape.element_type()) &&
                       !IsComplex(shape.element_type()) && !text.empty() &&
                       shape.element_count() <= KnownValues::kMostElements;
  if (!is_read) return std::nullopt;
  Diagnostics trial;
  uint32_t consumed = 0;
  auto literal = ParseLiteral(text, shape, 0, &consumed, trial, budget);
  if (!literal || literal->elided || trial.has_errors()) return std::nullopt;
  return literal->value.tensor();
}

}  // namespace

std::optional<GivenArgument> ReadGivenArgument(std::string_view spec, const Shape& written,
                                               Budget* budget, std::string* problem) {
  spec = Trimmed(spec);
  GivenArgument given{written, {}};
  // As for inputs: a shape always has a bracket, a bare literal never has one.
  if (spec.find('[') != std::string_view::npos) {
    Diagnostics trial;
    uint32_t consumed = 0;
    auto shape = ParseShape(spec, 0, &consumed, trial, {.glued_layout = true});
    if (!shape) {
      *problem = fmt::format("does not begin with a shape: '{}'", spec.substr(0, 40));
      return std::nullopt;
    }
    spec = Trimmed(spec.substr(consumed));
    given.shape = std::move(*shape);
    if (!IsStatic(given.shape) || !Refines(given.shape, written)) {
      *problem = fmt::format("is {}", ShapeName(given.shape));
      return std::nullopt;
    }
  } else if (Shape shape = Shape::Array(written.element_type(), SizesOf(spec));
             !IsStatic(written) && written.IsArray() && Refines(shape, written)) {
    given.shape = std::move(shape);
  } else if (!IsStatic(written)) {
    *problem = spec.empty() ? "is not given" : "does not say its shape";
    return std::nullopt;
  }
  given.value = SmallValue(spec, given.shape, budget);
  return given;
}

}  // namespace hlo::mlir
