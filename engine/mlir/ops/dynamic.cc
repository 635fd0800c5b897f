// Ops whose sizes are operands: these must be known at import and become attributes of the static
// op.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/mlir/import/refinement.h"
#include "engine/mlir/ops/families.h"
#include "engine/types/convert.h"

namespace hlo::mlir {
namespace {

// JAX's approximate top-k finds every element here: its operands are sorted by a comparator and
// cut. Operands are arrays, then for each a value that is less than any other, which is not used.
void EmitApproxTopK(OpImport& op) {
  const Attr* config = op.Find({"mhlo.backend_config", "backend_config"});
  auto number = [&](std::string_view name) {
    const Attr* attr = op.Find({name});
    if (!attr && config) attr = config->Find(name);
    return attr ? attr->integer : -1;
  };
  const int64_t k = number("top_k"), dim = number("reduction_dim");
  const size_t count = op.operands.size() / 2;
  const Shape shape = count > 0 ? op.operands[0]->shape() : Shape();
  if (count == 0 || op.operands.size() % 2 != 0 || !shape.IsArray() || dim < 0 ||
      dim >= shape.rank() || k < 0 || k > shape.dim(static_cast<int>(dim))) {
    op.Fail(DiagCode::kAttributeValue,
            fmt::format("top_k = {} along reduction_dim = {} does not fit {} operands, {}", k, dim,
                        op.operands.size(), ShapeName(shape)));
    return;
  }
  if (number("aggregate_to_topk") == 0) {
    op.Fail(DiagCode::kNotExecutable,
            "without aggregate_to_topk the number of results is the backend's");
    return;
  }
  op.DropOperands(count);
  Instruction* sorted =
      op.Emit(Opcode::kSort, op.operands,
              {{"dimensions", Dims{dim}}, {"is_stable", true}, {"to_apply", op.RegionOf(0)}});
  std::vector<SliceDim> slices;
  for (int64_t size : shape.dims()) slices.push_back({0, size, 1});
  slices[static_cast<size_t>(dim)].limit = k;
  Values results = op.Elements(sorted, count);
  for (Instruction*& result : results) {
    result = op.Emit(Opcode::kSlice, {result}, {{"slice", slices}});
  }
  op.Results(std::move(results));
}

// The result sizes of a custom call, which follow its other operands.
void DropShapeOperands(OpImport& op) {
  size_t kept = op.operands.size();
  for (int64_t i : op.Ints({"indices_of_shape_operands"})) {
    if (i >= 0) kept = std::min(kept, static_cast<size_t>(i));
  }
  op.DropOperands(kept);
  op.Give("indices_of_shape_operands", {});
}

void EmitRngBits(OpImport& op) { op.EmitAs(*FindRow("stablehlo.rng_bit_generator")); }

// The operands from `first` on become these attributes of the static form.
struct DynamicForm {
  std::string_view name;
  void (*emit)(OpImport& op);
  size_t first;  ///< 0: they are the last ones, whatever their number
  std::string_view attrs[5];
};
constexpr DynamicForm kForms[] = {
    {"dynamic_conv", EmitConvolution, 2, {"padding"}},
    {"dynamic_gather", EmitGather, 2, {"slice_sizes"}},
    {"dynamic_pad", EmitPad, 2, {"edge_padding_low", "edge_padding_high", "interior_padding"}},
    {"real_dynamic_slice", EmitSlice, 1, {"start_indices", "limit_indices", "strides"}},
    {"stablehlo.dynamic_approx_top_k", EmitApproxTopK, 0, {"top_k"}},
    {"stablehlo.dynamic_reduce_window",
     EmitReduceWindow,
     0,
     {"window_dimensions", "window_strides", "base_dilations", "window_dilations", "padding"}},
    {"stablehlo.dynamic_rng_bit_generator", EmitRngBits, 1, {"$sizes"}},
    {"stablehlo.dynamic_top_k", EmitTopK, 1, {"k"}},
};

size_t AttrCount(const DynamicForm& form) {
  return static_cast<size_t>(std::count_if(std::begin(form.attrs), std::end(form.attrs),
                                           [](std::string_view name) { return !name.empty(); }));
}

// The number of elements a slice covers in each dimension, if its limits are its starts plus
// something known, or its result type has written sizes.
std::optional<Dims> ExtentsOf(OpImport& op, const Dims& strides) {
  const Instruction *start = op.operands[1], *limit = op.operands[2];
  for (int i = 0; i < 2 && limit->opcode() == Opcode::kAdd; ++i) {
    if (!op.Same(limit->operand(i), start)) continue;
    if (op.Known(limit->operand(1 - i))) return op.IntsOf(limit->operand(1 - i));
  }
  const Type* type = op.ResultType(0);
  if (!type || type->kind != Type::Kind::kShape) return std::nullopt;
  Dims extents = type->shape.dims();
  if (extents.size() != strides.size()) return std::nullopt;
  for (size_t d = 0; d < extents.size(); ++d) {
    if (extents[d] == 0) continue;
    if (strides[d] < 1 || __builtin_mul_overflow(extents[d] - 1, strides[d], &extents[d])) {
      return std::nullopt;
    }
    ++extents[d];
  }
  return extents;
}

// A slice whose start is only known at run time: a dynamic-slice over its extent, followed by a
// strided slice.
bool EmitSliceAtUnknownStart(OpImport& op) {
  if (op.Known(op.operands[1]) || !op.Known(op.operands[3])) return false;
  const Dims strides = op.IntsOf(op.operands[3]);
  const auto extents = ExtentsOf(op, strides);
  const Shape& from = op.operands[0]->shape();
  if (!extents || extents->size() != strides.size() || strides.size() != from.dims().size()) {
    return false;
  }
  if (std::any_of(extents->begin(), extents->end(), [](int64_t size) { return size < 0; })) {
    return false;
  }
  const Shape scalar = Shape::Scalar(op.operands[1]->shape().element_type());
  Values operands = {op.operands[0]};
  std::vector<SliceDim> slices;
  for (size_t d = 0; d < strides.size(); ++d) {
    const int64_t i = static_cast<int64_t>(d);
    slices.push_back({0, (*extents)[d], strides[d]});
    const std::vector<SliceDim> one = {{i, i + 1, 1}};
    Instruction* start = op.Emit(Opcode::kSlice, {op.operands[1]}, {{"slice", one}});
    operands.push_back(op.Emit(Opcode::kReshape, {start}, {}, &scalar));
  }
  const Shape window = Shape::Array(from.element_type(), *extents);
  Instruction* part =
      op.Emit(Opcode::kDynamicSlice, operands, {{"dynamic_slice_sizes", *extents}}, &window);
  op.Result(op.Emit(Opcode::kSlice, {part}, {{"slice", slices}}));
  return true;
}

void EmitForm(OpImport& op, const DynamicForm& form) {
  const size_t count = AttrCount(form);
  const size_t first =
      form.first > 0 || op.operands.size() < count ? form.first : op.operands.size() - count;
  if (op.operands.size() != first + count) {
    op.Expect(first + count);
    return;
  }
  const bool is_slice = form.emit == EmitSlice;
  if (is_slice && EmitSliceAtUnknownStart(op)) return;
  bool is_known = true;
  for (size_t i = 0; i < count; ++i) {
    const auto ints = op.KnownInts(first + i, fmt::format("its {}", form.attrs[i]));
    is_known &= ints.has_value();
    if (ints) op.Give(form.attrs[i], *ints);
  }
  if (!is_known) return;
  op.DropOperands(first);
  form.emit(op);
}

const DynamicForm* FindDynamicForm(std::string_view name) {
  for (const DynamicForm& form : kForms) {
    if (form.name == name) return &form;
  }
  return nullptr;
}

// `{0}` in a message is the first value after the condition.
std::string Message(OpImport& op) {
  std::string message(op.Word({"error_message"}));
  for (size_t i = 1; i < op.operands.size(); ++i) {
    const auto value = op.Known(op.operands[i]) ? op.KnownInts(i, "") : std::nullopt;
    const std::string place = fmt::format("{{{}}}", i - 1);
    const size_t at = message.find(place);
    if (at != std::string::npos && value && value->size() == 1) {
      message.replace(at, place.size(), std::to_string((*value)[0]));
    }
  }
  return message.empty() ? "it is false" : message;
}

// JAX's assertions about sizes: they hold, fail, or cannot be decided at import.
void EmitShapeAssertion(OpImport& op) {
  if (op.operands.empty()) {
    op.Expect(1);
    return;
  }
  const auto holds = op.KnownInts(0, "what it asserts");
  if (!holds) return;
  if (std::find(holds->begin(), holds->end(), 0) != holds->end()) {
    op.Fail(DiagCode::kVerifierRule, fmt::format("the assertion fails: {}", Message(op)));
  }
  op.Results({});
}

// Whether a result has an unknown size.
bool HasOpenResults(OpImport& op) {
  for (size_t i = 0; i < op.result_count(); ++i) {
    const Type* type = op.ResultType(i);
    if (type && !IsStatic(type->shape)) return true;
  }
  return false;
}

void EmitDynamic(OpImport& op) { EmitForm(op, *FindDynamicForm(op.row().name)); }

// Sizes one of which is -1: it follows from the number of elements.
void EmitComputeReshapeShape(OpImport& op) {
  if (!op.Expect(2)) return;
  const auto count = op.KnownInts(0, "the number of elements");
  auto sizes = op.KnownInts(1, "the sizes");
  if (!count || count->size() != 1 || !sizes) return;
  int64_t product = 1;
  const auto open = std::find(sizes->begin(), sizes->end(), -1);
  for (auto size = sizes->begin(); size != sizes->end(); ++size) {
    if (size != open && (*size < 0 || __builtin_mul_overflow(product, *size, &product))) {
      product = 0;
      break;
    }
  }
  const int64_t rest = product == 0 ? 0 : (*count)[0] / product;
  if (open == sizes->end() ? product != (*count)[0] : rest * product != (*count)[0]) {
    op.Fail(DiagCode::kOperandInvalid,
            fmt::format("{} elements have no such sizes as [{}]", (*count)[0],
                        fmt::join(sizes->begin(), sizes->end(), ", ")));
    return;
  }
  if (open != sizes->end()) *open = rest;
  const Shape shape = op.operands[1]->shape();
  Tensor result(shape, nullptr);
  ConvertElements(ElementType::kS64, reinterpret_cast<const std::byte*>(sizes->data()),
                  shape.element_type(), result.mutable_bytes(), result.element_count());
  op.Result(op.Constant(std::move(result)));
}

}  // namespace

bool EmitDynamicCall(OpImport& op, std::string_view target) {
  if (target == "shape_assertion") {
    EmitShapeAssertion(op);
    return true;
  }
  // If its result sizes are written it is an ordinary custom call.
  const bool is_top_k = target == "ApproxTopK" && HasOpenResults(op);
  const DynamicForm* form =
      target.starts_with("stablehlo.dynamic_") ? FindDynamicForm(target) : nullptr;
  if (!form && !is_top_k) return false;
  DropShapeOperands(op);
  if (is_top_k) {
    EmitApproxTopK(op);
  } else {
    EmitForm(op, *form);
  }
  return true;
}

namespace {

constexpr OpRow kDynamicRows[] = {
    {.name = "compute_reshape_shape",
     .form = {.layout = "%*",
              .sample = " `%num_elements`, `%dynamic_shape` : (tensor<i32>, tensor<2xi32>) -> "
                        "tensor<2xi32>"},
     .emit = EmitComputeReshapeShape},
    {.name = "dynamic_conv",
     .form = {.inherent = "batch_group_count dimension_numbers feature_group_count lhs_dilation "
                          "padding precision_config rhs_dilation window_reversal window_strides",
              .sample = "(`%lhs`, `%rhs`, `%padding`) <{batch_group_count = `1` : i64, "
                        "dimension_numbers = #stablehlo.conv<[`b, 0, 1, f`]x[`0, 1, i, o`]->[`b, "
                        "0, 1, f`]>, feature_group_count = `1` : i64}> : (tensor<1x8x8x1xf32>, "
                        "tensor<3x3x1x1xf32>, tensor<2x2xi64>) -> tensor<1x?x?x1xf32>"},
     .emit = EmitDynamic,
     .quantized = Quantized::kPerAxis},
    {.name = "dynamic_gather",
     .form = {.inherent = "dimension_numbers indices_are_sorted",
              .sample = "(`%operand`, `%start_indices`, `%slice_sizes`) <{dimension_numbers = "
                        "#stablehlo.gather<offset_dims = [`0`], collapsed_slice_dims = [`0`], "
                        "start_index_map = [`0`]>}> : (tensor<2x3xf32>, tensor<i32>, "
                        "tensor<2xi32>) -> tensor<?xf32>"},
     .emit = EmitDynamic},
    {.name = "dynamic_pad",
     .form = {.layout = "%*",
              .sample = " `%operand`, `%padding_value`, `%edge_padding_low`, "
                        "`%edge_padding_high`, `%interior_padding` : (tensor<4xf32>, "
                        "tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> "
                        "tensor<?xf32>"},
     .emit = EmitDynamic},
    {.name = "real_dynamic_slice",
     .form = {.layout = "%*",
              .sample = " `%operand`, `%start_indices`, `%limit_indices`, `%strides` : "
                        "(tensor<4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> "
                        "tensor<?xf32>"},
     .emit = EmitDynamic},
};

}  // namespace

std::span<const OpRow> DynamicRows() { return kDynamicRows; }

}  // namespace hlo::mlir
