#include "engine/standalone/kernel_code.h"

#include <algorithm>
#include <utility>

#include "engine/codegen/step_lowering.h"
#include "engine/codegen/steps_code.h"
#include "engine/standalone/module.h"

namespace hlo {
namespace {

/// From so many bytes on one instruction copies what lies side by side.
constexpr int64_t kCopiedAtOnce = 32;

struct MoveCodes {
  Code load, store;
};
MoveCodes CodesOf(int width) {
  switch (width) {
    case 1:
      return {Code::kI32Load8U, Code::kI32Store8};
    case 2:
      return {Code::kI32Load16U, Code::kI32Store16};
    case 4:
      return {Code::kI32Load, Code::kI32Store};
    case 8:
      return {Code::kI64Load, Code::kI64Store};
    default:
      return {Code::kV128Load, Code::kV128Store};
  }
}

}  // namespace

uint32_t KernelCode::Number(int32_t value) {
  const uint32_t local = writer_.NewLocal(CodeType::kI32);
  writer_.I32(value);
  writer_.Set(local);
  return local;
}

uint32_t KernelCode::Sum(uint32_t local, int64_t bytes) {
  const uint32_t sum = writer_.NewLocal(CodeType::kI32);
  Copy(sum, local);
  Advance(sum, bytes);
  return sum;
}

void KernelCode::Add(uint32_t address, uint32_t other) {
  writer_.Get(address);
  writer_.Get(other);
  writer_.Write(Code::kI32Add);
  writer_.Set(address);
}

void KernelCode::Copy(uint32_t to, uint32_t from) {
  writer_.Get(from);
  writer_.Set(to);
}

void KernelCode::CopyElement(uint32_t from, uint32_t to, int width) {
  const MoveCodes codes = CodesOf(width);
  writer_.Get(to);
  writer_.Get(from);
  writer_.Memory(codes.load);
  writer_.Memory(codes.store);
}

void KernelCode::CopyView(uint32_t from, const StridedView& in, uint32_t to, const StridedView& out,
                          int width) {
  Dims counts = in.dims, read = in.strides, written = out.strides;
  Dims* const strides[] = {&read, &written};
  MergeLoops(&counts, strides);
  const uint32_t source = Sum(from, in.offset * width), target = Sum(to, out.offset * width);
  int64_t run = 1;  // elements side by side
  if (!counts.empty() && read.back() == 1 && written.back() == 1 &&
      counts.back() * width >= kCopiedAtOnce) {
    run = counts.back();
    for (Dims* list : {&counts, &read, &written}) list->pop_back();
  }
  const Walk walks[] = {{source, Bytes(read, width)}, {target, Bytes(written, width)}};
  Nest(counts, walks, [&] {
    if (run == 1) return CopyElement(source, target, width);
    writer_.Get(target);
    writer_.Get(source);
    writer_.CopyBytes(static_cast<int32_t>(run * width));
  });
}

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

Dims Bytes(const Dims& strides, int width) {
  Dims bytes;
  for (int64_t stride : strides) bytes.push_back(stride * width);
  return bytes;
}

void MergeLoops(Dims* counts, std::span<Dims* const> strides) {
  Dims joined;
  std::vector<Dims> steps(strides.size());
  for (size_t d = 0; d < counts->size(); ++d) {
    const int64_t count = (*counts)[d];
    if (count == 1) continue;
    bool continues = !joined.empty();
    for (size_t i = 0; i < strides.size() && continues; ++i) {
      continues = steps[i].back() == (*strides[i])[d] * count;
    }
    if (continues) {
      joined.back() *= count;
      for (size_t i = 0; i < strides.size(); ++i) steps[i].back() = (*strides[i])[d];
    } else {
      joined.push_back(count);
      for (size_t i = 0; i < strides.size(); ++i) steps[i].push_back((*strides[i])[d]);
    }
  }
  *counts = joined;
  for (size_t i = 0; i < strides.size(); ++i) *strides[i] = steps[i];
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
