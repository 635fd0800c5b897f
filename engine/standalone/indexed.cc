// Operations whose places are computed by the program: dynamic slices, gather, scatter.
#include <algorithm>

#include "engine/ops/movement/window_slices.h"
#include "engine/ops/op_def.h"
#include "engine/standalone/operation.h"

namespace hlo {
namespace {

// An index as a signed number of 64 bits: an unsigned one of 2^63 or more counts as negative.
LaneValue IndexAt(uint32_t address, ElementType type, KernelCode* code) {
  return code->Converted(code->one().Load(address, type), type, ElementType::kS64);
}

// The address of a box at starts, which are the operands from `first` on: scalars, or one vector.
uint32_t BoxAddress(const Operation& operation, uint32_t whole, size_t first, const Dims& dims,
                    const Dims& sizes, KernelCode* code) {
  const StridedView view = RowMajorView(dims);
  const int width = BytesOf(operation.operand_type(0));
  const uint32_t address = code->Sum(whole, 0);
  const bool is_vector = operation.operands.size() > first &&
                         operation.call->operand(static_cast<int>(first)).rank() == 1;
  for (size_t d = 0; d < dims.size(); ++d) {
    const size_t operand = is_vector ? first : first + d;
    const ElementType type = operation.operand_type(static_cast<int>(operand));
    uint32_t from = static_cast<uint32_t>(operand);
    if (is_vector) from = code->Sum(from, static_cast<int64_t>(d) * BytesOf(type));
    const LaneValue start =
        MoveCode::Clamped(IndexAt(from, type, code), dims[d] - sizes[d], &code->one());
    code->AddSteps(start, view.strides[d] * width, address, &code->one());
  }
  return address;
}

bool WriteDynamicSlice(const Operation& operation, Emitter* emitter) {
  const Dims& dims = operation.call->operand(0).dims();
  const Dims& sizes = operation.call->Ints("dynamic_slice_sizes");
  const auto count = static_cast<uint32_t>(operation.operands.size());
  KernelCode code(count + 1);
  const uint32_t from = BoxAddress(operation, 0, 1, dims, sizes, &code);
  code.CopyView(from, {sizes, RowMajorView(dims).strides, 0}, count, RowMajorView(sizes),
                BytesOf(operation.type()));
  return emitter->Call(&code, operation.operands, operation.results);
}

bool WriteDynamicUpdateSlice(const Operation& operation, Emitter* emitter) {
  if (operation.operand_type(0) != operation.operand_type(1)) return false;
  const Dims& dims = operation.call->operand(0).dims();
  const Dims& sizes = operation.call->operand(1).dims();
  const int32_t result = operation.results[0];
  emitter->Copy(operation.operands[0], result);
  // The result stands for the operand.
  std::vector<int32_t> reads = operation.operands;
  reads[0] = result;
  KernelCode code(static_cast<uint32_t>(reads.size()) + 1);
  const uint32_t to = BoxAddress(operation, 0, 2, dims, sizes, &code);
  code.CopyView(1, RowMajorView(sizes), to, {sizes, RowMajorView(dims).strides, 0},
                BytesOf(operation.type()));
  return emitter->Call(&code, reads, {result});
}

// Loops over the positions of index vectors; `index` and `slice` are at the position's.
struct Positions {
  uint32_t start = 0, index = 0, slice = 0;

