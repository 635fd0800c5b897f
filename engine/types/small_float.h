// Floating-point types of 16 bits and fewer: one description per format, one implementation.
// Source: the ml_dtypes formats that XLA uses (float8.h, mxfloat.h).
#ifndef HLO_ENGINE_TYPES_SMALL_FLOAT_H_
#define HLO_ENGINE_TYPES_SMALL_FLOAT_H_

#include <array>
#include <cstdint>
#include <type_traits>

#include "engine/base/bits.h"

namespace hlo {

/// Which codes are not finite numbers.
enum class Specials : uint8_t {
  kIeee,    ///< Largest exponent: mantissa 0 is infinity, others NaN.
  kFn,      ///< All ones (but the sign) is NaN; no infinities.
  kFnuz,    ///< The code of -0 is the only NaN; no infinities, no -0.
  kFinite,  ///< Every code is a finite number.
};

/// A binary floating-point format: value = (-1)^s * 1.m * 2^(E - bias), and for E = 0 (unless
/// there is no mantissa) 0.m * 2^(1 - bias). What rounds beyond the largest finite value becomes
/// infinity (kIeee), NaN (kFn, kFnuz) or the largest value (kFinite).
struct FloatFormat {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Specials specials;
  bool has_sign = true;

  constexpr int width() const { return exponent_bits + mantissa_bits + (has_sign ? 1 : 0); }
  constexpr uint32_t sign_bit() const { return has_sign ? 1u << (width() - 1) : 0u; }
  /// Every code without its sign is at most this.
  constexpr uint32_t magnitude_mask() const { return (1u << (exponent_bits + mantissa_bits)) - 1; }
  constexpr uint32_t infinity() const {
    return ((1u << exponent_bits) - 1) << mantissa_bits;  // kIeee only
  }
  constexpr uint32_t max_finite() const {
    return specials == Specials::kIeee ? infinity() - 1
           : specials == Specials::kFn ? magnitude_mask() - 1
                                       : magnitude_mask();
  }
  /// The NaN that arithmetic makes: quiet, positive. For kFinite the code of -0, which takes its
  /// place there (ml_dtypes, float8.h).
  constexpr uint32_t nan() const {
    return specials == Specials::kIeee ? infinity() | 1u << (mantissa_bits - 1)
           : specials == Specials::kFn ? magnitude_mask()
                                       : sign_bit();
  }
  /// Code 0 is a number of its own and there are no subnormals: the power-of-two scale.
  constexpr bool is_scale() const { return mantissa_bits == 0; }
};

namespace small_float_internal {

/// The parts of the two source formats.
template <typename Float>
struct Source;
template <>
struct Source<float> {
  using Bits = uint32_t;
  static constexpr int kMantissaBits = 23;
  static constexpr int kBias = 127;
};
template <>
struct Source<double> {
  using Bits = uint64_t;
  static constexpr int kMantissaBits = 52;
  static constexpr int kBias = 1023;
};

/// The f32 bits of a code; exact for every format here.
constexpr uint32_t DecodeToF32Bits(FloatFormat f, uint32_t code) {
  const uint32_t sign = (code & f.sign_bit()) != 0 ? 0x80000000u : 0u;
  const uint32_t magnitude = code & f.magnitude_mask();
  // The code of the one NaN of kFnuz has the sign, which conversions keep (ml_dtypes, float8.h).
  if ((f.specials == Specials::kFnuz && code == f.nan()) ||
      (f.specials == Specials::kFn && magnitude == f.nan())) {
    return sign | 0x7FC00000u;
  }
  const int shift = 23 - f.mantissa_bits;
  if (f.specials == Specials::kIeee && magnitude >= f.infinity()) {
    uint32_t payload = (magnitude - f.infinity()) << shift;
    return sign | 0x7F800000u | payload | (payload != 0 ? 0x00400000u : 0u);
  }
  uint32_t mantissa = magnitude & ((1u << f.mantissa_bits) - 1);
  int exponent = static_cast<int>(magnitude >> f.mantissa_bits);
  if (f.is_scale()) return exponent == 0 ? 0x00400000u : static_cast<uint32_t>(exponent) << 23;
  if (exponent == 0) {
    if (mantissa == 0) return sign;
    for (exponent = 1; (mantissa >> f.mantissa_bits) == 0; mantissa <<= 1) --exponent;
    mantissa &= (1u << f.mantissa_bits) - 1;
  }
  return sign | static_cast<uint32_t>(exponent - f.bias + 127) << 23 | mantissa << shift;
}

template <FloatFormat kFormat>
constexpr auto MakeDecodeTable() {
  std::array<uint32_t, size_t{1} << kFormat.width()> table{};
  for (uint32_t code = 0; code < table.size(); ++code) {
    table[code] = DecodeToF32Bits(kFormat, code);
  }
  return table;
}

/// f32 bits of every code of a format of 8 bits or fewer.
template <FloatFormat kFormat>
inline constexpr auto kDecodeTable = MakeDecodeTable<kFormat>();

/// Rounds the magnitude `bits` of a finite float to the nearest code, ties to even, without regard
/// to the largest finite code.
template <FloatFormat kFormat, typename Float>
uint64_t RoundMagnitude(typename Source<Float>::Bits bits) {
  using S = Source<Float>;
  using Bits = typename S::Bits;
  constexpr int kShift = S::kMantissaBits - kFormat.mantissa_bits;
  constexpr int kMinExponent = 1 - kFormat.bias;  // of normal numbers
  constexpr Bits kRebias = static_cast<Bits>(S::kBias - kFormat.bias) << S::kMantissaBits;
  constexpr Bits kMinNormal = static_cast<Bits>(kMinExponent + S::kBias) << S::kMantissaBits;
  if constexpr (kFormat.bias != S::kBias) {
    if (bits < kMinNormal) {
      // Adding a number whose last place is the smallest subnormal lets the addition round.
      constexpr Bits kMagic = static_cast<Bits>(kMinExponent + kShift + S::kBias)
                              << S::kMantissaBits;
      return BitCast<Bits>(BitCast<Float>(bits) + BitCast<Float>(kMagic)) - kMagic;
    }
  }
  const Bits rebased = bits - kRebias;
  const Bits odd = (rebased >> kShift) & 1;
  return (rebased + ((Bits{1} << (kShift - 1)) - 1) + odd) >> kShift;
}

/// The same for the power-of-two scale: ties go up, and nothing positive becomes less than code 0.
template <FloatFormat kFormat, typename Float>
uint64_t RoundScale(typename Source<Float>::Bits bits) {
  using S = Source<Float>;
  using Bits = typename S::Bits;
  if constexpr (S::kBias == kFormat.bias) {
    // f32 subnormals: XLA's conversion takes everything above 2^-127 to 2^-126 (a conformance
    // case pins it).
    constexpr Bits kHalf = Bits{1} << (S::kMantissaBits - 1);
    if (bits < (Bits{1} << S::kMantissaBits)) return bits > kHalf ? 1 : 0;
    return (bits + kHalf) >> S::kMantissaBits;
  } else {
    constexpr Bits kRebias = static_cast<Bits>(S::kBias - kFormat.bias);
    const Bits rounded = (bits + (Bits{1} << (S::kMantissaBits - 1))) >> S::kMantissaBits;
    return rounded <= kRebias ? 0 : rounded - kRebias;
  }
}

/// The code of any f32 or f64, as ml_dtypes converts it.
template <FloatFormat kFormat, typename Float>
uint32_t Encode(Float value) {
  using S = Source<Float>;
  using Bits = typename S::Bits;
  constexpr Bits kInfinity = static_cast<Bits>(2 * S::kBias + 1) << S::kMantissaBits;
  constexpr int kSignShift = 8 * static_cast<int>(sizeof(Bits)) - 1;
  const Bits bits = BitCast<Bits>(value);
  const Bits magnitude = bits & ((Bits{1} << kSignShift) - 1);
  const uint32_t sign = (bits >> kSignShift) != 0 ? kFormat.sign_bit() : 0u;
  if constexpr (kFormat.is_scale()) {
    if (bits == 0 || bits >= kInfinity) return kFormat.nan();  // zeros, negatives, inf, NaN
    const uint64_t code = RoundScale<kFormat, Float>(bits);
    return code > kFormat.max_finite() ? kFormat.nan() : static_cast<uint32_t>(code);
  } else {
    if (magnitude > kInfinity) {
      // The code of kFinite that stands for NaN is -0, and +0 for a negative one: `^` does both.
      return kFormat.specials == Specials::kFnuz ? kFormat.nan() : kFormat.nan() ^ sign;
    }
    const uint64_t code = RoundMagnitude<kFormat, Float>(magnitude);
    if (code > kFormat.max_finite()) {
      switch (kFormat.specials) {
        case Specials::kIeee:
          return kFormat.infinity() | sign;
        case Specials::kFn:
          return kFormat.nan() | sign;
        case Specials::kFnuz:
          return kFormat.nan();
        case Specials::kFinite:
          return kFormat.max_finite() | sign;
      }
    }
    if (kFormat.specials == Specials::kFnuz && code == 0) return 0;
    return static_cast<uint32_t>(code) | sign;
  }
}

}  // namespace small_float_internal

/// A number in the format kFormat, stored in one or two bytes (narrow formats in the low bits).
/// Converts explicitly from and to f32 and f64; there is no arithmetic: operations widen to f32,
/// compute, and round once (as ml_dtypes does).
template <FloatFormat kFormatOf>
class SmallFloat {
 public:
  using Bits = std::conditional_t<(kFormatOf.width() > 8), uint16_t, uint8_t>;
  static constexpr FloatFormat kFormat = kFormatOf;
  static constexpr Bits kMask = static_cast<Bits>((1u << kFormat.width()) - 1);
  static constexpr bool kHasInfinity = kFormat.specials == Specials::kIeee;
  static constexpr bool kHasNan = kFormat.specials != Specials::kFinite;
  static constexpr bool kHasNegativeZero = kFormat.has_sign && kFormat.specials != Specials::kFnuz;

