#include "engine/types/doubles.h"

#include <algorithm>
#include <array>

#include "engine/base/indices.h"
#include "engine/types/convert.h"

namespace hlo {

void ReadDoubles(const Tensor& tensor, int64_t begin, int64_t count, double* out) {
  const ElementType type = tensor.element_type();
  ConvertElements(type, tensor.bytes() + begin * BytesOf(type), DoubleTypeOf(type),
                  reinterpret_cast<std::byte*>(out), count);
}

std::complex<double> NumberAt(const Tensor& tensor, const Dims& index) {
  double parts[2] = {0, 0};
  ReadDoubles(tensor, Ravel(index, tensor.dims()), 1, parts);
  return {parts[0], parts[1]};
}

void EachBlockOfDoubles(const Tensor& tensor, FunctionRef<bool(std::span<double>)> use) {
  constexpr int64_t kBlock = 1024;
  const int64_t parts = IsComplex(tensor.element_type()) ? 2 : 1;
  std::array<double, 2 * kBlock> numbers;
  for (int64_t begin = 0; begin < tensor.element_count(); begin += kBlock) {
    const int64_t n = std::min(kBlock, tensor.element_count() - begin);
    ReadDoubles(tensor, begin, n, numbers.data());
    if (!use({numbers.data(), static_cast<size_t>(n * parts)})) return;
  }
}

}  // namespace hlo
