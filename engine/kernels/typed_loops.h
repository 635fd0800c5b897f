// Makes loops of scalar operations: the one place where a typed loop is written, and where it is
// decided which types need a loop of their own. Included by the .cc files that instantiate it.
#ifndef HLO_ENGINE_KERNELS_TYPED_LOOPS_H_
#define HLO_ENGINE_KERNELS_TYPED_LOOPS_H_

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "engine/kernels/complex_math.h"
#include "engine/kernels/element_loop.h"
#include "engine/kernels/scalar_types.h"
#include "engine/kernels/vectors.h"
#include "engine/lanes/float_functions.h"
#include "engine/types/storage.h"

// Before a loop whose iterations do not touch each other's elements. Without it the compiler's test
// for overlap would send every operation in place to a scalar loop.
#if defined(__clang__)
// Clang warns when a loop that has been declared so cannot be vectorised (calls to sin).
#pragma clang diagnostic ignored "-Wpass-failed"
#define HLO_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#define HLO_SHORT_CODE _Pragma("clang loop vectorize(disable) unroll(disable)")
#else
#define HLO_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#define HLO_SHORT_CODE
#endif

namespace hlo {

template <typename T>
const T* As(const std::byte* bytes) {
  return reinterpret_cast<const T*>(bytes);
}
template <typename T>
T* As(std::byte* bytes) {
  return reinterpret_cast<T*>(bytes);
}

/// Functions of f32 with a quicker way for most operands.
template <typename Op, typename T>
constexpr bool kHasCommonWay = std::is_same_v<T, float>&& requires(T a) {
  Op::RunCommon(a);
};

template <typename Op, typename T>
constexpr bool kIsRare = [] {
  if constexpr (std::is_same_v<T, float> && requires { Op::kIsRare; }) return Op::kIsRare;
  return false;
}();

/// The loop of a rare operation.
template <typename Op, typename... Args>
void RunOneByOne(int64_t n, float* out, const Args*... args) {
  HLO_SHORT_CODE
  for (int64_t i = 0; i < n; ++i) {
    out[i] = Op::Run(args[i]...);
  }
}

/// The loop in f32 of a function with a quicker way for most operands: parts of nothing but these
/// take it.
template <typename Op>
void RunCommonly(int64_t n, float* out, const float* a) {
  constexpr int64_t kPart = 256;
  for (int64_t begin = 0; begin < n; begin += kPart) {
    const int64_t end = std::min(n, begin + kPart);
    int rare = 0;
    for (int64_t i = begin; i < end; ++i) rare |= Op::IsRareOperand(a[i]) ? 1 : 0;
    HLO_INDEPENDENT_ITERATIONS
    for (int64_t i = rare != 0 ? end : begin; i < end; ++i) out[i] = Op::RunCommon(a[i]);
    HLO_INDEPENDENT_ITERATIONS
    for (int64_t i = rare != 0 ? begin : end; i < end; ++i) out[i] = Op::Run(a[i]);
  }
}

#ifdef HLO_SMALL
template <typename Op, typename T, size_t kOperands>
constexpr bool kGoesByFour = false;
#else
template <typename Op, typename... Four>
concept TakesFour = requires(Four... a) {
  Op::RunFour(a...);
};
/// Four of a type side by side.
template <typename T>
using FourOf = std::conditional_t<ComplexElement<T>, FourComplex, lanes::FourLanes<double>>;
/// Functions of f64, and of complex numbers of such parts, that go through four numbers at a time.
template <typename Op, typename T, size_t kOperands>
constexpr bool kGoesByFour = (std::is_same_v<T, double> || std::is_same_v<T, Complex>)&&(
    kOperands == 1 ? TakesFour<Op, FourOf<T>> : TakesFour<Op, FourOf<T>, FourOf<T>>);
#endif

inline lanes::FourLanes<double> LoadFour(const double* from) {
  return {LoadVector(from), LoadVector(from + 2)};
}
inline void StoreFour(const lanes::FourLanes<double>& four, double* to) {
  StoreVector<double>(four.low, to);
  StoreVector<double>(four.high, to + 2);
}
/// Parts lie side by side in memory.
inline FourComplex LoadFour(const Complex* from) {
  using Parts = lanes::FourLanes<double>::Vector;
  const auto* const parts = reinterpret_cast<const double*>(from);
  const Parts a = LoadVector(parts), b = LoadVector(parts + 2), c = LoadVector(parts + 4),
              d = LoadVector(parts + 6);
  return {{Parts{a[0], b[0]}, Parts{c[0], d[0]}}, {Parts{a[1], b[1]}, Parts{c[1], d[1]}}};
}
inline void StoreFour(const FourComplex& four, Complex* to) {
  using Parts = lanes::FourLanes<double>::Vector;
  auto* const parts = reinterpret_cast<double*>(to);
  const auto &x = four.real, &y = four.imag;
  StoreVector<double>(Parts{x.low[0], y.low[0]}, parts);
  StoreVector<double>(Parts{x.low[1], y.low[1]}, parts + 2);
  StoreVector<double>(Parts{x.high[0], y.high[0]}, parts + 4);
  StoreVector<double>(Parts{x.high[1], y.high[1]}, parts + 6);
}

/// Their loop; the last ones go by themselves.
template <typename Op, typename T, typename... Args>
void RunByFour(int64_t n, T* out, const Args*... args) {
  int64_t i = 0;
  for (; i + 4 <= n; i += 4) StoreFour(Op::RunFour(LoadFour(args + i)...), out + i);
  for (; i < n; ++i) out[i] = Op::Run(args[i]...);
}

/// The loop itself, over elements of T. Integers of less than a byte are rare, and wrapping them
/// takes vectors a lot of code.
template <typename Op, typename T, size_t kOperands>
void LoopFunction(const ElementLoop&, int64_t n, const std::byte* const* args, std::byte* result) {
  const T* const a = As<T>(args[0]);
  if constexpr (kIsRare<Op, T> && kOperands == 1) {
    RunOneByOne<Op>(n, As<float>(result), a);
  } else if constexpr (kIsRare<Op, T> && kOperands == 2) {
    RunOneByOne<Op>(n, As<float>(result), a, As<T>(args[1]));
  } else if constexpr (kHasCommonWay<Op, T>) {
    RunCommonly<Op>(n, As<float>(result), a);
  } else if constexpr (kGoesByFour<Op, T, kOperands> && kOperands == 1) {
    RunByFour<Op>(n, As<T>(result), a);
  } else if constexpr (kGoesByFour<Op, T, kOperands> && kOperands == 2) {
    RunByFour<Op>(n, As<T>(result), a, As<T>(args[1]));
  } else if constexpr (kOperands == 1) {
    auto* const out = As<decltype(Op::Run(a[0]))>(result);
    HLO_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < n; ++i) out[i] = Op::Run(a[i]);
  } else if constexpr (kOperands == 3) {
    const T* const b = As<T>(args[1]);
    const T* const c = As<T>(args[2]);
    auto* const out = As<decltype(Op::Run(a[0], b[0], c[0]))>(result);
    for (int64_t i = 0; i < n; ++i) out[i] = Op::Run(a[i], b[i], c[i]);
  } else {
    const T* const b = As<T>(args[1]);
    auto* const out = As<decltype(Op::Run(a[0], b[0]))>(result);
    if constexpr (IntegerElement<T> && !kIsNative<T>) {
      HLO_SHORT_CODE
      for (int64_t i = 0; i < n; ++i) out[i] = Op::Run(a[i], b[i]);
    } else {
      HLO_INDEPENDENT_ITERATIONS
      for (int64_t i = 0; i < n; ++i) out[i] = Op::Run(a[i], b[i]);
    }
  }
}

