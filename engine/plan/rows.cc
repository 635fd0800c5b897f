#include "engine/plan/rows.h"

#include "engine/kernels/row_loops.h"
#include "engine/ops/products/reduce_blocks.h"
#include "engine/plan/region_compiler.h"
#include "engine/plan/region_program.h"

namespace hlo {

bool SpreadsRows(const StridedView& view, int64_t length) {
  size_t d = view.dims.size();
  int64_t repeated = 1;
  while (d > 0 && (view.strides[d - 1] == 0 || view.dims[d - 1] == 1) && repeated < length) {
    repeated *= view.dims[--d];
  }
  int64_t stride = 1;
  for (; d > 0; --d) {
    const int64_t size = view.dims[d - 1];
    if (size != 1 && view.strides[d - 1] != stride) return false;
    stride *= size;
  }
  return repeated == length && view.offset == 0;
}

std::optional<Reducer> RowReducerOf(const PlannedInstruction& planned,
                                    const CustomCallTargets* custom_calls) {
  const Region* const region =
      planned.def->row_reducer && !planned.mixed ? planned.def->row_reducer(planned.call) : nullptr;
  if (!region) return std::nullopt;
  const Shape& elements = planned.call.operand(0);
  const ElementType type = elements.element_type();
  const int64_t length = elements.dims().back();
  if (length < kShortestRow || length > kLongestRow || elements.element_count() == 0)
    return std::nullopt;
  if (planned.call.operand(1).element_type() != type ||
      planned.call.shape().element_type() != type) {
    return std::nullopt;
  }
  const std::optional<RegionSteps> steps = CompileSteps(*AsComputation(region), custom_calls);
  const std::optional<Opcode> opcode = steps ? BinaryOpcodeOf(*steps) : std::nullopt;
  const std::optional<Reducer> reducer = opcode ? ReducerOf(*opcode) : std::nullopt;
  if (!reducer || !CanFold(*reducer, type) || steps->results[0].type != type) return std::nullopt;
  return reducer;
}

}  // namespace hlo
