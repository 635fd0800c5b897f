#include "engine/why/flow.h"

#include <algorithm>

#include "engine/base/indices.h"
#include "engine/hlo/async_trace.h"
#include "engine/hlo/call_graph.h"
#include "engine/hlo/ir.h"
#include "engine/ops/control/branch.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

using Parts = std::vector<PassedPart>;

// So many operands of the computation are in the state that operand 0 is.
int64_t BoundBefore(const Instruction& link) {
  const Shape& state = link.operand(0)->shape();
  if (!state.IsTuple() || state.elements().empty() || !state.elements()[0].IsTuple()) return 0;
  return static_cast<int64_t>(state.elements()[0].elements().size());
}

// The value that computation operand `number` of an asynchronous chain has at one of its links.
PassedPart AsyncOperand(const StepFacts& facts, int64_t number, const Dims& to) {
  const Instruction& link = *facts.instruction;
  const bool is_start = link.opcode() == Opcode::kAsyncStart;
  const int64_t bound = is_start ? 0 : BoundBefore(link);
  if (!is_start && number < bound) return {facts.operands[0], Dims{0, number}, to};
  const size_t own = static_cast<size_t>(number - bound + (is_start ? 0 : 1));
  return {own < facts.operands.size() ? facts.operands[own] : kNoStep, {}, to};
}

// The branch that a conditional entered; its selector tells where several are one computation.
// -1: not known.
int64_t TakenBranch(const StepFacts& caller, StepSource& run) {
  std::vector<int64_t> named;
  int64_t branch = 0;
  ForEachCallee(*caller.instruction, [&](const Attr&, const Computation& callee) {
    if (&callee == caller.entered) named.push_back(branch);
    ++branch;
  });
  if (named.size() < 2) return named.empty() ? -1 : named[0];
  const Value selector = run.ValueOf(caller.operands[0]);
  if (!selector.is_array()) return named[0];
  const Tensor& chosen = selector.tensor();
  return static_cast<int64_t>(
      ChosenBranch(chosen.element_type(), chosen.bytes(), static_cast<size_t>(branch)));
}

// What a caller gave for a parameter of the computation that it entered.
PassedPart OperandFor(const StepFacts& caller, int64_t parameter, StepSource& run) {
  int64_t number = -1;
  switch (caller.instruction->def().runs) {
    case Runs::kOne:
      number = parameter;
      break;
    case Runs::kWhile:
      number = 0;
      break;
    case Runs::kChosen: {
      number = TakenBranch(caller, run) + 1;
      break;
    }
    case Runs::kOtherwise:
      if (IsAsync(caller.instruction->opcode())) return AsyncOperand(caller, parameter, {});
      break;
  }
  if (number < 0 || number >= static_cast<int64_t>(caller.operands.size())) return {};
  return {caller.operands[static_cast<size_t>(number)], {}, {}};
}

}  // namespace

PassedPart ArgumentAt(int64_t entered_at, int64_t parameter, StepSource& run) {
  while (entered_at != kNoStep) {
    const StepFacts& facts = run.EnteredAt(entered_at);
    if (!facts.instruction) break;
    if (facts.kind == StepKind::kEnter) return OperandFor(facts, parameter, run);
    const bool loops = facts.instruction->def().runs == Runs::kWhile;
    if (facts.kind != StepKind::kReturn || !loops) break;
    // The body gives the next state; the condition leaves it as it is.
    if (facts.left != AsComputation(facts.instruction->attrs().GetRegion("condition"))) {
      return {facts.root_step, {}, {}};
    }
    entered_at = facts.left_entered_at;
  }
  return {};
}

