// Loops of select, clamp, complex and copy.
#include <cstring>

#include "engine/kernels/element_width.h"
#include "engine/kernels/scalar_binary.h"
#include "engine/kernels/typed_loops.h"

namespace hlo {
namespace {

template <typename T>
void SelectFunction(const ElementLoop&, int64_t n, const std::byte* const* args,
                    std::byte* result) {
  const uint8_t* const pred = As<uint8_t>(args[0]);
  const T* const on_true = As<T>(args[1]);
  const T* const on_false = As<T>(args[2]);
  T* const out = As<T>(result);
  HLO_INDEPENDENT_ITERATIONS
  for (int64_t i = 0; i < n; ++i) {
    const T a = on_true[i];
    const T b = on_false[i];
    out[i] = pred[i] != 0 ? a : b;
  }
}

template <typename T>
void ClampFunction(const ElementLoop&, int64_t n, const std::byte* const* args, std::byte* result) {
  const T* const low = As<T>(args[0]);
  const T* const x = As<T>(args[1]);
  const T* const high = As<T>(args[2]);
  T* const out = As<T>(result);
  HLO_INDEPENDENT_ITERATIONS
  for (int64_t i = 0; i < n; ++i) out[i] = ClampOp::Run(low[i], x[i], high[i]);
}

template <typename T>
void ComplexFunction(const ElementLoop&, int64_t n, const std::byte* const* args,
                     std::byte* result) {
  const T* const re = As<T>(args[0]);
  const T* const im = As<T>(args[1]);
  std::complex<T>* const out = As<std::complex<T>>(result);
  HLO_INDEPENDENT_ITERATIONS
  for (int64_t i = 0; i < n; ++i) out[i] = std::complex<T>(re[i], im[i]);
}

void CopyFunction(const ElementLoop& self, int64_t n, const std::byte* const* args,
                  std::byte* result) {
  if (n > 0) std::memmove(result, args[0], static_cast<size_t>(n * BytesOf(self.result)));
}

}  // namespace

ElementLoop SelectLoop(ElementType type) {
  ElementLoop loop;
  loop.operand_count = 3;
  loop.operands[0] = ElementType::kPred;
  loop.operands[1] = loop.operands[2] = loop.result = type;
  loop.run = DispatchWidth(BytesOf(type), [](auto element) -> ElementLoop::Function {
    return SelectFunction<decltype(element)>;
  });
  return loop;
}

ElementLoop ClampLoop(ElementType type) {
  ElementLoop loop;
  loop.operand_count = 3;
  loop.operands[0] = loop.operands[1] = loop.operands[2] = loop.result = type;
  loop.run = DispatchType(type, [](auto tag) -> ElementLoop::Function {
    using T = typename decltype(tag)::type;
    if constexpr (ComplexElement<T>) {
      return nullptr;
    } else if constexpr (std::is_same_v<T, bool>) {
      return ClampFunction<bool>;
    } else {
      return ClampFunction<typename decltype(LoopTypeOf<MaximumOp, T>())::type>;
    }
  });
  if (IsFloat(type) && BytesOf(type) < 4) {
    loop.wide_run = std::exchange(loop.run, RunWidened);
    loop.wide_operand = loop.wide_result = ElementType::kF32;
  }
  return loop;
}

ElementLoop ComplexLoop(ElementType part) {
  ElementLoop loop;
  loop.operand_count = 2;
  loop.operands[0] = loop.operands[1] = part;
  if (part == ElementType::kF32) {
    loop.result = ElementType::kC64;
    loop.run = ComplexFunction<float>;
  } else if (part == ElementType::kF64) {
    loop.result = ElementType::kC128;
    loop.run = ComplexFunction<double>;
  }
  return loop;
}

ElementLoop CopyLoop(ElementType type) {
  ElementLoop loop;
  loop.operand_count = 1;
  loop.operands[0] = loop.result = type;
  loop.run = CopyFunction;
  return loop;
}

}  // namespace hlo
