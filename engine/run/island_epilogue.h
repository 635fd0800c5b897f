// Runs a joined loop as the epilogue of a product (plan/epilogues.h). Internal to the island
// runner.
#ifndef HLO_ENGINE_RUN_ISLAND_EPILOGUE_H_
#define HLO_ENGINE_RUN_ISLAND_EPILOGUE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/run/island_frame.h"
#include "engine/run/island_runner.h"
#include "engine/run/loop_ranges.h"
#include "engine/threads/pool.h"

namespace hlo {

/// For one execution of a product's step: offers itself to the op that is evaluated next.
class IslandRunner::Epilogue final : public ResultPieces {
 public:
  /// `loop` is the step behind the product's, `state` that of the loop. Everything must outlive it.
  Epilogue(IslandRunner& runner, Frame& frame, const IslandStep& product, const IslandStep& loop,
           StepState& state, EvalContext& context);
  ~Epilogue() override { context_.OfferResultPieces(nullptr); }
  Epilogue(const Epilogue&) = delete;
  Epilogue& operator=(const Epilogue&) = delete;

  bool Begin(std::byte* result) override;
  void Take(int64_t begin, int64_t count, int thread, Budget* budget) override;
  /// After the product, whose result is in its slot. If it gave its parts, the loop's step has
  /// nothing left to compute (StepState::ran_in).
  void Finish();

 private:
  IslandRunner& runner_;
  Frame& frame_;
  const IslandStep &product_, &loop_;
  StepState& state_;
  EvalContext& context_;
  const std::byte* result_ = nullptr;
  std::optional<LoopRanges> ranges_;
  // Elements, by thread: those of pieces share no count (threads/README.md). In lines of the cache
  // of their own.
  struct alignas(64) Count {
    int64_t elements = 0;
  };
  std::array<Count, kMostThreads> taken_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_ISLAND_EPILOGUE_H_
