#include "engine/run/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

#include "engine/base/bits.h"
#include "engine/base/indices.h"
#include "engine/types/convert.h"
#include "engine/types/float_distance.h"
#include "engine/types/literal.h"

namespace hlo {
namespace {

// How far apart two elements are.
struct Distance {
  bool close = true;
  double abs = 0;
  double rel = 0;
  uint64_t ulp = 0;
};

template <typename T>
T ElementAs(const Tensor& tensor, int64_t offset) {
  T value;
  ConvertElements(tensor.element_type(), tensor.bytes() + offset * BytesOf(tensor.element_type()),
                  kTypeOf<T>, reinterpret_cast<std::byte*>(&value), 1);
  return value;
}

// Of the types whose tolerances are given in these units; 0 for others.
uint64_t UlpsOf(const std::byte* a, const std::byte* b, ElementType type) {
  const bool counted = type == ElementType::kF16 || type == ElementType::kBF16 ||
                       type == ElementType::kF32 || type == ElementType::kF64;
  return counted ? UlpDistance(a, b, type) : 0;
}

Distance DistanceOfReals(double a, double b, const Tolerance& tolerance) {
  Distance d;
  if (std::isnan(a) || std::isnan(b)) {
    d.close = tolerance.nan_equal && std::isnan(a) && std::isnan(b);
    if (!d.close) d.abs = d.rel = std::numeric_limits<double>::quiet_NaN();
    return d;
  }
  if (a == b) {
    d.close = !tolerance.signed_zero || a != 0 || std::signbit(a) == std::signbit(b);
    return d;
  }
  d.abs = std::fabs(a - b);
  d.rel = b == 0 ? std::numeric_limits<double>::infinity() : d.abs / std::fabs(b);
  // An infinite bound would let any finite value pass for infinity.
  d.close =
      std::isfinite(a) && std::isfinite(b) && d.abs <= tolerance.abs + tolerance.rel * std::fabs(b);
  return d;
}

template <typename T>
Distance DistanceOfIntegers(T a, T b, const Tolerance& tolerance) {
  Distance d;
  if (a == b) return d;
  const uint64_t gap = a > b ? static_cast<uint64_t>(a) - static_cast<uint64_t>(b)
                             : static_cast<uint64_t>(b) - static_cast<uint64_t>(a);
  d.abs = static_cast<double>(gap);
  d.rel =
      b == 0 ? std::numeric_limits<double>::infinity() : d.abs / std::fabs(static_cast<double>(b));
  d.close = d.abs <= tolerance.abs + tolerance.rel * std::fabs(static_cast<double>(b));
  return d;
}

Distance DistanceOf(const Tensor& actual, int64_t i, const Tensor& expected, int64_t j,
                    const Tolerance& tolerance) {
  const ElementType type = actual.element_type();
  switch (ClassOf(type)) {
    case TypeClass::kPred:
    case TypeClass::kUnsigned:
      return DistanceOfIntegers(ElementAs<uint64_t>(actual, i), ElementAs<uint64_t>(expected, j),
                                tolerance);
    case TypeClass::kSigned:
      return DistanceOfIntegers(ElementAs<int64_t>(actual, i), ElementAs<int64_t>(expected, j),
                                tolerance);
    case TypeClass::kFloat: {
      Distance d =
          DistanceOfReals(ElementAs<double>(actual, i), ElementAs<double>(expected, j), tolerance);
      if (d.close && d.abs == 0) return d;
      const int bytes = BytesOf(type);
      d.ulp = UlpsOf(actual.bytes() + i * bytes, expected.bytes() + j * bytes, type);
      return d;
    }
    case TypeClass::kComplex: {
      const auto a = ElementAs<std::complex<double>>(actual, i);
      const auto b = ElementAs<std::complex<double>>(expected, j);
      const Distance real = DistanceOfReals(a.real(), b.real(), tolerance);
      const Distance imaginary = DistanceOfReals(a.imag(), b.imag(), tolerance);
      Distance d{.close = real.close && imaginary.close,
                 .abs = std::max(real.abs, imaginary.abs),
                 .rel = std::max(real.rel, imaginary.rel)};
      if (d.close || !std::isfinite(std::abs(a)) || !std::isfinite(std::abs(b))) return d;
      // As complex numbers: a small part beside a large one may be off by the large one's error.
      d.abs = std::abs(a - b);
      d.rel = std::abs(b) == 0 ? d.rel : d.abs / std::abs(b);
      d.close = d.abs > 0 && d.abs <= tolerance.abs + tolerance.rel * std::abs(b);
      return d;
    }
  }
  return {};
}

std::string DimsText(const Dims& dims) { return fmt::format("{}", fmt::join(dims, ",")); }

Dims LiveDims(const Tensor& tensor) {
  Dims dims;
  for (int i = 0; i < tensor.rank(); ++i) dims.push_back(tensor.live_dim(i));
  return dims;
}

std::string Where(const std::vector<int64_t>& path) {
  return path.empty() ? "" : fmt::format("tuple element {{{}}}: ", fmt::join(path, ","));
}

Difference ShapesDiffer(const std::vector<int64_t>& path, std::string_view actual,
                        std::string_view expected) {
  Difference difference;
  difference.path = path;
  difference.message = fmt::format("{}{}, expected {}", Where(path), actual, expected);
  return difference;
}

std::string ArrayName(const Tensor& tensor) {
  return fmt::format("{}[{}]", Text(tensor.element_type()), DimsText(LiveDims(tensor)));
}

std::optional<Difference> CompareArrays(const Tensor& actual, const Tensor& expected,
                                        const Tolerance& tolerance,
                                        const std::vector<int64_t>& path) {
  const Dims dims = LiveDims(actual);
  if (actual.element_type() != expected.element_type() || !(dims == LiveDims(expected))) {
    return ShapesDiffer(path, ArrayName(actual), ArrayName(expected));
  }
  Difference difference;
  const int64_t total = ElementCount(dims);
  if (total == 0) return std::nullopt;
  std::string first;
  Dims index(dims.size(), 0);
  do {
    const int64_t i = Ravel(index, actual.dims());
    const int64_t j = Ravel(index, expected.dims());
    const Distance d = DistanceOf(actual, i, expected, j, tolerance);
    difference.max_abs = std::max(difference.max_abs, d.abs);
    difference.max_rel = std::max(difference.max_rel, d.rel);
    difference.max_ulp = std::max(difference.max_ulp, d.ulp);
    if (d.close || difference.differing++ > 0) continue;
    difference.index = index;
    AppendElement(actual, i, &first);
    first += ", expected ";
    AppendElement(expected, j, &first);
    fmt::format_to(std::back_inserter(first), " (absolute {:.3g}, relative {:.3g}", d.abs, d.rel);
    if (d.ulp) fmt::format_to(std::back_inserter(first), ", {} ulp", d.ulp);
    first += ")";
  } while (NextIndex(index, dims));
  if (difference.differing == 0) return std::nullopt;
  difference.path = path;
  difference.message = fmt::format("{}element {{{}}}: {}; {} of {} elements differ", Where(path),
                                   DimsText(difference.index), first, difference.differing, total);
  return difference;
}

std::string_view KindName(const Value& value) {
  return value.is_token() ? "a token" : value.is_array() ? "an array" : "a tuple";
}

std::optional<Difference> CompareAt(const Value& actual, const Value& expected,
                                    const Tolerance& tolerance, std::vector<int64_t>& path) {
  if (actual.is_array() && expected.is_array()) {
    return CompareArrays(actual.tensor(), expected.tensor(), tolerance, path);
  }
  if (actual.is_token() && expected.is_token()) return std::nullopt;
  if (!actual.is_tuple() || !expected.is_tuple()) {
    return ShapesDiffer(path, KindName(actual), KindName(expected));
  }
  const size_t n = actual.elements().size();
  if (n != expected.elements().size()) {
    return ShapesDiffer(path, fmt::format("a tuple of {}", n),
                        fmt::format("a tuple of {}", expected.elements().size()));
  }
  for (size_t i = 0; i < n; ++i) {
    path.push_back(static_cast<int64_t>(i));
    auto difference = CompareAt(actual.elements()[i], expected.elements()[i], tolerance, path);
    if (difference) return difference;
    path.pop_back();
  }
  return std::nullopt;
}

}  // namespace

std::optional<Difference> Compare(const Value& actual, const Value& expected,
                                  const Tolerance& tolerance) {
  std::vector<int64_t> path;
  return CompareAt(actual, expected, tolerance, path);
}

}  // namespace hlo
