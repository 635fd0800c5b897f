#include "engine/plan/region_compiler.h"

#include <algorithm>
#include <utility>

#include "engine/ops/op_def.h"

namespace hlo {
namespace {

constexpr int kMaxDepth = 32;
constexpr int kMaxInstructions = 10'000;

// What an instruction stands for: a scalar, or the elements of a tuple of scalars.
struct Binding {
  std::vector<RegionScalar> scalars;
  bool is_tuple = false;
};

// The literal of a constant, or null.
const Tensor* ConstantOf(const Instruction& instruction) {
  for (const Attr& attr : instruction.attrs()) {
    const auto* literal = std::get_if<std::shared_ptr<const ShapedLiteral>>(&attr.value);
    if (literal == nullptr || *literal == nullptr) continue;
    const Literal& value = (*literal)->literal;
    if (!value.elided && value.value.is_array()) return &value.value.tensor();
  }
  return nullptr;
}

// The region an instruction stands for when its operands are scalars, or null.
const Region* InlinedRegion(const Instruction& instruction) {
  switch (instruction.opcode()) {
    case Opcode::kCall:
    case Opcode::kMap:
      return instruction.Call().GetRegion("to_apply");
    case Opcode::kFusion:
      return instruction.Call().GetRegion("calls");
    default:
      return nullptr;
  }
}

// Ops that only move data do nothing to a scalar.
bool IsIdentityOnScalars(const Instruction& instruction) {
  switch (instruction.opcode()) {
    case Opcode::kBitcast:
    case Opcode::kBroadcast:
    case Opcode::kCopy:
    case Opcode::kOptBarrier:
    case Opcode::kReshape:
    case Opcode::kTranspose:
      return instruction.shape().IsScalar() &&
             Shape::Compatible(instruction.shape(), instruction.operand(0)->shape());
    default:
      return false;
  }
}

class Compiler {
 public:
  std::optional<RegionSteps> Compile(const Computation& region) {
    std::vector<Binding> args;
    for (int i = 0; i < region.parameter_count(); ++i) {
      const Shape& shape = region.parameter_shape(i);
      if (!shape.IsScalar()) return std::nullopt;
      program_.parameters.push_back(shape.element_type());
      args.push_back({{NewScalar(shape.element_type())}, false});
    }
    std::optional<Binding> result = Inline(region, args, 0);
    if (!result) return std::nullopt;
    for (RegionScalar scalar : result->scalars) {
      program_.results.push_back(Computed(scalar));
      program_.result_parameters.push_back(IsParameter(scalar) ? scalar.id : -1);
    }
    DropUnused();
    return std::move(program_);
  }

 private:
  RegionScalar NewScalar(ElementType type) { return {program_.scalar_count++, type}; }

  RegionScalar Emit(const ElementLoop& loop, const RegionScalar* args) {
    RegionStep step;
    step.loop = loop;
    for (int i = 0; i < loop.operand_count; ++i) step.args[i] = args[i].id;
    const RegionScalar result = NewScalar(loop.result);
    step.result = result.id;
    program_.steps.push_back(step);
    return result;
  }

  RegionScalar Converted(RegionScalar scalar, ElementType type) {
    return scalar.type == type ? scalar : Emit(ConvertLoop(scalar.type, type), &scalar);
  }

  bool IsParameter(RegionScalar scalar) const {
    return scalar.id < static_cast<int32_t>(program_.parameters.size());
  }

  // A result may be written over an argument, so it must not be one.
  RegionScalar Computed(RegionScalar scalar) {
    return IsParameter(scalar) ? Emit(CopyLoop(scalar.type), &scalar) : scalar;
  }

  std::optional<Binding> Inline(const Computation& region, const std::vector<Binding>& args,
                                int depth) {
    if (depth > kMaxDepth || region.root() == nullptr) return std::nullopt;
    std::vector<Binding> values(region.instructions().size());
    for (const Instruction& instruction : region.instructions()) {
      if (++instructions_ > kMaxInstructions) return std::nullopt;
      std::optional<Binding> value = Translate(instruction, args, values, depth);
      if (!value) return std::nullopt;
      values[static_cast<size_t>(instruction.index())] = std::move(*value);
    }
    return std::move(values[static_cast<size_t>(region.root()->index())]);
  }

