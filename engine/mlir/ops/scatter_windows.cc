#include "engine/mlir/ops/scatter_windows.h"

#include <algorithm>
#include <vector>

#include "engine/types/convert.h"

namespace hlo::mlir {

bool MayStandOut(const Shape& operand, const Instruction& indices, const Dims& map,
                 const Dims& sizes) {
  bool may = false;
  int64_t room = INT64_MAX;  // the largest start that is inside in every dimension
  for (int64_t d : map) {
    const int64_t size = sizes[static_cast<size_t>(d)];
    may |= size > 1;
    room = std::min(room, operand.dim(static_cast<int>(d)) - size);
  }
  if (!may || indices.opcode() != Opcode::kConstant) return may;
  const ShapedLiteral* value = indices.attrs().GetLiteral("literal");
  if (!value || value->literal.elided) return may;
  const Tensor& tensor = value->literal.value.tensor();
  std::vector<int64_t> starts(static_cast<size_t>(tensor.element_count()));
  ConvertElements(tensor.element_type(), tensor.bytes(), ElementType::kS64,
                  reinterpret_cast<std::byte*>(starts.data()), tensor.element_count());
  return std::any_of(starts.begin(), starts.end(),
                     [&](int64_t start) { return start < 0 || start > room; });
}

}  // namespace hlo::mlir
