#include "engine/plan/region_compiler.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engine/hlo/call_graph.h"
#include "engine/ops/float_widths.h"
#include "engine/ops/op_def.h"
#include "engine/plan/region_builder.h"

namespace hlo {

const Tensor* ArrayOfConstant(const Instruction& instruction) {
  const ShapedLiteral* shaped = instruction.attrs().GetLiteral("literal");
  if (!shaped || shaped->literal.elided || !shaped->literal.value.is_array()) return nullptr;
  const Tensor& tensor = shaped->literal.value.tensor();
  return tensor.rank() == shaped->shape.rank() ? &tensor : nullptr;
}

namespace {

constexpr int kMaxDepth = 32;
constexpr int kMaxInstructions = 10'000;
constexpr size_t kMostSteps = 100'000;
// Scalars and tuples in one value.
constexpr int kMaxNodes = 1'000;

// What an instruction stands for: a scalar, or a tuple of values (a token is an empty one).
struct Binding {
  RegionScalar scalar;
  std::shared_ptr<const std::vector<Binding>> elements;  // null for a scalar
  int nodes = 1;

  bool is_tuple() const { return elements != nullptr; }
};

std::optional<Binding> TupleOf(std::vector<Binding> elements) {
  Binding tuple;
  for (const Binding& element : elements) tuple.nodes += element.nodes;
  if (tuple.nodes > kMaxNodes) return std::nullopt;
  tuple.elements = std::make_shared<const std::vector<Binding>>(std::move(elements));
  return tuple;
}

void AppendScalars(const Binding& binding, std::vector<RegionScalar>* scalars) {
  if (!binding.is_tuple()) {
    scalars->push_back(binding.scalar);
    return;
  }
  for (const Binding& element : *binding.elements) AppendScalars(element, scalars);
}

std::vector<RegionScalar> ScalarsOf(const Binding& binding) {
  std::vector<RegionScalar> scalars;
  AppendScalars(binding, &scalars);
  return scalars;
}

// The same tuples around other scalars, taken in order from *next.
Binding WithScalars(const Binding& binding, const RegionScalar** next) {
  Binding result = binding;
  if (!binding.is_tuple()) {
    result.scalar = *(*next)++;
    return result;
  }
  std::vector<Binding> elements;
  for (const Binding& element : *binding.elements) elements.push_back(WithScalars(element, next));
  result.elements = std::make_shared<const std::vector<Binding>>(std::move(elements));
  return result;
}

Binding WithScalars(const Binding& binding, const std::vector<RegionScalar>& scalars) {
  const RegionScalar* next = scalars.data();
  return WithScalars(binding, &next);
}

// The op's, or that of the op which a custom-call stands for.
Opcode PlainOpcodeOf(const Instruction& instruction, const CustomCallTargets* custom_calls) {
  if (!instruction.def().plain) return instruction.opcode();
  return PlainCall(instruction, custom_calls).opcode();
}
const OpDef& PlainDef(const Instruction& instruction, const CustomCallTargets* custom_calls) {
  return GetOpDef(PlainOpcodeOf(instruction, custom_calls));
}

// The region an instruction of this op stands for when its operands are scalars, or null.
const Region* InlinedRegion(const Instruction& instruction, const OpDef& def) {
  if (!def.applies_region) return nullptr;
  const Region* applied = nullptr;
  ForEachCallee(instruction, [&](const Attr&, const Computation& callee) {
    if (!applied) applied = &callee;
  });
  return applied;
}

std::vector<const Region*> BranchesOf(const OpCall& call) {
  std::vector<const Region*> branches;
  for (std::string_view attr : {"true_computation", "false_computation"}) {
    if (const Region* region = call.GetRegion(attr)) branches.push_back(region);
  }
  for (const Region* region : call.Regions("branch_computations")) branches.push_back(region);
  return branches;
}

bool IsIdentity(const Instruction& instruction, const OpDef& def) {
  const PassesOn passes_on = def.passes_on;
  if (passes_on == PassesOn::kNothing) return false;
  if (passes_on == PassesOn::kScalars && !instruction.shape().IsScalar()) return false;
  // Some may change the width of floats.
  return Shape::Compatible(instruction.shape(), instruction.operand(0)->shape());
}

}  // namespace

OpCall PlainCall(const Instruction& instruction, const CustomCallTargets* custom_calls) {
  OpCall call = instruction.Call();
  call.set_custom_calls(custom_calls);
  call.set_opcode(PlainOpcode(call));
  return call;
}

ElementLoop LoopOf(const Instruction& instruction, const CustomCallTargets* custom_calls,
                   std::unique_ptr<const MixedCall>* mixed) {
  if (instruction.def().loop == nullptr) return {};
  const OpCall call = PlainCall(instruction, custom_calls);
  if (call.def().loop == nullptr) return {};
  *mixed = MixedCall::Of(call);
  const ElementLoop loop = call.def().loop(*mixed ? (*mixed)->call() : call);
  return loop && loop.operand_count == instruction.operand_count() ? loop : ElementLoop();
}

std::optional<RegionScalar> EmitElement(const Instruction& instruction,
                                        std::span<const RegionScalar> operands,
                                        const CustomCallTargets* custom_calls,
                                        RegionBuilder* builder) {
  std::unique_ptr<const MixedCall> mixed;
  const ElementLoop loop = LoopOf(instruction, custom_calls, &mixed);
  if (!loop) return std::nullopt;
  RegionScalar args[ElementLoop::kMaxOperands];
  for (int i = 0; i < loop.operand_count; ++i) {
    args[i] = operands[static_cast<size_t>(i)];
    if (mixed) args[i] = builder->Converted(args[i], mixed->operand_type(i));
    args[i] = builder->Converted(args[i], loop.operands[i]);
  }
  RegionScalar result =
      builder->Emit(loop, args, OpcodeOf(loop, PlainOpcodeOf(instruction, custom_calls)));
  if (mixed) result = builder->Converted(result, mixed->call().shape().element_type());
  return builder->Converted(result, instruction.shape().element_type());
}

namespace {

class Compiler {
 public:
  explicit Compiler(const CustomCallTargets* custom_calls) : custom_calls_(custom_calls) {}
  std::optional<RegionSteps> Compile(const Computation& region) {
    std::vector<Binding> args;
    for (int i = 0; i < region.parameter_count(); ++i) {
      const Shape& shape = region.parameter_shape(i);
      if (!shape.IsScalar()) return std::nullopt;
      args.push_back({builder_.Parameter(shape.element_type()), nullptr});
    }
    const std::optional<Binding> result = Inline(region, args);
    if (!result) return std::nullopt;
    if (result->is_tuple()) {
      for (const Binding& element : *result->elements) {
        if (element.is_tuple()) return std::nullopt;
      }
    }
    return builder_.Finish(ScalarsOf(*result));
  }

