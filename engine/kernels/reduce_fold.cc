// Two directions: across (the results lie side by side in the source, so that a row of accumulators
// advances together) and along (one result after the other).
#include "engine/kernels/reduce_fold.h"

#include <algorithm>
#include <type_traits>

#include "engine/kernels/move_loops.h"
#include "engine/types/storage.h"

namespace hlo {
namespace {

// Reducers on accumulators of native types. acc is the left operand.
// Integers wrap: the arithmetic is done unsigned, which for narrow types means int, where a product
// of 16-bit numbers could overflow; so it is widened first.
struct Add {
  template <typename T>
  static T Apply(T acc, T x) {
    return static_cast<T>(acc + x);
  }
};
struct Multiply {
  template <typename T>
  static T Apply(T acc, T x) {
    if constexpr (std::is_floating_point_v<T>) return acc * x;
    return static_cast<T>(static_cast<uint64_t>(acc) * static_cast<uint64_t>(x));
  }
};
// NaN wins, the left one first; of equal values (zeros of both signs) the left one stays.
struct Maximum {
  template <typename T>
  static T Apply(T acc, T x) {
    return acc >= x || acc != acc ? acc : x;
  }
};
struct Minimum {
  template <typename T>
  static T Apply(T acc, T x) {
    return acc <= x || acc != acc ? acc : x;
  }
};
struct And {
  template <typename T>
  static T Apply(T acc, T x) {
    return static_cast<T>(acc & x);
  }
};
struct Or {
  template <typename T>
  static T Apply(T acc, T x) {
    return static_cast<T>(acc | x);
  }
};

/// Accumulators of a row that advance together.
constexpr int64_t kRow = 512;

/// The results are side by side in the source.
template <typename Op, typename T, typename Acc>
void FoldAcross(const T* from, int64_t columns, const LoopNest& reduced, Acc init, Acc* to,
                Budget* budget) {
  for (int64_t j = 0; j < columns; j += kRow) {
    int64_t width = std::min(kRow, columns - j);
    Acc* acc = to + j;
    std::fill_n(acc, width, init);
    int64_t work = 0;
    ForEachRow(reduced, [&](int64_t offset, int64_t count, int64_t step) {
      for (int64_t r = 0; r < count; ++r) {
        const T* x = from + j + offset + r * step;
        for (int64_t i = 0; i < width; ++i) acc[i] = Op::Apply(acc[i], static_cast<Acc>(x[i]));
        work += width;
        if (work >= kPollElements) {
          work = 0;
          budget->Poll();
        }
      }
    });
  }
}

/// Eight sums at a time; only where the order makes no difference that counts.
template <typename Op, typename T, typename Acc>
Acc FoldLanes(const T* x, int64_t n, Acc acc, Acc identity) {
  constexpr int64_t kLanes = 8;
  Acc lanes[kLanes];
  std::fill_n(lanes, kLanes, identity);
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (int64_t l = 0; l < kLanes; ++l) {
      lanes[l] = Op::Apply(lanes[l], static_cast<Acc>(x[i + l]));
    }
  }
  for (Acc lane : lanes) acc = Op::Apply(acc, lane);
  for (; i < n; ++i) acc = Op::Apply(acc, static_cast<Acc>(x[i]));
  return acc;
}

template <typename Op, typename T, typename Acc>
Acc FoldPiece(const T* x, int64_t n, int64_t step, Acc acc) {
  constexpr bool kSumOfFloats = std::is_same_v<T, float> && std::is_same_v<Acc, double>;
  constexpr bool kSumOfIntegers = std::is_same_v<Op, Add> && std::is_integral_v<T>;
  if constexpr (kSumOfFloats || kSumOfIntegers) {
    // -0 is the identity of a sum of floats: 0 would turn a sum of -0s into 0.
    constexpr Acc kIdentity = kSumOfFloats ? static_cast<Acc>(-0.0) : Acc{};
    if (step == 1 && n >= 16) return FoldLanes<Op>(x, n, acc, kIdentity);
  }
  for (int64_t i = 0; i < n; ++i) acc = Op::Apply(acc, static_cast<Acc>(x[i * step]));
  return acc;
}

/// One result.
template <typename Op, typename T, typename Acc>
Acc FoldAlong(const T* from, const LoopNest& reduced, Acc acc, int64_t* work, Budget* budget) {
  ForEachRow(reduced, [&](int64_t offset, int64_t count, int64_t step) {
    for (int64_t r = 0; r < count; r += kPollElements) {
      int64_t n = std::min(kPollElements, count - r);
      acc = FoldPiece<Op>(from + offset + r * step, n, step, acc);
      *work += n;
      if (*work >= kPollElements) {
        *work = 0;
        budget->Poll();
      }
    }
  });
  return acc;
}

template <typename Op, typename T, typename Acc = T>
void Fold(const std::byte* bytes, const LoopNest& kept, const LoopNest& reduced,
          const std::byte* init_bytes, std::byte* result, Budget* budget) {
  const T* from = reinterpret_cast<const T*>(bytes);
  Acc* to = reinterpret_cast<Acc*>(result);
  const Acc init = *reinterpret_cast<const Acc*>(init_bytes);
  int64_t work = 0;
  ForEachRow(kept, [&](int64_t offset, int64_t count, int64_t step) {
    if (step == 1 && count >= 4) {
      FoldAcross<Op>(from + offset, count, reduced, init, to, budget);
      to += count;
      return;
    }
    for (int64_t i = 0; i < count; ++i) {
      *to++ = FoldAlong<Op>(from + offset + i * step, reduced, init, &work, budget);
    }
  });
}

using FoldFunction = void (*)(const std::byte*, const LoopNest&, const LoopNest&, const std::byte*,
                              std::byte*, Budget*);

/// Integers of a width: sums, products and bits do not care for the sign.
template <typename Signed, typename Unsigned>
FoldFunction IntegerFold(Reducer reducer, bool is_signed) {
  switch (reducer) {
    case Reducer::kAdd:
      return Fold<Add, Unsigned>;
    case Reducer::kMultiply:
      return Fold<Multiply, Unsigned>;
    case Reducer::kMaximum:
      return is_signed ? Fold<Maximum, Signed> : Fold<Maximum, Unsigned>;
    case Reducer::kMinimum:
      return is_signed ? Fold<Minimum, Signed> : Fold<Minimum, Unsigned>;
    case Reducer::kAnd:
      return Fold<And, Unsigned>;
    case Reducer::kOr:
      return Fold<Or, Unsigned>;
  }
  return nullptr;
}

template <typename T>
FoldFunction FloatFold(Reducer reducer) {
  switch (reducer) {
    case Reducer::kAdd:
      return Fold<Add, T, double>;
    case Reducer::kMultiply:
      return Fold<Multiply, T>;
    case Reducer::kMaximum:
      return Fold<Maximum, T>;
    case Reducer::kMinimum:
      return Fold<Minimum, T>;
    default:
      return nullptr;
  }
}

/// Of truth values, a sum and a maximum are "or", a product and a minimum "and".
FoldFunction PredFold(Reducer reducer) {
  bool any = reducer == Reducer::kAdd || reducer == Reducer::kMaximum || reducer == Reducer::kOr;
  return any ? Fold<Or, uint8_t> : Fold<And, uint8_t>;
}

FoldFunction FindFold(Reducer reducer, ElementType type) {
  switch (type) {
    case ElementType::kPred:
      return PredFold(reducer);
    case ElementType::kS8:
    case ElementType::kU8:
      return IntegerFold<int8_t, uint8_t>(reducer, IsSigned(type));
    case ElementType::kS16:
    case ElementType::kU16:
      return IntegerFold<int16_t, uint16_t>(reducer, IsSigned(type));
    case ElementType::kS32:
    case ElementType::kU32:
      return IntegerFold<int32_t, uint32_t>(reducer, IsSigned(type));
    case ElementType::kS64:
    case ElementType::kU64:
      return IntegerFold<int64_t, uint64_t>(reducer, IsSigned(type));
    case ElementType::kF32:
      return FloatFold<float>(reducer);
    case ElementType::kF64:
      return FloatFold<double>(reducer);
    default:
      return nullptr;
  }
}

}  // namespace

ElementType FoldResultType(Reducer reducer, ElementType type) {
  return reducer == Reducer::kAdd && IsFloat(type) ? ElementType::kF64 : type;
}

bool CanFold(Reducer reducer, ElementType type) { return FindFold(reducer, type) != nullptr; }

void FoldView(Reducer reducer, ElementType type, const std::byte* from, const StridedView& kept,
              const StridedView& reduced, const std::byte* init, std::byte* to, Budget* budget) {
  FindFold(reducer, type)(from, MakeNest(kept), MakeNest(reduced), init, to, budget);
}

}  // namespace hlo
