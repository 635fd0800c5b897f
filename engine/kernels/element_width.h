// Moving elements depends on their width alone, not on their type: loops over them are made once
// per width.
#ifndef HLO_ENGINE_KERNELS_ELEMENT_WIDTH_H_
#define HLO_ENGINE_KERNELS_ELEMENT_WIDTH_H_

#include <cstdint>

namespace hlo {

/// An element of 16 bytes.
struct WideElement {
  uint64_t low, high;
};

/// Calls run with an (empty) element of `width` bytes: 1, 2, 4, 8 or 16. Returns what it returns.
template <typename F>
auto DispatchWidth(int width, F&& run) {
  switch (width) {
    case 1:
      return run(uint8_t{});
    case 2:
      return run(uint16_t{});
    case 4:
      return run(uint32_t{});
    case 8:
      return run(uint64_t{});
    default:
      return run(WideElement{});
  }
}

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_ELEMENT_WIDTH_H_
