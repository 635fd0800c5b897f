// Four f64 side by side, in two vectors: the algebra of algebra.h, so that the functions of f64 go
// through four numbers at a time. Two vectors, since operations of one wait for one another: a
// processor does those of the other meanwhile. Every operation is IEEE's on each lane: the bits are
// those of one number.
#ifndef HLO_ENGINE_LANES_FOUR_LANES_H_
#define HLO_ENGINE_LANES_FOUR_LANES_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "engine/lanes/algebra.h"
#include "engine/lanes/exact_arithmetic.h"

namespace hlo::lanes {

/// Four of a T: f64, integers of 64 bits, or bool, of which a lane is all bits or none.
template <typename T>
struct FourLanes {
  using Element = std::conditional_t<std::is_same_v<T, bool>, int64_t, T>;
  typedef Element Vector __attribute__((vector_size(16)));
  Vector low, high;
};
/// A number of C++ beside lanes of a T.
template <typename T>
using LaneNumberOf = std::type_identity_t<T>;
/// What functions that take four f64 at a time are templates over.
template <typename D>
concept FourDoubles = std::is_same_v<D, FourLanes<double>>;

/// The same number in all lanes.
template <typename T>
HLO_LANE inline FourLanes<T> FourOf(T number) {
  using Vector = typename FourLanes<T>::Vector;
  return {Vector{number, number}, Vector{number, number}};
}
/// The same bits as lanes of another type.
template <typename To, typename From>
HLO_LANE inline FourLanes<To> AsLanesOf(FourLanes<From> a) {
  return __builtin_bit_cast(FourLanes<To>, a);
}

/// Of comparisons the vectors are masks, whatever was compared.
#define HLO_FOUR_LANES_OPERATOR(symbol, Result)                                          \
  template <typename T>                                                                  \
  HLO_LANE inline FourLanes<Result> operator symbol(FourLanes<T> a, FourLanes<T> b) {    \
    using Vector = typename FourLanes<Result>::Vector;                                   \
    const auto low = a.low symbol b.low, high = a.high symbol b.high;                    \
    return {__builtin_bit_cast(Vector, low), __builtin_bit_cast(Vector, high)};          \
  }                                                                                      \
  template <typename T>                                                                  \
  HLO_LANE inline FourLanes<Result> operator symbol(FourLanes<T> a, LaneNumberOf<T> b) { \
    return a symbol FourOf<T>(b);                                                        \
  }                                                                                      \
  template <typename T>                                                                  \
  HLO_LANE inline FourLanes<Result> operator symbol(LaneNumberOf<T> a, FourLanes<T> b) { \
    return FourOf<T>(a) symbol b;                                                        \
  }
HLO_FOUR_LANES_OPERATOR(+, T)
HLO_FOUR_LANES_OPERATOR(-, T)
HLO_FOUR_LANES_OPERATOR(*, T)
HLO_FOUR_LANES_OPERATOR(/, T)
HLO_FOUR_LANES_OPERATOR(&, T)
HLO_FOUR_LANES_OPERATOR(|, T)
HLO_FOUR_LANES_OPERATOR(^, T)
HLO_FOUR_LANES_OPERATOR(==, bool)
HLO_FOUR_LANES_OPERATOR(!=, bool)
HLO_FOUR_LANES_OPERATOR(<, bool)
HLO_FOUR_LANES_OPERATOR(<=, bool)
HLO_FOUR_LANES_OPERATOR(>, bool)
HLO_FOUR_LANES_OPERATOR(>=, bool)
#undef HLO_FOUR_LANES_OPERATOR

template <typename T>
HLO_LANE inline FourLanes<T> operator-(FourLanes<T> a) {
  return {-a.low, -a.high};
}
/// Both are computed, as of any other operator.
HLO_LANE inline FourLanes<bool> operator&&(FourLanes<bool> a, FourLanes<bool> b) { return a & b; }
HLO_LANE inline FourLanes<bool> operator||(FourLanes<bool> a, FourLanes<bool> b) { return a | b; }
HLO_LANE inline FourLanes<bool> operator!(FourLanes<bool> a) { return {~a.low, ~a.high}; }
template <typename T>
HLO_LANE inline FourLanes<T> operator<<(FourLanes<T> a, int amount) {
  return {a.low << amount, a.high << amount};
}
template <typename T>
HLO_LANE inline FourLanes<T> operator>>(FourLanes<T> a, int amount) {
  return {a.low >> amount, a.high >> amount};
}

HLO_LANE inline FourLanes<uint64_t> BitsOf(FourLanes<double> a) { return AsLanesOf<uint64_t>(a); }
HLO_LANE inline FourLanes<double> FromBits(FourLanes<uint64_t> a) { return AsLanesOf<double>(a); }
HLO_LANE inline FourLanes<uint64_t> AsUnsigned(FourLanes<int64_t> a) {
  return AsLanesOf<uint64_t>(a);
}
HLO_LANE inline FourLanes<int64_t> AsSigned(FourLanes<uint64_t> a) { return AsLanesOf<int64_t>(a); }

template <typename T>
HLO_LANE inline FourLanes<T> Select(FourLanes<bool> condition, FourLanes<T> on_true,
                                    FourLanes<T> on_false) {
  const auto mask = AsLanesOf<uint64_t>(condition);
  const auto chosen = AsLanesOf<uint64_t>(on_true) & mask;
  const auto other = AsLanesOf<uint64_t>(on_false) & (mask ^ ~uint64_t{0});
  return AsLanesOf<T>(chosen | other);
}
HLO_LANE inline ExactOf<FourLanes<double>> Select(FourLanes<bool> condition,
                                                  ExactOf<FourLanes<double>> on_true,
                                                  ExactOf<FourLanes<double>> on_false) {
  return {Select(condition, on_true.value, on_false.value),
          Select(condition, on_true.error, on_false.error)};
}

/// What `function` computes of each lane.
template <typename Result, typename Function, typename T>
HLO_LANE inline FourLanes<Result> EachLane(Function function, FourLanes<T> a) {
  using Vector = typename FourLanes<Result>::Vector;
  const Vector low = {static_cast<Result>(function(a.low[0])),
                      static_cast<Result>(function(a.low[1]))};
  return {low, Vector{static_cast<Result>(function(a.high[0])),
                      static_cast<Result>(function(a.high[1]))}};
}

HLO_LANE inline FourLanes<double> Abs(FourLanes<double> a) {
  return FromBits(BitsOf(a) & (~uint64_t{0} >> 1));
}
HLO_LANE inline FourLanes<double> Sqrt(FourLanes<double> a) {
  return EachLane<double>([](double x) { return Sqrt(x); }, a);
}
HLO_LANE inline FourLanes<double> Floor(FourLanes<double> a) {
  return EachLane<double>([](double x) { return Floor(x); }, a);
}
HLO_LANE inline FourLanes<double> Like(FourLanes<double>, double number) { return FourOf(number); }
HLO_LANE inline FourLanes<bool> HasSign(FourLanes<double> x) {
  return AsSigned(BitsOf(x)) < int64_t{0};
}
HLO_LANE inline FourLanes<double> CopySign(FourLanes<double> size, FourLanes<double> sign) {
  constexpr uint64_t kSign = uint64_t{1} << 63;
  return FromBits((BitsOf(size) & ~kSign) | (BitsOf(sign) & kSign));
}

/// Cut off, for numbers below 2^51 in magnitude; of others any number.
HLO_LANE inline FourLanes<int64_t> AsInteger(FourLanes<double> x) {
  constexpr double kRounder = 0x1.8p52;
  const FourLanes<double> size = Abs(x), rounded = (size + kRounder) - kRounder;
  const FourLanes<double> cut = Select(rounded > size, rounded - 1.0, rounded);
  return AsSigned(BitsOf(CopySign(cut, x) + kRounder) - BitsOf(kRounder));
}
/// Numbers below 2^51 in magnitude.
HLO_LANE inline FourLanes<double> AsDouble(FourLanes<int64_t> x) {
  constexpr double kRounder = 0x1.8p52;
  return FromBits(AsUnsigned(x) + BitsOf(kRounder)) - kRounder;
}
HLO_LANE inline FourLanes<double> AsDouble(FourLanes<uint64_t> x) {
  return EachLane<double>([](uint64_t lane) { return AsDouble(lane); }, x);
}
HLO_LANE inline FourLanes<uint64_t> ShiftedLeft(FourLanes<uint64_t> x, FourLanes<uint64_t> bits) {
  return {x.low << bits.low, x.high << bits.high};
}
HLO_LANE inline FourLanes<uint64_t> ShiftedRight(FourLanes<uint64_t> x, FourLanes<uint64_t> bits) {
  return {x.low >> bits.low, x.high >> bits.high};
}
/// Of numbers that are not 0.
HLO_LANE inline FourLanes<uint64_t> LeadingZeros(FourLanes<uint64_t> x) {
  return EachLane<uint64_t>([](uint64_t lane) { return LeadingZeros(lane | 1); }, x);
}
/// An element of a table for each lane. A lane whose result is not used may have any index.
template <typename T, size_t N>
HLO_LANE inline FourLanes<T> ElementOf(const std::array<T, N>& table, FourLanes<uint64_t> index) {
  return EachLane<T>([&](uint64_t lane) { return table[std::min<uint64_t>(lane, N - 1)]; }, index);
}

/// What one of two functions computes, or, where lanes differ, both: they have no effects, and may
/// compute anything of a lane that is the other's.
template <typename OnTrue, typename OnFalse>
HLO_LANE inline auto Either(FourLanes<bool> condition, OnTrue on_true, OnFalse on_false) {
  const auto all = condition.low & condition.high, any = condition.low | condition.high;
  if ((all[0] & all[1]) != 0) return on_true();
  if ((any[0] | any[1]) == 0) return on_false();
  return Select(condition, on_true(), on_false());
}

HLO_LANE inline FourLanes<int64_t> ExponentOf(FourLanes<double> x) {
  constexpr int64_t kNotFinite = 0x7ff, kOfOne = 1023;
  const FourLanes<int64_t> field = AsSigned(BitsOf(x) >> 52) & kNotFinite;
  return Either(
      field > int64_t{0} && field < kNotFinite, [&] { return field - kOfOne; },
      [&] { return EachLane<int64_t>([](double lane) { return ExponentOf(lane); }, x); });
}

/// x 2^exponent, rounded once.
HLO_LANE inline FourLanes<double> Shifted(FourLanes<double> x, FourLanes<int64_t> exponent) {
  // Powers of two that are normal numbers.
  constexpr int64_t kLeast = -1022, kMost = 1023;
  const auto by_power = [&] { return x * FromBits(AsUnsigned(exponent + kMost) << 52); };
  const auto each = [&] {
    using Vector = FourLanes<double>::Vector;
    return FourLanes<double>{
        Vector{Shifted(x.low[0], exponent.low[0]), Shifted(x.low[1], exponent.low[1])},
        Vector{Shifted(x.high[0], exponent.high[0]), Shifted(x.high[1], exponent.high[1])}};
  };
  return Either(exponent >= kLeast && exponent <= kMost, by_power, each);
}
HLO_LANE inline FourLanes<double> Shifted(FourLanes<double> x, int64_t exponent) {
  return Shifted(x, FourOf(exponent));
}

}  // namespace hlo::lanes

#endif  // HLO_ENGINE_LANES_FOUR_LANES_H_
