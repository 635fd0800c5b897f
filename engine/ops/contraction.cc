#include "engine/ops/contraction.h"

#include <algorithm>
#include <complex>

#include "engine/kernels/dot_matmul.h"
#include "engine/ops/tensor_moves.h"

namespace hlo {
namespace {

bool Contains(const Dims& dims, int64_t d) {
  return std::find(dims.begin(), dims.end(), d) != dims.end();
}

int64_t Product(std::span<const int64_t> sizes) {
  int64_t product = 1;
  for (int64_t size : sizes) product *= size;
  return product;
}

void Append(const Dims& from, Dims* to) {
  for (int64_t d : from) to->push_back(d);
}

/// The run-time sizes of an operand, those of paired dimensions no larger than the partner's.
Dims PairedSizes(const Tensor& operand, const Dims& batch, const Dims& contracting,
                 const Tensor& other, const Dims& other_batch, const Dims& other_contracting) {
  Dims sizes = LiveDims(operand);
  auto shrink = [&](const Dims& own, const Dims& partner) {
    for (size_t i = 0; i < own.size(); ++i) {
      int64_t& size = sizes[static_cast<size_t>(own[i])];
      size = std::min(size, other.live_dim(static_cast<int>(partner[i])));
    }
  };
  shrink(batch, other_batch);
  shrink(contracting, other_contracting);
  return sizes;
}

template <typename T>
void MultiplyAs(const std::byte* a, const std::byte* b, std::byte* c, int64_t m, int64_t k,
                int64_t n, Budget* budget) {
  MultiplyMatrices(reinterpret_cast<const T*>(a), reinterpret_cast<const T*>(b),
                   reinterpret_cast<T*>(c), m, k, n, budget);
}

/// One product per batch.
void Multiply(const Tensor& a, const Tensor& b, Tensor* c, int64_t batches, int64_t m, int64_t k,
              int64_t n, Budget* budget) {
  const MatrixProduct multiply = ProductOf(c->element_type());
  const int64_t width = BytesOf(c->element_type());
  for (int64_t i = 0; i < batches; ++i) {
    multiply(a.bytes() + i * m * k * width, b.bytes() + i * k * n * width,
             c->mutable_bytes() + i * m * n * width, m, k, n, budget);
    budget->Poll();
  }
}

Dims Select(const Dims& sizes, const Dims& which) {
  Dims selected;
  for (int64_t d : which) selected.push_back(sizes[static_cast<size_t>(d)]);
  return selected;
}

}  // namespace

ElementType SumType(ElementType type) {
  switch (ClassOf(type)) {
    case TypeClass::kPred:
    case TypeClass::kSigned:
      return BitsOf(type) <= 32 ? ElementType::kS32 : ElementType::kS64;
    case TypeClass::kUnsigned:
      return BitsOf(type) <= 32 ? ElementType::kU32 : ElementType::kU64;
    case TypeClass::kFloat:
      return type == ElementType::kF64 ? type : ElementType::kF32;
    case TypeClass::kComplex:
      return type;
  }
  return type;
}

Dims LhsSizes(const Tensor& lhs, const Tensor& rhs, const DotDims& dims) {
  return PairedSizes(lhs, dims.lhs_batch, dims.lhs_contracting, rhs, dims.rhs_batch,
                     dims.rhs_contracting);
}

Dims RhsSizes(const Tensor& lhs, const Tensor& rhs, const DotDims& dims) {
  return PairedSizes(rhs, dims.rhs_batch, dims.rhs_contracting, lhs, dims.lhs_batch,
                     dims.lhs_contracting);
}

Tensor PackOperand(const Tensor& operand, ElementType type, const Dims& sizes, const Dims& order,
                   Budget* budget) {
  Tensor converted = ConvertTensor(ConvertTensor(operand, type, budget), SumType(type), budget);
  StridedView view = Permute(Prefix(RowMajorView(converted.dims()), sizes), order);
  return TensorFromView(converted, view, Shape::Array(SumType(type), view.dims), budget);
}

MatrixProduct ProductOf(ElementType sum_type) {
  switch (sum_type) {
    case ElementType::kF32:
      return MultiplyAs<float>;
    case ElementType::kF64:
      return MultiplyAs<double>;
    case ElementType::kC64:
      return MultiplyAs<std::complex<float>>;
    case ElementType::kC128:
      return MultiplyAs<std::complex<double>>;
    case ElementType::kS64:
    case ElementType::kU64:
      return MultiplyAs<uint64_t>;
    default:
      return MultiplyAs<uint32_t>;
  }
}

Dims FreeDims(int rank, const Dims& batch, const Dims& contracting) {
  Dims free;
  for (int64_t d = 0; d < rank; ++d) {
    if (!Contains(batch, d) && !Contains(contracting, d)) free.push_back(d);
  }
  return free;
}

Tensor Contract(const Tensor& lhs, const Tensor& rhs, const DotDims& dims, ElementType type,
                Budget* budget) {
  Dims lhs_free = FreeDims(lhs.rank(), dims.lhs_batch, dims.lhs_contracting);
  Dims rhs_free = FreeDims(rhs.rank(), dims.rhs_batch, dims.rhs_contracting);
  Dims lhs_sizes = LhsSizes(lhs, rhs, dims), rhs_sizes = RhsSizes(lhs, rhs, dims);
  // lhs as [batch, m, k], rhs as [batch, k, n].
  Dims lhs_order = dims.lhs_batch, rhs_order = dims.rhs_batch;
  Append(lhs_free, &lhs_order);
  Append(dims.lhs_contracting, &lhs_order);
  Append(dims.rhs_contracting, &rhs_order);
  Append(rhs_free, &rhs_order);
  Tensor a = PackOperand(lhs, type, lhs_sizes, lhs_order, budget);
  Tensor b = PackOperand(rhs, type, rhs_sizes, rhs_order, budget);

  Dims live = Select(lhs_sizes, dims.lhs_batch);
  Append(Select(lhs_sizes, lhs_free), &live);
  Append(Select(rhs_sizes, rhs_free), &live);
  Tensor sums(SumType(type), live, budget);
  Multiply(a, b, &sums, Product(Select(lhs_sizes, dims.lhs_batch)),
           Product(Select(lhs_sizes, lhs_free)), Product(Select(lhs_sizes, dims.lhs_contracting)),
           Product(Select(rhs_sizes, rhs_free)), budget);
  Tensor rounded = ConvertTensor(sums, type, budget);

  Dims bounds = Select(lhs.dims(), dims.lhs_batch);
  Append(Select(lhs.dims(), lhs_free), &bounds);
  Append(Select(rhs.dims(), rhs_free), &bounds);
  if (bounds == live) return rounded;
  Tensor result = MakeTensor(Shape::Array(type, bounds), live, budget);
  CopyInto(rounded, &result, LiveView(result), budget);
  return result;
}

}  // namespace hlo
