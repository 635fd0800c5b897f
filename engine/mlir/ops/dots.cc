// Contractions: dot and its relatives.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/mlir/ops/dot_algorithms.h"
#include "engine/mlir/ops/families.h"
#include "engine/mlir/text/mlir_text.h"
#include "engine/ops/products/precision.h"

namespace hlo::mlir {

// The precision requested for the operands, unless it is the default.
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

// The precision of both operands.
std::string Precisions(OpExport& op, std::string_view dialect) {
  constexpr std::string_view kWords[] = {"DEFAULT", "HIGH", "HIGHEST"};
  Dims chosen = op.call().Ints("operand_precision");
  for (int64_t& each : chosen) {
    if (each <= kHighestPrecision) continue;
    op.NoCounterpart("the precision packed_nibble");
    each = 0;
  }
  std::string text;
  for (size_t i = 0; i < 2; ++i) {
    fmt::format_to(std::back_inserter(text), "{}#{}<precision {}>", i > 0 ? ", " : "", dialect,
                   kWords[i < chosen.size() ? static_cast<size_t>(chosen[i]) : 0]);
  }
  return "precision_config = [" + text + "]";
}

// `name = [0, 1]`, preceded by a comma if something comes before it.
void AppendList(std::string_view name, const Dims& dims, std::string* out) {
  if (out->back() != '<') *out += ", ";
  fmt::format_to(std::back_inserter(*out), "{} = [{}]", name, JoinDims(dims));
}

namespace {

// Source: StableHLO, StablehloOps.cpp, DotAlgorithmAttr::verify.
void AddAlgorithm(OpImport& op, Attrs* attrs) {
  const Attr* parts = op.Find({"algorithm"});
  if (!parts) return;
  const auto type = [&](std::string_view name) {
    const Attr* field = parts->Find(name);
    if (!field) return std::string_view();
    return field->type ? field->type->text : field->text;
  };
  const auto number = [&](std::string_view name) {
    const Attr* field = parts->Find(name);
    return field ? field->integer : 0;
  };
  constexpr std::pair<std::string_view, std::string_view> kCounts[] = {
      {"lhs_component_count", "lhs component count"},
      {"rhs_component_count", "rhs component count"},
      {"num_primitive_operations", "num primitive operations"}};
  for (const auto& [name, noun] : kCounts) {
    if (number(name) > 0) continue;
    op.Fail(DiagCode::kAttributeValue, fmt::format("{} must be positive", noun), parts->range);
    return;
  }
  const std::string_view lhs = type("lhs_precision_type"), rhs = type("rhs_precision_type");
  const DotAlgorithm algorithm = {.name = {},
                                  .operand_type = lhs,
                                  .accumulation_type = type("accumulation_type"),
                                  .operations = number("num_primitive_operations"),
                                  .is_imprecise = number("allow_imprecise_accumulation") != 0};
  const bool is_one_type = lhs == rhs || (lhs.starts_with("f8") && rhs.starts_with("f8"));
  const bool has_one_part =
      number("lhs_component_count") == 1 && number("rhs_component_count") == 1;
  const auto word = is_one_type && has_one_part ? DotAlgorithmWord(algorithm) : std::nullopt;
  if (!word) {
    op.Fail(DiagCode::kAttributeValue,
            fmt::format("dot algorithm not known to be supported on any hardware: {{lhs:'{}', "
                        "rhs:'{}', accum:'{}', lhs_components:{}, rhs_components:{}, "
                        "primitive_ops:{}, imprecise:{}}}",
                        lhs, rhs, algorithm.accumulation_type, number("lhs_component_count"),
                        number("rhs_component_count"), algorithm.operations,
                        int{algorithm.is_imprecise}),
            parts->range);
    return;
  }
  const Attr* precision = op.Find({"precision", "precision_config"});
  const auto is_default = [](const Attr& attr) { return attr.text == "DEFAULT"; };
  if (precision && !std::all_of(precision->list.begin(), precision->list.end(), is_default)) {
    op.Fail(DiagCode::kAttributeValue,
            "must specify DEFAULT precision config when algorithm is set", precision->range);
    return;
  }
  attrs->Add({"algorithm", *word});
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

namespace {

// A matrix or vector product: the last dimension of lhs is contracted with the first of rhs.
void EmitDot(OpImport& op) {
  if (!op.Expect(2)) return;
  for (const Instruction* operand : op.operands) {
    const Shape& shape = operand->shape();
    if (shape.IsArray() && (shape.rank() == 1 || shape.rank() == 2)) continue;
    op.Fail(DiagCode::kDimensionNumbers,
            fmt::format("expected both lhs/rhs ranks to be either 1 or 2, but got '{}'",
                        TypeText(shape)));
    return;
  }
  const int64_t last = op.operands[0]->shape().rank() - 1;
  Attrs attrs = {{"lhs_contracting_dims", Dims{last}}, {"rhs_contracting_dims", Dims{int64_t{0}}}};
  AddPrecision(op, &attrs);
  ResultAsWritten(op, Opcode::kDot, std::move(attrs));
}

// Source: StableHLO, spec.md, dot_general, C15 and C16.
void CheckQuantizedRhs(OpImport& op, const Dims& contracting) {
  const Quantization* rhs = op.QuantizationOf(1);
  if (!rhs) return;
  const std::vector<int64_t>& zeros = rhs->zero_points;
  if (std::any_of(zeros.begin(), zeros.end(), [](int64_t zero) { return zero != 0; })) {
    op.Fail(DiagCode::kElementType, "Zero points of rhs should be 0");
  } else if (std::find(contracting.begin(), contracting.end(), rhs->axis) != contracting.end()) {
    op.Fail(DiagCode::kElementType,
            "Quantization dimension of rhs should not be in the contracting dimension of rhs");
  }
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
  CheckQuantizedRhs(op, rhs_contracting);
  Attrs attrs;
  if (!lhs_batch.empty()) attrs.Add({"lhs_batch_dims", lhs_batch});
  if (!lhs_contracting.empty()) attrs.Add({"lhs_contracting_dims", lhs_contracting});
  if (!rhs_batch.empty()) attrs.Add({"rhs_batch_dims", rhs_batch});
  if (!rhs_contracting.empty()) attrs.Add({"rhs_contracting_dims", rhs_contracting});
  AddPrecision(op, &attrs);
  AddAlgorithm(op, &attrs);
  ResultAsWritten(op, Opcode::kDot, std::move(attrs));
}

void WriteDot(OpExport& op) {
  std::string numbers = "dot_dimension_numbers = #stablehlo.dot<";
  AppendList("lhs_batching_dimensions", op.call().Ints("lhs_batch_dims"), &numbers);
  AppendList("rhs_batching_dimensions", op.call().Ints("rhs_batch_dims"), &numbers);
  AppendList("lhs_contracting_dimensions", op.call().Ints("lhs_contracting_dims"), &numbers);
  AppendList("rhs_contracting_dimensions", op.call().Ints("rhs_contracting_dims"), &numbers);
  numbers += ">, " + Precisions(op, "stablehlo") + DotAlgorithmText(op.call().Word("algorithm"));
  op.Set(op.Write({"stablehlo.dot_general", std::move(numbers)}, op.Operands()));
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

void WriteRaggedDot(OpExport& op) {
  std::string numbers = "#chlo.ragged_dot<";
  AppendList("lhs_batching_dimensions", op.call().Ints("lhs_batch_dims"), &numbers);
  AppendList("rhs_batching_dimensions", op.call().Ints("rhs_batch_dims"), &numbers);
  AppendList("lhs_contracting_dimensions", op.call().Ints("lhs_contracting_dims"), &numbers);
  AppendList("rhs_contracting_dimensions", op.call().Ints("rhs_contracting_dims"), &numbers);
  AppendList("lhs_ragged_dimensions", op.call().Ints("lhs_ragged_dims"), &numbers);
  AppendList("rhs_group_dimensions", op.call().Ints("rhs_group_dims"), &numbers);
  op.Set(op.Write({"chlo.ragged_dot", fmt::format("{}, ragged_dot_dimension_numbers = {}>",
                                                  Precisions(op, "chlo"), numbers)},
                  op.Operands()));
}

constexpr OpRow kDotRows[] = {
    {.name = "chlo.ragged_dot",
     .opcode = Opcode::kRaggedDot,
     .form = {.inherent = "precision_config ragged_dot_dimension_numbers",
              .sample = "(`%lhs`, `%rhs`, `%group_sizes`) <{ragged_dot_dimension_numbers = "
                        "#chlo.ragged_dot<lhs_batching_dimensions = [``], "
                        "rhs_batching_dimensions = [``], lhs_contracting_dimensions = [`1`], "
                        "rhs_contracting_dimensions = [`1`], lhs_ragged_dimensions = [`0`], "
                        "rhs_group_dimensions = [`0`]>}> : (tensor<3x2xf32>, tensor<2x2x4xf32>, "
                        "tensor<2xi32>) -> tensor<3x4xf32>"},
     .emit = EmitRaggedDot,
     .write = WriteRaggedDot,
     .mixing = Mixing::kAny},
    {.name = "dot",
     .opcode = Opcode::kDot,
     .form = {.items = "precision",
              .sample = " `%lhs`, `%rhs` : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>",
              .print = PrintDot},
     .emit = EmitDot,
     .write = nullptr},
    {.name = "dot_general",
     .opcode = Opcode::kDot,
     .form = {.items = "batching_dims contracting_dims precision algorithm",
              .sample = " `%lhs`, `%rhs`, contracting_dims = [`1`] x [`0`] : (tensor<2x3xf32>, "
                        "tensor<3x4xf32>) -> tensor<2x4xf32>",
              .print = PrintDotGeneral},
     .emit = EmitDotGeneral,
     .write = WriteDot,
     .mixing = Mixing::kAny,
     .quantized = Quantized::kPerAxis},
};

}  // namespace

std::span<const OpRow> DotRows() { return kDotRows; }

}  // namespace hlo::mlir