  constexpr SmallFloat() = default;
  explicit SmallFloat(float value)
      : bits_(static_cast<Bits>(small_float_internal::Encode<kFormat, float>(value))) {}
  /// f8 and narrower round once from f64; f16 and bf16 go through f32, as XLA does.
  explicit SmallFloat(double value) : bits_(FromDouble(value)) {}
  /// Integers go through f32.
  template <typename T>
  requires(std::is_integral_v<T>) explicit SmallFloat(T value)
      : SmallFloat(static_cast<float>(value)) {}

  explicit operator float() const { return BitCast<float>(ToF32Bits()); }
  explicit operator double() const { return static_cast<double>(static_cast<float>(*this)); }

  constexpr Bits bits() const { return bits_ & kMask; }
  /// Bits beyond the format's width are dropped.
  static constexpr SmallFloat FromBits(uint32_t bits) {
    SmallFloat result;
    result.bits_ = static_cast<Bits>(bits) & kMask;
    return result;
  }
  /// Largest and smallest finite numbers.
  static constexpr SmallFloat Max() { return FromBits(kFormat.max_finite()); }
  static constexpr SmallFloat Lowest() {
    return FromBits(kFormat.has_sign ? kFormat.max_finite() | kFormat.sign_bit() : 0u);
  }
  /// Only where kHasInfinity, kHasNan.
  static constexpr SmallFloat Infinity() { return FromBits(kFormat.infinity()); }
  static constexpr SmallFloat NaN() { return FromBits(kFormat.nan()); }
  constexpr bool is_nan() const {
    const uint32_t magnitude = bits_ & kFormat.magnitude_mask();
    switch (kFormat.specials) {
      case Specials::kIeee:
        return magnitude > kFormat.infinity();
      case Specials::kFn:
        return magnitude == kFormat.nan();
      case Specials::kFnuz:
        return bits() == kFormat.nan();
      case Specials::kFinite:
        return false;
    }
    return false;
  }

