#include "engine/kernels/order_keys.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "engine/base/bits.h"
#include "engine/kernels/total_order.h"
#include "engine/types/convert.h"
#include "engine/types/storage.h"

namespace hlo {
namespace {

/// keys[i] = of(element i), T being what is read.
template <typename T, typename Key, typename F>
void Write(const std::byte* from, int64_t n, Key* keys, F of) {
  const T* x = reinterpret_cast<const T*>(from);
  for (int64_t i = 0; i < n; ++i) keys[i] = of(x[i]);
}

/// Integers: the smallest becomes 0. Narrow ones keep their range, so that all higher digits of the
/// keys are the same.
template <typename T, typename Key>
void WriteIntegers(const std::byte* from, int64_t n, Key* keys) {
  using Bits = std::make_unsigned_t<T>;
  constexpr Bits kLowest = static_cast<Bits>(std::numeric_limits<T>::min());
  Write<T>(from, n, keys, [](T x) { return static_cast<Bits>(static_cast<Bits>(x) ^ kLowest); });
}

template <typename Bits, typename Key>
void WriteTotal(const std::byte* from, int64_t n, Key* keys) {
  constexpr Bits kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  Write<Bits>(from, n, keys, [](Bits x) {
    return static_cast<Bits>(static_cast<Bits>(TotalOrderKey(x)) ^ kSign);
  });
}

/// The formats of one byte, by a table of their codes.
void WriteByteTotal(ElementType type, const std::byte* from, int64_t n, uint32_t* keys) {
  uint32_t table[256];
  DispatchType(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (kClassOf<T> == TypeClass::kFloat && sizeof(T) == 1) {
      for (int i = 0; i < 256; ++i) {
        table[i] = static_cast<uint32_t>(ByteOrderKey<T::kFormat>(static_cast<uint8_t>(i)) + 128);
      }
    }
  });
  Write<uint8_t>(from, n, keys, [&](uint8_t x) { return table[x]; });
}

/// Floats as numbers. The direction is taken into account here: NaN is last in both.
template <typename Float, typename Key>
void WritePartial(bool descending, const Float* x, int64_t n, Key* keys) {
  constexpr Key kSign = Key{1} << (8 * sizeof(Key) - 1);
  for (int64_t i = 0; i < n; ++i) {
    const Float value = x[i] + Float{0};  // -0 becomes 0
    const Key key = static_cast<Key>(TotalOrderKey(BitCast<Key>(value))) ^ kSign;
    keys[i] = value != value ? ~Key{0} : descending ? ~key : key;
  }
}

void WriteNarrowPartial(ElementOrder order, const std::byte* from, int64_t n, uint32_t* keys) {
  constexpr int64_t kBlock = 512;
  float wide[kBlock];
  for (int64_t done = 0; done < n; done += kBlock) {
    const int64_t count = std::min(kBlock, n - done);
    ConvertElements(order.type, from + done * BytesOf(order.type), ElementType::kF32,
                    reinterpret_cast<std::byte*>(wide), count);
    WritePartial(order.descending, wide, count, keys + done);
  }
}

template <typename Key>
void Complement(Key* keys, int64_t n) {
  for (int64_t i = 0; i < n; ++i) keys[i] = ~keys[i];
}

void WriteAscending(ElementType type, const std::byte* from, int64_t n, uint32_t* keys) {
  const bool is_signed = IsSigned(type);
  if (IsFloat(type)) {
    if (BytesOf(type) == 1) return WriteByteTotal(type, from, n, keys);
    if (BytesOf(type) == 2) return WriteTotal<uint16_t>(from, n, keys);
    return WriteTotal<uint32_t>(from, n, keys);
  }
  switch (BytesOf(type)) {
    case 1:  // the stored byte of a sub-byte integer is its value
      return is_signed ? WriteIntegers<int8_t>(from, n, keys)
                       : WriteIntegers<uint8_t>(from, n, keys);
    case 2:
      return is_signed ? WriteIntegers<int16_t>(from, n, keys)
                       : WriteIntegers<uint16_t>(from, n, keys);
    default:
      return is_signed ? WriteIntegers<int32_t>(from, n, keys)
                       : WriteIntegers<uint32_t>(from, n, keys);
  }
}

void WriteAscending(ElementType type, const std::byte* from, int64_t n, uint64_t* keys) {
  if (IsFloat(type)) return WriteTotal<uint64_t>(from, n, keys);
  if (IsSigned(type)) return WriteIntegers<int64_t>(from, n, keys);
  WriteIntegers<uint64_t>(from, n, keys);
}

}  // namespace

void WriteOrderKeys(ElementOrder order, const std::byte* from, int64_t n, uint32_t* keys) {
  if (IsFloat(order.type) && !order.total) {
    if (BytesOf(order.type) < 4) return WriteNarrowPartial(order, from, n, keys);
    return WritePartial(order.descending, reinterpret_cast<const float*>(from), n, keys);
  }
  WriteAscending(order.type, from, n, keys);
  if (order.descending) Complement(keys, n);
}

void WriteOrderKeys(ElementOrder order, const std::byte* from, int64_t n, uint64_t* keys) {
  if (IsFloat(order.type) && !order.total) {
    return WritePartial(order.descending, reinterpret_cast<const double*>(from), n, keys);
  }
  WriteAscending(order.type, from, n, keys);
  if (order.descending) Complement(keys, n);
}

}  // namespace hlo
