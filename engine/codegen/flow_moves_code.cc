#include "engine/codegen/flow_moves_code.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "engine/codegen/move_code.h"

namespace hlo {
namespace {

class MoveWriter {
 public:
  MoveWriter(const FlowStep& step, FlowStorage* storage)
      : step_(step), storage_(*storage), code_(&storage->writer) {}

  void Write() {
    for (int32_t input : step_.inputs) {
      places_.push_back(ValueOf(input).is_scalar() ? 0 : storage_.arrays.PlaceOf(input));
    }
    if (IsRounded()) storage_.one.Fail();
    FindStart();
    const int32_t output = step_.outputs[0];
    if (ValueOf(output).is_scalar()) return WriteScalar(output);
    if (step_.updates) {
      storage_.arrays.DefineUpdated(output, step_.inputs[0], step_.last);
    } else {
      storage_.arrays.DefineNew(output);
    }
    if (is_inside_) {
      storage_.writer.Get(is_inside_->local);
      storage_.writer.Open(Code::kIf);
    }
    for (const FlowCopy& copy : step_.copies) WriteCopy(copy, storage_.arrays.PlaceOf(output));
    if (is_inside_) storage_.writer.Write(Code::kEnd);
  }

 private:
  const FlowValue& ValueOf(int32_t value) const {
    return storage_.values[static_cast<size_t>(value)];
  }
  int32_t InputOf(const FlowCopy& copy) const {
    return step_.inputs[static_cast<size_t>(copy.input)];
  }
  int Width() const { return BytesOf(ValueOf(step_.outputs[0]).type); }
  LaneValue& Scalar(int32_t value) { return storage_.scalars[static_cast<size_t>(value)]; }

  // Whether a number that is moved would be in a local, where narrow floats are wider: not all NaNs
  // come back from there as they were.
  bool IsRounded() const {
    if (!IsNarrowFloat(ValueOf(step_.outputs[0]).type)) return false;
    const auto is_scalar = [&](const FlowCopy& copy) { return ValueOf(InputOf(copy)).is_scalar(); };
    return ValueOf(step_.outputs[0]).is_scalar() ||
           std::any_of(step_.copies.begin(), step_.copies.end(), is_scalar);
  }

  // How many bytes the indices add up to; and whether the index, of which there is one then, is in
  // its range, if that matters.
  void FindStart() {
    for (const FlowIndex& index : step_.indices) {
      if (index.last == 0 && !step_.skips) continue;
      if (!start_) start_ = code_.Number(0);
      LaneCode& one = storage_.one;
      const LaneValue number = one.Convert(Scalar(step_.inputs[static_cast<size_t>(index.input)]),
                                           LaneKind::kI64, IsUnsigned(index.type));
      if (step_.skips) is_inside_ = MoveCode::IsInside(number, index.last, &one);
      code_.AddSteps(MoveCode::Clamped(number, index.last, &one), index.stride * Width(), *start_,
                     &one);
    }
  }

  // The address in a local, `offset` elements further, and where the indices say if it is `moved`.
  uint32_t Address(uint32_t place, int64_t offset, bool moved) {
    const uint32_t address = code_.Sum(place, offset * Width());
    if (moved && start_) code_.Add(address, *start_);
    return address;
  }

  void WriteCopy(const FlowCopy& copy, uint32_t output) {
    const uint32_t to = Address(output, 0, step_.updates);
    const int32_t input = InputOf(copy);
    if (ValueOf(input).is_scalar()) return WriteEverywhere(Scalar(input), copy.to, to);
    const uint32_t from = Address(places_[static_cast<size_t>(copy.input)], 0, !step_.updates);
    code_.CopyView(from, copy.from, to, copy.to, Width());
  }

  void WriteEverywhere(LaneValue number, const StridedView& view, uint32_t to) {
    Dims counts = view.dims, strides = view.strides;
    Dims* const lists[] = {&strides};
    MergeLoops(&counts, lists);
    const uint32_t address = code_.Sum(to, view.offset * Width());
    const Walk walks[] = {{address, Bytes(strides, Width())}};
    code_.Nest(counts, walks,
               [&] { storage_.one.Store(address, number, ValueOf(step_.outputs[0]).type); });
  }

