// Ranges of the elements of a joined loop, for several threads at once.
#ifndef HLO_ENGINE_RUN_LOOP_RANGES_H_
#define HLO_ENGINE_RUN_LOOP_RANGES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/budget.h"
#include "engine/run/loop_runner.h"

namespace hlo {

/// Runs the program of a loop on ranges of its elements, in any order.
class LoopRanges {
 public:
  /// Ranges are of whole rows where the loop has rows. `sources` have begun; `to` is where the
  /// outputs begin. With `copies` (of the program, for all threads) several threads may run ranges
  /// at once; without (null), one. What they refer to must outlive it; what threads need of their
  /// own is charged to the budget.
  LoopRanges(const JoinedLoop& loop, RegionFunction& program, RegionCopies* copies,
             std::span<const LoopSource> sources, std::span<std::byte* const> to, Budget* budget);
  /// The elements [begin, end), on a thread (threads/pieces.h).
  void Run(int64_t begin, int64_t end, int thread, Budget* budget);

 private:
  // What a thread reads and writes.
  struct Lanes {
    std::vector<LoopSource> sources;
    std::vector<const std::byte*> from;
    std::vector<std::byte*> to;
  };

  const JoinedLoop& loop_;
  RegionFunction& program_;
  RegionCopies* copies_;
  std::vector<std::byte*> to_;
  std::vector<Lanes> lanes_;  // by thread
  int64_t block_;             // elements at a time at most; 0: any number
};

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_LOOP_RANGES_H_
