#include "engine/ops/custom_calls/matrix_factors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/base/stable_sort.h"
#include "engine/lanes/f64_functions.h"
#include "engine/ops/custom_calls/custom_call_targets.h"
#include "engine/ops/custom_calls/matrix_tools.h"
#include "engine/ops/movement/tensor_moves.h"

namespace hlo {
namespace {

// ---- LU -----------------------------------------------------------------------------------------

void Factor(const Matrix& a, int32_t* pivots, int32_t* permutation, Budget* budget) {
  std::iota(permutation, permutation + a.rows, 0);
  for (int64_t k = 0; k < std::min(a.rows, a.columns); ++k) {
    int64_t pivot = k;
    for (int64_t r = k + 1; r < a.rows; ++r) {
      if (Size(a.at(r, k)) > Size(a.at(pivot, k))) pivot = r;
    }
    pivots[k] = static_cast<int32_t>(pivot);
    if (pivot != k) {
      std::swap_ranges(&a.at(k, 0), &a.at(k, 0) + a.columns, &a.at(pivot, 0));
      std::swap(permutation[k], permutation[pivot]);
    }
    if (a.at(k, k) == 0.0) continue;
    for (int64_t r = k + 1; r < a.rows; ++r) {
      const Complex factor = a.at(r, k) /= a.at(k, k);
      for (int64_t c = k + 1; c < a.columns; ++c) a.at(r, c) -= Times(factor, a.at(k, c));
    }
    budget->Poll();
  }
}

// ---- Householder reflectors ---------------------------------------------------------------------

/// a := (1 - tau v v^H) a on the rows from k and the columns from c0; v is column k of `vectors`
/// below the diagonal, with a 1 on it.
void Reflect(const Matrix& vectors, int64_t k, Complex tau, const Matrix& a, int64_t c0) {
  for (int64_t c = c0; c < a.columns; ++c) {
    Complex sum = a.at(k, c);
    for (int64_t r = k + 1; r < a.rows; ++r) sum += Times(std::conj(vectors.at(r, k)), a.at(r, c));
    sum = Times(sum, tau);
    a.at(k, c) -= sum;
    for (int64_t r = k + 1; r < a.rows; ++r) a.at(r, c) -= Times(vectors.at(r, k), sum);
  }
}

/// Makes column k zero below the diagonal; stores v there and returns tau.
Complex MakeReflector(const Matrix& a, int64_t k) {
  double largest = 0;
  for (int64_t r = k + 1; r < a.rows; ++r) largest = std::max(largest, Size(a.at(r, k)));
  const Complex alpha = a.at(k, k);
  if (largest == 0 && alpha.imag() == 0) return 0;
  double sum = 0;
  for (int64_t r = k + 1; largest > 0 && r < a.rows; ++r) sum += std::norm(a.at(r, k) / largest);
  const double below = largest * std::sqrt(sum);
  const double beta = -std::copysign(f64::Hypot(Size(alpha), below), alpha.real());
  for (int64_t r = k + 1; r < a.rows; ++r) a.at(r, k) /= alpha - beta;
  a.at(k, k) = beta;
  return {(beta - alpha.real()) / beta, -alpha.imag() / beta};
}

void Factor(const Matrix& a, Complex* taus, Budget* budget) {
  for (int64_t k = 0; k < std::min(a.rows, a.columns); ++k) {
    taus[k] = MakeReflector(a, k);
    Reflect(a, k, std::conj(taus[k]), a, k + 1);
    budget->Poll();
  }
}

/// The first columns of the product of the reflectors given by `vectors` and `taus`.
void MultiplyReflectors(const Matrix& vectors, const Complex* taus, int64_t count,
                        const Matrix& product, Budget* budget) {
  product.SetIdentity();
  for (int64_t k = count - 1; k >= 0; --k) {
    Reflect(vectors, k, taus[k], product, 0);
    budget->Poll();
  }
}

// ---- Eigenvalues --------------------------------------------------------------------------------

/// The full Hermitian matrix given by one of its triangles.
void Mirror(const Matrix& a, bool lower) {
  for (int64_t r = 0; r < a.rows; ++r) {
    a.at(r, r) = a.at(r, r).real();
    for (int64_t c = 0; c < r; ++c) {
      if (lower) {
        a.at(c, r) = std::conj(a.at(r, c));
      } else {
        a.at(r, c) = std::conj(a.at(c, r));
      }
    }
  }
}

/// The Jacobi rotation that makes a[p,q] zero, applied to the columns of the eigenvectors too.
void ClearOffDiagonal(const Matrix& a, const Matrix& vectors, int64_t p, int64_t q) {
  const Complex off = a.at(p, q);
  if (Size(off) == 0) return;
  const Rotation rotation = JacobiRotation(a.at(p, p).real(), a.at(q, q).real(), off);
  RotateColumns(rotation, a, p, q);
  RotateColumns(rotation, vectors, p, q);
  const auto [c, s, phase] = rotation;
  for (int64_t k = 0; k < a.columns; ++k) {
    const Complex x = a.at(p, k), y = Times(a.at(q, k), phase);
    a.at(p, k) = c * x - s * y;
    a.at(q, k) = s * x + c * y;
  }
}

/// The diagonal of `a` becomes the eigenvalues.
void Diagonalise(const Matrix& a, const Matrix& vectors, Budget* budget) {
  constexpr int kMostSweeps = 60;
  constexpr double kNothing = 1e-34;  // relative to the sum of squares
  vectors.SetIdentity();
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double all = 0, off = 0;
    for (int64_t r = 0; r < a.rows; ++r) {
      for (int64_t c = 0; c < a.rows; ++c) (r == c ? all : off) += std::norm(a.at(r, c));
    }
    if (!(off > kNothing * all)) return;
    for (int64_t p = 0; p < a.rows; ++p) {
      for (int64_t q = p + 1; q < a.rows; ++q) ClearOffDiagonal(a, vectors, p, q);
      budget->Poll();
    }
  }
}

/// The permutation that sorts the diagonal in ascending order; NaN are left where they are.
std::vector<int64_t> Ascending(const Matrix& a) {
  std::vector<int64_t> order(static_cast<size_t>(a.rows));
  std::iota(order.begin(), order.end(), int64_t{0});
  auto value = [&](int64_t i) { return a.at(i, i).real(); };
  for (int64_t i : order) {
    if (std::isnan(value(i))) return order;
  }
  StableSort(order.begin(), order.end(), [&](int64_t i, int64_t j) { return value(i) < value(j); });
  return order;
}

}  // namespace

