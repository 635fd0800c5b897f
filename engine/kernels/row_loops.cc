#include "engine/kernels/row_loops.h"

#include <algorithm>
#include <array>

#include "engine/types/convert.h"

namespace hlo {
namespace {

void FoldRows(const ElementLoop& self, int64_t n, const std::byte* const* args, std::byte* result) {
  constexpr int64_t kMostRows = 64;
  const auto reducer = static_cast<Reducer>(self.params[0]);
  const int64_t length = self.params[1];
  const ElementType type = self.operands[0], folded = FoldResultType(reducer, type);
  const int64_t width = BytesOf(type);
  alignas(16) std::byte init[16], sums[kMostRows * 16];
  ConvertElements(type, args[1], folded, init, 1);
  for (int64_t row = 0, rows = n / length; row < rows; row += kMostRows) {
    const int64_t count = std::min(kMostRows, rows - row);
    std::byte* const to = result + row * width;
    FoldEachRow(reducer, type, args[0] + row * length * width, count, length, init,
                folded == type ? to : sums);
    if (folded != type) ConvertElements(folded, sums, type, to, count);
  }
}

template <typename T>
void SpreadRows(const ElementLoop& self, int64_t n, const std::byte* const* args,
                std::byte* result) {
  const int64_t length = self.params[1];
  const T* const from = reinterpret_cast<const T*>(args[0]);
  T* const to = reinterpret_cast<T*>(result);
  for (int64_t row = 0; row < n / length; ++row) std::fill_n(to + row * length, length, from[row]);
}

ElementLoop::Function SpreadRowsOf(int bytes) {
  switch (bytes) {
    case 1:
      return SpreadRows<uint8_t>;
    case 2:
      return SpreadRows<uint16_t>;
    case 4:
      return SpreadRows<uint32_t>;
    case 8:
      return SpreadRows<uint64_t>;
    default:
      return SpreadRows<std::array<uint64_t, 2>>;
  }
}

}  // namespace

ElementLoop FoldRowsLoop(Reducer reducer, ElementType type, int64_t length) {
  ElementLoop loop;
  loop.run = FoldRows;
  loop.operand_count = 2;
  loop.operands[0] = loop.operands[1] = loop.result = type;
  loop.params[0] = static_cast<int32_t>(reducer);
  loop.params[1] = static_cast<int32_t>(length);
  return loop;
}

ElementLoop SpreadRowsLoop(ElementType type, int64_t length) {
  ElementLoop loop;
  loop.run = SpreadRowsOf(BytesOf(type));
  loop.operand_count = 1;
  loop.operands[0] = loop.result = type;
  loop.params[1] = static_cast<int32_t>(length);
  return loop;
}

}  // namespace hlo
