// Loops of convert, bitcast-convert and reduce-precision.
#include <algorithm>
#include <limits>

#include "engine/base/bits.h"
#include "engine/kernels/typed_loops.h"
#include "engine/types/convert.h"

namespace hlo {
namespace {

void ConvertFunction(const ElementLoop& self, int64_t n, const std::byte* const* args,
                     std::byte* result) {
  ConvertElements(self.operands[0], args[0], self.result, result, n);
}

// One-byte types keep their bits in a byte in different ways (sign-extended, zero-extended, a
// boolean). params[0]: width of the result.
void BitcastByteFunction(const ElementLoop& self, int64_t n, const std::byte* const* args,
                         std::byte* result) {
  const uint8_t* const in = As<uint8_t>(args[0]);
  uint8_t* const out = As<uint8_t>(result);
  const int spare = 8 - self.params[0];
  if (self.result == ElementType::kPred) {
    for (int64_t i = 0; i < n; ++i) out[i] = in[i] != 0;
  } else if (IsSigned(self.result)) {
    for (int64_t i = 0; i < n; ++i) {
      out[i] = static_cast<uint8_t>(static_cast<int8_t>(in[i] << spare) >> spare);
    }
  } else {
    for (int64_t i = 0; i < n; ++i) out[i] = static_cast<uint8_t>(in[i] << spare) >> spare;
  }
}

template <typename T, typename Bits, int kMantissaBits>
T ReducePrecision(T value, int exponent_bits, int mantissa_bits) {
  constexpr int kWidth = static_cast<int>(8 * sizeof(Bits));
  constexpr int kExponentBits = kWidth - 1 - kMantissaBits;
  constexpr Bits kSign = Bits{1} << (kWidth - 1);
  constexpr Bits kExponentMask = ((Bits{1} << kExponentBits) - 1) << kMantissaBits;
  // A NaN that is to have no mantissa can only be an infinity.
  if (value != value) return mantissa_bits > 0 ? value : std::numeric_limits<T>::infinity();
  Bits bits = BitCast<Bits>(value);
  if (mantissa_bits < kMantissaBits) {
    const int dropped = kMantissaBits - mantissa_bits;
    const Bits last = Bits{1} << dropped;
    bits += (last >> 1) - 1 + ((bits >> dropped) & 1);  // to nearest, ties to even
    bits &= ~(last - 1);
  }
  if (exponent_bits < kExponentBits) {
    constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = static_cast<int>((bits & kExponentMask) >> kMantissaBits);
    if (exponent > kBias + bias) return BitCast<T>((bits & kSign) | kExponentMask);
    if (exponent <= kBias - bias) return BitCast<T>(bits & kSign);
  }
  return BitCast<T>(bits);
}

template <typename T, typename Bits, int kMantissaBits>
void ReduceFunction(const ElementLoop& self, int64_t n, const std::byte* const* args,
                    std::byte* result) {
  const T* const in = As<T>(args[0]);
  T* const out = As<T>(result);
  const int exponent_bits = std::max(self.params[0], 1);
  const int mantissa_bits = std::max(self.params[1], 0);
  for (int64_t i = 0; i < n; ++i) {
    out[i] = ReducePrecision<T, Bits, kMantissaBits>(in[i], exponent_bits, mantissa_bits);
  }
}

}  // namespace

ElementLoop ConvertLoop(ElementType from, ElementType to) {
  ElementLoop loop;
  loop.operand_count = 1;
  loop.operands[0] = from;
  loop.result = to;
  loop.run = ConvertFunction;
  return loop;
}

ElementLoop BitcastConvertLoop(ElementType from, ElementType to) {
  // pred counts as the byte it is stored in.
  const auto width = [](ElementType type) { return type == ElementType::kPred ? 8 : BitsOf(type); };
  ElementLoop loop = CopyLoop(from);
  loop.result = to;
  if (width(from) != width(to)) loop.run = nullptr;
  if (BytesOf(to) == 1 && loop.run != nullptr) {
    loop.run = BitcastByteFunction;
    loop.params[0] = width(to);
  }
  return loop;
}

ElementLoop ReducePrecisionLoop(ElementType type, int exponent_bits, int mantissa_bits) {
  ElementLoop loop;
  if (!IsFloat(type)) return loop;
  loop.operand_count = 1;
  loop.operands[0] = loop.result = type;
  loop.params[0] = exponent_bits;
  loop.params[1] = mantissa_bits;
  loop.run = type == ElementType::kF64 ? ReduceFunction<double, uint64_t, 52>
                                       : ReduceFunction<float, uint32_t, 23>;
  if (BytesOf(type) < 4) {
    loop.wide_run = std::exchange(loop.run, RunWidened);
    loop.wide_operand = loop.wide_result = ElementType::kF32;
  }
  return loop;
}

}  // namespace hlo
