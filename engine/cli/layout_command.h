// `hlo layout`: how an array lies in memory.
#ifndef HLO_ENGINE_CLI_LAYOUT_COMMAND_H_
#define HLO_ENGINE_CLI_LAYOUT_COMMAND_H_

#include <string>

#include "engine/cli/command.h"

namespace hlo {

struct LayoutArguments {
  std::string shape;     ///< with its layout, or in another notation
  std::string compared;  ///< a second layout of the same array; empty: none
  bool has_index = false;
  std::string index;  ///< of the element whose address is wanted: "2,3"
  bool json = false;
};

/// Writes the layout, its comparison and the address, as far as they are asked for.
void PrintLayout(const LayoutArguments& options, CommandResult& result);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_LAYOUT_COMMAND_H_
