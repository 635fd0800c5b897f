// Conversions between element types: every value of every type of 16 bits and fewer to every
// type, against the model; then the wide types by table.
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/types/convert.h"
#include "engine/types/storage.h"
#include "tests/unit/all_values.h"
#include "tests/unit/types_format_model.h"

namespace hlo {
namespace {

bool IsInteger(ElementType t) { return IsIntegral(t) || t == ElementType::kPred; }

// The stored integer of one or two bytes.
int64_t Stored(ElementType type, const std::byte* at) {
  if (BytesOf(type) == 1) {
    return IsSigned(type) ? static_cast<int64_t>(static_cast<int8_t>(*at))
                          : static_cast<int64_t>(static_cast<uint8_t>(*at));
  }
  uint16_t value;
  std::memcpy(&value, at, 2);
  return IsSigned(type) ? static_cast<int64_t>(static_cast<int16_t>(value)) : int64_t{value};
}

double NumberAt(ElementType type, const std::byte* at) {
  if (IsInteger(type)) return static_cast<double>(Stored(type, at));
  return model::Decode(*model::FindRow(Text(type)), static_cast<uint32_t>(Stored(type, at)));
}

int64_t Lowest(ElementType t) { return IsSigned(t) ? -(int64_t{1} << (BitsOf(t) - 1)) : 0; }
int64_t Highest(ElementType t) {
  return (int64_t{1} << (IsSigned(t) ? BitsOf(t) - 1 : BitsOf(t))) - 1;
}

int64_t Wrapped(ElementType t, int64_t value) {
  const int64_t low = value & ((int64_t{1} << BitsOf(t)) - 1);
  return IsSigned(t) && low > Highest(t) ? low - (int64_t{1} << BitsOf(t)) : low;
}

// The stored integer that `value` of type `from` becomes.
int64_t Expected(ElementType from, ElementType to, double value, const model::Encoder* encoder) {
  if (to == ElementType::kPred) return std::isnan(value) || value != 0;
  if (IsFloat(to)) return encoder->Encode(value, true);
  if (IsInteger(from)) return Wrapped(to, static_cast<int64_t>(value));
  if (std::isnan(value)) return 0;
  const double whole = std::trunc(value);
  if (whole <= static_cast<double>(Lowest(to))) return Lowest(to);
  if (whole >= static_cast<double>(Highest(to))) return Highest(to);
  return static_cast<int64_t>(whole);
}

std::vector<ElementType> SmallTypes() {
  std::vector<ElementType> types;
  for (size_t i = 0; i < ElementTypes().size(); ++i) {
    if (ElementTypes()[i].bytes <= 2) types.push_back(static_cast<ElementType>(i));
  }
  return types;
}

TEST_CASE("convert: every value of every type of 16 bits or fewer to every such type") {
  std::map<ElementType, std::unique_ptr<model::Encoder>> encoders;
  for (ElementType type : SmallTypes()) {
    const model::Row* row = model::FindRow(Text(type));
    encoders[type] = row != nullptr ? std::make_unique<model::Encoder>(*row) : nullptr;
  }
  CHECK(encoders.size() == 24);
  for (ElementType from : SmallTypes()) {
    const Tensor source = AllValues(from);
    const int64_t n = source.element_count();
    for (ElementType to : SmallTypes()) {
      std::vector<std::byte> result(static_cast<size_t>(n * BytesOf(to)));
      ConvertElements(from, source.bytes(), to, result.data(), n);
      int64_t wrong = 0;
      for (int64_t i = 0; i < n; ++i) {
        const std::byte* in = source.bytes() + i * BytesOf(from);
        const int64_t actual = IsFloat(to) && BytesOf(to) == 1
                                   ? static_cast<uint8_t>(result[static_cast<size_t>(i)])
                                   : Stored(to, result.data() + i * BytesOf(to));
        const int64_t expected = from == to
                                     ? Stored(from, in)
                                     : Expected(from, to, NumberAt(from, in), encoders[to].get());
        wrong += actual != expected;
      }
      INFO(Text(from) << " to " << Text(to));
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("convert: every value of every type of 16 bits or fewer to the wide types and back") {
  for (ElementType from : SmallTypes()) {
    const Tensor source = AllValues(from);
    const int64_t n = source.element_count();
    const size_t count = static_cast<size_t>(n);
    std::vector<float> f32(count);
    std::vector<double> f64(count);
    std::vector<int32_t> s32(count);
    std::vector<uint64_t> u64(count);
    std::vector<std::complex<double>> c128(count);
    const auto convert = [&](ElementType to, void* out) {
      ConvertElements(from, source.bytes(), to, static_cast<std::byte*>(out), n);
    };
    convert(ElementType::kF32, f32.data());
    convert(ElementType::kF64, f64.data());
    convert(ElementType::kS32, s32.data());
    convert(ElementType::kU64, u64.data());
    convert(ElementType::kC128, c128.data());
    int wrong = 0;
    for (size_t i = 0; i < count; ++i) {
      const double v = NumberAt(from, source.bytes() + i * static_cast<size_t>(BytesOf(from)));
      const bool is_nan = std::isnan(v);
      wrong += is_nan ? !std::isnan(f32[i]) : static_cast<double>(f32[i]) != v;
      wrong += is_nan ? !std::isnan(f64[i]) : f64[i] != v;
      wrong += is_nan ? !std::isnan(c128[i].real()) : c128[i].real() != v;
      wrong += std::signbit(f64[i]) != std::signbit(v) || c128[i].imag() != 0;
      const double bounded = is_nan ? 0 : std::min(std::max(v, -2147483648.0), 2147483647.0);
      wrong += static_cast<double>(s32[i]) != std::trunc(bounded);
      const uint64_t unsigned_value = is_nan ? 0
                                      : IsInteger(from)
                                          ? static_cast<uint64_t>(static_cast<int64_t>(v))
                                      : v <= 0                      ? 0
                                      : v >= 18446744073709551616.0 ? ~uint64_t{0}
                                                                    : static_cast<uint64_t>(v);
      wrong += u64[i] != unsigned_value;
    }
    INFO(Text(from));
    CHECK(wrong == 0);
  }
}

template <typename To, typename From>
void CheckConvert(From value, To expected) {
  CAPTURE(Text(kTypeOf<From>));
  CAPTURE(Text(kTypeOf<To>));
  CHECK(ConvertElement<To>(value) == expected);
  To bulk;
  ConvertElements(kTypeOf<From>, reinterpret_cast<const std::byte*>(&value), kTypeOf<To>,
                  reinterpret_cast<std::byte*>(&bulk), 1);
  CHECK(bulk == expected);
}

TEST_CASE("convert: floats to integers truncate and saturate, NaN is 0") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  for (auto [from, to] :
       {std::pair{nan, 0}, {inf, 127}, {-inf, -128}, {300.7f, 127}, {-1.5f, -1}}) {
    CheckConvert<int8_t>(from, static_cast<int8_t>(to));
    CheckConvert<int8_t>(static_cast<double>(from), static_cast<int8_t>(to));
  }
  for (auto [from, to] : {std::pair{-1.0f, 0}, {256.9f, 255}, {nan, 0}, {255.9f, 255}}) {
    CheckConvert<uint8_t>(from, static_cast<uint8_t>(to));
  }
  CheckConvert<int32_t>(2147483648.0f, 2147483647);
  CheckConvert<int32_t>(2147483647.5, 2147483647);
  CheckConvert<int32_t>(2147483646.9, 2147483646);
  CheckConvert<int32_t>(-2147483649.0, std::numeric_limits<int32_t>::min());
  CheckConvert<int64_t>(9223372036854775808.0, std::numeric_limits<int64_t>::max());
  CheckConvert<int64_t>(9223371487098961920.0f, int64_t{9223371487098961920});
  CheckConvert<uint64_t>(18446744073709551616.0f, ~uint64_t{0});
  CheckConvert<uint64_t>(-1e300, uint64_t{0});
  CheckConvert<uint32_t>(4294967295.5, 4294967295u);
  CheckConvert<S1>(0.99f, S1(0));
  CheckConvert<S1>(7.0f, S1(0));
  CheckConvert<S1>(-7.0f, S1(-1));
  CheckConvert<U4>(99.0, U4(15));
}

TEST_CASE("convert: integers wrap, and become true unless they are 0") {
  CheckConvert<int8_t>(int32_t{300}, int8_t{44});
  CheckConvert<int8_t>(int32_t{-1}, int8_t{-1});
  CheckConvert<uint8_t>(int32_t{-1}, uint8_t{255});
  CheckConvert<S4>(int32_t{9}, S4(-7));
  CheckConvert<S4>(int32_t{-9}, S4(7));
  CheckConvert<uint32_t>(int64_t{-1}, ~uint32_t{0});
  CheckConvert<int64_t>(~uint64_t{0}, int64_t{-1});
  CheckConvert<uint64_t>(int32_t{-2}, ~uint64_t{1});
  CheckConvert<uint64_t>(S2(-2), ~uint64_t{1});
  CheckConvert<bool>(int64_t{1} << 40, true);
  CheckConvert<bool>(0.0, false);
  CheckConvert<bool>(-0.0f, false);
  CheckConvert<bool>(std::numeric_limits<float>::quiet_NaN(), true);
  CheckConvert<int32_t>(true, 1);
  CheckConvert<float>(true, 1.0f);
}

TEST_CASE("convert: integers to floats round to nearest even") {
  CheckConvert<float>(int32_t{16777217}, 16777216.0f);
  CheckConvert<float>(int32_t{16777219}, 16777220.0f);
  CheckConvert<float>(~uint64_t{0}, 18446744073709551616.0f);
  CheckConvert<double>(int64_t{9007199254740993}, 9007199254740992.0);
  CHECK(std::isinf(static_cast<float>(ConvertElement<F16>(int32_t{65520}))));
  CHECK(static_cast<float>(ConvertElement<F16>(int32_t{65519})) == 65504.0f);
  CHECK(static_cast<float>(ConvertElement<F6E3M2FN>(int32_t{-1000})) == -28.0f);
  CHECK(ConvertElement<F8E8M0FNU>(int32_t{0}).is_nan());
}

TEST_CASE("convert: complex") {
  using C64 = std::complex<float>;
  using C128 = std::complex<double>;
  CheckConvert<C64>(2.5f, C64(2.5f, 0));
  CheckConvert<C128>(int32_t{-3}, C128(-3, 0));
  CheckConvert<C64>(C128(1 + 1e-12, -2), C64(1, -2));
  CheckConvert<C128>(C64(1.5f, -2), C128(1.5, -2));
  CheckConvert<float>(C64(1.5f, -2), 1.5f);
  CheckConvert<int8_t>(C128(1000, -2), int8_t{127});
  CheckConvert<bool>(C64(0, -2), true);
  CheckConvert<bool>(C64(0, 0), false);
  CheckConvert<C64>(true, C64(1, 0));
}

TEST_CASE("convert: arrays longer than a chunk, and empty ones") {
  constexpr int64_t kCount = 5000;
  std::vector<int32_t> in(kCount);
  for (int32_t i = 0; i < kCount; ++i) in[static_cast<size_t>(i)] = i - 2500;
  std::vector<F16> small(kCount);
  ConvertElements(ElementType::kS32, reinterpret_cast<std::byte*>(in.data()), ElementType::kF16,
                  reinterpret_cast<std::byte*>(small.data()), kCount);
  std::vector<std::complex<float>> complex(kCount);
  ConvertElements(ElementType::kF16, reinterpret_cast<std::byte*>(small.data()), ElementType::kC64,
                  reinterpret_cast<std::byte*>(complex.data()), kCount);
  int wrong = 0;
  for (int i = 0; i < kCount; ++i) {
    const size_t at = static_cast<size_t>(i);
    wrong += complex[at].real() != static_cast<float>(small[at]);
    wrong += small[at].bits() != F16(static_cast<float>(i - 2500)).bits();
  }
  CHECK(wrong == 0);
  ConvertElements(ElementType::kS32, nullptr, ElementType::kF32, nullptr, 0);
  ConvertElements(ElementType::kS32, nullptr, ElementType::kS32, nullptr, 0);
}

}  // namespace
}  // namespace hlo
