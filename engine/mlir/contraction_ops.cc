// Products of arrays, convolution, gather.
#include <fmt/format.h>

#include "engine/mlir/dot_algorithms.h"
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

// What is asked of the hardware, if it is not the default.
void AddPrecision(OpImport& op, Attrs* attrs) {
  const Attr* list = op.Find({"precision", "precision_config"});
  if (list && list->list.size() > 2) {
    op.Fail(DiagCode::kAttributeValue, "expects precision config to be empty or have <= 2 elements",
            list->range);
  }
  Dims chosen;
  bool is_default = true;
  for (size_t i = 0; list && i < list->list.size(); ++i) {
    const std::string_view word = list->list[i].text;
    if (word != "DEFAULT" && word != "HIGH" && word != "HIGHEST") {
      op.Fail(DiagCode::kAttributeValue,
              fmt::format("precision '{}', expected to be one of: DEFAULT, HIGH, HIGHEST", word),
              list->list[i].range);
    }
    chosen.push_back(word == "HIGHEST" ? 2 : word == "HIGH" ? 1 : 0);
    is_default = is_default && chosen.back() == 0;
  }
  if (!is_default) attrs->Add({"operand_precision", chosen});
}

void AddAlgorithm(OpImport& op, Attrs* attrs) {
  const Attr* parts = op.Find({"algorithm"});
  if (!parts) return;
  const auto type = [&](std::string_view name) {
    const Attr* field = parts->Find(name);
    if (!field) return std::string_view();
    return field->type ? field->type->text : field->text;
  };
  const Attr* operations = parts->Find("num_primitive_operations");
  const Attr* imprecise = parts->Find("allow_imprecise_accumulation");
  attrs->Add(
      {"algorithm", DotAlgorithmWord({.name = {},
                                      .operand_type = type("lhs_precision_type"),
                                      .accumulation_type = type("accumulation_type"),
                                      .operations = operations ? operations->integer : 1,
                                      .is_imprecise = imprecise && imprecise->integer != 0})});
}

}  // namespace

void ResultAsWritten(OpImport& op, Opcode opcode, Attrs attrs) {
  Instruction* value = op.Emit(opcode, op.operands, std::move(attrs));
  const Type* type = op.ResultType(0);
  const bool is_dynamic = type && type->kind == Type::Kind::kDynamic;
  const Shape* written = is_dynamic ? &type->shape : op.ResultShape();
  if (value && written && written->IsArray() &&
      (is_dynamic || written->dims() == value->shape().dims())) {
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
  AddPrecision(op, &attrs);
  AddAlgorithm(op, &attrs);
  ResultAsWritten(op, Opcode::kDot, std::move(attrs));
}

void EmitConvolution(OpImport& op) {
  ConvDimLabels labels;
  if (!op.Expect(2) || !ReadConvLabels(op, &labels)) return;
  const Attr* pretty = op.Find({"window"});
  const size_t rank = labels.kernel_spatial.size();
  auto list = [&](std::string_view name, std::string_view generic, size_t count,
                  int64_t otherwise) {
    const Attr* attr = op.Find({generic});
    if (const Attr* field = pretty && !attr ? pretty->Find(name) : nullptr) attr = field;
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
  Attrs attrs = {{"window", std::move(window)},
                 {"dim_labels", std::move(labels)},
                 {"feature_group_count", op.Int({"feature_group_count"}, 1)},
                 {"batch_group_count", op.Int({"batch_group_count"}, 1)}};
  AddPrecision(op, &attrs);
  ResultAsWritten(op, Opcode::kConvolution, std::move(attrs));
}

void EmitRaggedDot(OpImport& op) {
  const Attr* numbers = op.Find({"ragged_dot_dimension_numbers"});
  if (!numbers) {
    op.Fail(DiagCode::kAttributeMissing, "ragged_dot_dimension_numbers is missing");
    return;
  }
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"lhs_batching_dimensions", "lhs_batch_dims"},
      {"rhs_batching_dimensions", "rhs_batch_dims"},
      {"lhs_contracting_dimensions", "lhs_contracting_dims"},
      {"rhs_contracting_dimensions", "rhs_contracting_dims"},
      {"lhs_ragged_dimensions", "lhs_ragged_dims"},
      {"rhs_group_dimensions", "rhs_group_dims"}};
  Attrs attrs;
  for (const auto& [theirs, ours] : kNames) {
    const Dims dims = op.IntsOf(numbers->Find(theirs));
    if (!dims.empty()) attrs.Add({ours, dims});
  }
  AddPrecision(op, &attrs);
  ResultAsWritten(op, Opcode::kRaggedDot, std::move(attrs));
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
