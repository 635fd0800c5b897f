#include "engine/ops/op_call.h"

#include <variant>

namespace hlo {
namespace {

/// What an absent list or text is taken for.
template <typename T>
const T& Empty() {
  static const T kEmpty{};
  return kEmpty;
}

}  // namespace

template <typename T>
const T* OpCall::Get(std::string_view attr) const {
  const Attr* found = FindAttr(*parts_.attrs, attr);
  return found ? std::get_if<T>(&found->value) : nullptr;
}

OpCall OpCall::WithShapes(std::span<const Shape> operands, const Shape* written) const {
  Parts parts = parts_;
  parts.operands.clear();
  for (const Shape& operand : operands) parts.operands.push_back(&operand);
  parts.written = written;
  return OpCall(std::move(parts));
}

bool OpCall::Bool(std::string_view attr, bool otherwise) const {
  const bool* value = Get<bool>(attr);
  return value ? *value : otherwise;
}
int64_t OpCall::Int(std::string_view attr, int64_t otherwise) const {
  const int64_t* value = Get<int64_t>(attr);
  return value ? *value : otherwise;
}
double OpCall::Float(std::string_view attr, double otherwise) const {
  const double* value = Get<double>(attr);
  return value ? *value : otherwise;
}
int64_t OpCall::Word(std::string_view attr, int64_t otherwise) const {
  return Int(attr, otherwise);
}

#define LIST_ACCESSOR(method, type)                         \
  const type& OpCall::method(std::string_view attr) const { \
    const type* value = Get<type>(attr);                    \
    return value ? *value : Empty<type>();                  \
  }
LIST_ACCESSOR(String, std::string)
LIST_ACCESSOR(Ints, Dims)
LIST_ACCESSOR(IntLists, std::vector<Dims>)
LIST_ACCESSOR(GetWindow, Window)
LIST_ACCESSOR(DimLabels, ConvDimLabels)
LIST_ACCESSOR(Slices, std::vector<SliceDim>)
LIST_ACCESSOR(Padding, std::vector<PadDim>)
LIST_ACCESSOR(Groups, ReplicaGroups)
LIST_ACCESSOR(Shapes, std::vector<Shape>)
LIST_ACCESSOR(Aliases, std::vector<Alias>)
LIST_ACCESSOR(Keys, KeyValues)
LIST_ACCESSOR(Regions, std::vector<const Region*>)
#undef LIST_ACCESSOR

const Region* OpCall::GetRegion(std::string_view attr) const {
  const Region* const* value = Get<const Region*>(attr);
  return value ? *value : nullptr;
}
const Shape* OpCall::GetShape(std::string_view attr) const { return Get<Shape>(attr); }
const ShapedLiteral* OpCall::GetLiteral(std::string_view attr) const {
  const auto* value = Get<std::shared_ptr<const ShapedLiteral>>(attr);
  return value ? value->get() : nullptr;
}

Range OpCall::operand_range(int i) const {
  size_t at = static_cast<size_t>(i);
  return at < parts_.operand_ranges.size() ? parts_.operand_ranges[at] : parts_.range;
}
Range OpCall::attr_range(std::string_view attr) const {
  const Attr* found = FindAttr(*parts_.attrs, attr);
  // What is not written, or in another dialect, is at the instruction.
  return found && !(found->range == Range{}) ? found->range : parts_.range;
}

}  // namespace hlo
