#include "engine/standalone/emitter.h"

#include <algorithm>
#include <utility>

#include "engine/base/work_limit.h"
#include "engine/codegen/region_module.h"
#include "engine/codegen/segment.h"
#include "engine/plan/region_builder.h"
#include "engine/plan/row_passes.h"

namespace hlo {
namespace {

void AddOnce(int32_t array, std::vector<int32_t>* to) {
  if (std::find(to->begin(), to->end(), array) == to->end()) to->push_back(array);
}

}  // namespace

int32_t Emitter::NewArray(ElementType type, int64_t count) {
  program_.arrays.push_back({count * BytesOf(type), std::nullopt});
  return static_cast<int32_t>(program_.arrays.size()) - 1;
}

int32_t Emitter::Constant(std::span<const std::byte> bytes) {
  program_.arrays.push_back({static_cast<int64_t>(bytes.size()), module_.Data(bytes)});
  return static_cast<int32_t>(program_.arrays.size()) - 1;
}

DriverStep& Emitter::Add(DriverStep step) {
  CountWork(1 + step.reads.size() + step.writes.size() + step.places.size());
  block_->steps.push_back(std::move(step));
  return block_->steps.back();
}

bool Emitter::Call(KernelCode* code, std::vector<int32_t> reads, std::vector<int32_t> writes) {
  // More parameters than engines of WebAssembly allow.
  constexpr size_t kMostParameters = 1000;
  const std::optional<CodeBytes> bytes = code->Finish();
  if (!bytes || reads.size() + writes.size() > kMostParameters) {
    failed_ = true;
    return false;
  }
  DriverStep step;
  step.function = module_.Function(*bytes, static_cast<uint32_t>(reads.size() + writes.size()));
  step.reads = std::move(reads);
  step.writes = std::move(writes);
  Add(std::move(step));
  return true;
}

void Emitter::Copy(int32_t from, int32_t to) {
  DriverStep step;
  step.kind = DriverStep::Kind::kCopy;
  step.reads = {from};
  step.writes = {to};
  Add(std::move(step));
}

void Emitter::Clear(int32_t array) {
  const int64_t bytes = BytesOfArray(array);
  if (bytes == 0) return;
  constexpr std::byte kZero{};
  CopyView(Constant({&kZero, 1}), {{bytes}, {0}, 0}, array, 1);
}

void Emitter::CopyView(int32_t array, const StridedView& view, int32_t to, int width) {
  KernelCode code(2);
  code.CopyView(0, view, 1, RowMajorView(view.dims), width);
  Call(&code, {array}, {to});
}

int32_t Emitter::Viewed(int32_t array, const StridedView& view, ElementType type) {
  int64_t count = 1;
  for (int64_t size : view.dims) count *= size;
  const int32_t result = NewArray(type, count);
  CopyView(array, view, result, BytesOf(type));
  return result;
}

bool Emitter::Apply(const RegionSteps& steps, int64_t count, std::span<const RegionInput> inputs,
                    std::span<const int32_t> results) {
  const std::optional<Segment> segment = WholeSegment(steps, &module_);
  if (!segment) return false;
  module_.Prepare(steps);
  const std::optional<WrittenFunction> function = WriteSegment(steps, *segment, module_.vectors());
  if (!function) return false;
  if (count == 0) return true;
  DriverStep step;
  step.kind = DriverStep::Kind::kRegion;
  step.function = module_.Function(function->code, CodeFunctionParameters::kParameters);
  step.count = static_cast<int32_t>(count);
  step.places.resize(static_cast<size_t>(steps.scalar_count));
  const auto place = [&](int32_t scalar) -> DriverStep::Place& {
    return step.places[static_cast<size_t>(scalar)];
  };
  for (size_t i = 0; i < inputs.size(); ++i) {
    place(static_cast<int32_t>(i)) = {inputs[i].array, inputs[i].offset};
    AddOnce(inputs[i].array, &step.reads);
  }
  for (const RegionConstant& constant : steps.constants) {
    place(constant.id) = {Constant(constant.value), 0};
  }
  for (size_t i = 0; i < results.size(); ++i) {
    place(steps.results[i].id) = {results[i], 0};
    step.writes.push_back(results[i]);
  }
  if (segment->is_rows) {
    const RowPasses passes = FindRowPasses(steps);
    for (const RegionStep& row_step : steps.steps) {
      DriverStep::Place& kept = place(row_step.result);
      if (!passes.is_kept[static_cast<size_t>(row_step.result)] || kept.array >= 0) continue;
      // A row of it, in blocks of rows: it is written anew for each.
      kept = {NewArray(row_step.loop.result, std::min(count, BlockOf(steps))), 0};
      step.writes.push_back(kept.array);
    }
  }
  for (size_t i = 0; i < inputs.size() && !segment->is_rows; ++i) {
    // Nothing may read what is written over in another order or a second time.
    const auto is_it = [&](const RegionInput& other) { return other.array == inputs[i].array; };
    if (!inputs[i].is_writable || std::count_if(inputs.begin(), inputs.end(), is_it) != 1) continue;
    for (int32_t result : results) step.over.push_back({inputs[i].array, result});
  }
  step.table = module_.Reserve(step.places.size() * sizeof(uint32_t));
  Add(std::move(step));
  return true;
}

bool Emitter::Convert(int32_t* array, int64_t count, ElementType from, ElementType to) {
  if (from == to) return true;
  RegionBuilder builder;
  const RegionScalar argument = builder.Parameter(from);
  const RegionSteps steps = builder.Finish({builder.Converted(argument, to)});
  const int32_t result = NewArray(to, count);
  const RegionInput input{*array, 0, true};
  if (!Apply(steps, count, {&input, 1}, {&result, 1})) return false;
  *array = result;
  return true;
}

}  // namespace hlo
