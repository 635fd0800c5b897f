// The worked examples of the operation semantics document for devices and host.
#include "tests/unit/builder_runner.h"

namespace hlo {
namespace {

/// On two replicas: the first array on replica 0, the second on replica 1.
Op PerReplica(Builder& b, const std::vector<float>& first, const std::vector<float>& second) {
  b.SetDevices(2);
  Op is_first = b.Eq(b.ReplicaId(), b.ConstantR0<uint32_t>(0));
  return b.Select(is_first, b.ConstantR1(first), b.ConstantR1(second));
}

TEST_CASE("Builder, AllGather") {
  Builder b("all_gather");
  Op x = PerReplica(b, {1.0f, 2.5f}, {3.0f, 5.25f});
  CHECK(ShapeName(b.AllGather(x, 0, 2).shape()) == "f32[4]");
  CHECK(RunBuilt(b) == "{1, 2.5, 3, 5.25}");
  Builder c("bad");
  CHECK(!c.AllGather(PerReplica(c, {1}, {2}), 0, 3));
  CHECK(FaultOf(c) != "");
  Builder d("bad");
  CHECK(!d.AllGather(PerReplica(d, {1}, {2}), 0, 0));
  CHECK(FaultOf(d).find("shard_count 0") != std::string::npos);
}

TEST_CASE("Builder, AllReduce and CrossReplicaSum") {
  std::unique_ptr<Module> add = BinaryRegion(Opcode::kAdd);
  Builder b("all_reduce");
  b.AllReduce(PerReplica(b, {1.0f, 2.5f}, {3.0f, 5.25f}), add.get(), {{0, 1}});
  CHECK(RunBuilt(b) == "{4, 7.75}");
  // A tuple is reduced element by element, also one of a single array.
  Builder c("tuple");
  Op x = PerReplica(c, {1}, {2});
  Op y = c.CrossReplicaSum(c.Tuple({x, c.Neg(x)}));
  Op z = c.CrossReplicaSum(c.Tuple({x}));
  CHECK(ShapeName(z.shape()) == "(f32[1])");
  c.Tuple({y, z});
  CHECK(RunBuilt(c) == "(({3}, {-3}), ({3}))");
}

TEST_CASE("Builder, ReduceScatter") {
  std::unique_ptr<Module> add = BinaryRegion(Opcode::kAdd);
  Builder b("reduce_scatter");
  Op x = PerReplica(b, {1.0f, 2.25f}, {3.0f, 5.25f});
  CHECK(ShapeName(b.ReduceScatter(x, add.get(), 0, 2).shape()) == "f32[1]");
  CHECK(RunBuilt(b) == "{4}");
}

// The document's call splits dimension 1 and concatenates dimension 0, to f32[16,4] of f32[4,16];
// its prose under the call says 0 and 1. The call is what is tested.
TEST_CASE("Builder, AllToAll: cut along one dimension, put together along another") {
  Builder b("alltoall");
  b.SetDevices(4);
  // Element [i, j] of core c is 1000 c + 16 i + j.
  Shape shape = Shape::Array(ElementType::kS32, {4, 16});
  Op core = b.ConvertElementType(b.ReplicaId(), ElementType::kS32);
  Op x = b.Add(b.Mul(b.Iota(shape, 0), b.ConstantR0<int32_t>(16)), b.Iota(shape, 1));
  x = b.Add(x, b.Mul(core, b.ConstantR0<int32_t>(1000)));
  Op y = b.AllToAll(x, /*split_dimension=*/1, /*concat_dimension=*/0, /*split_count=*/4);
  CHECK(ShapeName(y.shape()) == "s32[16,4]");
  // Core 0 has the first four columns of everyone, one core's rows under the other's.
  b.Slice(y, {0, 0}, {16, 4}, {5, 3});
  CHECK(RunBuilt(b) == "{{0, 3}, {1016, 1019}, {2032, 2035}, {3048, 3051}}");
  Builder c("bad");
  c.SetDevices(4);
  CHECK(!c.AllToAll(c.Iota(shape, 0), 1, 0, 3));
  CHECK(FaultOf(c).find("cannot be cut into 3") != std::string::npos);
}

TEST_CASE("Builder, CollectivePermute: who is no target has zeros") {
  Builder b("permute");
  b.CollectivePermute(PerReplica(b, {1}, {2}), {{0, 1}});
  CHECK(RunBuilt(b) == "{0}");
  Builder c("permute");
  c.CollectivePermute(PerReplica(c, {1}, {2}), {{1, 0}, {0, 1}});
  CHECK(RunBuilt(c) == "{2}");
}

TEST_CASE("Builder, Infeed, Outfeed, Send and Recv are ordered by tokens") {
  Builder b("host");
  Op x = b.Infeed(Shape::Array(ElementType::kF32, {2}));
  Op y = b.Infeed(Shape::Scalar(ElementType::kF32));
  CHECK(ShapeName(x.shape()) == "f32[2]");
  CHECK(ShapeName(y.shape()) == "f32[]");
  b.Outfeed(b.Mul(x, y));
  Op received = b.Recv(Shape::Array(ElementType::kS32, {3}), 1);
  CHECK(ShapeName(received.shape()) == "s32[3]");
  CHECK(b.Send(received, 2).shape().IsToken());
  // Every exchange takes the token of the one before.
  std::unique_ptr<Module> module;
  REQUIRE(FaultOf(b, &module) == "");
  const Instruction* infeed = y.instruction()->operand(0);
  const Instruction* first = infeed->operand(0)->operand(0);
  CHECK(first == x.instruction()->operand(0));
  CHECK(first->operand(0)->opcode() == Opcode::kAfterAll);
}

}  // namespace
}  // namespace hlo
