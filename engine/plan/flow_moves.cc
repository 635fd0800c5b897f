#include "engine/plan/flow_moves.h"

#include <optional>
#include <utility>

#include "engine/base/bits.h"
#include "engine/base/indices.h"
#include "engine/ops/movement/pad_views.h"

namespace hlo {
namespace {

StridedView AllOf(const Shape& shape) { return RowMajorView(shape.dims()); }

/// The operands from `first` on are scalars that say where a box of these sizes begins in the first
/// operand. False where they are one vector.
bool SetIndices(const OpCall& call, int first, const Dims& sizes, FlowStep* step) {
  const Shape& whole = call.operand(0);
  if (call.operand_count() - first != whole.rank()) return false;
  const Dims strides = AllOf(whole).strides;
  for (int d = 0; d < whole.rank(); ++d) {
    const Shape& index = call.operand(first + d);
    if (index.rank() != 0) return false;
    const auto i = static_cast<size_t>(d);
    step->indices.push_back({first + d, index.element_type(), whole.dim(d) - sizes[i], strides[i]});
  }
  return true;
}

bool SetDynamicSlice(const OpCall& call, FlowStep* step) {
  const Dims& sizes = call.Ints("dynamic_slice_sizes");
  step->copies.push_back({0, {sizes, AllOf(call.operand(0)).strides, 0}, RowMajorView(sizes)});
  return SetIndices(call, 1, sizes, step);
}

bool SetDynamicUpdateSlice(const OpCall& call, FlowStep* step) {
  const Shape& update = call.operand(1);
  step->updates = true;
  step->copies.push_back({1, AllOf(update), {update.dims(), AllOf(call.operand(0)).strides, 0}});
  return SetIndices(call, 2, update.dims(), step);
}

bool SetConcatenate(const OpCall& call, FlowStep* step) {
  const auto dimension = static_cast<size_t>(call.Ints("dimensions")[0]);
  const Dims& strides = AllOf(call.shape()).strides;
  int64_t start = 0;
  for (int i = 0; i < call.operand_count(); ++i) {
    const Dims& sizes = call.operand(i).dims();
    step->copies.push_back({i, RowMajorView(sizes), {sizes, strides, start * strides[dimension]}});
    start += sizes[dimension];
  }
  return true;
}

bool SetPad(const OpCall& call, FlowStep* step) {
  const Dims& dims = call.shape().dims();
  PadViews views = PadViewsOf(call, call.operand(0).dims());
  step->copies.push_back({1, {dims, Dims(dims.size(), 0), 0}, RowMajorView(dims)});
  step->copies.push_back({0, std::move(views.in), std::move(views.out)});
  return true;
}

bool SetView(const OpDef& def, const OpCall& call, FlowStep* step) {
  if (def.view == nullptr) return false;
  std::optional<StridedView> view = def.view(call, AllOf(call.operand(0)));
  if (!view) return false;
  StridedView all = RowMajorView(view->dims);
  step->copies.push_back({0, *std::move(view), std::move(all)});
  return true;
}

bool SetCopies(const OpDef& def, const OpCall& call, FlowStep* step) {
  switch (call.opcode()) {
    case Opcode::kDynamicSlice:
      return SetDynamicSlice(call, step);
    case Opcode::kDynamicUpdateSlice:
      return SetDynamicUpdateSlice(call, step);
    case Opcode::kConcatenate:
      return SetConcatenate(call, step);
    case Opcode::kPad:
      return SetPad(call, step);
    default:
      return SetView(def, call, step);
  }
}

}  // namespace

bool SetMove(const OpDef& def, const OpCall& call, FlowStep* step) {
  step->kind = FlowStep::Kind::kMove;
  if (!call.shape().IsArray() || !SetCopies(def, call, step)) return false;
  for (const FlowCopy& copy : step->copies) {
    // Bits are moved, not converted.
    if (call.operand(copy.input).element_type() != call.shape().element_type()) return false;
    const int64_t count = ElementCount(copy.to.dims);
    if (!AddChecked(step->count, count, &step->count)) return false;
  }
  return !step->updates || call.operand(0).element_type() == call.shape().element_type();
}

FlowStep MoveOfView(int32_t value, const StridedView& view, int64_t count) {
  FlowStep step;
  step.kind = FlowStep::Kind::kMove;
  step.inputs = {value};
  step.copies.push_back({0, view, RowMajorView(view.dims)});
  step.count = count;
  return step;
}

}  // namespace hlo
