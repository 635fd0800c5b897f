// Instructions by what is written of them.
#ifndef HLO_ENGINE_GRAPH_SEARCH_H_
#define HLO_ENGINE_GRAPH_SEARCH_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "engine/hlo/ir.h"

namespace hlo {

/// A value of an instruction's metadata ("op_name"); empty where it has none.
std::string_view MetadataValue(const Instruction& instruction, std::string_view key);

struct Found {
  size_t count = 0;                       ///< of all
  std::vector<const Instruction*> first;  ///< best first, then in the order of the module
};

/// The instructions whose name, opcode or op_name contains the text, in either case: those of this
/// name first, then other names, opcodes, and op_names. At most `limit` are listed.
Found FindInstructions(const Module& module, std::string_view text, size_t limit);

}  // namespace hlo

#endif  // HLO_ENGINE_GRAPH_SEARCH_H_
