// From the island of a program to what its driver does.
#ifndef HLO_ENGINE_STANDALONE_PROGRAM_BUILDER_H_
#define HLO_ENGINE_STANDALONE_PROGRAM_BUILDER_H_

#include <optional>

#include "engine/plan/island.h"
#include "engine/standalone/emitter.h"
#include "engine/standalone/module.h"
#include "engine/standalone/program.h"
#include "engine/standalone/refusals.h"

namespace hlo {

/// The program of an island, with its kernels and constants in the module. Nothing where
/// instructions have no stand-alone code: `refusals` are those.
std::optional<DriverProgram> BuildProgram(const Island& island, Islands* islands,
                                          const ProductSettings& products, StandaloneModule* module,
                                          Refusals* refusals);

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_PROGRAM_BUILDER_H_
