// Convolution against its definition written out: every order of dimensions, strides, dilations,
// padding (also negative), groups and reversal.
#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "doctest/doctest.h"
#include "engine/ops/shape_checks.h"
#include "engine/ops/windows/convolution.h"
#include "engine/types/convert.h"
#include "tests/unit/indices.h"
#include "tests/unit/op_runner.h"

namespace hlo {
namespace {

using ExactNumber = std::complex<double>;

int64_t Pick(std::mt19937& random, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(random() % static_cast<uint32_t>(high - low + 1));
}

/// A convolution to be: sizes by role, put into dimensions by random labels.
struct ConvolutionExample {
  ConvolutionForm form;
  Dims lhs, rhs, result;
};

/// Labels for n + 2 dimensions in random order: two letters and the spatial ones.
void Shuffle(std::mt19937& random, size_t n, int64_t* first, int64_t* second, Dims* spatial) {
  std::vector<int64_t> order(n + 2);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  *first = order[0];
  *second = order[1];
  spatial->assign(order.begin() + 2, order.end());
}

ConvolutionExample RandomConvolution(std::mt19937& random, int64_t most_features) {
  ConvolutionExample e;
  size_t n = static_cast<size_t>(Pick(random, 0, 3));
  ConvDimLabels& l = e.form.labels;
  Shuffle(random, n, &l.input_batch, &l.input_feature, &l.input_spatial);
  Shuffle(random, n, &l.kernel_input_feature, &l.kernel_output_feature, &l.kernel_spatial);
  Shuffle(random, n, &l.output_batch, &l.output_feature, &l.output_spatial);
  e.lhs = e.rhs = e.result = Dims(n + 2);
  int64_t groups = Pick(random, 0, 2) == 0 ? Pick(random, 2, 4) : 1;
  (Pick(random, 0, 1) ? e.form.feature_groups : e.form.batch_groups) = groups;
  int64_t batch = Pick(random, 1, 3), inputs = Pick(random, 1, most_features),
          outputs = Pick(random, 1, most_features) * groups;
  auto set = [](Dims* dims, int64_t d, int64_t size) { (*dims)[static_cast<size_t>(d)] = size; };
  set(&e.lhs, l.input_batch, batch * e.form.batch_groups);
  set(&e.lhs, l.input_feature, inputs * e.form.feature_groups);
  set(&e.rhs, l.kernel_input_feature, inputs);
  set(&e.rhs, l.kernel_output_feature, outputs);
  set(&e.result, l.output_batch, batch);
  set(&e.result, l.output_feature, outputs);
  for (size_t i = 0; i < n; ++i) {
    WindowDim w;
    w.size = Pick(random, 1, 4);
    w.stride = Pick(random, 1, 3);
    w.pad_low = Pick(random, -2, 4);
    w.pad_high = Pick(random, -2, 4);
    w.base_dilation = Pick(random, 0, 1) ? Pick(random, 1, 4) : 1;
    w.window_dilation = Pick(random, 0, 1) ? Pick(random, 1, 4) : 1;
    w.reversal = Pick(random, 0, 1) != 0;
    int64_t size = Pick(random, 0, 9);
    set(&e.lhs, l.input_spatial[i], size);
    set(&e.rhs, l.kernel_spatial[i], w.size);
    set(&e.result, l.output_spatial[i], *WindowOutputSize(size, w));
    e.form.window.push_back(w);
  }
  return e;
}

/// One result element by the definition.
ExactNumber OneElement(const ConvolutionExample& e, const std::vector<ExactNumber>& lhs,
                       const std::vector<ExactNumber>& rhs, const Dims& at) {
  const ConvDimLabels& l = e.form.labels;
  auto get = [](const Dims& dims, int64_t d) { return dims[static_cast<size_t>(d)]; };
  const int64_t z = get(at, l.output_feature), outputs = get(e.rhs, l.kernel_output_feature);
  const int64_t inputs = get(e.rhs, l.kernel_input_feature);
  const int64_t feature_group = z / (outputs / e.form.feature_groups);
  const int64_t batch_group = z / (outputs / e.form.batch_groups);
  Dims window_sizes;
  for (const WindowDim& w : e.form.window) window_sizes.push_back(w.size);
  ExactNumber sum = 0;
  for (int64_t t = 0; t < CountOf(window_sizes); ++t) {
    Dims tap = IndexOf(window_sizes, t), i(e.lhs.size()), j(e.rhs.size());
    bool inside = true;
    for (size_t d = 0; d < e.form.window.size(); ++d) {
      const WindowDim& w = e.form.window[d];
      int64_t u = get(at, l.output_spatial[d]) * w.stride - w.pad_low + tap[d] * w.window_dilation;
      inside = inside && u >= 0 && u % w.base_dilation == 0 &&
               u / w.base_dilation < get(e.lhs, l.input_spatial[d]);
      i[static_cast<size_t>(l.input_spatial[d])] = u / w.base_dilation;
      j[static_cast<size_t>(l.kernel_spatial[d])] = w.reversal ? w.size - 1 - tap[d] : tap[d];
    }
    if (!inside) continue;
    i[static_cast<size_t>(l.input_batch)] =
        batch_group * (get(e.lhs, l.input_batch) / e.form.batch_groups) + get(at, l.output_batch);
    j[static_cast<size_t>(l.kernel_output_feature)] = z;
    for (int64_t c = 0; c < inputs; ++c) {
      i[static_cast<size_t>(l.input_feature)] = feature_group * inputs + c;
      j[static_cast<size_t>(l.kernel_input_feature)] = c;
      sum += lhs[static_cast<size_t>(ElementNumber(e.lhs, i))] *
             rhs[static_cast<size_t>(ElementNumber(e.rhs, j))];
    }
  }
  return sum;
}

Tensor Make(const Dims& dims, const std::vector<ExactNumber>& values, ElementType type) {
  Tensor tensor(type, dims, nullptr);
  ConvertElements(ElementType::kC128, reinterpret_cast<const std::byte*>(values.data()), type,
                  tensor.mutable_bytes(), tensor.element_count());
  return tensor;
}

std::vector<ExactNumber> NumbersOf(const Tensor& tensor) {
  std::vector<ExactNumber> values(static_cast<size_t>(tensor.element_count()));
  ConvertElements(tensor.element_type(), tensor.bytes(), ElementType::kC128,
                  reinterpret_cast<std::byte*>(values.data()), tensor.element_count());
  return values;
}

std::vector<ExactNumber> RandomNumbers(std::mt19937& random, int64_t count, int low, int high) {
  std::vector<ExactNumber> values(static_cast<size_t>(count));
  for (ExactNumber& v : values) v = static_cast<double>(Pick(random, low, high));
  return values;
}

void CompareWithDefinition(const ConvolutionExample& e, std::mt19937& random, ElementType type) {
  // Small integers: every sum is exact in every type.
  int low = type == ElementType::kPred || IsUnsigned(type) ? 0 : -3;
  int high = type == ElementType::kPred ? 1 : 3;
  std::vector<ExactNumber> lhs = RandomNumbers(random, CountOf(e.lhs), low, high);
  std::vector<ExactNumber> rhs = RandomNumbers(random, CountOf(e.rhs), low, high);
  if (IsComplex(type)) {
    for (ExactNumber& v : lhs) v += ExactNumber(0, static_cast<double>(Pick(random, -3, 3)));
  }
  Budget budget;
  Tensor result =
      Convolve(Make(e.lhs, lhs, type), Make(e.rhs, rhs, type), e.form, type, e.result, &budget);
  REQUIRE(result.dims() == e.result);
  std::vector<ExactNumber> values = NumbersOf(result);
  for (int64_t i = 0; i < result.element_count(); ++i) {
    ExactNumber expected = OneElement(e, lhs, rhs, IndexOf(e.result, i));
    if (type == ElementType::kPred) expected = expected != 0.0 ? 1 : 0;
    if (type == ElementType::kS8) {
      expected = std::min(127.0, std::max(-128.0, expected.real()));
    }
    REQUIRE(values[static_cast<size_t>(i)] == expected);
  }
  result = Tensor();
  CHECK(budget.memory_used() == 0);
}

TEST_CASE("convolution is its definition: random shapes") {
  std::mt19937 random(11);
  const ElementType types[] = {ElementType::kF32,  ElementType::kF64, ElementType::kS32,
                               ElementType::kS64,  ElementType::kU64, ElementType::kC64,
                               ElementType::kC128, ElementType::kF16, ElementType::kS8,
                               ElementType::kPred, ElementType::kU16};
  for (int round = 0; round < 600; ++round) {
    CAPTURE(round);
    ConvolutionExample e = RandomConvolution(random, round % 3 == 0 ? 9 : 3);
    CompareWithDefinition(e, random, types[round % 11]);
  }
}

Tensor Integers(std::mt19937& random, const Dims& dims) {
  return Make(dims, RandomNumbers(random, CountOf(dims), -4, 4), ElementType::kS64);
}

int64_t InnerProduct(const Tensor& a, const Tensor& b) {
  REQUIRE(a.dims() == b.dims());
  int64_t sum = 0;
  for (int64_t i = 0; i < a.element_count(); ++i) {
    sum += a.data<int64_t>()[i] * b.data<int64_t>()[i];
  }
  return sum;
}

/// The op with these attributes; the inferred shape must be `result`.
Tensor RunKind(int64_t kind, const ConvolutionForm& form, const Tensor& lhs, const Tensor& rhs,
               const Dims& result) {
  auto shape = [](const Dims& dims) { return Shape::Array(ElementType::kS64, dims); };
  TestOp op{Opcode::kConvolution,
            {shape(lhs.dims()), shape(rhs.dims())},
            {{"window", form.window},
             {"dim_labels", form.labels},
             {"feature_group_count", form.feature_groups},
             {"batch_group_count", form.batch_groups},
             {"convolution_kind", kind}},
            shape(result)};
  REQUIRE(op.Inferred() == ShapeName(shape(result)));
  TestContext context;
  Value value = op.Eval({Value(lhs), Value(rhs)}, context);
  Tensor copy(ElementType::kS64, result, nullptr);
  std::memcpy(copy.mutable_bytes(), value.tensor().bytes(), static_cast<size_t>(copy.byte_size()));
  return copy;
}

TEST_CASE("gradients: a change of x or k changes y as the gradient says") {
  constexpr int64_t kWgrad = 2, kDgrad = 3;
  std::mt19937 random(13);
  int data_gradients = 0;
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    ConvolutionExample e = RandomConvolution(random, 3);
    if (round % 2 == 0) {
      e.form.feature_groups = e.form.batch_groups = 1;
      const ConvDimLabels& l = e.form.labels;
      auto set = [](Dims* dims, int64_t d, int64_t size) {
        (*dims)[static_cast<size_t>(d)] = size;
      };
      set(&e.rhs, l.kernel_input_feature, e.lhs[static_cast<size_t>(l.input_feature)]);
      set(&e.result, l.output_batch, e.lhs[static_cast<size_t>(l.input_batch)]);
      for (size_t i = 0; i < e.form.window.size(); ++i) {
        // The window fits without a rest, so that the sizes of y say those of x.
        WindowDim& w = e.form.window[i];
        w.base_dilation = 1;
        int64_t size = e.lhs[static_cast<size_t>(l.input_spatial[i])];
        int64_t reach = (w.size - 1) * w.window_dilation + 1;
        w.pad_high = Pick(random, 0, 3) * w.stride + reach - size - w.pad_low;
        set(&e.result, l.output_spatial[i], *WindowOutputSize(size, w));
      }
    }
    Budget budget;
    Tensor x = Integers(random, e.lhs), k = Integers(random, e.rhs),
           dy = Integers(random, e.result);
    if (x.element_count() == 0 || dy.element_count() == 0) continue;
    Tensor y = Convolve(x, k, e.form, ElementType::kS64, e.result, &budget);
    const int64_t expected = InnerProduct(y, dy);
    CHECK(InnerProduct(RunKind(kWgrad, e.form, x, dy, e.rhs), k) == expected);
    if (round % 2 != 0) continue;
    ConvolutionForm back = e.form;
    std::swap(back.labels.input_batch, back.labels.output_batch);
    std::swap(back.labels.input_feature, back.labels.output_feature);
    std::swap(back.labels.input_spatial, back.labels.output_spatial);
    CHECK(InnerProduct(RunKind(kDgrad, back, dy, k, e.lhs), x) == expected);
    ++data_gradients;
  }
  CHECK(data_gradients > 50);
}

/// A plain two-dimensional convolution, NHWC and HWIO.
ConvolutionExample Image(int64_t batch, int64_t size, int64_t inputs, int64_t outputs, WindowDim w,
                         int64_t feature_groups = 1, int64_t batch_groups = 1) {
  ConvolutionExample e;
  e.form.labels = {0, 3, 2, 3, 0, 3, {1, 2}, {0, 1}, {1, 2}, {}, {}, {}};
  e.form.window = {w, w};
  e.form.feature_groups = feature_groups;
  e.form.batch_groups = batch_groups;
  int64_t fits = *WindowOutputSize(size, w);
  e.lhs = Dims{batch * batch_groups, size, size, inputs * feature_groups};
  e.rhs = Dims{w.size, w.size, inputs, outputs};
  e.result = Dims{batch, fits, fits, outputs};
  return e;
}

TEST_CASE("convolution is its definition: sizes that go through matrix products") {
  std::mt19937 random(12);
  const WindowDim same{3, 1, 1, 1, 1, 1, false}, strided{3, 2, 0, 1, 1, 1, true},
      transposed{4, 1, 2, 2, 2, 1, false}, holes{3, 2, 4, 3, 3, 2, false}, single{1, 1, 0, 0},
      single_strided{1, 2, 0, 0}, cut{3, 1, -2, -1}, wide{9, 1, 8, 8};
  for (const WindowDim& w : {same, strided, transposed, holes, single, single_strided, cut, wide}) {
    CAPTURE(w.size);
    CompareWithDefinition(Image(2, 11, 16, 12, w), random, ElementType::kF32);
    CompareWithDefinition(Image(1, 9, 5, 24, w, 2), random, ElementType::kF64);
    CompareWithDefinition(Image(2, 9, 6, 16, w, 1, 2), random, ElementType::kS32);
    CompareWithDefinition(Image(1, 12, 1, 20, w, 20), random, ElementType::kF32);
    CompareWithDefinition(Image(1, 12, 1, 40, w, 20), random, ElementType::kC64);
  }
  // More rows than one block of patches.
  CompareWithDefinition(Image(1, 40, 32, 4, same), random, ElementType::kF32);
}

/// lhs and rhs of one spatial dimension, "b0f_0io->b0f".
Tensor Line(ElementType type, const std::vector<ExactNumber>& lhs,
            const std::vector<ExactNumber>& rhs, WindowDim w, ElementType operands) {
  static Budget budget;  // the result is charged to it
  ConvolutionForm form;
  form.labels = {0, 2, 1, 2, 0, 2, {1}, {0}, {1}, {}, {}, {}};
  w.size = static_cast<int64_t>(rhs.size());
  form.window = {w};
  Dims in{1, static_cast<int64_t>(lhs.size()), 1}, kernel{w.size, 1, 1};
  Dims out{1, *WindowOutputSize(in[1], w), 1};
  Tensor result =
      Convolve(Make(in, lhs, operands), Make(kernel, rhs, operands), form, type, out, &budget);
  Tensor copy(type, result.dims(), nullptr);
  std::memcpy(copy.mutable_bytes(), result.bytes(), static_cast<size_t>(result.byte_size()));
  return copy;
}

TEST_CASE("integers wrap") {
  auto s8 = [](const std::vector<ExactNumber>& a, const std::vector<ExactNumber>& b) {
    return Line(ElementType::kS8, a, b, {}, ElementType::kS8).data<int8_t>()[0];
  };
  CHECK(s8({100, 100}, {100, 100}) == 32);
  CHECK(s8({100, 100}, {-100, -100}) == -32);
  CHECK(s8({100, 100}, {100, -100}) == 0);
  // The sum leaves 32 bits on the way and comes back.
  Tensor s32 =
      Line(ElementType::kS32, {2147483647, 2147483647, 1}, {2, -2, 7}, {}, ElementType::kS32);
  CHECK(s32.data<int32_t>()[0] == 7);
  Tensor high = Line(ElementType::kS32, {2147483647}, {2}, {}, ElementType::kS32);
  CHECK(high.data<int32_t>()[0] == -2);
  Tensor u32 = Line(ElementType::kU32, {4294967295.0}, {2}, {}, ElementType::kU32);
  CHECK(u32.data<uint32_t>()[0] == 4294967294u);
  Tensor u8 = Line(ElementType::kU8, {20, 20}, {10, 3}, {}, ElementType::kU8);
  CHECK(u8.data<uint8_t>()[0] == 4);
  Tensor s4 = Line(ElementType::kS4, {3, 1}, {3, 1}, {}, ElementType::kS4);
  CHECK(s4.data<S4>()[0] == S4(-6));
  Tensor s64 = Line(ElementType::kS64, {4611686018427387904.0}, {4}, {}, ElementType::kS64);
  CHECK(s64.data<int64_t>()[0] == 0);
}

TEST_CASE("operands take the type of the result first; narrow floats are summed in f32") {
  CHECK(Line(ElementType::kS32, {100, 100}, {100, 100}, {}, ElementType::kS8).data<int32_t>()[0] ==
        20000);
  // -1 in u8 is 255.
  CHECK(Line(ElementType::kU8, {-1}, {1}, {}, ElementType::kS8).data<uint8_t>()[0] == 255);
  CHECK(Line(ElementType::kS8, {300.7}, {1}, {}, ElementType::kF32).data<int8_t>()[0] == 127);
  Tensor sum = Line(ElementType::kBF16, {256, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, {}, ElementType::kBF16);
  CHECK(static_cast<float>(sum.data<BF16>()[0]) == 260.0f);
}

TEST_CASE("padding and holes contribute nothing, not even against infinity") {
  const double inf = std::numeric_limits<double>::infinity();
  WindowDim w;
  w.pad_low = w.pad_high = 1;
  w.base_dilation = 2;
  // Under the window: (-, 1, -), (1, -, 2), (-, 2, -).
  Tensor t = Line(ElementType::kF32, {1, 2}, {inf, 5, inf}, w, ElementType::kF32);
  CHECK(ElementsOf<float>(t) == std::vector<float>{5, std::numeric_limits<float>::infinity(), 10});
  // The same through a size that would take patches, were the kernel finite.
  ConvolutionExample e = Image(1, 8, 16, 16, {3, 1, 1, 1, 1, 1, false});
  std::vector<ExactNumber> lhs(static_cast<size_t>(CountOf(e.lhs)), 1.0);
  std::vector<ExactNumber> rhs(static_cast<size_t>(CountOf(e.rhs)), 1.0);
  for (size_t i = 0; i < 16; ++i) rhs[i] = inf;  // tap (0, 0), input feature 0
  Budget budget;
  Tensor result = Convolve(Make(e.lhs, lhs, ElementType::kF32), Make(e.rhs, rhs, ElementType::kF32),
                           e.form, ElementType::kF32, e.result, &budget);
  CHECK(result.data<float>()[0] == 64.0f);
  CHECK(result.data<float>()[result.element_count() - 1] == std::numeric_limits<float>::infinity());
}

TEST_CASE("windows that reach as far as numbers go") {
  const int64_t far = int64_t{1} << 61;
  WindowDim w;
  w.window_dilation = far;
  w.pad_low = far;
  w.pad_high = far;
  w.stride = far;
  // Size 2 with padding far on both sides: starts at -far and 0 (and no further).
  Tensor t = Line(ElementType::kS32, {3, 4}, {10, 100}, w, ElementType::kS32);
  CHECK(ElementsOf<int32_t>(t) == std::vector<int32_t>{300, 30});
  w = {};
  w.base_dilation = far;
  w.stride = far;
  t = Line(ElementType::kS32, {3, 4}, {10}, w, ElementType::kS32);
  CHECK(ElementsOf<int32_t>(t) == std::vector<int32_t>{30, 40});
}

TEST_CASE("run-time sizes: what lies beyond them is padding") {
  Budget budget;
  ConvolutionForm form;
  form.labels = {0, 2, 1, 2, 0, 2, {1}, {0}, {1}, {}, {}, {}};
  WindowDim w;
  w.size = 2;
  w.pad_high = 1;
  form.window = {w};
  Tensor lhs = MakeTestTensor<float>({1, 4, 1}, {1, 2, 3, 4});
  lhs.set_dynamic_sizes({1, 2, 1});
  Tensor rhs = MakeTestTensor<float>({2, 1, 1}, {1, 10});
  Tensor result = Convolve(lhs, rhs, form, ElementType::kF32, {1, 4, 1}, &budget);
  CHECK(result.dynamic_sizes() == Dims{1, 2, 1});
  CHECK(result.data<float>()[0] == 21.0f);
  CHECK(result.data<float>()[1] == 2.0f);
}

TEST_CASE("a long convolution can be cancelled") {
  Budget budget;
  budget.Cancel();
  ConvolutionExample e = Image(1, 64, 32, 32, {3, 1, 1, 1, 1, 1, false});
  std::vector<ExactNumber> lhs(static_cast<size_t>(CountOf(e.lhs)), 1.0);
  std::vector<ExactNumber> rhs(static_cast<size_t>(CountOf(e.rhs)), 1.0);
  CHECK_THROWS_AS(Convolve(Make(e.lhs, lhs, ElementType::kF32), Make(e.rhs, rhs, ElementType::kF32),
                           e.form, ElementType::kF32, e.result, &budget),
                  RunError);
}

}  // namespace
}  // namespace hlo
