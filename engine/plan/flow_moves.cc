#include "engine/plan/flow_moves.h"

#include <optional>
#include <utility>

#include "engine/base/bits.h"
#include "engine/base/indices.h"
#include "engine/ops/movement/gather_dims.h"
#include "engine/ops/movement/pad_views.h"
#include "engine/ops/movement/window_slices.h"
#include "engine/ops/products/dot_dims.h"

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

std::optional<OneScatter> OneScatterOf(const OpCall& call, const std::vector<int32_t>& inputs) {
  if (call.opcode() != Opcode::kScatter || inputs.size() != 3) return std::nullopt;
  const Shape& operand = call.operand(0);
  const Shape& indices = call.operand(1);
  const Shape& updates = call.operand(2);
  // One index of one component.
  if (ElementCount(indices.dims()) != 1 || !call.Ints("input_batching_dims").empty()) {
    return std::nullopt;
  }
  const auto outline = [](const Shape& shape) {
    return Tensor(shape.element_type(), shape.dims(), 0, nullptr);
  };
  const Tensor all_updates[] = {outline(updates)};
  const ScatterSlices slices =
      ScatterSlicesOf(call, outline(operand), outline(indices), all_updates);
  const WindowStarts::Components components =
      WindowStarts::ComponentsOf(call, kScatterNames, indices.dims(), slices.layout);
  if (components.indexed.size() != 1) return std::nullopt;
  const WindowStarts::Component& start = components.indexed[0];
  if (start.last < 0) return std::nullopt;  // nowhere inside
  const StridedView dense = RowMajorView(slices.target.dims);
  OneScatter scatter;
  FlowStep* const steps[] = {&scatter.read, &scatter.update, &scatter.write};
  for (FlowStep* step : steps) {
    step->kind = FlowStep::Kind::kMove;
    step->count = ElementCount(dense.dims);
  }
  const FlowIndex index = {1, indices.element_type(), start.last, start.stride};
  scatter.read.inputs = {inputs[0], inputs[1]};
  scatter.read.copies = {{0, slices.target, dense}};
  scatter.read.indices = {index};
  scatter.update.inputs = {inputs[2]};
  scatter.update.copies = {{0, slices.source, dense}};
  scatter.write.inputs = {inputs[0], inputs[1], inputs[2]};
  scatter.write.copies = {{2, dense, slices.target}};
  scatter.write.indices = {index};
  scatter.write.updates = scatter.write.skips = true;
  return scatter;
}

bool SetSums(const OpCall& call, FlowStep* step) {
  const ElementType type = call.shape().IsArray() ? call.shape().element_type() : ElementType{};
  const bool is_plain = type == ElementType::kF32 || type == ElementType::kF64;
  if (call.opcode() != Opcode::kDot || call.operand_count() != 2 || !is_plain) return false;
  for (int i = 0; i < 2; ++i) {
    if (call.operand(i).element_type() != type) return false;
  }
  const DotDims dims = DotDimsOf(call);
  const Shape& lhs = call.operand(0);
  const Shape& rhs = call.operand(1);
  StridedView left, right;
  const auto add = [](const Shape& shape, const Dims& numbers, StridedView* view,
                      StridedView* other) {
    const Dims strides = AllOf(shape).strides;
    for (int64_t d : numbers) {
      view->dims.push_back(shape.dim(static_cast<int>(d)));
      view->strides.push_back(strides[static_cast<size_t>(d)]);
      if (other == nullptr) continue;
      other->dims.push_back(view->dims.back());
      other->strides.push_back(0);
    }
  };
  add(lhs, dims.lhs_batch, &left, nullptr);
  add(rhs, dims.rhs_batch, &right, nullptr);
  add(lhs, FreeDims(lhs.rank(), dims.lhs_batch, dims.lhs_contracting), &left, &right);
  add(rhs, FreeDims(rhs.rank(), dims.rhs_batch, dims.rhs_contracting), &right, &left);
  add(lhs, dims.lhs_contracting, &left, nullptr);
  add(rhs, dims.rhs_contracting, &right, nullptr);
  step->kind = FlowStep::Kind::kSums;
  step->count = ElementCount(left.dims);
  step->summed_dims = static_cast<int>(dims.lhs_contracting.size());
  step->factors = {std::move(left), std::move(right)};
  return true;
}

}  // namespace hlo
