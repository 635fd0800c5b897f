// Tensors as arrays of xtensor: typed views, and copies both ways. Of other headers only those of
// the C++ API include it (ops/custom_calls/array_call.h, views/array_program.h).
#ifndef HLO_ENGINE_TYPES_TENSOR_VIEW_H_
#define HLO_ENGINE_TYPES_TENSOR_VIEW_H_

#include <cstddef>
#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>

#include "engine/types/tensor.h"

namespace hlo {

/// The elements of a tensor of storage type T as a read-only array expression with the tensor's
/// dimensions. It points into the tensor, which must outlive it.
template <typename T>
auto ViewOf(const Tensor& tensor) {
  xt::dynamic_shape<std::size_t> shape(tensor.dims().begin(), tensor.dims().end());
  return xt::adapt(tensor.data<T>(), static_cast<std::size_t>(tensor.element_count()),
                   xt::no_ownership(), shape);
}

/// The same for writing; the tensor must hold its buffer alone.
template <typename T>
auto MutableViewOf(Tensor& tensor) {
  xt::dynamic_shape<std::size_t> shape(tensor.dims().begin(), tensor.dims().end());
  return xt::adapt(tensor.mutable_data<T>(), static_cast<std::size_t>(tensor.element_count()),
                   xt::no_ownership(), shape);
}

/// A tensor of the elements of an array expression, which are of a storage type.
template <typename Expression>
Tensor TensorOf(const Expression& expression, Budget* budget = nullptr) {
  using T = typename Expression::value_type;
  const Dims dims(expression.shape().begin(), expression.shape().end());
  Tensor tensor(kTypeOf<T>, dims, budget);
  MutableViewOf<T>(tensor) = expression;
  return tensor;
}

/// The elements of a tensor of storage type T as an array of its own.
template <typename T>
xt::xarray<T> ArrayOf(const Tensor& tensor) {
  return ViewOf<T>(tensor);
}

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_TENSOR_VIEW_H_