Value EvalLu(const OpCall& call, std::span<Value> args, EvalContext& context) {
  if (call.operand_count() != 1 || !IsMatrices(call, 0)) RefuseOperands(call, "matrices");
  const Shape& shape = call.operand(0);
  Budget* const budget = context.budget();
  Tensor a = WidenedCopy(args[0].tensor(), budget);
  const int64_t rows = a.dim(a.rank() - 2), few = std::min(rows, a.dim(a.rank() - 1));
  Tensor pivots(ElementType::kS32, BatchDims(shape, {few}), budget);
  Tensor permutation(ElementType::kS32, BatchDims(shape, {rows}), budget);
  for (int64_t b = 0; b < BatchCount(shape); ++b) {
    Factor(MatrixOf(a, b), pivots.mutable_data<int32_t>() + b * few,
           permutation.mutable_data<int32_t>() + b * rows, budget);
  }
  return Value::Tuple({ConvertTensor(a, shape.element_type(), budget), pivots, permutation});
}

Value EvalQr(const OpCall& call, std::span<Value> args, EvalContext& context) {
  if (call.operand_count() != 1 || !IsMatrices(call, 0)) RefuseOperands(call, "matrices");
  const Shape& shape = call.operand(0);
  Budget* const budget = context.budget();
  Tensor a = WidenedCopy(args[0].tensor(), budget);
  const int64_t few = std::min(a.dim(a.rank() - 2), a.dim(a.rank() - 1));
  Tensor taus(ElementType::kC128, BatchDims(shape, {few}), budget);
  for (int64_t b = 0; b < BatchCount(shape); ++b) {
    Factor(MatrixOf(a, b), taus.mutable_data<Complex>() + b * few, budget);
  }
  return Value::Tuple({ConvertTensor(a, shape.element_type(), budget),
                       ConvertTensor(taus, shape.element_type(), budget)});
}

Value EvalHouseholderProduct(const OpCall& call, std::span<Value> args, EvalContext& context) {
  constexpr std::string_view kTakes = "matrices [m,n] with m >= n and at most n scalars for each";
  if (call.operand_count() != 2 || !IsMatrices(call, 0)) RefuseOperands(call, kTakes);
  const Shape& shape = call.operand(0);
  const Shape& scalars = call.operand(1);
  const int64_t rows = shape.dim(shape.rank() - 2), columns = shape.dim(shape.rank() - 1);
  const int64_t count = scalars.IsArray() && scalars.rank() > 0 ? scalars.dims().back() : -1;
  if (count < 0 || count > columns || rows < columns ||
      !Shape::Compatible(scalars, Shape::Array(shape.element_type(), BatchDims(shape, {count})))) {
    RefuseOperands(call, kTakes);
  }
  Budget* const budget = context.budget();
  Tensor vectors = WidenedCopy(args[0].tensor(), budget);
  const Tensor taus = WidenedCopy(args[1].tensor(), budget);
  Tensor product(ElementType::kC128, vectors.dims(), budget);
  for (int64_t b = 0; b < BatchCount(shape); ++b) {
    MultiplyReflectors(MatrixOf(vectors, b), taus.data<Complex>() + b * count, count,
                       MatrixOf(product, b), budget);
  }
  return ConvertTensor(product, shape.element_type(), budget);
}

