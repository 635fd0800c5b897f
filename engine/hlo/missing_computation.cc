#include "engine/hlo/missing_computation.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

Shape ScalarOf(const Shape& array) { return Shape::Scalar(array.element_type()); }

std::vector<Shape> OperandShapes(const Instruction& instruction) {
  std::vector<Shape> shapes;
  for (const Instruction* operand : instruction.operands()) shapes.push_back(operand->shape());
  return shapes;
}

bool AllArrays(const Instruction& instruction) {
  return std::all_of(instruction.operands().begin(), instruction.operands().end(),
                     [](const Instruction* operand) { return operand->shape().IsArray(); });
}

// Two scalars of each of the first `count` operands, all first ones before all second ones, to one
// of each: what reduces, and what scatters.
ProgramShape Combiner(const Instruction& instruction, int count) {
  std::vector<Shape> scalars;
  for (int i = 0; i < count; ++i) scalars.push_back(ScalarOf(instruction.operand(i)->shape()));
  ProgramShape signature{scalars, OneOrTuple(scalars)};
  signature.parameters.insert(signature.parameters.end(), scalars.begin(), scalars.end());
  return signature;
}

// Two scalars of each operand side by side, to a pred.
ProgramShape Comparator(const Instruction& instruction, int count) {
  ProgramShape signature{{}, Shape::Scalar(ElementType::kPred)};
  for (int i = 0; i < count; ++i) {
    const Shape scalar = ScalarOf(instruction.operand(i)->shape());
    signature.parameters.insert(signature.parameters.end(), {scalar, scalar});
  }
  return signature;
}

// The branch takes the operand behind the one that chooses.
std::optional<ProgramShape> Branch(const Instruction& instruction, size_t index) {
  if (index + 1 >= static_cast<size_t>(instruction.operand_count())) return std::nullopt;
  return ProgramShape{{instruction.operand(static_cast<int>(index) + 1)->shape()},
                      instruction.shape()};
}

}  // namespace

std::optional<ProgramShape> ImpliedSignature(const Instruction& instruction, const AttrDef& attr,
                                             size_t index) {
  const int operands = instruction.operand_count();
  const bool has_shape = instruction.places().shape.end > 0;
  switch (instruction.opcode()) {
    case Opcode::kCall:
    case Opcode::kFusion:
    case Opcode::kCustomCall:
      if (!has_shape) return std::nullopt;
      return ProgramShape{OperandShapes(instruction), instruction.shape()};
    default:
      break;
  }
  if (operands == 0) return std::nullopt;
  switch (instruction.opcode()) {
    case Opcode::kWhile: {
      const Shape& state = instruction.operand(0)->shape();
      return ProgramShape{{state},
                          attr.name == "condition" ? Shape::Scalar(ElementType::kPred) : state};
    }
    case Opcode::kConditional:
      if (!has_shape) return std::nullopt;
      return Branch(instruction, attr.name == "false_computation" ? 1 : index);
    default:
      break;
  }
  if (!AllArrays(instruction)) return std::nullopt;
  switch (instruction.opcode()) {
    case Opcode::kMap: {
      ProgramShape signature{{}, {}};
      for (const Shape& shape : OperandShapes(instruction)) {
        signature.parameters.push_back(ScalarOf(shape));
      }
      if (!has_shape || !instruction.shape().IsArray()) return std::nullopt;
      signature.result = ScalarOf(instruction.shape());
      return signature;
    }
    case Opcode::kReduce:
    case Opcode::kReduceWindow:
      return Combiner(instruction, operands / 2);
    case Opcode::kScatter:
      return Combiner(instruction, (operands - 1) / 2);
    case Opcode::kAllReduce:
    case Opcode::kAllReduceStart:
    case Opcode::kReduceScatter:
      return Combiner(instruction, 1);
    case Opcode::kSelectAndScatter:
      return attr.name == "select" ? Comparator(instruction, 1) : Combiner(instruction, 1);
    case Opcode::kSort:
      return Comparator(instruction, operands);
    default:
      return std::nullopt;
  }
}

void MakeStandIn(ModuleEditor& editor, Computation* computation, const ProgramShape& signature) {
  SmallVector<Instruction*, 4> parameters;
  for (const Shape& shape : signature.parameters) {
    const auto number = static_cast<int64_t>(parameters.size());
    Instruction* parameter = editor.AddInstruction(
        computation, editor.Intern(fmt::format("p{}", number)), Opcode::kParameter);
    editor.SetShape(parameter, shape);
    for (const AttrDef& def : parameter->def().attrs) {
      if (def.use == AttrUse::kPositional)
        editor.attrs(parameter).push_back({&def, number, {}, {}});
    }
    editor.SetParameter(computation, number, parameter);
    parameters.push_back(parameter);
  }
  Instruction* root =
      editor.AddInstruction(computation, editor.Intern("missing"), Opcode::kCustomCall);
  editor.SetShape(root, signature.result);
  editor.operands(root) = std::move(parameters);
  for (const AttrDef& def : root->def().attrs) {
    if (def.name == "custom_call_target") {
      editor.attrs(root).push_back({&def, std::string("MissingComputation"), {}, {}});
    }
  }
  for (const AttrDef& def : CommonAttrs()) {
    if (def.name == "backend_config") {
      editor.attrs(root).push_back({&def, std::string(computation->name()), {}, {}});
    }
  }
  editor.SetRoot(computation, root);
}

}  // namespace hlo
