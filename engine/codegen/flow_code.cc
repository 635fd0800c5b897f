#include "engine/codegen/flow_code.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <utility>

#include "engine/codegen/code_function.h"
#include "engine/codegen/flow_arrays.h"
#include "engine/codegen/flow_moves_code.h"
#include "engine/codegen/lane_code.h"
#include "engine/codegen/module_writer.h"
#include "engine/codegen/pass_lanes.h"
#include "engine/codegen/step_lowering.h"
#include "engine/codegen/steps_code.h"
#include "engine/plan/region_code.h"

namespace hlo {
namespace {

/// The work between two reports, and between two returns to the engine: about as many operations
/// on scalars.
constexpr int32_t kReportedWork = 1 << 16, kReturnedWork = 1 << 15;
/// Of the work of an operation on an element, which vectors have a share of.
constexpr int64_t kElementsOfWork = 4;

constexpr uint32_t ControlOffset(size_t number) {
  return static_cast<uint32_t>(number * sizeof(int32_t));
}

bool HasCode(const RegionSteps& program) {
  return std::all_of(program.steps.begin(), program.steps.end(), [](const RegionStep& step) {
    return step.starts_loop >= 0 || CanLower(step);
  });
}

bool HasCode(const FlowStep& step) {
  if (step.program && !HasCode(*step.program)) return false;
  return std::all_of(step.blocks.begin(), step.blocks.end(), [](const FlowBlock& block) {
    return std::all_of(block.steps.begin(), block.steps.end(),
                       [](const FlowStep& inner) { return HasCode(inner); });
  });
}

/// Writes the function of a flow.
class FlowWriter : CodeFunctionParameters {
 public:
  explicit FlowWriter(const Flow& flow)
      : flow_(flow),
        writer_(kParameters, &vectors_),
        one_(&writer_, 1),
        counter_{kBudget, writer_.NewLocal(CodeType::kI32)},
        work_(writer_.NewLocal(CodeType::kI32)),
        scalars_(flow.values.size()),
        arrays_(&writer_, flow.values) {}

  std::optional<FlowModule> Run() {
    for (const FlowValue& value : flow_.values) {
      if (!LaneKindOf(value.type)) return std::nullopt;
    }
    for (const RegionConstant& number : NumbersOf(flow_)) {
      if (!LaneKindOf(number.type)) return std::nullopt;
    }
    if (!HasCode(flow_.loop)) return std::nullopt;
    FindConstants();
    FindExecutions();
    for (int32_t value : flow_.loop.outputs) {
      if (!ValueOf(value).is_scalar()) arrays_.DefineNew(value);
    }
    const std::vector<uint32_t> places = LoadScalars();
    WriteLoop(flow_.loop, /*is_outermost=*/true);
    StoreScalars(places);
    arrays_.LoadPlacesAtStart(kPlaces, kPlaceBytes * FlowPlaces::FirstBuffer(flow_));
    arrays_.StorePlaces(kPlaces, kPlaceBytes * FlowPlaces::FirstBuffer(flow_));
    StoreControl();
    if (one_.failed() || arrays_.copies_too_much()) return std::nullopt;
    if (writer_.local_count() > kMostLocals) return std::nullopt;
    const CodeBytes function = writer_.Finish();
    return FlowModule{WriteModule({&function, 1}, vectors_, kParameters), arrays_.sizes()};
  }

 private:
  const FlowValue& ValueOf(int32_t value) const { return flow_.values[static_cast<size_t>(value)]; }
  LaneValue& Scalar(int32_t value) { return scalars_[static_cast<size_t>(value)]; }

  // ---- What the function is given -----------------------------------------------------------

  uint32_t Offset(uint32_t place, size_t bytes) {
    const uint32_t address = writer_.NewLocal(CodeType::kI32);
    writer_.Get(place);
    writer_.I32(static_cast<int32_t>(bytes));
    writer_.Write(Code::kI32Add);
    writer_.Set(address);
    return address;
  }

