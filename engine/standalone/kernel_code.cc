#include "engine/standalone/kernel_code.h"

#include <algorithm>
#include <utility>

#include "engine/codegen/step_lowering.h"
#include "engine/codegen/steps_code.h"
#include "engine/standalone/module.h"

namespace hlo {
void KernelCode::Fill(uint32_t from, uint32_t to, int64_t count, int width) {
  const StridedView one{{count}, {0}, 0}, all{{count}, {1}, 0};
  CopyView(from, one, to, all, width);
}

LanePair KernelCode::New(ElementType type) {
  const LaneKind kind = *LaneKindOf(ComponentType(type));
  LanePair value = {one_.New(kind)};
  if (IsComplex(type)) value.imaginary = one_.New(kind);
  return value;
}

void KernelCode::FailUnless(LaneValue pred, uint32_t fault, uint32_t address) {
  writer_.Get(pred.local);
  writer_.Write(Code::kI32Eqz);
  writer_.Open(Code::kIf);
  writer_.I32(static_cast<int32_t>(address));
  writer_.I32(static_cast<int32_t>(fault));
  writer_.Memory(Code::kI32Store);
  writer_.Write(Code::kUnreachable);
  writer_.Write(Code::kEnd);
}

void KernelCode::Assign(const LanePair& to, const LanePair& from) {
  one_.Assign(to.real, from.real);
  if (to.imaginary.local != 0) one_.Assign(to.imaginary, from.imaginary);
}

std::optional<CodeBytes> KernelCode::Finish() {
  if (one_.failed() || writer_.local_count() > kMostLocals) return std::nullopt;
  return writer_.Finish();
}

AppliedRegion::AppliedRegion(const RegionSteps& program, StandaloneModule* module, KernelCode* code)
    : program_(program), code_(*code) {
  LaneCode& one = code->one();
  module->Prepare(program);
  code->writer().set_functions(module);
  for (const RegionStep& step : program.steps) {
    const bool has_code =
        step.starts_loop >= 0 || CanLower(step, module) || CanLowerComplex(step, module);
    if (!has_code) one.Fail();
  }
  if (one.failed()) return;
  if (!program.loops.empty()) steps_ = code->writer().NewLocal(CodeType::kI32);
  for (const RegionConstant& constant : program.constants) {
    const uint32_t address = code->Number(static_cast<int32_t>(module->Data(constant.value)));
    constants_.push_back(code->Load(address, constant.type));
  }
}

std::vector<LanePair> AppliedRegion::Apply(std::span<const LanePair> parameters) {
  LaneCode& one = code_.one();
  std::vector<LanePair> results;
  if (one.failed()) {
    for (const RegionScalar& result : program_.results) results.push_back(code_.New(result.type));
    return results;
  }
  StepsCode steps(&program_, {0, steps_}, &one);
  for (size_t i = 0; i < program_.parameters.size(); ++i) {
    steps.GiveCopy(static_cast<int32_t>(i), parameters[i]);
  }
  for (size_t i = 0; i < program_.constants.size(); ++i) {
    steps.GivePair(program_.constants[i].id, constants_[i]);
  }
  steps.Write(0, program_.steps.size());
  for (const RegionScalar& result : program_.results) results.push_back(steps.PairAt(result.id));
  return results;
}

}  // namespace hlo
