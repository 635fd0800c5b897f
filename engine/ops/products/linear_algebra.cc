// cholesky, triangular-solve.
#include <fmt/format.h>

#include <algorithm>
#include <complex>

#include "engine/kernels/complex_math.h"
#include "engine/kernels/move_copy.h"
#include "engine/kernels/triangular.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"
#include "engine/types/doubles.h"

namespace hlo {
namespace {

// ---- What both share ----------------------------------------------------------------------------

/// The view, with the last two dimensions exchanged if asked for.
StridedView Oriented(const StridedView& view, bool transposed) {
  Dims order;
  for (size_t d = 0; d < view.dims.size(); ++d) order.push_back(static_cast<int64_t>(d));
  if (transposed) std::swap(order[order.size() - 2], order[order.size() - 1]);
  return Permute(view, order);
}

/// The live rows and columns of every matrix in f64 or c128, transposed if asked for, in an
/// unshared buffer.
Tensor Matrices(const Tensor& tensor, int64_t rows, int64_t columns, bool transposed,
                Budget* budget) {
  const ElementType type = DoubleTypeOf(tensor.element_type());
  Tensor wide = ConvertTensor(tensor, type, budget);
  Dims sizes = wide.dims();
  sizes[sizes.size() - 2] = rows;
  sizes[sizes.size() - 1] = columns;
  StridedView view = Oriented(Prefix(RowMajorView(wide.dims()), sizes), transposed);
  Tensor result(type, view.dims, budget);
  GatherView(BytesOf(type), wide.bytes(), view, result.mutable_bytes(), budget);
  return result;
}

/// The inverse: a result of the size of `model`, zero outside the live part.
Tensor FinishMatrices(const Tensor& matrices, bool transposed, const Tensor& model,
                      ElementType type, Budget* budget) {
  Tensor narrow = ConvertTensor(matrices, type, budget);
  StridedView view = Oriented(RowMajorView(narrow.dims()), transposed);
  Tensor result = TensorFromView(narrow, view, Shape::Array(type, model.dims()), budget);
  SetLiveDims(&result, LiveDims(model));
  return result;
}

void Conjugate(Tensor* tensor) {
  if (tensor->element_type() != ElementType::kC128) return;
  Complex* data = tensor->mutable_data<Complex>();
  for (int64_t i = 0; i < tensor->element_count(); ++i) data[i] = std::conj(data[i]);
}

// ---- cholesky -----------------------------------------------------------------------------------

constexpr std::string_view kCholeskyOperand[] = {"a"};
constexpr AttrDef kCholeskyAttrs[] = {
    {"lower", AttrKind::kBool, AttrUse::kOptional,
     "Read the lower triangle and return a lower one; otherwise the upper."},
};

bool FailOperand(const OpCall& call, int i, std::string_view message, Diagnostics& out) {
  ReportOperand(call, i, DiagCode::kOperandInvalid, message, out);
  return false;
}

/// XLA, shape_inference.cc, InferCholeskyShape.
bool CheckCholesky(const OpCall& call, Diagnostics& out) {
  if (!CheckArray(call, 0, out)) return false;
  const Shape& a = call.operand(0);
  if (!IsFloat(a.element_type()) && !IsComplex(a.element_type())) {
    return FailOperand(call, 0,
                       fmt::format("Expected element type in shape to be floating or complex for "
                                   "Cholesky; got {}.",
                                   TypeName(a)),
                       out);
  }
  if (a.rank() < 2) {
    return FailOperand(
        call, 0,
        fmt::format("The 'a' argument to Cholesky must have rank >= 2, got shape {}", ShapeName(a)),
        out);
  }
  if (CompatibleSizes(a.dim(a.rank() - 2), a.dim(a.rank() - 1))) return true;
  return FailOperand(
      call, 0,
      fmt::format("The two minor dimensions of 'a' must have compatible size, got {}.",
                  ShapeName(a)),
      out);
}

std::optional<Shape> InferCholesky(const OpCall& call, Diagnostics& out) {
  if (!CheckCholesky(call, out)) return std::nullopt;
  return call.operand(0);
}

template <typename T>
void FactorAll(Tensor* matrices, int64_t n, Budget* budget) {
  const int64_t count = n == 0 ? 0 : matrices->element_count() / (n * n);
  FactorUpper(matrices->mutable_data<T>(), n, count, budget);
}

/// The lower factor of a is the conjugate transpose of the upper one, and the lower triangle of a
/// is the conjugate transpose of the upper one: so the transposed matrices have the transposed
/// factor.
Value EvalCholesky(const OpCall& call, std::span<Value> args, EvalContext& context) {
  Budget* budget = context.budget();
  const Tensor& a = args[0].tensor();
  bool lower = call.Bool("lower");
  int64_t n = std::min(a.live_dim(a.rank() - 2), a.live_dim(a.rank() - 1));
  Tensor matrices = Matrices(a, n, n, lower, budget);
  if (matrices.element_type() == ElementType::kC128) {
    FactorAll<Complex>(&matrices, n, budget);
  } else {
    FactorAll<double>(&matrices, n, budget);
  }
  return FinishMatrices(matrices, lower, a, call.shape().element_type(), budget);
}

// ---- triangular-solve ---------------------------------------------------------------------------

constexpr std::string_view kSolveOperands[] = {"a", "b"};
enum Transpose : int64_t { kNoTranspose, kTranspose, kAdjoint };
constexpr std::string_view kTransposes[] = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
constexpr AttrDef kSolveAttrs[] = {
    {"left_side", AttrKind::kBool, AttrUse::kOptional, "Solve op(a) x = b; otherwise x op(a) = b."},
    {"lower", AttrKind::kBool, AttrUse::kOptional,
     "a, as it is stored, is lower triangular; otherwise upper. The other triangle is not read."},
    {"unit_diagonal", AttrKind::kBool, AttrUse::kOptional,
     "The diagonal of a is taken to be ones and not read."},
    {.name = "transpose_a",
     .kind = AttrKind::kWord,
     .use = AttrUse::kOptional,
     .doc = "What op is: a itself, transposed, or transposed and conjugated.",
     .words = kTransposes,
     .always_printed = true},
};

/// XLA, shape_inference.cc, InferTriangularSolveShape.
bool CheckSolve(const OpCall& call, Diagnostics& out) {
  const Shape& a = call.operand(0);
  const Shape& b = call.operand(1);
  const auto fail = [&](int i, std::string_view message) {
    return FailOperand(call, i, message, out);
  };
  const ElementType type = a.element_type();
  if ((!IsFloat(type) && !IsComplex(type)) || type != b.element_type()) {
    return fail(1, fmt::format("Expected element types in shape to be floating or complex and "
                               "identical for TriangularSolve; got {} and {}.",
                               TypeName(a), TypeName(b)));
  }
  const int rank = a.rank();
  if (rank < 2) {
    return fail(0,
                fmt::format("The 'a' argument to TriangularSolve must have rank >= 2, got shape {}",
                            ShapeName(a)));
  }
  if (b.rank() != rank) {
    return fail(1, fmt::format("Arguments to triangular solve must have equal rank; got {} and {}.",
                               ShapeName(b), ShapeName(a)));
  }
  if (!CompatibleSizes(a.dim(rank - 2), a.dim(rank - 1))) {
    return fail(0, fmt::format("The two minor dimensions of 'a' must have equal size, got {}.",
                               ShapeName(a)));
  }
  if (!CompatibleSizes(a.dim(rank - 1), b.dim(rank - (call.Bool("left_side") ? 2 : 1)))) {
    return fail(1, fmt::format("The shared dimension of 'a' and 'b' does not match, got shapes {} "
                               "and {}",
                               ShapeName(a), ShapeName(b)));
  }
  if (!std::equal(a.dims().begin(), a.dims().end() - 2, b.dims().begin())) {
    return fail(1, fmt::format("The leading batch dimensions of the arguments to triangular solve "
                               "must be equal; got {} and {}.",
                               ShapeName(b), ShapeName(a)));
  }
  return true;
}

std::optional<Shape> InferTriangularSolve(const OpCall& call, Diagnostics& out) {
  if (!CheckArrays(call, out)) return std::nullopt;
  if (!call.Has("transpose_a")) {
    ReportOp(call, DiagCode::kAttributeMissing,
             "Invalid transpose option value for triangular solve: transpose_a must be "
             "NO_TRANSPOSE, TRANSPOSE or ADJOINT",
             out);
  }
  if (!CheckSolve(call, out)) return std::nullopt;
  return call.operand(1);
}

template <typename T>
void SolveAll(const Tensor& a, int64_t n, bool upper, bool unit_diagonal, Tensor* b, int64_t rows,
              Budget* budget) {
  const int64_t count = b->element_count() == 0 ? 0 : b->element_count() / (n * rows);
  SolveRows(a.data<T>(), n, count, upper, unit_diagonal, b->mutable_data<T>(), rows, budget);
}

/// Solved as x t = b by rows: for left_side everything is transposed, since op(a) x = b implies
/// transpose(x) transpose(op(a)) = transpose(b).
Value EvalTriangularSolve(const OpCall& call, std::span<Value> args, EvalContext& context) {
  Budget* budget = context.budget();
  const Tensor &a = args[0].tensor(), &b = args[1].tensor();
  bool left = call.Bool("left_side");
  int64_t op = call.Word("transpose_a");
  bool transposed = left == (op == kNoTranspose);
  int shared = b.rank() - (left ? 2 : 1), other = b.rank() - (left ? 1 : 2);
  int64_t n = std::min({a.live_dim(a.rank() - 2), a.live_dim(a.rank() - 1), b.live_dim(shared)});
  int64_t rows = b.live_dim(other);
  Tensor t = Matrices(a, n, n, transposed, budget);
  if (op == kAdjoint) Conjugate(&t);
  Tensor x = Matrices(b, left ? n : rows, left ? rows : n, left, budget);
  bool upper = call.Bool("lower") == transposed;
  auto solve = x.element_type() == ElementType::kC128 ? SolveAll<Complex> : SolveAll<double>;
  solve(t, n, upper, call.Bool("unit_diagonal"), &x, rows, budget);
  return FinishMatrices(x, left, b, call.shape().element_type(), budget);
}

}  // namespace

namespace ops {

const OpDef kCholesky{
    .doc = "The Cholesky factor of each positive definite matrix in the last two dimensions.",
    .source = "operation semantics, Cholesky",
    .differs =
        "The other triangle of the result is zero, and a matrix with a pivot that is negative or "
        "NaN becomes NaN altogether, as in XLA; the operation semantics document leaves both "
        "open. Computed in f64 and rounded once.",
    .operands = kCholeskyOperand,
    .types = "floats and complex numbers",
    .attrs = kCholeskyAttrs,
    .infer = InferCholesky,
    .eval = EvalCholesky,
    .keeps_layout = true,
};

const OpDef kTriangularSolve{
    .doc =
        "Solves systems of linear equations with triangular matrices a, for each matrix in the "
        "last two dimensions.",
    .source = "operation semantics, TriangularSolve",
    .differs =
        "By substitution in f64, rounded once. All of the result is defined: the operation "
        "semantics document's remark that only a triangle of it is cannot be meant.",
    .operands = kSolveOperands,
    .types = "floats and complex numbers",
    .attrs = kSolveAttrs,
    .infer = InferTriangularSolve,
    .eval = EvalTriangularSolve,
    .keeps_layout = true,
};

}  // namespace ops
}  // namespace hlo
