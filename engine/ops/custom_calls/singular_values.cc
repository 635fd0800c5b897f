// The singular value decomposition, by Jacobi's rotations of pairs of columns (Hestenes).
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/base/stable_sort.h"
#include "engine/ops/custom_calls/custom_call_targets.h"
#include "engine/ops/custom_calls/matrix_factors.h"
#include "engine/ops/custom_calls/matrix_tools.h"
#include "engine/ops/movement/tensor_moves.h"

namespace hlo {
namespace {

double Norm(const Matrix& a, int64_t column) {
  double largest = 0, sum = 0;
  for (int64_t r = 0; r < a.rows; ++r) largest = std::max(largest, Size(a.at(r, column)));
  if (!(largest > 0)) return largest;
  for (int64_t r = 0; r < a.rows; ++r) sum += std::norm(a.at(r, column) / largest);
  return largest * std::sqrt(sum);
}

/// conj(column p)^T column q.
Complex ColumnProduct(const Matrix& a, int64_t p, int64_t q) {
  Complex sum = 0;
  for (int64_t r = 0; r < a.rows; ++r) sum += Times(std::conj(a.at(r, p)), a.at(r, q));
  return sum;
}

/// Rotates columns p and q of `a`, and those of `v` with them, so that the former are orthogonal.
/// False if they already were.
bool MakeOrthogonal(const Matrix& a, const Matrix& v, int64_t p, int64_t q) {
  constexpr double kNothing = 1e-16;
  const double norm_p = Norm(a, p), norm_q = Norm(a, q);
  const double pp = norm_p * norm_p, qq = norm_q * norm_q;
  const Complex pq = ColumnProduct(a, p, q);
  if (!(Size(pq) > kNothing * std::sqrt(pp) * std::sqrt(qq))) return false;
  const Rotation rotation = JacobiRotation(pp, qq, pq);
  RotateColumns(rotation, a, p, q);
  RotateColumns(rotation, v, p, q);
  return true;
}

/// For m x n with m >= n: makes the columns of `a` orthogonal; `v` is the rotation that did so.
void Orthogonalise(const Matrix& a, const Matrix& v, Budget* budget) {
  constexpr int kMostSweeps = 60;
  v.SetIdentity();
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    bool rotated = false;
    for (int64_t p = 0; p < a.columns; ++p) {
      for (int64_t q = p + 1; q < a.columns; ++q) rotated |= MakeOrthogonal(a, v, p, q);
      budget->Poll();
    }
    if (!rotated) return;
  }
}

/// Makes column k of `u` a unit vector that is orthogonal to those before it.
void Complete(const Matrix& u, int64_t k) {
  for (int64_t i = 0; i < u.rows; ++i) {
    for (int64_t r = 0; r < u.rows; ++r) u.at(r, k) = r == (k + i) % u.rows ? 1 : 0;
    for (int twice = 0; twice < 2; ++twice) {
      for (int64_t before = 0; before < k; ++before) {
        const Complex part = ColumnProduct(u, before, k);
        for (int64_t r = 0; r < u.rows; ++r) u.at(r, k) -= Times(u.at(r, before), part);
      }
    }
    const double norm = Norm(u, k);
    // Some unit vector has at least this component orthogonal to the others.
    if (norm < 0.5 / std::sqrt(static_cast<double>(u.rows))) continue;
    for (int64_t r = 0; r < u.rows; ++r) u.at(r, k) /= norm;
    return;
  }
}

/// a[m,n], m >= n, is replaced; u[m,m], d[n], v[n,n].
void Decompose(const Matrix& a, const Matrix& u, double* d, const Matrix& v, Budget* budget) {
  Tensor rotations(ElementType::kC128, Dims{a.columns, a.columns}, budget);
  const Matrix rotation = MatrixOf(rotations, 0);
  Orthogonalise(a, rotation, budget);
  std::vector<double> norms;
  for (int64_t k = 0; k < a.columns; ++k) norms.push_back(Norm(a, k));
  std::vector<int64_t> order(norms.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  const bool has_nan = std::any_of(norms.begin(), norms.end(), [](double x) { return x != x; });
  if (!has_nan) {
    StableSort(order.begin(), order.end(), [&](int64_t i, int64_t k) {
      return norms[static_cast<size_t>(i)] > norms[static_cast<size_t>(k)];
    });
  }
  // A column this small is rounding error and has no meaningful direction.
  const double least =
      a.columns == 0 ? 0
                     : norms[static_cast<size_t>(order[0])] * 1e-15 * static_cast<double>(a.rows);
  for (int64_t k = 0; k < a.columns; ++k) {
    const int64_t from = order[static_cast<size_t>(k)];
    d[k] = norms[static_cast<size_t>(from)];
    for (int64_t r = 0; r < a.columns; ++r) v.at(r, k) = rotation.at(r, from);
    if (d[k] <= least) {
      Complete(u, k);
      continue;
    }
    for (int64_t r = 0; r < a.rows; ++r) u.at(r, k) = a.at(r, from) / d[k];
  }
  for (int64_t k = a.columns; k < a.rows; ++k) {
    Complete(u, k);
    budget->Poll();
  }
}

/// conj(a)^T.
void Adjoin(const Matrix& a, const Matrix& to) {
  for (int64_t r = 0; r < a.rows; ++r) {
    for (int64_t c = 0; c < a.columns; ++c) to.at(c, r) = std::conj(a.at(r, c));
  }
}

/// The leading columns that the result has, in its type.
Tensor Leading(const Tensor& all, const Shape& wanted, Budget* budget) {
  const bool fits =
      wanted.IsArray() && wanted.rank() == all.rank() && wanted.dims().back() <= all.dims().back();
  Dims dims = all.dims();
  if (fits) dims.back() = wanted.dims().back();
  const StridedView view = Prefix(RowMajorView(all.dims()), dims);
  return TensorFromView(all, view, Shape::Array(ElementType::kC128, dims), budget);
}

}  // namespace

Value EvalSvd(const OpCall& call, std::span<Value> args, EvalContext& context) {
  if (call.operand_count() != 1 || !IsMatrices(call, 0)) RefuseOperands(call, "matrices");
  const Shape& result = call.shape();
  if (!result.IsTuple() || result.elements().size() != 3) {
    RefuseCall(call, "gives (u, d, v)");
  }
  const Shape& shape = call.operand(0);
  const int64_t m = shape.dim(shape.rank() - 2), n = shape.dims().back(), few = std::min(m, n);
  Budget* const budget = context.budget();
  Tensor a = WidenedCopy(args[0].tensor(), budget);
  Tensor u(ElementType::kC128, BatchDims(shape, {m, m}), budget);
  Tensor v(ElementType::kC128, BatchDims(shape, {n, n}), budget);
  Tensor d(ElementType::kF64, BatchDims(shape, {few}), budget);
  Tensor adjoint(ElementType::kC128, Dims{n, m < n ? m : 0}, budget);
  for (int64_t b = 0; b < BatchCount(shape); ++b) {
    double* const values = d.mutable_data<double>() + b * few;
    if (m >= n) {
      Decompose(MatrixOf(a, b), MatrixOf(u, b), values, MatrixOf(v, b), budget);
    } else {
      const Matrix turned = MatrixOf(adjoint, 0);
      Adjoin(MatrixOf(a, b), turned);
      Decompose(turned, MatrixOf(v, b), values, MatrixOf(u, b), budget);
    }
  }
  const ElementType type = shape.element_type();
  return Value::Tuple(
      {ConvertTensor(Leading(u, result.elements()[0], budget), type, budget),
       ConvertTensor(d, result.elements()[1].IsArray() ? result.elements()[1].element_type() : type,
                     budget),
       ConvertTensor(Leading(v, result.elements()[2], budget), type, budget)});
}

}  // namespace hlo
