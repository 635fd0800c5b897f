// Products of arrays, convolution, gather.
#include <fmt/format.h>

#include "engine/mlir/op_rows.h"

namespace hlo::mlir {
namespace {

// `[b, 0, 1, f]`: where the two letters and the spatial dimensions are.
bool ReadLabels(OpImport& op, const Attr& labels, char first, char second, int64_t* first_dim,
                int64_t* second_dim, Dims* spatial) {
  spatial->resize(labels.list.size() >= 2 ? labels.list.size() - 2 : 0, -1);
  int64_t position = 0;
  for (const Attr& label : labels.list) {
    if (label.kind == Attr::Kind::kInt) {
      if (label.integer < 0 || label.integer >= static_cast<int64_t>(spatial->size())) {
        return op.Fail(DiagCode::kDimensionNumbers, "spatial dimensions are 0, 1, ...",
                       label.range);
      }
      (*spatial)[static_cast<size_t>(label.integer)] = position;
    } else if (label.text.size() == 1 && label.text[0] == first) {
      *first_dim = position;
    } else if (label.text.size() == 1 && label.text[0] == second) {
      *second_dim = position;
    }
    ++position;
  }
  return true;
}

bool ReadConvLabels(OpImport& op, ConvDimLabels* out) {
  const Attr* attr = op.Find({"dim_numbers", "dimension_numbers"});
  if (attr && attr->kind == Attr::Kind::kDict && !attr->fields.empty()) {
    auto one = [&](std::string_view name) {
      const Attr* field = attr->Find(name);
      return field ? field->integer : 0;
    };
    auto ints = [&](std::string_view name) { return op.IntsOf(attr->Find(name)); };
    *out = {.input_batch = one("input_batch_dimension"),
            .input_feature = one("input_feature_dimension"),
            .kernel_input_feature = one("kernel_input_feature_dimension"),
            .kernel_output_feature = one("kernel_output_feature_dimension"),
            .output_batch = one("output_batch_dimension"),
            .output_feature = one("output_feature_dimension"),
            .input_spatial = ints("input_spatial_dimensions"),
            .kernel_spatial = ints("kernel_spatial_dimensions"),
            .output_spatial = ints("output_spatial_dimensions"),
            .input_unknown = {},
            .kernel_unknown = {},
            .output_unknown = {}};
    return true;
  }
  if (attr && attr->kind == Attr::Kind::kDict && attr->list.size() == 1) attr = &attr->list[0];
  if (!attr || attr->list.size() != 3) {
    return op.Fail(DiagCode::kAttributeMissing, "expects dim_numbers = [..]x[..]->[..]");
  }
  return ReadLabels(op, attr->list[0], 'b', 'f', &out->input_batch, &out->input_feature,
                    &out->input_spatial) &&
         ReadLabels(op, attr->list[1], 'i', 'o', &out->kernel_input_feature,
                    &out->kernel_output_feature, &out->kernel_spatial) &&
         ReadLabels(op, attr->list[2], 'b', 'f', &out->output_batch, &out->output_feature,
                    &out->output_spatial);
}

}  // namespace

void ResultAsWritten(OpImport& op, Opcode opcode, Attrs attrs) {
  Instruction* value = op.Emit(opcode, op.operands, std::move(attrs));
  const Shape* written = op.ResultShape();
  if (value && written && written->IsArray() && written->dims() == value->shape().dims()) {
    op.SetElementType(value, written->element_type());
  }
  op.Result(value);
}

// A matrix or vector times another: the last dimension with the first.
void EmitDot(OpImport& op) {
  if (!op.Expect(2)) return;
  const int64_t last = op.operands[0]->shape().rank() - 1;
  ResultAsWritten(
      op, Opcode::kDot,
      {{"lhs_contracting_dims", Dims{last}}, {"rhs_contracting_dims", Dims{int64_t{0}}}});
}

void EmitDotGeneral(OpImport& op) {
  Dims lhs_batch, rhs_batch, lhs_contracting, rhs_contracting;
  if (const Attr* numbers = op.Find({"dot_dimension_numbers"})) {
    lhs_batch = op.IntsOf(numbers->Find("lhs_batching_dimensions"));
    rhs_batch = op.IntsOf(numbers->Find("rhs_batching_dimensions"));
    lhs_contracting = op.IntsOf(numbers->Find("lhs_contracting_dimensions"));
    rhs_contracting = op.IntsOf(numbers->Find("rhs_contracting_dimensions"));
  } else {
    auto pair = [&](std::string_view name, Dims* lhs, Dims* rhs) {
      const Attr* attr = op.Find({name});
      if (!attr || attr->list.size() != 2) return;
      *lhs = op.IntsOf(&attr->list[0]);
      *rhs = op.IntsOf(&attr->list[1]);
    };
    pair("batching_dims", &lhs_batch, &rhs_batch);
    pair("contracting_dims", &lhs_contracting, &rhs_contracting);
  }
  Attrs attrs;
  if (!lhs_batch.empty()) attrs.Add({"lhs_batch_dims", lhs_batch});
  if (!lhs_contracting.empty()) attrs.Add({"lhs_contracting_dims", lhs_contracting});
  if (!rhs_batch.empty()) attrs.Add({"rhs_batch_dims", rhs_batch});
  if (!rhs_contracting.empty()) attrs.Add({"rhs_contracting_dims", rhs_contracting});
  ResultAsWritten(op, Opcode::kDot, std::move(attrs));
}

void EmitConvolution(OpImport& op) {
  ConvDimLabels labels;
  if (!op.Expect(2) || !ReadConvLabels(op, &labels)) return;
  const Attr* pretty = op.Find({"window"});
  const size_t rank = labels.kernel_spatial.size();
  auto list = [&](std::string_view name, std::string_view generic, size_t count,
                  int64_t otherwise) {
    const Attr* attr = pretty ? pretty->Find(name) : op.Find({generic});
    Dims ints = op.IntsOf(attr, Dims(count, otherwise));
    if (ints.size() != count) {
      op.Fail(DiagCode::kAttributeValue,
              fmt::format("{} has {} entries, not {}", name, ints.size(), count));
      ints.resize(count, otherwise);
    }
    return ints;
  };
  const Dims stride = list("stride", "window_strides", rank, 1);
  const Dims pad = list("pad", "padding", 2 * rank, 0);
  const Dims base = list("lhs_dilate", "lhs_dilation", rank, 1);
  const Dims dilation = list("rhs_dilate", "rhs_dilation", rank, 1);
  const Dims reversal = list("reverse", "window_reversal", rank, 0);
  const Shape& kernel = op.operands[1]->shape();
  Window window;
  for (size_t i = 0; i < rank; ++i) {
    const int64_t d = labels.kernel_spatial[i];
    if (d < 0 || d >= kernel.rank()) {
      op.Fail(DiagCode::kDimensionNumbers, "the kernel has no such dimension");
      return;
    }
    window.push_back({.size = kernel.dim(static_cast<int>(d)),
                      .stride = stride[i],
                      .pad_low = pad[2 * i],
                      .pad_high = pad[2 * i + 1],
                      .base_dilation = base[i],
                      .window_dilation = dilation[i],
                      .reversal = reversal[i] != 0});
  }
  ResultAsWritten(op, Opcode::kConvolution,
                  {{"window", std::move(window)},
                   {"dim_labels", std::move(labels)},
                   {"feature_group_count", op.Int({"feature_group_count"}, 1)},
                   {"batch_group_count", op.Int({"batch_group_count"}, 1)}});
}

void EmitGather(OpImport& op) {
  const Attr* numbers = op.Find({"dimension_numbers"});
  if (!numbers) {
    op.Fail(DiagCode::kAttributeMissing, "dimension_numbers is missing");
    return;
  }
  auto ints = [&](std::string_view name) { return op.IntsOf(numbers->Find(name)); };
  const Attr* vector_dim = numbers->Find("index_vector_dim");
  Attrs attrs = {{"offset_dims", ints("offset_dims")},
                 {"collapsed_slice_dims", ints("collapsed_slice_dims")},
                 {"start_index_map", ints("start_index_map")},
                 {"index_vector_dim", vector_dim ? vector_dim->integer : int64_t{0}},
                 {"slice_sizes", op.Ints({"slice_sizes"})},
                 {"indices_are_sorted", op.Bool({"indices_are_sorted"})}};
  if (const Dims dims = ints("operand_batching_dims"); !dims.empty()) {
    attrs.Add({"operand_batching_dims", dims});
    attrs.Add({"start_indices_batching_dims", ints("start_indices_batching_dims")});
  }
  op.Result(op.Emit(Opcode::kGather, op.operands, std::move(attrs)));
}

}  // namespace hlo::mlir
