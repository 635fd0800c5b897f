// cholesky, triangular-solve, fft.
#include <fmt/format.h>

#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

// ---- cholesky -----------------------------------------------------------------------------------

constexpr std::string_view kMatrix[] = {"a"};
constexpr AttrDef kCholeskyAttrs[] = {
    {"lower", AttrKind::kBool, AttrUse::kOptional,
     "Read the lower triangle and return a lower one; otherwise the upper."},
};

/// The last two dimensions are equal.
bool CheckSquare(const OpCall& call, int i, Diagnostics& out) {
  if (!CheckMinRank(call, i, 2, out)) return false;
  const Shape& a = call.operand(i);
  int64_t rows = a.dim(a.rank() - 2), columns = a.dim(a.rank() - 1);
  if (rows == columns) return true;
  ReportOperand(call, i, DiagCode::kOperandInvalid,
                fmt::format("expects square matrices in the last two dimensions of {}, but it is "
                            "{} ({} rows, {} columns)",
                            OperandName(call, i), ShapeName(a), rows, columns),
                out);
  return false;
}

std::optional<Shape> InferCholesky(const OpCall& call, Diagnostics& out) {
  if (!CheckType(call, 0, kFloatTypes | kComplexTypes, out)) return std::nullopt;
  CheckSquare(call, 0, out);
  return call.operand(0);
}

/// A third of n^3 per matrix.
double FlopsOfCholesky(const OpCall& call) {
  const Shape& a = call.operand(0);
  return static_cast<double>(a.element_count()) * static_cast<double>(a.dim(a.rank() - 1)) / 3;
}

// ---- triangular-solve ---------------------------------------------------------------------------

constexpr std::string_view kSolveOperands[] = {"a", "b"};
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

std::optional<Shape> InferTriangularSolve(const OpCall& call, Diagnostics& out) {
  bool good = CheckType(call, 0, kFloatTypes | kComplexTypes, out);
  good &= CheckType(call, 1, kFloatTypes | kComplexTypes, out);
  if (!call.Has("transpose_a")) {
    ReportOp(call, DiagCode::kAttributeMissing,
             "transpose_a must be NO_TRANSPOSE, TRANSPOSE or ADJOINT", out);
  }
  if (!good || !CheckSquare(call, 0, out) || !CheckMinRank(call, 1, 2, out)) return std::nullopt;
  const Shape &a = call.operand(0), &b = call.operand(1);
  if (a.element_type() != b.element_type()) {
    ReportOperand(call, 1, DiagCode::kElementType,
                  fmt::format("expects a and b of one element type, but they are {} and {}",
                              ShapeName(a), ShapeName(b)),
                  out);
  }
  if (a.rank() != b.rank()) {
    ReportOperand(call, 1, DiagCode::kOperandInvalid,
                  fmt::format("expects a and b of one rank, but they are {} and {}", ShapeName(a),
                              ShapeName(b)),
                  out);
    return std::nullopt;
  }
  int shared = b.rank() - (call.Bool("left_side") ? 2 : 1);
  if (a.dim(a.rank() - 1) != b.dim(shared)) {
    ReportOperand(call, 1, DiagCode::kOperandInvalid,
                  fmt::format("dimension {} of b has size {}, but the matrices of a have {}",
                              shared, b.dim(shared), a.dim(a.rank() - 1)),
                  out);
  }
  for (int d = 0; d < a.rank() - 2; ++d) {
    if (a.dim(d) == b.dim(d)) continue;
    ReportOperand(call, 1, DiagCode::kOperandInvalid,
                  fmt::format("batch dimension {} is {} in a and {} in b", d, a.dim(d), b.dim(d)),
                  out);
  }
  return b;
}

/// n^2 per right-hand side.
double FlopsOfSolve(const OpCall& call) {
  const Shape& a = call.operand(0);
  return static_cast<double>(call.operand(1).element_count()) *
         static_cast<double>(a.dim(a.rank() - 1));
}

// ---- fft ----------------------------------------------------------------------------------------

