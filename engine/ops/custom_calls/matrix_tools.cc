#include "engine/ops/custom_calls/matrix_tools.h"

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <string>

#include "engine/base/indices.h"
#include "engine/lanes/f64_functions.h"
#include "engine/ops/custom_calls/custom_call_targets.h"
#include "engine/ops/movement/tensor_moves.h"

namespace hlo {

void RefuseOperands(const OpCall& call, std::string_view takes) {
  std::string operands;
  for (int i = 0; i < call.operand_count(); ++i) {
    operands += (i > 0 ? ", " : "") + ShapeName(call.operand(i));
  }
  RefuseCall(call, fmt::format("takes {}, not {}", takes, operands));
}

bool IsMatrices(const OpCall& call, int i) {
  if (i >= call.operand_count() || !call.operand(i).IsArray()) return false;
  const Shape& shape = call.operand(i);
  return shape.rank() >= 2 && (IsFloat(shape.element_type()) || IsComplex(shape.element_type()));
}

bool IsSquare(const OpCall& call, int i) {
  if (!IsMatrices(call, i)) return false;
  const Shape& shape = call.operand(i);
  return shape.dims().back() == shape.dim(shape.rank() - 2);
}

Dims BatchDims(const Shape& matrices, std::initializer_list<int64_t> sizes) {
  const std::span<const int64_t> dims = matrices.dims();
  return Joined(Dims(dims.first(dims.size() - 2)), Dims(sizes));
}

int64_t BatchCount(const Shape& matrices) {
  const std::span<const int64_t> dims = matrices.dims();
  return ElementCount(dims.first(dims.size() - 2));
}

Rotation JacobiRotation(double pp, double qq, Complex pq) {
  const double size = Size(pq);
  const double cotangent = (qq - pp) / (2 * size);
  const double t = std::copysign(1, cotangent) / (std::abs(cotangent) + f64::Hypot(1, cotangent));
  const double c = 1 / f64::Hypot(1, t);
  return {c, t * c, pq / size};
}

void RotateColumns(const Rotation& rotation, const Matrix& a, int64_t p, int64_t q) {
  const auto [c, s, phase] = rotation;
  const Complex back = std::conj(phase);
  for (int64_t r = 0; r < a.rows; ++r) {
    const Complex x = a.at(r, p), y = Times(a.at(r, q), back);
    a.at(r, p) = c * x - s * y;
    a.at(r, q) = s * x + c * y;
  }
}

Matrix MatrixOf(Tensor& batch, int64_t b) {
  const int64_t rows = batch.dim(batch.rank() - 2), columns = batch.dim(batch.rank() - 1);
  return {batch.mutable_data<Complex>() + b * rows * columns, rows, columns};
}

}  // namespace hlo
