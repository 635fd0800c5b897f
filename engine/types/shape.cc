#include "engine/types/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "engine/base/bits.h"
#include "engine/base/budget.h"
#include "engine/base/indices.h"
#include "engine/base/work_limit.h"

namespace hlo {
namespace {

constexpr int64_t kSaturated = std::numeric_limits<int64_t>::max();

bool SameElementType(ElementType a, ElementType b, const Shape::EqualOptions& options) {
  if (a == b || !options.element_type) return true;
  return !options.float_width && IsFloat(a) && IsFloat(b);
}

bool SameDims(const Shape& a, const Shape& b, const Shape::EqualOptions& options) {
  if (a.rank() != b.rank()) return false;
  for (int i = 0; i < a.rank(); ++i) {
    if (options.dynamic) {
      if (a.dim(i) != b.dim(i) || a.is_dynamic(i) != b.is_dynamic(i)) return false;
    } else if (a.dim(i) != b.dim(i) && !a.is_unbounded(i) && !b.is_unbounded(i)) {
      return false;
    }
  }
  return true;
}

}  // namespace

struct Shape::Elements {
  explicit Elements(std::vector<Shape> shapes) : list(std::move(shapes)) {
    for (const Shape& element : list) {
      part_count += element.part_count();
      level_count = std::max(level_count, element.level_count() + 1);
      if (!AddChecked(stored_bytes, element.stored_bytes(), &stored_bytes)) {
        stored_bytes = kSaturated;
      }
    }
  }
  std::vector<Shape> list;
  int64_t part_count = 1;
  int level_count = 1;
  int64_t stored_bytes = 0;
};

Shape Shape::Array(ElementType type, std::span<const int64_t> dims) {
  return ArrayWithLayout(type, dims, Layout::Descending(static_cast<int>(dims.size())));
}

Shape Shape::Array(ElementType type, std::initializer_list<int64_t> dims) {
  return Array(type, std::span<const int64_t>(dims.begin(), dims.size()));
}

Shape Shape::ArrayWithLayout(ElementType type, std::span<const int64_t> dims, Layout layout) {
  Shape shape;
  shape.kind_ = Kind::kArray;
  shape.type_ = type;
  shape.dims_.assign(dims.begin(), dims.end());
  shape.layout_ = std::move(layout);
  for (int i = 0; i < shape.rank(); ++i) {
    if (shape.is_unbounded(i)) shape.set_dynamic(i, true);
  }
  return shape;
}

std::string Shape::TupleFault(std::span<const Shape> elements) {
  int64_t parts = 1;  // each is at most kMostParts, so that nothing overflows
  int levels = 0;
  for (const Shape& element : elements) {
    parts += element.part_count();
    levels = std::max(levels, element.level_count() + 1);
  }
  if (parts > kMostParts) {
    return fmt::format(
        "a tuple type of {} parts, counting each as often as it occurs; a type has at most {}",
        parts, kMostParts);
  }
  if (levels <= kMostLevels) return {};
  return fmt::format("tuples nested deeper than {} levels", kMostLevels);
}

Shape Shape::Tuple(std::vector<Shape> elements) {
  Shape shape;
  if (elements.empty()) return shape;
  if (std::string fault = TupleFault(elements); !fault.empty()) {
    throw RunError(DiagCode::kTooLarge, std::move(fault));
  }
  CountWork(elements.size());
  CountBytes(elements.size() * sizeof(Shape));
  shape.elements_ = std::make_shared<const Elements>(std::move(elements));
  return shape;
}

Shape Shape::Token() {
  Shape shape;
  shape.kind_ = Kind::kToken;
  return shape;
}

Shape Shape::Opaque() {
  Shape shape;
  shape.kind_ = Kind::kOpaque;
  return shape;
}

Shape Shape::Buffer(Shape array) {
  array.kind_ = Kind::kBuffer;
  return array;
}

void Shape::set_dynamic(int i, bool dynamic) {
  if (i >= 32) return;
  const uint32_t bit = uint32_t{1} << i;
  dynamic_ = dynamic ? dynamic_ | bit : dynamic_ & ~bit;
}

int64_t Shape::element_count() const { return CheckedElementCount(dims_).value_or(kSaturated); }

int64_t Shape::stored_bytes() const {
  int64_t total = 0;
  switch (kind_) {
    case Kind::kArray:
    case Kind::kBuffer:
      return MultiplyChecked(element_count(), BytesOf(type_), &total) ? total : kSaturated;
    case Kind::kTuple:
      return elements_ ? elements_->stored_bytes : 0;
    case Kind::kToken:
    case Kind::kOpaque:
      return 0;
  }
  return 0;
}

int64_t Shape::leaf_count() const {
  int64_t count = 0;
  std::vector<const Shape*> open = {this};
  while (!open.empty()) {
    const Shape& shape = *open.back();
    open.pop_back();
    if (!shape.IsTuple()) ++count;
    for (const Shape& element : shape.elements()) open.push_back(&element);
  }
  return count;
}

const std::vector<Shape>& Shape::elements() const {
  static const std::vector<Shape> kNone;
  return elements_ ? elements_->list : kNone;
}

int64_t Shape::part_count() const { return elements_ ? elements_->part_count : 1; }

int Shape::level_count() const { return elements_ ? elements_->level_count : 0; }

// Two types built separately with repeated sharing have many parts but few element lists: lists of
// some size that were found equal are not compared again.
class Shape::Comparison {
 public:
  explicit Comparison(const EqualOptions& options) : options_(options) {}

  bool Equal(const Shape& a, const Shape& b) {
    const bool are_data = (a.IsArray() || a.IsBuffer()) && (b.IsArray() || b.IsBuffer());
    if (a.kind_ != b.kind_ && (options_.buffer || !are_data)) return false;
    switch (a.kind_) {
      case Kind::kArray:
      case Kind::kBuffer:
        return SameElementType(a.type_, b.type_, options_) && SameDims(a, b, options_) &&
               (!options_.layout || Layout::Equal(a.layout_, b.layout_, options_.layout_parts));
      case Kind::kTuple:
        return a.elements_ == b.elements_ || EqualElements(a, b);
      case Kind::kToken:
      case Kind::kOpaque:
        return true;
    }
    return false;
  }

 private:
  bool EqualElements(const Shape& a, const Shape& b) {
    constexpr int64_t kLarge = 64;
    const std::vector<Shape>& x = a.elements();
    const std::vector<Shape>& y = b.elements();
    if (x.size() != y.size() || a.part_count() != b.part_count()) return false;
    CountWork(x.size());
    const auto pair = std::pair(a.elements_.get(), b.elements_.get());
    const bool is_large = a.part_count() >= kLarge;
    if (is_large && equal_.count(pair) > 0) return true;
    for (size_t i = 0; i < x.size(); ++i) {
      if (!Equal(x[i], y[i])) return false;
    }
    if (is_large) equal_.insert(pair);
    return true;
  }

  const EqualOptions& options_;
  std::set<std::pair<const Elements*, const Elements*>> equal_;
};

bool Shape::has_known_sizes() const {
  if (IsTuple()) {
    return std::all_of(elements().begin(), elements().end(),
                       [](const Shape& element) { return element.has_known_sizes(); });
  }
  return !has_dynamic_dims() &&
         std::none_of(dims_.begin(), dims_.end(), [](int64_t size) { return size < 0; });
}

bool Shape::Equal(const Shape& a, const Shape& b, EqualOptions options) {
  return Comparison(options).Equal(a, b);
}

}  // namespace hlo