  void FindConstants() {
    for (size_t i = 0; i < flow_.constants.size(); ++i) {
      const int32_t value = flow_.constants[i].value;
      const uint32_t place = PlaceOf(FlowPlaces::kFirst + static_cast<int32_t>(i), &writer_);
      if (ValueOf(value).is_scalar()) {
        Scalar(value) = one_.Load(place, ValueOf(value).type);
      } else {
        arrays_.DefineOutside(value, place);
      }
    }
    const std::vector<RegionConstant> numbers = NumbersOf(flow_);
    const uint32_t place = PlaceOf(FlowPlaces::kNumbers, &writer_);
    for (size_t i = 0; i < numbers.size(); ++i) {
      const uint32_t address = Offset(place, i * sizeof(RegionConstant::value));
      numbers_.emplace(std::pair(numbers[i].type, numbers[i].value),
                       one_.Load(address, numbers[i].type));
    }
  }

  // How often each of the computations has been executed, as far as that matters.
  void FindExecutions() {
    const uint32_t control = PlaceOf(FlowPlaces::kControl, &writer_);
    for (size_t i = 0; i < flow_.islands.size(); ++i) {
      const FlowIsland& island = flow_.islands[i];
      executions_.push_back(0);
      if (island.instructions == island.instructions_kept) continue;
      executions_.back() = writer_.NewLocal(CodeType::kI32);
      writer_.Get(control);
      writer_.Memory(Code::kI32Load, ControlOffset(FlowControl::kExecutions + i));
      writer_.Set(executions_.back());
    }
  }

  void StoreControl() {
    const uint32_t control = PlaceOf(FlowPlaces::kControl, &writer_);
    writer_.Get(control);
    writer_.Get(counter_.steps);
    writer_.Memory(Code::kI32Store, ControlOffset(FlowControl::kSteps));
    writer_.Get(control);
    writer_.Get(is_done_);
    writer_.Memory(Code::kI32Store, ControlOffset(FlowControl::kIsDone));
    for (size_t i = 0; i < executions_.size(); ++i) {
      if (executions_[i] == 0) continue;
      writer_.Get(control);
      writer_.Get(executions_[i]);
      writer_.Memory(Code::kI32Store, ControlOffset(FlowControl::kExecutions + i));
    }
  }

  // The scalars of the state of the outermost loop are in memory between two calls.
  std::vector<uint32_t> LoadScalars() {
    const uint32_t place = PlaceOf(FlowPlaces::kScalars, &writer_);
    std::vector<uint32_t> addresses;
    for (size_t i = 0; i < flow_.loop.outputs.size(); ++i) {
      const int32_t value = flow_.loop.outputs[i];
      addresses.push_back(0);
      if (!ValueOf(value).is_scalar()) continue;
      addresses.back() = Offset(place, i * FlowPlaces::kScalarBytes);
      const LaneValue state = one_.Load(addresses.back(), ValueOf(value).type);
      Scalar(value) = one_.New(state.kind);
      one_.Assign(Scalar(value), state);
    }
    return addresses;
  }

  void StoreScalars(const std::vector<uint32_t>& addresses) {
    for (size_t i = 0; i < addresses.size(); ++i) {
      const int32_t value = flow_.loop.outputs[i];
      if (ValueOf(value).is_scalar()) {
        one_.Store(addresses[i], Scalar(value), ValueOf(value).type);
      }
    }
  }

  // ---- Blocks -------------------------------------------------------------------------------

  void WriteBlock(const FlowBlock& block) {
    int32_t instructions = 0;
    int64_t work = 1;
    for (int32_t number : block.islands) {
      const FlowIsland& island = flow_.islands[static_cast<size_t>(number)];
      if (executions_[static_cast<size_t>(number)] == 0) {
        instructions += static_cast<int32_t>(island.instructions_kept);
      } else {
        CountExecution(island, executions_[static_cast<size_t>(number)]);
      }
    }
    for (const FlowStep& step : block.steps) {
      const auto operations = static_cast<int64_t>(step.program ? step.program->steps.size() : 1);
      work += step.count * operations / kElementsOfWork + 1;
    }
    writer_.Increase(counter_.steps, instructions);
    writer_.Increase(work_, static_cast<int32_t>(std::min<int64_t>(work, kReportedWork)));
    for (const FlowStep& step : block.steps) WriteStep(step);
  }

