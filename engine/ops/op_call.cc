#include "engine/ops/op_call.h"

#include <cstdio>
#include <cstdlib>

#include "engine/ops/attribute_rows.h"
#include "engine/ops/op_def.h"

namespace hlo {

OpCall OpCall::WithShapes(std::span<const Shape> operands, const Shape* written) const {
  Parts parts = parts_;
  parts.operands.clear();
  for (const Shape& operand : operands) parts.operands.push_back(&operand);
  parts.written = written;
  return OpCall(std::move(parts));
}

#ifdef HLO_CHECK_ATTRS
const AttrList& OpCall::AttrsWith(std::string_view name) const {
  if (!FindAttrDef(def().attrs, name) && !FindAttrDef(CommonAttrs(), name)) {
    std::fprintf(stderr, "%s has no attribute %s\n", std::string(opcode_text()).c_str(),
                 std::string(name).c_str());
    std::abort();
  }
  return *parts_.attrs;
}
#endif

Range OpCall::operand_range(int i) const {
  size_t at = static_cast<size_t>(i);
  return at < parts_.operand_ranges.size() ? parts_.operand_ranges[at] : parts_.range;
}
Range OpCall::attr_range(std::string_view attr) const {
  const Attr* found = parts_.attrs->Find(attr);
  // An attribute that is not in the text, or was written in another dialect, is located at the
  // instruction.
  return found && !(found->range == Range{}) ? found->range : parts_.range;
}

}  // namespace hlo
