// Loops of the functions that only custom-call targets have.
#include "engine/base/bits.h"
#include "engine/kernels/scalar_special.h"
#include "engine/kernels/typed_loops.h"
#include "engine/types/float_traits.h"

namespace hlo {
namespace {

/// A float type as codes: its magnitude below its sign.
template <typename T>
struct Codes {
  using Bits = decltype(T().bits());
  static constexpr Bits kSign = static_cast<Bits>(T::kFormat.sign_bit());
  static constexpr bool kHasNegativeZero = T::kFormat.specials != Specials::kFnuz;
  static Bits Of(T x) { return x.bits(); }
  static T From(Bits bits) { return T::FromBits(bits); }
};
template <typename T>
requires RealElement<T>
struct Codes<T> {
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  static constexpr Bits kSign = Bits{1} << (8 * sizeof(T) - 1);
  static constexpr bool kHasNegativeZero = true;
  static Bits Of(T x) { return BitCast<Bits>(x); }
  static T From(Bits bits) { return BitCast<T>(bits); }
};

/// The neighbour of `from` in the direction of `to`; NaN when one of them is.
template <typename T>
T NextAfter(T from, T to) {
  using C = Codes<T>;
  using Bits = typename C::Bits;
  if (FloatTraits<T>::IsNan(from) || FloatTraits<T>::IsNan(to)) return FloatTraits<T>::NaN(false);
  const Bits a = C::Of(from), b = C::Of(to);
  constexpr Bits kMagnitude = static_cast<Bits>(~C::kSign);
  const Bits size = a & kMagnitude, to_size = b & kMagnitude;
  // A scale has no zero, and no sign.
  constexpr bool kHasZero = C::kSign != 0;
  if (a == b || (kHasZero && size == 0 && to_size == 0)) return to;
  if (kHasZero && size == 0) return C::From(static_cast<Bits>((b & C::kSign) | 1));
  const bool inward = ((a ^ b) & C::kSign) != 0 || to_size < size;
  if (inward && size == 1 && !C::kHasNegativeZero) return C::From(0);
  return C::From(static_cast<Bits>(inward ? a - 1 : a + 1));
}

template <typename T>
void NextAfterFunction(const ElementLoop&, int64_t n, const std::byte* const* args,
                       std::byte* result) {
  const T* const from = As<T>(args[0]);
  const T* const to = As<T>(args[1]);
  T* const out = As<T>(result);
  for (int64_t i = 0; i < n; ++i) out[i] = NextAfter<T>(from[i], to[i]);
}

}  // namespace

ElementLoop NextAfterLoop(ElementType type) {
  return DispatchType(type, [type](auto tag) -> ElementLoop {
    using T = typename decltype(tag)::type;
    if constexpr (kClassOf<T> == TypeClass::kFloat) {
      return {.run = NextAfterFunction<T>,
              .operand_count = 2,
              .operands = {type, type},
              .result = type};
    } else {
      return {};
    }
  });
}

template <typename Op>
ElementLoop TernaryLoop(ElementType type) {
  return MakeLoop<Op, 3>(type);
}

template ElementLoop UnaryLoop<BesselI0eOp>(ElementType);
template ElementLoop UnaryLoop<BesselI1eOp>(ElementType);
template ElementLoop UnaryLoop<ConjOp>(ElementType);
template ElementLoop UnaryLoop<DigammaOp>(ElementType);
template ElementLoop UnaryLoop<ErfInvOp>(ElementType);
template ElementLoop UnaryLoop<ErfcOp>(ElementType);
template ElementLoop UnaryLoop<IsInfOp>(ElementType);
template ElementLoop UnaryLoop<IsNanOp>(ElementType);
template ElementLoop UnaryLoop<IsNegInfOp>(ElementType);
template ElementLoop UnaryLoop<IsNegZeroOp>(ElementType);
template ElementLoop UnaryLoop<IsPosInfOp>(ElementType);
template ElementLoop UnaryLoop<LgammaOp>(ElementType);
template ElementLoop UnaryLoop<ReciprocalOp>(ElementType);
template ElementLoop UnaryLoop<SquareOp>(ElementType);
template ElementLoop BinaryLoop<IgammaOp>(ElementType);
template ElementLoop BinaryLoop<IgammaGradAOp>(ElementType);
template ElementLoop BinaryLoop<IgammacOp>(ElementType);
template ElementLoop BinaryLoop<PolygammaOp>(ElementType);
template ElementLoop BinaryLoop<RandomGammaGradOp>(ElementType);
template ElementLoop BinaryLoop<ZetaOp>(ElementType);
template ElementLoop TernaryLoop<RegularizedIncompleteBetaOp>(ElementType);

}  // namespace hlo