  // From its third execution on, a computation has its constants.
  void CountExecution(const FlowIsland& island, uint32_t executions) {
    const auto is_early = [&] {
      writer_.Get(executions);
      writer_.I32(2);
      writer_.Write(Code::kI32LtS);
    };
    writer_.Get(counter_.steps);
    writer_.I32(static_cast<int32_t>(island.instructions));
    writer_.I32(static_cast<int32_t>(island.instructions_kept));
    is_early();
    writer_.Write(Code::kSelect);
    writer_.Write(Code::kI32Add);
    writer_.Set(counter_.steps);
    writer_.Get(executions);
    is_early();
    writer_.Write(Code::kI32Add);
    writer_.Set(executions);
  }

  void WriteStep(const FlowStep& step) {
    switch (step.kind) {
      case FlowStep::Kind::kPass:
        WritePass(step);
        break;
      case FlowStep::Kind::kMove:
        WriteMove(step, &storage_);
        break;
      case FlowStep::Kind::kSums:
        WriteSums(step, &storage_);
        break;
      case FlowStep::Kind::kWhile:
        EnterLoop(step);
        WriteLoop(step, /*is_outermost=*/false);
        break;
      case FlowStep::Kind::kConditional:
        WriteConditional(step);
        break;
    }
    for (int32_t value : step.last) arrays_.Release(value);
  }

  // ---- Passes -------------------------------------------------------------------------------

  // Values of the program that are the same for all elements.
  void GiveScalars(const FlowStep& step, LaneCode* code, StepsCode* steps) {
    const RegionSteps& program = *step.program;
    for (size_t i = 0; i < step.inputs.size(); ++i) {
      if (!ValueOf(step.inputs[i]).is_scalar()) continue;
      const LaneValue value = code->ForAll(Scalar(step.inputs[i]));
      if (program.loops.empty()) {
        steps->Give(static_cast<int32_t>(i), value);
      } else {
        steps->GiveCopy(static_cast<int32_t>(i), {value});
      }
    }
    for (const RegionConstant& constant : program.constants) {
      steps->Give(constant.id, code->ForAll(numbers_.at({constant.type, constant.value})));
    }
  }

  void WritePass(const FlowStep& step) {
    if (step.count > 1) return WriteElements(step);
    const RegionSteps& program = *step.program;
    StepsCode steps(&program, counter_, &one_);
    GiveScalars(step, &one_, &steps);
    steps.Write(0, program.steps.size());
    for (size_t i = 0; i < step.outputs.size(); ++i) {
      Scalar(step.outputs[i]) = steps.At(program.results[i].id);
    }
  }

  void WriteElements(const FlowStep& step) {
    // Found before those of the results are, which may be the same.
    std::vector<uint32_t> from;
    for (int32_t value : step.inputs) {
      from.push_back(ValueOf(value).is_scalar() ? 0 : arrays_.PlaceOf(value));
    }
    for (int32_t value : step.outputs) arrays_.DefineOver(value, step.inputs, step.last);
    const uint32_t next = writer_.NewLocal(CodeType::kI32);
    writer_.I32(0);
    writer_.Set(next);
    int lanes = FormOf(*step.program, 0, step.program->steps.size()).lanes;
    for (int64_t done = 0; done < step.count;) {
      const int64_t end = step.count - step.count % lanes;
      if (end > done) WriteLanes(step, from, next, static_cast<int32_t>(end), lanes);
      done = end;
      lanes = lanes > kStepLanes ? kStepLanes : 1;
    }
  }

