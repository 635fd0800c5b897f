#include "engine/types/shape.h"

#include <limits>
#include <utility>

#include "engine/base/bits.h"

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

Shape Shape::Tuple(std::vector<Shape> elements) {
  Shape shape;
  if (!elements.empty()) {
    shape.elements_ = std::make_shared<std::vector<Shape>>(std::move(elements));
  }
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

int64_t Shape::element_count() const {
  int64_t count = 1;
  bool saturated = false;
  for (int64_t size : dims_) {
    if (size == 0) return 0;
    saturated |= size < 0 || !MultiplyChecked(count, size, &count);
  }
  return saturated ? kSaturated : count;
}

int64_t Shape::stored_bytes() const {
  int64_t total = 0;
  switch (kind_) {
    case Kind::kArray:
    case Kind::kBuffer:
      return MultiplyChecked(element_count(), BytesOf(type_), &total) ? total : kSaturated;
    case Kind::kTuple:
      for (const Shape& element : elements()) {
        if (!AddChecked(total, element.stored_bytes(), &total)) return kSaturated;
      }
      return total;
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
  return elements_ ? *elements_ : kNone;
}

std::vector<Shape>& Shape::mutable_elements() {
  if (!elements_) {
    elements_ = std::make_shared<std::vector<Shape>>();
  } else if (elements_.use_count() > 1) {
    elements_ = std::make_shared<std::vector<Shape>>(*elements_);
  }
  return *elements_;
}

bool Shape::Equal(const Shape& a, const Shape& b, EqualOptions options) {
  const bool are_data = (a.IsArray() || a.IsBuffer()) && (b.IsArray() || b.IsBuffer());
  if (a.kind_ != b.kind_ && (options.buffer || !are_data)) return false;
  switch (a.kind_) {
    case Kind::kArray:
    case Kind::kBuffer:
      return SameElementType(a.type_, b.type_, options) && SameDims(a, b, options) &&
             (!options.layout || Layout::Equal(a.layout_, b.layout_, options.layout_parts));
    case Kind::kTuple: {
      if (a.elements_ == b.elements_) return true;
      const std::vector<Shape>& x = a.elements();
      const std::vector<Shape>& y = b.elements();
      if (x.size() != y.size()) return false;
      for (size_t i = 0; i < x.size(); ++i) {
        if (!Equal(x[i], y[i], options)) return false;
      }
      return true;
    }
    case Kind::kToken:
    case Kind::kOpaque:
      return true;
  }
  return false;
}

}  // namespace hlo
