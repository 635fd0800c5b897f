#include "engine/ops/attributes.h"

#include <cstdio>
#include <cstdlib>
#include <variant>

namespace hlo {
namespace {

/// The value of an absent list or text.
template <typename T>
const T& Empty() {
  static const T kEmpty{};
  return kEmpty;
}

template <typename T>
const T& OrEmpty(const T* value) {
  return value ? *value : Empty<T>();
}

}  // namespace

const ReplicaGroups::Lists& ReplicaGroups::groups() const { return OrEmpty(lists.get()); }
bool operator==(const ReplicaGroups& a, const ReplicaGroups& b) {
  return a.compact_text == b.compact_text && (a.lists == b.lists || a.groups() == b.groups());
}

const KeyValue* FindKey(const KeyValues& pairs, std::string_view key) {
  for (const KeyValue& pair : pairs) {
    if (pair.key == key) return &pair;
  }
  return nullptr;
}
const std::string* FindValue(const KeyValues& pairs, std::string_view key) {
  const KeyValue* pair = FindKey(pairs, key);
  return pair ? &pair->value : nullptr;
}

const Attr* AttrList::Find(std::string_view name) const {
  for (const Attr& attr : *this) {
    if (attr.def->name == name) return &attr;
  }
  return nullptr;
}

template <typename T>
const T* AttrList::Get(std::string_view name) const {
  const Attr* found = Find(name);
  const T* value = found ? std::get_if<T>(&found->value) : nullptr;
#ifdef HLO_CHECK_ATTRS
  if (found && !value && !std::holds_alternative<std::monostate>(found->value)) {
    std::fprintf(stderr, "the attribute %s is of another kind\n", std::string(name).c_str());
    std::abort();
  }
#endif
  return value;
}

bool AttrList::Bool(std::string_view name, bool otherwise) const {
  const bool* value = Get<bool>(name);
  return value ? *value : otherwise;
}
int64_t AttrList::Int(std::string_view name, int64_t otherwise) const {
  const int64_t* value = Get<int64_t>(name);
  return value ? *value : otherwise;
}
double AttrList::Float(std::string_view name, double otherwise) const {
  const double* value = Get<double>(name);
  return value ? *value : otherwise;
}

const std::string& AttrList::String(std::string_view name) const {
  return OrEmpty(Get<std::string>(name));
}
const Dims& AttrList::Ints(std::string_view name) const { return OrEmpty(Get<Dims>(name)); }
const std::vector<bool>& AttrList::Bools(std::string_view name) const {
  return OrEmpty(Get<std::vector<bool>>(name));
}
const std::vector<Dims>& AttrList::IntLists(std::string_view name) const {
  return OrEmpty(Get<std::vector<Dims>>(name));
}
const Window& AttrList::GetWindow(std::string_view name) const {
  return OrEmpty(Get<Window>(name));
}
const ConvDimLabels& AttrList::DimLabels(std::string_view name) const {
  return OrEmpty(Get<ConvDimLabels>(name));
}
const std::vector<SliceDim>& AttrList::Slices(std::string_view name) const {
  return OrEmpty(Get<std::vector<SliceDim>>(name));
}
const std::vector<PadDim>& AttrList::Padding(std::string_view name) const {
  return OrEmpty(Get<std::vector<PadDim>>(name));
}
const ReplicaGroups& AttrList::Groups(std::string_view name) const {
  return OrEmpty(Get<ReplicaGroups>(name));
}
const std::vector<Shape>& AttrList::Shapes(std::string_view name) const {
  return OrEmpty(Get<std::vector<Shape>>(name));
}
const std::vector<Alias>& AttrList::Aliases(std::string_view name) const {
  return OrEmpty(Get<std::vector<Alias>>(name));
}
const KeyValues& AttrList::Keys(std::string_view name) const {
  return OrEmpty(Get<KeyValues>(name));
}
const std::vector<uint32_t>& AttrList::Instructions(std::string_view name) const {
  return OrEmpty(Get<std::vector<uint32_t>>(name));
}
const std::vector<const Region*>& AttrList::Regions(std::string_view name) const {
  return OrEmpty(Get<std::vector<const Region*>>(name));
}

const Region* AttrList::GetRegion(std::string_view name) const {
  const Region* const* value = Get<const Region*>(name);
  return value ? *value : nullptr;
}
const Shape* AttrList::GetShape(std::string_view name) const { return Get<Shape>(name); }
const ProgramShape* AttrList::GetProgramShape(std::string_view name) const {
  return Get<ProgramShape>(name);
}
const ShapedLiteral* AttrList::GetLiteral(std::string_view name) const {
  const auto* value = Get<std::shared_ptr<const ShapedLiteral>>(name);
  return value ? value->get() : nullptr;
}
const Sharding* AttrList::GetSharding(std::string_view name) const {
  const auto* value = Get<std::shared_ptr<const Sharding>>(name);
  return value ? value->get() : nullptr;
}

}  // namespace hlo
