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

template <typename Bits>
constexpr Bits kSignBit = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));

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
  Write<Bits>(from, n, keys, [](Bits x) {
    return static_cast<Bits>(static_cast<Bits>(TotalOrderKey(x)) ^ kSignBit<Bits>);
  });
}

/// The keys of the formats of one byte by their codes.
void FindByteKeys(ElementType type, uint32_t (&table)[256]) {
  DispatchType(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (kClassOf<T> == TypeClass::kFloat && sizeof(T) == 1) {
      for (int i = 0; i < 256; ++i) {
        table[i] = static_cast<uint32_t>(ByteOrderKey<T::kFormat>(static_cast<uint8_t>(i)) + 128);
      }
    }
  });
}

void WriteByteTotal(ElementType type, const std::byte* from, int64_t n, uint32_t* keys) {
  uint32_t table[256];
  FindByteKeys(type, table);
  Write<uint8_t>(from, n, keys, [&](uint8_t x) { return table[x]; });
}

/// Floats as numbers. The direction is taken into account here: NaN is last in both.
template <typename Float, typename Key>
void WritePartial(bool descending, const Float* x, int64_t n, Key* keys) {
  for (int64_t i = 0; i < n; ++i) {
    const Float value = x[i] + Float{0};  // -0 becomes 0
    const Key key = static_cast<Key>(TotalOrderKey(BitCast<Key>(value))) ^ kSignBit<Key>;
    keys[i] = value != value ? ~Key{0} : descending ? ~key : key;
  }
}

/// Elements that ConvertElements takes at a time.
constexpr int64_t kConverted = 512;

void WriteNarrowPartial(ElementOrder order, const std::byte* from, int64_t n, uint32_t* keys) {
  float wide[kConverted];
  for (int64_t done = 0; done < n; done += kConverted) {
    const int64_t count = std::min(kConverted, n - done);
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

#ifndef HLO_SMALL

/// element i = of(key i), T being what is written.
template <typename T, typename Key, typename F>
void Read(const Key* keys, int64_t n, std::byte* to, F of) {
  T* x = reinterpret_cast<T*>(to);
  for (int64_t i = 0; i < n; ++i) x[i] = of(static_cast<T>(keys[i]));
}

/// The bits of the float with this key in the total order.
template <typename Bits>
Bits FloatOfKey(Bits key) {
  return static_cast<Bits>(TotalOrderKey(static_cast<Bits>(key ^ kSignBit<Bits>)));
}

template <typename Bits, typename Key>
void ReadAscending(bool is_float, bool is_signed, const Key* keys, int64_t n, std::byte* to) {
  if (is_float) {
    Read<Bits>(keys, n, to, [](Bits key) { return FloatOfKey(key); });
  } else if (is_signed) {
    Read<Bits>(keys, n, to, [](Bits key) { return static_cast<Bits>(key ^ kSignBit<Bits>); });
  } else {
    Read<Bits>(keys, n, to, [](Bits key) { return key; });
  }
}

void ReadByteTotal(ElementType type, const uint32_t* keys, int64_t n, std::byte* to) {
  uint32_t table[256] = {};
  FindByteKeys(type, table);
  constexpr int kByteKeys = 384;  // ByteOrderKey
  uint8_t codes[kByteKeys] = {};
  // Of codes that stand for the same, as those of less than a byte do, the lowest.
  for (int i = 255; i >= 0; --i) codes[table[i]] = static_cast<uint8_t>(i);
  for (int64_t i = 0; i < n; ++i) to[i] = static_cast<std::byte>(codes[keys[i]]);
}

void ReadTotal(ElementType type, const uint32_t* keys, int64_t n, std::byte* to) {
  const bool is_float = IsFloat(type), is_signed = IsSigned(type);
  switch (BytesOf(type)) {
    case 1:
      if (is_float) return ReadByteTotal(type, keys, n, to);
      return ReadAscending<uint8_t>(false, is_signed, keys, n, to);
    case 2:
      return ReadAscending<uint16_t>(is_float, is_signed, keys, n, to);
    default:
      return ReadAscending<uint32_t>(is_float, is_signed, keys, n, to);
  }
}
void ReadTotal(ElementType type, const uint64_t* keys, int64_t n, std::byte* to) {
  ReadAscending<uint64_t>(IsFloat(type), IsSigned(type), keys, n, to);
}

template <typename Float, typename Key>
void ReadPartial(bool descending, const Key* keys, int64_t n, std::byte* to) {
  const Key nan = BitCast<Key>(std::numeric_limits<Float>::quiet_NaN());
  const Key flip = descending ? ~Key{0} : Key{0};
  Read<Key>(keys, n, to, [=](Key key) { return key == ~Key{0} ? nan : FloatOfKey(key ^ flip); });
}

void ReadNarrowPartial(ElementOrder order, const uint32_t* keys, int64_t n, std::byte* to) {
  std::byte wide[kConverted * sizeof(float)];
  for (int64_t done = 0; done < n; done += kConverted) {
    const int64_t count = std::min(kConverted, n - done);
    ReadPartial<float>(order.descending, keys + done, count, wide);
    ConvertElements(ElementType::kF32, wide, order.type, to + done * BytesOf(order.type), count);
  }
}

/// Of a total order or of integers: keys of a descending one are complements.
template <typename Key>
void ReadComplements(ElementType type, const Key* keys, int64_t n, std::byte* to) {
  Key block[kConverted];
  for (int64_t done = 0; done < n; done += kConverted) {
    const int64_t count = std::min(kConverted, n - done);
    std::copy_n(keys + done, count, block);
    Complement(block, count);
    ReadTotal(type, block, count, to + done * BytesOf(type));
  }
}

#endif  // HLO_SMALL

}  // namespace

void WriteOrderKeys(ElementOrder order, const std::byte* from, int64_t n, uint32_t* keys) {
  if (HasEqualKeys(order)) {
    if (BytesOf(order.type) < 4) return WriteNarrowPartial(order, from, n, keys);
    return WritePartial(order.descending, reinterpret_cast<const float*>(from), n, keys);
  }
  WriteAscending(order.type, from, n, keys);
  if (order.descending) Complement(keys, n);
}

void WriteOrderKeys(ElementOrder order, const std::byte* from, int64_t n, uint64_t* keys) {
  if (HasEqualKeys(order)) {
    return WritePartial(order.descending, reinterpret_cast<const double*>(from), n, keys);
  }
  WriteAscending(order.type, from, n, keys);
  if (order.descending) Complement(keys, n);
}

#ifndef HLO_SMALL

void ReadOrderKeys(ElementOrder order, const uint32_t* keys, int64_t n, std::byte* to) {
  if (HasEqualKeys(order)) {
    if (BytesOf(order.type) < 4) return ReadNarrowPartial(order, keys, n, to);
    return ReadPartial<float>(order.descending, keys, n, to);
  }
  if (order.descending) return ReadComplements(order.type, keys, n, to);
  ReadTotal(order.type, keys, n, to);
}

void ReadOrderKeys(ElementOrder order, const uint64_t* keys, int64_t n, std::byte* to) {
  if (HasEqualKeys(order)) return ReadPartial<double>(order.descending, keys, n, to);
  if (order.descending) return ReadComplements(order.type, keys, n, to);
  ReadTotal(order.type, keys, n, to);
}

#endif  // HLO_SMALL

}  // namespace hlo