  std::optional<RegionSteps> CompileOne(const Instruction& instruction) {
    std::vector<Binding> values(instruction.parent()->instructions().size());
    for (const Instruction* operand : instruction.operands()) {
      std::optional<Binding> value = Parameters(operand->shape());
      if (!value) return std::nullopt;
      values[static_cast<size_t>(operand->index())] = std::move(*value);
    }
    const std::optional<Binding> result = Translate(instruction, {}, values);
    if (!result) return std::nullopt;
    return builder_.Finish(ScalarsOf(*result));
  }

 private:
  // Parameters of the program for the scalars of a value.
  std::optional<Binding> Parameters(const Shape& shape) {
    if (shape.IsScalar()) return Binding{builder_.Parameter(shape.element_type()), nullptr};
    if (!shape.IsTuple()) return std::nullopt;
    std::vector<Binding> elements;
    for (const Shape& element : shape.elements()) {
      std::optional<Binding> value = Parameters(element);
      if (!value) return std::nullopt;
      elements.push_back(std::move(*value));
    }
    return TupleOf(std::move(elements));
  }

  std::optional<Binding> Inline(const Region& region, const std::vector<Binding>& args) {
    // Regions that ops are given are computations (ops/attributes.h).
    const Computation& computation = *AsComputation(&region);
    if (depth_ > kMaxDepth || computation.root() == nullptr ||
        computation.parameter_count() != static_cast<int>(args.size())) {
      return std::nullopt;
    }
    ++depth_;
    std::vector<Binding> values(computation.instructions().size());
    for (const Instruction& instruction : computation.instructions()) {
      if (++instructions_ > kMaxInstructions || builder_.step_count() > kMostSteps) {
        return std::nullopt;
      }
      std::optional<Binding> value = Translate(instruction, args, values);
      if (!value) return std::nullopt;
      values[static_cast<size_t>(instruction.index())] = std::move(*value);
    }
    --depth_;
    return std::move(values[static_cast<size_t>(computation.root()->index())]);
  }

