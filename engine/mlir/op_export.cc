#include "engine/mlir/op_export.h"

#include <fmt/format.h>

#include <utility>

#include "engine/ops/op_def.h"
#include "engine/types/convert.h"

namespace hlo::mlir {
namespace {

void AppendTypes(const Leaves& leaves, std::string* out) {
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (i > 0) *out += ", ";
    AppendType(*leaves[i].type, out);
  }
}

void AppendNames(const Leaves& leaves, std::string* out) {
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (i > 0) *out += ", ";
    *out += leaves[i].name;
  }
}

void AppendFunctionType(const Leaves& operands, const Leaves& results, std::string* out) {
  *out += '(';
  AppendTypes(operands, out);
  *out += ") -> ";
  const bool is_one = results.size() == 1;
  if (!is_one) *out += '(';
  AppendTypes(results, out);
  if (!is_one) *out += ')';
}

// One type where operands and the result are of one type.
void AppendShortType(const Leaves& operands, const Leaves& results, std::string* out) {
  if (results.size() == 1) {
    const std::string type = TypeText(*results[0].type);
    bool is_one = true;
    for (const Ssa& operand : operands) is_one = is_one && TypeText(*operand.type) == type;
    if (is_one) {
      *out += type;
      return;
    }
  }
  AppendFunctionType(operands, results, out);
}

}  // namespace

const Leaves& OpExport::ValueOf(const Instruction& instruction) const {
  return scope_.values[static_cast<size_t>(instruction.index())];
}

Leaves OpExport::Operands(int begin, int end) const {
  Leaves all;
  if (end < 0) end = op_.operand_count();
  for (int i = begin; i < end; ++i) {
    const Leaves& leaves = Operand(i);
    all.insert(all.end(), leaves.begin(), leaves.end());
  }
  return all;
}

std::string OpExport::AttrText(std::string_view name) const {
  const Attr* attr = FindAttr(op_.attrs(), name);
  const AttrDef* def = attr ? attr->def : nullptr;
  for (const AttrDef& row : op_.def().attrs) {
    if (!def && row.name == name) def = &row;
  }
  std::string text;
  if (!def) return text;
  switch (def->kind) {
    case AttrKind::kBool:
      return call_.Bool(name) ? "true" : "false";
    case AttrKind::kInt:
      return std::to_string(call_.Int(name));
    case AttrKind::kFloat:
      AppendFloatText(call_.Float(name), false, &text);
      return text;
    case AttrKind::kWord:
      return std::string(def->words[static_cast<size_t>(call_.Word(name))]);
    case AttrKind::kInts:
      return JoinDims(call_.Ints(name));
    case AttrKind::kString:
      AppendQuoted(call_.String(name), &text);
      return text;
    default:
      return text;
  }
}

std::string OpExport::Filled(std::string_view text) const {
  std::string filled;
  while (true) {
    const size_t at = text.find('@');
    filled += text.substr(0, at);
    if (at == std::string_view::npos) return filled;
    text.remove_prefix(at + 1);
    size_t end = 0;
    while (end < text.size() && (text[end] == '_' || (text[end] >= 'a' && text[end] <= 'z'))) ++end;
    filled += AttrText(text.substr(0, end));
    text.remove_prefix(end < text.size() && text[end] == '#' ? end + 1 : end);
  }
}

Leaves OpExport::ResultLeaves() const {
  const bool is_start =
      op_.opcode() == Opcode::kAllGatherStart || op_.opcode() == Opcode::kCollectivePermuteStart;
  Leaves leaves;
  exporter_.Flatten(is_start ? op_.shape().elements()[1] : op_.shape(), &leaves, &op_);
  return leaves;
}

std::string OpExport::KeptAttrs() const {
  std::string text;
  KeyValues keys = call_.Keys("frontend_attributes");
  keys.insert(keys.end(), kept_.begin(), kept_.end());
  for (const KeyValue& entry : keys) {
    text += text.empty() ? " {mhlo.frontend_attributes = {" : ", ";
    text += entry.key + " = ";
    AppendQuoted(entry.value, &text);
  }
  if (!text.empty()) text += '}';
  if (const std::string& sharding = call_.String("sharding"); !sharding.empty()) {
    text += text.empty() ? " {mhlo.sharding = " : ", mhlo.sharding = ";
    AppendQuoted(sharding, &text);
  }
  return text.empty() ? text : text + "}";
}

