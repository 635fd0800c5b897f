// Regions of operations, imported as computations.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "engine/mlir/import/op_import.h"
#include "engine/mlir/import/refinement.h"
#include "engine/mlir/text/custom_forms.h"
#include "engine/mlir/text/mlir_text.h"
#include "engine/ops/op_def.h"

namespace hlo::mlir {

const hlo::Region* OpImport::RegionOf(size_t i, bool as_tuple, const Shape* given) {
  // Custom calls name functions instead.
  if (const Attr* called = op_.regions.empty() ? Find({"called_computations"}) : nullptr) {
    if (i < called->list.size()) {
      return importer_.ImportFunction(called->list[i].text, called->list[i].range);
    }
  }
  if (i >= op_.regions.size()) {
    Fail(DiagCode::kSyntaxError, fmt::format("region {} is missing", i));
    return nullptr;
  }
  const Block& block = op_.regions[i].blocks[0];
  auto computation = importer_.editor_.NewDetached(
      importer_.UniqueName(importer_.computation_names_, fmt::format("{}.region", row_->name)),
      op_.name_range);
  importer_.editor_.SetRange(computation.get(), op_.regions[i].range);
  Scope inner{computation.get(), &scope_, {}};
  int64_t number = 0;
  for (const Block::Argument& argument : block.arguments) {
    if (argument.type->kind != Type::Kind::kShape && !argument.type->quantization) {
      Fail(DiagCode::kShapeInvalid,
           fmt::format("arguments of type {} are not imported", argument.type->text),
           argument.range);
      return nullptr;
    }
    const Shape& shape = argument.type->shape;
    Instruction* value = importer_.AddParameter(computation.get(), number++, given ? *given : shape,
                                                argument.name, argument.range);
    if (given) {
      value = importer_.Make(computation.get(), Opcode::kConvert, {value}, {}, &shape,
                             argument.name, nullptr);
    }
    inner.names[argument.name] = {value};
  }
  const auto results = importer_.ImportBlock(block, inner);
  if (!results || std::find(results->begin(), results->end(), nullptr) != results->end()) {
    return nullptr;
  }
  return importer_.Finish(std::move(computation), *results, as_tuple, &block.ops.back());
}

bool OpImport::HasOneBlockEach() {
  for (size_t i = 0; i < op_.regions.size(); ++i) {
    if (op_.regions[i].blocks.size() == 1) continue;
    return Fail(DiagCode::kSyntaxError,
                fmt::format("region #{} must have exactly one block, but has {}", i,
                            op_.regions[i].blocks.size()));
  }
  return true;
}

const hlo::Region* OpImport::FoldingRegion() {
  const hlo::Region* region = RegionOf(0);
  if (!region) return nullptr;
  const auto fail = [&](std::string message) {
    Fail(DiagCode::kComputationSignature, std::move(message));
    return nullptr;
  };
  if (region->parameter_count() != 2) {
    return fail(fmt::format("Reduction-region must take 2 parameters, but takes {} parameter(s)",
                            region->parameter_count()));
  }
  const size_t returned = op_.regions[0].blocks[0].ops.back().operands.size();
  if (returned == 0) return fail("The reduction-region expected to return some value(s)");
  if (returned != 1) {
    return fail(fmt::format("Reduction-region here must produce 1 tensors, but produces {} instead",
                            returned));
  }
  const Shape& result = region->result_shape();
  if (!result.IsArray()) {
    return fail(
        fmt::format("Reduction-region here must produce tensor-typed result(s), but "
                    "produces '{}' instead",
                    TypeText(result)));
  }
  for (int i = 0; i < 2; ++i) {
    const Shape& parameter = region->parameter_shape(i);
    if (!Shape::Compatible(parameter, result)) {
      return fail(
          fmt::format("The type of reduction-region's parameter at index {} is different "
                      "than the corresponding result type: '{}' vs '{}'",
                      i, TypeText(parameter), TypeText(result)));
    }
    if (parameter.rank() == 0) continue;
    return fail(
        fmt::format("The rank of reduction-region's argument at index {} is expected to be "
                    "0, got {}",
                    i, parameter.rank()));
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    Promote(i, result);
    const Shape& operand = operands[i]->shape();
    if (!operand.IsArray()) continue;  // which HLO refuses
    const ElementType from = operand.element_type(), to = result.element_type();
    if (from == to || (IsFloat(from) && IsFloat(to))) continue;
    return fail(
        fmt::format("The element-type of reduction-region's argument at index 1 is expected to be "
                    "promotable from '{}', but got '{}'",
                    TypeText(operand), TypeText(result)));
  }
  return region;
}

bool OpImport::Promote(size_t i, const Shape& to, bool keeps_floats) {
  if (has_failed_) return false;
  Shape shape = operands[i]->shape();
  if (!shape.IsArray() || !to.IsArray()) return false;
  const ElementType narrow = shape.element_type(), wide = to.element_type();
  const auto is_below = [&](bool is_kind_of_both) {
    return is_kind_of_both && BitsOf(narrow) < BitsOf(wide);
  };
  const auto is_integer = [](ElementType type) {
    return IsIntegral(type) || type == ElementType::kPred;
  };
  const bool is_promoted =
      is_below(IsFloat(narrow) && IsFloat(wide) && !keeps_floats) ||
      is_below(IsComplex(narrow) && IsComplex(wide)) ||
      (is_integer(narrow) && IsIntegral(wide) && narrow != wide && BitsOf(narrow) <= BitsOf(wide));
  if (!is_promoted) return false;
  shape.set_element_type(wide);
  operands[i] = Emit(Opcode::kConvert, {operands[i]}, {}, &shape, Text(Opcode::kConvert));
  return true;
}

void OpImport::PromoteFolded(const hlo::Region* region, size_t second, bool keeps_floats) {
  const int count = region ? region->parameter_count() / 2 : 0;
  for (int i = 0; i < count && second + static_cast<size_t>(i) < operands.size(); ++i) {
    Promote(static_cast<size_t>(i), region->parameter_shape(i), keeps_floats);
    Promote(second + static_cast<size_t>(i), region->parameter_shape(count + i), keeps_floats);
  }
}

namespace {

struct FreeNames {
  std::unordered_set<std::string_view> defined;
  std::vector<ValueName> free;

