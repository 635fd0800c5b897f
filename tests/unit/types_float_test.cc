// The small floats: every code of every format, every rounding boundary, against the model.
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>

#include "doctest/doctest.h"
#include "engine/base/bits.h"
#include "engine/kernels/constants.h"
#include "engine/types/convert.h"
#include "engine/types/storage.h"
#include "tests/unit/types_format_model.h"

namespace hlo {
namespace {

// Calls f(row, tag) for every small float type.
template <typename F>
void ForEachSmallFloat(F&& f) {
  for (const model::Row& row : model::kRows) {
    DispatchType(*ElementTypeFromText(row.type), [&](auto tag) {
      using T = typename decltype(tag)::type;
      if constexpr (kClassOf<T> == TypeClass::kFloat && !std::is_arithmetic_v<T>) f(row, tag);
    });
  }
}

bool SameValue(double a, double b) {
  const bool same = std::isnan(a) ? std::isnan(b) : a == b;
  return same && std::signbit(a) == std::signbit(b);
}

TEST_CASE("small floats: every code decodes to the value of its format and encodes back") {
  ForEachSmallFloat([](const model::Row& row, auto tag) {
    using T = typename decltype(tag)::type;
    INFO(row.type);
    CHECK(T::kFormat.width() == model::Width(row));
    int wrong = 0;
    for (uint32_t code = 0; code < (1u << model::Width(row)); ++code) {
      const T value = T::FromBits(code);
      const double expected = model::Decode(row, code);
      wrong += value.bits() != code;
      wrong += !SameValue(static_cast<double>(value), expected);
      wrong += !SameValue(static_cast<double>(static_cast<float>(value)), expected);
      wrong += value.is_nan() != std::isnan(expected);
      if (std::isnan(expected)) {
        wrong += T::kHasNan && !T(static_cast<float>(value)).is_nan();
      } else {
        wrong += T(static_cast<float>(value)).bits() != code;
        wrong += T(static_cast<double>(value)).bits() != code;
      }
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("small floats: positive codes are in the order of their values") {
  ForEachSmallFloat([](const model::Row& row, auto tag) {
    using T = typename decltype(tag)::type;
    INFO(row.type);
    int wrong = 0;
    for (uint32_t code = 1; code <= row.max_code; ++code) {
      wrong += !(static_cast<float>(T::FromBits(code - 1)) < static_cast<float>(T::FromBits(code)));
    }
    CHECK(wrong == 0);
    CHECK(static_cast<double>(T::Max()) == row.max);
    CHECK(T::Max().bits() == row.max_code);
    CHECK(static_cast<double>(T::Lowest()) == (row.sign != 0 ? -row.max : std::ldexp(1, -127)));
  });
}

// How many of the numbers at and next to `v`, of both signs, do not round as the model says.
template <typename T>
int WrongNear(const model::Encoder& encoder, double v) {
  int wrong = 0;
  const auto check = [&](double x) {
    const float f = static_cast<float>(x);
    wrong += T(f).bits() != encoder.Encode(static_cast<double>(f), true);
    const bool through_f32 = sizeof(T) == 2;
    const uint32_t direct = encoder.Encode(through_f32 ? static_cast<double>(f) : x, through_f32);
    wrong += T(x).bits() != direct;
  };
  const float f = static_cast<float>(v);
  for (double x :
       {v, std::nextafter(v, kInfinity), std::nextafter(v, -kInfinity),
        static_cast<double>(std::nextafter(f, std::numeric_limits<float>::infinity())),
        static_cast<double>(std::nextafter(f, -std::numeric_limits<float>::infinity()))}) {
    check(x);
    check(-x);
  }
  return wrong;
}

TEST_CASE("small floats: every tie and its neighbours round as the model says") {
  ForEachSmallFloat([](const model::Row& row, auto tag) {
    using T = typename decltype(tag)::type;
    INFO(row.type);
    const model::Encoder encoder(row);
    int wrong = 0;
    for (size_t i = 0; i < encoder.values().size(); ++i) {
      const double low = encoder.values()[i];
      const double high =
          i + 1 < encoder.values().size() ? encoder.values()[i + 1] : encoder.next();
      wrong += WrongNear<T>(encoder, low);
      wrong += WrongNear<T>(encoder, low + (high - low) / 2);
    }
    CHECK(wrong == 0);
    for (double x : {kInfinity, -kInfinity, kNan, -kNan, 0.0, -0.0, 1e300, -1e300, 1e-300, -1e-300,
                     3e38, 1e-45, 5e-324}) {
      CAPTURE(x);
      const float f = static_cast<float>(x);
      CHECK(T(f).bits() == encoder.Encode(static_cast<double>(f), true));
      CHECK(T(x).bits() ==
            encoder.Encode(sizeof(T) == 2 ? static_cast<double>(f) : x, sizeof(T) == 2));
    }
  });
}

TEST_CASE("small floats: random f32 bit patterns round as the model says") {
  ForEachSmallFloat([](const model::Row& row, auto tag) {
    using T = typename decltype(tag)::type;
    INFO(row.type);
    const model::Encoder encoder(row);
    std::mt19937 random(20261121);
    int wrong = 0;
    for (int i = 0; i < 50000; ++i) {
      const float f = BitCast<float>(static_cast<uint32_t>(random()));
      wrong += T(f).bits() != encoder.Encode(static_cast<double>(f), true);
    }
    CHECK(wrong == 0);
  });
}

struct Conversion {
  double from;
  std::string_view to;
  double result;
};

// ml_dtypes, the formats and their published code points.
const Conversion kConversions[] = {
    {464, "f8e4m3fn", 448},       {464.1, "f8e4m3fn", kNan},    {kInfinity, "f8e4m3fn", kNan},
    {248, "f8e4m3", kInfinity},   {247.9, "f8e4m3", 240},       {248, "f8e4m3fnuz", -kNan},
    {247.9, "f8e4m3fnuz", 240},   {5, "f4e2m1fn", 4},           {100, "f4e2m1fn", 6},
    {-kInfinity, "f4e2m1fn", -6}, {kNan, "f4e2m1fn", -0.0},     {0.25, "f4e2m1fn", 0},
    {0.75, "f4e2m1fn", 1},        {1.25, "f4e2m1fn", 1},        {1.75, "f4e2m1fn", 2},
    {2.5, "f4e2m1fn", 2},         {3.5, "f4e2m1fn", 4},         {0, "f8e8m0fnu", kNan},
    {-1, "f8e8m0fnu", kNan},      {3, "f8e8m0fnu", 4},          {65519, "f16", 65504},
    {65520, "f16", kInfinity},    {61439, "f8e5m2", 57344},     {61440, "f8e5m2", kInfinity},
    {15.75, "f8e3m4", kInfinity}, {31, "f8e4m3b11fnuz", -kNan}, {61440, "f8e5m2fnuz", -kNan},
    {1e9, "f6e3m2fn", 28},        {-1e9, "f6e2m3fn", -7.5},     {-0.0, "f8e5m2fnuz", 0},
    {-1e-9, "f8e4m3fnuz", 0},
};

TEST_CASE("small floats: the table of section 8") {
  for (const Conversion& row : kConversions) {
    DispatchType(*ElementTypeFromText(row.to), [&](auto tag) {
      using T = typename decltype(tag)::type;
      if constexpr (kClassOf<T> == TypeClass::kFloat) {
        INFO(row.from << " to " << row.to);
        CHECK(SameValue(static_cast<double>(ConvertElement<T>(static_cast<float>(row.from))),
                        row.result));
        CHECK(SameValue(static_cast<double>(ConvertElement<T>(row.from)), row.result));
      }
    });
  }
  CHECK(static_cast<double>(F8E8M0FNU(1e-45f)) == std::ldexp(1, -127));
}

TEST_CASE("f64 to f16 rounds twice, to the 8-bit types once") {
  // Just above a tie of f16: f32 rounds it onto the tie, and the tie goes to even.
  const double f16_tie = 1 + std::ldexp(1, -11);
  CHECK(static_cast<double>(F16(f16_tie + std::ldexp(1, -40))) == 1);
  const double f8_tie = 1 + std::ldexp(1, -4);
  CHECK(static_cast<double>(F8E4M3(f8_tie + std::ldexp(1, -40))) == 1.125);
  CHECK(static_cast<double>(F8E4M3(f8_tie)) == 1);
}

TEST_CASE("the sign of a NaN survives, its payload becomes the default") {
  CHECK(F16(BitCast<float>(0xFF800001u)).bits() == 0xFE00);
  CHECK(BF16(BitCast<float>(0x7F800001u)).bits() == 0x7FC0);
  CHECK(F8E5M2(-std::numeric_limits<float>::quiet_NaN()).bits() == 0xFE);
  CHECK(F8E4M3FN(-std::numeric_limits<float>::quiet_NaN()).bits() == 0xFF);
  CHECK(F8E4M3FNUZ(-std::numeric_limits<float>::quiet_NaN()).bits() == 0x80);
  CHECK(BitCast<uint32_t>(static_cast<float>(F16::FromBits(0xFE00))) == 0xFFC00000u);
  // That of the types without -0 has its code.
  CHECK(BitCast<uint32_t>(static_cast<float>(F8E4M3FNUZ::FromBits(0x80))) == 0xFFC00000u);
  CHECK(ConvertElement<F8E4M3FN>(F8E5M2FNUZ::FromBits(0x80)).bits() == 0xFF);
}

}  // namespace
}  // namespace hlo
