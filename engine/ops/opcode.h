// The opcodes, from ops.def.
#ifndef HLO_ENGINE_OPS_OPCODE_H_
#define HLO_ENGINE_OPS_OPCODE_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace hlo {

struct OpDef;

/// `Opcode::kReverse`, ...: one enumerator per row of ops.def.
enum class Opcode : uint8_t {
#define OP(name, text, min_operands, max_operands, cost, dependence) k##name,
#include "engine/ops/ops.def"
};

/// Identity of an opcode.
struct OpcodeInfo {
  /// As the largest number of operands: no limit.
  static constexpr int kAny = 1 << 30;
  std::string_view text;
  int min_operands;
  int max_operands;
};

inline constexpr int kOpcodeCount = 0
#define OP(name, text, min_operands, max_operands, cost, dependence) +1
#include "engine/ops/ops.def"
    ;

const OpcodeInfo& GetOpcodeInfo(Opcode opcode);
inline std::string_view Text(Opcode opcode) { return GetOpcodeInfo(opcode).text; }
/// The opcode with this name, or nothing.
std::optional<Opcode> OpcodeFromText(std::string_view text);
/// The definition of an opcode.
const OpDef& GetOpDef(Opcode opcode);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_OPCODE_H_
