// The worked examples of the operation semantics document for control flow, calls and random
// numbers.
#include "tests/unit/builder_runner.h"

namespace hlo {
namespace {

const Shape kF32Scalar = Shape::Scalar(ElementType::kF32);
const Shape kS32Scalar = Shape::Scalar(ElementType::kS32);

/// x -> opcode(x, constant).
std::unique_ptr<Module> WithConstant(Opcode opcode, float constant) {
  Builder b("branch");
  Op x = b.Parameter(0, kF32Scalar, "x");
  b.Binary(opcode, x, b.ConstantR0(constant));
  return BuildRegion(b);
}

TEST_CASE("Builder, Tuple and GetTupleElement") {
  Builder b("tuple");
  Op v = b.ConstantR1<float>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), s = b.ConstantR0<int32_t>(5);
  Op t = b.Tuple({v, s});
  CHECK(ShapeName(t.shape()) == "(f32[10], s32[])");
  CHECK(ShapeName(b.GetTupleElement(t, 1).shape()) == "s32[]");
  CHECK(RunBuilt(b) == "5");
  Builder c("tuple");
  CHECK(!c.GetTupleElement(c.Tuple({}), 0));
  CHECK(FaultOf(c) != "");
}

TEST_CASE("Builder, While: the loop of the document, 1000 times") {
  Shape state_shape = Shape::Tuple({kS32Scalar, Shape::Array(ElementType::kF32, {10})});
  Builder c("condition");
  Op state = c.Parameter(0, state_shape, "result");
  c.Lt(c.GetTupleElement(state, 0), c.ConstantR0<int32_t>(1000));
  Builder f("body");
  Op result = f.Parameter(0, state_shape, "result");
  Op iteration = f.Add(f.GetTupleElement(result, 0), f.ConstantR0<int32_t>(1));
  Op constant_vector = f.Broadcast(f.ConstantR0(0.5f), {10});
  f.Tuple({iteration, f.Add(f.GetTupleElement(result, 1), constant_vector)});
  std::unique_ptr<Module> condition = BuildRegion(c), body = BuildRegion(f);
  Builder b("while");
  Op zero_vector = b.Broadcast(b.ConstantR0(0.0f), {10});
  b.While(condition.get(), body.get(), b.Tuple({b.ConstantR0<int32_t>(0), zero_vector}));
  CHECK(RunBuilt(b) == "(1000, {500, 500, 500, 500, 500, 500, 500, 500, 500, 500})");
}

TEST_CASE("Builder, Conditional: by a truth value and by a number") {
  std::unique_ptr<Module> add = WithConstant(Opcode::kAdd, 1),
                          multiply = WithConstant(Opcode::kMultiply, 10);
  for (bool value : {true, false}) {
    Builder b("conditional");
    Op pred = b.ConstantR0(value);
    b.Conditional(pred, b.ConstantR0(3.0f), add.get(), b.ConstantR0(4.0f), multiply.get());
    CHECK(RunBuilt(b) == (value ? "4" : "40"));
  }
  // Out of range, on either side: the last branch.
  for (int32_t index : {0, 1, 2, -1}) {
    Builder b("switch");
    b.Conditional(b.ConstantR0(index), {add.get(), multiply.get()},
                  {b.ConstantR0(3.0f), b.ConstantR0(4.0f)});
    CHECK(RunBuilt(b) == (index == 0 ? "4" : "40"));
  }
}

TEST_CASE("Builder, Call: computations that call others are copied whole") {
  std::unique_ptr<Module> add = BinaryRegion(Opcode::kAdd);
  Builder f("sum");
  Op x = f.Parameter(0, Shape::Array(ElementType::kF32, {3}), "x");
  f.Reduce(x, f.ConstantR0(0.0f), add.get(), {0});
  std::unique_ptr<Module> sum = BuildRegion(f);
  Builder b("call");
  Op once = b.Call(sum.get(), {b.ConstantR1<float>({1, 2, 3})});
  Op twice = b.Call(sum.get(), {b.ConstantR1<float>({4, 5, 6})});
  b.Sub(twice, once);
  sum.reset();  // copied when it was named
  add.reset();
  CHECK(RunBuilt(b) == "9");
  Builder c("no_arguments");
  Builder g("five");
  g.ConstantR0(5.0f);
  std::unique_ptr<Module> five = BuildRegion(g);
  c.Call(five.get(), {});
  CHECK(RunBuilt(c) == "5");
  Builder d("bad");
  CHECK(!d.Call(five.get(), {d.ConstantR0(1.0f)}));
  CHECK(FaultOf(d) != "");
}

TEST_CASE("Builder, CompositeCall is its decomposition") {
  std::unique_ptr<Module> negate = WithConstant(Opcode::kMultiply, -1);
  Builder b("composite");
  b.CompositeCall(negate.get(), {b.ConstantR0(2.0f)}, "foo.bar");
  CHECK(RunBuilt(b) == "-2");
  // Without attributes there are none, and the version is 0.
  Builder c("composite");
  c.CompositeCall(negate.get(), {c.ConstantR0(2.0f)}, "foo.bar");
  std::unique_ptr<Module> module;
  REQUIRE(FaultOf(c, &module) == "");
  const std::string text = PrintInstruction(*module->entry()->root());
  CHECK(text.find("composite.attributes") == std::string::npos);
  CHECK(text.find("composite.version=\"0\"") != std::string::npos);
  Builder d("composite");
  CHECK(!d.CompositeCall(negate.get(), {}, "foo.bar"));
  CHECK(FaultOf(d) != "");
}

TEST_CASE("Builder, CompositeCall: the text of the document") {
  std::unique_ptr<Module> negate = WithConstant(Opcode::kMultiply, -1);
  Builder b("composite");
  Op cst = b.ConstantR0(2.0f);
  b.CompositeCall(negate.get(), {cst}, "foo.bar", "{n = 1 : i32, tensor = dense<1> : tensor<i32>}",
                  1);
  std::unique_ptr<Module> module;
  REQUIRE(FaultOf(b, &module) == "");
  std::string text = PrintInstruction(*module->entry()->root());
  CAPTURE(text);
  for (const char* part : {"is_composite=true", "composite.name=\"foo.bar\"",
                           "composite.attributes={n = 1 : i32, tensor = dense<1> : tensor<i32>}",
                           "composite.version=\"1\""}) {
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("Builder, CustomCall") {
  Builder b("custom");
  Op x = b.ConstantR1<float>({1, 2});
  Op y = b.ConstantLiteral("f32[2,3] {{10,20,30},{40,50,60}}");
  Op z = b.CustomCall("myfunc", {x, y}, Shape::Array(ElementType::kF32, {3, 3}));
  CHECK(ShapeName(z.shape()) == "f32[3,3]");
  CHECK(FaultOf(b) == "");
}

TEST_CASE("Builder, OptimizationBarrier and AfterAll") {
  Builder b("barrier");
  Op t = b.AfterAll({b.AfterAll({}), b.AfterAll({})});
  CHECK(t.shape().IsToken());
  b.OptimizationBarrier(b.Tuple({b.ConstantR0(1.0f), b.ConstantR0<int32_t>(2)}));
  CHECK(RunBuilt(b) == "(1, 2)");
}

TEST_CASE("Builder, random numbers") {
  Builder b("uniform");
  Op u =
      b.RngUniform(b.ConstantR0(2.0f), b.ConstantR0(3.0f), Shape::Array(ElementType::kF32, {1000}));
  Op inside = b.And(b.Ge(u, b.ConstantR0(2.0f)), b.Lt(u, b.ConstantR0(3.0f)));
  std::unique_ptr<Module> both = BinaryRegion(Opcode::kAnd, ElementType::kPred);
  b.Reduce(inside, b.ConstantR0(true), both.get(), {0});
  CHECK(RunBuilt(b) == "true");
  Builder c("normal");
  CHECK(ShapeName(c.RngNormal(c.ConstantR0(0.0f), c.ConstantR0(1.0f),
                              Shape::Array(ElementType::kF32, {2, 3}))
                      .shape()) == "f32[2,3]");
  CHECK(FaultOf(c) == "");
  Builder d("bits");
  d.RngBitGenerator(RandomAlgorithm::kThreeFry, d.ConstantR1<uint64_t>({0, 0}),
                    Shape::Array(ElementType::kU32, {4}));
  CHECK(RunBuilt(d) == "({0, 2}, {1797259609, 2579123966, 1351547692, 3235790642})");
}

}  // namespace
}  // namespace hlo
