#include "engine/kernels/element_loop.h"

#include <algorithm>

#include "engine/types/convert.h"

namespace hlo {

void RunWidened(const ElementLoop& self, int64_t n, const std::byte* const* args,
                std::byte* result) {
  constexpr int64_t kBlock = 256;
  constexpr int64_t kWidest = 16;
  alignas(16) std::byte wide[ElementLoop::kMaxOperands][kBlock * kWidest];
  alignas(16) std::byte wide_result[kBlock * kWidest];
  const bool convert_result = self.wide_result != self.result;
  const ElementType operand = self.operands[0];
  const std::byte* wide_args[ElementLoop::kMaxOperands] = {wide[0], wide[1], wide[2]};
  for (int64_t done = 0; done < n; done += kBlock) {
    const int64_t count = std::min(kBlock, n - done);
    for (int i = 0; i < self.operand_count; ++i) {
      ConvertElements(operand, args[i] + done * BytesOf(operand), self.wide_operand, wide[i],
                      count);
    }
    std::byte* const out = result + done * BytesOf(self.result);
    self.wide_run(self, count, wide_args, convert_result ? wide_result : out);
    if (convert_result) ConvertElements(self.wide_result, wide_result, self.result, out, count);
  }
}

}  // namespace hlo
