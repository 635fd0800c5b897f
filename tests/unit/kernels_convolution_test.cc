// Kernels of convolutions against sums tap by tap, bit by bit.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <type_traits>
#include <vector>

#include "doctest/doctest.h"
#include "engine/kernels/conv_depthwise.h"
#include "engine/kernels/conv_planes.h"
#include "engine/kernels/conv_product.h"
#include "engine/kernels/conv_window.h"
#include "engine/types/convert.h"
#include "engine/types/element_type.h"

namespace hlo {
namespace {

/// A convolution over two dimensions, everything dense.
struct PlaneConv {
  int64_t batch, height, width;
  int64_t taps_high, taps_wide;
  int64_t stride, dilation, pad;
  ConvFeatures features;

  int64_t Outputs(int64_t size, int64_t taps) const {
    return (size + 2 * pad - ((taps - 1) * dilation + 1)) / stride + 1;
  }
  int64_t rows() const { return Outputs(height, taps_high); }
  int64_t columns() const { return Outputs(width, taps_wide); }
  int64_t in_row() const { return features.groups * features.inputs; }
  int64_t out_row() const { return features.groups * features.outputs; }
  int64_t kernel_row() const { return features.inputs * out_row(); }

  ConvDims Dims() const {
    ConvDim images{.outputs = batch, .size = batch};
    images.in_stride = height * width * in_row();
    images.out_stride = rows() * columns() * out_row();
    ConvDim high{rows(), taps_high, -pad, stride, dilation, height};
    high.in_stride = width * in_row();
    high.tap_stride = taps_wide * kernel_row();
    high.out_stride = columns() * out_row();
    ConvDim wide{columns(), taps_wide, -pad, stride, dilation, width};
    wide.in_stride = in_row();
    wide.tap_stride = kernel_row();
    wide.out_stride = out_row();
    return {images, high, wide};
  }
};

template <typename T>
std::vector<T> MixedNumbers(int64_t count, uint32_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> numbers(static_cast<size_t>(count));
  for (T& x : numbers) {
    if constexpr (std::is_floating_point_v<T>) {
      x = static_cast<T>(static_cast<double>(random() % 2000003) / 1000001.5 - 1);
    } else {
      x = static_cast<T>(random());
    }
  }
  return numbers;
}

template <typename T>
struct ConvArrays {
  explicit ConvArrays(const PlaneConv& c)
      : in(MixedNumbers<T>(c.batch * c.height * c.width * c.in_row(), 1)),
        kernel(MixedNumbers<T>(c.taps_high * c.taps_wide * c.kernel_row(), 2)),
        out(static_cast<size_t>(c.batch * c.rows() * c.columns() * c.out_row())) {}
  std::vector<T> in, kernel, out;
};

/// Tap by tap, and of each tap feature by feature.
template <typename T>
std::vector<T> SumsByTap(const PlaneConv& c, const ConvArrays<T>& arrays,
                         [[maybe_unused]] MultiplyAdd step = MultiplyAdd::kSeparate) {
  const ConvFeatures& f = c.features;
  std::vector<T> out;
  for (int64_t image = 0; image < c.batch; ++image) {
    for (int64_t output = 0; output < c.rows() * c.columns() * c.out_row(); ++output) {
      const int64_t feature = output % c.out_row(), place = output / c.out_row();
      const int64_t group = feature / f.outputs;
      T sum{};
      for (int64_t tap = 0; tap < c.taps_high * c.taps_wide; ++tap) {
        const int64_t y = place / c.columns() * c.stride + tap / c.taps_wide * c.dilation - c.pad;
        const int64_t x = place % c.columns() * c.stride + tap % c.taps_wide * c.dilation - c.pad;
        if (y < 0 || y >= c.height || x < 0 || x >= c.width) continue;
        for (int64_t i = 0; i < f.inputs; ++i) {
          const int64_t from = ((image * c.height + y) * c.width + x) * c.in_row();
          const T x = arrays.in[static_cast<size_t>(from + group * f.inputs + i)];
          const T weight =
              arrays.kernel[static_cast<size_t>(tap * c.kernel_row() + i * c.out_row() + feature)];
          if constexpr (std::is_floating_point_v<T>) {
            sum = step == MultiplyAdd::kFused ? std::fma(x, weight, sum) : sum + x * weight;
          } else {
            sum += x * weight;
          }
        }
      }
      out.push_back(sum);
    }
  }
  return out;
}

template <typename T>
bool SameSums(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// Padding on all sides, more taps than fit, one column, strides, holes; features that fill vectors
/// and that do not; more taps than are added at a time.
const PlaneConv kDepthwise[] = {
    {2, 7, 9, 3, 3, 1, 1, 1, {8, 1, 1}},   {1, 5, 11, 3, 3, 2, 1, 1, {13, 1, 1}},
    {1, 6, 6, 2, 5, 1, 1, 3, {4, 1, 1}},   {1, 9, 8, 3, 2, 1, 3, 2, {21, 1, 1}},
    {1, 4, 1, 3, 3, 1, 1, 1, {6, 1, 1}},   {1, 12, 13, 9, 9, 1, 1, 4, {5, 1, 1}},
    {1, 5, 30, 1, 7, 3, 2, 6, {17, 1, 1}},
};

/// The same in groups of few outputs, and more groups than go together.
const PlaneConv kGroups[] = {
    {2, 7, 9, 3, 3, 1, 1, 1, {8, 2, 2}},   {1, 5, 11, 3, 3, 2, 1, 1, {13, 1, 3}},
    {1, 6, 6, 2, 5, 1, 1, 3, {4, 3, 4}},   {1, 9, 8, 3, 2, 1, 3, 2, {5, 4, 8}},
    {1, 4, 1, 3, 3, 1, 1, 1, {16, 5, 1}},  {1, 5, 30, 1, 7, 3, 2, 6, {9, 2, 5}},
    {1, 3, 96, 3, 3, 1, 1, 1, {40, 8, 4}}, {1, 4, 4, 1, 1, 1, 1, 0, {8, 4, 2}},
};

template <typename T>
void CompareDepthwise(std::span<const PlaneConv> cases) {
  Budget budget;
  for (const PlaneConv& c : cases) {
    CAPTURE(c.features.groups);
    CAPTURE(c.taps_wide);
    ConvArrays<T> arrays(c);
    ConvolveDirect(c.Dims(), c.features, arrays.in.data(), arrays.kernel.data(), arrays.out.data(),
                   &budget);
    CHECK(SameSums(arrays.out, SumsByTap(c, arrays)));
    std::fill(arrays.out.begin(), arrays.out.end(), T{});
    ConvolveDirect(c.Dims(), c.features, arrays.in.data(), arrays.kernel.data(), arrays.out.data(),
                   &budget, MultiplyAdd::kFused);
    CHECK(SameSums(arrays.out, SumsByTap(c, arrays, MultiplyAdd::kFused)));
  }
}

TEST_CASE("a convolution of single features adds tap after tap") {
  CompareDepthwise<float>(kDepthwise);
  CompareDepthwise<double>(kDepthwise);
  CompareDepthwise<uint32_t>(kDepthwise);
  CompareDepthwise<uint64_t>(kDepthwise);
}

TEST_CASE("a convolution in groups of few outputs adds tap after tap") {
  CompareDepthwise<float>(kGroups);
  CompareDepthwise<double>(kGroups);
  CompareDepthwise<uint32_t>(kGroups);
  CompareDepthwise<uint64_t>(kGroups);
}

/// Line by line what it is when everything is converted before and after.
template <typename T>
void CompareNarrow(ElementType type, ElementType sum_type) {
  const auto convert = [](ElementType from, const auto& source, ElementType to, auto* target) {
    ConvertElements(from, reinterpret_cast<const std::byte*>(source.data()), to,
                    reinterpret_cast<std::byte*>(target->data()),
                    static_cast<int64_t>(target->size()) *
                        static_cast<int64_t>(sizeof((*target)[0])) / BytesOf(to));
  };
  Budget budget;
  for (const PlaneConv& c : kDepthwise) {
    CAPTURE(c.features.groups);
    CAPTURE(c.taps_wide);
    ConvArrays<T> arrays(c);
    std::vector<std::byte> in(arrays.in.size() * static_cast<size_t>(BytesOf(type)));
    convert(sum_type, arrays.in, type, &in);
    convert(type, in, sum_type, &arrays.in);
    ConvolveDirect(c.Dims(), c.features, arrays.in.data(), arrays.kernel.data(), arrays.out.data(),
                   &budget);
    std::vector<std::byte> expected(arrays.out.size() * static_cast<size_t>(BytesOf(type)));
    convert(sum_type, arrays.out, type, &expected);
    std::vector<std::byte> out(expected.size());
    FindNarrowConvolution(sum_type)(c.Dims(), c.features.groups, type, in.data(),
                                    reinterpret_cast<const std::byte*>(arrays.kernel.data()),
                                    out.data(), &budget, MultiplyAdd::kSeparate, nullptr);
    CHECK(SameSums(out, expected));
  }
}

TEST_CASE("a convolution of narrow types converts lines as it needs them") {
  CompareNarrow<float>(ElementType::kBF16, ElementType::kF32);
  CompareNarrow<float>(ElementType::kF16, ElementType::kF32);
  CompareNarrow<uint32_t>(ElementType::kS8, ElementType::kS32);
}

/// Few features, lines that fill blocks and that do not, strides with and without holes.
const PlaneConv kPlanes[] = {
    {2, 7, 19, 3, 3, 1, 1, 1, {1, 1, 1}},
    {1, 5, 70, 3, 3, 2, 1, 1, {1, 3, 3}},
    {1, 6, 40, 2, 5, 1, 1, 3, {1, 30, 2}},
    {1, 9, 33, 3, 2, 1, 3, 2, {3, 2, 1}},
    {1, 5, 80, 1, 7, 3, 2, 6, {1, 2, 1}},
    {2, 3, 64, 1, 1, 1, 1, 0, {1, 5, 3}},
    {1, 4, 51, 3, 4, 2, 3, 5, {1, 1, 2}},
    // Lines that go by parts.
    {1, 2, 5000, 1, 9, 1, 1, 4, {1, 1, 1}},
    {1, 3, 9001, 2, 5, 2, 2, 3, {1, 2, 1}},
};

template <typename T>
void ComparePlanes(ElementType type) {
  Budget budget;
  for (const PlaneConv& c : kPlanes) {
    CAPTURE(c.features.inputs);
    CAPTURE(c.taps_wide);
    ConvArrays<T> arrays(c);
    std::fill(arrays.out.begin(), arrays.out.end(), T(99));
    const PlaneConvolution convolve = FindPlaneConvolution(c.Dims(), c.features, type);
    // Of longer numbers three fill vectors.
    const bool is_found = convolve != nullptr;
    if (sizeof(T) == 4) REQUIRE(is_found);
    if (!is_found) continue;
    for (const MultiplyAdd step : {MultiplyAdd::kSeparate, MultiplyAdd::kFused}) {
      convolve(c.Dims(), c.features, reinterpret_cast<const std::byte*>(arrays.in.data()),
               reinterpret_cast<const std::byte*>(arrays.kernel.data()),
               reinterpret_cast<std::byte*>(arrays.out.data()), &budget, step, nullptr);
      CHECK(SameSums(arrays.out, SumsByTap(c, arrays, step)));
    }
  }
}

TEST_CASE("a convolution of few features adds tap after tap, padding as zeros") {
  ComparePlanes<float>(ElementType::kF32);
  ComparePlanes<double>(ElementType::kF64);
  ComparePlanes<uint32_t>(ElementType::kS32);
  ComparePlanes<uint64_t>(ElementType::kU64);
}

const PlaneConv kProducts[] = {
    {2, 7, 9, 3, 3, 1, 1, 1, {1, 5, 8}},    {1, 5, 11, 3, 3, 2, 1, 1, {2, 3, 9}},
    {1, 6, 6, 2, 5, 1, 1, 3, {1, 1, 4}},    {1, 9, 8, 3, 2, 1, 3, 2, {3, 7, 5}},
    {1, 4, 1, 3, 3, 1, 1, 1, {1, 6, 12}},   {3, 8, 8, 1, 1, 1, 1, 0, {1, 16, 24}},
    {1, 12, 13, 5, 5, 1, 1, 2, {1, 33, 7}}, {1, 5, 30, 1, 7, 3, 2, 6, {1, 3, 16}},
};

template <typename T>
void CompareConvProducts(ElementType type) {
  Budget budget;
  for (const PlaneConv& c : kProducts) {
    CAPTURE(c.features.inputs);
    CAPTURE(c.features.outputs);
    ConvArrays<T> arrays(c);
    std::fill(arrays.out.begin(), arrays.out.end(), T(99));
    for (int64_t group = 0; group < c.features.groups; ++group) {
      FindConvProduct(type)(
          c.Dims(),
          {c.features.inputs, c.features.outputs,
           reinterpret_cast<const std::byte*>(arrays.in.data() + group * c.features.inputs),
           reinterpret_cast<const std::byte*>(arrays.kernel.data() + group * c.features.outputs),
           c.out_row(),
           reinterpret_cast<std::byte*>(arrays.out.data() + group * c.features.outputs),
           c.out_row()},
          &budget, MultiplyAdd::kSeparate, nullptr);
    }
    CHECK(SameSums(arrays.out, SumsByTap(c, arrays)));
  }
}

TEST_CASE("a convolution as a product adds tap after tap, padding as zeros") {
  CompareConvProducts<float>(ElementType::kF32);
  CompareConvProducts<double>(ElementType::kF64);
  CompareConvProducts<uint32_t>(ElementType::kS32);
  CompareConvProducts<uint64_t>(ElementType::kU64);
}

}  // namespace
}  // namespace hlo
