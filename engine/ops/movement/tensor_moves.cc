#include "engine/ops/movement/tensor_moves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/base/indices.h"
#include "engine/kernels/move_copy.h"
#include "engine/kernels/move_loops.h"
#include "engine/threads/pieces.h"
#include "engine/types/convert.h"

namespace hlo {
namespace {

// A view reaches elements [0, count) only.
bool IsInside(const StridedView& view, int64_t count) {
  int64_t low = view.offset, high = view.offset;
  for (size_t d = 0; d < view.dims.size(); ++d) {
    if (view.dims[d] == 0) return true;
    (view.strides[d] < 0 ? low : high) += (view.dims[d] - 1) * view.strides[d];
  }
  return low >= 0 && high < count;
}

// Precondition of copies: they read and write as many bytes as the types say.
void CheckCopy(const Tensor& from, const StridedView& in, const Tensor& to,
               const StridedView& out) {
  if (from.element_type() == to.element_type() && in.dims == out.dims &&
      IsInside(in, from.element_count()) && IsInside(out, to.element_count())) {
    return;
  }
  throw RunError(
      DiagCode::kInternalFault,
      fmt::format("a fault of this engine: elements of {}[{}] were to be copied to "
                  "{}[{}], where they do not fit",
                  Text(from.element_type()), fmt::join(from.dims().begin(), from.dims().end(), ","),
                  Text(to.element_type()), fmt::join(to.dims().begin(), to.dims().end(), ",")));
}

}  // namespace

Dims LiveDims(const Tensor& tensor) {
  return tensor.dynamic_sizes().empty() ? tensor.dims() : tensor.dynamic_sizes();
}

StridedView LiveView(const Tensor& tensor) {
  return Prefix(RowMajorView(tensor.dims()), LiveDims(tensor));
}

void SetLiveDims(Tensor* tensor, const Dims& live) {
  tensor->set_dynamic_sizes(live == tensor->dims() ? Dims{} : live);
}

void MeetLiveDims(const Tensor& tensor, Dims* live) {
  const Dims& sizes = tensor.dynamic_sizes();
  for (size_t d = 0; d < sizes.size(); ++d) (*live)[d] = std::min((*live)[d], sizes[d]);
}

Tensor MakeTensor(const Shape& shape, const Dims& live, Budget* budget) {
  Tensor result(shape, budget);
  if (live == result.dims()) return result;
  std::memset(result.mutable_bytes(), 0, static_cast<size_t>(result.byte_size()));
  SetLiveDims(&result, live);
  return result;
}

Tensor TensorFromView(const Tensor& operand, const StridedView& in, const Shape& shape,
                      Budget* budget) {
  if (in.dims == shape.dims() && IsDense(in) && ElementCount(in.dims) == operand.element_count()) {
    return operand.Reinterpreted(operand.element_type(), in.dims);
  }
  Tensor result = MakeTensor(shape, in.dims, budget);
  const StridedView out = LiveView(result);
  CheckCopy(operand, in, result, out);
  CopyView(BytesOf(operand.element_type()), operand.bytes(), in, result.mutable_bytes(), out,
           budget);
  return result;
}

Tensor WithBounds(const Tensor& live, const Shape& shape, Budget* budget) {
  Tensor converted = ConvertTensor(live, shape.element_type(), budget);
  if (live.dims() == shape.dims()) return converted;
  Tensor result = MakeTensor(shape, live.dims(), budget);
  CopyInto(converted, &result, LiveView(result), budget);
  return result;
}

void CopyInto(const Tensor& from, Tensor* to, const StridedView& out, Budget* budget) {
  const StridedView in = LiveView(from);
  CheckCopy(from, in, *to, out);
  CopyView(BytesOf(from.element_type()), from.bytes(), in, to->mutable_bytes(), out, budget);
}

void MakeUnique(Tensor* tensor, Budget* budget) {
  if (tensor->unique()) return;
  Tensor copy(tensor->element_type(), tensor->dims(), budget);
  const StridedView whole = RowMajorView(tensor->dims());
  CopyView(BytesOf(tensor->element_type()), tensor->bytes(), whole, copy.mutable_bytes(), whole,
           budget);
  copy.set_dynamic_sizes(tensor->dynamic_sizes());
  *tensor = std::move(copy);
}

bool HasShape(const Value& value, const Shape& shape) {
  if (shape.IsTuple()) {
    if (!value.is_tuple() || value.elements().size() != shape.elements().size()) return false;
    for (size_t i = 0; i < shape.elements().size(); ++i) {
      if (!HasShape(value.elements()[i], shape.elements()[i])) return false;
    }
    return true;
  }
  if (!shape.IsArray() && !shape.IsBuffer()) return value.is_token();
  return value.is_array() && value.tensor().element_type() == shape.element_type() &&
         value.tensor().dims() == shape.dims();
}

Value JoinParts(const Shape& whole, Value::Elements parts) {
  return whole.IsTuple() ? Value::Tuple(std::move(parts)) : std::move(parts[0]);
}

Value ZeroValue(const Shape& shape, Budget* budget) {
  if (shape.IsTuple()) {
    Value::Elements elements;
    for (const Shape& element : shape.elements()) elements.push_back(ZeroValue(element, budget));
    return Value::Tuple(std::move(elements));
  }
  if (!shape.IsArray() && !shape.IsBuffer()) return Value();
  Tensor tensor(shape, budget);
  std::memset(tensor.mutable_bytes(), 0, static_cast<size_t>(tensor.byte_size()));
  return tensor;
}

Tensor ConvertTensor(const Tensor& tensor, ElementType type, Budget* budget) {
  if (tensor.element_type() == type) return tensor;
  // In pieces, so that a long conversion can be cancelled.
  Tensor result(type, tensor.dims(), budget);
  const ElementType before = tensor.element_type();
  const std::byte* const from = tensor.bytes();
  std::byte* const to = result.mutable_bytes();
  const int64_t count = tensor.element_count();
  RunRanges(count, kPollElements, count, budget, [&](PieceRange piece, int, Budget* own) {
    ConvertElements(before, from + piece.begin * BytesOf(before), type,
                    to + piece.begin * BytesOf(type), piece.end - piece.begin);
    own->Poll();
  });
  result.set_dynamic_sizes(tensor.dynamic_sizes());
  return result;
}

Tensor ConvertedCopy(const Tensor& tensor, ElementType type, Budget* budget) {
  if (tensor.element_type() != type) return ConvertTensor(tensor, type, budget);
  Tensor copy(type, tensor.dims(), budget);
  std::memcpy(copy.mutable_bytes(), tensor.bytes(), static_cast<size_t>(tensor.byte_size()));
  return copy;
}

}  // namespace hlo
