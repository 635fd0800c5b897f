#include "engine/plan/program_memory.h"

#include <algorithm>
#include <utility>

#include "engine/base/bits.h"
#include "engine/base/stable_sort.h"
#include "engine/layout/layout_advice.h"
#include "engine/plan/buffer_lives.h"
#include "engine/plan/in_place.h"
#include "engine/plan/moments.h"

namespace hlo {
namespace {

// Whether every element that is made depends on the elements of the operands in its place, and on
// scalars.
bool IsElementwise(const Instruction& instruction) {
  if (!IsFused(instruction)) return instruction.def().elementwise;
  const Region* region = instruction.attrs().GetRegion("calls");
  const Computation* fused = region ? AsComputation(region) : nullptr;
  if (!fused) return false;
  const auto& inside = fused->instructions();
  return std::all_of(inside.begin(), inside.end(), [](const Instruction& each) {
    const auto operands = each.operands();
    const ResultBuffers buffers = each.def().buffers;
    return each.def().elementwise || buffers == ResultBuffers::kOperands ||
           buffers == ResultBuffers::kOperand ||
           std::all_of(operands.begin(), operands.end(), [](const Instruction* operand) {
             return operand->shape().IsArray() && operand->shape().rank() == 0;
           });
  });
}

// The moment of the peak of a space: in what is called at the peak of the entry, at the peak of
// that, and so on.
int64_t PeakMoment(const Computation& entry, const std::vector<BufferLives>& all,
                   const Moments& moments, int64_t space) {
  const Computation* in = &entry;
  while (true) {
    const int64_t at = all[static_cast<size_t>(in->index())].PeakIn(space).at;
    const Instruction& instruction = in->instructions()[static_cast<size_t>(at)];
    const Computation* largest = nullptr;
    int64_t most = 0;
    for (const Computation* callee : CalleesOf(instruction)) {
      const int64_t bytes = all[static_cast<size_t>(callee->index())].PeakIn(space).bytes;
      if (bytes <= most) continue;
      most = bytes;
      largest = callee;
    }
    if (!largest || moments.CallerOf(*largest) != &instruction) return moments.First(*in, at);
    in = largest;
  }
}

// All buffers with their moments, the entry's first; those of what it calls at the positions of the
// calls.
void TakeBuffers(const Module& module, const Moments& moments, std::vector<BufferLives>* all,
                 ProgramMemory* memory) {
  const auto& computations = module.computations();
  for (auto each = computations.rbegin(); each != computations.rend(); ++each) {
    if (!moments.Has(*each)) continue;
    const bool is_entry = &*each == memory->computation;
    for (ProgramBuffer& buffer : (*all)[static_cast<size_t>(each->index())].buffers) {
      if (!is_entry && buffer.type != "temporary") continue;
      buffer.first_moment = moments.First(*each, buffer.begin);
      buffer.last_moment = moments.Last(*each, buffer.end);
      if (!is_entry) buffer.begin = buffer.end = moments.EntryPosition(*each);
      memory->buffers.push_back(std::move(buffer));
    }
  }
}

// Adds without going beyond what fits.
void AddTo(int64_t* sum, int64_t bytes) {
  if (!AddChecked(*sum, bytes, sum)) *sum = INT64_MAX;
}

SpaceUse UseOf(int64_t space, int64_t peak_moment, std::vector<int64_t> live,
               const std::vector<ProgramBuffer>& buffers) {
  SpaceUse use;
  use.space = space;
  use.peak_moment = peak_moment;
  use.live = std::move(live);
  const auto peak = std::max_element(use.live.begin(), use.live.end());
  if (peak != use.live.end()) {
    use.peak_bytes = *peak;
    use.peak_at = peak - use.live.begin();
  }
  for (const ProgramBuffer& buffer : buffers) {
    if (buffer.space != space || buffer.size.bytes < 0) continue;
    if (!LivesAtPeak(buffer, use)) continue;
    AddTo(&use.peak_padding, buffer.size.bytes - buffer.size.unpadded_bytes);
    if (buffer.type == "temporary") continue;
    AddTo(buffer.type == "parameter"  ? &use.parameter_bytes
          : buffer.type == "constant" ? &use.constant_bytes
                                      : &use.output_bytes,
          buffer.size.bytes);
  }
  // Not all that a called computation makes lives at one time: the rest of the peak does.
  use.temporary_bytes =
      use.peak_bytes - use.parameter_bytes - use.constant_bytes - use.output_bytes;
  return use;
}

}  // namespace

bool MayTakeOver(const ProgramBuffer& parameter, const ProgramBuffer& result) {
  const Instruction& maker = *result.instruction;
  if (parameter.last_use != maker.index()) return parameter.last_use < maker.index();
  return result.copy_of == parameter.shape ||
         (IsElementwise(maker) && parameter.size.bytes == result.size.bytes);
}

BufferSize SizeOfBuffer(const Shape& shape) {
  if (!shape.IsArray() && !shape.IsBuffer()) return {0, 0, "no padding"};
  Diagnostics faults;
  const auto map =
      MakeLayoutMap(shape.dims(), 8 * BytesOf(shape.element_type()), shape.layout(), {}, faults);
  if (!map) return {};
  const PaddingReport report = ReportPadding(*map);
  return {map->byte_size(), report.unpadded_bytes, PaddingSentence(report)};
}

std::vector<SpacePeak> PeaksOf(const Module& module, InPlace* written) {
  std::vector<SpacePeak> peaks;
  if (!module.entry()) return peaks;
  const std::vector<BufferLives> all = FindBufferLives(module, written);
  for (const auto& [space, live] : all[static_cast<size_t>(module.entry()->index())].live) {
    peaks.push_back({space, live.empty() ? 0 : *std::max_element(live.begin(), live.end())});
  }
  return peaks;
}

ProgramMemory MakeProgramMemory(const Module& module) {
  ProgramMemory memory;
  if (!module.entry()) return memory;
  memory.computation = module.entry();
  std::vector<BufferLives> all = FindBufferLives(module, WrittenInPlace);
  std::vector<int64_t> busiest;
  busiest.reserve(all.size());
  for (const BufferLives& each : all) busiest.push_back(each.PeakIn(0).at);
  const Moments moments(module, busiest);
  const Computation& computation = *memory.computation;
  BufferLives& entry = all[static_cast<size_t>(computation.index())];
  memory.complete = entry.complete;
  memory.positions = static_cast<int64_t>(computation.instructions().size());
  for (int64_t at = 0; at <= memory.positions; ++at) {
    memory.moments.push_back(moments.First(computation, at));
  }
  TakeBuffers(module, moments, &all, &memory);
  for (auto& [space, live] : entry.live) {
    const int64_t peak = PeakMoment(computation, all, moments, space);
    memory.spaces.push_back(UseOf(space, peak, std::move(live), memory.buffers));
  }
  StableSort(
      memory.buffers.begin(), memory.buffers.end(),
      [](const ProgramBuffer& a, const ProgramBuffer& b) { return a.size.bytes > b.size.bytes; });
  return memory;
}

}  // namespace hlo
