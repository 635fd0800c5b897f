// The worked examples of the operation semantics document for operations that move elements, as
// the document writes them.
#include "tests/unit/builder_runner.h"

namespace hlo {
namespace {

constexpr char kCube[] =
    "f32[4,2,3] {{{10,11,12},{15,16,17}},{{20,21,22},{25,26,27}},"
    "{{30,31,32},{35,36,37}},{{40,41,42},{45,46,47}}}";
constexpr char kMatrix[] = "f32[4,3] {{0,1,2},{3,4,5},{6,7,8},{9,10,11}}";

TEST_CASE("Builder, Broadcast: new dimensions on the left") {
  Builder b("broadcast");
  Op x = b.Broadcast(b.ConstantR0(2.0f), {2, 3});
  CHECK(ShapeName(x.shape()) == "f32[2,3]");
  CHECK(RunBuilt(b) == "{{2, 2, 2}, {2, 2, 2}}");
  Builder c("broadcast");
  c.Broadcast(c.ConstantR1<int32_t>({1, 2}), {2});
  CHECK(RunBuilt(c) == "{{1, 2}, {1, 2}}");
}

TEST_CASE("Builder, BroadcastInDim: anywhere, and dimensions of size 1 grow") {
  Builder b("broadcast_in_dim");
  b.BroadcastInDim(b.ConstantR1<int32_t>({1, 2}), {2, 3}, {0});
  CHECK(RunBuilt(b) == "{{1, 1, 1}, {2, 2, 2}}");
  Builder c("broadcast_in_dim");
  c.BroadcastInDim(c.ConstantLiteral("s32[1,2] {{1,2}}"), {2, 3, 2}, {1, 2});
  CHECK(RunBuilt(c) == "{{{1, 2}, {1, 2}, {1, 2}}, {{1, 2}, {1, 2}, {1, 2}}}");
  Builder d("broadcast_in_dim");
  CHECK(!d.BroadcastInDim(d.ConstantR1<int32_t>({1, 2}), {2, 3}, {1}));
  CHECK(FaultOf(d).find("s32[2] does not go to {2,3} by broadcast_dimensions {1}") !=
        std::string::npos);
}

// The document's results for {0,1} and {1,2} are exchanged: its own definition gives these.
TEST_CASE("Builder, Collapse") {
  Builder a("v012");
  a.Collapse(a.ConstantLiteral(kCube), {0, 1, 2});
  CHECK(RunBuilt(a) ==
        "{10, 11, 12, 15, 16, 17, 20, 21, 22, 25, 26, 27, "
        "30, 31, 32, 35, 36, 37, 40, 41, 42, 45, 46, 47}");
  Builder b("v01");
  Op v01 = b.Collapse(b.ConstantLiteral(kCube), {0, 1});
  CHECK(ShapeName(v01.shape()) == "f32[8,3]");
  CHECK(RunBuilt(b) ==
        "{{10, 11, 12}, {15, 16, 17}, {20, 21, 22}, {25, 26, 27}, "
        "{30, 31, 32}, {35, 36, 37}, {40, 41, 42}, {45, 46, 47}}");
  Builder c("v12");
  c.Collapse(c.ConstantLiteral(kCube), {1, 2});
  CHECK(RunBuilt(c) ==
        "{{10, 11, 12, 15, 16, 17}, {20, 21, 22, 25, 26, 27}, "
        "{30, 31, 32, 35, 36, 37}, {40, 41, 42, 45, 46, 47}}");
  for (const Dims& bad : {Dims{1, 0}, Dims{0, 2}, Dims{2, 3}, Dims{-1, 0}}) {
    Builder d("bad");
    CHECK(!d.Collapse(d.ConstantLiteral(kCube), bad));
    CHECK(FaultOf(d).find("consecutive") != std::string::npos);
  }
}

TEST_CASE("Builder, Reshape in order and out of order") {
  Builder a("v012_83");
  a.Reshape(a.ConstantLiteral(kCube), {0, 1, 2}, {8, 3});
  CHECK(RunBuilt(a) ==
        "{{10, 11, 12}, {15, 16, 17}, {20, 21, 22}, {25, 26, 27}, "
        "{30, 31, 32}, {35, 36, 37}, {40, 41, 42}, {45, 46, 47}}");
  Builder b("v021_24");
  b.Reshape(b.ConstantLiteral(kCube), {1, 2, 0}, {24});
  CHECK(RunBuilt(b) ==
        "{10, 20, 30, 40, 11, 21, 31, 41, 12, 22, 32, 42, "
        "15, 25, 35, 45, 16, 26, 36, 46, 17, 27, 37, 47}");
  Builder c("v021_83");
  c.Reshape(c.ConstantLiteral(kCube), {1, 2, 0}, {8, 3});
  CHECK(RunBuilt(c) ==
        "{{10, 20, 30}, {40, 11, 21}, {31, 41, 12}, {22, 32, 42}, "
        "{15, 25, 35}, {45, 16, 26}, {36, 46, 17}, {27, 37, 47}}");
  Builder d("v021_262");
  d.Reshape(d.ConstantLiteral(kCube), {1, 2, 0}, {2, 6, 2});
  CHECK(RunBuilt(d) ==
        "{{{10, 20}, {30, 40}, {11, 21}, {31, 41}, {12, 22}, {32, 42}}, "
        "{{15, 25}, {35, 45}, {16, 26}, {36, 46}, {17, 27}, {37, 47}}}");
  Builder e("to_scalar");
  e.Reshape(e.ConstantLiteral("f32[1,1] {{5}}"), {0, 1}, {});
  CHECK(RunBuilt(e) == "5");
  Builder f("from_scalar");
  f.Reshape(f.ConstantR0(5.0f), {}, {1, 1});
  CHECK(RunBuilt(f) == "{{5}}");
}

TEST_CASE("Builder, Transpose is the out-of-order Reshape to the permuted sizes") {
  for (bool transpose : {false, true}) {
    Builder b("transpose");
    Op v = b.ConstantLiteral("s32[2,3] {{1,2,3},{4,5,6}}");
    transpose ? b.Transpose(v, {1, 0}) : b.Reshape(v, {1, 0}, {3, 2});
    CHECK(RunBuilt(b) == "{{1, 4}, {2, 5}, {3, 6}}");
  }
}

TEST_CASE("Builder, Rev") {
  Builder b("rev");
  b.Rev(b.ConstantLiteral("s32[2,3] {{1,2,3},{4,5,6}}"), {0, 1});
  CHECK(RunBuilt(b) == "{{6, 5, 4}, {3, 2, 1}}");
}

TEST_CASE("Builder, Concatenate") {
  Builder b("concat1");
  b.Concatenate(
      {b.ConstantR1<int32_t>({2, 3}), b.ConstantR1<int32_t>({4, 5}), b.ConstantR1<int32_t>({6, 7})},
      0);
  CHECK(RunBuilt(b) == "{2, 3, 4, 5, 6, 7}");
  Builder c("concat2");
  c.Concatenate(
      {c.ConstantLiteral("s32[3,2] {{1,2},{3,4},{5,6}}"), c.ConstantLiteral("s32[1,2] {{7,8}}")},
      0);
  CHECK(RunBuilt(c) == "{{1, 2}, {3, 4}, {5, 6}, {7, 8}}");
}

TEST_CASE("Builder, Slice") {
  Builder b("slice1");
  b.Slice(b.ConstantR1<float>({0, 1, 2, 3, 4}), {2}, {4});
  CHECK(RunBuilt(b) == "{2, 3}");
  Builder c("slice2");
  c.Slice(c.ConstantLiteral(kMatrix), {2, 1}, {4, 3});
  CHECK(RunBuilt(c) == "{{7, 8}, {10, 11}}");
  Builder d("slice3");
  d.Slice(d.ConstantR1<float>({0, 1, 2, 3, 4}), {0}, {5}, {2});
  CHECK(RunBuilt(d) == "{0, 2, 4}");
  Builder e("slice4");
  CHECK(!e.Slice(e.ConstantR1<float>({0, 1}), {0}, {1, 2}));
  CHECK(FaultOf(e) == "slice: 1 start_indices, 2 limit_indices and 0 strides");
}

TEST_CASE("Builder, DynamicSlice") {
  Builder b("dynamic_slice1");
  Op s = b.ConstantR0<int32_t>(2);
  b.DynamicSlice(b.ConstantR1<float>({0, 1, 2, 3, 4}), {s}, {2});
  CHECK(RunBuilt(b) == "{2, 3}");
  // The document's form: the indices as one vector.
  Builder c("dynamic_slice2");
  c.DynamicSlice(c.ConstantLiteral(kMatrix), c.ConstantR1<int32_t>({2, 1}), {2, 2});
  CHECK(RunBuilt(c) == "{{7, 8}, {10, 11}}");
  Builder d("dynamic_slice_clamped");
  d.DynamicSlice(d.ConstantLiteral(kMatrix), {d.ConstantR0<int32_t>(9), d.ConstantR0<int32_t>(-9)},
                 {2, 2});
  CHECK(RunBuilt(d) == "{{6, 7}, {9, 10}}");
}

TEST_CASE("Builder, DynamicUpdateSlice") {
  Builder b("update1");
  b.DynamicUpdateSlice(b.ConstantR1<float>({0, 1, 2, 3, 4}), b.ConstantR1<float>({5, 6}),
                       b.ConstantR1<int32_t>({2}));
  CHECK(RunBuilt(b) == "{0, 1, 5, 6, 4}");
  Builder c("update2");
  c.DynamicUpdateSlice(c.ConstantLiteral(kMatrix),
                       c.ConstantLiteral("f32[3,2] {{12,13},{14,15},{16,17}}"),
                       c.ConstantR1<int32_t>({1, 1}));
  CHECK(RunBuilt(c) == "{{0, 1, 2}, {3, 12, 13}, {6, 14, 15}, {9, 16, 17}}");
}

TEST_CASE("Builder, Pad: edges, between elements, and negative") {
  Builder b("pad");
  b.Pad(b.ConstantLiteral("f32[2,3] {{1,2,3},{4,5,6}}"), b.ConstantR0(0.0f),
        {{0, 1, 0}, {2, -1, 1}});
  CHECK(RunBuilt(b) == "{{0, 0, 1, 0, 2, 0}, {0, 0, 4, 0, 5, 0}, {0, 0, 0, 0, 0, 0}}");
  Builder c("pad");
  Op scalar = c.ConstantR0(3.0f);
  CHECK(c.Pad(scalar, c.ConstantR0(0.0f), {}).instruction() == scalar.instruction());
  CHECK(!c.Pad(scalar, c.ConstantR0<int32_t>(0), {}));
}

TEST_CASE("Builder, Iota") {
  Builder b("iota0");
  b.Iota(Shape::Array(ElementType::kS32, {4, 8}), 0);
  CHECK(RunBuilt(b) ==
        "{{0, 0, 0, 0, 0, 0, 0, 0}, {1, 1, 1, 1, 1, 1, 1, 1}, "
        "{2, 2, 2, 2, 2, 2, 2, 2}, {3, 3, 3, 3, 3, 3, 3, 3}}");
  Builder c("iota1");
  c.Iota(Shape::Array(ElementType::kS32, {4, 8}), 1);
  CHECK(RunBuilt(c) ==
        "{{0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}, "
        "{0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}}");
}

TEST_CASE("Builder, SetDimensionSize: padding does not count in reductions") {
  struct {
    int32_t size;
    Opcode reducer;
    float init;
    std::string expected;
  } cases[] = {
      {5, Opcode::kAdd, 0, "15"}, {5, Opcode::kMultiply, 1, "120"}, {6, Opcode::kAdd, 0, "21"}};
  for (const auto& test : cases) {
    std::unique_ptr<Module> f = BinaryRegion(test.reducer);
    Builder b("set_dimension_size");
    Op v = b.ConstantR1<float>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    Op padded = b.SetDimensionSize(v, b.ConstantR0(test.size), 0);
    CHECK(ShapeName(padded.shape()) == "f32[<=10]");
    b.Reduce(padded, b.ConstantR0(test.init), f.get(), {0});
    CHECK(RunBuilt(b) == test.expected);
  }
  Builder c("get_dimension_size");
  c.GetDimensionSize(c.Iota(Shape::Array(ElementType::kF32, {3, 7}), 0), 1);
  CHECK(RunBuilt(c) == "7");
}

TEST_CASE("Builder, BitcastConvertType: a dimension comes or goes") {
  Builder b("narrower");
  Op input = b.Parameter(0, Shape::Array(ElementType::kF32, {10}), "input");
  CHECK(ShapeName(b.BitcastConvertType(input, ElementType::kF16).shape()) == "f16[10,2]");
  Op scalar = b.Parameter(1, Shape::Scalar(ElementType::kF32), "scalar");
  CHECK(ShapeName(b.BitcastConvertType(scalar, ElementType::kF16).shape()) == "f16[2]");
  Op halves = b.Parameter(2, Shape::Array(ElementType::kF16, {10, 2}), "halves");
  CHECK(ShapeName(b.BitcastConvertType(halves, ElementType::kF32).shape()) == "f32[10]");
  CHECK(FaultOf(b) == "");
  Builder c("bytes");
  c.BitcastConvertType(c.ConstantR1<int32_t>({0x04030201}), ElementType::kS8);
  CHECK(RunBuilt(c) == "{{1, 2, 3, 4}}");
}

TEST_CASE("Builder, Gather: slices at places, as in the figures") {
  // Element [x, y] is 100 x + y, so every element says where it came from.
  auto grid = [](Builder& b) {
    Shape shape = Shape::Array(ElementType::kS32, {16, 11});
    Op hundreds = b.Mul(b.Iota(shape, 0), b.ConstantR0<int32_t>(100));
    return b.Add(hundreds, b.Iota(shape, 1));
  };
  // Slices [8,6] at index vectors; then all of one dimension to look at.
  Builder b("gather");
  Op indices = b.ConstantLiteral("s64[5,2] {{0,0},{8,5},{1,2},{3,4},{100,-1}}");
  GatherDimensionNumbers slices{.offset_dims = {1, 2},
                                .collapsed_slice_dims = {},
                                .start_index_map = {0, 1},
                                .index_vector_dim = 1,
                                .operand_batching_dims = {},
                                .start_indices_batching_dims = {}};
  Op gathered = b.Gather(grid(b), indices, slices, {8, 6});
  CHECK(ShapeName(gathered.shape()) == "s32[5,8,6]");
  b.Slice(gathered, {0, 7, 5}, {5, 8, 6});
  CHECK(RunBuilt(b) == "{{{705}}, {{1510}}, {{807}}, {{1009}}, {{1505}}}");
  // A matrix of index vectors.
  Builder c("gather2");
  Op many = c.Broadcast(c.ConstantLiteral("s64[2] {3,4}"), {4, 5});
  slices.offset_dims = {2, 3};
  slices.index_vector_dim = 2;
  CHECK(ShapeName(c.Gather(grid(c), many, slices, {8, 6}).shape()) == "s32[4,5,8,6]");
  // gather_nd: whole rows.
  Builder d("gather_nd");
  GatherDimensionNumbers rows{.offset_dims = {2},
                              .collapsed_slice_dims = {0},
                              .start_index_map = {0},
                              .index_vector_dim = 2,
                              .operand_batching_dims = {},
                              .start_indices_batching_dims = {}};
  Op picked =
      d.Gather(grid(d), d.ConstantLiteral("s64[2,2,1] {{{3},{0}},{{15},{7}}}"), rows, {1, 11});
  CHECK(ShapeName(picked.shape()) == "s32[2,2,11]");
  d.Slice(picked, {0, 0, 10}, {2, 2, 11});
  CHECK(RunBuilt(d) == "{{{310}, {10}}, {{1510}, {710}}}");
}

TEST_CASE("Builder, Scatter: current value first, then the update") {
  std::unique_ptr<Module> subtract = BinaryRegion(Opcode::kSubtract);
  Builder b("scatter");
  ScatterDimensionNumbers rows{.update_window_dims = {1},
                               .inserted_window_dims = {0},
                               .scatter_dims_to_operand_dims = {0},
                               .index_vector_dim = 1,
                               .input_batching_dims = {},
                               .scatter_indices_batching_dims = {}};
  b.Scatter({b.ConstantLiteral("f32[3,2] {{10,10},{20,20},{30,30}}")},
            b.ConstantR1<int32_t>({2, 0}), {b.ConstantLiteral("f32[2,2] {{1,2},{3,4}}")},
            subtract.get(), rows);
  CHECK(RunBuilt(b) == "{{7, 6}, {20, 20}, {29, 28}}");
}

}  // namespace
}  // namespace hlo
