#include "engine/codegen/narrow_float_code.h"

#include <optional>

#include "engine/codegen/lane.h"
#include "engine/types/small_float.h"
#include "engine/types/storage.h"

namespace hlo {
namespace {

using lanes::Lane;
using Floats = Lane<float>;
using Codes = Lane<uint32_t>;
using small_float_internal::DecodeToF32Bits;

constexpr uint32_t kSign = 0x80000000, kInfinity = 0x7f800000;
constexpr int kMantissaBits = 23, kBias = 127;

// Of a type of 16 bits or fewer; nothing for others.
std::optional<FloatFormat> FormatOf(ElementType type) {
  return DispatchType(type, [](auto tag) -> std::optional<FloatFormat> {
    using T = typename decltype(tag)::type;
    if constexpr (requires { T::kFormat; }) return T::kFormat;
    return std::nullopt;
  });
}

float PowerOfTwo(int exponent) {
  return BitCast<float>(static_cast<uint32_t>(exponent + kBias) << kMantissaBits);
}

// f32 with 16 bits fewer.
bool IsCutFloat(FloatFormat format) { return format.bias == kBias && !format.is_scale(); }

// Powers of two have the exponent of the f32 as their code, but for the least one, which f32 has
// among its subnormals.
constexpr uint32_t kLeastScale = 0x00400000, kNan = 0x7FC00000;
Floats DecodedScale(Codes code) {
  const Codes bits = Select(code == 0u, kLeastScale, code << kMantissaBits);
  return FromBits(Select(code == 255u, kNan, bits));
}
// Zeros, negative numbers and what is not finite are NaN; the rest as RoundScale
// (types/small_float.h) has it.
Floats RoundedScale(Floats value) {
  const Codes bits = BitsOf(value);
  const Codes nearest = (bits + kLeastScale) & kInfinity;
  const Codes small = Select(bits > kLeastScale, 1u << kMantissaBits, bits.Number(kLeastScale));
  const Codes rounded = Select(bits < (1u << kMantissaBits), small, nearest);
  // Of zero all bits are, too, once one is taken away.
  return FromBits(Select((bits - 1u < kInfinity - 1u) & (rounded < kInfinity), rounded, kNan));
}

Floats Decoded(Codes code, FloatFormat f) {
  if (IsCutFloat(f)) return FromBits(code << (kMantissaBits - f.mantissa_bits));
  if (f.is_scale()) return DecodedScale(code);
  const Codes magnitude = code & f.magnitude_mask();
  const Codes sign = (code & f.sign_bit()) << (32 - f.width());
  const Codes moved = magnitude << (kMantissaBits - f.mantissa_bits);
  Codes bits = BitsOf(FromBits(moved) * PowerOfTwo(kBias - f.bias));
  switch (f.specials) {
    case Specials::kIeee:
      bits = Select(magnitude >= f.infinity(), moved | kInfinity, bits);
      break;
    case Specials::kFn:
      bits = Select(magnitude == f.nan(), kNan, bits);
      break;
    case Specials::kFnuz:
      bits = Select(code == f.nan(), kNan, bits);
      break;
    case Specials::kFinite:
      break;
  }
  return FromBits(bits | sign);
}

Codes Encoded(Floats value, FloatFormat f) {
  const Codes bits = BitsOf(value);
  if (IsCutFloat(f) || f.is_scale()) return bits >> (kMantissaBits - f.mantissa_bits);
  const Codes sign = (bits & kSign) >> (32 - f.width());
  const Codes magnitude = bits & ~kSign;
  // What is subnormal in the type is that in f32 now.
  Codes moved = BitsOf(FromBits(magnitude) * PowerOfTwo(f.bias - kBias));
  if (f.specials == Specials::kIeee) moved = Select(magnitude >= kInfinity, magnitude, moved);
  const Codes code = (moved >> (kMantissaBits - f.mantissa_bits)) & f.magnitude_mask();
  switch (f.specials) {
    case Specials::kIeee:
    case Specials::kFinite:
      return code | sign;
    case Specials::kFn:
      return Select(magnitude > kInfinity, f.nan(), code) | sign;
    default:
      return Select(magnitude > kInfinity, f.nan(), Select(magnitude == 0u, 0u, code | sign));
  }
}

Floats RoundedCutFloat(Floats value, FloatFormat f) {
  const int shift = kMantissaBits - f.mantissa_bits;
  const uint32_t low = (1u << shift) - 1;
  const Codes bits = BitsOf(value);
  const Codes rounded = (bits + (low >> 1) + ((bits >> shift) & 1u)) & ~low;
  return FromBits(Select(value != value, (bits & kSign) | kNan, rounded));
}

Floats Rounded(Floats value, FloatFormat f) {
  if (IsCutFloat(f)) return RoundedCutFloat(value, f);
  if (f.is_scale()) return RoundedScale(value);
  constexpr float kHuge = 0x1p30f;  // beyond every type, as NaN is for now
  const Codes sign = BitsOf(value) & kSign;
  Floats x = Abs(value);
  x = Select(x < kHuge, x, kHuge);
  // Added to x, a number whose last place is the last place of the type at x lets the addition
  // round.
  const int places = kMantissaBits - f.mantissa_bits;
  const Lane<int32_t> exponent =
      AsSigned((BitsOf(x) & kInfinity) + (static_cast<uint32_t>(places) << kMantissaBits));
  const auto least = static_cast<int32_t>(BitCast<uint32_t>(PowerOfTwo(1 - f.bias + places)));
  const Floats magic = FromBits(AsUnsigned(Select(exponent > least, exponent, least)));
  const Floats sum = (x + magic) - magic;
  const float largest = BitCast<float>(DecodeToF32Bits(f, f.max_finite()));
  const bool is_finite = f.specials == Specials::kFinite;
  const bool is_fnuz = f.specials == Specials::kFnuz;
  // The code of NaN, where there is none, is -0, and that of a negative one 0.
  const uint32_t nan = is_finite ? kSign : is_fnuz ? kSign | kNan : kNan;
  const uint32_t beyond = f.specials == Specials::kIeee ? kInfinity
                          : is_finite                   ? BitCast<uint32_t>(largest)
                                                        : nan;
  Codes bits = Select(sum > largest, beyond, BitsOf(sum));
  bits = Select(value != value, nan, bits);
  if (is_finite) return FromBits(bits ^ sign);
  if (!is_fnuz) return FromBits(bits | sign);
  // Zero has no sign, and NaN always that of its code.
  return FromBits(Select(FromBits(bits) > 0.0f, bits | sign, bits));
}

}  // namespace

bool IsNarrowFloat(ElementType type) { return FormatOf(type).has_value(); }

LaneValue DecodedFloat(LaneValue bits, ElementType type, LaneCode* code) {
  return Decoded({code, bits}, *FormatOf(type)).value;
}

LaneValue EncodedFloat(LaneValue value, ElementType type, LaneCode* code) {
  return Encoded({code, value}, *FormatOf(type)).value;
}

LaneValue RoundedFloat(LaneValue value, ElementType type, LaneCode* code) {
  return Rounded({code, value}, *FormatOf(type)).value;
}

}  // namespace hlo
