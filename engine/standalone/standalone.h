// A program as WebAssembly that stands alone.
#ifndef HLO_ENGINE_STANDALONE_STANDALONE_H_
#define HLO_ENGINE_STANDALONE_STANDALONE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/diagnostics.h"
#include "engine/codegen/function_writer.h"
#include "engine/hlo/ir.h"
#include "engine/standalone/product_settings.h"

namespace hlo {

/// An array that goes into the module or comes out of it.
struct StandaloneArray {
  std::string name;
  ElementType type = {};
  Dims dims;
  /// In the module's memory; nothing for an input that the program does not read.
  std::optional<uint32_t> address;

  bool operator==(const StandaloneArray&) const = default;
};

struct Standalone {
  CodeBytes module;
  std::vector<StandaloneArray> inputs, outputs;
  bool is_tuple = false;  ///< the result
  /// What a run says that an array's values end, by the number at the address.
  std::vector<std::string> faults;
  uint32_t fault_address = 0;
  int64_t arena_bytes = 0;   ///< of all arrays
  int64_t memory_bytes = 0;  ///< with the constants
};

/// The entry computation as a module that imports nothing. Nothing where instructions have no
/// stand-alone code or memory is too small: the diagnostics say which, and why. The module is
/// verified and has an entry. With ProductStep::kFused it has WriteFusionTrial's function, too,
/// as "fuses". `custom_calls`: what custom-calls find; may be null.
std::optional<Standalone> CompileStandalone(const Module& module,
                                            const CustomCallTargets* custom_calls,
                                            const ProductSettings& products,
                                            Diagnostics* diagnostics);

/// A module that has that function alone.
CodeBytes FusionTrialModule();

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_STANDALONE_H_
