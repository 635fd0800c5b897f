#include "engine/mlir/export/op_export.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "engine/hlo/sharding.h"
#include "engine/ops/op_def.h"
#include "engine/types/convert.h"

namespace hlo::mlir {

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
  const hlo::Attr* attr = op_.attrs().Find(name);
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
  const int8_t element = row_.result_element;
  Leaves leaves;
  exporter_.Flatten(
      element < 0 ? op_.shape() : op_.shape().elements()[static_cast<size_t>(element)], &leaves,
      &op_);
  return leaves;
}

std::string KeptAttrsText(const KeyValues& keys, const Sharding* sharding) {
  std::string text;
  for (const KeyValue& entry : keys) {
    text += text.empty() ? "mhlo.frontend_attributes = {" : ", ";
    AppendQuoted(entry.key, &text);
    text += " = ";
    AppendQuoted(entry.value, &text);
  }
  if (!text.empty()) text += '}';
  if (sharding) {
    text += text.empty() ? "mhlo.sharding = " : ", mhlo.sharding = ";
    AppendQuoted(ShardingText(*sharding, /*metadata=*/false), &text);
  }
  return text;
}

std::string OpExport::KeptAttrs() const {
  KeyValues keys = call_.Keys("frontend_attributes");
  keys.insert(keys.end(), kept_.begin(), kept_.end());
  return KeptAttrsText(keys, op_.attrs().GetSharding("sharding"));
}

Leaves OpExport::Write(const OpText& text, const Leaves& operands) {
  return Write(text, operands, ResultLeaves());
}

Leaves OpExport::Write(const OpText& text, const Leaves& operands, const Leaves& types,
                       const std::vector<Leaves>* arguments) {
  const uint32_t origin = exporter_.OriginOf(op_);
  mlir::Op op;
  op.first_operands = static_cast<size_t>(text.first_operands);
  for (size_t i = 0; i < text.regions.size(); ++i) {
    WriteRegion(*text.regions[i], arguments ? &(*arguments)[i] : nullptr, origin, &op);
  }
  exporter_.AddOperands(operands, &op);
  exporter_.AddAttrs(text.attrs, &op.attrs);
  // Only the final result carries the instruction's attributes, not intermediate ops.
  const bool is_result = !types.empty() && types[0].type == ResultLeaves()[0].type;
  const bool is_whole = text.name == "stablehlo.constant" || text.name == "stablehlo.composite";
  if (is_result && !is_whole) exporter_.AddAttrs(KeptAttrs(), &op.attrs);
  Leaves results = types;
  exporter_.AddResults(&results, &op);
  mlir::Op& added = exporter_.Add(text.name, origin);
  op.name = added.name;
  op.origin = origin;
  added = std::move(op);
  return results;
}

Ssa OpExport::Make(std::string_view name, const Leaves& operands, Shape result, std::string attrs) {
  const Shape* type = exporter_.Keep(std::move(result));
  return Write({name, std::move(attrs)}, operands, {{{}, 0, type}})[0];
}

Ssa OpExport::MakeAll(const Ssa& mask, int64_t dimension, Shape result) {
  const Ssa yes = Integer(ElementType::kPred, 1);
  const Ssa all = Make("stablehlo.reduce", {mask, yes}, std::move(result),
                       fmt::format("dimensions = array<i64: {}>", dimension));
  mlir::Attr applied;
  applied.kind = mlir::Attr::Kind::kWord;
  applied.text = "stablehlo.and";
  exporter_.ops_->back().attrs.push_back({"applies", std::move(applied)});
  return all;
}

Ssa OpExport::Fill(const Tensor& value, const Shape& shape) {
  const Shape* type = exporter_.Keep(Shape::Array(shape.element_type(), shape.dims()));
  const Ssa result = Write({"stablehlo.constant"}, {}, {{{}, 0, type}})[0];
  mlir::Attr elements;
  elements.kind = mlir::Attr::Kind::kDense;
  elements.tensor = &value;
  elements.type = exporter_.TypeOf(*type);
  exporter_.ops_->back().attrs.push_back({"value", std::move(elements)});
  return result;
}

Ssa OpExport::Elided() {
  const Ssa result = Fill({}, op_.shape());
  mlir::Attr& elements = exporter_.ops_->back().attrs.back().value;
  elements.kind = mlir::Attr::Kind::kResource;
  elements.tensor = nullptr;
  elements.text = kElided;
  return result;
}

Ssa OpExport::Integer(ElementType type, int64_t value, std::span<const int64_t> dims) {
  Tensor scalar(type, {}, nullptr);
  ConvertElements(ElementType::kS64, reinterpret_cast<const std::byte*>(&value), type,
                  scalar.mutable_bytes(), 1);
  exporter_.tensors_.push_back(std::move(scalar));
  return Fill(exporter_.tensors_.back(), Shape::Array(type, dims));
}

Ssa OpExport::Integers(ElementType type, const Dims& values) {
  return Integers(Tensor(type, Dims{static_cast<int64_t>(values.size())}, nullptr), values);
}

Ssa OpExport::Integers(Tensor tensor, std::span<const int64_t> values) {
  ConvertElements(ElementType::kS64, reinterpret_cast<const std::byte*>(values.data()),
                  tensor.element_type(), tensor.mutable_bytes(), tensor.element_count());
  exporter_.tensors_.push_back(std::move(tensor));
  return Constant(exporter_.tensors_.back());
}

Ssa OpExport::Convert(const Ssa& value, ElementType type) {
  if (value.type->element_type() == type) return value;
  Shape shape = *value.type;
  shape.set_element_type(type);
  return Make("stablehlo.convert", {value}, std::move(shape));
}

void OpExport::NoCounterpart(std::string_view what) { exporter_.Report(op_, what); }

Leaves OpExport::WriteCall(const Computation& function, const Leaves& operands,
                           const Leaves& results) {
  return Write({"func.call", fmt::format("callee = @{}", exporter_.FunctionName(function))},
               operands, results);
}

namespace {

Leaves Joined(const std::vector<Leaves>& lists) {
  Leaves all;
  for (const Leaves& leaves : lists) all.insert(all.end(), leaves.begin(), leaves.end());
  return all;
}

}  // namespace

Leaves OpExport::WriteInline(const Computation& computation, std::vector<Leaves> arguments) {
  if (exporter_.IsOutlined(computation)) {
    Leaves results;
    exporter_.Flatten(computation.result_shape(), &results, nullptr);
    return WriteCall(computation, Joined(arguments), results);
  }
  return exporter_.WriteBody(computation, std::move(arguments));
}

// If no argument is given, the region gets a block with fresh arguments.
void OpExport::WriteRegion(const Computation& computation, const Leaves* argument, uint32_t origin,
                           mlir::Op* op) {
  mlir::Region region;
  Block& block = region.blocks.emplace_back();
  std::vector<Leaves> arguments;
  if (argument) arguments.push_back(*argument);
  for (int i = 0; !argument && i < computation.parameter_count(); ++i) {
    arguments.push_back(exporter_.AddArguments(computation.parameter_shape(i), &block, &op_));
  }
  std::vector<mlir::Op>* const outer = std::exchange(exporter_.ops_, &block.ops);
  exporter_.LinkParameters(computation, origin);
  const Leaves results = WriteInline(computation, std::move(arguments));
  exporter_.Return("stablehlo.return", results, 0);
  exporter_.ops_ = outer;
  op->regions.push_back(std::move(region));
}

}  // namespace hlo::mlir
