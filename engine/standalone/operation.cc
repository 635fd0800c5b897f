#include "engine/standalone/operation.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "engine/ops/shape_checks.h"
#include "engine/plan/region_builder.h"
#include "engine/plan/region_compiler.h"
#include "engine/types/literal.h"

namespace hlo {
namespace {

bool WriteConstant(const Operation& operation, Emitter* emitter) {
  const ShapedLiteral& literal = *operation.call->GetLiteral("literal");
  if (literal.literal.elided) return false;
  std::vector<Tensor> arrays;
  const auto add = [&](auto self, const Value& value, const Shape& shape) -> void {
    if (shape.IsTuple()) {
      for (size_t i = 0; i < shape.elements().size(); ++i) {
        self(self, value.elements()[i], shape.elements()[i]);
      }
    } else if (shape.IsArray()) {
      arrays.push_back(value.tensor());
    }
  };
  add(add, literal.literal.value, literal.shape);
  for (size_t i = 0; i < arrays.size(); ++i) {
    const int width = BytesOf(arrays[i].element_type());
    const int32_t constant =
        emitter->Constant({arrays[i].bytes(), static_cast<size_t>(arrays[i].byte_size())});
    const int64_t bytes = emitter->BytesOfArray(operation.results[i]);
    if (arrays[i].byte_size() == bytes) {
      emitter->Copy(constant, operation.results[i]);
    } else {
      // A scalar that fills the array.
      emitter->CopyView(constant, {{bytes / width}, {0}, 0}, operation.results[i], width);
    }
  }
  return true;
}

// An element-wise instruction; operands that are scalars are the same for all elements.
bool WriteElements(const Operation& operation, Emitter* emitter) {
  const Instruction& instruction = *operation.instruction;
  const Shape& shape = instruction.shape();
  if (!instruction.def().loop || !shape.IsArray()) return false;
  RegionBuilder builder;
  std::vector<RegionScalar> scalars;
  std::vector<RegionInput> inputs;
  std::vector<int32_t> uniform;
  for (int i = 0; i < instruction.operand_count(); ++i) {
    const Shape& operand = instruction.operand(i)->shape();
    if (!operand.IsArray()) return false;
    scalars.push_back(builder.Parameter(operand.element_type()));
    const bool is_whole = operand.element_count() == shape.element_count();
    if (!is_whole && operand.element_count() != 1) return false;
    if (!is_whole) uniform.push_back(scalars.back().id);
    inputs.push_back(
        {operation.operands[static_cast<size_t>(i)], 0,
         is_whole && BytesOf(operand.element_type()) == BytesOf(shape.element_type())});
  }
  builder.set_source(&instruction);
  const std::optional<RegionScalar> result =
      EmitElement(instruction, scalars, operation.call->custom_calls(), &builder);
  if (!result) return false;
  RegionSteps steps = builder.Finish({*result});
  steps.uniform_parameters = uniform;
  return emitter->Apply(steps, shape.element_count(), inputs, operation.results);
}

// What only passes arrays on.
bool WritePassed(const Operation& operation, Emitter* emitter) {
  const bool passes = operation.call->def().passes_on == PassesOn::kAll;
  if (!passes || operation.results.size() > operation.operands.size()) return false;
  for (size_t i = 0; i < operation.results.size(); ++i) {
    emitter->Copy(operation.operands[i], operation.results[i]);
  }
  return true;
}

// A computation on the elements of the operands.
bool WriteMap(const Operation& operation, Emitter* emitter) {
  if (operation.instruction->opcode() != Opcode::kMap) return false;
  const std::optional<RegionSteps> steps = StepsOf(*operation.call);
  if (!steps) return false;
  std::vector<RegionInput> inputs;
  for (size_t i = 0; i < operation.operands.size(); ++i) {
    if (steps->parameters[i] != operation.operand_type(static_cast<int>(i))) return false;
    inputs.push_back({operation.operands[i], 0, false});
  }
  if (steps->results[0].type != operation.type()) return false;
  return emitter->Apply(*steps, operation.call->shape().element_count(), inputs, operation.results);
}

bool WriteKnown(const Operation& operation, Emitter* emitter) {
  if (operation.results.empty()) return true;
  if (operation.instruction->opcode() == Opcode::kConstant)
    return WriteConstant(operation, emitter);
  using Family = bool (*)(const Operation&, Emitter*);
  constexpr Family kFamilies[] = {WriteMovement,       WriteIndexed,    WriteReduction,
                                  WriteRoundedProduct, WriteProduct,    WriteWindows,
                                  WriteSorting,        WriteFourier,    WriteFactors,
                                  WriteNormalization,  WriteRandomBits, WriteSelection,
                                  WriteStochastic,     WriteMap,        WritePassed};
  return std::any_of(std::begin(kFamilies), std::end(kFamilies),
                     [&](Family write) { return write(operation, emitter); });
}

// Where floats of different widths meet: operands are converted before, the result after.
bool WriteMixed(const PlannedInstruction& planned, Operation operation, Emitter* emitter) {
  const OpCall& call = planned.mixed->call();
  for (int i = 0; i < call.operand_count(); ++i) {
    const Shape& from = planned.call.operand(i);
    int32_t& array = operation.operands[static_cast<size_t>(i)];
    if (!from.IsArray()) return false;
    if (!emitter->Convert(&array, from.element_count(), from.element_type(),
                          call.operand(i).element_type())) {
      return false;
    }
  }
  const std::vector<int32_t> results = operation.results;
  const auto computed = [&](size_t i) { return PartShape(call.shape(), static_cast<int>(i)); };
  for (size_t i = 0; i < results.size(); ++i) {
    operation.results[i] =
        emitter->NewArray(computed(i).element_type(), computed(i).element_count());
  }
  operation.call = &call;
  if (!WriteKnown(operation, emitter)) return false;
  for (size_t i = 0; i < results.size(); ++i) {
    int32_t array = operation.results[i];
    const Shape& wanted = PartShape(planned.call.shape(), static_cast<int>(i));
    if (!emitter->Convert(&array, wanted.element_count(), computed(i).element_type(),
                          wanted.element_type())) {
      return false;
    }
    emitter->Copy(array, results[i]);
  }
  return true;
}

/// Indices that were computed along one dimension alone (plan/narrow_iota.h), repeated along the
/// others.
void Widen(Operation* operation, Emitter* emitter) {
  const OpCall& call = *operation->call;
  for (int i = 0; i < call.operand_count() / 2; ++i) {
    const Shape& shape = call.operand(i);
    int32_t& array = operation->operands[static_cast<size_t>(i)];
    if (emitter->BytesOfArray(array) == shape.stored_bytes()) continue;
    const Dims& dimensions = call.Ints("dimensions");
    const Dims narrow = {shape.dim(static_cast<int>(dimensions[0]))};
    const StridedView view = BroadcastInto(RowMajorView(narrow), shape.dims(), dimensions);
    array = emitter->Viewed(array, view, shape.element_type());
  }
}

}  // namespace

std::optional<RegionSteps> StepsOf(const OpCall& call, std::string_view attr) {
  return CompileSteps(*AsComputation(call.GetRegion(attr)), call.custom_calls());
}

bool WriteOperation(const PlannedInstruction& planned, std::vector<int32_t> operands,
                    std::vector<int32_t> results, Emitter* emitter) {
  Operation operation{planned.instruction, &planned.call, std::move(operands), std::move(results)};
  if (WriteElements(operation, emitter)) return true;
  if (planned.instruction->opcode() == Opcode::kReduce) Widen(&operation, emitter);
  if (planned.mixed) return WriteMixed(planned, std::move(operation), emitter);
  return WriteKnown(operation, emitter);
}

}  // namespace hlo
