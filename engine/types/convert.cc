#include "engine/types/convert.h"

#include <algorithm>
#include <cstring>

namespace hlo {
namespace {

// A loop for each of the 33 x 33 pairs would be large. Every type converts exactly to one of six
// wide types, and from each of these there is a loop to every type.
enum class Wide : uint8_t { kInt32, kInt64, kUint64, kFloat, kDouble, kComplex };

template <typename T>
constexpr Wide WideOf() {
  switch (kClassOf<T>) {
    case TypeClass::kFloat:
      return std::is_same_v<T, double> ? Wide::kDouble : Wide::kFloat;
    case TypeClass::kComplex:
      return Wide::kComplex;
    default:
      return std::is_same_v<T, uint64_t>                                 ? Wide::kUint64
             : std::is_same_v<T, int64_t> || std::is_same_v<T, uint32_t> ? Wide::kInt64
                                                                         : Wide::kInt32;
  }
}

template <typename From, typename To>
void Loop(const std::byte* source, std::byte* destination, int64_t n) {
  const From* in = reinterpret_cast<const From*>(source);
  To* out = reinterpret_cast<To*>(destination);
  for (int64_t i = 0; i < n; ++i) out[i] = ConvertElement<To>(in[i]);
}

using ConvertLoop = void (*)(const std::byte*, std::byte*, int64_t);

// The wide type as an element type, and the loop into it.
struct Widening {
  ElementType type;
  ConvertLoop loop;
};

Widening WideningOf(ElementType from) {
  return DispatchType(from, [](auto tag) -> Widening {
    using T = typename decltype(tag)::type;
    constexpr Wide kWide = WideOf<T>();
    if constexpr (kWide == Wide::kInt32) {
      return {ElementType::kS32, Loop<T, int32_t>};
    } else if constexpr (kWide == Wide::kInt64) {
      return {ElementType::kS64, Loop<T, int64_t>};
    } else if constexpr (kWide == Wide::kUint64) {
      return {ElementType::kU64, Loop<T, uint64_t>};
    } else if constexpr (kWide == Wide::kFloat) {
      return {ElementType::kF32, Loop<T, float>};
    } else if constexpr (kWide == Wide::kDouble) {
      return {ElementType::kF64, Loop<T, double>};
    } else {
      return {ElementType::kC128, Loop<T, std::complex<double>>};
    }
  });
}

template <typename From>
ConvertLoop NarrowingFrom(ElementType to) {
  return DispatchType(
      to, [](auto tag) -> ConvertLoop { return Loop<From, typename decltype(tag)::type>; });
}

ConvertLoop NarrowingOf(ElementType wide, ElementType to) {
  switch (wide) {
    case ElementType::kS32:
      return NarrowingFrom<int32_t>(to);
    case ElementType::kS64:
      return NarrowingFrom<int64_t>(to);
    case ElementType::kU64:
      return NarrowingFrom<uint64_t>(to);
    case ElementType::kF32:
      return NarrowingFrom<float>(to);
    case ElementType::kF64:
      return NarrowingFrom<double>(to);
    default:
      return NarrowingFrom<std::complex<double>>(to);
  }
}

}  // namespace

void ConvertElements(ElementType from, const std::byte* source, ElementType to,
                     std::byte* destination, int64_t n) {
  if (from == to) {
    if (n > 0) std::memmove(destination, source, static_cast<size_t>(n * BytesOf(from)));
    return;
  }
  const Widening widening = WideningOf(from);
  if (widening.type == to) return widening.loop(source, destination, n);
  const ConvertLoop narrowing = NarrowingOf(widening.type, to);
  if (widening.type == from) return narrowing(source, destination, n);
  constexpr int64_t kChunk = 1024;
  alignas(16) std::byte wide[kChunk * sizeof(std::complex<double>)];
  for (int64_t done = 0; done < n; done += kChunk) {
    const int64_t count = std::min(kChunk, n - done);
    widening.loop(source + done * BytesOf(from), wide, count);
    narrowing(wide, destination + done * BytesOf(to), count);
  }
}

}  // namespace hlo