  // do ... while ((next += lanes) < end)
  void WriteLanes(const FlowStep& step, const std::vector<uint32_t>& from, uint32_t next,
                  int32_t end, int lanes) {
    const RegionSteps& program = *step.program;
    LaneCode code(&writer_, lanes);
    StepsCode scalars(&program, counter_, &code);
    GiveScalars(step, &code, &scalars);
    const auto write_body = [&] {
      StepsCode steps = scalars;
      for (size_t i = 0; i < step.inputs.size(); ++i) {
        const FlowValue& value = ValueOf(step.inputs[i]);
        if (value.is_scalar()) continue;
        steps.Give(
            static_cast<int32_t>(i),
            code.Load(ElementAddress(from[i], next, BytesOf(value.type), &writer_), value.type));
      }
      steps.Write(0, program.steps.size());
      for (size_t i = 0; i < step.outputs.size(); ++i) {
        const uint32_t to = arrays_.PlaceOf(step.outputs[i]);
        const RegionScalar& result = program.results[i];
        code.Store(ElementAddress(to, next, BytesOf(result.type), &writer_), steps.At(result.id),
                   result.type);
      }
    };
    const auto push_end = [&] { writer_.I32(end); };
    if (code.is_vector()) {
      WriteLanesDoWhile(next, &code, push_end, write_body);
    } else {
      WriteDoWhile(next, 1, push_end, write_body, &writer_);
    }
    if (code.failed()) one_.Fail();
  }

  // ---- Loops and branches ---------------------------------------------------------------------

  // State that the loop leaves as it is keeps its buffer to itself.
  void EnterLoop(const FlowStep& step) {
    std::vector<int32_t> last;
    for (int32_t value : step.last) {
      const bool is_kept =
          std::find(step.outputs.begin(), step.outputs.end(), value) != step.outputs.end();
      if (!is_kept) last.push_back(value);
    }
    for (size_t i = 0; i < step.outputs.size(); ++i) {
      const int32_t from = step.inputs[i], to = step.outputs[i];
      if (from == to) continue;
      if (!ValueOf(to).is_scalar()) {
        arrays_.DefineAs(to, from, last);
      } else {
        Scalar(to) = Copied(Scalar(from));
      }
    }
  }

  LaneValue Copied(LaneValue from) {
    const LaneValue copy = one_.New(from.kind);
    one_.Assign(copy, from);
    return copy;
  }

  void WriteLoop(const FlowStep& step, bool is_outermost) {
    const FlowBlock& condition = step.blocks[0];
    const FlowBlock& body = step.blocks[1];
    writer_.Open(Code::kBlock);
    writer_.Open(Code::kLoop);
    if (is_outermost) WriteReturn();
    const FlowArrays::Mark head = arrays_.Begin();
    WriteBlock(condition);
    const uint32_t is_done = writer_.NewLocal(CodeType::kI32);
    if (is_outermost) is_done_ = is_done;
    writer_.Get(Scalar(condition.results[0]).local);
    writer_.Write(Code::kI32Eqz);
    writer_.Set(is_done);
    writer_.Get(is_done);
    writer_.Branch(Code::kBrIf, 1);
    arrays_.End(head);
    const FlowArrays::Mark mark = arrays_.Begin();
    for (int32_t value : body.unused) arrays_.Release(value);
    WriteBlock(body);
    Advance(step, mark);
    arrays_.End(mark);
    if (!is_outermost) WriteReportIfDue();
    writer_.Branch(Code::kBr, 0);
    writer_.Write(Code::kEnd);
    writer_.Write(Code::kEnd);
  }

  void PushWork() {
    writer_.Get(work_);
    writer_.Get(counter_.steps);
    writer_.Write(Code::kI32Add);
  }

  // Leaves the outermost loop every so often: the engine polls, and code that a browser has
  // improved in the meantime runs from the next call on.
  void WriteReturn() {
    PushWork();
    writer_.I32(kReturnedWork);
    writer_.Write(Code::kI32GtS);
    writer_.Branch(Code::kBrIf, 1);
  }

