#include "engine/mlir/import/known_values.h"

#include <cstring>
#include <utility>
#include <vector>

#include "engine/ops/eval.h"
#include "engine/ops/evaluate.h"
#include "engine/ops/op_def.h"

namespace hlo::mlir {
namespace {

// The evaluation context at import time: it provides memory and nothing else.
class ImportContext : public EvalContext {
 public:
  explicit ImportContext(Budget* budget) : budget_(budget) {}
  Budget* budget() override { return budget_; }
  RegionFunction& Function(const hlo::Region&) override { Refuse(); }
  uint64_t seed() const override { Refuse(); }
  RngState& rng() override { Refuse(); }
  int64_t instruction_number() const override { Refuse(); }
  int64_t replica_id() const override { Refuse(); }
  int64_t partition_id() const override { Refuse(); }
  Peers& peers() override { Refuse(); }
  const hlo::Region* async_computation() const override { Refuse(); }

 private:
  [[noreturn]] static void Refuse() {
    throw RunError(DiagCode::kNotExecutable, "known only when the program runs");
  }
  Budget* budget_;
};

bool IsSmall(const Shape& shape) {
  if (!shape.IsArray() || shape.has_dynamic_dims()) return false;
  return shape.element_count() <= KnownValues::kMostElements;
}

bool IsEvaluated(const Instruction& instruction) {
  const OpDef& def = instruction.def();
  const ShapedLiteral* literal = instruction.attrs().GetLiteral("literal");
  if (literal && literal->literal.elided) return false;
  return def.eval && !def.varies && IsSmall(instruction.shape());
}

// The size of a static dimension follows from the shape, whatever the elements are.
std::optional<int64_t> SizeOf(const Instruction& instruction) {
  if (instruction.opcode() != Opcode::kGetDimensionSize) return std::nullopt;
  const Shape& shape = instruction.operand(0)->shape();
  const int d = static_cast<int>(instruction.Call().Ints("dimensions")[0]);
  if (shape.is_dynamic(d)) return std::nullopt;
  return shape.dim(d);
}

template <class T>
bool HoldSame(const AttrValue& a, const AttrValue& b) {
  const T *left = std::get_if<T>(&a), *right = std::get_if<T>(&b);
  return left && right && *left == *right;
}

// Attributes of the ops that compute sizes.
bool SameAttrs(const Instruction& a, const Instruction& b) {
  if (a.attrs().size() != b.attrs().size()) return false;
  for (size_t i = 0; i < a.attrs().size(); ++i) {
    const auto &left = a.attrs()[i], &right = b.attrs()[i];
    if (left.def != right.def) return false;
    if (!HoldSame<Dims>(left.value, right.value) && !HoldSame<int64_t>(left.value, right.value) &&
        !HoldSame<std::vector<SliceDim>>(left.value, right.value)) {
      return false;
    }
  }
  return true;
}

}  // namespace

// The instruction whose value is passed on unchanged; null if the value is computed.
const Instruction* KnownValues::WholeOrigin(const Instruction* value) const {
  if (const auto it = aliases_.find(value); it != aliases_.end()) return it->second;
  if (value->def().passes_on == PassesOn::kAll) return value->operand(0);
  if (value->opcode() != Opcode::kCall) return nullptr;
  return AsComputation(value->Call().GetRegion("to_apply"))->root();
}

// The same, through tuples.
const Instruction* KnownValues::Origin(const Instruction* value) const {
  if (const Instruction* origin = WholeOrigin(value)) return origin;
  if (value->opcode() != Opcode::kGetTupleElement) return nullptr;
  const Instruction* tuple = value->operand(0);
  while (const Instruction* origin = WholeOrigin(tuple)) tuple = origin;
  if (tuple->opcode() != Opcode::kTuple) return nullptr;
  return tuple->operand(static_cast<int>(value->Call().Int("index")));
}

std::optional<Tensor> KnownValues::Evaluate(const Instruction& instruction) {
  if (const auto size = SizeOf(instruction)) {
    return Tensor::Scalar(static_cast<int32_t>(*size), budget_);
  }
  std::vector<Value> args;
  for (const Instruction* operand : instruction.operands()) {
    const auto& known = memo_[operand];
    if (!known) return std::nullopt;
    args.emplace_back(*known);
  }
  ImportContext context(&work_);
  try {
    const Value value =
        EvaluateOp(instruction.Call(), MixedCall::Of(instruction.Call()).get(), args, context);
    CheckValue(value, instruction.shape());
    if (!value.is_array() || !value.tensor().dynamic_sizes().empty()) return std::nullopt;
    // The result may become a constant, which outlives the import, so it is copied.
    const Tensor& result = value.tensor();
    Tensor kept(result.element_type(), result.dims(), budget_);
    std::memcpy(kept.mutable_bytes(), result.bytes(), static_cast<size_t>(result.byte_size()));
    return kept;
  } catch (const RunError&) {
    // Not known at import; reported where the value is needed.
  }
  return std::nullopt;
}

const Tensor* KnownValues::Find(const Instruction* value) {
  std::vector<const Instruction*> stack = {value};
  while (!stack.empty()) {
    const Instruction* top = stack.back();
    if (memo_.count(top) > 0) {
      stack.pop_back();
      continue;
    }
    const Instruction* origin = Origin(top);
    if (!origin && !IsEvaluated(*top)) {
      memo_[top] = std::nullopt;
      continue;
    }
    const size_t depth = stack.size();
    if (origin) {
      if (memo_.count(origin) == 0) stack.push_back(origin);
    } else if (!SizeOf(*top)) {
      for (const Instruction* operand : top->operands()) {
        const auto it = memo_.find(operand);
        if (it == memo_.end()) stack.push_back(operand);
      }
    }
    if (stack.size() > depth) continue;
    std::optional<Tensor> result = origin ? memo_[origin] : Evaluate(*top);
    memo_[top] = std::move(result);
  }
  const auto& known = memo_[value];
  return known ? &*known : nullptr;
}

bool KnownValues::Same(const Instruction* a, const Instruction* b) {
  constexpr int kMostSteps = 1000;
  std::vector<std::pair<const Instruction*, const Instruction*>> open = {{a, b}};
  for (int step = 0; !open.empty(); ++step) {
    if (step == kMostSteps) return false;
    auto [left, right] = open.back();
    open.pop_back();
    while (const Instruction* origin = Origin(left)) left = origin;
    while (const Instruction* origin = Origin(right)) right = origin;
    if (left == right) continue;
    if (left->opcode() != right->opcode() || left->def().varies ||
        !Shape::Compatible(left->shape(), right->shape())) {
      return false;
    }
    if (const Tensor* known = Find(left)) {
      const Tensor left_value = *known;
      const Tensor* right_value = Find(right);
      const auto size = static_cast<size_t>(left_value.byte_size());
      if (right_value && std::memcmp(left_value.bytes(), right_value->bytes(), size) == 0) continue;
      return false;
    }
    if (left->operand_count() == 0 || left->operand_count() != right->operand_count() ||
        !IsEvaluated(*left) || !SameAttrs(*left, *right)) {
      return false;
    }
    for (int i = 0; i < left->operand_count(); ++i) {
      open.emplace_back(left->operand(i), right->operand(i));
    }
  }
  return true;
}

const Instruction* KnownValues::CauseOf(const Instruction* value) {
  while (true) {
    const Instruction* next = Origin(value);
    if (!next && IsEvaluated(*value)) {
      for (const Instruction* operand : value->operands()) {
        if (!Find(operand)) {
          next = operand;
          break;
        }
      }
    }
    if (!next) return value;
    value = next;
  }
}

}  // namespace hlo::mlir
