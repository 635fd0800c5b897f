// Convolutions of operands of which only some elements are stored
// (ops/windows/convolution_sparsity.h).
#include <fmt/format.h>

#include "engine/ops/eval.h"
#include "engine/ops/windows/convolution_sparsity.h"
#include "engine/standalone/operation.h"
#include "engine/standalone/window_code.h"

namespace hlo {
namespace {

/// The operand with its zeros. Elements are stored block after block, `kept` of each, `stride`
/// blocks by turns.
int32_t FilledArray(const Operation& operation, int operand, const Sparsity& s, const Shape& filled,
                    Emitter* emitter) {
  const Shape& stored = operation.call->operand(operand);
  const int32_t result = emitter->NewArray(filled.element_type(), filled.element_count());
  emitter->Clear(result);
  if (stored.element_count() == 0) return result;
  const auto index = static_cast<size_t>(s.index);
  const ElementType type = stored.element_type();
  const ElementType index_type = operation.operand_type(static_cast<int>(s.index));
  int64_t outer = 1, inner = 1;
  for (int d = 0; d < stored.rank(); ++d) {
    if (d < s.dimension) outer *= stored.dim(d);
    if (d > s.dimension) inner *= stored.dim(d);
  }
  const int64_t sets = stored.dim(static_cast<int>(s.dimension)) / (s.kept * s.stride);
  const int64_t set = s.block * s.stride * inner;  // elements with their zeros
  KernelCode code(4);
  LaneCode& one = code.one();
  const Dims counts = {outer, sets, s.kept, s.stride, inner};
  const uint32_t from = code.Sum(0, 0), position = code.Sum(1, 0), to = code.Sum(3, 0);
  const Walk walks[] = {{from, Bytes(RowMajorView(counts).strides, BytesOf(type))},
                        {position, Bytes(RowMajorView(counts).strides, BytesOf(index_type))},
                        {to, Bytes({sets * set, set, 0, inner, 1}, BytesOf(type))}};
  const uint32_t fault = emitter->module().Fault(fmt::format(
      "{}: a position is not inside its block of {}", operation.instruction->name(), s.block));
  const StridedView element{{1}, {1}, 0};
  code.Nest(counts, walks, [&] {
    const LaneValue at =
        code.Converted(one.Load(position, index_type), index_type, ElementType::kS64);
    // As an unsigned number one below 0 is large.
    code.FailUnless(one.Binary(LaneOp::kLtU, at,
                               one.ConstantOfBits(LaneKind::kI64, static_cast<uint64_t>(s.block))),
                    fault, emitter->module().fault_address());
    const uint32_t place = code.Sum(to, 0);
    code.Add(place, one.Binary(LaneOp::kMultiply, one.Convert(at, LaneKind::kI32, false),
                               one.Constant(LaneKind::kI32,
                                            static_cast<double>(s.stride * inner * BytesOf(type))))
                        .local);
    code.CopyView(from, element, place, element, BytesOf(type));
  });
  const auto array = [&](size_t i) { return operation.operands[i]; };
  emitter->Call(&code, {array(static_cast<size_t>(operand)), array(index), result}, {result});
  return result;
}

}  // namespace

bool WriteSparseConvolution(const Operation& operation, Emitter* emitter) {
  const OpCall& call = *operation.call;
  ConvolvedArrays arrays = {.form = ForwardForm(call)};
  try {
    for (int i = 0; i < 2; ++i) {
      const auto k = static_cast<size_t>(i);
      const Sparsity s = SparsityOf(call, i);
      arrays.operands[k] = operation.operands[k];
      arrays.shapes[k] = call.operand(i);
      if (s.kept == 0) continue;
      const Shape& positions = call.operand(static_cast<int>(s.index));
      arrays.shapes[k] = Shape::Array(call.operand(i).element_type(),
                                      FilledDims(s, call.operand(i).dims(), positions));
      arrays.operands[k] = FilledArray(operation, i, s, arrays.shapes[k], emitter);
    }
    CheckOperandSizes(arrays.form, arrays.shapes[0].dims(), arrays.shapes[1].dims(),
                      call.shape().dims());
  } catch (const RunError& error) {
    return emitter->Refuse(error.what());
  }
  return WriteConvolved(arrays, operation, emitter);
}

}  // namespace hlo
