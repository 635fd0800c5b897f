#include "engine/run/island_epilogue.h"

#ifndef HLO_SMALL

#include <array>

#include "engine/threads/pieces.h"

namespace hlo {

IslandRunner::Epilogue::Epilogue(IslandRunner& runner, Frame& frame, const IslandStep& product,
                                 const IslandStep& loop, StepState& state, EvalContext& context)
    : runner_(runner),
      frame_(frame),
      product_(product),
      loop_(loop),
      state_(state),
      context_(context) {
  state_.ran_in = nullptr;
  context_.OfferResultPieces(this);
}

bool IslandRunner::Epilogue::Begin(std::byte* result) {
  const JoinedLoop& loop = *loop_.planned->loop;
  Budget* const budget = &runner_.budget_;
  RegionFunction& program = runner_.loops_.ProgramOf(*loop_.planned, budget);
  RegionCopies* copies = nullptr;
  if (PieceThreads() > 1) {
    copies = program.Copies(PieceThreads(), budget);
    // Its code has to be made first.
    if (copies == nullptr) return false;
  }
  PrepareLoop(loop_, state_);
  for (size_t i = 0; i < state_.sources.size(); ++i) {
    const int32_t slot = loop_.operands[i].slot;
    state_.sources[i].Begin(slot == product_.results[0] ? result : frame_.Data(slot), budget);
  }
  const std::array<std::byte*, 1> to = {result};
  ranges_.emplace(loop, program, copies, state_.sources, to, budget);
  result_ = result;
  return true;
}

void IslandRunner::Epilogue::Take(int64_t begin, int64_t count, int thread, Budget* budget) {
  ranges_->Run(begin, begin + count, thread, budget);
  taken_[static_cast<size_t>(thread)].elements += count;
}

void IslandRunner::Epilogue::Finish() {
  if (!ranges_) return;
  ranges_.reset();
  int64_t taken = 0;
  for (const Count& count : taken_) taken += count.elements;
  const bool is_whole = taken == loop_.count && frame_.Data(product_.results[0]) == result_;
  if (!is_whole) {
    throw RunError(
        DiagCode::kInternalFault,
        "a fault of this engine: a product gave some of its parts only. Please report it "
        "with the program");
  }
  state_.ran_in = product_.planned->instruction;
}

}  // namespace hlo

#endif  // HLO_SMALL
