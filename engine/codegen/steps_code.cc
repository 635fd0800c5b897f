#include "engine/codegen/steps_code.h"

#include "engine/codegen/module_writer.h"
#include "engine/codegen/step_lowering.h"
#include "engine/types/element_number.h"

namespace hlo {
namespace {

/// Loops report so many operations at a time: often enough to end within a millisecond of a limit.
constexpr int32_t kReportedSteps = 1 << 16;

}  // namespace

void WriteReport(const StepCounter& counter, FunctionWriter* writer) {
  writer->Get(counter.budget);
  writer->Get(counter.steps);
  writer->Call(static_cast<uint32_t>(ImportedFunction::kReport));
  writer->I32(0);
  writer->Set(counter.steps);
}

StepsCode::StepsCode(const RegionSteps* program, StepCounter counter, LaneCode* code)
    : program_(*program), counter_(counter), code_(*code) {
  for (const KnownNumber& known : program_.known_numbers) numbers_.emplace(known.id, known.value);
  for (const RegionConstant& constant : program_.constants) {
    if (!IsFloat(constant.type)) continue;
    numbers_.emplace(constant.id, ElementNumber(constant.type, constant.value.data()));
  }
}

void StepsCode::Set(int32_t scalar, LaneValue from, Values* values) {
  auto [place, is_new] = values->try_emplace(scalar);
  if (is_new) place->second = code_.New(from.kind);
  code_.Assign(place->second, from);
}

void StepsCode::GiveCopy(int32_t scalar, const LanePair& from) {
  Set(scalar, from.real, &values_);
  if (from.imaginary.local != 0) Set(scalar, from.imaginary, &imaginary_);
}

void StepsCode::Write(size_t from, size_t to) {
  for (size_t i = from; i < to; ++i) {
    const RegionStep& step = program_.steps[i];
    code_.writer().Note(i);
    if (step.starts_loop >= 0) {
      const RegionLoop& loop = program_.loops[static_cast<size_t>(step.starts_loop)];
      WriteLoop(loop);
      i = loop.end - 1;
      continue;
    }
    WriteStep(step);
  }
}

void StepsCode::GivePair(int32_t scalar, const LanePair& value) {
  values_.emplace(scalar, value.real);
  if (value.imaginary.local != 0) imaginary_.emplace(scalar, value.imaginary);
}

LanePair StepsCode::PairAt(int32_t scalar) const {
  const auto imaginary = imaginary_.find(scalar);
  return {values_.at(scalar), imaginary == imaginary_.end() ? LaneValue{} : imaginary->second};
}

void StepsCode::WriteComplexStep(const RegionStep& step) {
  LanePair args[ElementLoop::kMaxOperands];
  const auto count = static_cast<size_t>(step.loop.operand_count);
  for (size_t k = 0; k < count; ++k) args[k] = PairAt(step.args[k]);
  GiveCopy(step.result, LowerComplexStep(step, {args, count}, &code_));
}

void StepsCode::WriteStep(const RegionStep& step) {
  if (IsComplexStep(step)) return WriteComplexStep(step);
  LaneValue args[ElementLoop::kMaxOperands];
  const auto count = static_cast<size_t>(step.loop.operand_count);
  for (size_t k = 0; k < count; ++k) {
    args[k] = values_.at(step.args[k]);
    const auto number = numbers_.find(step.args[k]);
    if (number != numbers_.end()) args[k].number = number->second;
  }
  // In a local of its own: the result of a copy keeps its value while the state of a loop,
  // which has been copied, changes.
  Set(step.result, LowerStep(step, {args, count}, &code_), &values_);
}

void StepsCode::WriteLoop(const RegionLoop& loop) {
  FunctionWriter& writer = code_.writer();
  writer.Open(Code::kBlock);
  writer.Open(Code::kLoop);
  Write(loop.begin + 1, loop.body);
  writer.Get(values_.at(loop.active).local);
  writer.Write(Code::kI32Eqz);
  writer.Branch(Code::kBrIf, 1);
  Write(loop.body, loop.end);
  writer.Note(CodeNote::kNoStep);
  writer.Get(counter_.steps);
  writer.I32(static_cast<int32_t>(loop.end - loop.begin));
  writer.Write(Code::kI32Add);
  writer.Set(counter_.steps);
  writer.Get(counter_.steps);
  writer.I32(kReportedSteps);
  writer.Write(Code::kI32GtS);
  writer.Open(Code::kIf);
  WriteReport(counter_, &writer);
  writer.Write(Code::kEnd);
  writer.Branch(Code::kBr, 0);
  writer.Write(Code::kEnd);
  writer.Write(Code::kEnd);
}

}  // namespace hlo
