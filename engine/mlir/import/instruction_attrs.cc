#include "engine/mlir/import/instruction_attrs.h"

#include <string>
#include <type_traits>

namespace hlo::mlir {
namespace {

template <size_t i>
AttrValue CopyOf(const void* value) {
  using T = std::variant_alternative_t<i, AttrValue>;
  return AttrValue(std::in_place_index<i>, *static_cast<const T*>(value));
}

template <size_t... i>
AttrValue CopyAny(size_t kind, const void* value, std::index_sequence<i...>) {
  static constexpr AttrValue (*kCopies[])(const void*) = {CopyOf<i>...};
  return kCopies[kind](value);
}

}  // namespace

AttrValue AttrRef::Copy() const {
  if (kind_ == kKinds) return std::string(static_cast<const char*>(value_), size_);
  return CopyAny(kind_, value_, std::make_index_sequence<kKinds>());
}

Attrs::Attrs() = default;
Attrs::Attrs(Attrs&&) noexcept = default;
Attrs::~Attrs() = default;

Attrs::Attrs(std::initializer_list<AttrRef> attrs) {
  entries_.reserve(attrs.size());
  for (const AttrRef& attr : attrs) Add(attr);
}

void Attrs::Add(const AttrRef& attr) { entries_.push_back({attr.name(), attr.Copy()}); }

}  // namespace hlo::mlir
