#include <algorithm>
#include <cstring>

#include "engine/base/indices.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/products/ragged.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

Dims Before(const Dims& list, int64_t value) {
  return Dims(list.begin(), std::find(list.begin(), list.end(), value));
}

/// The dimensions around the ragged one: the number of indices before, in and after it.
struct Split {
  int64_t outer, ragged, inner;
};
Split SplitAt(const Dims& list, int64_t ragged, const Dims& sizes) {
  int64_t outer = ElementCount(SizesOf(sizes, Before(list, ragged)));
  int64_t size = sizes[static_cast<size_t>(ragged)];
  int64_t all = ElementCount(SizesOf(sizes, list));
  return {outer, size, outer * size == 0 ? 0 : all / (outer * size)};
}

/// Operands as matrices, lhs [batch, m, k] and rhs [batch, groups (or 1), k, n], and the product.
class RaggedProduct {
 public:
  RaggedProduct(const Tensor& lhs, const Tensor& rhs, const Tensor& group_sizes,
                const RaggedDims& dims, ElementType type, Budget* budget, MultiplyAdd step);
  /// The sums, with the dimensions of the result.
  Tensor Run();

 private:
  void RunFree();
  void RunContracting();
  void RunBatch();
  /// The size of group i clamped to the dimension, of which `done` indices are taken.
  int64_t Count(int64_t prefix, int64_t group, int64_t done, int64_t size) const;
  void Multiply(int64_t a, int64_t b, int64_t c, int64_t rows);
  void MultiplyGathered(int64_t batch, int64_t group, int64_t* taken);

  RaggedMode mode_;
  Budget* budget_;
  MultiplyAdd step_;
  Tensor a_, b_, c_, sizes_;
  Split split_;
  bool sizes_by_prefix_;
  int64_t groups_, batches_, m_, k_, n_;
  MatrixProduct multiply_;
  int64_t width_;
};

RaggedProduct::RaggedProduct(const Tensor& lhs, const Tensor& rhs, const Tensor& group_sizes,
                             const RaggedDims& dims, ElementType type, Budget* budget,
                             MultiplyAdd step)
    : mode_(RaggedModeOf(dims.dot, dims.ragged)), budget_(budget), step_(step) {
  const DotDims& dot = dims.dot;
  const Dims lhs_sizes = LhsSizes(lhs, rhs, dot), rhs_sizes = RhsSizes(lhs, rhs, dot);
  const Dims lhs_free = FreeDims(lhs.rank(), dot.lhs_batch, dot.lhs_contracting);
  Dims rhs_free = FreeDims(rhs.rank(), dot.rhs_batch, dot.rhs_contracting),
       rhs_order = dot.rhs_batch;
  groups_ = group_sizes.live_dim(group_sizes.rank() - 1);
  if (mode_ == RaggedMode::kFree) {
    rhs_order.push_back(dims.group);
    rhs_free.erase(std::find(rhs_free.begin(), rhs_free.end(), dims.group));
    groups_ = std::min(groups_, rhs_sizes[static_cast<size_t>(dims.group)]);
  }
  a_ = PackOperand(lhs, type, lhs_sizes,
                   Joined(Joined(dot.lhs_batch, lhs_free), dot.lhs_contracting), budget);
  b_ = PackOperand(rhs, type, rhs_sizes, Joined(Joined(rhs_order, dot.rhs_contracting), rhs_free),
                   budget);
  batches_ = ElementCount(SizesOf(lhs_sizes, dot.lhs_batch));
  m_ = ElementCount(SizesOf(lhs_sizes, lhs_free));
  k_ = ElementCount(SizesOf(lhs_sizes, dot.lhs_contracting));
  n_ = ElementCount(SizesOf(rhs_sizes, rhs_free));
  const Dims& list = mode_ == RaggedMode::kFree    ? lhs_free
                     : mode_ == RaggedMode::kBatch ? dot.lhs_batch
                                                   : dot.lhs_contracting;
  split_ = SplitAt(list, dims.ragged, lhs_sizes);

  // Sizes as s64, those of the live positions alone.
  sizes_by_prefix_ = group_sizes.rank() > 1;
  Dims live = SizesOf(lhs_sizes, RaggedPrefix(dot, lhs.rank(), dims.ragged));
  if (!sizes_by_prefix_) live.clear();
  live.push_back(group_sizes.live_dim(group_sizes.rank() - 1));
  StridedView view = Prefix(RowMajorView(group_sizes.dims()), live);
  sizes_ = TensorFromView(ConvertTensor(group_sizes, ElementType::kS64, budget), view,
                          Shape::Array(ElementType::kS64, view.dims), budget);

  Dims result = Joined(Joined(SizesOf(lhs_sizes, dot.lhs_batch), SizesOf(lhs_sizes, lhs_free)),
                       SizesOf(rhs_sizes, rhs_free));
  if (mode_ == RaggedMode::kContracting) result.insert(result.begin(), groups_);
  c_ = Tensor(SumType(type), result, budget);
  std::memset(c_.mutable_bytes(), 0, static_cast<size_t>(c_.byte_size()));
  multiply_ = ProductOf(c_.element_type());
  width_ = BytesOf(c_.element_type());
}

int64_t RaggedProduct::Count(int64_t prefix, int64_t group, int64_t done, int64_t size) const {
  const int64_t row = sizes_by_prefix_ ? prefix * sizes_.dim(sizes_.rank() - 1) : 0;
  return std::clamp<int64_t>(sizes_.data<int64_t>()[row + group], 0, size - done);
}