Leaves OpExport::Write(const OpText& text, const Leaves& operands) {
  return Write(text, operands, ResultLeaves());
}

std::string OpExport::NameResults(std::string_view name, Leaves* results) {
  if (results->empty()) return {};
  std::string_view hint;
  if (name == "stablehlo.constant") {
    const ElementType type = (*results)[0].type->element_type();
    hint = IsFloat(type) || IsComplex(type) ? "cst" : "c";
  }
  const std::string first = exporter_.NewName(hint);
  if (results->size() == 1) {
    (*results)[0].name = first;
    return first + " = ";
  }
  for (size_t i = 0; i < results->size(); ++i) {
    (*results)[i].name = fmt::format("{}#{}", first, i);
  }
  return fmt::format("{}:{} = ", first, results->size());
}

Leaves OpExport::Write(const OpText& text, const Leaves& operands, const Leaves& types,
                       const std::vector<Leaves>* arguments) {
  exporter_.out_.lines.push_back({&op_, exporter_.line_});
  Leaves results = types;
  std::string line = NameResults(text.name, &results);
  if (text.form == Form::kGeneric) {
    line += fmt::format("\"{}\"(", text.name);
    AppendNames(operands, &line);
    line += ')';
    if (!text.attrs.empty()) line += fmt::format(" <{{{}}}>", text.attrs);
  } else {
    line += text.name;
    if (!operands.empty()) line += ' ';
    AppendNames(operands, &line);
    line += text.attrs;
  }
  for (size_t i = 0; i < text.regions.size(); ++i) {
    exporter_.Line(line + (i == 0 ? " ({" : "}, {"));
    if (arguments) {
      WriteRegion(*text.regions[i], {(*arguments)[i]});
    } else {
      WriteRegion(*text.regions[i], {});
    }
    line.clear();
  }
  if (!text.regions.empty()) line = "})";
  if (text.form != Form::kWhole) {
    // What an instruction is made of on the way has none.
    const bool is_result = !types.empty() && types[0].type == ResultLeaves()[0].type;
    if (is_result && text.name != "stablehlo.constant") line += KeptAttrs();
    line += " : ";
  }
  if (text.form == Form::kShort) {
    AppendShortType(operands, results, &line);
  } else if (text.form == Form::kArrow) {
    AppendTypes(operands, &line);
    line += " -> ";
    AppendTypes(results, &line);
  } else if (text.form != Form::kWhole) {
    AppendFunctionType(operands, results, &line);
  }
  exporter_.Line(line);
  return results;
}

Leaves OpExport::WriteWithBodies(std::string_view name, std::string text, const Leaves& operands,
                                 const std::vector<Body>& bodies) {
  exporter_.out_.lines.push_back({&op_, exporter_.line_});
  Leaves results = ResultLeaves();
  std::string line = NameResults(name, &results);
  line += name;
  line += text;
  if (!operands.empty()) {
    line += " : ";
    AppendFunctionType(operands, results, &line);
  }
  exporter_.Line(line);
  for (const Body& body : bodies) {
    exporter_.Line(body.head);
    WriteRegion(*body.computation, body.arguments);
  }
  exporter_.Line("}");
  return results;
}

Ssa OpExport::Make(std::string_view name, Form form, const Leaves& operands, Shape result,
                   std::string attrs) {
  const Shape* type = exporter_.Keep(std::move(result));
  return Write({name, form, std::move(attrs)}, operands, {{{}, type}})[0];
}

Leaves OpExport::WriteTyped(std::string_view name, std::string text, const Leaves& operands,
                            bool has_kept_attrs) {
  const Leaves results = ResultLeaves();
  if (has_kept_attrs) text += KeptAttrs();
  text += " : ";
  AppendFunctionType(operands, results, &text);
  return Write({name, Form::kWhole, std::move(text)}, {}, results);
}

Ssa OpExport::MakeText(std::string_view name, std::string text, const Leaves& operands,
                       Shape result) {
  const Leaves results = {{{}, exporter_.Keep(std::move(result))}};
  text += " : ";
  AppendFunctionType(operands, results, &text);
  return Write({name, Form::kWhole, std::move(text)}, {}, results)[0];
}

