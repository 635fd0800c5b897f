#include "engine/cost/op_traffic.h"

namespace hlo {
namespace {

constexpr double kAddressBytes = 8;

Traffic OperandsTraffic(const CostCall& call) {
  Traffic traffic;
  for (int i = 0; i < call.call().operand_count(); ++i) {
    traffic += call.bytes().Read(call.call().operand(i));
  }
  return traffic;
}

// As many bytes of operand 0 as the result has, and the result.
Traffic ResultAndAsMuch(const CostCall& call) {
  const Shape& result = call.call().shape();
  Traffic traffic = call.bytes().ReadPart(call.call().operand(0), call.bytes().Of(result).elements);
  return traffic += call.bytes().Written(result);
}

// An element of the state of an operation that was started; all of it where it has none such.
const Shape& StartedResult(const Shape& state, size_t element) {
  if (!state.IsTuple() || state.elements().size() <= element) return state;
  return state.elements()[element];
}

// Whether a transpose leaves every byte where it is.
bool IsBitcast(const OpCall& call) {
  const Layout& from = call.operand(0).layout();
  const Layout& to = call.shape().layout();
  const Dims& dims = call.Ints("dimensions");
  const Dims& order = to.minor_to_major();
  if (from.tiles() != to.tiles() || dims.size() != order.size()) return false;
  for (size_t i = 0; i < order.size(); ++i) {
    if (dims[static_cast<size_t>(order[i])] != from.minor_to_major()[i]) return false;
  }
  return true;
}

}  // namespace

Traffic AllTraffic(const CostCall& call) {
  Traffic traffic = OperandsTraffic(call);
  return traffic += call.bytes().Written(call.call().shape());
}

Traffic ResultTraffic(const CostCall& call) { return call.bytes().Written(call.call().shape()); }

Traffic FirstOperandTraffic(const CostCall& call) {
  return call.bytes().Read(call.call().operand(0));
}

Traffic TupleTraffic(const CostCall& call) {
  return {.written = kAddressBytes * call.call().operand_count()};
}

Traffic SliceTraffic(const CostCall& call) { return ResultAndAsMuch(call); }

Traffic DynamicSliceTraffic(const CostCall& call) {
  Traffic traffic = ResultAndAsMuch(call);
  if (call.call().operand_count() > 1) traffic += call.bytes().Read(call.call().operand(1));
  return traffic;
}

Traffic UpdateTraffic(const CostCall& call) {
  const Shape& update = call.call().operand(1);
  Traffic traffic = call.bytes().Read(update);
  if (call.call().operand_count() > 2) traffic += call.bytes().Read(call.call().operand(2));
  return traffic += call.bytes().WrittenPart(call.call().shape(), call.bytes().Of(update).elements);
}

Traffic GatherTraffic(const CostCall& call) {
  Traffic traffic = ResultAndAsMuch(call);
  return traffic += call.bytes().Read(call.call().operand(1));
}

Traffic ScatterTraffic(const CostCall& call) {
  const OpCall& scatter = call.call();
  const int arrays = scatter.operand_count() / 2;
  Traffic traffic = call.bytes().Read(scatter.operand(arrays));
  for (int i = 0; i < arrays; ++i) {
    const Shape& updates = scatter.operand(arrays + 1 + i);
    const double bytes = call.bytes().Of(updates).elements;
    traffic += call.bytes().Read(updates);
    traffic += call.bytes().ReadPart(scatter.operand(i), bytes);
    traffic += call.bytes().WrittenPart(scatter.operand(i), bytes);
  }
  return traffic;
}

Traffic TransposeTraffic(const CostCall& call) {
  return IsBitcast(call.call()) ? Traffic() : AllTraffic(call);
}

Traffic SolveTraffic(const CostCall& call) {
  Traffic traffic = call.bytes().Read(call.call().operand(0)) * 0.5;
  traffic += call.bytes().Read(call.call().operand(1));
  return traffic += call.bytes().Written(call.call().shape());
}

Traffic CholeskyTraffic(const CostCall& call) { return AllTraffic(call) * 0.5; }

Traffic StartedTraffic(const CostCall& call) {
  Traffic traffic = OperandsTraffic(call);
  return traffic += call.bytes().Written(StartedResult(call.call().shape(), 1));
}

Traffic CopyStartTraffic(const CostCall& call) {
  Traffic traffic = OperandsTraffic(call);
  return traffic += call.bytes().Written(StartedResult(call.call().shape(), 0));
}

}  // namespace hlo
