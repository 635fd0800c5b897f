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
    if (IsRounded()) return storage_.one.Fail();
    FindStart();
    const int32_t output = step_.outputs[0];
    if (ValueOf(output).is_scalar()) return WriteScalar(output);
    if (step_.updates) {
      storage_.arrays.DefineUpdated(output, step_.inputs[0], step_.last);
    } else {
      storage_.arrays.DefineNew(output);
    }
    for (const FlowCopy& copy : step_.copies) WriteCopy(copy, storage_.arrays.PlaceOf(output));
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

  // How many bytes the indices add up to.
  void FindStart() {
    for (const FlowIndex& index : step_.indices) {
      if (index.last == 0) continue;
      if (!start_) start_ = code_.Number(0);
      LaneCode& one = storage_.one;
      const LaneValue number = one.Convert(Scalar(step_.inputs[static_cast<size_t>(index.input)]),
                                           LaneKind::kI64, IsUnsigned(index.type));
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
    // A local of its own: what it is read from may be the state of a loop.
    Scalar(output) = storage_.one.New(from.kind);
    storage_.one.Assign(Scalar(output), from);
  }

  const FlowStep& step_;
  FlowStorage& storage_;
  MoveCode code_;
  std::vector<uint32_t> places_;   // by input; of scalars 0
  std::optional<uint32_t> start_;  // a local; none: no index matters
};

}  // namespace

void WriteMove(const FlowStep& step, FlowStorage* storage) { MoveWriter(step, storage).Write(); }

}  // namespace hlo
