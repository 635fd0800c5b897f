// What may be written next in a condition on the steps of a run.
#ifndef HLO_ENGINE_VIEWS_DEBUG_COMPLETION_H_
#define HLO_ENGINE_VIEWS_DEBUG_COMPLETION_H_

#include <string>
#include <string_view>
#include <vector>

#include "engine/views/document.h"

namespace hlo {

/// A condition that begins with what is written.
struct ConditionCompletion {
  std::string text;   ///< all of it
  std::string about;  ///< of what was added, in words
};

/// Names, opcodes, sources and the other words of conditions that can end the last clause of a
/// text; a few of each.
std::vector<ConditionCompletion> CompleteCondition(const Document& document, std::string_view text);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_DEBUG_COMPLETION_H_
