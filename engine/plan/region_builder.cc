#include "engine/plan/region_builder.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/kernels/row_loops.h"

namespace hlo {

std::optional<Opcode> OpcodeOf(const ElementLoop& loop, Opcode opcode) {
  const bool has_attributes = loop.comparison || loop.params[0] != 0 || loop.params[1] != 0;
  return has_attributes ? std::nullopt : std::optional(opcode);
}

// Operations of engine/kernels/scalar_unary.h and scalar_binary.h; their loops are instantiated
// there.
struct AndOp;
struct NotOp;

RegionScalar RegionBuilder::Parameter(ElementType type) {
  steps_.parameters.push_back(type);
  return NewScalar(type);
}

RegionScalar RegionBuilder::Constant(ElementType type, const std::byte* value) {
  const RegionScalar scalar = NewScalar(type);
  RegionConstant constant{scalar.id, type, {}};
  std::memcpy(constant.value.data(), value, static_cast<size_t>(BytesOf(type)));
  steps_.constants.push_back(constant);
  return scalar;
}

RegionScalar RegionBuilder::Truth() {
  const std::byte truth{1};
  return Constant(ElementType::kPred, &truth);
}

RegionScalar RegionBuilder::Number(int32_t value) {
  return Constant(ElementType::kS32, reinterpret_cast<const std::byte*>(&value));
}

void RegionBuilder::EmitInto(const ElementLoop& loop, const RegionScalar* args, int32_t result,
                             std::optional<Opcode> opcode) {
  RegionStep step;
  step.loop = loop;
  for (int i = 0; i < loop.operand_count; ++i) {
    step.args[i] = args[i].id;
    step.arg_bytes[i] = BytesOf(args[i].type);
  }
  step.result = result;
  step.opcode = opcode;
  step.result_bytes = BytesOf(loop.result);
  step.on_rows = on_rows_;
  step.source = source_;
  steps_.steps.push_back(step);
}

RegionScalar RegionBuilder::Emit(const ElementLoop& loop, const RegionScalar* args,
                                 std::optional<Opcode> opcode) {
  const RegionScalar result = NewScalar(loop.result);
  EmitInto(loop, args, result.id, opcode);
  return result;
}

RegionScalar RegionBuilder::Copy(RegionScalar scalar) {
  return Emit(CopyLoop(scalar.type), &scalar, Opcode::kCopy);
}

RegionScalar RegionBuilder::Converted(RegionScalar scalar, ElementType type) {
  if (scalar.type == type) return scalar;
  return Emit(ConvertLoop(scalar.type, type), &scalar, Opcode::kConvert);
}

RegionScalar RegionBuilder::And(RegionScalar a, RegionScalar b) {
  const RegionScalar args[] = {a, b};
  return Emit(BinaryLoop<AndOp>(ElementType::kPred), args, Opcode::kAnd);
}

RegionScalar RegionBuilder::Not(RegionScalar a) {
  return Emit(UnaryLoop<NotOp>(ElementType::kPred), &a, Opcode::kNot);
}

RegionScalar RegionBuilder::Equal(RegionScalar a, RegionScalar b) {
  const RegionScalar args[] = {a, b};
  return Emit(CompareLoop(a.type, Direction::kEq, FloatOrder::kPartial), args);
}

RegionScalar RegionBuilder::Select(RegionScalar pred, RegionScalar on_true, RegionScalar on_false) {
  if (on_true.id == on_false.id) return on_true;
  const RegionScalar args[] = {pred, on_true, on_false};
  return Emit(SelectLoop(on_true.type), args, Opcode::kSelect);
}

RegionScalar RegionBuilder::RowParameter(ElementType type) {
  on_rows_ = true;
  const RegionScalar scalar = Parameter(type);
  on_rows_ = false;
  return scalar;
}

RegionScalar RegionBuilder::FoldRows(Reducer reducer, RegionScalar elements, RegionScalar init) {
  const RegionScalar args[] = {elements, init};
  const RegionScalar row =
      Emit(FoldRowsLoop(reducer, elements.type, steps_.row_length), args, Opcode::kReduce);
  steps_.is_row[static_cast<size_t>(row.id)] = true;
  return row;
}

RegionScalar RegionBuilder::SpreadRow(RegionScalar row) {
  return Emit(SpreadRowsLoop(row.type, steps_.row_length), &row, Opcode::kBroadcast);
}

void RegionBuilder::BeginLoop(RegionScalar active) {
  RegionLoop loop;
  loop.begin = steps_.steps.size();
  loop.active = active.id;
  RegionStep start;
  start.source = source_;
  start.starts_loop = static_cast<int32_t>(steps_.loops.size());
  open_.push_back(steps_.loops.size());
  steps_.loops.push_back(loop);
  steps_.steps.push_back(start);
}

void RegionBuilder::BeginBody(RegionScalar condition) {
  RegionLoop& loop = steps_.loops[open_.back()];
  const RegionScalar args[] = {{loop.active, ElementType::kPred}, condition};
  EmitInto(BinaryLoop<AndOp>(ElementType::kPred), args, loop.active, Opcode::kAnd);
  loop.body = steps_.steps.size();
}

void RegionBuilder::Advance(RegionScalar state, RegionScalar next) {
  const int32_t active = steps_.loops[open_.back()].active;
  const RegionScalar args[] = {{active, ElementType::kPred}, next, state};
  EmitInto(SelectLoop(state.type), args, state.id, Opcode::kSelect);
}

void RegionBuilder::EndLoop() {
  steps_.loops[open_.back()].end = steps_.steps.size();
  open_.pop_back();
}

RegionSteps RegionBuilder::Finish(const std::vector<RegionScalar>& results) {
  for (RegionScalar scalar : results) {
    // A result may be written over an argument, so it must not be one.
    on_rows_ = steps_.IsRow(scalar.id);
    steps_.results.push_back(IsParameter(scalar) ? Copy(scalar) : scalar);
    steps_.result_parameters.push_back(IsParameter(scalar) ? scalar.id : -1);
  }
  DropUnused();
  return std::move(steps_);
}

// The scalars that results depend on, or the number of iterations of a loop: a loop stays even if
// nothing uses its state, since it may not end. State goes around a loop, so one pass does not find
// all.
std::vector<bool> RegionBuilder::FindUsed() const {
  std::vector<bool> used(static_cast<size_t>(steps_.scalar_count), false);
  bool changed = false;
  const auto use = [&](int32_t id) {
    if (used[static_cast<size_t>(id)]) return;
    used[static_cast<size_t>(id)] = true;
    changed = true;
  };
  for (RegionScalar result : steps_.results) use(result.id);
  for (const RegionLoop& loop : steps_.loops) use(loop.active);
  do {
    changed = false;
    for (size_t i = steps_.steps.size(); i-- > 0;) {
      const RegionStep& step = steps_.steps[i];
      if (step.starts_loop >= 0 || !used[static_cast<size_t>(step.result)]) continue;
      for (int k = 0; k < step.loop.operand_count; ++k) use(step.args[k]);
    }
  } while (changed && !steps_.loops.empty());
  return used;
}

void RegionBuilder::DropUnused() {
  const std::vector<bool> used = FindUsed();
  std::vector<size_t> position;  // the final position of each step
  std::vector<RegionStep> kept;
  for (const RegionStep& step : steps_.steps) {
    position.push_back(kept.size());
    if (step.starts_loop >= 0 || used[static_cast<size_t>(step.result)]) kept.push_back(step);
  }
  position.push_back(kept.size());
  steps_.steps = std::move(kept);
  for (RegionLoop& loop : steps_.loops) {
    loop.begin = position[loop.begin];
    loop.body = position[loop.body];
    loop.end = position[loop.end];
  }
  std::vector<RegionConstant>& constants = steps_.constants;
  constants.erase(
      std::remove_if(constants.begin(), constants.end(),
                     [&](const RegionConstant& c) { return !used[static_cast<size_t>(c.id)]; }),
      constants.end());
}

}  // namespace hlo