 private:
  static Bits FromDouble(double value) {
    if constexpr (kFormat.width() > 8) {
      return SmallFloat(static_cast<float>(value)).bits_;
    } else {
      return static_cast<Bits>(small_float_internal::Encode<kFormat, double>(value));
    }
  }
  uint32_t ToF32Bits() const {
    if constexpr (kFormat.width() <= 8) {
      return small_float_internal::kDecodeTable<kFormat>[bits()];
    } else if constexpr (kFormat.exponent_bits == 8) {
      return static_cast<uint32_t>(bits_) << 16;
    } else {
      // The multiplication moves the exponent, normalises subnormals, and is exact.
      constexpr int kShift = 23 - kFormat.mantissa_bits;
      constexpr uint32_t kScale = static_cast<uint32_t>(127 + 127 - kFormat.bias) << 23;
      const uint32_t magnitude = bits_ & kFormat.magnitude_mask();
      const float scaled = BitCast<float>(magnitude << kShift) * BitCast<float>(kScale);
      const uint32_t special = magnitude >= kFormat.infinity() ? 0x7F800000u : 0u;
      const uint32_t sign = static_cast<uint32_t>(bits_ & kFormat.sign_bit()) << 16;
      return BitCast<uint32_t>(scaled) | special | sign;
    }
  }

  Bits bits_ = 0;
};

// The formats: {exponent bits, mantissa bits, bias, special codes, sign}.
using F16 = SmallFloat<FloatFormat{5, 10, 15, Specials::kIeee}>;
using BF16 = SmallFloat<FloatFormat{8, 7, 127, Specials::kIeee}>;
using F8E5M2 = SmallFloat<FloatFormat{5, 2, 15, Specials::kIeee}>;
using F8E4M3 = SmallFloat<FloatFormat{4, 3, 7, Specials::kIeee}>;
using F8E4M3FN = SmallFloat<FloatFormat{4, 3, 7, Specials::kFn}>;
using F8E4M3B11FNUZ = SmallFloat<FloatFormat{4, 3, 11, Specials::kFnuz}>;
using F8E3M4 = SmallFloat<FloatFormat{3, 4, 3, Specials::kIeee}>;
using F8E5M2FNUZ = SmallFloat<FloatFormat{5, 2, 16, Specials::kFnuz}>;
using F8E4M3FNUZ = SmallFloat<FloatFormat{4, 3, 8, Specials::kFnuz}>;
using F8E8M0FNU = SmallFloat<FloatFormat{8, 0, 127, Specials::kFn, false}>;
using F6E3M2FN = SmallFloat<FloatFormat{3, 2, 3, Specials::kFinite}>;
using F6E2M3FN = SmallFloat<FloatFormat{2, 3, 1, Specials::kFinite}>;
using F4E2M1FN = SmallFloat<FloatFormat{2, 1, 1, Specials::kFinite}>;

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_SMALL_FLOAT_H_
