// Custom-call targets on matrices: the factorisations XLA expands, and its builder library
// (matrix.cc, tridiagonal.cc, qr.cc, svd.cc, lu_decomposition.cc, self_adjoint_eig.cc, logdet.cc).
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "engine/base/indices.h"
#include "engine/kernels/move_loops.h"
#include "engine/kernels/move_view.h"
#include "engine/ops/custom_calls/custom_call_targets.h"
#include "engine/ops/custom_calls/matrix_factors.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/products/einsum.h"
#include "engine/types/convert.h"

namespace hlo {
namespace {

// ---- Diagonals and triangles --------------------------------------------------------------------

void WantMatrices(const OpCall& call, int count) {
  WantOperands(call, count);
  if (count == 0 || (call.operand(0).IsArray() && call.operand(0).rank() >= 2)) return;
  RefuseCall(call, fmt::format("takes an array of two or more dimensions, not {}",
                               ShapeName(call.operand(0))));
}

/// Diagonal k of every matrix: k above the main one, or -k below.
StridedView DiagonalView(const Dims& dims, int64_t k) {
  StridedView view = RowMajorView(dims);
  const int64_t columns = view.dims.back(), rows = view.dims[view.dims.size() - 2];
  const int64_t right = std::clamp<int64_t>(k, 0, columns), down = std::clamp<int64_t>(-k, 0, rows);
  view.offset = right + down * columns;
  view.dims.pop_back();
  view.strides.pop_back();
  view.dims.back() = std::min(rows - down, columns - right);
  view.strides.back() = columns + 1;
  return view;
}

Value EvalDiagonal(const OpCall& call, std::span<Value> args, EvalContext& context) {
  WantMatrices(call, 1);
  const StridedView view = DiagonalView(call.operand(0).dims(), ConfigInt(call, "k", 0));
  return TensorFromView(args[0].tensor(), view,
                        Shape::Array(call.operand(0).element_type(), view.dims), context.budget());
}

Value EvalSetDiagonal(const OpCall& call, std::span<Value> args, EvalContext& context) {
  WantMatrices(call, 2);
  Tensor& matrices = args[0].tensor();
  const StridedView view = DiagonalView(matrices.dims(), ConfigInt(call, "k", 0));
  const Shape wanted = Shape::Array(matrices.element_type(), view.dims);
  if (!Shape::Compatible(call.operand(1), wanted)) {
    RefuseCall(call, fmt::format("has the diagonal {}, not {}", ShapeName(call.operand(1)),
                                 ShapeName(wanted)));
  }
  MakeUnique(&matrices, context.budget());
  CopyInto(args[1].tensor(), &matrices, view, context.budget());
  return std::move(args[0]);
}

/// Calls f(row, column, element number) for all elements of matrices of these dimensions.
template <typename F>
void ForEachElement(const Dims& dims, Budget* budget, F&& f) {
  const int64_t columns = dims.back(), rows = dims[dims.size() - 2];
  const int64_t count = ElementCount(dims);
  for (int64_t i = 0; i < count; ++i) {
    if (i % kPollElements == 0) budget->Poll();
    f(i / columns % rows, i % columns, i);
  }
}

/// pred: row + diagonal >= column, or == for the diagonal alone.
template <bool kTriangle>
Value EvalMask(const OpCall& call, std::span<Value>, EvalContext& context) {
  WantMatrices(call, 1);
  const int64_t diagonal = ConfigInt(call, "diagonal", 0);
  Tensor mask(ElementType::kPred, call.operand(0).dims(), context.budget());
  bool* const out = mask.mutable_data<bool>();
  ForEachElement(mask.dims(), context.budget(), [&](int64_t r, int64_t c, int64_t i) {
    out[i] = kTriangle ? r + diagonal >= c : r + diagonal == c;
  });
  return Value(std::move(mask));
}

/// A triangle: `side` is lower (-1), upper (1), or as the configuration says.
template <int kSide>
Value EvalTriangle(const OpCall& call, std::span<Value> args, EvalContext& context) {
  WantMatrices(call, 1);
  const bool lower = kSide == 0 ? ConfigInt(call, "lower", 1) != 0 : kSide < 0;
  Tensor& matrices = args[0].tensor();
  MakeUnique(&matrices, context.budget());
  const int64_t bytes = BytesOf(matrices.element_type());
  std::byte* const data = matrices.mutable_bytes();
  ForEachElement(matrices.dims(), context.budget(), [&](int64_t r, int64_t c, int64_t i) {
    if (lower ? c > r : c < r) std::memset(data + i * bytes, 0, static_cast<size_t>(bytes));
  });
  return std::move(args[0]);
}

template <typename T>
void ConjugateElement(std::byte* element, bool is_diagonal) {
  T parts[2];
  std::memcpy(parts, element, sizeof(parts));
  parts[1] = is_diagonal ? 0 : -parts[1];
  std::memcpy(element, parts, sizeof(parts));
}

/// The full symmetric (Hermitian) matrix given by one of its triangles.
Value EvalSymmetrize(const OpCall& call, std::span<Value> args, EvalContext& context) {
  WantMatrices(call, 1);
  Tensor& matrices = args[0].tensor();
  const int64_t n = matrices.dims().back();
  if (matrices.dim(matrices.rank() - 2) != n) {
    RefuseCall(call, fmt::format("takes square matrices, not {}", ShapeName(call.operand(0))));
  }
  const bool lower = ConfigInt(call, "lower", 1) != 0;
  MakeUnique(&matrices, context.budget());
  const ElementType type = matrices.element_type();
  const int64_t bytes = BytesOf(type);
  std::byte* const data = matrices.mutable_bytes();
  ForEachElement(matrices.dims(), context.budget(), [&](int64_t r, int64_t c, int64_t i) {
    if (lower ? c < r : c > r) return;
    const int64_t mirrored = i + (c - r) * n + (r - c);
    if (r != c) std::memcpy(data + i * bytes, data + mirrored * bytes, static_cast<size_t>(bytes));
    if (type == ElementType::kC64) ConjugateElement<float>(data + i * bytes, r == c);
    if (type == ElementType::kC128) ConjugateElement<double>(data + i * bytes, r == c);
  });
  return std::move(args[0]);
}

Value EvalIdentityMatrix(const OpCall& call, std::span<Value>, EvalContext& context) {
  WantOperands(call, 0);
  const Shape& shape = call.shape();
  if (!shape.IsArray() || shape.rank() != 2) {
    RefuseCall(call, fmt::format("gives a matrix, not {}", ShapeName(shape)));
  }
  Value result = ZeroValue(shape, context.budget());
  const StridedView diagonal = DiagonalView(shape.dims(), 0);
  const bool truth = true;
  for (int64_t i = 0; i < diagonal.dims[0]; ++i) {
    ConvertElements(
        ElementType::kPred, reinterpret_cast<const std::byte*>(&truth), shape.element_type(),
        result.tensor().mutable_bytes() + i * diagonal.strides[0] * BytesOf(shape.element_type()),
        1);
  }
  return result;
}

Value EvalTransposeMinor(const OpCall& call, std::span<Value> args, EvalContext& context) {
  WantMatrices(call, 1);
  Dims permutation;
  for (int d = 0; d < call.operand(0).rank(); ++d) permutation.push_back(d);
  std::swap(permutation[permutation.size() - 1], permutation[permutation.size() - 2]);
  return CallAs(Opcode::kTranspose, {{"dimensions", permutation}}, call, args, call.shape(),
                context);
}

// ---- Products -----------------------------------------------------------------------------------

Value EvalEinsum(const OpCall& call, std::span<Value> args, EvalContext& context) {
  return Einsum(call, call.String("backend_config"), args, context);
}

Value EvalBatchDot(const OpCall& call, std::span<Value> args, EvalContext& context) {
  std::string text = "...mk,...kn->...mn";
  if (ConfigInt(call, "transpose_x", 0) != 0) std::swap(text[3], text[4]);
  if (ConfigInt(call, "transpose_y", 0) != 0) std::swap(text[9], text[10]);
  return Einsum(call, text, args, context);
}

constexpr std::string_view kMatrixSource = "XLA, matrix.cc";
constexpr std::string_view kOneMatrix = "a: [..., m, n]", kOneSquare = "a: [..., n, n]";
constexpr std::string_view kBackward = "backward error 1e-14 |a| (f64, c128)";

constexpr BuiltInTarget PartTarget(std::string_view name, std::string_view result,
                                   std::string_view doc, std::string_view config,
                                   Value (*eval)(const OpCall&, std::span<Value>, EvalContext&)) {
  return {.name = name,
          .operands = kOneMatrix,
          .result = result,
          .doc = doc,
          .config = config,
          .source = kMatrixSource,
          .eval = eval};
}

constexpr BuiltInTarget kMatrixTargets[] = {
    {.name = "Eigh",
     .aliases = "xla_builder.self_adjoint_eig.SelfAdjointEig",
     .operands = kOneSquare,
     .result = "(v [..., n, n], w [..., n])",
     .doc = "Unit eigenvectors in columns (up to their signs and phases) and ascending eigenvalues "
            "of symmetric (Hermitian) matrices.",
     .config = "\"1,...\" or \"0,...\", or lower: which triangle is read",
     .error = kBackward,
     .source = "XLA, eigh_expander.cc, self_adjoint_eig.cc",
     .eval = EvalEigh},
    {.name = "LuDecomposition",
     .aliases = "xla_builder.lu_decomposition.LuDecomposition",
     .operands = kOneMatrix,
     .result = "(lu, s32 [..., min(m, n)], s32 [..., m])",
     .doc = "LU with partial pivoting: packed factors, row exchanges, permutation.",
     .error = kBackward,
     .source = "XLA, lu_decomposition.cc",
     .eval = EvalLu},
    {.name = "ProductOfElementaryHouseholderReflectors",
     .aliases = "xla_builder.qr.ProductOfElementaryHouseholderReflectors",
     .operands = "a: [..., m, n], taus: [..., k]",
     .result = "as a",
     .doc = "Q, of the packed factors and scalars of Qr.",
     .error = "1e-14 (f64, c128)",
     .source = "XLA, householder expander, qr.cc",
     .eval = EvalHouseholderProduct},
    {.name = "Qr",
     .aliases = "xla_builder.qr.Qr",
     .operands = kOneMatrix,
     .result = "(qr, taus [..., min(m, n)])",
     .doc = "Householder QR, as LAPACK packs it: R over the reflectors, their scalars.",
     .error = kBackward,
     .source = "XLA, qr_expander.cc, qr.cc",
     .eval = EvalQr},
    {.name = "xla_builder.logdet.LogDet",
     .operands = kOneSquare,
     .result = "[...]",
     .doc = "Logarithm of the determinant; NaN where that is negative.",
     .error = kBackward,
     .source = "XLA, logdet.cc",
     .eval = EvalDeterminant<false>},
    {.name = "xla_builder.logdet.SLogDet",
     .operands = kOneSquare,
     .result = "(sign [...], log [...])",
     .doc = "Sign (phase) of the determinant, and logarithm of its absolute value.",
     .error = kBackward,
     .source = "XLA, logdet.cc",
     .eval = EvalDeterminant<true>},
    {.name = "xla_builder.matrix.BatchDot",
     .operands = "a: [..., m, k], b: [..., k, n]",
     .result = "[..., m, n]",
     .doc = "Matrix products; a batch dimension of size 1 is stretched.",
     .config = "transpose_x, transpose_y",
     .source = kMatrixSource,
     .eval = EvalBatchDot},
    {.name = "xla_builder.matrix.Einsum",
     .operands = "a, b: arrays",
     .result = "as the text says",
     .doc = "The einsum given by an equation such as `...mk,...kn->...mn`.",
     .config = "the text is all of backend_config",
     .source = kMatrixSource,
     .eval = EvalEinsum},
    PartTarget("xla_builder.matrix.GetDiagonalMask", "pred, as a", "row + diagonal = column.",
               "diagonal", EvalMask<false>),
    {.name = "xla_builder.matrix.GetMatrixDiagonal",
     .aliases = "xla_builder.matrix.GetMatrixDiagonalViaGather",
     .operands = kOneMatrix,
     .result = "[..., length]",
     .doc = "A diagonal: k above the main one, -k below it.",
     .config = "k",
     .source = kMatrixSource,
     .eval = EvalDiagonal},
    {.name = "xla_builder.matrix.IdentityMatrix",
     .operands = "none",
     .result = "[m, n]",
     .doc = "Ones on the diagonal.",
     .source = kMatrixSource,
     .eval = EvalIdentityMatrix},
    PartTarget("xla_builder.matrix.LowerTriangle", "as a", "The lower triangle; zeros above.", {},
               EvalTriangle<-1>),
    {.name = "xla_builder.matrix.SetMatrixDiagonal",
     .operands = "a: [..., m, n], diagonal: [..., length]",
     .result = "as a",
     .doc = "a with this diagonal.",
     .config = "k",
     .source = kMatrixSource,
     .eval = EvalSetDiagonal},
    PartTarget("xla_builder.matrix.Symmetrize", "as a",
               "The symmetric (Hermitian) matrix given by one triangle.", "lower (true)",
               EvalSymmetrize),
    PartTarget("xla_builder.matrix.TransposeInMinorDims", "[..., n, m]", "The transposed matrices.",
               {}, EvalTransposeMinor),
    PartTarget("xla_builder.matrix.Triangle", "as a", "A triangle; zeros elsewhere.",
               "lower (true)", EvalTriangle<0>),
    PartTarget("xla_builder.matrix.TriangleMask", "pred, as a", "row + diagonal >= column.",
               "diagonal", EvalMask<true>),
    PartTarget("xla_builder.matrix.UpperTriangle", "as a", "The upper triangle; zeros below.", {},
               EvalTriangle<1>),
    {.name = "xla_builder.qr.QrExplicit",
     .operands = kOneMatrix,
     .result = "(q [..., m, p], r [..., p, n])",
     .doc = "QR with both factors written out; p is m or min(m, n).",
     .config = "full_matrices (otherwise as the result is written)",
     .error = kBackward,
     .source = "XLA, qr.cc",
     .eval = EvalQrExplicit},
    {.name = "xla_builder.svd.SVD",
     .operands = kOneMatrix,
     .result = "(u [..., m, m], d [..., min(m, n)], v [..., n, n])",
     .doc =
         "a = u diag(d) conj(v)^T, d descending; signs and phases of the vectors are free. u and "
         "v may be written with fewer columns.",
     .error = kBackward,
     .source = "XLA, svd.cc",
     .eval = EvalSvd},
    {.name = "xla_builder.tridiagonal.TridiagonalMatMul",
     .operands = "upper, main, lower: [..., 1, m], b: [..., m, n]",
     .result = "as b",
     .doc = "The product of the matrix of these diagonals and b.",
     .error = "4 ulps of the largest term",
     .source = "XLA, tridiagonal.cc",
     .eval = EvalTridiagonalProduct},
    {.name = "xla_builder.tridiagonal.TridiagonalSolver",
     .operands =
         "lower, main, upper: [..., 1, n], b: [..., k, n]; or diagonals: [..., 3, n] (upper, "
         "main, lower), b: [..., n, k]",
     .result = "as b",
     .doc = "Solutions of the systems with these diagonals, without pivoting.",
     .error = kBackward,
     .source = "XLA, tridiagonal.cc",
     .eval = EvalTridiagonalSolve},
};

}  // namespace

std::span<const BuiltInTarget> MatrixTargets() { return kMatrixTargets; }

}  // namespace hlo
