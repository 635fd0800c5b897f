// The worked examples and figures of the operation semantics document for operations that fold or
// contract.
#include "tests/unit/builder_runner.h"

namespace hlo {
namespace {

constexpr char kStackedMatrix[] =
    "f32[4,2,3] {{{1,2,3},{4,5,6}},{{1,2,3},{4,5,6}},{{1,2,3},{4,5,6}},{{1,2,3},{4,5,6}}}";

std::string Reduced(const char* operand, const Dims& dimensions) {
  std::unique_ptr<Module> add = BinaryRegion(Opcode::kAdd);
  Builder b("reduce");
  b.Reduce(b.ConstantLiteral(operand), b.ConstantR0(0.0f), add.get(), dimensions);
  return RunBuilt(b);
}

TEST_CASE("Builder, Reduce") {
  CHECK(Reduced("f32[4] {10,11,12,13}", {0}) == "46");
  constexpr char kMatrix[] = "f32[2,3] {{1,2,3},{4,5,6}}";
  CHECK(Reduced(kMatrix, {0}) == "{5, 7, 9}");
  CHECK(Reduced(kMatrix, {1}) == "{6, 15}");
  CHECK(Reduced(kStackedMatrix, {0}) == "{{4, 8, 12}, {16, 20, 24}}");
  CHECK(Reduced(kStackedMatrix, {2}) == "{{6, 15}, {6, 15}, {6, 15}, {6, 15}}");
  CHECK(Reduced(kStackedMatrix, {0, 1}) == "{20, 28, 36}");
  CHECK(Reduced(kStackedMatrix, {0, 1, 2}) == "84");
}

/// (max, argmax, value, index) -> the larger value and where it is.
std::unique_ptr<Module> ArgMaxRegion() {
  Builder f("max_and_argmax");
  Shape number = Shape::Scalar(ElementType::kF32), index = Shape::Scalar(ElementType::kS32);
  Op max = f.Parameter(0, number, "max"), argmax = f.Parameter(1, index, "argmax");
  Op value = f.Parameter(2, number, "value"), at = f.Parameter(3, index, "index");
  f.Select(f.Ge(value, max), f.Tuple({value, at}), f.Tuple({max, argmax}));
  return BuildRegion(f);
}

TEST_CASE("Builder, Reduce of several: a maximum and where it is") {
  std::unique_ptr<Module> region = ArgMaxRegion();
  Builder b("argmax");
  Op values = b.ConstantR1<float>({3, 8, -1, 8, 5});
  Op indices = b.Iota(Shape::Array(ElementType::kS32, {5}), 0);
  b.Reduce({values, indices}, {b.MinValue(ElementType::kF32), b.ConstantR0<int32_t>(-1)},
           region.get(), {0});
  CHECK(RunBuilt(b) == "(8, 3)");
}

TEST_CASE("Builder, ReduceWindow: the matrix of the figure") {
  // The document's code: windows 2x3 that do not overlap, over a matrix [4,6].
  std::unique_ptr<Module> max = BinaryRegion(Opcode::kMaximum);
  Builder b("reduce_window_2x3");
  Op input = b.Add(b.Mul(b.Iota(Shape::Array(ElementType::kF32, {4, 6}), 0), b.ConstantR0(10.0f)),
                   b.Iota(Shape::Array(ElementType::kF32, {4, 6}), 1));
  b.ReduceWindow(input, b.MinValue(ElementType::kF32), max.get(), {2, 3}, {2, 3}, Padding::kValid);
  CHECK(RunBuilt(b) == "{{12, 15}, {32, 35}}");
}

TEST_CASE("Builder, ReduceWindow: strides, and padding by a word") {
  std::unique_ptr<Module> min = BinaryRegion(Opcode::kMinimum);
  for (Padding padding : {Padding::kValid, Padding::kSame}) {
    Builder b("minimum");
    Op x = b.ConstantR1<float>({10000, 1000, 100, 10, 1});
    b.ReduceWindow(x, b.MaxValue(ElementType::kF32), min.get(), {3}, {2}, padding);
    CHECK(RunBuilt(b) == (padding == Padding::kValid ? "{100, 1}" : "{1000, 10, 1}"));
  }
  std::unique_ptr<Module> add = BinaryRegion(Opcode::kAdd);
  Builder c("general");
  // Dilated by 2 the base is 1,0,2,0,3; the window takes every second of 3 elements.
  c.ReduceWindow({c.ConstantR1<float>({1, 2, 3})}, {c.ConstantR0(0.0f)}, add.get(), {2}, {1}, {2},
                 {2}, {{1, 0}});
  CHECK(RunBuilt(c) == "{0, 3, 0, 5}");
  Builder d("bad");
  CHECK(!d.ReduceWindow(d.ConstantR1<float>({1}), d.ConstantR0(0.0f), add.get(), {0}, {1},
                        Padding::kSame));
  CHECK(FaultOf(d).find("sizes {0}") != std::string::npos);
}

TEST_CASE("Builder, ReduceWindow of several, padded by a word") {
  // The maximum and where it is, in windows of 3 that go 2 on.
  std::unique_ptr<Module> region = ArgMaxRegion();
  for (Padding padding : {Padding::kValid, Padding::kSame}) {
    Builder b("argmax");
    Op values = b.ConstantR1<float>({3, 8, -1, 8, 5});
    Op indices = b.Iota(Shape::Array(ElementType::kS32, {5}), 0);
    b.ReduceWindow({values, indices}, {b.MinValue(ElementType::kF32), b.ConstantR0<int32_t>(-1)},
                   region.get(), {3}, {2}, {}, {}, padding);
    CHECK(RunBuilt(b) ==
          (padding == Padding::kValid ? "({8, 8}, {1, 3})" : "({8, 8, 8}, {1, 3, 3})"));
  }
}

TEST_CASE("Builder, ReduceWindow with gaps, padded by a word") {
  std::unique_ptr<Module> add = BinaryRegion(Opcode::kAdd);
  const auto sums = [&](const Dims& strides, const Dims& base, const Dims& window,
                        Padding padding) {
    Builder b("sums");
    b.ReduceWindow({b.ConstantR1<float>({1, 10, 100})}, {b.ConstantR0(0.0f)}, add.get(), {2},
                   strides, base, window, padding);
    return RunBuilt(b);
  };
  // The window is as wide as 3: its first and its last element.
  CHECK(sums({1}, {}, {2}, Padding::kValid) == "{101}");
  CHECK(sums({1}, {}, {2}, Padding::kSame) == "{10, 101, 10}");
  // The base is 1 0 10 0 100, as long as the result of a stride of 1.
  CHECK(sums({1}, {2}, {}, Padding::kValid) == "{1, 10, 10, 100}");
  CHECK(sums({1}, {2}, {}, Padding::kSame) == "{1, 10, 10, 100, 100}");
  CHECK(sums({2}, {2}, {2}, Padding::kSame) == "{0, 0, 0}");
  CHECK(sums({1, 1}, {}, {}, Padding::kSame).find("do not fit dimensions {3}") !=
        std::string::npos);
  CHECK(sums({1}, {0}, {}, Padding::kSame).find("base dilations {0}") != std::string::npos);
}

TEST_CASE("Builder, SelectAndScatter: the second figure, windows that overlap") {
  Builder ge("ge");
  Op x = ge.Parameter(0, Shape::Scalar(ElementType::kF32), "x");
  ge.Ge(x, ge.Parameter(1, Shape::Scalar(ElementType::kF32), "y"));
  std::unique_ptr<Module> select = BuildRegion(ge), add = BinaryRegion(Opcode::kAdd);
  Builder b("select_and_scatter");
  Op operand = b.ConstantLiteral("f32[4,5] {{7,2,5,3,8},{3,8,9,3,4},{1,5,7,5,6},{0,6,2,10,2}}");
  Op source = b.ConstantLiteral("f32[2,2] {{2,6},{3,1}}");
  b.SelectAndScatter(operand, select.get(), {2, 3}, {2, 2}, Padding::kValid, source,
                     b.ConstantR0(0.0f), add.get());
  CHECK(RunBuilt(b) == "{{0, 0, 0, 0, 0}, {0, 0, 8, 0, 0}, {0, 0, 3, 0, 0}, {0, 0, 0, 1, 0}}");
}

TEST_CASE("Builder, Sort: three operands by the first") {
  Builder less("less");
  Op a = less.Parameter(0, Shape::Scalar(ElementType::kS32), "a");
  Op c = less.Parameter(1, Shape::Scalar(ElementType::kS32), "b");
  less.Parameter(2, Shape::Scalar(ElementType::kS32), "c");
  less.Parameter(3, Shape::Scalar(ElementType::kS32), "d");
  less.Parameter(4, Shape::Scalar(ElementType::kF32), "e");
  less.Parameter(5, Shape::Scalar(ElementType::kF32), "f");
  less.Lt(a, c);
  std::unique_ptr<Module> comparator = BuildRegion(less);
  Builder b("sort");
  b.Sort({b.ConstantR1<int32_t>({3, 1}), b.ConstantR1<int32_t>({42, 50}),
          b.ConstantR1<float>({-3.0f, 1.1f})},
         comparator.get());
  CHECK(RunBuilt(b) == "({1, 3}, {50, 42}, {1.1, -3})");
}

TEST_CASE("Builder, Sort: along a dimension, without one the last") {
  Builder less("less");
  Op x = less.Parameter(0, Shape::Scalar(ElementType::kS32), "x");
  less.Lt(x, less.Parameter(1, Shape::Scalar(ElementType::kS32), "y"));
  std::unique_ptr<Module> comparator = BuildRegion(less);
  const auto sorted = [&](std::optional<int64_t> dimension) {
    Builder b("sort");
    Op matrix = b.ConstantLiteral("s32[2,3] {{9,2,5},{1,8,3}}");
    dimension ? b.Sort({matrix}, comparator.get(), *dimension) : b.Sort({matrix}, comparator.get());
    return RunBuilt(b);
  };
  CHECK(sorted({}) == "{{2, 5, 9}, {1, 3, 8}}");
  CHECK(sorted(-1) == "{{2, 5, 9}, {1, 3, 8}}");
  CHECK(sorted(1) == "{{2, 5, 9}, {1, 3, 8}}");
  CHECK(sorted(0) == "{{1, 2, 3}, {9, 8, 5}}");
  CHECK(sorted(2).find("sort") != std::string::npos);
}

TEST_CASE("Builder, Dot: vectors, matrix and vector, matrices") {
  Builder b("vectors");
  b.Dot(b.ConstantR1<float>({1, 2, 3}), b.ConstantR1<float>({4, 5, 6}));
  CHECK(RunBuilt(b) == "32");
  Builder c("matrix_vector");
  c.Dot(c.ConstantLiteral("f32[2,3] {{1,2,3},{4,5,6}}"), c.ConstantR1<float>({1, 0, -1}));
  CHECK(RunBuilt(c) == "{-2, -2}");
  Builder d("matrices");
  d.Dot(d.ConstantLiteral("f32[2,3] {{1,2,3},{4,5,6}}"),
        d.ConstantLiteral("f32[3,2] {{1,2},{3,4},{5,6}}"));
  CHECK(RunBuilt(d) == "{{22, 28}, {49, 64}}");
  Builder e("cubes");
  Op cube = e.ConstantLiteral(kStackedMatrix);
  CHECK(!e.Dot(cube, cube));
  CHECK(FaultOf(e) == "dot: takes vectors and matrices, not f32[4,2,3] and f32[4,2,3]");
}

TEST_CASE("Builder, DotGeneral") {
  Builder b("contracting");
  DotDimensionNumbers numbers;
  numbers.lhs_contracting_dimensions.push_back(1);
  numbers.rhs_contracting_dimensions.push_back(1);
  b.DotGeneral(b.ConstantLiteral("f32[2,3] {{1,2,3},{4,5,6}}"),
               b.ConstantLiteral("f32[2,3] {{1,1,1},{2,2,2}}"), numbers);
  CHECK(RunBuilt(b) == "{{6, 12}, {15, 30}}");
  Builder c("batch");
  numbers.lhs_contracting_dimensions = {2};
  numbers.lhs_batch_dimensions = numbers.rhs_batch_dimensions = {0};
  c.DotGeneral(c.ConstantLiteral("f32[2,2,2] {{{1,2},{3,4}},{{5,6},{7,8}}}"),
               c.ConstantLiteral("f32[2,2,2] {{{1,0},{0,1}},{{1,0},{0,1}}}"), numbers);
  CHECK(RunBuilt(c) == "{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}");
  // [b0, b1, m, k] dot [b0, b1, k, n].
  Builder d("two_batches");
  Op lhs = d.Parameter(0, Shape::Array(ElementType::kF32, {2, 3, 4, 5}), "lhs");
  Op rhs = d.Parameter(1, Shape::Array(ElementType::kF32, {2, 3, 5, 6}), "rhs");
  Op product = d.DotGeneral(lhs, rhs,
                            {.lhs_contracting_dimensions = {3},
                             .rhs_contracting_dimensions = {2},
                             .lhs_batch_dimensions = {0, 1},
                             .rhs_batch_dimensions = {0, 1}});
  CHECK(ShapeName(product.shape()) == "f32[2,3,4,6]");
  CHECK(FaultOf(d) == "");
}

TEST_CASE("Builder, Conv: padding by a word, and as numbers") {
  for (Padding padding : {Padding::kValid, Padding::kSame}) {
    Builder b("conv");
    Op input = b.ConstantLiteral("f32[1,1,3,3] {{{{1,2,3},{4,5,6},{7,8,9}}}}");
    Op kernel = b.ConstantLiteral("f32[1,1,2,2] {{{{1,10},{100,1000}}}}");
    b.Conv(input, kernel, {1, 1}, padding);
    CHECK(RunBuilt(b) == (padding == Padding::kValid
                              ? "{{{{5421, 6532}, {8754, 9865}}}}"
                              : "{{{{5421, 6532, 603}, {8754, 9865, 906}, {87, 98, 9}}}}"));
  }
  // Strided SAME: ceil(5 / 2) places; total padding 1, none of it low.
  Builder c("strided");
  Op line = c.ConstantLiteral("f32[1,1,5] {{{1,2,3,4,5}}}");
  c.Conv(line, c.ConstantLiteral("f32[1,1,2] {{{1,10}}}"), {2}, Padding::kSame);
  CHECK(RunBuilt(c) == "{{{21, 43, 5}}}");
  // The pseudo-code: iy = oy * stride + ky - pad_low, outside counts as nothing; holes of lhs too.
  Builder d("general");
  Op row = d.ConstantLiteral("f32[1,1,3] {{{1,2,3}}}");
  d.ConvWithGeneralPadding(row, d.ConstantLiteral("f32[1,1,2] {{{1,10}}}"), {1}, {{2, -1}});
  CHECK(RunBuilt(d) == "{{{0, 10, 21}}}");
  Builder e("dilated");
  Op holes = e.ConstantLiteral("f32[1,1,3] {{{1,2,3}}}");
  e.ConvWithGeneralPadding(holes, e.ConstantLiteral("f32[1,1,2] {{{1,10}}}"), {1}, {{0, 0}}, {2},
                           {2});
  CHECK(RunBuilt(e) == "{{{21, 0, 32}}}");
}

TEST_CASE("Builder, Conv: groups of features") {
  // Depthwise: every feature has its own kernel.
  Builder b("depthwise");
  Op input = b.ConstantLiteral("f32[1,2,3] {{{1,2,3},{4,5,6}}}");
  Op kernel = b.ConstantLiteral("f32[2,1,2] {{{1,1}},{{1,-1}}}");
  b.Conv(input, kernel, {1}, Padding::kValid, /*feature_group_count=*/2);
  CHECK(RunBuilt(b) == "{{{3, 5}, {-1, -1}}}");
}

TEST_CASE("Builder, BatchNorm") {
  // Two features in the last dimension: mean 2 and 10, variance 1 and 4.
  constexpr char kInput[] = "f32[2,2] {{1,8},{3,12}}";
  Builder b("training");
  b.BatchNormTraining(b.ConstantLiteral(kInput), b.ConstantR1<float>({1, 3}),
                      b.ConstantR1<float>({0, 1}), 0, 1);
  CHECK(RunBuilt(b) == "({{-1, -2}, {1, 4}}, {2, 10}, {1, 4})");
  Builder c("inference");
  c.BatchNormInference(c.ConstantLiteral(kInput), c.ConstantR1<float>({1, 3}),
                       c.ConstantR1<float>({0, 1}), c.ConstantR1<float>({2, 10}),
                       c.ConstantR1<float>({1, 4}), 0, 1);
  CHECK(RunBuilt(c) == "{{-1, -2}, {1, 4}}");
  Builder d("grad");
  // Equal gradients: nothing reaches the input or the scale.
  d.BatchNormGrad(d.ConstantLiteral(kInput), d.ConstantR1<float>({1, 3}),
                  d.ConstantR1<float>({2, 10}), d.ConstantR1<float>({1, 4}),
                  d.ConstantLiteral("f32[2,2] {{1,2},{1,2}}"), 0, 1);
  CHECK(RunBuilt(d) == "({{0, 0}, {0, 0}}, {0, 0}, {2, 4})");
}

TEST_CASE("Builder, linear algebra") {
  Builder b("solve");
  Op a = b.ConstantLiteral("f64[2,2] {{4,2},{2,5}}");
  Op l = b.Cholesky(a, /*lower=*/true);
  Op y = b.TriangularSolve(l, b.ConstantLiteral("f64[2,1] {{8},{12}}"), true, true, false,
                           TransposeA::kNoTranspose);
  b.TriangularSolve(l, y, true, true, false, TransposeA::kTranspose);
  CHECK(RunBuilt(b) == "{{1}, {2}}");
  Builder c("fft");
  Op spectrum = c.Fft(c.ConstantR1<float>({1, 2, 3, 4}), FftType::kRfft, {4});
  c.Tuple({spectrum, c.Fft(spectrum, FftType::kIrfft, {4})});
  CHECK(RunBuilt(c) == "({(10, 0), (-2, 2), (-2, 0)}, {1, 2, 3, 4})");
}

}  // namespace
}  // namespace hlo
