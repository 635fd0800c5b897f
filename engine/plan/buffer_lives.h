// The buffers of every computation by itself, and for how long each is needed.
#ifndef HLO_ENGINE_PLAN_BUFFER_LIVES_H_
#define HLO_ENGINE_PLAN_BUFFER_LIVES_H_

#include <cstdint>
#include <map>
#include <vector>

#include "engine/plan/program_memory.h"

namespace hlo {

/// The most that temporaries take, those of callees too, and the first position that reaches it.
struct TemporaryPeak {
  int64_t bytes = 0;
  int64_t at = 0;
};

/// A computation on its own; positions are its own ones.
struct BufferLives {
  std::vector<ProgramBuffer> buffers;
  /// By space: what all buffers take at every position, and what callees add.
  std::map<int64_t, std::vector<int64_t>> live;
  std::map<int64_t, TemporaryPeak> temporary_peaks;  ///< By space.
  /// Of the arrays of parameter 0, in order: whether the result has it, as it is, in the same
  /// place.
  std::vector<bool> passed;
  bool complete = true;

  TemporaryPeak PeakIn(int64_t space) const {
    const auto found = temporary_peaks.find(space);
    return found == temporary_peaks.end() ? TemporaryPeak() : found->second;
  }
};

/// Of the computations of a module, by their index.
std::vector<BufferLives> FindBufferLives(const Module& module, InPlace* written);

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_BUFFER_LIVES_H_
