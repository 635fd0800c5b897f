// Loops of compare. Source: operation semantics, element-wise comparison.
#include <cstring>
#include <limits>
#include <type_traits>

#include "engine/kernels/scalar_types.h"
#include "engine/kernels/total_order.h"
#include "engine/kernels/typed_loops.h"
#include "engine/lanes/algebra.h"

namespace hlo {
namespace {

struct Equal {
  template <typename T>
  static bool Run(T a, T b) {
    return a == b;
  }
};
struct NotEqual {
  template <typename T>
  static bool Run(T a, T b) {
    return a != b;
  }
};
struct Less {
  template <typename T>
  static bool Run(T a, T b) {
    return a < b;
  }
};
struct LessOrEqual {
  template <typename T>
  static bool Run(T a, T b) {
    return a <= b;
  }
};

// a > b is b < a.
template <ElementLoop::Function kFunction>
void Swapped(const ElementLoop& self, int64_t n, const std::byte* const* args, std::byte* result) {
  const std::byte* const swapped[] = {args[1], args[0]};
  kFunction(self, n, swapped, result);
}

template <typename T>
ElementLoop::Function OrderedFunction(Direction direction) {
  switch (direction) {
    case Direction::kEq:
      return LoopFunction<Equal, T, 2>;
    case Direction::kNe:
      return LoopFunction<NotEqual, T, 2>;
    case Direction::kLt:
      return LoopFunction<Less, T, 2>;
    case Direction::kLe:
      return LoopFunction<LessOrEqual, T, 2>;
    case Direction::kGt:
      return Swapped<LoopFunction<Less, T, 2>>;
    case Direction::kGe:
      return Swapped<LoopFunction<LessOrEqual, T, 2>>;
  }
  return nullptr;
}

template <typename T>
ElementLoop::Function EqualityFunction(Direction direction) {
  switch (direction) {
    case Direction::kEq:
      return LoopFunction<Equal, T, 2>;
    case Direction::kNe:
      return LoopFunction<NotEqual, T, 2>;
    default:
      return nullptr;
  }
}

bool Holds(Direction direction, int64_t a, int64_t b) {
  switch (direction) {
    case Direction::kEq:
      return a == b;
    case Direction::kNe:
      return a != b;
    case Direction::kGe:
      return a >= b;
    case Direction::kGt:
      return a > b;
    case Direction::kLe:
      return a <= b;
    case Direction::kLt:
      return a < b;
  }
  return false;
}

// params[0]: the direction.
template <typename T>
void TotalOrder(const ElementLoop& self, int64_t n, const std::byte* const* args,
                std::byte* result) {
  using Bits = std::conditional_t<
      sizeof(T) == 1, uint8_t,
      std::conditional_t<sizeof(T) == 2, uint16_t,
                         std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>>;
  const auto key = [](const std::byte* at) {
    Bits bits;
    std::memcpy(&bits, at, sizeof(bits));
    if constexpr (sizeof(T) == 1) {
      return ByteOrderKey<T::kFormat>(bits);
    } else {
      return TotalOrderKey(bits);
    }
  };
  const Direction direction = static_cast<Direction>(self.params[0]);
  bool* const out = As<bool>(result);
  for (int64_t i = 0; i < n; ++i) {
    const int64_t at = i * static_cast<int64_t>(sizeof(T));
    out[i] = Holds(direction, key(args[0] + at), key(args[1] + at));
  }
}

// The same of f32 and f64, but that zeros are equal, and NaNs the largest.
template <typename T>
void WeakOrder(const ElementLoop& self, int64_t n, const std::byte* const* args,
               std::byte* result) {
  const auto key = [](T x) {
    if (x != x) return std::numeric_limits<int64_t>::max();
    return TotalOrderKey(lanes::BitsOf(static_cast<T>(x + T{0})));
  };
  const Direction direction = static_cast<Direction>(self.params[0]);
  const T* const a = As<T>(args[0]);
  const T* const b = As<T>(args[1]);
  bool* const out = As<bool>(result);
  for (int64_t i = 0; i < n; ++i) out[i] = Holds(direction, key(a[i]), key(b[i]));
}

}  // namespace

ElementLoop CompareLoop(ElementType type, Direction direction, FloatOrder order) {
  const bool total_order = order == FloatOrder::kTotal;
  const bool weak_order = order == FloatOrder::kWeak;
  ElementLoop loop;
  loop.operand_count = 2;
  loop.operands[0] = loop.operands[1] = type;
  loop.result = ElementType::kPred;
  loop.params[0] = static_cast<int32_t>(direction);
  loop.comparison = Comparison{direction, order != FloatOrder::kPartial && IsFloat(type),
                               weak_order && IsFloat(type)};
  loop.run = DispatchType(type, [&](auto tag) -> ElementLoop::Function {
    using T = typename decltype(tag)::type;
    if constexpr (ComplexElement<T>) {
      return EqualityFunction<T>(direction);
    } else if constexpr (kClassOf<T> == TypeClass::kPred) {
      return OrderedFunction<uint8_t>(direction);
    } else if constexpr (IntegerElement<T> && !kIsNative<T>) {
      // Bytes always hold the extended value.
      return OrderedFunction<typename T::Stored>(direction);
    } else {
      if constexpr (!IntegerElement<T>) {
        if (total_order) return TotalOrder<T>;
        if (weak_order) return WeakOrder<std::conditional_t<kIsNarrowFloat<T>, float, T>>;
      }
      return OrderedFunction<std::conditional_t<kIsNarrowFloat<T>, float, T>>(direction);
    }
  });
  if (IsFloat(type) && !total_order && BytesOf(type) < 4) {
    loop.wide_run = std::exchange(loop.run, RunWidened);
    loop.wide_operand = ElementType::kF32;
    loop.wide_result = ElementType::kPred;
  }
  return loop;
}

}  // namespace hlo
