// What operations are called elsewhere (other_names.def): for fixes of unknown opcodes, and for
// completion.
#ifndef HLO_ENGINE_OPS_OTHER_NAMES_H_
#define HLO_ENGINE_OPS_OTHER_NAMES_H_

#include <optional>
#include <span>
#include <string_view>

#include "engine/ops/opcode.h"

namespace hlo {

struct OtherName {
  std::string_view name;
  Opcode opcode;
};

/// All of them, in alphabetical order.
std::span<const OtherName> OtherNames();
/// The opcode of an operation that is called this elsewhere, or nothing.
std::optional<Opcode> OpcodeOfOtherName(std::string_view name);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_OTHER_NAMES_H_
