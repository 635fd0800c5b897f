#include "engine/run/loop_ranges.h"

#ifndef HLO_SMALL

#include <algorithm>

#include "engine/threads/pieces.h"

namespace hlo {

LoopRanges::LoopRanges(const JoinedLoop& loop, RegionFunction& program, RegionCopies* copies,
                       std::span<const LoopSource> sources, std::span<std::byte* const> to,
                       Budget* budget)
    : loop_(loop),
      program_(program),
      copies_(copies),
      to_(to.begin(), to.end()),
      lanes_(copies == nullptr ? 1 : static_cast<size_t>(PieceThreads())),
      block_(IsGivenOnce(sources) ? 0 : LanesOf(loop)) {
  for (Lanes& own : lanes_) {
    for (const LoopSource& source : sources) own.sources.push_back(source.Copy(budget));
    own.from.resize(sources.size());
    own.to.resize(to.size());
  }
}

void LoopRanges::Run(int64_t begin, int64_t end, int thread, Budget* budget) {
  const RegionSteps& steps = loop_.steps;
  Lanes& own = lanes_[copies_ == nullptr ? 0 : static_cast<size_t>(thread)];
  RegionFunction& program = copies_ == nullptr ? program_ : copies_->Of(thread, budget);
  const int64_t block = block_ == 0 ? end - begin : block_;
  for (int64_t done = begin; done < end; done += block) {
    const int64_t count = std::min(block, end - done);
    for (size_t i = 0; i < own.from.size(); ++i) {
      const auto parameter = static_cast<int32_t>(i);
      own.from[i] =
          own.sources[i].At(steps.CountOf(parameter, done), steps.CountOf(parameter, count));
    }
    for (size_t i = 0; i < to_.size(); ++i) {
      const RegionScalar& result = steps.results[i];
      own.to[i] = to_[i] + steps.CountOf(result.id, done) * BytesOf(result.type);
    }
    program.Apply(count, own.from, own.to);
  }
}

}  // namespace hlo

#endif  // HLO_SMALL
