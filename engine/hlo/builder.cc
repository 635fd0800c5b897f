#include "engine/hlo/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/hlo/make_instruction.h"
#include "engine/hlo/module_copy.h"
#include "engine/hlo/name_uniquer.h"
#include "engine/hlo/verifier.h"
#include "engine/ops/attribute_rows.h"
#include "engine/ops/op_def.h"
#include "engine/types/convert.h"
#include "engine/types/float_traits.h"
#include "engine/types/literal.h"

namespace hlo {
namespace {

const Shape& EmptyTuple() {
  static const Shape kNone;
  return kNone;
}

/// -infinity or the smallest number of a type; the largest for `sign` > 0.
Tensor Limit(ElementType type, int sign) {
  Tensor limit(type, Dims{}, nullptr);
  double value = sign * std::numeric_limits<double>::infinity(), back = 0;
  if (type == ElementType::kPred) value = sign > 0;
  auto bytes = [](double* number) { return reinterpret_cast<std::byte*>(number); };
  auto convert = [&] {
    ConvertElements(ElementType::kF64, bytes(&value), type, limit.mutable_bytes(), 1);
  };
  convert();
  if (!IsFloat(type)) return limit;
  ConvertElements(type, limit.bytes(), ElementType::kF64, bytes(&back), 1);
  if (!std::isnan(back)) return limit;
  // A type without infinities.
  value = DispatchClass<TypeClass::kFloat>(type, 0.0, [&](auto tag) {
    using Traits = FloatTraits<typename decltype(tag)::type>;
    return sign > 0 ? Traits::Max() : Traits::Lowest();
  });
  convert();
  return limit;
}

}  // namespace

const Shape& Op::shape() const { return instruction_ ? instruction_->shape() : EmptyTuple(); }

Builder::Builder(std::string_view name)
    : module_(std::make_unique<Module>()), editor_(std::make_unique<ModuleEditor>(module_.get())) {
  std::string_view interned = editor_->Intern(ToInstructionName(name, "main"));
  editor_->SetName(interned);
  computation_ = editor_->NewDetached(interned);
}

Builder::~Builder() = default;

// ---- Faults -------------------------------------------------------------------------------------

void Builder::Report(DiagCode code, std::string message) {
  diagnostics_.Report(code, {}, std::move(message));
}

Op Builder::Fail(DiagCode code, std::string message) {
  Report(code, std::move(message));
  return Op();
}

// The text parser checks it: that sizes fit, that layouts fit the dimensions.
bool Builder::CheckShape(const Shape& shape, std::string_view what) {
  Diagnostics faults;
  if (ParseShapeText(ShapeText(shape), faults)) return true;
  std::string why = faults.empty() ? "it cannot be written" : faults.list()[0].message;
  Report(DiagCode::kShapeInvalid, fmt::format("{}: {}", what, why));
  return false;
}

bool Builder::IsArray(Op op, std::string_view what) {
  if (!op) return false;
  if (op.shape().IsArray()) return true;
  Report(DiagCode::kOperandInvalid, fmt::format("{} takes an array, but {} is {}", what,
                                                op.instruction()->name(), ShapeName(op.shape())));
  return false;
}

bool Builder::CheckOperands(Opcode opcode, const std::vector<Op>& operands) {
  for (Op op : operands) {
    if (!op) return false;
    if (op.instruction_->parent() == computation_.get()) continue;
    Report(DiagCode::kOperandInvalid,
           fmt::format("{}: an operand belongs to another computation than {}", Text(opcode),
                       computation_->name()));
    return false;
  }
  return true;
}

// ---- Instructions -------------------------------------------------------------------------------

Op Builder::Instruct(Opcode opcode, const std::vector<Op>& operands, NamedAttrs attrs,
                     const Shape* written, std::string_view name) {
  if (!computation_) return Fail(DiagCode::kUsageError, "the Builder has built its program");
  if (!CheckOperands(opcode, operands)) return Op();
  const std::string own = ToInstructionName(
      name, fmt::format("{}.{}", Text(opcode), computation_->instructions().size() + 1));
  if (written && !CheckShape(*written, own)) return Op();
  const std::string prefix = own + ": ";
  InstructionParts parts{.opcode = opcode,
                         .name = own,
                         .operands = {},
                         .attrs = std::move(attrs),
                         .written = written,
                         .fault_prefix = prefix};
  for (Op op : operands) parts.operands.push_back(op.instruction_);
  Instruction* instruction =
      MakeInstruction(*editor_, computation_.get(), std::move(parts), diagnostics_);
  if (instruction) last_ = instruction;
  return Op(instruction);
}

void Builder::SetDevices(int64_t replica_count, int64_t num_partitions) {
  if (!computation_) return;
  AttrList& attrs = editor_->module_attrs();
  attrs.clear();
  for (auto [name, count] : {std::pair<std::string_view, int64_t>{"replica_count", replica_count},
                             {"num_partitions", num_partitions}}) {
    if (count < 1) {
      Report(DiagCode::kHeaderAttribute, fmt::format("{} must be 1 or more, not {}", name, count));
    } else if (const AttrDef* def = FindAttrDef(ModuleAttrs(), name); def && count > 1) {
      attrs.push_back({def, count, {}, {}});
    }
  }
}

// ---- Computations -------------------------------------------------------------------------------

const Region* Builder::Import(const Module* computation, std::string_view what) {
  if (!computation_) return nullptr;
  if (!computation || !computation->entry()) {
    Report(DiagCode::kComputationUnknown, fmt::format("{}: the computation was not built", what));
    return nullptr;
  }
  return ModuleCopier(*editor_).Copy(*computation->entry());
}

const Region* Builder::AddRegion(ElementType type) {
  Builder sum("sum");
  Shape scalar = Shape::Scalar(type);
  sum.Add(sum.Parameter(0, scalar, "x"), sum.Parameter(1, scalar, "y"));
  return Import(sum.Build(diagnostics_).get(), "cross-replica-sum");
}

// ---- Parameters and constants -------------------------------------------------------------------

Op Builder::Parameter(int64_t parameter_number, const Shape& shape, std::string_view name) {
  std::string own = ToInstructionName(name, fmt::format("p{}", parameter_number));
  auto same = [&](const auto& entry) { return entry.first == parameter_number; };
  if (parameter_number < 0 || std::any_of(parameters_.begin(), parameters_.end(), same)) {
    return Fail(DiagCode::kParameterNumber,
                fmt::format("{}: parameter number {} {}", own, parameter_number,
                            parameter_number < 0 ? "is negative" : "is taken"));
  }
  Op op = Instruct(Opcode::kParameter, {}, {{"number", parameter_number}}, &shape, own);
  if (op) parameters_.emplace_back(parameter_number, op.instruction_);
  return op;
}

Op Builder::Constant(Tensor value) {
  std::shared_ptr<const ShapedLiteral> literal = LiteralOf(std::move(value));
  return Instruct(Opcode::kConstant, {}, {{"literal", literal}}, &literal->shape);
}

Op Builder::ConstantLiteral(std::string_view literal) {
  Diagnostics faults;
  std::optional<ShapedLiteral> parsed = ParseShapedLiteral(literal, faults);
  if (!parsed) return Fail(DiagCode::kLiteralValue, faults.list()[0].message);
  Shape shape = parsed->shape;
  std::shared_ptr<const ShapedLiteral> shared =
      std::make_shared<const ShapedLiteral>(std::move(*parsed));
  return Instruct(Opcode::kConstant, {}, {{"literal", std::move(shared)}}, &shape);
}

Op Builder::MinValue(ElementType type) {
  if (!IsComplex(type)) return Constant(Limit(type, -1));
  return Fail(DiagCode::kElementType, "complex numbers have no smallest one");
}

Op Builder::MaxValue(ElementType type) {
  if (!IsComplex(type)) return Constant(Limit(type, 1));
  return Fail(DiagCode::kElementType, "complex numbers have no largest one");
}

Op Builder::Zero(ElementType type) { return ConvertElementType(ConstantR0(int32_t{0}), type); }
Op Builder::One(ElementType type) { return ConvertElementType(ConstantR0(int32_t{1}), type); }

// ---- The end ------------------------------------------------------------------------------------

void Builder::EnterParameters() {
  int64_t count = static_cast<int64_t>(parameters_.size());
  for (const auto& entry : parameters_) {
    if (entry.first < count) {
      editor_->SetParameter(computation_.get(), entry.first, entry.second);
      continue;
    }
    Report(DiagCode::kParameterNumber,
           fmt::format("{}: parameter number {} is out of range: there are {} parameters, numbered "
                       "from 0 without gaps",
                       entry.second->name(), entry.first, count));
  }
}

void Builder::MakeNamesUnique() {
  NameUniquer computations, instructions;
  std::string unique;
  for (const Computation& computation : module_->computations()) {
    if (!computations.Take(computation.name(), &unique)) {
      editor_->SetName(const_cast<Computation*>(&computation), editor_->Intern(unique));
    }
    for (const Instruction& i : computation.instructions()) {
      if (instructions.Take(i.name(), &unique)) continue;
      editor_->SetName(const_cast<Instruction*>(&i), editor_->Intern(unique));
    }
  }
}

std::unique_ptr<Module> Builder::Build(Diagnostics& diagnostics, Op root) {
  if (!computation_) {
    Report(DiagCode::kUsageError, "the Builder has built its program");
  } else if (root && root.instruction_->parent() != computation_.get()) {
    Report(DiagCode::kOperandInvalid, "the root belongs to another computation");
  } else if (!last_ && !diagnostics_.has_errors()) {
    Report(DiagCode::kComputationEmpty, fmt::format("{} has no instruction", module_->name()));
  }
  if (!diagnostics_.has_errors()) {
    EnterParameters();
    editor_->SetRoot(computation_.get(), root ? root.instruction_ : last_);
    editor_->SetEntry(editor_->Attach(std::move(computation_)));
    MakeNamesUnique();
    if (!diagnostics_.has_errors()) VerifyModule(*module_, diagnostics_);
  }
  computation_.reset();
  for (const Diagnostic& fault : diagnostics_.list()) {
    diagnostics.Report(fault.code, fault.severity, {}, fault.message);
  }
  return diagnostics_.has_errors() ? nullptr : std::move(module_);
}

}  // namespace hlo
