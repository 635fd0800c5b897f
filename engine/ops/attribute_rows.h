// Attributes of an op by their names.
#ifndef HLO_ENGINE_OPS_ATTRIBUTE_ROWS_H_
#define HLO_ENGINE_OPS_ATTRIBUTE_ROWS_H_

#include <span>
#include <string_view>

#include "engine/ops/attributes.h"

namespace hlo {

/// The row of this name among an op's, the common or the module's attributes; null when there is
/// none.
inline const AttrDef* FindAttrDef(std::span<const AttrDef> rows, std::string_view name) {
  for (const AttrDef& row : rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_ATTRIBUTE_ROWS_H_
