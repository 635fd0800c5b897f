// Runs one op outside any program: for tests of shape rules and evaluation.
#ifndef HLO_TESTS_UNIT_OP_RUNNER_H_
#define HLO_TESTS_UNIT_OP_RUNNER_H_

#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/ops/op_def.h"
#include "engine/run/exchange.h"

namespace hlo {

/// The one budget of all tests, which outlives what they allocate, and at most one region function.
class TestContext : public EvalContext {
 public:
  explicit TestContext(RegionFunction* function = nullptr) : function_(function) {}
  Budget* budget() override {
    static Budget budget;
    return &budget;
  }
  RegionFunction& Function(const Region&) override { return *function_; }
  uint64_t seed() const override { return 0; }
  RngState& rng() override { return rng_; }
  int64_t instruction_number() const override { return 0; }
  int64_t replica_id() const override { return 0; }
  int64_t partition_id() const override { return 0; }
  Peers& peers() override { return peers_; }
  const Region* async_computation() const override { return nullptr; }

 private:
  RegionFunction* function_;
  RngState rng_;
  RunOptions options_;
  Exchange exchange_{DeviceGrid(), &options_, TestContext::budget()};
  DevicePort peers_{&exchange_, 0};
};

/// An instruction to be: opcode, operand shapes, attributes, result shape.
struct TestOp {
  Opcode opcode;
  std::vector<Shape> operands;
  std::vector<std::pair<std::string_view, AttrValue>> attrs;
  Shape written;
  bool is_written = true;

  AttrList Attrs() const {
    AttrList list;
    for (const auto& [name, value] : attrs) {
      for (const AttrDef& def : GetOpDef(opcode).attrs) {
        if (def.name == name) list.push_back({&def, value, {}, {}});
      }
    }
    return list;
  }
  OpCall Call(const AttrList& list) const {
    OpCall::Parts parts;
    parts.opcode = opcode;
    parts.name = "test";
    for (const Shape& shape : operands) parts.operands.push_back(&shape);
    parts.attrs = &list;
    parts.written = is_written ? &written : nullptr;
    return OpCall(std::move(parts));
  }
  std::optional<Shape> Infer(Diagnostics& out) const {
    AttrList list = Attrs();
    return GetOpDef(opcode).infer(Call(list), out);
  }
  /// The first message of inference, or the inferred shape.
  std::string Inferred() const {
    Diagnostics out;
    std::optional<Shape> shape = Infer(out);
    if (!out.empty()) return out.list()[0].message;
    return shape ? ShapeName(*shape) : "nothing";
  }
  Value Eval(std::vector<Value> args, EvalContext& context) const {
    AttrList list = Attrs();
    return GetOpDef(opcode).eval(Call(list), args, context);
  }
};

/// A tensor of these elements.
template <typename T>
Tensor MakeTestTensor(const Dims& dims, const std::vector<T>& elements) {
  Tensor tensor(kTypeOf<T>, dims, nullptr);
  for (size_t i = 0; i < elements.size(); ++i) tensor.mutable_data<T>()[i] = elements[i];
  return tensor;
}
/// The numbers from `first` on.
template <typename T>
Tensor CountingTensor(const Dims& dims, T first = 0) {
  Tensor tensor(kTypeOf<T>, dims, nullptr);
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    tensor.mutable_data<T>()[i] = static_cast<T>(first + i);
  }
  return tensor;
}
/// Random integers, `distinct` different ones from `lowest` on.
template <typename T>
Tensor RandomTensor(const Dims& dims, int lowest, int distinct, std::mt19937& random) {
  Tensor tensor(kTypeOf<T>, dims, nullptr);
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    const int x = static_cast<int>(random() % static_cast<unsigned>(distinct)) + lowest;
    if constexpr (std::is_integral_v<T>) {
      tensor.mutable_data<T>()[i] = static_cast<T>(x);
    } else {
      tensor.mutable_data<T>()[i] = static_cast<T>(static_cast<float>(x));
    }
  }
  return tensor;
}
template <typename T>
std::vector<T> ElementsOf(const Tensor& tensor) {
  return std::vector<T>(tensor.data<T>(), tensor.data<T>() + tensor.element_count());
}

}  // namespace hlo

#endif  // HLO_TESTS_UNIT_OP_RUNNER_H_
