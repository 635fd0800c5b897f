// The choices of one run.
#ifndef HLO_ENGINE_RUN_OPTIONS_H_
#define HLO_ENGINE_RUN_OPTIONS_H_

#include <cstdint>
#include <optional>

#include "engine/run/fill.h"

namespace hlo {

struct RunOptions {
  /// Seed of rng instructions, of random inputs and of random fills.
  uint64_t seed = 0;
  /// What stands in for constants written `{...}`; nothing: such a program is refused.
  std::optional<Fill::Kind> fill_elided;
};

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_OPTIONS_H_
