#include "engine/ops/matrix_tools.h"

#include <fmt/format.h>

#include <cstring>
#include <string>

#include "engine/ops/custom_call_targets.h"
#include "engine/ops/tensor_moves.h"

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

Tensor WidenedCopy(const Tensor& tensor, Budget* budget) {
  Tensor wide = ConvertTensor(tensor, ElementType::kC128, budget);
  if (wide.unique()) return wide;
  Tensor own(ElementType::kC128, wide.dims(), budget);
  std::memcpy(own.mutable_bytes(), wide.bytes(), static_cast<size_t>(wide.byte_size()));
  return own;
}

Dims BatchDims(const Shape& matrices, std::initializer_list<int64_t> sizes) {
  Dims dims = matrices.dims();
  dims.resize(dims.size() - 2);
  for (int64_t size : sizes) dims.push_back(size);
  return dims;
}

int64_t BatchCount(const Shape& matrices) {
  int64_t count = 1;
  for (int d = 0; d + 2 < matrices.rank(); ++d) count *= matrices.dim(d);
  return count;
}

Matrix MatrixOf(Tensor& batch, int64_t b) {
  const int64_t rows = batch.dim(batch.rank() - 2), columns = batch.dim(batch.rank() - 1);
  return {batch.mutable_data<MatrixElement>() + b * rows * columns, rows, columns};
}

}  // namespace hlo
