// Helpers to evaluate custom calls on batches of matrices. The matrices are the last two
// dimensions; everything is computed in c128 and rounded once.
#ifndef HLO_ENGINE_OPS_CUSTOM_CALLS_MATRIX_TOOLS_H_
#define HLO_ENGINE_OPS_CUSTOM_CALLS_MATRIX_TOOLS_H_

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "engine/base/budget.h"
#include "engine/kernels/complex_math.h"
#include "engine/lanes/f64_functions.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_call.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo {

/// A complex product without C++'s check for infinities in NaN results, which costs more than the
/// product.
inline Complex Times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

inline double Size(Complex value) { return f64::Hypot(value.real(), value.imag()); }

/// One dense matrix in memory.
struct Matrix {
  Complex* data;
  int64_t rows, columns;
  Complex& at(int64_t r, int64_t c) const { return data[r * columns + c]; }
  void SetIdentity() const {
    for (int64_t i = 0; i < rows * columns; ++i) data[i] = i / columns == i % columns ? 1 : 0;
  }
};

/// A rotation of two columns p and q by the angle with this cosine and sine; column q is first
/// divided by the phase, a number of absolute value 1.
struct Rotation {
  double c, s;
  Complex phase;
};
/// The Jacobi rotation that diagonalises the Hermitian matrix (pp, pq; conj(pq), qq); pq is not 0.
Rotation JacobiRotation(double pp, double qq, Complex pq);
void RotateColumns(const Rotation& rotation, const Matrix& a, int64_t p, int64_t q);

/// Throws RunError: what the call expects, and what its operands are.
[[noreturn]] void RefuseOperands(const OpCall& call, std::string_view takes);
/// Checks that operand i is an array of floats or complex numbers of rank two or more.
bool IsMatrices(const OpCall& call, int i);
/// The same, and that the matrices are square.
bool IsSquare(const OpCall& call, int i);
/// An unshared copy in c128.
inline Tensor WidenedCopy(const Tensor& tensor, Budget* budget) {
  return ConvertedCopy(tensor, ElementType::kC128, budget);
}
/// The batch dimensions of an array of matrices, followed by these.
Dims BatchDims(const Shape& matrices, std::initializer_list<int64_t> sizes);
int64_t BatchCount(const Shape& matrices);
/// Matrix b of a batch in c128.
Matrix MatrixOf(Tensor& batch, int64_t b);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_CUSTOM_CALLS_MATRIX_TOOLS_H_
