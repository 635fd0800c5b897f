// Where in the source program (a Python file, mostly) an instruction comes from.
#ifndef HLO_ENGINE_HLO_SOURCE_PLACE_H_
#define HLO_ENGINE_HLO_SOURCE_PLACE_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/hlo/ir.h"

namespace hlo {

/// A line of a file of the source program.
struct SourcePlace {
  std::string_view file;  ///< as the module names it, which has to outlive this
  int64_t line = 0;       ///< 0: unknown
};

/// By the instruction's own metadata, or by the module's stack frame that they name: then the
/// innermost first, and after it what called it. Empty when nothing says it.
std::vector<SourcePlace> SourcePlacesOf(const Instruction& instruction, const Module& module);

/// Whether a file is meant by a name: its whole path, or the last parts of it.
bool IsFileNamed(std::string_view file, std::string_view name);

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_SOURCE_PLACE_H_
