#include "engine/standalone/window_loops.h"

#include <cmath>

namespace hlo {

bool WindowLoops::Fits(const Window& window, const Dims& sizes, const Dims& outputs) {
  constexpr double kMost = 1 << 30;
  for (size_t d = 0; d < window.size(); ++d) {
    const WindowDim& dim = window[d];
    const auto product = [](int64_t a, int64_t b) {
      return static_cast<double>(a) * static_cast<double>(b);
    };
    const double largest = product(sizes[d], dim.base_dilation) + product(outputs[d], dim.stride) +
                           product(dim.size, dim.window_dilation) +
                           std::abs(static_cast<double>(dim.pad_low));
    if (largest > kMost) return false;
  }
  return true;
}

void WindowLoops::SetNumber(uint32_t local, int64_t number) {
  code_.writer().I32(static_cast<int32_t>(number));
  code_.writer().Set(local);
}

// Whether there is an element: not before or behind the input, and in no gap of a dilated base.
void WindowLoops::PushInside(size_t d, uint32_t at) {
  FunctionWriter& writer = code_.writer();
  const int64_t dilation = window_[d].base_dilation;
  if (sizes_[d] == 0) return writer.I32(0);
  writer.Get(at);
  writer.I32(static_cast<int32_t>((sizes_[d] - 1) * dilation + 1));
  writer.Write(Code::kI32LtU);
  if (dilation == 1) return;
  writer.Get(at);
  writer.I32(static_cast<int32_t>(dilation));
  writer.Write(Code::kI32RemU);
  writer.Write(Code::kI32Eqz);
  writer.Write(Code::kI32And);
}

uint32_t WindowLoops::OffsetAt(size_t d, uint32_t at, uint32_t offset) {
  FunctionWriter& writer = code_.writer();
  const uint32_t next = writer.NewLocal(CodeType::kI32);
  writer.Get(offset);
  writer.Get(at);
  if (window_[d].base_dilation != 1) {
    writer.I32(static_cast<int32_t>(window_[d].base_dilation));
    writer.Write(Code::kI32DivU);
  }
  writer.I32(static_cast<int32_t>(strides_[d]));
  writer.Write(Code::kI32Mul);
  writer.Write(Code::kI32Add);
  writer.Set(next);
  return next;
}

}  // namespace hlo
