// Ops that StableHLO keeps for older programs, as the ops that took their places.
#include <fmt/format.h>

#include <algorithm>

#include "engine/mlir/op_rows.h"
#include "engine/types/shape.h"

namespace hlo::mlir {
namespace {

// One number per dimension: equal ones are equal dimensions.
using Labels = std::vector<int>;

constexpr int kFirstOfEllipsis = 256;

bool Has(const Labels& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

int64_t PlaceOf(const Labels& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) - labels.begin();
}

// `ab...` of an array: an ellipsis stands for the dimensions that have no letter, the last of
// which are the same in all terms. Without a rank there is no ellipsis dimension but those given.
std::optional<Labels> ReadTerm(OpImport& op, std::string_view term, int hidden) {
  Labels labels;
  while (!term.empty()) {
    if (term.starts_with("...")) {
      term.remove_prefix(3);
      for (int i = hidden; i-- > 0;) labels.push_back(kFirstOfEllipsis + i);
      continue;
    }
    const int label = static_cast<unsigned char>(term[0]);
    term.remove_prefix(1);
    if (label == ' ') continue;
    if (Has(labels, label) || label == '.') {
      op.Fail(DiagCode::kAttributeValue,
              fmt::format("'{}' stands twice in one term of einsum_config: diagonals are not taken",
                          static_cast<char>(label)));
      return std::nullopt;
    }
    labels.push_back(label);
  }
  return labels;
}

// The labels that an array has beyond the letters of its term.
int HiddenOf(std::string_view term, const Shape& shape) {
  if (term.find("...") == std::string_view::npos) return 0;
  const auto marks = std::count_if(term.begin(), term.end(), [](char c) { return c != ' '; }) - 3;
  return std::max(0, shape.rank() - static_cast<int>(marks));
}

// Sums over the labels that neither the other operand nor the result has.
Instruction* SumOthers(OpImport& op, Instruction* operand, Labels* labels, const Labels& other,
                       const Labels& result) {
  Dims summed;
  Labels kept;
  for (size_t d = 0; d < labels->size(); ++d) {
    if (Has(other, (*labels)[d]) || Has(result, (*labels)[d])) {
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
    if (!Has(right, label)) continue;
    const bool is_kept = Has(result, label);
    (is_kept ? lhs_batch : lhs_contracting).push_back(PlaceOf(left, label));
    (is_kept ? rhs_batch : rhs_contracting).push_back(PlaceOf(right, label));
    if (is_kept) made->push_back(label);
  }
  for (int label : left) {
    if (!Has(right, label)) made->push_back(label);
  }
  for (int label : right) {
    if (!Has(left, label)) made->push_back(label);
  }
  Attrs attrs;
  if (!lhs_batch.empty()) attrs.Add({"lhs_batch_dims", lhs_batch});
  if (!lhs_contracting.empty()) attrs.Add({"lhs_contracting_dims", lhs_contracting});
  if (!rhs_batch.empty()) attrs.Add({"rhs_batch_dims", rhs_batch});
  if (!rhs_contracting.empty()) attrs.Add({"rhs_contracting_dims", rhs_contracting});
  return op.Emit(Opcode::kDot, {lhs, rhs}, std::move(attrs));
}

}  // namespace

// `ab,bc->ac`, or `ab->a` of one operand: what is not in the result is summed over.
void EmitEinsum(OpImport& op) {
  std::string_view config = op.Word({"einsum_config", "config"});
  const size_t arrow = config.find("->"), comma = config.find(',');
  const bool is_unary = op.operands.size() == 1;
  if (arrow == std::string_view::npos || (comma < arrow) == is_unary || op.operands.empty() ||
      op.operands.size() > 2) {
    op.Fail(
        DiagCode::kAttributeValue,
        fmt::format("einsum_config is '{}', not a term for each operand, as 'ab,bc->ac'", config));
    return;
  }
  const std::string_view terms[] = {config.substr(0, std::min(comma, arrow)),
                                    is_unary ? "" : config.substr(comma + 1, arrow - comma - 1),
                                    config.substr(arrow + 2)};
  Labels labels[3];
  int hidden = 0;
  for (size_t i = 0; i < 3; ++i) {
    const bool is_operand = i < op.operands.size();
    const int own = is_operand ? HiddenOf(terms[i], op.operands[i]->shape()) : hidden;
    hidden = std::max(hidden, own);
    auto read = ReadTerm(op, terms[i], own);
    if (!read) return;
    labels[i] = std::move(*read);
    if (is_operand && static_cast<int>(labels[i].size()) != op.operands[i]->shape().rank()) {
      op.Fail(DiagCode::kAttributeValue,
              fmt::format("'{}' names {} dimensions of {}", terms[i], labels[i].size(),
                          ShapeName(op.operands[i]->shape())));
      return;
    }
  }
  const Labels& result = labels[2];
  for (int label : result) {
    if (Has(labels[0], label) || Has(labels[1], label)) continue;
    op.Fail(DiagCode::kAttributeValue,
            fmt::format("'{}' names a dimension that no operand has", terms[2]));
    return;
  }
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

// Slices along `dim`, one for each index; the first `batch_dims` dimensions go along.
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

}  // namespace hlo::mlir