  std::optional<Binding> Translate(const Instruction& instruction, const std::vector<Binding>& args,
                                   const std::vector<Binding>& values) {
    std::vector<Binding> operands;
    for (const Instruction* operand : instruction.operands()) {
      operands.push_back(values[static_cast<size_t>(operand->index())]);
    }
    builder_.set_source(&instruction);
    const OpDef& def = PlainDef(instruction, custom_calls_);
    if (IsIdentity(instruction, def)) return operands[0];
    if (const Region* callee = InlinedRegion(instruction, def)) {
      // A fusion may have operands that nothing takes.
      operands.resize(std::min(operands.size(), static_cast<size_t>(callee->parameter_count())));
      return InlineCall(*callee, operands);
    }
    switch (instruction.opcode()) {
      case Opcode::kParameter:
        return Parameter(instruction, args);
      case Opcode::kConstant:
        return Constant(instruction);
      case Opcode::kAfterAll:
        return TupleOf({});
      case Opcode::kTuple:
        return TupleOf(std::move(operands));
      case Opcode::kGetTupleElement: {
        const int64_t index = instruction.Call().Int("index");
        const auto& elements = operands[0].elements;
        if (!elements || index < 0 || index >= static_cast<int64_t>(elements->size())) {
          return std::nullopt;
        }
        return (*elements)[static_cast<size_t>(index)];
      }
      case Opcode::kConditional:
        return Conditional(instruction, operands);
      case Opcode::kWhile:
        return While(instruction, operands[0]);
      case Opcode::kBitcast:
        return Bitcast(instruction, operands[0]);
      default:
        return Elementwise(instruction, operands);
    }
  }

  std::optional<Binding> Parameter(const Instruction& instruction,
                                   const std::vector<Binding>& args) {
    const std::vector<Instruction*>& parameters = instruction.parent()->parameters();
    const auto at = std::find(parameters.begin(), parameters.end(), &instruction);
    const size_t number = static_cast<size_t>(at - parameters.begin());
    if (number >= args.size()) return std::nullopt;
    return args[number];
  }

  std::optional<Binding> Constant(const Instruction& instruction) {
    const Tensor* literal = ArrayOfConstant(instruction);
    if (literal == nullptr || literal->rank() != 0) return std::nullopt;
    return Binding{builder_.Constant(literal->element_type(), literal->bytes()), nullptr};
  }

  // The value as one of this shape: floats of another width are converted.
  std::optional<Binding> Adapted(const Binding& binding, const Shape& shape) {
    if (!binding.is_tuple()) {
      if (!shape.IsScalar()) return std::nullopt;
      return Binding{builder_.Converted(binding.scalar, shape.element_type()), nullptr};
    }
    if (!shape.IsTuple()) return shape.IsToken() ? TupleOf({}) : std::nullopt;
    if (binding.elements->size() != shape.elements().size()) return std::nullopt;
    std::vector<Binding> elements;
    for (size_t i = 0; i < shape.elements().size(); ++i) {
      std::optional<Binding> element = Adapted((*binding.elements)[i], shape.elements()[i]);
      if (!element) return std::nullopt;
      elements.push_back(std::move(*element));
    }
    return TupleOf(std::move(elements));
  }

  std::optional<Binding> InlineCall(const Region& region, std::vector<Binding>& args) {
    for (size_t i = 0; i < args.size(); ++i) {
      std::optional<Binding> arg = Adapted(args[i], region.parameter_shape(static_cast<int>(i)));
      if (!arg) return std::nullopt;
      args[i] = std::move(*arg);
    }
    return Inline(region, args);
  }

  // Inside, only the lanes of `mask` count. Loops need the mask, so that they do not run on values
  // of the other lanes.
  std::optional<Binding> InlineMasked(const Region& region, Binding arg, RegionScalar mask) {
    const std::optional<RegionScalar> outer = std::exchange(mask_, mask);
    std::vector<Binding> args{std::move(arg)};
    std::optional<Binding> result = InlineCall(region, args);
    mask_ = outer;
    return result;
  }

  RegionScalar Masked(RegionScalar pred) { return mask_ ? builder_.And(*mask_, pred) : pred; }

  // All branches are computed, and the lanes choose. A number out of range is the last branch's.
  std::optional<Binding> Conditional(const Instruction& instruction,
                                     const std::vector<Binding>& operands) {
    const std::vector<const Region*> branches = BranchesOf(instruction.Call());
    const RegionScalar selector = operands[0].scalar;
    const bool is_pred = selector.type == ElementType::kPred;
    if (branches.empty() || operands.size() != branches.size() + 1) return std::nullopt;
    std::vector<RegionScalar> taken;  // by branches but the last
    std::vector<std::vector<RegionScalar>> results;
    std::optional<Binding> result;
    std::optional<RegionScalar> others;
    for (size_t i = 0; i < branches.size(); ++i) {
      const bool is_last = i + 1 == branches.size();
      if (!is_last) {
        taken.push_back(is_pred
                            ? selector
                            : builder_.Equal(selector, builder_.Number(static_cast<int32_t>(i))));
      }
      // The last branch of several: the lanes that no other branch takes.
      RegionScalar mask = is_last ? (others ? *others : builder_.Truth()) : taken.back();
      if (!is_last) {
        const RegionScalar rest = builder_.Not(mask);
        others = others ? builder_.And(*others, rest) : rest;
      }
      result = InlineMasked(*branches[i], operands[i + 1], Masked(mask));
      if (!result) return std::nullopt;
      result = Adapted(*result, instruction.shape());
      if (!result) return std::nullopt;
      results.push_back(ScalarsOf(*result));
    }
    builder_.set_source(&instruction);
    std::vector<RegionScalar> chosen = results.back();
    for (size_t i = taken.size(); i-- > 0;) {
      for (size_t k = 0; k < chosen.size(); ++k) {
        chosen[k] = builder_.Select(taken[i], results[i][k], chosen[k]);
      }
    }
    return WithScalars(*result, chosen);
  }

