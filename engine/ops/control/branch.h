// Which branch a conditional takes.
#ifndef HLO_ENGINE_OPS_CONTROL_BRANCH_H_
#define HLO_ENGINE_OPS_CONTROL_BRANCH_H_

#include <cstddef>
#include <cstdint>

#include "engine/types/element_type.h"

namespace hlo {

/// The number of the branch, of `count`, that a selector (one pred or s32) takes: true takes the
/// first, false the second; a number that is no branch's takes the last. Source: operation
/// semantics, Conditional.
inline size_t ChosenBranch(ElementType type, const std::byte* selector, size_t count) {
  if (type == ElementType::kPred) return *selector != std::byte{0} ? 0 : 1;
  const int32_t number = *reinterpret_cast<const int32_t*>(selector);
  const bool is_branch = number >= 0 && static_cast<size_t>(number) < count;
  return is_branch ? static_cast<size_t>(number) : count - 1;
}

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_CONTROL_BRANCH_H_