Value EvalQrExplicit(const OpCall& call, std::span<Value> args, EvalContext& context) {
  if (call.operand_count() != 1 || !IsMatrices(call, 0)) RefuseOperands(call, "matrices");
  const Shape& shape = call.operand(0);
  const int64_t m = shape.dim(shape.rank() - 2), n = shape.dims().back(), few = std::min(m, n);
  // Full matrices, unless the written result is smaller.
  const Shape& result = call.shape();
  const bool has_q = result.IsTuple() && !result.elements().empty() &&
                     result.elements()[0].IsArray() && result.elements()[0].rank() > 0;
  const bool full =
      ConfigInt(call, "full_matrices", has_q && result.elements()[0].dims().back() == m) != 0;
  const int64_t inner = full ? m : few;
  Budget* const budget = context.budget();
  Tensor a = WidenedCopy(args[0].tensor(), budget);
  Tensor q(ElementType::kC128, BatchDims(shape, {m, inner}), budget);
  Tensor r(ElementType::kC128, BatchDims(shape, {inner, n}), budget);
  std::vector<Complex> taus(static_cast<size_t>(few));
  for (int64_t b = 0; b < BatchCount(shape); ++b) {
    const Matrix packed = MatrixOf(a, b), upper = MatrixOf(r, b);
    Factor(packed, taus.data(), budget);
    MultiplyReflectors(packed, taus.data(), few, MatrixOf(q, b), budget);
    for (int64_t i = 0; i < inner; ++i) {
      for (int64_t k = 0; k < n; ++k) upper.at(i, k) = k < i ? 0 : packed.at(i, k);
    }
  }
  return Value::Tuple({ConvertTensor(q, shape.element_type(), budget),
                       ConvertTensor(r, shape.element_type(), budget)});
}

namespace {

/// The sign (or phase) of the determinant, and the logarithm of its absolute value.
std::pair<Complex, double> SignAndLog(const Matrix& a, Budget* budget) {
  std::vector<int32_t> pivots(static_cast<size_t>(a.rows)), rows(pivots.size());
  Factor(a, pivots.data(), rows.data(), budget);
  Complex sign = 1;
  double log = 0;
  for (int64_t i = 0; i < a.rows; ++i) {
    const double size = Size(a.at(i, i));
    log += f64::Log(size);
    sign = size == 0 ? 0 : Times(sign, a.at(i, i) / size);
    if (pivots[static_cast<size_t>(i)] != i) sign = -sign;
  }
  return {sign, log};
}

}  // namespace

template <bool kWithSign>
Value EvalDeterminant(const OpCall& call, std::span<Value> args, EvalContext& context) {
  if (call.operand_count() != 1 || !IsSquare(call, 0)) RefuseOperands(call, "square matrices");
  const Shape& shape = call.operand(0);
  Budget* const budget = context.budget();
  Tensor a = WidenedCopy(args[0].tensor(), budget);
  Tensor signs(ElementType::kC128, BatchDims(shape, {}), budget);
  Tensor logs(ElementType::kF64, BatchDims(shape, {}), budget);
  for (int64_t b = 0; b < BatchCount(shape); ++b) {
    const auto [sign, log] = SignAndLog(MatrixOf(a, b), budget);
    signs.mutable_data<Complex>()[b] = sign;
    const bool has_log = kWithSign || (sign.imag() == 0 && sign.real() >= 0);
    logs.mutable_data<double>()[b] = has_log ? log : std::numeric_limits<double>::quiet_NaN();
  }
  // XLA's logarithms have the matrix's element type.
  Tensor log = ConvertTensor(logs, shape.element_type(), budget);
  if constexpr (kWithSign) {
    return Value::Tuple({ConvertTensor(signs, shape.element_type(), budget), std::move(log)});
  } else {
    return Value(std::move(log));
  }
}
template Value EvalDeterminant<true>(const OpCall&, std::span<Value>, EvalContext&);
template Value EvalDeterminant<false>(const OpCall&, std::span<Value>, EvalContext&);

Value EvalEigh(const OpCall& call, std::span<Value> args, EvalContext& context) {
  if (call.operand_count() != 1 || !IsSquare(call, 0)) RefuseOperands(call, "square matrices");
  const Shape& shape = call.operand(0);
  Budget* const budget = context.budget();
  const std::string_view config = call.String("backend_config");
  const bool lower = !config.starts_with("0") && ConfigInt(call, "lower", 1) != 0;
  Tensor a = WidenedCopy(args[0].tensor(), budget);
  Tensor vectors(ElementType::kC128, a.dims(), budget),
      sorted(ElementType::kC128, a.dims(), budget);
  const int64_t n = shape.dims().back();
  Tensor values(ElementType::kF64, BatchDims(shape, {n}), budget);
  for (int64_t b = 0; b < BatchCount(shape); ++b) {
    const Matrix m = MatrixOf(a, b), v = MatrixOf(vectors, b), to = MatrixOf(sorted, b);
    Mirror(m, lower);
    Diagonalise(m, v, budget);
    const std::vector<int64_t> order = Ascending(m);
    for (int64_t i = 0; i < n; ++i) {
      const int64_t from = order[static_cast<size_t>(i)];
      values.mutable_data<double>()[b * n + i] = m.at(from, from).real();
      for (int64_t r = 0; r < n; ++r) to.at(r, i) = v.at(r, from);
    }
  }
  return Value::Tuple({ConvertTensor(sorted, shape.element_type(), budget),
                       ConvertTensor(values, ComponentType(shape.element_type()), budget)});
}

}  // namespace hlo
