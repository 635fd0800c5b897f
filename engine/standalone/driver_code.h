// The function that runs a program: generated code that calls generated code.
#ifndef HLO_ENGINE_STANDALONE_DRIVER_CODE_H_
#define HLO_ENGINE_STANDALONE_DRIVER_CODE_H_

#include <cstdint>
#include <vector>

#include "engine/codegen/function_writer.h"
#include "engine/standalone/module.h"
#include "engine/standalone/program.h"

namespace hlo {

/// Writes it, and the tables of places that it uses into the module. `addresses`: by array.
CodeBytes WriteDriver(const DriverProgram& program, const std::vector<uint32_t>& addresses,
                      StandaloneModule* module);

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_DRIVER_CODE_H_
