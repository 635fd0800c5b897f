// Attributes by name, for instructions that are made by code rather than parsed.
#ifndef HLO_ENGINE_OPS_NAMED_ATTRS_H_
#define HLO_ENGINE_OPS_NAMED_ATTRS_H_

#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/diagnostics.h"
#include "engine/ops/attributes.h"
#include "engine/ops/opcode.h"

namespace hlo {

/// An attribute by its name; a word may be given as a string.
struct NamedAttr {
  std::string_view name;
  AttrValue value;
};
using NamedAttrs = std::vector<NamedAttr>;

/// Resolves the attributes to rows of the op's definition. Reports unknown names and words, and
/// missing required attributes, and then returns nothing; returns nothing without a report if a
/// region is null.
std::optional<AttrList> ToAttrList(Opcode opcode, NamedAttrs attrs, Diagnostics& faults);

/// Whether an op accepts this number of operands.
bool TakesOperands(Opcode opcode, size_t count);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_NAMED_ATTRS_H_
