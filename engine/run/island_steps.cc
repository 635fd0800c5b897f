// What the steps of an island do.
#include <algorithm>
#include <utility>

#include "engine/ops/control/branch.h"
#include "engine/ops/evaluate.h"
#include "engine/run/island_epilogue.h"
#include "engine/run/island_frame.h"
#include "engine/run/island_runner.h"
#include "engine/threads/pieces.h"

namespace hlo {
namespace {

/// Long loops are polled after so many elements.
constexpr int64_t kPiece = int64_t{1} << 14;

}  // namespace

Value IslandRunner::TakeValue(Frame& frame, const SlotUse* uses, const Shape& shape, size_t* next) {
  if (shape.IsTuple()) {
    Value::Elements elements;
    for (const Shape& element : shape.elements()) {
      elements.push_back(TakeValue(frame, uses, element, next));
    }
    return Value::Tuple(std::move(elements));
  }
  if (!shape.IsArray() && !shape.IsBuffer()) return Value();
  const SlotUse& use = uses[(*next)++];
  const IslandSlot& known = frame.island.slots[static_cast<size_t>(use.slot)];
  std::shared_ptr<Buffer>& buffer = frame.At(use.slot).buffer;
  if (!frame.IsLast(use)) return Value(Tensor(known.type, known.dims, known.count, buffer));
  return Value(Tensor(known.type, known.dims, known.count, std::move(buffer)));
}

void IslandRunner::PutValue(Frame& frame, const IslandStep& step, Value value, size_t* next) {
  if (value.is_array()) {
    frame.At(step.results[(*next)++]) = {value.tensor().TakeBuffer(), false};
  } else if (value.is_tuple()) {
    const bool is_shared = !value.unique_elements();
    for (Value& element : value.mutable_elements()) {
      PutValue(frame, step, is_shared ? element : std::move(element), next);
    }
  }
}

void IslandRunner::Evaluate(Frame& frame, const IslandStep& step, StepState& state,
                            Context& context) {
  const PlannedInstruction& planned = *step.planned;
  state.arguments.clear();
  size_t next = 0;
  for (const Instruction* operand : planned.instruction->operands()) {
    state.arguments.push_back(TakeValue(frame, step.operands.data(), operand->shape(), &next));
  }
  const auto fill = fills_.empty() ? fills_.end() : fills_.find(planned.instruction);
  Value value = fill != fills_.end()
                    ? fill->second
                    : EvaluateOp(planned.call, planned.mixed.get(), state.arguments, context.eval);
  state.arguments.clear();
  CheckValue(value, planned.call.shape());
  next = 0;
  PutValue(frame, step, std::move(value), &next);
}

// Products in fewer bits are evaluated from parts, which are not the result.
void IslandRunner::EvaluateWithEpilogue(Frame& frame, const IslandStep& step, StepState& state,
                                        Context& context) {
#ifndef HLO_SMALL
  if (context.eval.products() == nullptr) {
    const auto next = static_cast<size_t>(&step - frame.island.steps.data()) + 1;
    Epilogue epilogue(*this, frame, step, frame.island.steps[next], frame.states[next],
                      context.eval);
    Evaluate(frame, step, state, context);
    return epilogue.Finish();
  }
#endif
  Evaluate(frame, step, state, context);
}

void IslandRunner::RunElements(Frame& frame, const IslandStep& step) {
  const ElementLoop& loop = step.elements;
  const std::byte* from[ElementLoop::kMaxOperands] = {};
  for (size_t i = 0; i < step.operands.size(); ++i) from[i] = frame.Data(step.operands[i].slot);
  Place(frame, step, 0);
  std::byte* const to = frame.At(step.results[0]).buffer->data();
#ifndef HLO_SMALL
  const auto run = [&](int64_t begin, int64_t count) {
    const std::byte* at[ElementLoop::kMaxOperands] = {};
    for (int i = 0; i < loop.operand_count; ++i) {
      at[i] = from[i] + begin * BytesOf(loop.operands[i]);
    }
    loop.Run(count, at, to + begin * BytesOf(loop.result));
  };
#endif
  if (step.count <= kPiece) {
    loop.Run(step.count, from, to);
    Work(step.count);
#ifndef HLO_SMALL
  } else if (IsShared(step.count)) {
    RunRanges(step.count, kPiece, step.count, &budget_, [&](PieceRange piece, int, Budget* own) {
      run(piece.begin, piece.end - piece.begin);
      own->Poll();
    });
    Work(step.count);
#endif
  } else {
    for (int64_t done = 0; done < step.count; done += kPiece) {
      const std::byte* at[ElementLoop::kMaxOperands] = {};
      for (int i = 0; i < loop.operand_count; ++i) {
        at[i] = from[i] + done * BytesOf(loop.operands[i]);
      }
      const int64_t count = std::min(kPiece, step.count - done);
      loop.Run(count, at, to + done * BytesOf(loop.result));
      Work(count);
    }
  }
  ReleaseOperands(frame, step);
}

void IslandRunner::Share(Frame& frame, const IslandStep& step) {
  Pass(frame, step.operands[0], frame, step.results[0]);
}

// The memory of a loop's first execution, for all.
void IslandRunner::PrepareLoop(const IslandStep& step, StepState& state) {
  const JoinedLoop& loop = *step.planned->loop;
  if (!state.sources.empty()) return;
  for (size_t i = 0; i < loop.inputs.size(); ++i) state.sources.emplace_back(loop, i);
  state.from.resize(step.operands.size());
  state.to.resize(step.results.size());
}

// Of a loop that has run as an epilogue: its result is where that of the product was.
void IslandRunner::TakeFromProduct(Frame& frame, const IslandStep& step, StepState& state) {
  const size_t number = static_cast<size_t>(&step - frame.island.steps.data());
  const int32_t product = frame.island.steps[number - 1].results[0];
  std::swap(frame.At(step.results[0]), frame.At(product));
  state.ran_in = nullptr;
}

void IslandRunner::RunLoop(Frame& frame, const IslandStep& step, StepState& state) {
  const JoinedLoop& loop = *step.planned->loop;
  if (step.results.empty()) return ReleaseOperands(frame, step);
  if (state.ran_in) {
    TakeFromProduct(frame, step, state);
  } else {
    RunLoopNow(frame, step, state);
  }
  total_work_ += loop.count * static_cast<int64_t>(loop.steps.steps.size());
  for (LoopSource& source : state.sources) source.End();
  ReleaseOperands(frame, step);
}

void IslandRunner::RunLoopNow(Frame& frame, const IslandStep& step, StepState& state) {
  const JoinedLoop& loop = *step.planned->loop;
  RegionFunction& program = loops_.ProgramOf(*step.planned, &budget_);
  PrepareLoop(step, state);
  for (size_t i = 0; i < state.sources.size(); ++i) {
    state.sources[i].Begin(frame.Data(step.operands[i].slot), &budget_);
  }
  for (size_t i = 0; i < step.results.size(); ++i) Place(frame, step, i);
  for (size_t i = 0; i < step.results.size(); ++i) {
    state.to[i] = frame.At(step.results[i]).buffer->data();
  }
  RunBlocks(loop, program, state.sources, state.from, state.to, &budget_);
}

void IslandRunner::RunScalars(Frame& frame, const IslandStep& step, StepState& state) {
  state.from.resize(step.operands.size());
  state.to.resize(step.results.size());
  for (size_t i = 0; i < state.from.size(); ++i) {
    state.from[i] = frame.Data(step.operands[i].slot);
  }
  for (size_t i = 0; i < state.to.size(); ++i) {
    Place(frame, step, i);
    state.to[i] = frame.At(step.results[i]).buffer->data();
  }
  loops_.ProgramOf(*step.planned, &budget_).Apply(1, state.from, state.to);
  ReleaseOperands(frame, step);
}

// The state is in the slots of the result between the calls.
void IslandRunner::RunWhile(Frame& frame, const IslandStep& step, StepState& state,
                            Context& context) {
  if (state.callees.empty()) {
    for (const Region* region : step.calls)
      state.callees.push_back(&FrameOf(*islands_.Of(*region)));
  }
  Frame& condition = *state.callees[0];
  Frame& body = *state.callees[1];
  const size_t count = step.results.size();
  for (size_t i = 0; i < count; ++i) Pass(frame, step.operands[i], frame, step.results[i]);
  for (;;) {
#ifndef HLO_SMALL  // which makes no code
    if (RunCode(frame, step, state, context)) return;
#endif
    const int64_t work_before = total_work_;
    Work(kStepWork);
    for (size_t i = 0; i < count; ++i) {
      const int32_t parameter = condition.island.parameters[i];
      if (parameter >= 0) {
        condition.At(parameter) = {frame.At(step.results[i]).buffer, false};
      }
    }
    RunSteps(condition, context);
    const SlotUse& answer = condition.island.results[0];
    const bool is_true = *condition.Data(answer.slot) != std::byte{0};
    if (condition.IsLast(answer)) Release(condition, answer.slot);
    if (!is_true) return;
    for (size_t i = 0; i < count; ++i) {
      Pass(frame, {step.results[i], true}, body, body.island.parameters[i]);
    }
    RunSteps(body, context);
    for (size_t i = 0; i < count; ++i) {
      Pass(body, body.island.results[i], frame, step.results[i]);
    }
    if (state.code) state.code->work += total_work_ - work_before;
  }
}

void IslandRunner::RunConditional(Frame& frame, const IslandStep& step, StepState& state,
                                  Context& context) {
  const int32_t selector = step.operands[0].slot;
  const ElementType type = frame.island.slots[static_cast<size_t>(selector)].type;
  const size_t call = ChosenBranch(type, frame.Data(selector), step.calls.size());
  RunCall(frame, step, state, call, static_cast<size_t>(step.firsts[call + 1]), context);
  ReleaseOperands(frame, step);
}

void IslandRunner::RunCall(Frame& frame, const IslandStep& step, StepState& state, size_t call,
                           size_t first, Context& context) {
  state.callees.resize(step.calls.size(), nullptr);
  if (!state.callees[call]) state.callees[call] = &FrameOf(*islands_.Of(*step.calls[call]));
  Frame& callee = *state.callees[call];
  const std::vector<int32_t>& parameters = callee.island.parameters;
  for (size_t i = 0; i < parameters.size(); ++i) {
    Pass(frame, step.operands[first + i], callee, parameters[i]);
  }
  RunSteps(callee, context);
  for (size_t i = 0; i < step.results.size(); ++i) {
    Pass(callee, callee.island.results[i], frame, step.results[i]);
  }
}

}  // namespace hlo
