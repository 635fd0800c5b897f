#include "engine/mlir/import/op_import.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/hlo/make_instruction.h"
#include "engine/mlir/import/refinement.h"
#include "engine/mlir/text/asm_printer.h"
#include "engine/mlir/text/mlir_text.h"

namespace hlo::mlir {

bool OpImport::HasBrokenOperand() const {
  return std::find(operands.begin(), operands.end(), nullptr) != operands.end();
}

bool OpImport::Fail(DiagCode code, std::string message, Range range) {
  importer_.Report(code, range == Range{} ? op_.name_range : range,
                   fmt::format("'{}' op {}", op_.name, message));
  has_failed_ = true;
  return false;
}

void OpImport::Warn(DiagCode code, std::string_view message) {
  importer_.diagnostics_.Report(code, Severity::kWarning, op_.name_range,
                                fmt::format("'{}' op {}", op_.name, message));
}

bool OpImport::Expect(size_t count) {
  if (operands.size() == count) return true;
  return Fail(DiagCode::kOperandCount,
              fmt::format("expected {} operands, but found {}", count, operands.size()));
}

// ---- Results ------------------------------------------------------------------------------------

size_t OpImport::result_count() const {
  size_t count = 0;
  for (const ValueName& result : op_.results) count += static_cast<size_t>(result.index);
  return count > 0 ? count : op_.has_function_type ? op_.result_types.size() : 0;
}

const Type* OpImport::ResultType(size_t i) const {
  // `select` is printed with operand types only; the last is also the result type.
  const size_t at = op_.has_function_type || result_count() > 1 || op_.result_types.empty()
                        ? i
                        : op_.result_types.size() - 1;
  return at < op_.result_types.size() ? op_.result_types[at] : nullptr;
}

const Shape* OpImport::ResultShape(size_t i) {
  const Type* type = ResultType(i);
  if (!type || type->kind == Type::Kind::kShape) return type ? &type->shape : nullptr;
  if (!IsStatic(type->shape)) return RefinedShape(i, *type);
  if (type->kind == Type::Kind::kQuantized && type->quantization) {
    if (!is_quantized_) return &type->shape;
    shapes_.push_back(Shape::Array(type->quantization->expressed, type->shape.dims()));
    return &shapes_.back();
  }
  Fail(DiagCode::kShapeInvalid, fmt::format("results of type {} are not imported", type->text));
  return nullptr;
}

bool OpImport::HasElements() {
  for (size_t i = 0; i < operands.size(); ++i) {
    const Shape& shape = operands[i]->shape();
    const bool is_one = shape.IsArray() && Allows(row_->elements, shape.element_type());
    if (is_one || row_->elements == Elements::kAny) continue;
    const bool is_integer = row_->elements == Elements::kIntegers;
    return Fail(DiagCode::kElementType,
                fmt::format("operand #{} must be tensor of {} values, but got '{}'", i,
                            is_integer ? "integer" : "integer, float or complex", TypeText(shape)));
  }
  return true;
}

std::string OpImport::TextOf(const Type& type) const { return TypeText(type, importer_.program_); }

void OpImport::CheckUnnamedResults() {
  for (const Type* type : op_.result_types) {
    const bool is_array = type->kind == Type::Kind::kShape || type->kind == Type::Kind::kFuture ||
                          !IsStatic(type->shape) ||
                          (type->kind == Type::Kind::kQuantized && type->quantization);
    if (is_array) continue;
    Fail(DiagCode::kShapeInvalid, fmt::format("results of type {} are not imported", type->text));
  }
}

std::optional<Shape> OpImport::AllResults() {
  const size_t count = result_count();
  std::vector<Shape> shapes;
  for (size_t i = 0; i < count; ++i) {
    const Shape* shape = ResultShape(i);
    if (!shape) return std::nullopt;
    shapes.push_back(*shape);
  }
  return count == 1 ? shapes[0] : Shape::Tuple(std::move(shapes));
}

void OpImport::Results(Values values) {
  for (size_t k = 0; is_quantized_ && k < values.size(); ++k) {
    const Type* type = ResultType(k);
    if (type && type->quantization) values[k] = Quantize(values[k], *type->quantization);
  }
  size_t i = 0;
  for (const ValueName& result : op_.results) {
    Values& named = scope_.names[result.name];
    for (size_t k = 0; k < named.size(); ++k, ++i) {
      if (i < values.size()) named[k] = values[i];
    }
  }
  if (i != values.size() && !op_.results.empty()) {
    Fail(DiagCode::kSyntaxError,
         fmt::format("operation defines {} results but was provided {} to bind", values.size(), i));
    return;
  }
  for (size_t k = 0; k < values.size() && k < op_.result_types.size(); ++k) {
    if (!values[k]) continue;
    const Type* type = ResultType(k);
    if (type && type->kind == Type::Kind::kFuture) continue;  // which its op checks
    const bool has_shape =
        type && type->kind != Type::Kind::kOther && type->kind != Type::Kind::kFunction;
    const Shape* written = has_shape ? &type->shape : ResultShape(k);
    if (!written) {
      values[k] = nullptr;
    } else if (!Refines(values[k]->shape(), *written)) {
      Fail(DiagCode::kShapeMismatch,
           fmt::format("inferred type(s) '{}' are incompatible with return type(s) of operation "
                       "'{}'",
                       TypeText(values[k]->shape()), type ? TextOf(*type) : TypeText(*written)));
    }
  }
}

Values OpImport::Elements(Instruction* value, size_t count) {
  if (!value) return Values(count, nullptr);
  if (!value->shape().IsTuple()) return {value};
  Values elements;
  for (size_t i = 0; i < std::min(count, value->shape().elements().size()); ++i) {
    elements.push_back(
        Emit(Opcode::kGetTupleElement, {value}, {{"index", static_cast<int64_t>(i)}}));
  }
  return elements;
}

void OpImport::SplitResult(Instruction* value) {
  const size_t count = result_count();
  if (count == 1 || (count == 0 && op_.results.empty())) return Results(Values(count, value));
  // All of them, so that a wrong number of names is reported.
  const bool is_tuple = value && value->shape().IsTuple();
  Results(Elements(value, is_tuple ? value->shape().elements().size() : count));
}

Instruction* OpImport::Emit(Opcode opcode, const Values& operands, Attrs attrs,
                            const Shape* written, std::string_view name) {
  if (has_failed_) return nullptr;
  if (name.empty()) name = op_.results.empty() ? Text(opcode) : op_.results[0].name;
  return importer_.Make(scope_.computation, opcode, operands, std::move(attrs), written, name,
                        &op_);
}

Instruction* OpImport::Constant(Tensor value) {
  const std::string_view name = op_.results.empty() ? "constant" : op_.results[0].name;
  return importer_.MakeConstant(scope_.computation, std::move(value), name, &op_);
}

Instruction* OpImport::Elided(const Shape& shape) {
  return ConstantOf({shape, {Value(), /*elided=*/true}});
}

Instruction* OpImport::Fill(const Tensor& scalar, const Shape& shape) {
  return ConstantOf({shape, LiteralOf(scalar)->literal});
}

Instruction* OpImport::ConstantOf(ShapedLiteral value) {
  const auto literal = std::make_shared<const ShapedLiteral>(std::move(value));
  const std::string_view name = op_.results.empty() ? "constant" : op_.results[0].name;
  return importer_.Make(scope_.computation, Opcode::kConstant, {}, {{"literal", literal}},
                        &literal->shape, name, &op_);
}

void OpImport::SetElementType(Instruction* value, ElementType type) {
  Shape shape = value->shape();
  shape.set_element_type(type);
  importer_.editor_.SetShape(value, std::move(shape));
}

}  // namespace hlo::mlir