namespace {

Parts Known(PassedPart part) { return part.step == kNoStep ? Parts() : Parts{std::move(part)}; }

// The state of an asynchronous chain, (operands, output, contexts), or its output.
Parts AsyncParts(const StepFacts& facts) {
  const Instruction& link = *facts.instruction;
  const bool has_run = facts.kind == StepKind::kReturn;
  if (link.opcode() == Opcode::kAsyncDone) {
    if (has_run) return Known({facts.root_step, {}, {}});
    return Known({facts.operands[0], Dims{1}, {}});
  }
  const bool is_update = link.opcode() == Opcode::kAsyncUpdate;
  if (is_update && facts.operands.size() == 1 && !has_run &&
      Shape::Compatible(link.operand(0)->shape(), link.shape())) {
    return Known({facts.operands[0], {}, {}});
  }
  Parts parts;
  const Shape& state = link.shape();
  const auto count = static_cast<int64_t>(
      state.elements()[0].IsTuple() ? state.elements()[0].elements().size() : 0);
  for (int64_t i = 0; i < count; ++i) {
    PassedPart part = AsyncOperand(facts, i, Dims{0, i});
    if (part.step != kNoStep) parts.push_back(std::move(part));
  }
  if (has_run) {
    parts.push_back({facts.root_step, {}, Dims{1}});
  } else if (is_update) {
    parts.push_back({facts.operands[0], Dims{1}, Dims{1}});
  }
  return parts;
}

// The receipt in the state of a transfer; 0: what it holds has arrived.
uint32_t ReceiptIn(const Value& transfer) {
  if (!transfer.is_tuple() || transfer.elements().size() < 2) return 0;
  const Value& context = transfer.elements()[1];
  const bool is_number = context.is_array() && context.tensor().element_count() == 1 &&
                         context.tensor().element_type() == ElementType::kU32;
  return is_number ? *context.tensor().data<uint32_t>() : 0;
}

// What was sent for a transfer, as part `to`; nothing where nobody sent.
std::optional<PassedPart> Received(const Value& transfer, Dims to, StepSource& run) {
  const uint32_t receipt = ReceiptIn(transfer);
  const int64_t sent_at = receipt == 0 ? kNoStep : run.SentAt(receipt);
  if (sent_at == kNoStep) return std::nullopt;
  return PassedPart{sent_at, Dims{0}, std::move(to)};
}

bool IsTransfer(const Shape& shape) {
  return shape.IsTuple() && shape.elements().size() == 3 &&
         shape.elements()[1].IsScalarOf(ElementType::kU32) && shape.elements()[2].IsToken();
}

// Of async-done: the data of transfers that arrived meanwhile, before what they were made of.
void AddReceived(const StepFacts& facts, StepSource& run, Parts* parts) {
  if (parts->empty()) return;
  const Shape& shape = facts.instruction->shape();
  const bool is_one = IsTransfer(shape);
  const size_t count = is_one ? 1 : shape.IsTuple() ? shape.elements().size() : 0;
  for (size_t i = 0; i < count; ++i) {
    if (!is_one && !IsTransfer(shape.elements()[i])) continue;
    Dims path = parts->back().from;
    if (!is_one) path.push_back(static_cast<int64_t>(i));
    Value transfer = run.ValueOf(parts->back().step);
    for (const int64_t part : path) {
      if (!transfer.is_tuple()) break;
      transfer = Value(transfer.elements()[static_cast<size_t>(part)]);
    }
    auto part = Received(transfer, is_one ? Dims{0} : Dims{static_cast<int64_t>(i), 0}, run);
    if (part) parts->insert(parts->begin(), std::move(*part));
  }
}

// The result of what was started: part 1 of its state, or all of it.
PassedPart StartedPart(const StepFacts& facts) {
  const Instruction& done = *facts.instruction;
  const Shape& state = done.operand(0)->shape();
  const bool has_parts =
      state.IsTuple() && state.elements().size() > 1 && !Shape::Compatible(state, done.shape());
  return {facts.operands[0], has_parts ? Dims{1} : Dims{}, {}};
}

}  // namespace

std::optional<Parts> PassedParts(const StepFacts& facts, StepSource& run) {
  const Instruction& instruction = *facts.instruction;
  const Runs runs = instruction.def().runs;
  switch (instruction.opcode()) {
    case Opcode::kParameter: {
      const auto& parameters = instruction.parent()->parameters();
      const auto number = std::find(parameters.begin(), parameters.end(), &instruction);
      return Known(ArgumentAt(facts.entered_at, number - parameters.begin(), run));
    }
    case Opcode::kAsyncStart:
    case Opcode::kAsyncUpdate:
      return AsyncParts(facts);
    case Opcode::kAsyncDone: {
      Parts parts = AsyncParts(facts);
      AddReceived(facts, run, &parts);
      return parts;
    }
    case Opcode::kAllReduceDone:
    case Opcode::kAllGatherDone:
    case Opcode::kCollectivePermuteDone:
      return Known(StartedPart(facts));
    case Opcode::kSend: {
      const size_t data = instruction.operand(0)->shape().IsToken() ? 1 : 0;
      return Known({facts.operands[data], {}, Dims{0}});
    }
    case Opcode::kSendDone:
      if (!instruction.shape().IsTuple()) return Parts();
      return Known({facts.operands[0], Dims{0}, Dims{0}});
    case Opcode::kRecv:
      return Parts();
    case Opcode::kRecvDone: {
      if (auto part = Received(run.ValueOf(facts.operands[0]), Dims{0}, run)) return Known(*part);
      return Known({facts.operands[0], Dims{0}, Dims{0}});
    }
    default:
      break;
  }
  if (facts.kind != StepKind::kReturn || runs == Runs::kOtherwise) return std::nullopt;
  if (runs == Runs::kWhile) return Known(ArgumentAt(facts.left_entered_at, 0, run));
  return Known({facts.root_step, {}, {}});
}

const PassedPart* PartAt(const Parts& parts, const Dims& path) {
  for (const PassedPart& part : parts) {
    const size_t shared = std::min(part.to.size(), path.size());
    if (std::equal(path.begin(), path.begin() + static_cast<ptrdiff_t>(shared), part.to.begin())) {
      return &part;
    }
  }
  return nullptr;
}

Dims Rest(const Dims& path, size_t count) {
  Dims rest;
  for (size_t i = count; i < path.size(); ++i) rest.push_back(path[i]);
  return rest;
}

}  // namespace hlo
