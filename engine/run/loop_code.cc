#include "engine/run/loop_code.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "engine/base/pacer.h"
#include "engine/run/fold_cache.h"
#include "engine/run/island_frame.h"

namespace hlo {
namespace {

/// The third execution of a computation has its constants.
constexpr int kMostTries = 3;
/// Nearer to the limit of steps than this the runner goes on alone: it ends exactly there.
constexpr uint64_t kLastSteps = uint64_t{1} << 20;
/// About as much work as the function does before it returns.
constexpr int64_t kCallWork = int64_t{1} << 15;
/// Memory of so many bytes waits for the next execution.
constexpr size_t kMostParked = size_t{256} << 10;

size_t AsSize(int64_t number) { return static_cast<size_t>(number); }

/// Of a buffer among others.
int64_t PaddedBytes(int64_t bytes) {
  constexpr int64_t kAligned = 64;
  return (bytes + kAligned - 1) / kAligned * kAligned;
}

/// Larger constants are not computed before anything asks for them.
constexpr int64_t kMostPrecomputed = int64_t{1} << 16;

// Whether the step can be executed before anything asks for its result, which may be never: it
// ends, and soon.
bool IsHarmless(const Island& island, const IslandStep& step) {
  const auto is_small = [&](int32_t slot) {
    return island.slots[AsSize(slot)].count <= kMostPrecomputed;
  };
  return step.kind != IslandStep::Kind::kWhile && step.kind != IslandStep::Kind::kScalars &&
         step.kind != IslandStep::Kind::kConditional && step.kind != IslandStep::Kind::kCall &&
         std::all_of(step.results.begin(), step.results.end(), is_small) &&
         std::all_of(step.operands.begin(), step.operands.end(),
                     [&](const SlotUse& use) { return is_small(use.slot); });
}

}  // namespace

// Runs the loop from the state in the slots of the result. Returns whether it has ended: otherwise
// the runner goes on from there.
bool IslandRunner::RunCode(Frame& frame, const IslandStep& step, StepState& state,
                           Context& context) {
  RegionCodeMaker* const maker = TheRegionCodeMaker();
  if (!maker) return false;
  if (!state.code) state.code = std::make_unique<LoopCode>();
  LoopCode& loop = *state.code;
  if (!loop.code && loop.tries < kMostTries) {
    if (loop.work < maker->worthwhile()) return false;
    if (!MakeCode(frame, step, &loop, context)) loop.tries = kMostTries;
    ++loop.tries;
  }
  if (!loop.code || !CanKeepConstants(*loop.flow)) return false;
  if (budget_.limits().steps - budget_.steps_used() < kLastSteps) return false;
  const std::shared_ptr<Buffer> memory = MemoryOf(frame, step, &loop);
  if (!memory) {
    loop.code.reset();  // not to be asked for again before every iteration
    loop.tries = kMostTries;
    return false;
  }
  const bool has_ended = profile_ ? IterateMeasured(frame, step, state, memory->data())
                                  : Iterate(frame, step, &loop, memory->data());
  if (memory->size() <= kMostParked) {
    memory->Park();
    loop.memory = memory;
  }
  return has_ended;
}

// Makes code unless constants are missing. False when there will be none.
bool IslandRunner::MakeCode(const Frame& frame, const IslandStep& step, LoopCode* loop,
                            Context& context) {
  if (!loop->flow) loop->flow = FlowOf(frame.island, step, &islands_);
  const Flow* const flow = loop->flow.get();
  if (!flow || !CanKeepConstants(*flow)) return false;
  // Sums of products as the code has them.
  const bool is_separate = context.eval.multiply_add() == MultiplyAdd::kSeparate;
  if (flow->has_sums && (!is_separate || context.eval.products() != nullptr)) return false;
  if (!FindConstants(*flow, loop, context)) {
    loop->constants.clear();
    return true;
  }
  loop->code = TheRegionCodeMaker()->MakeFlow(*flow);
  if (!loop->code) {
    loop->constants.clear();
    return false;
  }
  loop->scalars.resize(flow->loop.outputs.size() * FlowPlaces::kScalarBytes);
  for (const RegionConstant& number : NumbersOf(*flow)) loop->numbers.push_back(number.value);
  loop->control.resize(FlowControl::kExecutions + flow->islands.size());
  loop->places = {loop->scalars.data(), reinterpret_cast<std::byte*>(loop->numbers.data()),
                  reinterpret_cast<std::byte*>(loop->control.data())};
  for (const std::shared_ptr<Buffer>& constant : loop->constants) {
    loop->places.push_back(constant->data());
  }
  for (int32_t value : flow->loop.outputs) {
    loop->state_arrays += flow->values[AsSize(value)].is_scalar() ? 0 : 1;
  }
  for (size_t i = 0; i < loop->code->buffers().size(); ++i) {
    loop->places.push_back(nullptr);
    if (i >= loop->state_arrays) loop->memory_bytes += PaddedBytes(loop->code->buffers()[i]);
  }
  return true;
}

// Values of constants: what earlier executions keep, or else what the steps give that compute them.
bool IslandRunner::FindConstants(const Flow& flow, LoopCode* loop, Context& context) {
  for (const FlowIsland& counted : flow.islands) {
    Frame& frame = FrameOf(*counted.island);
    const bool is_ready = frame.constants == Frame::Constants::kReady;
    if (!is_ready && !Precompute(frame, context)) return false;
    for (const FlowConstant& constant : flow.constants) {
      if (constant.island != counted.island) continue;
      loop->constants.resize(flow.constants.size());
      loop->constants[static_cast<size_t>(&constant - flow.constants.data())] =
          frame.At(constant.slot).buffer;
    }
    if (!is_ready) ForgetKept(frame);
  }
  return true;
}

bool IslandRunner::Precompute(Frame& frame, Context& context) {
  const Island& island = frame.island;
  const auto is_constant = [&](const IslandStep& step) {
    return step.planned->fold != Fold::kNone;
  };
  for (const IslandStep& step : island.steps) {
    if (is_constant(step) && !IsHarmless(island, step)) return false;
  }
  const size_t depth = context.stack.size();
  const bool keeps = std::exchange(frame.keeps, true);
  bool is_whole = true;
  context.stack.push_back(island.plan->instructions.front().instruction);
  try {
    for (size_t i = 0; i < island.steps.size(); ++i) {
      const IslandStep& step = island.steps[i];
      if (!is_constant(step)) continue;
      Execute(frame, step, frame.states[i], context);
      for (int32_t slot : step.unused) {
        if (!frame.IsKept(slot)) Release(frame, slot);
      }
    }
  } catch (const RunError&) {
    // The program meets it where it executes the step, if it does.
    is_whole = false;
    Forget(frame, is_constant);
  }
  context.stack.resize(depth);
  frame.keeps = keeps;
  return is_whole;
}

// What steps of constants left when one of them failed.
template <typename IsConstant>
void IslandRunner::Forget(Frame& frame, IsConstant is_constant) {
  for (size_t i = 0; i < frame.states.size(); ++i) {
    const IslandStep& step = frame.island.steps[i];
    if (!is_constant(step)) continue;
    frame.states[i].arguments.clear();
    for (int32_t slot : step.results) frame.At(slot) = {};
  }
}

void IslandRunner::ForgetKept(Frame& frame) {
  for (size_t i = 0; i < frame.slots.size(); ++i) {
    if (frame.island.slots[i].is_kept) frame.slots[i] = {};
  }
}

// Whether the constants of all its computations are kept, or can be.
bool IslandRunner::CanKeepConstants(const Flow& flow) {
  int64_t bytes = kept_bytes_;
  for (const FlowIsland& counted : flow.islands) {
    const Frame& frame = FrameOf(*counted.island);
    if (frame.constants == Frame::Constants::kDropped) return false;
    if (frame.constants != Frame::Constants::kReady) bytes += counted.island->kept_bytes;
  }
  return bytes <= FoldCache::kMostBytes;
}

// For the buffers of the code, with the state that it changes in slots of its own. Null if there is
// too little.
std::shared_ptr<Buffer> IslandRunner::MemoryOf(Frame& frame, const IslandStep& step,
                                               LoopCode* loop) {
  std::shared_ptr<Buffer> memory = std::move(loop->memory);
  try {
    if (memory) {
      memory->Resume(&budget_);
    } else {
      memory = Buffer::Allocate(AsSize(loop->memory_bytes), &budget_);
    }
    for (size_t i = 0; i < step.results.size(); ++i) {
      if (!loop->flow->IsUnchanged(i)) OwnBuffer(frame, step.results[i]);
    }
  } catch (const RunError& error) {
    if (error.code() != DiagCode::kMemoryExceeded) throw;
    return nullptr;
  }
  return memory;
}

bool IslandRunner::Iterate(Frame& frame, const IslandStep& step, LoopCode* loop,
                           std::byte* memory) {
  const size_t first = AsSize(FlowPlaces::FirstBuffer(*loop->flow));
  for (size_t i = loop->state_arrays; i < loop->code->buffers().size(); ++i) {
    loop->places[first + i] = memory;
    memory += PaddedBytes(loop->code->buffers()[i]);
  }
  for (size_t i = 0; i < loop->flow->islands.size(); ++i) {
    const Frame& callee = FrameOf(*loop->flow->islands[i].island);
    const bool is_new = callee.constants == Frame::Constants::kNew;
    const bool is_seen = callee.constants == Frame::Constants::kSeen;
    loop->control[FlowControl::kExecutions + i] = is_new ? 0 : is_seen ? 1 : 2;
  }
  PassState(frame, step, loop);
  bool has_ended = false, is_stopped = false;
  while (!has_ended && !is_stopped) {
    loop->code->run()(0, 0, loop->places.data(), &budget_);
    budget_.CountSteps(static_cast<uint32_t>(loop->control[FlowControl::kSteps]));
    total_work_ += kCallWork;
    has_ended = loop->control[FlowControl::kIsDone] != 0;
    is_stopped = budget_.limits().steps - budget_.steps_used() < kLastSteps || IsOver();
  }
  TakeState(frame, step, *loop);
  NoteExecutions(*loop);
  return has_ended;
}

bool IslandRunner::IterateMeasured(Frame& frame, const IslandStep& step, StepState& state,
                                   std::byte* memory) {
  if (!state.profile) {
    state.profile = profile_->Add(*frame.island.plan, *step.planned);
    state.profile->is_in_island = true;
    state.profile->how = ProfileEntry::How::kCode;
  }
  const ProfileTimer timer(state.profile, nullptr);
  return Iterate(frame, step, state.code.get(), memory);
}

// The runner meets the limit in its next step, and says in which.
bool IslandRunner::IsOver() {
  try {
    budget_.Poll();
  } catch (const RunError&) {
    work_ = Pacer::kPollWork - kStepWork - 1;
    return true;
  }
  return false;
}

// Copies an array that others hold, too.
void IslandRunner::OwnBuffer(Frame& frame, int32_t slot) {
  std::shared_ptr<Buffer>& buffer = frame.At(slot).buffer;
  const size_t bytes = AsSize(frame.island.slots[AsSize(slot)].bytes);
  if (buffer.use_count() == 1 && buffer->size() == bytes) return;
  std::shared_ptr<Buffer> own = Buffer::Allocate(bytes, &budget_);
  std::memcpy(own->data(), buffer->data(), bytes);
  buffer = std::move(own);
}

// Scalars are copied; arrays are given to the code where they are.
void IslandRunner::PassState(Frame& frame, const IslandStep& step, LoopCode* loop) {
  size_t array = AsSize(FlowPlaces::FirstBuffer(*loop->flow));
  for (size_t i = 0; i < step.results.size(); ++i) {
    std::byte* const data = frame.At(step.results[i]).buffer->data();
    const IslandSlot& slot = frame.island.slots[AsSize(step.results[i])];
    if (slot.count > 1) {
      loop->places[array++] = data;
    } else {
      std::memcpy(&loop->scalars[i * FlowPlaces::kScalarBytes], data, AsSize(slot.bytes));
    }
  }
}

// The code may have exchanged arrays of one size, with each other and with its own memory.
void IslandRunner::TakeState(Frame& frame, const IslandStep& step, const LoopCode& loop) {
  size_t array = AsSize(FlowPlaces::FirstBuffer(*loop.flow));
  std::vector<std::pair<int32_t, const std::byte*>> moved;  // slots whose arrays are elsewhere
  for (size_t i = 0; i < step.results.size(); ++i) {
    const int32_t number = step.results[i];
    std::byte* const data = frame.At(number).buffer->data();
    const IslandSlot& slot = frame.island.slots[AsSize(number)];
    if (slot.count == 1) {
      if (loop.flow->IsUnchanged(i)) continue;  // others may have it
      std::memcpy(data, &loop.scalars[i * FlowPlaces::kScalarBytes], AsSize(slot.bytes));
    } else if (const std::byte* const now = loop.places[array++]; now != data) {
      moved.emplace_back(number, now);
    }
  }
  Buffers free;
  for (const auto& [slot, now] : moved) free.push_back(std::move(frame.At(slot).buffer));
  const auto take = [&](int32_t slot, auto is_wanted) {
    const auto found = std::find_if(
        free.begin(), free.end(), [&](const auto& buffer) { return buffer && is_wanted(*buffer); });
    if (found == free.end()) return false;
    frame.At(slot).buffer = std::move(*found);
    return true;
  };
  const auto is_whole = [&](const auto& at) {
    return take(at.first, [&](const Buffer& buffer) { return buffer.data() == at.second; });
  };
  moved.erase(std::remove_if(moved.begin(), moved.end(), is_whole), moved.end());
  for (const auto& [slot, now] : moved) {
    const size_t bytes = AsSize(frame.island.slots[AsSize(slot)].bytes);
    take(slot, [&](const Buffer& buffer) { return buffer.size() == bytes; });
    std::memcpy(frame.At(slot).buffer->data(), now, bytes);
  }
}

// What the runner would have noted of the executions of the computations.
void IslandRunner::NoteExecutions(const LoopCode& loop) {
  using Constants = Frame::Constants;
  const Flow& flow = *loop.flow;
  for (size_t i = 0; i < flow.islands.size(); ++i) {
    const FlowIsland& counted = flow.islands[i];
    Frame& frame = FrameOf(*counted.island);
    if (frame.constants == Constants::kReady || counted.instructions == counted.instructions_kept) {
      continue;
    }
    const int32_t executions = loop.control[FlowControl::kExecutions + i];
    if (executions == 1) frame.constants = Constants::kSeen;
    if (executions < 2) continue;
    for (size_t k = 0; k < flow.constants.size(); ++k) {
      if (flow.constants[k].island != counted.island) continue;
      frame.At(flow.constants[k].slot) = {loop.constants[k], false};
    }
    frame.constants = Constants::kReady;
    frame.keeps = true;
    kept_bytes_ += counted.island->kept_bytes;
  }
}

}  // namespace hlo