  void Add(const Region& region) {
    for (const Block& block : region.blocks) {
      for (const Block::Argument& argument : block.arguments) defined.insert(argument.name);
      for (const Op& op : block.ops) {
        for (const ValueName& operand : op.operands) {
          if (defined.count(operand.name) > 0) continue;
          if (seen.insert(fmt::format("{}#{}", operand.name, operand.index)).second) {
            free.push_back(operand);
          }
        }
        for (const Region& inner : op.regions) Add(inner);
        for (const ValueName& result : op.results) defined.insert(result.name);
      }
    }
  }
  std::unordered_set<std::string> seen;
};

}  // namespace

std::vector<ValueName> OpImport::Captures() {
  FreeNames names;
  for (const Region& region : op_.regions) names.Add(region);
  std::vector<ValueName> captures;
  for (const ValueName& name : names.free) {
    const Values* values = nullptr;
    for (const Scope* scope = &scope_; scope && !values; scope = scope->outer) {
      const auto it = scope->names.find(name.name);
      if (it != scope->names.end()) values = &it->second;
    }
    const bool is_constant = values && values->size() == 1 && values->front() &&
                             values->front()->opcode() == Opcode::kConstant;
    if (!is_constant) captures.push_back(name);
  }
  return captures;
}

// Whether value k that a while loop carries never changes.
bool OpImport::IsLoopInvariant(size_t k) const {
  if (row_->name != "while" || op_.regions.size() != 2 || k >= operands.size()) return false;
  const Block& body = op_.regions[1].blocks[0];
  if (body.ops.empty() || k >= body.arguments.size()) return false;
  const auto& returned = body.ops.back().operands;
  return k < returned.size() && returned[k].name == body.arguments[k].name;
}

const hlo::Region* OpImport::TupleRegionOf(size_t i, const std::vector<ValueName>& captures,
                                           const Shape& tuple, bool pass_on, bool one_plain) {
  if (i >= op_.regions.size()) {
    Fail(DiagCode::kSyntaxError, fmt::format("region {} is missing", i));
    return nullptr;
  }
  const Block& block = op_.regions[i].blocks[0];
  const size_t count = tuple.elements().size() - captures.size();
  if (!block.arguments.empty() && block.arguments.size() != count) {
    Fail(DiagCode::kComputationSignature, fmt::format("region {} takes {} values, but {} are given",
                                                      i, block.arguments.size(), count));
    return nullptr;
  }
  for (size_t k = 0; k < block.arguments.size(); ++k) {
    const Block::Argument& argument = block.arguments[k];
    if (argument.type->kind != Type::Kind::kShape ||
        Refines(tuple.elements()[k], argument.type->shape)) {
      continue;
    }
    Fail(DiagCode::kComputationSignature,
         fmt::format("expect operands to be compatible with {} block arguments but got '{}' vs "
                     "'{}'",
                     i == 0 ? "condition" : "body", TypeText(tuple.elements()[k]),
                     TypeText(argument.type->shape)),
         argument.range);
    return nullptr;
  }
  auto computation = importer_.editor_.NewDetached(
      importer_.UniqueName(importer_.computation_names_, fmt::format("{}.region", row_->name)),
      op_.name_range);
  importer_.editor_.SetRange(computation.get(), op_.regions[i].range);
  Instruction* state = importer_.AddParameter(computation.get(), 0, tuple, "state", op_.name_range);
  if (!state) return nullptr;
  Scope inner{computation.get(), &scope_, {}};
  Values passed;
  for (size_t k = 0; k < tuple.elements().size(); ++k) {
    const bool is_argument = k < count;
    if (is_argument && block.arguments.empty()) continue;
    const std::string_view name = is_argument ? block.arguments[k].name : captures[k - count].name;
    Instruction* element =
        importer_.Make(computation.get(), Opcode::kGetTupleElement, {state},
                       {{"index", static_cast<int64_t>(k)}}, nullptr, name, nullptr);
    if (is_argument) {
      if (importer_.is_dynamic_ && IsLoopInvariant(k)) {
        importer_.known_.Alias(element, operands[k]);
      }
      importer_.editor_.places(element).whole = block.arguments[k].range;
      importer_.editor_.places(element).name = block.arguments[k].range;
      inner.names[name] = {element};
      continue;
    }
    passed.push_back(element);
    if (importer_.is_dynamic_) importer_.known_.Alias(element, Lookup(captures[k - count]));
    Values& values = inner.names[name];
    const size_t index = static_cast<size_t>(captures[k - count].index);
    if (values.size() <= index) values.resize(index + 1);
    values[index] = element;
  }
  auto results = importer_.ImportBlock(block, inner);
  if (!results || std::find(results->begin(), results->end(), nullptr) != results->end()) {
    return nullptr;
  }
  if (pass_on) results->insert(results->end(), passed.begin(), passed.end());
  return importer_.Finish(std::move(computation), *results, !one_plain, &block.ops.back());
}

std::optional<Values> OpImport::Inline(size_t i) {
  const Block& block = op_.regions[i].blocks[0];
  for (size_t k = 0; k < block.arguments.size() && k < operands.size(); ++k) {
    scope_.names[block.arguments[k].name] = {operands[k]};
  }
  return importer_.ImportBlock(block, scope_);
}

namespace {

// Whether an op is element-wise with two operands.
bool IsBinary(const OpRow& row) {
  if (!row.opcode || !GetOpDef(*row.opcode).elementwise) return false;
  const OpcodeInfo& info = GetOpcodeInfo(*row.opcode);
  return info.min_operands == 2 && info.max_operands == 2;
}

}  // namespace

const hlo::Region* OpImport::AppliedRegion(std::string_view op_name, const Shape& scalar) {
  const OpRow* row = FindRow(op_name);
  if (!row || !IsBinary(*row) || !IsCommutative(op_name)) {
    Fail(DiagCode::kOpcodeUnknown,
         fmt::format("expected the inner-op to be a commutative binary-op, but got '{}'", op_name));
    return nullptr;
  }
  auto computation = importer_.editor_.NewDetached(
      importer_.UniqueName(importer_.computation_names_, fmt::format("{}.region", row_->name)),
      op_.name_range);
  Values arguments;
  for (int64_t i = 0; i < 2; ++i) {
    arguments.push_back(importer_.AddParameter(computation.get(), i, scalar, i == 0 ? "lhs" : "rhs",
                                               op_.name_range));
  }
  Scope inner{computation.get(), nullptr, {}};
  OpImport applied(importer_, op_, *row, inner);
  const Quantization* quantization = is_quantized_ ? nullptr : AppliedQuantization();
  for (Instruction*& argument : arguments) {
    if (quantization) argument = applied.Dequantize(argument, *quantization);
  }
  Instruction* root = applied.Emit(*row->opcode, arguments, {}, nullptr, Text(*row->opcode));
  if (!root) return nullptr;
  importer_.editor_.places(root).operands.clear();
  for (int i = 0; i < 2; ++i) importer_.editor_.places(root).operands.push_back(op_.name_range);
  if (quantization) root = applied.Quantize(root, *quantization);
  return importer_.Finish(std::move(computation), {root}, false, nullptr);
}

}  // namespace hlo::mlir
