// Assembly formats that no layout string describes.
// Source: StableHLO, AssemblyFormat.cpp, StablehloOps.cpp and ChloOps.cpp; LLVM, the func dialect.
#include "engine/mlir/text/custom_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/mlir/text/asm_printer.h"
#include "engine/mlir/text/op_forms.h"
#include "engine/mlir/text/syntax.h"

namespace hlo::mlir {
namespace {

const OpForm& FormOf(const Op& op) { return *FindForm(op.name); }

// A list of enumerators in any form: `DEFAULT, HIGH`.
void Words(AsmPrinter& p, const Attr& list) {
  for (size_t i = 0; i < list.list.size(); ++i) {
    if (i > 0) p.Text(", ");
    p.Text(p.Resolve(&list.list[i])->text);
  }
}

}  // namespace

std::string_view ConstantHint(const Op& op) {
  const Attr* value = op.Find("value");
  const Type* type = op.has_function_type && !op.result_types.empty() ? op.result_types[0]
                     : value                                          ? value->type
                                                                      : nullptr;
  if (!type || type->kind != Type::Kind::kShape) return "cst";
  const ElementType element = type->shape.element_type();
  const bool is_index = type->text.find("index") != std::string_view::npos;
  return IsFloat(element) || IsComplex(element) || is_index ? "cst" : "c";
}

// The type of a quantised constant differs from that of its elements.
void PrintConstant(AsmPrinter& p, const Op& op) {
  const Attr* value = p.Find(op, "value", {});
  if (op.has_function_type && value && value->type && !op.result_types.empty() &&
      !p.SameType(value->type, op.result_types[0])) {
    return p.Generic(op, FormOf(op));
  }
  p.Dictionary(op.attrs, "value");
  p.Text(" ");
  if (value) p.Attribute(*value);
}

void PrintCompare(AsmPrinter& p, const Op& op) {
  const Attr* direction = p.Find(op, "comparison_direction", {});
  const Attr* type = p.Find(op, "compare_type", {});
  const auto word = [&](const Attr* attr, size_t i) {
    return attr ? attr->text : i < op.words.size() ? op.words[i] : std::string_view();
  };
  p.Text(fmt::format("  {}, ", word(direction, 0)));
  p.Values(op.operands);
  if (const std::string_view order = word(type, 1); !order.empty()) {
    p.Text(fmt::format(",  {}", order));
  }
  p.AttrDict(op, FormOf(op), "comparison_direction compare_type");
  p.TypesOf(op, TypeForm::kFunction);
}

void PrintReducePrecision(AsmPrinter& p, const Op& op) {
  p.Text(" ");
  p.Values(op.operands);
  if (const Attr* format = op.Find("format")) {
    p.Text(fmt::format(", format = {}", format->text));
  } else {
    const Attr* exponent = p.Find(op, "exponent_bits", {});
    const Attr* mantissa = p.Find(op, "mantissa_bits", {});
    p.Text(fmt::format(", format = e{}m{}", exponent ? exponent->integer : 0,
                       mantissa ? mantissa->integer : 0));
  }
  p.AttrDict(op, FormOf(op), "format exponent_bits mantissa_bits");
  p.TypesOf(op, TypeForm::kSame);
}

void PrintGetTupleElement(AsmPrinter& p, const Op& op) {
  p.Text(" ");
  p.Values(op.operands);
  p.IntList(p.Ints(p.Find(op, "index", "$ranges")));
  p.AttrDict(op, FormOf(op), "index");
  p.TypesOf(op, TypeForm::kFunction);
}

// `[0:4, 1:9:2]`
void PrintSlice(AsmPrinter& p, const Op& op) {
  p.Text(" ");
  p.Values(op.operands);
  std::vector<std::array<int64_t, 3>> ranges;
  if (const Attr* list = op.Find("$ranges")) {
    for (const Attr& range : list->list) {
      const std::vector<int64_t> ints = p.Ints(&range);
      if (ints.size() > 1) ranges.push_back({ints[0], ints[1], ints.size() > 2 ? ints[2] : 1});
    }
  } else {
    const std::vector<int64_t> starts = p.Ints(p.Find(op, "start_indices", {}));
    const std::vector<int64_t> limits = p.Ints(p.Find(op, "limit_indices", {}));
    const std::vector<int64_t> strides = p.Ints(p.Find(op, "strides", {}));
    for (size_t i = 0; i < std::min({starts.size(), limits.size(), strides.size()}); ++i) {
      ranges.push_back({starts[i], limits[i], strides[i]});
    }
  }
  p.Text(" [");
  for (size_t i = 0; i < ranges.size(); ++i) {
    p.Text(fmt::format("{}{}:{}", i > 0 ? ", " : "", ranges[i][0], ranges[i][1]));
    if (ranges[i][2] != 1) p.Text(fmt::format(":{}", ranges[i][2]));
  }
  p.Text("]");
  p.AttrDict(op, FormOf(op), "start_indices limit_indices strides");
  p.TypesOf(op, TypeForm::kFunction);
}

void PrintOptimizationBarrier(AsmPrinter& p, const Op& op) {
  p.Dictionary(op.attrs);
  if (op.operands.empty()) return p.Text("()");
  p.Text(" ");
  p.Values(op.operands);
  p.TypesOf(op, TypeForm::kOperands);
}

// ---- Products of arrays -------------------------------------------------------------------------

namespace {

void Precision(AsmPrinter& p, const Op& op) {
  const Attr* precision = p.Find(op, "precision_config", "precision");
  if (!precision) return;
  p.Text(", precision = [");
  Words(p, *precision);
  p.Text("]");
}

void DimPairs(AsmPrinter& p, const Op& op, std::string_view custom, std::string_view lhs,
              std::string_view rhs) {
  std::vector<int64_t> left, right;
  if (const Attr* pair = op.Find(custom); pair && pair->list.size() == 2) {
    left = p.Ints(&pair->list[0]);
    right = p.Ints(&pair->list[1]);
  } else if (const Attr* numbers = p.Find(op, "dot_dimension_numbers", {})) {
    left = p.Ints(numbers->Find(lhs));
    right = p.Ints(numbers->Find(rhs));
  }
  if (left.empty() && right.empty() && custom == "batching_dims") return;
  p.Text(fmt::format(", {} = ", custom));
  p.IntList(left);
  p.Text(" x ");
  p.IntList(right);
}

}  // namespace

void PrintDot(AsmPrinter& p, const Op& op) {
  p.Text(" ");
  p.Values(op.operands);
  Precision(p, op);
  p.AttrDict(op, FormOf(op), "precision_config precision");
  p.TypesOf(op, TypeForm::kFunction);
}

void PrintDotGeneral(AsmPrinter& p, const Op& op) {
  p.Text(" ");
  p.Values(op.operands);
  DimPairs(p, op, "batching_dims", "lhs_batching_dimensions", "rhs_batching_dimensions");
  DimPairs(p, op, "contracting_dims", "lhs_contracting_dimensions", "rhs_contracting_dimensions");
  Precision(p, op);
  if (const Attr* algorithm = p.Find(op, "algorithm", {})) {
    Attr named = *algorithm;
    named.name = "stablehlo.dot_algorithm";
    std::string text = p.TextOf(named);
    p.Text(", algorithm = " + text.substr(text.find('<')));
  }
  p.AttrDict(op, FormOf(op),
             "dot_dimension_numbers batching_dims contracting_dims precision_config precision "
             "algorithm");
  p.TypesOf(op, TypeForm::kFunction);
}

namespace {

// The labels of the dimensions of one array of a convolution.
std::string LabelsText(AsmPrinter& p, const Attr& numbers, std::string_view array,
                       std::string_view first, std::string_view second, std::string_view letters) {
  const auto dimension = [&](std::string_view name) {
    const Attr* field = numbers.Find(fmt::format("{}_{}_dimension", array, name));
    return field ? field->integer : 0;  // which the text may leave out
  };
  const Attr* list = numbers.Find(fmt::format("{}_spatial_dimensions", array));
  const std::vector<int64_t> spatial = list ? p.Ints(list) : std::vector<int64_t>();
  std::vector<std::string> labels(spatial.size() + 2, "?");
  const auto set = [&](int64_t at, std::string label) {
    if (at >= 0 && at < std::ssize(labels)) labels[static_cast<size_t>(at)] = std::move(label);
  };
  for (size_t i = 0; i < spatial.size(); ++i) set(spatial[i], std::to_string(i));
  set(dimension(first), std::string(letters.substr(0, 1)));
  set(dimension(second), std::string(letters.substr(1, 1)));
  return fmt::format("[{}]", fmt::join(labels, ", "));
}

// `#stablehlo.conv<raw input_batch_dimension = 0, ...>` as `[b, f]x[i, o]->[b, f]`.
std::string RawDimensions(AsmPrinter& p, const Attr& numbers) {
  return LabelsText(p, numbers, "input", "batch", "feature", "bf") + "x" +
         LabelsText(p, numbers, "kernel", "input_feature", "output_feature", "io") + "->" +
         LabelsText(p, numbers, "output", "batch", "feature", "bf");
}

// Pairs of integers: `[1, 2], [3, 4]`.
void PadPairs(AsmPrinter& p, const std::vector<int64_t>& ints) {
  for (size_t i = 0; i + 1 < ints.size(); i += 2) {
    p.Text(fmt::format("{}[{}, {}]", i > 0 ? ", " : "", ints[i], ints[i + 1]));
  }
}

}  // namespace

void PrintConvolution(AsmPrinter& p, const Op& op) {
  p.Text("(");
  p.Values(op.operands);
  p.Text(") dim_numbers = ");
  if (const Attr* numbers = p.Find(op, "dimension_numbers", "dim_numbers")) {
    // In `#stablehlo.conv<...>` it is the only list, or the word `raw` behind which are fields.
    const bool is_dict = numbers->kind == Attr::Kind::kDict;
    if (is_dict && !numbers->fields.empty()) {
      p.Text(RawDimensions(p, *numbers));
    } else {
      p.ConvolutionDimensions(is_dict && !numbers->list.empty() ? numbers->list[0] : *numbers);
    }
  }
  p.Text(", window = {");
  const Attr* window = op.Find("window");
  constexpr std::string_view kNames[][2] = {{"window_strides", "stride"},
                                            {"padding", "pad"},
                                            {"lhs_dilation", "lhs_dilate"},
                                            {"rhs_dilation", "rhs_dilate"},
                                            {"window_reversal", "reverse"}};
  bool is_first = true;
  for (const auto& [name, custom] : kNames) {
    const Attr* list = window ? window->Find(custom) : op.Find(name);
    if (!list) continue;
    p.Text(fmt::format("{}{} = [", is_first ? "" : ", ", custom));
    is_first = false;
    const std::vector<int64_t> ints = p.Ints(list);
    if (custom == "pad") {
      PadPairs(p, ints);
    } else if (custom == "reverse") {
      for (size_t i = 0; i < ints.size(); ++i) {
        p.Text(fmt::format("{}{}", i > 0 ? ", " : "", ints[i] != 0));
      }
    } else {
      p.Text(fmt::format("{}", fmt::join(ints, ", ")));
    }
    p.Text("]");
  }
  p.Text("}");
  p.AttrDict(op, FormOf(op),
             "dimension_numbers dim_numbers window window_strides padding lhs_dilation "
             "rhs_dilation window_reversal");
  p.TypesOf(op, TypeForm::kFunction);
}

// ---- Regions ------------------------------------------------------------------------------------

bool IsCommutative(std::string_view op_name) {
  constexpr std::string_view kCommutative[] = {"add",      "and", "maximum", "minimum",
                                               "multiply", "or",  "xor"};
  const std::string_view name = op_name.substr(op_name.find('.') + 1);
  return std::find(std::begin(kCommutative), std::end(kCommutative), name) !=
         std::end(kCommutative);
}

namespace {

// The op that a reduce applies, if its region consists of that op on both arguments.
std::string_view AppliedOp(AsmPrinter& p, const Op& op) {
  if (const Attr* applied = op.Find("applies")) return applied->text;
  if (op.regions.size() != 1 || op.operand_types.empty()) return {};
  const Block& block = op.regions[0].blocks[0];
  if (block.ops.size() != 2 || block.arguments.size() != 2) return {};
  const Op& inner = block.ops[0];
  const Op& end = block.ops[1];
  const auto dialect_of = [](const Op& each) { return each.name.substr(0, each.name.find('.')); };
  if (dialect_of(inner) != dialect_of(op) || !IsCommutative(inner.name)) return {};
  const Type* type = block.arguments[0].type;
  for (const Type* other : inner.operand_types) {
    if (!p.SameType(other, type)) return {};
  }
  for (const Type* other : inner.result_types) {
    if (!p.SameType(other, type)) return {};
  }
  const bool is_forwarded =
      inner.operands.size() == 2 && inner.operands[0].name == block.arguments[0].name &&
      inner.operands[1].name == block.arguments[1].name && inner.results.size() == 1 &&
      end.operands.size() == 1 && end.operands[0].name == inner.results[0].name;
  // Names of the reduced elements, however many there are.
  const Type& input = *op.operand_types[0];
  const bool is_element = type->shape.IsArray() && input.shape.IsArray() &&
                          type->shape.rank() == 0 && !type->quantization && !input.quantization &&
                          type->shape.element_type() == input.shape.element_type();
  return is_forwarded && is_element ? inner.name : std::string_view();
}

}  // namespace

void PrintReduce(AsmPrinter& p, const Op& op) {
  const size_t pairs = op.operands.size() / 2;
  for (size_t i = 0; i < pairs; ++i) {
    p.Text(i > 0 ? ", (" : "(");
    p.Value(op.operands[i]);
    p.Text(" init: ");
    p.Value(op.operands[pairs + i]);
    p.Text(")");
  }
  const std::string_view applied = AppliedOp(p, op);
  if (!applied.empty()) p.Text(fmt::format(" applies {}", applied));
  p.Text(" across dimensions = ");
  p.IntList(p.Ints(p.Find(op, "dimensions", {})));
  p.AttrDict(op, FormOf(op), "dimensions applies");
  p.TypesOf(op, TypeForm::kFunction);
  if (!applied.empty() || op.regions.empty()) return;
  p.NewLine();
  p.Text(" reducer");
  p.BeginRegion(op, 0);
  const auto& arguments = op.regions[0].blocks[0].arguments;
  for (size_t i = 0; i < pairs && pairs + i < arguments.size(); ++i) {
    for (size_t half : {i, pairs + i}) {
      p.Text(half == i ? "(" : ", ");
      p.Value({arguments[half].name, 0, {}});
      p.Text(": ");
      p.TypeOf(*arguments[half].type);
    }
    p.Text(") ");
  }
  p.EndRegion();
  p.Text(" ");
  p.RegionOf(op, 0, false);
}

void PrintWhile(AsmPrinter& p, const Op& op) {
  if (op.regions.size() != 2) return p.Generic(op, FormOf(op));
  p.BeginRegion(op, 1);
  const auto& arguments = op.regions[1].blocks[0].arguments;
  std::vector<std::string> names;
  names.reserve(arguments.size());
  for (const Block::Argument& argument : arguments) {
    names.push_back(p.NameOf({argument.name, 0, {}}));
  }
  p.EndRegion();
  p.Text("(");
  for (size_t i = 0; i < op.operands.size() && i < names.size(); ++i) {
    p.Text(fmt::format("{}{} = ", i > 0 ? ", " : "", names[i]));
    p.Value(op.operands[i]);
  }
  p.Text(")");
  p.TypesOf(op, TypeForm::kOperands);
  p.Dictionary(op.attrs, "$argument", " attributes ");
  p.NewLine();
  p.Text(" cond ");
  p.RegionOf(op, 0, false);
  p.Text(" do ");
  p.RegionOf(op, 1, false);
}

void PrintScan(AsmPrinter& p, const Op& op) {
  p.Text("(");
  p.Values(std::span(op.operands).subspan(0, op.first_operands));
  p.Text(") inits (");
  p.Values(std::span(op.operands).subspan(op.first_operands));
  p.Text(") dimension=");
  if (const Attr* dimension = p.Find(op, "dimension", {})) p.Attribute(*dimension, true);
  const Attr* reverse = op.Find("is_reverse");
  const bool is_default = reverse && reverse->integer == 0;
  p.Dictionary(op.attrs,
               is_default ? "dimension operandSegmentSizes resultSegmentSizes is_reverse"
                          : "dimension operandSegmentSizes resultSegmentSizes",
               " attributes ");
  p.Text("  ");
  for (size_t i = 0; i < op.regions.size(); ++i) p.RegionOf(op, i, true);
  p.TypesOf(op, TypeForm::kFunction);
}

}  // namespace hlo::mlir