Ssa OpExport::MakeWhole(std::string_view name, std::string text, const Leaves& operands) {
  return WriteTyped(name, std::move(text), operands)[0];
}

Ssa OpExport::Constant(const Tensor& value) {
  std::string text = " ";
  AppendDense(value, &text);
  // The type is part of the attribute, and written once.
  text.resize(text.rfind(" : "));
  return Make("stablehlo.constant", Form::kShort, {},
              Shape::Array(value.element_type(), value.dims()), std::move(text));
}

Ssa OpExport::Integer(ElementType type, int64_t value, std::span<const int64_t> dims) {
  std::string text = type == ElementType::kPred ? value ? "true" : "false" : std::to_string(value);
  return Make("stablehlo.constant", Form::kShort, {}, Shape::Array(type, dims),
              fmt::format(" dense<{}>", text));
}

Ssa OpExport::Integers(ElementType type, const Dims& values) {
  Tensor tensor(type, Dims{static_cast<int64_t>(values.size())}, nullptr);
  ConvertElements(ElementType::kS64, reinterpret_cast<const std::byte*>(values.data()), type,
                  tensor.mutable_bytes(), tensor.element_count());
  return Constant(tensor);
}

Ssa OpExport::Convert(const Ssa& value, ElementType type) {
  if (value.type->element_type() == type) return value;
  Shape shape = *value.type;
  shape.set_element_type(type);
  return Make("stablehlo.convert", Form::kTyped, {value}, std::move(shape));
}

void OpExport::NoCounterpart(std::string_view what) { exporter_.Report(op_, what); }

Leaves OpExport::NewArguments(const Shape& shape, std::string_view hint) {
  Leaves leaves;
  exporter_.Flatten(shape, &leaves, &op_);
  for (Ssa& leaf : leaves) {
    leaf.name = hint.empty() ? exporter_.NewName(fmt::format("arg{}", exporter_.next_argument_++))
                             : exporter_.NewName(hint);
  }
  return leaves;
}

Leaves OpExport::WriteCall(const Computation& function, const Leaves& operands) {
  Leaves results;
  exporter_.Flatten(function.result_shape(), &results, nullptr);
  // The operands stand behind the function's name.
  std::string line = fmt::format(" @{}(", exporter_.FunctionName(function));
  AppendNames(operands, &line);
  line += ") : ";
  AppendFunctionType(operands, results, &line);
  return Write({"func.call", Form::kWhole, std::move(line)}, {}, results);
}

namespace {

Leaves Joined(const std::vector<Leaves>& lists) {
  Leaves all;
  for (const Leaves& leaves : lists) all.insert(all.end(), leaves.begin(), leaves.end());
  return all;
}

}  // namespace

Leaves OpExport::WriteInline(const Computation& computation, std::vector<Leaves> arguments) {
  if (exporter_.IsOutlined(computation)) return WriteCall(computation, Joined(arguments));
  return exporter_.WriteBody(computation, std::move(arguments));
}

// Without arguments given, the region has a block with arguments of its own.
void OpExport::WriteRegion(const Computation& computation, std::vector<Leaves> arguments) {
  ++exporter_.indent_;
  if (arguments.empty() && computation.parameter_count() > 0) {
    std::string head = "^bb0(";
    for (int i = 0; i < computation.parameter_count(); ++i) {
      Leaves leaves = NewArguments(computation.parameter_shape(i));
      for (const Ssa& leaf : leaves) {
        if (head.back() != '(') head += ", ";
        head += leaf.name + ": ";
        AppendType(*leaf.type, &head);
      }
      arguments.push_back(std::move(leaves));
    }
    // The label stands at the operation's own indentation.
    --exporter_.indent_;
    exporter_.Line(head + "):");
    ++exporter_.indent_;
  }
  exporter_.LinkParameters(computation);
  Leaves results = WriteInline(computation, std::move(arguments));
  exporter_.Return("stablehlo.return", results);
  --exporter_.indent_;
}

void WritePlain(OpExport& op) {
  const ExportRow& row = *op.row();
  op.Set(op.Write({row.name, row.form, op.Filled(row.attrs)}, op.Operands()));
}

}  // namespace hlo::mlir
