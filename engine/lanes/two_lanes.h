// Two f64 side by side, in a vector: the algebra of algebra.h on vectors of sixteen bytes, so that
// the functions of f64 go through two numbers at a time. Every operation is IEEE's on each lane:
// the bits are those of one number.
#ifndef HLO_ENGINE_LANES_TWO_LANES_H_
#define HLO_ENGINE_LANES_TWO_LANES_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "engine/lanes/algebra.h"
#include "engine/lanes/exact_arithmetic.h"

namespace hlo::lanes {

/// Two of a T: f64, integers of 64 bits, or bool, of which a lane is all bits or none.
template <typename T>
struct TwoLanes {
  using Element = std::conditional_t<std::is_same_v<T, bool>, int64_t, T>;
  typedef Element Vector __attribute__((vector_size(16)));
  Vector value;
};
/// A number of C++ beside lanes of a T.
template <typename T>
using TwoNumberOf = std::type_identity_t<T>;

/// What functions that take two f64 at a time are templates over.
template <typename D>
concept TwoDoubles = std::is_same_v<D, TwoLanes<double>>;

template <typename T>
HLO_LANE inline TwoLanes<T> TwoOf(T number) {
  return {typename TwoLanes<T>::Vector{number, number}};
}
/// The same bits as lanes of another type.
template <typename To, typename From>
HLO_LANE inline TwoLanes<To> AsLanesOf(TwoLanes<From> a) {
  return __builtin_bit_cast(TwoLanes<To>, a);
}

#define HLO_TWO_LANES_OPERATOR(symbol, Result)                                        \
  template <typename T>                                                               \
  HLO_LANE inline TwoLanes<Result> operator symbol(TwoLanes<T> a, TwoLanes<T> b) {    \
    const auto value = a.value symbol b.value;                                        \
    return __builtin_bit_cast(TwoLanes<Result>, value);                               \
  }                                                                                   \
  template <typename T>                                                               \
  HLO_LANE inline TwoLanes<Result> operator symbol(TwoLanes<T> a, TwoNumberOf<T> b) { \
    return a symbol TwoOf<T>(b);                                                      \
  }                                                                                   \
  template <typename T>                                                               \
  HLO_LANE inline TwoLanes<Result> operator symbol(TwoNumberOf<T> a, TwoLanes<T> b) { \
    return TwoOf<T>(a) symbol b;                                                      \
  }
HLO_TWO_LANES_OPERATOR(+, T)
HLO_TWO_LANES_OPERATOR(-, T)
HLO_TWO_LANES_OPERATOR(*, T)
HLO_TWO_LANES_OPERATOR(/, T)
HLO_TWO_LANES_OPERATOR(&, T)
HLO_TWO_LANES_OPERATOR(|, T)
HLO_TWO_LANES_OPERATOR(^, T)
HLO_TWO_LANES_OPERATOR(==, bool)
HLO_TWO_LANES_OPERATOR(!=, bool)
HLO_TWO_LANES_OPERATOR(<, bool)
HLO_TWO_LANES_OPERATOR(<=, bool)
HLO_TWO_LANES_OPERATOR(>, bool)
HLO_TWO_LANES_OPERATOR(>=, bool)
#undef HLO_TWO_LANES_OPERATOR

template <typename T>
HLO_LANE inline TwoLanes<T> operator-(TwoLanes<T> a) {
  return {-a.value};
}
/// Both are computed, as of any other operator.
HLO_LANE inline TwoLanes<bool> operator&&(TwoLanes<bool> a, TwoLanes<bool> b) { return a & b; }
HLO_LANE inline TwoLanes<bool> operator||(TwoLanes<bool> a, TwoLanes<bool> b) { return a | b; }
HLO_LANE inline TwoLanes<bool> operator!(TwoLanes<bool> a) { return {~a.value}; }
template <typename T>
HLO_LANE inline TwoLanes<T> operator<<(TwoLanes<T> a, int amount) {
  return {a.value << amount};
}
template <typename T>
HLO_LANE inline TwoLanes<T> operator>>(TwoLanes<T> a, int amount) {
  return {a.value >> amount};
}

HLO_LANE inline TwoLanes<uint64_t> BitsOf(TwoLanes<double> a) { return AsLanesOf<uint64_t>(a); }
HLO_LANE inline TwoLanes<double> FromBits(TwoLanes<uint64_t> a) { return AsLanesOf<double>(a); }
HLO_LANE inline TwoLanes<uint64_t> AsUnsigned(TwoLanes<int64_t> a) {
  return AsLanesOf<uint64_t>(a);
}
HLO_LANE inline TwoLanes<int64_t> AsSigned(TwoLanes<uint64_t> a) { return AsLanesOf<int64_t>(a); }

template <typename T>
HLO_LANE inline TwoLanes<T> Select(TwoLanes<bool> condition, TwoLanes<T> on_true,
                                   TwoLanes<T> on_false) {
  const auto mask = AsLanesOf<uint64_t>(condition).value;
  const auto bits =
      (AsLanesOf<uint64_t>(on_true).value & mask) | (AsLanesOf<uint64_t>(on_false).value & ~mask);
  return __builtin_bit_cast(TwoLanes<T>, bits);
}

/// What `function` computes of each lane of some numbers.
template <typename Result, typename Function, typename... T>
HLO_LANE inline TwoLanes<Result> EachLane(Function function, TwoLanes<T>... a) {
  return {typename TwoLanes<Result>::Vector{static_cast<Result>(function(a.value[0]...)),
                                            static_cast<Result>(function(a.value[1]...))}};
}

HLO_LANE inline TwoLanes<double> Abs(TwoLanes<double> a) {
  return FromBits(BitsOf(a) & (~uint64_t{0} >> 1));
}
HLO_LANE inline TwoLanes<double> Sqrt(TwoLanes<double> a) {
  return EachLane<double>([](double x) { return Sqrt(x); }, a);
}
HLO_LANE inline TwoLanes<double> Floor(TwoLanes<double> a) {
  return EachLane<double>([](double x) { return Floor(x); }, a);
}
HLO_LANE inline TwoLanes<double> Like(TwoLanes<double>, double number) { return TwoOf(number); }
HLO_LANE inline TwoLanes<bool> HasSign(TwoLanes<double> x) {
  return AsSigned(BitsOf(x)) < int64_t{0};
}
HLO_LANE inline TwoLanes<double> CopySign(TwoLanes<double> size, TwoLanes<double> sign) {
  constexpr uint64_t kSign = uint64_t{1} << 63;
  return FromBits((BitsOf(size) & ~kSign) | (BitsOf(sign) & kSign));
}

/// Of whole numbers below 2^51 in magnitude, and of anything else any number.
HLO_LANE inline TwoLanes<int64_t> AsInteger(TwoLanes<double> x) {
  constexpr double kRounder = 0x1.8p52;
  // Cut off, as a conversion does: a sum alone would round.
  const TwoLanes<double> size = Abs(x), rounded = (size + kRounder) - kRounder;
  const TwoLanes<double> cut = Select(rounded > size, rounded - 1.0, rounded);
  const TwoLanes<double> whole = CopySign(cut, x);
  return AsSigned(BitsOf(whole + kRounder) - __builtin_bit_cast(uint64_t, kRounder));
}
/// Numbers below 2^51 in magnitude.
HLO_LANE inline TwoLanes<double> AsDouble(TwoLanes<int64_t> x) {
  constexpr double kRounder = 0x1.8p52;
  return FromBits(AsUnsigned(x) + __builtin_bit_cast(uint64_t, kRounder)) - kRounder;
}
HLO_LANE inline TwoLanes<double> AsDouble(TwoLanes<uint64_t> x) {
  return EachLane<double>([](uint64_t lane) { return AsDouble(lane); }, x);
}
HLO_LANE inline TwoLanes<uint64_t> ShiftedLeft(TwoLanes<uint64_t> x, TwoLanes<uint64_t> bits) {
  return {x.value << bits.value};
}
HLO_LANE inline TwoLanes<uint64_t> ShiftedRight(TwoLanes<uint64_t> x, TwoLanes<uint64_t> bits) {
  return {x.value >> bits.value};
}

/// Of numbers that are not 0.
HLO_LANE inline TwoLanes<uint64_t> LeadingZeros(TwoLanes<uint64_t> x) {
  return EachLane<uint64_t>([](uint64_t lane) { return LeadingZeros(lane | 1); }, x);
}
HLO_LANE inline TwoLanes<int64_t> ExponentOf(TwoLanes<double> x) {
  return EachLane<int64_t>([](double lane) { return ExponentOf(lane); }, x);
}

/// An element of a table for each lane. A lane whose result is not used may have any index.
template <typename T, size_t N>
HLO_LANE inline TwoLanes<T> ElementOf(const std::array<T, N>& table, TwoLanes<uint64_t> index) {
  return {typename TwoLanes<T>::Vector{table[std::min<uint64_t>(index.value[0], N - 1)],
                                       table[std::min<uint64_t>(index.value[1], N - 1)]}};
}

HLO_LANE inline ExactOf<TwoLanes<double>> Select(TwoLanes<bool> condition,
                                                 ExactOf<TwoLanes<double>> on_true,
                                                 ExactOf<TwoLanes<double>> on_false) {
  return {Select(condition, on_true.value, on_false.value),
          Select(condition, on_true.error, on_false.error)};
}

/// What one of two functions computes, or, where lanes differ, both: they have no effects, and may
/// compute anything of a lane that is the other's.
template <typename OnTrue, typename OnFalse>
HLO_LANE inline auto Either(TwoLanes<bool> condition, OnTrue on_true, OnFalse on_false) {
  const bool first = condition.value[0] != 0, second = condition.value[1] != 0;
  if (first && second) return on_true();
  if (!first && !second) return on_false();
  return Select(condition, on_true(), on_false());
}

}  // namespace hlo::lanes

#endif  // HLO_ENGINE_LANES_TWO_LANES_H_