enum FftType : int64_t { kFft, kIfft, kRfft, kIrfft };
constexpr std::string_view kFftTypes[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
constexpr std::string_view kFftOperand[] = {"operand"};
constexpr AttrDef kFftAttrs[] = {
    {.name = "fft_type",
     .kind = AttrKind::kWord,
     .use = AttrUse::kRequired,
     .doc =
         "Forward or inverse, of complex numbers, from real ones (RFFT) or to real ones (IRFFT).",
     .words = kFftTypes,
     .always_printed = true},
    {.name = "fft_length",
     .kind = AttrKind::kInts,
     .use = AttrUse::kRequired,
     .doc = "Lengths of the transform over the last one, two or three dimensions.",
     .always_printed = true},
};

ElementType ComplexOf(ElementType real) {
  return real == ElementType::kF64 ? ElementType::kC128 : ElementType::kC64;
}

bool CheckFftOperand(const OpCall& call, Diagnostics& out) {
  const Shape& operand = call.operand(0);
  int64_t count = static_cast<int64_t>(call.Ints("fft_length").size());
  if (count < 1 || count > 3 || count > operand.rank()) {
    ReportAttr(call, "fft_length", DiagCode::kAttributeValue,
               fmt::format("expects 1 to 3 lengths and no more than dimensions: {} lengths for {}",
                           count, ShapeName(operand)),
               out);
    return false;
  }
  bool real = call.Word("fft_type") == kRfft;
  ElementType type = operand.element_type();
  if (real ? type == ElementType::kF32 || type == ElementType::kF64 : IsComplex(type)) return true;
  ReportOperand(call, 0, DiagCode::kElementType,
                fmt::format("{} takes {}, but the operand is {}",
                            kFftTypes[static_cast<size_t>(call.Word("fft_type"))],
                            real ? "f32 or f64" : "complex numbers", ShapeName(operand)),
                out);
  return false;
}

/// For the transforms to and from real numbers: the operand's last dimensions are the lengths, but
/// that IRFFT takes n/2+1 values for n.
void CheckFftSizes(const OpCall& call, Diagnostics& out) {
  const Dims& lengths = call.Ints("fft_length");
  const Shape& operand = call.operand(0);
  int first = operand.rank() - static_cast<int>(lengths.size());
  for (int i = 0; i < static_cast<int>(lengths.size()); ++i) {
    int64_t length = lengths[static_cast<size_t>(i)];
    bool halved = call.Word("fft_type") == kIrfft && i + 1 == static_cast<int>(lengths.size());
    int64_t expected = halved && length != 0 ? length / 2 + 1 : length;
    if (operand.dim(first + i) == expected) continue;
    ReportOperand(call, 0, DiagCode::kOperandInvalid,
                  fmt::format("expects dimension {} to be {} for fft_length {}, but it is {}",
                              first + i, expected, length, operand.dim(first + i)),
                  out);
  }
}

std::optional<Shape> InferFft(const OpCall& call, Diagnostics& out) {
  if (!CheckArray(call, 0, out) || !CheckFftOperand(call, out)) return std::nullopt;
  Shape result = call.operand(0);
  int64_t length = call.Ints("fft_length").back();
  int last = result.rank() - 1;
  int64_t type = call.Word("fft_type");
  if (type == kFft || type == kIfft) return result;
  CheckFftSizes(call, out);
  if (type == kRfft) {
    result.set_element_type(ComplexOf(result.element_type()));
    if (length != 0) result.set_dim(last, length / 2 + 1);
  } else {
    result.set_element_type(ComponentType(result.element_type()));
    result.set_dim(last, length);
  }
  return result;
}

}  // namespace

namespace ops {

const OpDef kCholesky{
    .doc = "The Cholesky factor of each positive definite matrix in the last two dimensions.",
    .source = "operation semantics, Cholesky",
    .differs =
        "The other triangle of the result is zero (the seed leaves it open). A matrix that "
        "is not positive definite gives NaN.",
    .operands = kMatrix,
    .types = "floats and complex numbers",
    .attrs = kCholeskyAttrs,
    .infer = InferCholesky,
    .flops = FlopsOfCholesky,
};

const OpDef kTriangularSolve{
    .doc =
        "Solves systems of linear equations with triangular matrices a, for each matrix in the "
        "last two dimensions.",
    .source = "operation semantics, TriangularSolve",
    .operands = kSolveOperands,
    .types = "floats and complex numbers",
    .attrs = kSolveAttrs,
    .infer = InferTriangularSolve,
    .flops = FlopsOfSolve,
    .keeps_layout = true,
};

const OpDef kFft{
    .doc =
        "The discrete Fourier transform over the last dimensions, or its inverse (which divides "
        "by the length).",
    .source = "operation semantics, Fft",
    .operands = kFftOperand,
    .types = "complex numbers; f32 and f64 for RFFT",
    .attrs = kFftAttrs,
    .infer = InferFft,
    .keeps_layout = true,
};

}  // namespace ops
}  // namespace hlo
