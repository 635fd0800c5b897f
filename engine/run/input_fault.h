// What is wrong with a part of the text of an input.
#ifndef HLO_ENGINE_RUN_INPUT_FAULT_H_
#define HLO_ENGINE_RUN_INPUT_FAULT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "engine/base/diagnostics.h"

namespace hlo {

/// Reports a fault from `begin` to `end` of a text that is itself at `offset`. False, for who reads
/// it to return.
inline bool InputFault(Diagnostics& diagnostics, uint32_t offset, size_t begin, size_t end,
                       std::string message) {
  const auto at = static_cast<uint32_t>(begin), after = static_cast<uint32_t>(end);
  diagnostics.Report(DiagCode::kInputInvalid, {offset + at, offset + after}, std::move(message));
  return false;
}

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_INPUT_FAULT_H_
