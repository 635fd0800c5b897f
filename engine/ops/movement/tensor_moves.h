// Shared by the evaluation of data movement ops: the live part of a tensor as a view, and results
// made from views.
#ifndef HLO_ENGINE_OPS_MOVEMENT_TENSOR_MOVES_H_
#define HLO_ENGINE_OPS_MOVEMENT_TENSOR_MOVES_H_

#include <span>

#include "engine/base/budget.h"
#include "engine/kernels/move_view.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo {

/// The run-time sizes of all dimensions.
Dims LiveDims(const Tensor& tensor);

/// The elements inside the run-time sizes, over the tensor's buffer.
StridedView LiveView(const Tensor& tensor);

/// Records which part of the tensor is live; nothing is recorded if all of it is.
void SetLiveDims(Tensor* tensor, const Dims& live);

/// Reduces `live` to the run-time sizes of a tensor of the same rank: an element is live if it is
/// live in all operands.
void MeetLiveDims(const Tensor& tensor, Dims* live);

/// A result of the given shape whose elements outside `live` are zero; those inside are
/// uninitialised.
Tensor MakeTensor(const Shape& shape, const Dims& live, Budget* budget);

/// A result of the given shape whose live part is the view `in` of the operand's buffer. Shares the
/// buffer when the view is all of it, in order.
Tensor TensorFromView(const Tensor& operand, const StridedView& in, const Shape& shape,
                      Budget* budget);

/// Converts the elements of `live`, which has none outside its run-time sizes, to a result of this
/// shape: with its element type, and within its bounds.
Tensor WithBounds(const Tensor& live, const Shape& shape, Budget* budget);

/// Copies all live elements of `from` into the view `out` of `to`; out.dims are the live dims.
/// Same element type; `to` is unique.
void CopyInto(const Tensor& from, Tensor* to, const StridedView& out, Budget* budget);

/// Gives the tensor a buffer of its own, if its buffer is shared.
void MakeUnique(Tensor* tensor, Budget* budget);

/// Whether kinds, element types and dimensions (bounds) of the value are those of the shape.
bool HasShape(const Value& value, const Shape& shape);

/// Zeros of a shape; tokens remain tokens.
Value ZeroValue(const Shape& shape, Budget* budget);

/// The value with these parts and the structure of `whole`, which is the shape of one part or the
/// tuple of all.
Value JoinParts(const Shape& whole, Value::Elements parts);

/// The same values in another element type, by the rules of convert; the tensor itself when it has
/// that type already.
Tensor ConvertTensor(const Tensor& tensor, ElementType type, Budget* budget);

/// The same in an unshared buffer. The run-time sizes may be lost.
Tensor ConvertedCopy(const Tensor& tensor, ElementType type, Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_MOVEMENT_TENSOR_MOVES_H_
