#include "engine/run/finiteness.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/types/convert.h"

namespace hlo {
namespace {

constexpr int64_t kFiniteBlock = 1024;

}  // namespace

NonFinite NonFiniteIn(const Tensor& tensor) {
  NonFinite found;
  const ElementType type = tensor.element_type();
  if (!IsFloat(type) && !IsComplex(type)) return found;
  const int64_t count = tensor.element_count();
  const bool complex = IsComplex(type);
  std::array<double, 2 * kFiniteBlock> numbers;
  for (int64_t begin = 0; begin < count && !(found.nan && found.infinity); begin += kFiniteBlock) {
    const int64_t n = std::min(kFiniteBlock, count - begin);
    ConvertElements(type, tensor.bytes() + begin * BytesOf(type),
                    complex ? ElementType::kC128 : ElementType::kF64,
                    reinterpret_cast<std::byte*>(numbers.data()), n);
    for (int64_t i = 0; i < (complex ? 2 * n : n); ++i) {
      const double number = numbers[static_cast<size_t>(i)];
      if (std::isfinite(number)) continue;
      (std::isnan(number) ? found.nan : found.infinity) = true;
    }
  }
  return found;
}

}  // namespace hlo
