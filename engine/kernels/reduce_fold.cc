// Two directions: across (the results lie side by side in the source, so that a row of accumulators
// advances together) and along (one result after the other).
#include "engine/kernels/reduce_fold.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "engine/base/pacer.h"
#include "engine/kernels/move_copy.h"
#include "engine/kernels/move_loops.h"
#include "engine/types/storage.h"

namespace hlo {
namespace {

// Reducers on accumulators of native types. acc is the left operand.
// Integers wrap: the arithmetic is done unsigned, which for narrow types means int, where a product
// of 16-bit numbers could overflow; so it is made unsigned first.
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
    using Wide = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
    return static_cast<T>(static_cast<Wide>(acc) * static_cast<Wide>(x));
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

/// acc[i] = op(acc[i], x[i]): the results are side by side in the source.
template <typename Op, typename T, typename Acc>
void Across(const std::byte* from, int64_t n, std::byte* result) {
  const T* const __restrict x = reinterpret_cast<const T*>(from);
  Acc* const __restrict acc = reinterpret_cast<Acc*>(result);
  for (int64_t i = 0; i < n; ++i) acc[i] = Op::Apply(acc[i], static_cast<Acc>(x[i]));
}

/// One result: *acc = op(*acc, x[i * step]), one after the other.
template <typename Op, typename T, typename Acc>
void Along(const std::byte* from, int64_t n, int64_t step, std::byte* result) {
  const T* const x = reinterpret_cast<const T*>(from);
  Acc acc = *reinterpret_cast<const Acc*>(result);
  constexpr bool kSumOfFloats = std::is_same_v<T, float> && std::is_same_v<Acc, double>;
  constexpr bool kSumOfIntegers = std::is_same_v<Op, Add> && std::is_integral_v<T>;
  if constexpr (kSumOfFloats || kSumOfIntegers) {
    // -0 is the identity of a sum of floats: 0 would turn a sum of -0s into 0.
    constexpr Acc kIdentity = kSumOfFloats ? static_cast<Acc>(-0.0) : Acc{};
    if (step == 1 && n >= 16) {
      *reinterpret_cast<Acc*>(result) = FoldLanes<Op>(x, n, acc, kIdentity);
      return;
    }
  }
  for (int64_t i = 0; i < n; ++i) acc = Op::Apply(acc, static_cast<Acc>(x[i * step]));
  *reinterpret_cast<Acc*>(result) = acc;
}

/// What differs between reducers and types; the nests around it are the same for all.
struct FoldLoops {
  int width;      // of an element, in bytes
  int acc_width;  // of an accumulator
  void (*across)(const std::byte* from, int64_t n, std::byte* result);
  void (*along)(const std::byte* from, int64_t n, int64_t step, std::byte* result);
};

template <typename Op, typename T, typename Acc = T>
constexpr FoldLoops kFold = {sizeof(T), sizeof(Acc), Across<Op, T, Acc>, Along<Op, T, Acc>};

/// Accumulators of a row that advance together.
constexpr int64_t kRow = 512;

/// One reduction under way.
class Folding {
 public:
  Folding(const FoldLoops& loops, const LoopNest& reduced, const std::byte* init, Budget* budget)
      : loops_(loops), reduced_(reduced), init_(init), pacer_(budget) {}

  /// `columns` results, side by side in the source.
  void FoldRow(const std::byte* from, int64_t columns, std::byte* to) {
    for (int64_t j = 0; j < columns; j += kRow) {
      const int64_t width = std::min(kRow, columns - j);
      std::byte* const acc = to + j * loops_.acc_width;
      FillElements(loops_.acc_width, init_, acc, width, pacer_.budget());
      ForEachRow(reduced_, [&](int64_t offset, int64_t count, int64_t step) {
        for (int64_t r = 0; r < count; ++r) {
          loops_.across(from + (j + offset + r * step) * loops_.width, width, acc);
          pacer_.Add(width);
        }
      });
    }
  }

  void FoldOne(const std::byte* from, std::byte* to) {
    std::memcpy(to, init_, static_cast<size_t>(loops_.acc_width));
    ForEachRow(reduced_, [&](int64_t offset, int64_t count, int64_t step) {
      for (int64_t r = 0; r < count; r += kPollElements) {
        const int64_t n = std::min(kPollElements, count - r);
        loops_.along(from + (offset + r * step) * loops_.width, n, step, to);
        pacer_.Add(n);
      }
    });
  }

 private:
  const FoldLoops& loops_;
  const LoopNest& reduced_;
  const std::byte* init_;
  Pacer pacer_;
};

/// Integers of a width: sums, products and bits do not care for the sign.
template <typename Signed, typename Unsigned>
const FoldLoops* IntegerFold(Reducer reducer, bool is_signed) {
  switch (reducer) {
    case Reducer::kAdd:
      return &kFold<Add, Unsigned>;
    case Reducer::kMultiply:
      return &kFold<Multiply, Unsigned>;
    case Reducer::kMaximum:
      return is_signed ? &kFold<Maximum, Signed> : &kFold<Maximum, Unsigned>;
    case Reducer::kMinimum:
      return is_signed ? &kFold<Minimum, Signed> : &kFold<Minimum, Unsigned>;
    case Reducer::kAnd:
      return &kFold<And, Unsigned>;
    case Reducer::kOr:
      return &kFold<Or, Unsigned>;
  }
  return nullptr;
}

template <typename T>
const FoldLoops* FloatFold(Reducer reducer) {
  switch (reducer) {
    case Reducer::kAdd:
      return &kFold<Add, T, double>;
    case Reducer::kMultiply:
      return &kFold<Multiply, T>;
    case Reducer::kMaximum:
      return &kFold<Maximum, T>;
    case Reducer::kMinimum:
      return &kFold<Minimum, T>;
    default:
      return nullptr;
  }
}

/// Of truth values, a sum and a maximum are "or", a product and a minimum "and".
const FoldLoops* PredFold(Reducer reducer) {
  bool any = reducer == Reducer::kAdd || reducer == Reducer::kMaximum || reducer == Reducer::kOr;
  return any ? &kFold<Or, uint8_t> : &kFold<And, uint8_t>;
}

const FoldLoops* FindFold(Reducer reducer, ElementType type) {
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
  const FoldLoops& loops = *FindFold(reducer, type);
  const LoopNest nest = MakeNest(reduced);
  Folding folding(loops, nest, init, budget);
  ForEachRow(MakeNest(kept), [&](int64_t offset, int64_t count, int64_t step) {
    const std::byte* row = from + offset * loops.width;
    if (step == 1 && count >= 4) {
      folding.FoldRow(row, count, to);
    } else {
      for (int64_t i = 0; i < count; ++i) {
        folding.FoldOne(row + i * step * loops.width, to + i * loops.acc_width);
      }
    }
    to += count * loops.acc_width;
  });
}

}  // namespace hlo
