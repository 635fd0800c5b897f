#include "engine/ops/products/contraction.h"

#include <algorithm>
#include <atomic>
#include <complex>
#include <optional>

#include "engine/base/indices.h"
#include "engine/kernels/dot_matmul.h"
#include "engine/kernels/move_view.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/shape_checks.h"
#include "engine/threads/pieces.h"

namespace hlo {
namespace {

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
                int64_t n, Budget* budget, MultiplyAdd step, const ElementsReady* ready) {
  MultiplyMatrices(reinterpret_cast<const T*>(a), reinterpret_cast<const T*>(b),
                   reinterpret_cast<T*>(c), m, k, n, budget, step, ready);
}

/// How many products there are; rows, summed elements and columns of each.
struct Sizes {
  int64_t batches, m, k, n;
};

/// Calls body(batch, budget, ready) for all of them. Threads share products that are too small for
/// threads to share each of them. `ready` is told of the elements of the batch; what is given to
/// `pieces`, which may be null, counts those of all batches.
template <typename Body>
void ForEachBatch(const Sizes& sizes, MultiplyAdd step, ResultPieces* pieces, Budget* budget,
                  Body&& body) {
  // Multiplications that take as long as a unit of kSharedWork, and those of a piece.
  constexpr int64_t kProductsTogether = 8, kPieceProducts = int64_t{1} << 19;
  const int64_t products = std::max<int64_t>(sizes.m * sizes.k * sizes.n, 1);
  const int64_t each = products / kProductsTogether;
  // `outer`: the thread that has the batch to itself, or -1.
  const auto run = [&](int64_t batch, int outer, Budget* own) {
    const auto take = [&](int64_t begin, int64_t count, int thread, Budget* thread_budget) {
      pieces->Take(batch * sizes.m * sizes.n + begin, count, outer < 0 ? thread : outer,
                   thread_budget);
    };
    const ElementsReady ready = take;
    body(batch, own, pieces == nullptr ? nullptr : &ready);
    own->Poll();
  };
  // Code for fused steps may have to be made, which is not for pieces.
  if (step != MultiplyAdd::kSeparate || IsShared(each)) {
    for (int64_t i = 0; i < sizes.batches; ++i) run(i, -1, budget);
    return;
  }
  RunRanges(sizes.batches, std::max<int64_t>(kPieceProducts / products, 1), sizes.batches * each,
            budget, [&](PieceRange piece, int thread, Budget* own) {
              for (int64_t i = piece.begin; i < piece.end; ++i) run(i, thread, own);
            });
}

/// One product per batch.
void MultiplyBatches(const Tensor& a, const Tensor& b, Tensor* c, const Sizes& sizes,
                     Budget* budget, MultiplyAdd step, ResultPieces* pieces) {
  const MatrixProduct multiply = ProductOf(c->element_type());
  const int64_t width = BytesOf(c->element_type());
  std::byte* const to = c->mutable_bytes();
  const auto body = [&](int64_t i, Budget* own, const ElementsReady* ready) {
    multiply(a.bytes() + i * sizes.m * sizes.k * width, b.bytes() + i * sizes.k * sizes.n * width,
             to + i * sizes.m * sizes.n * width, sizes.m, sizes.k, sizes.n, own, step, ready);
  };
  ForEachBatch(sizes, step, pieces, budget, body);
}

#ifndef HLO_SMALL

/// How far apart, in a dense array, elements are of which the last of these dimensions differ by
/// one, if going through all of them takes steps of that size only.
std::optional<int64_t> StepThrough(const Dims& which, const Dims& sizes) {
  const Dims strides = RowMajorView(sizes).strides;
  int64_t step = 1, next = 0;
  for (size_t i = which.size(); i-- > 0;) {
    const auto d = static_cast<size_t>(which[i]);
    if (sizes[d] == 1) continue;
    if (next == 0) step = strides[d];
    if (next != 0 && strides[d] != next) return std::nullopt;
    next = strides[d] * sizes[d];
  }
  return step;
}

/// An operand, with what a product goes through: batches, its own dimensions, those that are
/// summed.
struct ProductFactor {
  const Tensor& tensor;
  const Dims& batch;
  const Dims& free;
  const Dims& contracting;
};

/// The product of operands as they lie in memory; false where that does not go, or where they lie
/// as MultiplyBatches takes them.
bool MultiplyInPlace(const ProductFactor& lhs, const ProductFactor& rhs, Tensor* c,
                     const Sizes& sizes, Budget* budget, MultiplyAdd step, ResultPieces* pieces) {
  const LayoutProduct multiply = FindLayoutProduct(c->element_type());
  if (multiply == nullptr || c->element_count() == 0) return false;
  std::optional<int64_t> steps[6];
  size_t at = 0;
  for (const ProductFactor* factor : {&lhs, &rhs}) {
    for (const Dims* which : {&factor->batch, &factor->free, &factor->contracting}) {
      steps[at++] = StepThrough(*which, factor->tensor.dims());
      if (!steps[at - 1]) return false;
    }
  }
  const FactorSteps a{*steps[1], *steps[2]}, b{*steps[5], *steps[4]};
  const int64_t width = BytesOf(c->element_type());
  // Which does not depend on the batch.
  std::atomic<bool> is_possible = true;
  std::byte* const to = c->mutable_bytes();
  const auto body = [&](int64_t i, Budget* own, const ElementsReady* ready) {
    if (!is_possible) return;
    is_possible = multiply(
        lhs.tensor.bytes() + i * *steps[0] * width, a, rhs.tensor.bytes() + i * *steps[3] * width,
        b, to + i * sizes.m * sizes.n * width, sizes.m, sizes.k, sizes.n, own, step, ready);
  };
  ForEachBatch(sizes, step, pieces, budget, body);
  return is_possible;
}

bool LiesAs(const Tensor& tensor, const Dims& order) {
  return IsDense(Permute(RowMajorView(tensor.dims()), order));
}

/// Contract without copies in another order; false where it takes some, or none are needed.
bool ContractInPlace(const Tensor& lhs, const Tensor& rhs, const DotDims& dims, ElementType type,
                     Tensor* c, const Sizes& sizes, Budget* budget, MultiplyAdd step,
                     ResultPieces* pieces) {
  if (!lhs.dynamic_sizes().empty() || !rhs.dynamic_sizes().empty()) return false;
  const Dims lhs_free = FreeDims(lhs.rank(), dims.lhs_batch, dims.lhs_contracting);
  const Dims rhs_free = FreeDims(rhs.rank(), dims.rhs_batch, dims.rhs_contracting);
  if (LiesAs(lhs, Joined(Joined(dims.lhs_batch, lhs_free), dims.lhs_contracting)) &&
      LiesAs(rhs, Joined(Joined(dims.rhs_batch, dims.rhs_contracting), rhs_free))) {
    return false;
  }
  const ElementType sum_type = c->element_type();
  const Tensor a = ConvertTensor(ConvertTensor(lhs, type, budget), sum_type, budget);
  const Tensor b = ConvertTensor(ConvertTensor(rhs, type, budget), sum_type, budget);
  return MultiplyInPlace({a, dims.lhs_batch, lhs_free, dims.lhs_contracting},
                         {b, dims.rhs_batch, rhs_free, dims.rhs_contracting}, c, sizes, budget,
                         step, pieces);
}

#endif  // HLO_SMALL

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
                Budget* budget, MultiplyAdd step, ResultPieces* pieces) {
  Dims lhs_free = FreeDims(lhs.rank(), dims.lhs_batch, dims.lhs_contracting);
  Dims rhs_free = FreeDims(rhs.rank(), dims.rhs_batch, dims.rhs_contracting);
  Dims lhs_sizes = LhsSizes(lhs, rhs, dims), rhs_sizes = RhsSizes(lhs, rhs, dims);
  // lhs as [batch, m, k], rhs as [batch, k, n].
  const Dims lhs_kept = Joined(dims.lhs_batch, lhs_free);
  const Dims lhs_order = Joined(lhs_kept, dims.lhs_contracting);
  const Dims rhs_order = Joined(Joined(dims.rhs_batch, dims.rhs_contracting), rhs_free);
  const auto count = [](const Dims& sizes, const Dims& which) {
    return ElementCount(SizesOf(sizes, which));
  };
  const Sizes sizes{count(lhs_sizes, dims.lhs_batch), count(lhs_sizes, lhs_free),
                    count(lhs_sizes, dims.lhs_contracting), count(rhs_sizes, rhs_free)};
  Tensor sums(SumType(type), Joined(SizesOf(lhs_sizes, lhs_kept), SizesOf(rhs_sizes, rhs_free)),
              budget);
  const Dims bounds = Joined(SizesOf(lhs.dims(), lhs_kept), SizesOf(rhs.dims(), rhs_free));
  // What is rounded or moved afterwards is not given before.
  const bool gives = pieces != nullptr && sums.element_type() == type && sums.dims() == bounds &&
                     ProductUnit(sizes.m, sizes.k, sizes.n) > 0;
  if (!gives || !pieces->Begin(sums.mutable_bytes())) pieces = nullptr;
  bool done = false;
#ifndef HLO_SMALL
  done = ContractInPlace(lhs, rhs, dims, type, &sums, sizes, budget, step, pieces);
#endif
  if (!done) {
    const Tensor a = PackOperand(lhs, type, lhs_sizes, lhs_order, budget);
    const Tensor b = PackOperand(rhs, type, rhs_sizes, rhs_order, budget);
    MultiplyBatches(a, b, &sums, sizes, budget, step, pieces);
  }
  return WithBounds(sums, Shape::Array(type, bounds), budget);
}

int64_t ContractionUnit(const Shape& lhs, const Shape& rhs, const DotDims& dims, ElementType type) {
  if (SumType(type) != type) return 0;
  const auto count = [](const Shape& shape, const Dims& which) {
    return ElementCount(SizesOf(shape.dims(), which));
  };
  return ProductUnit(count(lhs, FreeDims(lhs.rank(), dims.lhs_batch, dims.lhs_contracting)),
                     count(lhs, dims.lhs_contracting),
                     count(rhs, FreeDims(rhs.rank(), dims.rhs_batch, dims.rhs_contracting)));
}

}  // namespace hlo