  void WriteReportIfDue() {
    PushWork();
    writer_.I32(kReportedWork);
    writer_.Write(Code::kI32GtS);
    writer_.Open(Code::kIf);
    WriteReport(counter_, &writer_);
    writer_.I32(0);
    writer_.Set(work_);
    writer_.Write(Code::kEnd);
  }

  // The state becomes what the body has computed.
  void Advance(const FlowStep& step, const FlowArrays::Mark& mark) {
    const std::vector<int32_t>& results = step.blocks[1].results;
    std::vector<LaneValue> next(results.size());
    std::vector<FlowArrays::Move> moves;
    for (size_t i = 0; i < results.size(); ++i) {
      if (!ValueOf(results[i]).is_scalar()) {
        moves.push_back({results[i], step.outputs[i]});
        continue;
      }
      const bool is_state =
          std::find(step.outputs.begin(), step.outputs.end(), results[i]) != step.outputs.end();
      next[i] = Scalar(results[i]);
      if (is_state && results[i] != step.outputs[i]) next[i] = Copied(next[i]);
    }
    for (size_t i = 0; i < results.size(); ++i) {
      if (!ValueOf(results[i]).is_scalar() || results[i] == step.outputs[i]) continue;
      one_.Assign(Scalar(step.outputs[i]), next[i]);
    }
    arrays_.MoveAll(moves, step.blocks[1].parameters, mark);
  }

  void WriteConditional(const FlowStep& step) {
    for (int32_t value : step.outputs) {
      if (ValueOf(value).is_scalar()) {
        Scalar(value) = one_.New(*LaneKindOf(ValueOf(value).type));
      } else {
        arrays_.DefineNew(value);
      }
    }
    const LaneValue selector = Scalar(step.inputs[0]);
    const bool is_pred = ValueOf(step.inputs[0]).type == ElementType::kPred;
    for (size_t i = 0; i < step.blocks.size(); ++i) {
      const bool is_last = i + 1 == step.blocks.size();
      if (!is_last) {
        writer_.Get(selector.local);
        if (!is_pred) {
          writer_.I32(static_cast<int32_t>(i));
          writer_.Write(Code::kI32Eq);
        }
        writer_.Open(Code::kIf);
      }
      WriteBranch(step, step.blocks[i]);
      if (!is_last) writer_.Write(Code::kElse);
    }
    for (size_t i = 1; i < step.blocks.size(); ++i) writer_.Write(Code::kEnd);
  }

  void WriteBranch(const FlowStep& step, const FlowBlock& branch) {
    const FlowArrays::Mark mark = arrays_.Begin();
    WriteBlock(branch);
    std::vector<FlowArrays::Move> moves;
    for (size_t i = 0; i < branch.results.size(); ++i) {
      const int32_t from = branch.results[i], to = step.outputs[i];
      if (ValueOf(to).is_scalar()) {
        one_.Assign(Scalar(to), Scalar(from));
      } else {
        moves.push_back({from, to});
      }
    }
    arrays_.MoveAll(moves, step.last, mark);
    arrays_.End(mark);
  }

  const Flow& flow_;
  VectorPool vectors_;
  FunctionWriter writer_;
  LaneCode one_;
  StepCounter counter_;
  uint32_t work_;  // since the last report
  uint32_t is_done_ = 0;
  std::map<std::pair<ElementType, std::array<std::byte, 16>>, LaneValue> numbers_;
  std::vector<uint32_t> executions_;  // by island: a local, or 0
  std::vector<LaneValue> scalars_;    // by value
  FlowArrays arrays_;
  FlowStorage storage_{flow_.values, writer_, one_, arrays_, scalars_};
};

}  // namespace

std::optional<FlowModule> ModuleOf(const Flow& flow) { return FlowWriter(flow).Run(); }

}  // namespace hlo