  std::optional<Binding> Translate(const Instruction& instruction, const std::vector<Binding>& args,
                                   const std::vector<Binding>& values, int depth) {
    const auto operand = [&](int i) -> const Binding& {
      return values[static_cast<size_t>(instruction.operand(i)->index())];
    };
    if (IsIdentityOnScalars(instruction)) return operand(0);
    if (const Region* callee = InlinedRegion(instruction)) {
      std::vector<Binding> call_args;
      for (int i = 0; i < instruction.operand_count(); ++i) call_args.push_back(operand(i));
      return InlineCall(instruction, *callee, call_args, depth);
    }
    switch (instruction.opcode()) {
      case Opcode::kParameter:
        return Parameter(instruction, args);
      case Opcode::kConstant:
        return Constant(instruction);
      case Opcode::kTuple: {
        Binding tuple{{}, true};
        for (int i = 0; i < instruction.operand_count(); ++i) {
          if (operand(i).is_tuple) return std::nullopt;
          tuple.scalars.push_back(operand(i).scalars[0]);
        }
        return tuple;
      }
      case Opcode::kGetTupleElement: {
        const int64_t index = instruction.Call().Int("index");
        const std::vector<RegionScalar>& elements = operand(0).scalars;
        if (index < 0 || index >= static_cast<int64_t>(elements.size())) return std::nullopt;
        return Binding{{elements[static_cast<size_t>(index)]}, false};
      }
      default:
        return Elementwise(instruction, values);
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
    const Tensor* literal = ConstantOf(instruction);
    if (literal == nullptr || literal->rank() != 0) return std::nullopt;
    const RegionScalar scalar = NewScalar(literal->element_type());
    program_.constants.push_back({scalar.id, scalar.type, literal->bytes()});
    return Binding{{scalar}, false};
  }

  std::optional<Binding> InlineCall(const Instruction& instruction, const Region& region,
                                    std::vector<Binding>& args, int depth) {
    if (region.parameter_count() != instruction.operand_count()) return std::nullopt;
    for (int i = 0; i < region.parameter_count(); ++i) {
      Binding& arg = args[static_cast<size_t>(i)];
      const Shape& parameter = region.parameter_shape(i);
      if (arg.is_tuple != parameter.IsTuple()) return std::nullopt;
      if (parameter.IsScalar()) {
        arg.scalars[0] = Converted(arg.scalars[0], parameter.element_type());
      } else if (!parameter.IsTuple()) {
        return std::nullopt;
      }
    }
    // Regions that ops are given are computations (ops/attributes.h).
    return Inline(static_cast<const Computation&>(region), args, depth + 1);
  }

  std::optional<Binding> Elementwise(const Instruction& instruction,
                                     const std::vector<Binding>& values) {
    const OpDef& def = instruction.def();
    if (def.loop == nullptr || !instruction.shape().IsScalar()) return std::nullopt;
    for (const Instruction* operand : instruction.operands()) {
      if (!operand->shape().IsScalar()) return std::nullopt;
    }
    const ElementLoop loop = def.loop(instruction.Call());
    if (!loop || loop.operand_count != instruction.operand_count()) return std::nullopt;
    RegionScalar args[ElementLoop::kMaxOperands];
    for (int i = 0; i < loop.operand_count; ++i) {
      const Binding& value = values[static_cast<size_t>(instruction.operand(i)->index())];
      args[i] = Converted(value.scalars[0], loop.operands[i]);
    }
    return Binding{{Converted(Emit(loop, args), instruction.shape().element_type())}, false};
  }

  void DropUnused() {
    std::vector<bool> used(static_cast<size_t>(program_.scalar_count), false);
    for (RegionScalar result : program_.results) used[static_cast<size_t>(result.id)] = true;
    std::vector<RegionStep>& steps = program_.steps;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      if (!used[static_cast<size_t>(step->result)]) continue;
      for (int i = 0; i < step->loop.operand_count; ++i) {
        used[static_cast<size_t>(step->args[i])] = true;
      }
    }
    const auto unused = [&](const auto& id) { return !used[static_cast<size_t>(id)]; };
    steps.erase(std::remove_if(steps.begin(), steps.end(),
                               [&](const RegionStep& step) { return unused(step.result); }),
                steps.end());
    std::vector<RegionConstant>& constants = program_.constants;
    constants.erase(std::remove_if(constants.begin(), constants.end(),
                                   [&](const RegionConstant& c) { return unused(c.id); }),
                    constants.end());
  }

  RegionSteps program_;
  int instructions_ = 0;
};

}  // namespace

std::optional<RegionSteps> CompileSteps(const Computation& region) {
  return Compiler().Compile(region);
}

}  // namespace hlo