/// Rows of a from row `a`, times matrix number `b`, into rows of c from row `c`.
void RaggedProduct::Multiply(int64_t a, int64_t b, int64_t c, int64_t rows) {
  multiply_(a_.bytes() + a * k_ * width_, b_.bytes() + b * k_ * n_ * width_,
            c_.mutable_bytes() + c * n_ * width_, rows, k_, n_, budget_, step_, nullptr);
  budget_->Poll();
}

void RaggedProduct::RunFree() {
  const int64_t matrices = b_.element_count() / std::max<int64_t>(batches_ * k_ * n_, 1);
  for (int64_t prefix = 0; prefix < batches_ * split_.outer; ++prefix) {
    int64_t done = 0;
    for (int64_t group = 0; group < groups_; ++group) {
      const int64_t count = Count(prefix, group, done, split_.ragged);
      if (count == 0) continue;
      const int64_t row = (prefix * split_.ragged + done) * split_.inner;
      Multiply(row, prefix / split_.outer * matrices + group, row, count * split_.inner);
      done += count;
    }
  }
}

void RaggedProduct::RunBatch() {
  for (int64_t prefix = 0; prefix < split_.outer; ++prefix) {
    int64_t done = 0;
    for (int64_t group = 0; group < groups_; ++group) {
      done += Count(prefix, group, done, split_.ragged);
    }
    const int64_t first = prefix * split_.ragged * split_.inner;
    for (int64_t i = first; i < first + done * split_.inner; ++i) Multiply(i * m_, i, i * m_, m_);
  }
}

/// One group of one batch: the columns of a and rows of b that belong to it, contiguously. `taken`
/// counts the indices of earlier groups, by position before the ragged dimension.
void RaggedProduct::MultiplyGathered(int64_t batch, int64_t group, int64_t* taken) {
  int64_t depth = 0;
  for (int64_t outer = 0; outer < split_.outer; ++outer) {
    depth += split_.inner * Count(batch * split_.outer + outer, group, taken[outer], split_.ragged);
  }
  if (depth == 0) return;
  auto bytes = [&](int64_t count) { return static_cast<size_t>(count * width_); };
  auto columns = Buffer::Allocate(bytes(m_ * depth), budget_);
  auto rows = Buffer::Allocate(bytes(depth * n_), budget_);
  int64_t at = 0;
  for (int64_t outer = 0; outer < split_.outer; ++outer) {
    const int64_t count = Count(batch * split_.outer + outer, group, taken[outer], split_.ragged);
    const int64_t from = (outer * split_.ragged + taken[outer]) * split_.inner;
    const int64_t width = count * split_.inner;
    taken[outer] += count;
    for (int64_t row = 0; width > 0 && row < m_; ++row) {
      std::memcpy(columns->data() + bytes(row * depth + at),
                  a_.bytes() + bytes((batch * m_ + row) * k_ + from), bytes(width));
    }
    std::memcpy(rows->data() + bytes(at * n_), b_.bytes() + bytes((batch * k_ + from) * n_),
                bytes(width * n_));
    at += width;
    budget_->Poll();
  }
  multiply_(columns->data(), rows->data(),
            c_.mutable_bytes() + bytes((group * batches_ + batch) * m_ * n_), m_, depth, n_,
            budget_, step_, nullptr);
}

void RaggedProduct::RunContracting() {
  Tensor taken(ElementType::kS64, Dims{split_.outer}, budget_);
  for (int64_t batch = 0; batch < batches_; ++batch) {
    std::memset(taken.mutable_bytes(), 0, static_cast<size_t>(taken.byte_size()));
    for (int64_t group = 0; group < groups_; ++group) {
      MultiplyGathered(batch, group, taken.mutable_data<int64_t>());
    }
  }
}

Tensor RaggedProduct::Run() {
  if (c_.element_count() == 0 || k_ == 0) return std::move(c_);
  switch (mode_) {
    case RaggedMode::kFree:
      RunFree();
      break;
    case RaggedMode::kContracting:
      RunContracting();
      break;
    case RaggedMode::kBatch:
      RunBatch();
      break;
  }
  return std::move(c_);
}

}  // namespace

RaggedMode RaggedModeOf(const DotDims& dims, int64_t ragged) {
  if (Contains(dims.lhs_contracting, ragged)) return RaggedMode::kContracting;
  if (Contains(dims.lhs_batch, ragged)) return RaggedMode::kBatch;
  return RaggedMode::kFree;
}

Dims RaggedPrefix(const DotDims& dims, int lhs_rank, int64_t ragged) {
  switch (RaggedModeOf(dims, ragged)) {
    case RaggedMode::kFree:
      return Joined(dims.lhs_batch,
                    Before(FreeDims(lhs_rank, dims.lhs_batch, dims.lhs_contracting), ragged));
    case RaggedMode::kContracting:
      return Joined(dims.lhs_batch, Before(dims.lhs_contracting, ragged));
    case RaggedMode::kBatch:
      break;
  }
  return Before(dims.lhs_batch, ragged);
}

Tensor RaggedContract(const Tensor& lhs, const Tensor& rhs, const Tensor& group_sizes,
                      const RaggedDims& dims, const Shape& shape, Budget* budget,
                      MultiplyAdd step) {
  const ElementType type = shape.element_type();
  const Tensor rounded = ConvertTensor(
      RaggedProduct(lhs, rhs, group_sizes, dims, type, budget, step).Run(), type, budget);
  Tensor result = WithBounds(rounded, shape, budget);
  // Smaller run-time sizes: the rest is zero, and not live in dynamic dimensions.
  Dims live = shape.dims();
  for (size_t d = 0; d < live.size(); ++d) {
    if (shape.is_dynamic(static_cast<int>(d))) live[d] = rounded.dims()[d];
  }
  SetLiveDims(&result, live);
  return result;
}

}  // namespace hlo
