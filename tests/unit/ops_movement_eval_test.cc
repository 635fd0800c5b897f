// Ops that move data: sharing, updates in place, run-time sizes, and shapes that do not fit.
#include <cstdint>
#include <limits>
#include <vector>

#include "doctest/doctest.h"
#include "engine/ops/op_def.h"
#include "tests/unit/op_runner.h"

namespace hlo {
namespace {

using Ints = std::vector<int32_t>;
constexpr ElementType kS32 = ElementType::kS32;

/// s32[<=...] with these dimensions dynamic.
Shape DynamicShape(const Dims& dims, const Dims& dynamic) {
  Shape shape = Shape::Array(kS32, dims);
  for (int64_t d : dynamic) shape.set_dynamic(static_cast<int>(d), true);
  return shape;
}

Tensor Live(const Dims& dims, const Ints& elements, const Dims& sizes) {
  Tensor tensor = MakeTestTensor<int32_t>(dims, elements);
  tensor.set_dynamic_sizes(sizes);
  return tensor;
}

TEST_CASE("reshape and bitcast of one order share the buffer") {
  TestContext context;
  Tensor operand = MakeTestTensor<int32_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  const std::byte* bytes = operand.bytes();
  Shape from = Shape::Array(kS32, {2, 3}), to = Shape::Array(kS32, {3, 2});
  for (Opcode opcode : {Opcode::kReshape, Opcode::kBitcast}) {
    TestOp op{opcode, {from}, {}, to};
    Value result = op.Eval({operand}, context);
    CHECK(result.tensor().bytes() == bytes);
    CHECK(result.tensor().dims() == to.dims());
  }
}

TEST_CASE("a transpose that only moves dimensions of size 1 shares the buffer") {
  TestContext context;
  Tensor operand = MakeTestTensor<int32_t>({1, 3, 1}, {1, 2, 3});
  TestOp op{Opcode::kTranspose,
            {Shape::Array(kS32, {1, 3, 1})},
            {{"dimensions", Dims{2, 0, 1}}},
            Shape::Array(kS32, {1, 1, 3})};
  Value result = op.Eval({operand}, context);
  CHECK(result.tensor().bytes() == operand.bytes());
}

TestOp UpdateOp() {
  return {Opcode::kDynamicUpdateSlice,
          {Shape::Array(kS32, {4}), Shape::Array(kS32, {2}), Shape::Scalar(kS32)},
          {},
          Shape::Array(kS32, {4})};
}

TEST_CASE("dynamic-update-slice writes in place when nobody else holds the operand") {
  TestContext context;
  Tensor operand = MakeTestTensor<int32_t>({4}, {1, 2, 3, 4});
  const std::byte* bytes = operand.bytes();
  std::vector<Value> args;
  args.emplace_back(std::move(operand));
  args.emplace_back(MakeTestTensor<int32_t>({2}, {8, 9}));
  args.emplace_back(Tensor::Scalar<int32_t>(1));
  Value result = UpdateOp().Eval(std::move(args), context);
  CHECK(result.tensor().bytes() == bytes);
  CHECK(ElementsOf<int32_t>(result.tensor()) == Ints{1, 8, 9, 4});
}

TEST_CASE("dynamic-update-slice copies when somebody does") {
  TestContext context;
  Tensor operand = MakeTestTensor<int32_t>({4}, {1, 2, 3, 4});
  Value result = UpdateOp().Eval(
      {operand, MakeTestTensor<int32_t>({2}, {8, 9}), Tensor::Scalar<int32_t>(9)}, context);
  CHECK(ElementsOf<int32_t>(result.tensor()) == Ints{1, 2, 8, 9});
  CHECK(ElementsOf<int32_t>(operand) == Ints{1, 2, 3, 4});
}

TEST_CASE("start indices of every width; unsigned ones from 2^63 on are negative") {
  TestContext context;
  Tensor operand = MakeTestTensor<int32_t>({4}, {1, 2, 3, 4});
  auto slice = [&](Tensor start) {
    TestOp op{Opcode::kDynamicSlice,
              {Shape::Array(kS32, {4}), Shape::Scalar(start.element_type())},
              {{"dynamic_slice_sizes", Dims{1}}},
              Shape::Array(kS32, {1})};
    return op.Eval({operand, std::move(start)}, context).tensor().data<int32_t>()[0];
  };
  CHECK(slice(Tensor::Scalar<int8_t>(-1)) == 1);
  CHECK(slice(Tensor::Scalar<uint32_t>(0xffffffff)) == 4);
  CHECK(slice(Tensor::Scalar<int64_t>(std::numeric_limits<int64_t>::max())) == 4);
  CHECK(slice(Tensor::Scalar<uint64_t>(uint64_t{1} << 63)) == 1);
  CHECK(slice(Tensor::Scalar<U2>(U2(3))) == 4);
}

TEST_CASE("run-time sizes go through the ops that move data") {
  TestContext context;
  Tensor x = Live({2, 4}, {1, 2, 3, 0, 4, 5, 6, 0}, {2, 3});
  Shape shape = DynamicShape({2, 4}, {1});

  SUBCASE("transpose") {
    TestOp op{Opcode::kTranspose, {shape}, {{"dimensions", Dims{1, 0}}}, DynamicShape({4, 2}, {0})};
    CHECK(op.Inferred() == "s32[<=4,2]");
    Tensor result = op.Eval({x}, context).tensor();
    CHECK(result.dynamic_sizes() == Dims{3, 2});
    CHECK(ElementsOf<int32_t>(result) == Ints{1, 4, 2, 5, 3, 6, 0, 0});
  }
  SUBCASE("reverse turns the live elements round") {
    TestOp op{Opcode::kReverse, {shape}, {{"dimensions", Dims{1}}}, shape};
    Tensor result = op.Eval({x}, context).tensor();
    CHECK(ElementsOf<int32_t>(result) == Ints{3, 2, 1, 0, 6, 5, 4, 0});
    CHECK(result.dynamic_sizes() == Dims{2, 3});
  }
  SUBCASE("broadcast") {
    TestOp op{
        Opcode::kBroadcast, {shape}, {{"dimensions", Dims{1, 2}}}, DynamicShape({2, 2, 4}, {2})};
    CHECK(op.Eval({x}, context).tensor().dynamic_sizes() == Dims{2, 2, 3});
  }
  SUBCASE("slice counts live indices; a single one is static") {
    TestOp op{Opcode::kSlice,
              {shape},
              {{"slice", std::vector<SliceDim>{{0, 2, 1}, {1, 4, 1}}}},
              DynamicShape({2, 3}, {1})};
    CHECK(op.Inferred() == "s32[2,<=3]");
    CHECK(op.Eval({x}, context).tensor().dynamic_sizes() == Dims{2, 2});
    TestOp one{Opcode::kSlice,
               {shape},
               {{"slice", std::vector<SliceDim>{{0, 2, 1}, {3, 4, 1}}}},
               Shape::Array(kS32, {2, 1})};
    CHECK(one.Inferred() == "s32[2,1]");
    CHECK(one.Eval({x}, context).tensor().dynamic_sizes().empty());
  }
  SUBCASE("concatenate packs the live parts") {
    TestOp op{
        Opcode::kConcatenate, {shape, shape}, {{"dimensions", Dims{1}}}, DynamicShape({2, 8}, {1})};
    CHECK(op.Inferred() == "s32[2,<=8]");
    Tensor result = op.Eval({x, x}, context).tensor();
    CHECK(result.dynamic_sizes() == Dims{2, 6});
    CHECK(ElementsOf<int32_t>(result) == Ints{1, 2, 3, 1, 2, 3, 0, 0, 4, 5, 6, 4, 5, 6, 0, 0});
  }
  SUBCASE("pad puts its value after the live elements") {
    TestOp op{Opcode::kPad,
              {shape, Shape::Scalar(kS32)},
              {{"padding", std::vector<PadDim>{{0, 0, 0}, {1, 1, 0}}}},
              DynamicShape({2, 6}, {1})};
    Tensor result = op.Eval({x, Tensor::Scalar<int32_t>(9)}, context).tensor();
    CHECK(result.dynamic_sizes() == Dims{2, 5});
    CHECK(ElementsOf<int32_t>(result) == Ints{9, 1, 2, 3, 9, 9, 9, 4, 5, 6, 9, 9});
  }
  SUBCASE("dynamic-slice keeps the size of a dimension taken whole") {
    TestOp op{Opcode::kDynamicSlice,
              {shape, Shape::Scalar(kS32), Shape::Scalar(kS32)},
              {{"dynamic_slice_sizes", Dims{1, 4}}},
              DynamicShape({1, 4}, {1})};
    CHECK(op.Inferred() == "s32[1,<=4]");
    Value zero = Tensor::Scalar<int32_t>(0);
    CHECK(op.Eval({x, zero, zero}, context).tensor().dynamic_sizes() == Dims{1, 3});
  }
  SUBCASE("reshape merges live elements") {
    TestOp op{Opcode::kReshape, {shape}, {}, DynamicShape({8}, {0})};
    Tensor result = op.Eval({x}, context).tensor();
    CHECK(result.dynamic_sizes() == Dims{6});
    CHECK(ElementsOf<int32_t>(result) == Ints{1, 2, 3, 4, 5, 6, 0, 0});
  }
  SUBCASE("reshape splits a dynamic dimension if its size allows") {
    TestOp op{Opcode::kReshape, {shape}, {}, DynamicShape({2, 2, 2}, {1})};
    CHECK_THROWS_AS(op.Eval({x}, context), RunError);
    x.set_dynamic_sizes({2, 2});
    CHECK(op.Eval({x}, context).tensor().dynamic_sizes() == Dims{2, 1, 2});
  }
}

TEST_CASE("dot leaves out what is beyond the run-time size") {
  TestContext context;
  Tensor x = Live({2, 3}, {1, 2, 100, 3, 4, 100}, {2, 2});
  Tensor y = MakeTestTensor<int32_t>({3}, {1, 1, 1});
  TestOp op{Opcode::kDot,
            {DynamicShape({2, 3}, {1}), Shape::Array(kS32, {3})},
            {{"lhs_contracting_dims", Dims{1}}, {"rhs_contracting_dims", Dims{0}}},
            Shape::Array(kS32, {2})};
  CHECK(ElementsOf<int32_t>(op.Eval({x, y}, context).tensor()) == Ints{3, 7});
  // A dynamic dimension that is kept stays dynamic.
  TestOp outer{Opcode::kDot,
               {DynamicShape({2, 3}, {1}), Shape::Array(kS32, {2})},
               {{"lhs_contracting_dims", Dims{0}}, {"rhs_contracting_dims", Dims{0}}},
               DynamicShape({3}, {0})};
  CHECK(outer.Inferred() == "s32[<=3]");
  Tensor z = MakeTestTensor<int32_t>({2}, {1, 10});
  Tensor result = outer.Eval({x, z}, context).tensor();
  CHECK(result.dynamic_sizes() == Dims{2});
  CHECK(ElementsOf<int32_t>(result) == Ints{31, 42, 0});
}

TEST_CASE("shapes whose sizes overflow are faults, not crashes") {
  const int64_t huge = std::numeric_limits<int64_t>::max() / 2 + 1;
  Shape big = Shape::Array(kS32, {huge});
  TestOp join{Opcode::kConcatenate, {big, big}, {{"dimensions", Dims{0}}}, big};
  CHECK(join.Inferred().find("add up to more than 2^63") != std::string::npos);
  TestOp pad{Opcode::kPad,
             {big, Shape::Scalar(kS32)},
             {{"padding", std::vector<PadDim>{{huge, huge, 0}}}},
             big};
  CHECK(pad.Inferred().find("larger than 2^63") != std::string::npos);
  TestOp outer{Opcode::kDot, {big, big}, {}, big};
  Diagnostics out;
  CHECK_FALSE(outer.Infer(out).has_value());
  CHECK(out.has_errors());
}

TEST_CASE("paddings at the ends of the number range") {
  TestContext context;
  const int64_t least = std::numeric_limits<int64_t>::min();
  const int64_t most = std::numeric_limits<int64_t>::max();
  auto pad = [&](const Dims& dims, const PadDim& padding, int64_t size) {
    TestOp op{Opcode::kPad,
              {Shape::Array(kS32, dims), Shape::Scalar(kS32)},
              {{"padding", std::vector<PadDim>{padding}}},
              Shape::Array(kS32, {size})};
    Tensor operand(kS32, dims, nullptr);
    for (int64_t i = 0; i < operand.element_count(); ++i) {
      operand.mutable_data<int32_t>()[i] = static_cast<int32_t>(i + 1);
    }
    return ElementsOf<int32_t>(op.Eval({operand, Tensor::Scalar<int32_t>(0)}, context).tensor());
  };
  CHECK(pad({5}, {least, most, 0}, 4) == Ints{0, 0, 0, 0});
  CHECK(pad({1}, {0, 1, most}, 2) == Ints{1, 0});
  CHECK(pad({3}, {1, least + 1 + most, 0}, 4) == Ints{0, 1, 2, 3});
  CHECK(pad({3}, {-3, -1, 2}, 3) == Ints{2, 0, 0});
}

TEST_CASE("a broadcast without a written shape prepends sizes, as XLA's parser does") {
  TestOp op{Opcode::kBroadcast, {Shape::Array(kS32, {3})}, {{"dimensions", Dims{5, 2}}}, {}};
  op.is_written = false;
  CHECK(op.Inferred() == "s32[5,2,3]");
}

TEST_CASE("bitcast through tiles and back") {
  TestContext context;
  LayoutExtras extras;
  extras.tiles.push_back({{2, 2}});
  extras.tiles.push_back({{2, 1}});
  Shape tiled = Shape::ArrayWithLayout(kS32, Dims{4, 4}, Layout(Dims{1, 0}, extras));
  Shape flat = Shape::Array(kS32, {16});
  Tensor x(kS32, tiled.dims(), nullptr);
  for (int i = 0; i < 16; ++i) x.mutable_data<int32_t>()[i] = i;
  Value bytes = TestOp{Opcode::kBitcast, {tiled}, {}, flat}.Eval({x}, context);
  CHECK(ElementsOf<int32_t>(bytes.tensor()) ==
        Ints{0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15});
  Value back = TestOp{Opcode::kBitcast, {flat}, {}, tiled}.Eval({bytes}, context);
  CHECK(ElementsOf<int32_t>(back.tensor()) == ElementsOf<int32_t>(x));
}

TEST_CASE("bitcast between widths, and to types of fewer bits than a byte") {
  TestContext context;
  Tensor bytes = MakeTestTensor<uint8_t>({2}, {0xf1, 0x28});
  Shape from = Shape::Array(ElementType::kU8, {2});
  Shape wide = Shape::Array(ElementType::kU16, {1});
  Value word = TestOp{Opcode::kBitcast, {from}, {}, wide}.Eval({bytes}, context);
  CHECK(ElementsOf<uint16_t>(word.tensor()) == std::vector<uint16_t>{0x28f1});
  // Unpacked: the low bits of each byte.
  Shape nibbles = Shape::Array(ElementType::kS4, {2});
  Value low = TestOp{Opcode::kBitcast, {from}, {}, nibbles}.Eval({bytes}, context);
  CHECK(ElementsOf<int8_t>(low.tensor()) == std::vector<int8_t>{1, -8});
  // Packed: both halves.
  LayoutExtras extras;
  extras.element_bits = 4;
  Shape packed = Shape::ArrayWithLayout(ElementType::kS4, Dims{4}, Layout(Dims{0}, extras));
  Value all = TestOp{Opcode::kBitcast, {from}, {}, packed}.Eval({bytes}, context);
  CHECK(ElementsOf<int8_t>(all.tensor()) == std::vector<int8_t>{1, -1, -8, 2});
  Value again = TestOp{Opcode::kBitcast, {packed}, {}, from}.Eval({all}, context);
  CHECK(ElementsOf<uint8_t>(again.tensor()) == std::vector<uint8_t>{0xf1, 0x28});
}

}  // namespace
}  // namespace hlo
