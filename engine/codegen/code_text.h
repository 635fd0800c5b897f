// Generated code as text.
#ifndef HLO_ENGINE_CODEGEN_CODE_TEXT_H_
#define HLO_ENGINE_CODEGEN_CODE_TEXT_H_

#include <span>
#include <string>

#include "engine/codegen/function_writer.h"

namespace hlo {

/// A module that RegionModule made, in the text format of WebAssembly: what an assembler makes the
/// same module of.
std::string ModuleText(std::span<const uint8_t> module);

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_CODE_TEXT_H_
