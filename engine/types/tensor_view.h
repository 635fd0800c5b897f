// Typed xtensor views of tensors. The only header that includes xtensor: include it in .cc files
// that compute, not in other headers.
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

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_TENSOR_VIEW_H_