  // The last of the copies is of all there is.
  void WriteScalar(int32_t output) {
    const FlowCopy& copy = step_.copies.back();
    const int32_t input = InputOf(copy);
    LaneValue from;
    if (ValueOf(input).is_scalar()) {
      from = Scalar(input);
    } else {
      const uint32_t place = places_[static_cast<size_t>(copy.input)];
      from =
          storage_.one.Load(Address(place, copy.from.offset, !step_.updates), ValueOf(input).type);
    }
    if (is_inside_) from = storage_.one.Select(*is_inside_, from, Scalar(step_.inputs[0]));
    // A local of its own: what it is read from may be the state of a loop.
    Scalar(output) = storage_.one.New(from.kind);
    storage_.one.Assign(Scalar(output), from);
  }

  const FlowStep& step_;
  FlowStorage& storage_;
  MoveCode code_;
  std::vector<uint32_t> places_;   // by input; of scalars 0
  std::optional<uint32_t> start_;  // a local; none: no index matters
  std::optional<LaneValue> is_inside_;
};

}  // namespace

void WriteMove(const FlowStep& step, FlowStorage* storage) { MoveWriter(step, storage).Write(); }

void WriteSums(const FlowStep& step, FlowStorage* storage) {
  const int32_t output = step.outputs[0];
  const ElementType type = storage->values[static_cast<size_t>(output)].type;
  const int width = BytesOf(type);
  LaneCode& one = storage->one;
  MoveCode code(&storage->writer);
  const Dims& dims = step.factors[0].dims;
  const size_t kept = dims.size() - static_cast<size_t>(step.summed_dims);
  std::vector<Walk> outer, inner;  // of the factors in memory
  LaneValue factors[2];
  for (size_t i = 0; i < 2; ++i) {
    const int32_t input = step.inputs[i];
    factors[i] = storage->scalars[static_cast<size_t>(input)];
    if (storage->values[static_cast<size_t>(input)].is_scalar()) continue;
    const uint32_t address = code.Sum(storage->arrays.PlaceOf(input), 0);
    const Dims steps = Bytes(step.factors[i].strides, width);
    outer.push_back({address, Dims(steps.begin(), steps.begin() + static_cast<int>(kept))});
    inner.push_back({address, Dims(steps.begin() + static_cast<int>(kept), steps.end())});
  }
  const bool is_scalar = storage->values[static_cast<size_t>(output)].is_scalar();
  if (!is_scalar) {
    storage->arrays.DefineNew(output);
    const Dims results(dims.begin(), dims.begin() + static_cast<int>(kept));
    outer.push_back({code.Sum(storage->arrays.PlaceOf(output), 0),
                     Bytes(RowMajorView(results).strides, width)});
  }
  const LaneKind kind = *LaneKindOf(type);
  const LaneValue sum = one.New(kind);
  const LaneValue zero = one.Constant(kind, 0);
  const std::span<const int64_t> counts(dims.begin(), dims.end());
  code.Nest(counts.first(kept), outer, [&] {
    one.Assign(sum, zero);
    code.Nest(counts.subspan(kept), inner, [&] {
      LaneValue numbers[2];
      for (size_t i = 0, next = 0; i < 2; ++i) {
        const bool is_one = storage->values[static_cast<size_t>(step.inputs[i])].is_scalar();
        numbers[i] = is_one ? factors[i] : one.Load(inner[next++].address, type);
      }
      one.Assign(sum, one.Binary(LaneOp::kAdd, sum,
                                 one.Binary(LaneOp::kMultiply, numbers[0], numbers[1])));
    });
    if (!is_scalar) one.Store(outer.back().address, sum, type);
  });
  if (is_scalar) storage->scalars[static_cast<size_t>(output)] = sum;
}

}  // namespace hlo
