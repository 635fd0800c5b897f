// From the island of a program to what its driver does.
#ifndef HLO_ENGINE_STANDALONE_PROGRAM_BUILDER_H_
#define HLO_ENGINE_STANDALONE_PROGRAM_BUILDER_H_

#include <optional>
#include <string>

#include "engine/ops/products/product_rounding.h"
#include "engine/plan/island.h"
#include "engine/standalone/module.h"
#include "engine/standalone/program.h"

namespace hlo {

/// Why there is no stand-alone program.
struct NotCompiled {
  const Instruction* instruction = nullptr;
  std::string why;
};

/// The program of an island, with its kernels and constants in the module. Nothing where an
/// instruction has no stand-alone code: `problem` says which.
std::optional<DriverProgram> BuildProgram(const Island& island, Islands* islands,
                                          StandaloneModule* module,
                                          const ProductRoundingRow* products, NotCompiled* problem);

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_PROGRAM_BUILDER_H_