  template <typename Body>
  void Loop(const WindowStarts::Layout& layout, const WindowStarts::Components& components,
            int index_width, int width, KernelCode* code, Body body) const {
    Dims starts(layout.counts.size(), 0);
    for (const WindowStarts::Component& batch : components.batch) {
      starts[static_cast<size_t>(batch.from)] += batch.stride;
    }
    const Walk walks[] = {{start, Bytes(starts, width)},
                          {index, Bytes(components.index_strides, index_width)},
                          {slice, Bytes(layout.steps, width)}};
    code->Nest(layout.counts, walks, body);
  }
};

Tensor Shaped(const Shape& shape) {
  return Tensor(shape.element_type(), shape.dims(), shape.element_count(), nullptr);
}

bool WriteGather(const Operation& operation, Emitter* emitter) {
  const OpCall& call = *operation.call;
  const Tensor operand = Shaped(call.operand(0)), indices = Shaped(call.operand(1));
  if (operand.element_count() == 0) return call.shape().element_count() == 0;
  const GatherSlices slices = GatherSlicesOf(call, operand, indices);
  const WindowStarts::Components components =
      WindowStarts::ComponentsOf(call, kGatherNames, indices.dims(), slices.layout);
  const ElementType type = indices.element_type();
  const int width = BytesOf(operation.type());
  KernelCode code(3);
  const Positions at{code.Sum(0, 0), code.Sum(1, 0), code.Sum(2, 0)};
  at.Loop(slices.layout, components, BytesOf(type), width, &code, [&] {
    const uint32_t from = code.Sum(at.start, 0);
    for (const WindowStarts::Component& component : components.indexed) {
      const uint32_t place = code.Sum(at.index, component.from * BytesOf(type));
      code.AddSteps(MoveCode::Clamped(IndexAt(place, type, &code), component.last, &code.one()),
                    component.stride * width, from, &code.one());
    }
    code.CopyView(from, slices.in, at.slice, slices.out, width);
  });
  return emitter->Call(&code, operation.operands, operation.results);
}

// One update of an element of every operand; addresses of the current elements and of the updates.
void WriteUpdate(const Operation& operation, std::span<const uint32_t> targets,
                 std::span<const uint32_t> sources, AppliedRegion* region, KernelCode* code) {
  const size_t count = targets.size();
  std::vector<LanePair> parameters;
  for (size_t i = 0; i < count; ++i) {
    parameters.push_back(code->Load(targets[i], operation.operand_type(static_cast<int>(i))));
  }
  for (size_t i = 0; i < count; ++i) {
    const int number = static_cast<int>(count + 1 + i);
    parameters.push_back(code->Load(sources[i], operation.operand_type(number)));
  }
  const std::vector<LanePair> results = region->Apply(parameters);
  for (size_t i = 0; i < count; ++i) {
    code->Store(targets[i], results[i], operation.operand_type(static_cast<int>(i)));
  }
}

/// Whether the arrays have the very types of the region's parameters.
bool FitsRegion(const Operation& operation, const Region& region, size_t count) {
  for (size_t i = 0; i < 2 * count; ++i) {
    const auto operand = static_cast<int>(i < count ? i : i + 1);
    const ElementType type = operation.operand_type(operand);
    if (type != region.parameter_shape(static_cast<int>(i)).element_type()) return false;
  }
  return true;
}

bool WriteScatter(const Operation& operation, Emitter* emitter) {
  const OpCall& call = *operation.call;
  const size_t count = operation.operands.size() / 2;
  const Region& region = *call.GetRegion("to_apply");
  const std::optional<RegionSteps> steps = StepsOf(call);
  if (!steps || !FitsRegion(operation, region, count)) return false;
  const Shape& indices_shape = call.operand(static_cast<int>(count));
  const Tensor operand = Shaped(call.operand(0)), indices = Shaped(indices_shape);
  std::vector<Tensor> updates;
  for (size_t i = 0; i < count; ++i) {
    updates.push_back(Shaped(call.operand(static_cast<int>(count + 1 + i))));
    emitter->Copy(operation.operands[i], operation.results[i]);
  }
  const ScatterSlices slices = ScatterSlicesOf(call, operand, indices, updates);
  const WindowStarts::Components components =
      WindowStarts::ComponentsOf(call, kScatterNames, indices.dims(), slices.layout);
  for (const WindowStarts::Component& component : components.indexed) {
    if (component.last < 0) return true;  // nothing is inside
  }
  std::vector<int32_t> reads = operation.operands;
  std::copy(operation.results.begin(), operation.results.end(), reads.begin());
  KernelCode code(static_cast<uint32_t>(reads.size() + count));
  AppliedRegion applied(*steps, &emitter->module(), &code);
  const ElementType type = indices.element_type();
  // Offsets in elements, since operands may have different widths.
  const Positions at{code.Number(0), code.Sum(static_cast<uint32_t>(count), 0), code.Number(0)};
  at.Loop(slices.layout, components, BytesOf(type), 1, &code, [&] {
    LaneCode& one = code.one();
    const uint32_t target = code.Sum(at.start, 0);
    LaneValue inside = one.Constant(LaneKind::kPred, 1);
    for (const WindowStarts::Component& component : components.indexed) {
      const uint32_t place = code.Sum(at.index, component.from * BytesOf(type));
      const LaneValue index = IndexAt(place, type, &code);
      inside =
          one.Binary(LaneOp::kAnd, inside, MoveCode::IsInside(index, component.last, &code.one()));
      code.AddSteps(index, component.stride, target, &code.one());
    }
    code.writer().Get(inside.local);
    code.writer().Open(Code::kIf);
    std::vector<uint32_t> targets, sources;
    std::vector<Walk> walks;
    const auto add = [&](uint32_t base, uint32_t offset, ElementType of, const StridedView& view,
                         std::vector<uint32_t>* to) {
      const uint32_t address = ElementAddress(base, offset, BytesOf(of), &code.writer());
      to->push_back(address);
      walks.push_back({address, Bytes(view.strides, BytesOf(of))});
    };
    for (size_t i = 0; i < count; ++i) {
      const auto number = static_cast<uint32_t>(i);
      const auto update = static_cast<uint32_t>(count + 1 + i);
      add(number, target, operation.operand_type(static_cast<int>(i)), slices.target, &targets);
      add(update, at.slice, operation.operand_type(static_cast<int>(update)), slices.source,
          &sources);
    }
    code.Nest(slices.target.dims, walks,
              [&] { WriteUpdate(operation, targets, sources, &applied, &code); });
    code.writer().Write(Code::kEnd);
  });
  return emitter->Call(&code, reads, operation.results);
}

}  // namespace

bool WriteIndexed(const Operation& operation, Emitter* emitter) {
  switch (operation.instruction->opcode()) {
    case Opcode::kDynamicSlice:
      return WriteDynamicSlice(operation, emitter);
    case Opcode::kDynamicUpdateSlice:
      return WriteDynamicUpdateSlice(operation, emitter);
    case Opcode::kGather:
      return WriteGather(operation, emitter);
    case Opcode::kScatter:
      return WriteScatter(operation, emitter);
    default:
      return false;
  }
}

}  // namespace hlo
