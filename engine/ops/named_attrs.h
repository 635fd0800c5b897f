// Attributes by name, for instructions that code makes.
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

/// The attributes as rows of the op's definition. Reports names and words that there are not, and
/// required attributes that are missing; nothing then, nor where a region is null, silently.
std::optional<AttrList> ToAttrList(Opcode opcode, NamedAttrs attrs, Diagnostics& faults);

/// Whether an op may have this many operands.
bool TakesOperands(Opcode opcode, size_t count);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_NAMED_ATTRS_H_
