// Rules about loops and branches, and instructions whose operands are constants.
#include <algorithm>
#include <utility>

#include "engine/ops/control/branch.h"
#include "engine/ops/eval.h"
#include "engine/ops/evaluate.h"
#include "engine/passes/rewriter.h"

namespace hlo {
namespace {

// Results of more elements would make the text longer, not the program faster.
constexpr int64_t kMostResults = 64;
constexpr int64_t kMostOperands = 1024;

// Provides memory and nothing else.
class FoldingContext : public EvalContext {
 public:
  explicit FoldingContext(Budget* budget) : budget_(budget) {}
  Budget* budget() override { return budget_; }
  RegionFunction& Function(const Region&) override { Refuse(); }
  uint64_t seed() const override { Refuse(); }
  RngState& rng() override { Refuse(); }
  int64_t instruction_number() const override { Refuse(); }
  int64_t replica_id() const override { Refuse(); }
  int64_t partition_id() const override { Refuse(); }
  Peers& peers() override { Refuse(); }
  const Region* async_computation() const override { Refuse(); }

 private:
  [[noreturn]] static void Refuse() {
    throw RunError(DiagCode::kNotExecutable, "known only when the program runs");
  }
  Budget* budget_;
};

bool MayFold(const Instruction& instruction) {
  const Opcode opcode = instruction.opcode();
  // A broadcast says more than the array that it makes.
  if (opcode == Opcode::kBroadcast || opcode == Opcode::kIota || opcode == Opcode::kCopy)
    return false;
  const Shape& shape = instruction.shape();
  const OpDef& def = instruction.def();
  if (!def.eval || def.varies || instruction.operand_count() == 0 || !shape.IsArray() ||
      shape.element_count() > kMostResults) {
    return false;
  }
  // Floats that are computed are the same however they are computed, complex ones too; the text of
  // a NaN's bits is not.
  for (const Instruction* operand : instruction.operands()) {
    const Tensor* value = ConstantOf(*operand);
    if (!value || value->element_count() != operand->shape().element_count() ||
        value->element_count() > kMostOperands || value->dims() != operand->shape().dims()) {
      return false;
    }
  }
  for (const Attr& attr : instruction.attrs()) {
    bool names_region = false;
    ForEachRegion(attr.value, [&](const Region*) { names_region = true; });
    if (names_region) return false;
  }
  return true;
}

bool HasNan(const Tensor& tensor) {
  const ElementType type = tensor.element_type();
  if (!IsFloat(type) && !IsComplex(type)) return false;
  std::string text;
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    text.clear();
    AppendElement(tensor, i, &text);
    if (text.find("nan") != std::string::npos) return true;
  }
  return false;
}

const Computation* ConditionOf(const Instruction& loop) {
  return static_cast<const Computation*>(loop.attrs().GetRegion("condition"));
}

MaybeRewrite While(Instruction* instruction) {
  const std::optional<Splat> condition = SplatOf(*ConditionOf(*instruction)->root());
  if (!condition || *condition->value->bytes() != std::byte{0}) return {};
  if (!(instruction->operand(0)->shape() == instruction->shape())) return {};
  return Rewrite{instruction->operand(0), "the condition is never true"};
}

MaybeRewrite Conditional(Rewriter& rewriter, Instruction* instruction) {
  const Tensor* selector = ConstantOf(*instruction->operand(0));
  if (!selector) return {};
  std::vector<const Region*> branches = instruction->attrs().Regions("branch_computations");
  if (const Region* on_true = instruction->attrs().GetRegion("true_computation")) {
    branches = {on_true, instruction->attrs().GetRegion("false_computation")};
  }
  if (branches.empty()) return {};
  const size_t chosen = ChosenBranch(selector->element_type(), selector->bytes(), branches.size());
  Instruction* argument = instruction->operand(static_cast<int>(chosen) + 1);
  if (!rewriter.Become(instruction, Opcode::kCall, {argument},
                       {{"to_apply", AttrValue(branches[chosen])}})) {
    return {};
  }
  return Rewrite{nullptr, "the selector is a constant, so one branch is called"};
}

}  // namespace

MaybeRewrite SimplifyControl(Rewriter& rewriter, Instruction* instruction) {
  if (instruction->opcode() == Opcode::kWhile) return While(instruction);
  if (instruction->opcode() == Opcode::kConditional) return Conditional(rewriter, instruction);
  return {};
}

MaybeRewrite FoldConstants(Rewriter& rewriter, Instruction* instruction) {
  if (!MayFold(*instruction)) return {};
  try {
    std::vector<Value> args;
    for (const Instruction* operand : instruction->operands()) {
      args.emplace_back(*ConstantOf(*operand));
    }
    FoldingContext context(rewriter.budget());
    Value value = EvaluateOp(instruction->Call(), nullptr, args, context);
    CheckValue(value, instruction->shape());
    if (!value.is_array() || !value.tensor().dynamic_sizes().empty() || HasNan(value.tensor())) {
      return {};
    }
    // The value outlives the budget that it was computed with.
    Tensor kept(instruction->shape(), nullptr);
    std::copy_n(value.tensor().bytes(), value.tensor().byte_size(), kept.mutable_bytes());
    if (!rewriter.BecomeConstant(instruction, std::move(kept))) return {};
  } catch (const RunError&) {
    return {};  // it fails when it is run, as it did
  }
  return Rewrite{nullptr, "its operands are constants"};
}

}  // namespace hlo
