#include "engine/standalone/window_loops.h"

#include <algorithm>

namespace hlo {

bool WindowLoops::Fits(const Window& window) {
  constexpr int64_t kMost = int64_t{1} << 30;
  return std::all_of(window.begin(), window.end(), [](const WindowDim& dim) {
    return dim.size <= kMost && dim.stride <= kMost && std::abs(dim.pad_low) <= kMost &&
           dim.base_dilation <= kMost && dim.window_dilation <= kMost &&
           dim.size * dim.window_dilation <= kMost;
  });
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
