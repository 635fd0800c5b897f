// The Builder: tuples, control flow, calls, random numbers.
#include <fmt/format.h>

#include "engine/hlo/builder.h"

namespace hlo {

Op Builder::Tuple(const std::vector<Op>& elements) { return Instruct(Opcode::kTuple, elements); }

Op Builder::GetTupleElement(Op tuple, int64_t index) {
  return Instruct(Opcode::kGetTupleElement, {tuple}, {{"index", index}});
}

std::vector<Op> Builder::TupleElements(Op tuple) {
  std::vector<Op> elements;
  if (!tuple || !tuple.shape().IsTuple()) return {tuple};
  int64_t count = static_cast<int64_t>(tuple.shape().elements().size());
  for (int64_t i = 0; i < count; ++i) elements.push_back(GetTupleElement(tuple, i));
  return elements;
}

Op Builder::While(const Module* condition, const Module* body, Op init) {
  return Instruct(Opcode::kWhile, {init},
                  {{"condition", Import(condition, "while")}, {"body", Import(body, "while")}});
}

Op Builder::Conditional(Op pred, Op true_operand, const Module* true_computation, Op false_operand,
                        const Module* false_computation) {
  return Instruct(Opcode::kConditional, {pred, true_operand, false_operand},
                  {{"true_computation", Import(true_computation, "conditional")},
                   {"false_computation", Import(false_computation, "conditional")}});
}

Op Builder::Conditional(Op branch_index, const std::vector<const Module*>& branch_computations,
                        const std::vector<Op>& branch_operands) {
  std::vector<Op> operands = {branch_index};
  operands.insert(operands.end(), branch_operands.begin(), branch_operands.end());
  std::vector<const Region*> branches;
  branches.reserve(branch_computations.size());
  for (const Module* branch : branch_computations) {
    branches.push_back(Import(branch, "conditional"));
  }
  return Instruct(Opcode::kConditional, operands, {{"branch_computations", std::move(branches)}});
}

Op Builder::Call(const Module* computation, const std::vector<Op>& args) {
  return Instruct(Opcode::kCall, args, {{"to_apply", Import(computation, "call")}});
}

Op Builder::CompositeCall(const Module* decomposition, const std::vector<Op>& inputs,
                          std::string_view name, std::optional<std::string> composite_attributes,
                          int64_t version) {
  KeyValues keys = {{"composite.name", std::string(name), false}};
  if (composite_attributes) keys.push_back({"composite.attributes", *composite_attributes, true});
  keys.push_back({"composite.version", fmt::format("{}", version), false});
  return Instruct(Opcode::kCall, inputs,
                  {{"to_apply", Import(decomposition, "call")},
                   {"is_composite", true},
                   {"frontend_attributes", std::move(keys)}});
}

Op Builder::CustomCall(std::string_view target_name, const std::vector<Op>& args,
                       const Shape& shape) {
  return Instruct(Opcode::kCustomCall, args, {{"custom_call_target", std::string(target_name)}},
                  &shape);
}

Op Builder::OptimizationBarrier(Op operand) { return Instruct(Opcode::kOptBarrier, {operand}); }

Op Builder::RngNormal(Op mu, Op sigma, const Shape& shape) {
  return Instruct(Opcode::kRng, {mu, sigma}, {{"distribution", std::string("rng_normal")}}, &shape);
}

Op Builder::RngUniform(Op a, Op b, const Shape& shape) {
  return Instruct(Opcode::kRng, {a, b}, {{"distribution", std::string("rng_uniform")}}, &shape);
}

Op Builder::RngBitGenerator(RandomAlgorithm algorithm, Op initial_state, const Shape& shape) {
  constexpr std::string_view kWords[] = {"rng_default", "rng_three_fry", "rng_philox"};
  if (!initial_state) return Op();
  Shape result = Shape::Tuple({initial_state.shape(), shape});
  return Instruct(Opcode::kRngBitGenerator, {initial_state},
                  {{"algorithm", std::string(kWords[static_cast<size_t>(algorithm)])}}, &result);
}

}  // namespace hlo