/// The storage type whose loop serves T as well: fewer loops, same results.
template <typename Op, typename T>
constexpr auto LoopTypeOf() {
  if constexpr (kIsNarrowFloat<T>) {
    return TypeTag<float>();
  } else if constexpr (std::is_same_v<T, std::complex<float>> && Op::kComplexInDouble) {
    return TypeTag<std::complex<double>>();
  } else if constexpr (IntegerElement<T>) {
    constexpr bool kSigned = kClassOf<T> == TypeClass::kSigned && !Op::kIgnoresSign;
    if constexpr (kIsNative<T>) {
      return TypeTag<std::conditional_t<kSigned, T, std::make_unsigned_t<T>>>();
    } else if constexpr (Op::kStaysInRange) {
      // Bytes always hold the extended value.
      return TypeTag<std::conditional_t<kSigned, int8_t, uint8_t>>();
    } else {
      return TypeTag<T>();
    }
  } else {
    return TypeTag<T>();
  }
}

/// What the operation gives for operands of T where its loop over L gives R: bool stays (pred), a
/// part of a complex number is a part, the rest is the operand's type.
template <typename T, typename L, typename R>
constexpr ElementType ResultTypeOf() {
  if constexpr (std::is_same_v<R, bool>) {
    return ElementType::kPred;
  } else if constexpr (ComplexElement<L> && !ComplexElement<R>) {
    return kTypeOf<typename T::value_type>;
  } else {
    return kTypeOf<T>;
  }
}

template <typename Op, size_t kOperands, typename L>
constexpr auto ResultTagOf() {
  if constexpr (kOperands == 1) {
    return TypeTag<decltype(Op::Run(std::declval<L>()))>();
  } else if constexpr (kOperands == 3) {
    return TypeTag<decltype(Op::Run(std::declval<L>(), std::declval<L>(), std::declval<L>()))>();
  } else {
    return TypeTag<decltype(Op::Run(std::declval<L>(), std::declval<L>()))>();
  }
}

template <typename Op, typename T, size_t kOperands>
ElementLoop LoopFor() {
  using L = typename decltype(LoopTypeOf<Op, T>())::type;
  using R = typename decltype(ResultTagOf<Op, kOperands, L>())::type;
  ElementLoop loop;
  loop.operand_count = static_cast<int>(kOperands);
  for (size_t i = 0; i < kOperands; ++i) loop.operands[i] = kTypeOf<T>;
  loop.result = ResultTypeOf<T, L, R>();
  loop.run = LoopFunction<Op, L, kOperands>;
  if constexpr (kIsNarrowFloat<T> || (ComplexElement<T> && !std::is_same_v<T, L>)) {
    loop.wide_run = std::exchange(loop.run, RunWidened);
    loop.wide_operand = kTypeOf<L>;
    loop.wide_result = kTypeOf<R>;
  }
  return loop;
}

template <typename Op, size_t kOperands>
ElementLoop MakeLoop(ElementType type) {
  return DispatchType(type, [](auto tag) -> ElementLoop {
    using T = typename decltype(tag)::type;
    if constexpr (Contains(Op::kTypes, kClassOf<T>)) {
      return LoopFor<Op, T, kOperands>();
    } else {
      return {};
    }
  });
}

template <typename Op>
ElementLoop UnaryLoop(ElementType type) {
  return MakeLoop<Op, 1>(type);
}
template <typename Op>
ElementLoop BinaryLoop(ElementType type) {
  return MakeLoop<Op, 2>(type);
}

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_TYPED_LOOPS_H_