  std::optional<Binding> While(const Instruction& instruction, const Binding& init) {
    const OpCall call = instruction.Call();
    const Region* condition = call.GetRegion("condition");
    const Region* body = call.GetRegion("body");
    if (condition == nullptr || body == nullptr) return std::nullopt;
    const std::optional<Binding> start = Adapted(init, instruction.shape());
    if (!start) return std::nullopt;
    std::vector<RegionScalar> state = ScalarsOf(*start);
    for (RegionScalar& scalar : state) scalar = builder_.Copy(scalar);
    const Binding bound = WithScalars(*start, state);
    const RegionScalar active = builder_.Copy(mask_ ? *mask_ : builder_.Truth());
    builder_.BeginLoop(active);
    const std::optional<Binding> again = InlineMasked(*condition, bound, active);
    if (!again || again->is_tuple() || again->scalar.type != ElementType::kPred) {
      return std::nullopt;
    }
    builder_.set_source(&instruction);
    builder_.BeginBody(again->scalar);
    std::optional<Binding> next = InlineMasked(*body, bound, active);
    if (next) next = Adapted(*next, instruction.shape());
    if (!next) return std::nullopt;
    builder_.set_source(&instruction);
    AdvanceState(state, ScalarsOf(*next));
    builder_.EndLoop();
    return bound;
  }

  void AdvanceState(const std::vector<RegionScalar>& state, std::vector<RegionScalar> next) {
    // An element that moves to another place is read before anything is written there.
    for (size_t k = 0; k < state.size(); ++k) {
      const auto is_next = [&](RegionScalar scalar) { return scalar.id == next[k].id; };
      const bool is_state = std::find_if(state.begin(), state.end(), is_next) != state.end();
      if (is_state && next[k].id != state[k].id) next[k] = builder_.Copy(next[k]);
    }
    for (size_t k = 0; k < state.size(); ++k) {
      if (next[k].id != state[k].id) builder_.Advance(state[k], next[k]);
    }
  }

  // Of a scalar as another type: the same bits.
  std::optional<Binding> Bitcast(const Instruction& instruction, const Binding& operand) {
    const Shape& shape = instruction.shape();
    if (!shape.IsScalar() || operand.is_tuple()) return std::nullopt;
    const ElementType from = operand.scalar.type, to = shape.element_type();
    if (IsSubByte(from) || IsSubByte(to)) return std::nullopt;
    const ElementLoop loop = BitcastConvertLoop(from, to);
    if (!loop) return std::nullopt;
    return Binding{builder_.Emit(loop, &operand.scalar), nullptr};
  }

  std::optional<Binding> Elementwise(const Instruction& instruction,
                                     const std::vector<Binding>& operands) {
    if (!instruction.shape().IsScalar()) return std::nullopt;
    std::vector<RegionScalar> args;
    for (const Binding& operand : operands) {
      if (operand.is_tuple()) return std::nullopt;
      args.push_back(operand.scalar);
    }
    const std::optional<RegionScalar> result =
        EmitElement(instruction, args, custom_calls_, &builder_);
    if (!result) return std::nullopt;
    return Binding{*result, nullptr};
  }

  const CustomCallTargets* custom_calls_;
  RegionBuilder builder_;
  std::optional<RegionScalar> mask_;  // the lanes that count; nothing: all
  int depth_ = 0;
  int instructions_ = 0;
};

}  // namespace

std::optional<RegionSteps> CompileSteps(const Computation& region,
                                        const CustomCallTargets* custom_calls) {
  return Compiler(custom_calls).Compile(region);
}

std::optional<RegionSteps> CompileScalarLoop(const Instruction& loop,
                                             const CustomCallTargets* custom_calls) {
  if (!loop.def().loops || loop.operand_count() != 1) return std::nullopt;
  return Compiler(custom_calls).CompileOne(loop);
}

}  // namespace hlo
