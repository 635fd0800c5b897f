#include "engine/mlir/import/op_import.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/hlo/make_instruction.h"
#include "engine/mlir/import/refinement.h"
#include "engine/mlir/text/asm_printer.h"
#include "engine/mlir/text/cursor.h"
#include "engine/mlir/text/dense.h"
#include "engine/mlir/text/mlir_text.h"
#include "engine/types/convert.h"

namespace hlo::mlir {

bool OpImport::HasBrokenOperand() const {
  return std::find(operands.begin(), operands.end(), nullptr) != operands.end();
}

bool OpImport::Fail(DiagCode code, std::string message, Range range) {
  importer_.Report(code, range == Range{} ? op_.name_range : range,
                   fmt::format("'{}' op {}", op_.name, message));
  return false;
}

bool OpImport::Expect(size_t count) {
  if (operands.size() == count) return true;
  return Fail(DiagCode::kOperandCount,
              fmt::format("expected {} operands, but found {}", count, operands.size()));
}

// ---- Attributes ---------------------------------------------------------------------------------

const Attr* OpImport::Find(std::initializer_list<std::string_view> names) const {
  for (std::string_view name : names) {
    for (const Attr::Field& field : given_) {
      if (field.name == name) return &field.value;
    }
    if (const Attr* attr = op_.Find(name)) return importer_.Resolve(attr);
  }
  return nullptr;
}

const Shape* OpImport::DenseShape(const Attr& attr, const Shape* type) {
  return attr.type && attr.type->kind == Type::Kind::kShape ? &attr.type->shape : type;
}

std::optional<Tensor> OpImport::LargeFill(const Attr& attr, const Shape* type) {
  const Shape* shape = DenseShape(attr, type);
  if (!shape || attr.kind != Attr::Kind::kDense) return std::nullopt;
  return ReadFill(attr.text, *shape);
}

std::optional<Tensor> OpImport::Dense(const Attr& attr, const Shape* type) {
  const Shape* shape = DenseShape(attr, type);
  if (!shape) {
    Fail(DiagCode::kLiteralValue, "a constant of a type that is not read", attr.range);
    return std::nullopt;
  }
  std::string_view text = attr.text;
  std::string resource;
  if (attr.kind == Attr::Kind::kResource) {
    const auto it = importer_.program_.resources.find(text);
    // The first four bytes of a resource blob are its alignment.
    if (it == importer_.program_.resources.end() || it->second.size() < 10) {
      Fail(DiagCode::kLiteralValue, fmt::format("no resource is called {}", text), attr.range);
      return std::nullopt;
    }
    resource = fmt::format("\"0x{}\"", it->second.substr(10));
    text = resource;
  } else if (attr.kind == Attr::Kind::kInt || attr.kind == Attr::Kind::kFloat) {
    text = attr.text;
  } else if (attr.kind == Attr::Kind::kBool) {
    text = attr.integer ? "true" : "false";
  } else if (attr.kind != Attr::Kind::kDense) {
    Fail(DiagCode::kLiteralValue, "expected dense<...>", attr.range);
    return std::nullopt;
  }
  const bool is_of_source = text.data() >= importer_.source_.data() &&
                            text.data() < importer_.source_.data() + importer_.source_.size();
  const uint32_t offset = is_of_source
                              ? static_cast<uint32_t>(text.data() - importer_.source_.data())
                              : attr.range.begin;
  return ReadDense(text, offset, *shape, importer_.diagnostics_, importer_.budget_);
}

namespace {

bool IsInteger(const Attr& attr) {
  const bool is_float = attr.type && attr.type->kind == Type::Kind::kShape &&
                        IsFloat(attr.type->shape.element_type());
  return (attr.kind == Attr::Kind::kInt || attr.kind == Attr::Kind::kBool) && !is_float;
}

}  // namespace

Dims OpImport::IntsOf(const Attr* attr, Dims otherwise) {
  attr = importer_.Resolve(attr);
  if (!attr) return otherwise;
  Dims ints;
  if (attr->kind == Attr::Kind::kArray) {
    for (const Attr& element : attr->list) {
      if (element.kind == Attr::Kind::kArray) {
        for (int64_t i : IntsOf(&element)) ints.push_back(i);
      } else {
        if (!IsInteger(element))
          Fail(DiagCode::kAttributeValue, "expected integers", element.range);
        ints.push_back(element.integer);
      }
    }
  } else if (attr->kind == Attr::Kind::kInt || attr->kind == Attr::Kind::kBool) {
    ints.push_back(attr->integer);
  } else if (const auto tensor = Dense(*attr)) {
    ints.resize(static_cast<size_t>(tensor->element_count()));
    ConvertElements(tensor->element_type(), tensor->bytes(), ElementType::kS64,
                    reinterpret_cast<std::byte*>(ints.data()), tensor->element_count());
  }
  return ints;
}

Dims OpImport::Ints(std::initializer_list<std::string_view> names, Dims otherwise) {
  using Kind = Attr::Kind;
  const Attr* attr = Find(names);
  if (attr && attr->kind != Kind::kArray && attr->kind != Kind::kDense &&
      attr->kind != Kind::kResource && attr->kind != Kind::kInt && attr->kind != Kind::kBool) {
    Fail(DiagCode::kAttributeValue,
         fmt::format("attribute '{}' failed to satisfy constraint: i64 dense array attribute",
                     *names.begin()),
         attr->range);
    has_failed_ = true;
    return otherwise;
  }
  return IntsOf(attr, std::move(otherwise));
}

std::vector<Dims> OpImport::RowsOf(const Attr* attr) {
  std::vector<Dims> rows;
  if (!attr) return rows;
  if (attr->kind == Attr::Kind::kArray) {
    for (const Attr& row : attr->list) rows.push_back(IntsOf(&row));
    return rows;
  }
  const Dims all = IntsOf(attr);
  if (!attr->type || attr->type->shape.rank() != 2) return rows;
  const size_t width = static_cast<size_t>(attr->type->shape.dim(1));
  for (size_t i = 0; width > 0 && i + width <= all.size(); i += width) {
    rows.emplace_back(all.begin() + i, all.begin() + i + width);
  }
  return rows;
}

int64_t OpImport::Int(std::initializer_list<std::string_view> names, int64_t otherwise) {
  const Attr* attr = Find(names);
  if (!attr) return otherwise;
  // A value given by an operand has the form of a list.
  const bool is_list_of_one = attr->kind == Attr::Kind::kArray && attr->list.size() == 1;
  if (attr->kind != Attr::Kind::kInt && attr->kind != Attr::Kind::kBool && !is_list_of_one) {
    Fail(DiagCode::kAttributeValue,
         fmt::format(
             "attribute '{}' failed to satisfy constraint: 64-bit signless integer attribute",
             *names.begin()),
         attr->range);
    return otherwise;
  }
  return is_list_of_one ? attr->list[0].integer : attr->integer;
}

Dims OpImport::NeededInts(std::initializer_list<std::string_view> names) {
  if (Find(names)) return Ints(names);
  Fail(DiagCode::kAttributeMissing, fmt::format("requires attribute '{}'", *names.begin()));
  has_failed_ = true;
  return {};
}

int64_t OpImport::NeededInt(std::initializer_list<std::string_view> names) {
  if (Find(names)) return Int(names);
  Fail(DiagCode::kAttributeMissing, fmt::format("requires attribute '{}'", *names.begin()));
  has_failed_ = true;
  return 0;
}

std::optional<std::string> OpImport::NeededString(std::string_view name) {
  const Attr* attr = Find({name});
  if (attr && attr->kind == Attr::Kind::kString) return std::string(attr->text);
  has_failed_ = true;
  if (attr) {
    Fail(DiagCode::kAttributeValue,
         fmt::format("attribute '{}' failed to satisfy constraint: string attribute", name),
         attr->range);
  } else {
    Fail(DiagCode::kAttributeMissing, fmt::format("requires attribute '{}'", name));
  }
  return std::nullopt;
}

std::string OpImport::NeededWord(std::initializer_list<std::string_view> names,
                                 std::span<const std::string_view> allowed) {
  const Attr* attr = Find(names);
  const std::string_view word = attr ? attr->text : std::string_view();
  if (std::find(allowed.begin(), allowed.end(), word) != allowed.end()) return std::string(word);
  has_failed_ = true;
  if (!attr) {
    Fail(DiagCode::kAttributeMissing, fmt::format("requires attribute '{}'", *names.begin()));
  } else {
    Fail(DiagCode::kAttributeValue,
         fmt::format("attribute '{}' is '{}', expected to be one of: {}", *names.begin(), word,
                     fmt::join(allowed, ", ")),
         attr->range);
  }
  return {};
}

double OpImport::Float(std::initializer_list<std::string_view> names, double otherwise) {
  const Attr* attr = Find(names);
  if (!attr) return otherwise;
  return attr->kind == Attr::Kind::kInt ? static_cast<double>(attr->integer) : attr->number;
}

bool OpImport::Bool(std::initializer_list<std::string_view> names, bool otherwise) {
  const Attr* attr = Find(names);
  return attr ? attr->kind == Attr::Kind::kUnit || attr->integer != 0 : otherwise;
}

std::string_view OpImport::Word(std::initializer_list<std::string_view> names) {
  const Attr* attr = Find(names);
  return attr ? attr->text : std::string_view();
}

std::string Unescaped(std::string_view escaped) {
  const auto digit = [](char c) {
    return IsDigit(c) ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
  };
  std::string text;
  for (size_t i = 0; i < escaped.size(); ++i) {
    char c = escaped[i];
    if (c == '\\' && i + 1 < escaped.size()) {
      c = escaped[++i];
      const int high = digit(c), low = i + 1 < escaped.size() ? digit(escaped[i + 1]) : -1;
      if (c == 'n') {
        c = '\n';
      } else if (c == 't') {
        c = '\t';
      } else if (high >= 0 && low >= 0) {
        c = static_cast<char>(high * 16 + low);
        ++i;
      }
    }
    text += c;
  }
  return text;
}

std::string OpImport::StringOf(std::initializer_list<std::string_view> names) {
  const Attr* attr = Find(names);
  if (!attr) return {};
  if (attr->kind != Attr::Kind::kString) {
    return std::string(
        importer_.source_.substr(attr->range.begin, attr->range.end - attr->range.begin));
  }
  return Unescaped(attr->text);
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

void OpImport::CheckUnnamedResults() {
  for (const Type* type : op_.result_types) {
    const bool is_array = type->kind == Type::Kind::kShape || !IsStatic(type->shape) ||
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
    const bool has_shape =
        type && type->kind != Type::Kind::kOther && type->kind != Type::Kind::kFunction;
    const Shape* written = has_shape ? &type->shape : ResultShape(k);
    if (!written) {
      values[k] = nullptr;
    } else if (!Refines(values[k]->shape(), *written)) {
      Fail(DiagCode::kShapeMismatch,
           fmt::format("inferred type(s) '{}' are incompatible with return type(s) of operation "
                       "'{}'",
                       TypeText(values[k]->shape()),
                       type ? TypeText(*type, importer_.program_) : TypeText(*written)));
    }
  }
}

Values OpImport::Elements(Instruction* value, size_t count) {
  if (!value) return Values(count, nullptr);
  if (!value->shape().IsTuple()) return {value};
  Values elements;
  for (size_t i = 0; i < value->shape().elements().size(); ++i) {
    elements.push_back(
        Emit(Opcode::kGetTupleElement, {value}, {{"index", static_cast<int64_t>(i)}}));
  }
  return elements;
}

void OpImport::SplitResult(Instruction* value) {
  const size_t count = result_count();
  if (count == 1 || (count == 0 && op_.results.empty())) return Results(Values(count, value));
  Results(Elements(value, count));
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

Instruction* OpImport::Fill(const Tensor& scalar, const Shape& shape) {
  auto literal = std::make_shared<ShapedLiteral>(*LiteralOf(scalar));
  literal->shape = shape;
  const std::string_view name = op_.results.empty() ? "constant" : op_.results[0].name;
  return importer_.Make(scope_.computation, Opcode::kConstant, {},
                        {{"literal", std::shared_ptr<const ShapedLiteral>(std::move(literal))}},
                        &shape, name, &op_);
}

void OpImport::SetElementType(Instruction* value, ElementType type) {
  Shape shape = value->shape();
  shape.set_element_type(type);
  importer_.editor_.SetShape(value, std::move(shape));
}

}  // namespace hlo::mlir
