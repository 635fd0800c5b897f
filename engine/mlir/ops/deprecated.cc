// Deprecated StableHLO ops, expressed by their replacements.
#include <fmt/format.h>

#include <algorithm>

#include "engine/mlir/ops/families.h"
#include "engine/ops/products/einsum_text.h"
#include "engine/types/shape.h"

namespace hlo::mlir {
namespace {

using Labels = EinsumLabels;

int64_t PlaceOf(const Labels& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) - labels.begin();
}

// Why an einsum cannot be written as sums, a product and a transpose; empty if it can.
std::string WhyNotProducts(const EinsumText& text) {
  for (const Labels& labels : text.operands) {
    for (size_t d = 0; d < labels.size(); ++d) {
      if (PlaceOf(labels, labels[d]) == static_cast<int64_t>(d)) continue;
      return fmt::format("'{}' stands twice in one term: diagonals are not taken",
                         static_cast<char>(labels[d]));
    }
  }
  for (int label : text.result) {
    const auto has = [&](const Labels& labels) { return HasLabel(labels, label); };
    if (std::none_of(text.operands.begin(), text.operands.end(), has)) {
      return "the result names a dimension that no operand has";
    }
  }
  return {};
}

// Sums over the labels that neither the other operand nor the result has.
Instruction* SumOthers(OpImport& op, Instruction* operand, Labels* labels, const Labels& other,
                       const Labels& result) {
  Dims summed;
  Labels kept;
  for (size_t d = 0; d < labels->size(); ++d) {
    if (HasLabel(other, (*labels)[d]) || HasLabel(result, (*labels)[d])) {
      kept.push_back((*labels)[d]);
    } else {
      summed.push_back(static_cast<int64_t>(d));
    }
  }
  if (summed.empty()) return operand;
  *labels = kept;
  const ElementType type = operand->shape().element_type();
  return op.Emit(
      Opcode::kReduce, {operand, op.Constant(NumberOf(type, 0))},
      {{"dimensions", summed}, {"to_apply", op.AppliedRegion("add", Shape::Scalar(type))}});
}

// The product, whose dimensions are those in both, those of the first, and those of the second.
Instruction* Multiply(OpImport& op, Instruction* lhs, Instruction* rhs, const Labels& left,
                      const Labels& right, const Labels& result, Labels* made) {
  Dims lhs_batch, rhs_batch, lhs_contracting, rhs_contracting;
  for (int label : left) {
    if (!HasLabel(right, label)) continue;
    const bool is_kept = HasLabel(result, label);
    (is_kept ? lhs_batch : lhs_contracting).push_back(PlaceOf(left, label));
    (is_kept ? rhs_batch : rhs_contracting).push_back(PlaceOf(right, label));
    if (is_kept) made->push_back(label);
  }
  for (int label : left) {
    if (!HasLabel(right, label)) made->push_back(label);
  }
  for (int label : right) {
    if (!HasLabel(left, label)) made->push_back(label);
  }
  Attrs attrs;
  if (!lhs_batch.empty()) attrs.Add({"lhs_batch_dims", lhs_batch});
  if (!lhs_contracting.empty()) attrs.Add({"lhs_contracting_dims", lhs_contracting});
  if (!rhs_batch.empty()) attrs.Add({"rhs_batch_dims", rhs_batch});
  if (!rhs_contracting.empty()) attrs.Add({"rhs_contracting_dims", rhs_contracting});
  Instruction* product = op.Emit(Opcode::kDot, {lhs, rhs}, std::move(attrs));
  // The result may be wider than the operands.
  const Shape* written = op.ResultShape();
  if (product && written && written->IsArray()) {
    op.SetElementType(product, written->element_type());
  }
  return product;
}

// `ab,bc->ac`, or `ab->a` of one operand: what is not in the result is summed over.
void EmitEinsum(OpImport& op) {
  const std::string_view config = op.Word({"einsum_config", "config"});
  if (op.operands.empty() || op.operands.size() > 2) {
    op.Fail(DiagCode::kOperandCount, "takes one operand or two");
    return;
  }
  std::vector<const Shape*> shapes;
  for (const Instruction* operand : op.operands) shapes.push_back(&operand->shape());
  std::string fault;
  auto text = ReadEinsum(config, shapes, &fault);
  if (text) fault = WhyNotProducts(*text);
  if (!fault.empty()) {
    op.Fail(DiagCode::kAttributeValue, fmt::format("einsum_config is '{}': {}", config, fault));
    return;
  }
  const bool is_unary = op.operands.size() == 1;
  std::vector<Labels>& labels = text->operands;
  if (is_unary) labels.emplace_back();
  const Labels& result = text->result;
  Instruction* value = SumOthers(op, op.operands[0], &labels[0], labels[1], result);
  Labels made = labels[0];
  if (!is_unary) {
    Instruction* rhs = SumOthers(op, op.operands[1], &labels[1], labels[0], result);
    made.clear();
    value = Multiply(op, value, rhs, labels[0], labels[1], result, &made);
  }
  if (made != result) {
    Dims order;
    for (int label : result) order.push_back(PlaceOf(made, label));
    value = op.Emit(Opcode::kTranspose, {value}, {{"dimensions", order}});
  }
  op.Result(value);
}

// Slices along `dim`, one per index; the leading `batch_dims` dimensions are batch dimensions.
void EmitTorchIndexSelect(OpImport& op) {
  if (!op.Expect(2)) return;
  const Shape &from = op.operands[0]->shape(), &index = op.operands[1]->shape();
  const int64_t dim = op.Int({"dim"}), batch = op.Int({"batch_dims"});
  if (dim < 0 || dim >= from.rank() || batch < 0 || batch > dim || batch > index.rank()) {
    op.Fail(DiagCode::kDimensionNumbers,
            fmt::format("dim = {} and batch_dims = {} do not fit {} and {}", dim, batch,
                        ShapeName(from), ShapeName(index)));
    return;
  }
  Dims offset, sizes, along;
  for (int64_t d = 0; d < from.rank(); ++d) {
    const bool is_taken = d == dim || d < batch;
    sizes.push_back(is_taken ? std::min<int64_t>(1, from.dim(static_cast<int>(d)))
                             : from.dim(static_cast<int>(d)));
    if (d < batch) along.push_back(d);
    if (!is_taken) offset.push_back(d < dim ? d : d - 1 + index.rank() - batch);
  }
  Attrs attrs = {{"offset_dims", offset},
                 {"collapsed_slice_dims", Dims{dim}},
                 {"start_index_map", Dims{dim}},
                 {"index_vector_dim", static_cast<int64_t>(index.rank())},
                 {"slice_sizes", sizes}};
  if (batch > 0) {
    attrs.Add({"operand_batching_dims", along});
    attrs.Add({"start_indices_batching_dims", along});
  }
  op.Result(op.Emit(Opcode::kGather, op.operands, std::move(attrs)));
}

constexpr OpRow kDeprecatedRows[] = {
    {.name = "einsum",
     .form = {.layout = "%0, %1, config = @einsum_config",
              .sample = " `%lhs`, `%rhs`, config = \"`ij,jk->ik`\" : (tensor<2x3xf32>, "
                        "tensor<3x4xf32>) -> tensor<2x4xf32>"},
     .emit = EmitEinsum},
    {.name = "torch_index_select",
     .form = {.inherent = "batch_dims dim",
              .sample = "(`%operand`, `%index`) <{batch_dims = `0` : i64, dim = `0` : i64}> : "
                        "(tensor<4xf32>, tensor<2xi32>) -> tensor<2xf32>"},
     .emit = EmitTorchIndexSelect},
    {.name = "unary_einsum",
     .form = {.layout = "%0, config = @einsum_config",
              .sample =
                  " `%operand`, config = \"`ij->ji`\" : (tensor<2x3xf32>) -> tensor<3x2xf32>"},
     .emit = EmitEinsum},
};

}  // namespace

std::span<const OpRow> DeprecatedRows() { return kDeprecatedRows; }

}  // namespace hlo::mlir
