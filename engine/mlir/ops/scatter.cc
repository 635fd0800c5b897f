// gather, scatter. HLO drops a whole update window that is partly out of bounds; StableHLO drops
// only the elements that are. Where this can matter, elements are scattered instead of windows.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "engine/mlir/ops/families.h"
#include "engine/mlir/ops/scatter_windows.h"
#include "engine/mlir/text/mlir_text.h"

namespace hlo::mlir {
namespace {

bool Has(const Dims& dims, int64_t d) {
  return std::find(dims.begin(), dims.end(), d) != dims.end();
}

// What XLA does not look at: batching dimensions have the sizes of those of the indices, which do
// not map to them. Source: StableHLO, TypeInference.cpp, verifyGather and
// validateScatterDimensionNumbers.
std::string BatchProblem(const Dims& map, const Dims& batch, const Shape& operand,
                         const Dims& indices_batch, const Shape& indices) {
  const auto size_of = [](const Shape& shape, int64_t d) {
    return d >= 0 && d < shape.rank() ? shape.dims()[static_cast<size_t>(d)] : -1;
  };
  for (size_t i = 0; i < std::min(batch.size(), indices_batch.size()); ++i) {
    const int64_t size = size_of(operand, batch[i]), given = size_of(indices, indices_batch[i]);
    if (size >= 0 && given >= 0 && size != given) {
      return fmt::format(
          "batching dimensions {} of the operand and {} of the indices must have compatible sizes, "
          "but got {} and {}",
          batch[i], indices_batch[i], size, given);
    }
    if (!Has(map, batch[i])) continue;
    return fmt::format(
        "has duplicated dimension from the map of the indices and the batching dimensions: {}",
        batch[i]);
  }
  return "";
}

void CheckBatch(OpImport& op, const Dims& map, const Dims& batch, const Shape& operand,
                const Dims& indices_batch, const Shape& indices) {
  const std::string problem = BatchProblem(map, batch, operand, indices_batch, indices);
  if (!problem.empty()) op.Fail(DiagCode::kDimensionNumbers, problem);
}

// Whether StableHLO has batching dimensions like these.
bool HasBatch(OpExport& op, std::string_view map, std::string_view batch, int indices,
              std::string_view indices_batch) {
  const OpCall& call = op.call();
  if (BatchProblem(call.Ints(map), call.Ints(batch), call.operand(0), call.Ints(indices_batch),
                   call.operand(indices))
          .empty()) {
    return true;
  }
  op.NoCounterpart("batching dimensions of other sizes, or that the indices say the start of");
  return false;
}

}  // namespace

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
  if (const Dims dims = ints("operand_batching_dims"); !dims.empty() && op.Expect(2)) {
    const Dims of_indices = ints("start_indices_batching_dims");
    CheckBatch(op, ints("start_index_map"), dims, op.operands[0]->shape(), of_indices,
               op.operands[1]->shape());
    attrs.Add({"operand_batching_dims", dims});
    attrs.Add({"start_indices_batching_dims", of_indices});
  }
  op.Result(op.Emit(Opcode::kGather, op.operands, std::move(attrs)));
}

namespace {

void WriteGather(OpExport& op) {
  const OpCall& call = op.call();
  if (!HasBatch(op, "start_index_map", "operand_batching_dims", 1, "start_indices_batching_dims")) {
    return;
  }
  std::string numbers = "#stablehlo.gather<";
  AppendList("offset_dims", call.Ints("offset_dims"), &numbers);
  AppendList("collapsed_slice_dims", call.Ints("collapsed_slice_dims"), &numbers);
  AppendList("operand_batching_dims", call.Ints("operand_batching_dims"), &numbers);
  AppendList("start_indices_batching_dims", call.Ints("start_indices_batching_dims"), &numbers);
  AppendList("start_index_map", call.Ints("start_index_map"), &numbers);
  op.Set(
      op.Write({"stablehlo.gather",
                fmt::format("dimension_numbers = {}, index_vector_dim = {}>, indices_are_sorted = "
                            "{}, slice_sizes = {}",
                            numbers, call.Int("index_vector_dim"), call.Bool("indices_are_sorted"),
                            I64Array(call.Ints("slice_sizes")))},
               op.Operands()));
}

bool HasTwice(Dims dims) {
  std::sort(dims.begin(), dims.end());
  return std::adjacent_find(dims.begin(), dims.end()) != dims.end();
}

struct Numbers {
  Dims window, inserted, map, batch, indices_batch;
  int64_t vector_dim = 0;
};

// For each operand dimension, the updates dimension that runs through its window; -1 if the window
// has none.
Dims WindowDims(const Numbers& numbers, int rank) {
  Dims result;
  size_t next = 0;
  for (int64_t d = 0; d < rank; ++d) {
    const bool has = !Has(numbers.inserted, d) && !Has(numbers.batch, d);
    result.push_back(has && next < numbers.window.size() ? numbers.window[next++] : -1);
  }
  return result;
}

// Whether the dimension numbers fit the shapes; if not, HLO's own rule reports why.
bool Fits(const Numbers& numbers, const Shape& operand, const Shape& indices,
          const Shape& updates) {
  const auto below = [](const Dims& dims, int64_t limit) {
    return std::all_of(dims.begin(), dims.end(), [&](int64_t d) { return d >= 0 && d < limit; });
  };
  const auto is_ordered = [](const Dims& dims) {
    return std::adjacent_find(dims.begin(), dims.end(), std::greater_equal<>()) == dims.end();
  };
  if (!is_ordered(numbers.window) || !is_ordered(numbers.inserted) || !is_ordered(numbers.batch)) {
    return false;
  }
  if (numbers.vector_dim < 0 || numbers.vector_dim > indices.rank()) return false;
  Dims starts = indices.dims(), scattered = updates.dims();
  int64_t components = 1;
  if (numbers.vector_dim < indices.rank()) {
    components = indices.dim(static_cast<int>(numbers.vector_dim));
    starts.erase(starts.begin() + numbers.vector_dim);
  }
  const bool is_below =
      below(numbers.window, updates.rank()) && below(numbers.inserted, operand.rank()) &&
      below(numbers.map, operand.rank()) && below(numbers.batch, operand.rank()) &&
      below(numbers.indices_batch, indices.rank()) &&
      numbers.batch.size() == numbers.indices_batch.size() &&
      numbers.window.size() + numbers.inserted.size() + numbers.batch.size() ==
          operand.dims().size() &&
      static_cast<int64_t>(numbers.map.size()) == components;
  if (!is_below || HasTwice(numbers.map) || HasTwice(numbers.indices_batch) ||
      Has(numbers.indices_batch, numbers.vector_dim)) {
    return false;
  }
  for (size_t i = 0; i < numbers.batch.size(); ++i) {
    const int64_t d = numbers.batch[i];
    if (Has(numbers.inserted, d) || Has(numbers.map, d) ||
        operand.dim(static_cast<int>(d)) !=
            indices.dim(static_cast<int>(numbers.indices_batch[i]))) {
      return false;
    }
  }
  const Dims windows = WindowDims(numbers, operand.rank());
  for (size_t d = 0; d < windows.size(); ++d) {
    if (windows[d] >= 0 && updates.dim(static_cast<int>(windows[d])) > operand.dims()[d])
      return false;
  }
  for (size_t i = numbers.window.size(); i-- > 0;) {
    scattered.erase(scattered.begin() + numbers.window[i]);
  }
  return scattered == starts;
}

// The index vectors of all elements of the updates: their dimensions, then one for the components.
Instruction* ElementIndices(OpImport& op, const Numbers& numbers, const Shape& operand,
                            Instruction* indices, const Shape& updates, const Dims& windows) {
  const Shape wide = Shape::Array(ElementType::kS64, indices->shape().dims());
  const Shape places = Shape::Array(ElementType::kS64, updates.dims());
  Dims with_vector = updates.dims();
  with_vector.push_back(1);
  const Shape component = Shape::Array(ElementType::kS64, with_vector);
  if (indices->shape().element_type() == ElementType::kU64) {
    // Out of bounds for every array, and not negative as s64.
    Instruction* limit = op.Constant(Tensor::Scalar<uint64_t>(uint64_t{1} << 62));
    indices = op.Emit(Opcode::kMinimum,
                      {indices, op.Emit(Opcode::kBroadcast, {limit}, {{"dimensions", Dims{}}},
                                        indices ? &indices->shape() : nullptr)});
  }
  indices = op.Emit(Opcode::kConvert, {indices}, {}, &wide);
  Dims scatter_dims;  // of the updates, in the order of the indices' dimensions
  for (int64_t d = 0; d < updates.rank(); ++d) {
    if (!Has(numbers.window, d)) scatter_dims.push_back(d);
  }
  Values components;
  for (int64_t d = 0; d < operand.rank(); ++d) {
    Instruction* place = nullptr;
    auto add = [&](Instruction* term) {
      place = place ? op.Emit(Opcode::kAdd, {place, term}) : term;
    };
    auto iota = [&](int64_t along) {
      return op.Emit(Opcode::kIota, {}, {{"iota_dimension", along}}, &places);
    };
    const auto at = std::find(numbers.map.begin(), numbers.map.end(), d);
    if (at != numbers.map.end()) {
      const int64_t k = at - numbers.map.begin();
      std::vector<SliceDim> slices;
      Dims rest;
      for (int64_t i = 0; i < wide.rank(); ++i) {
        const int64_t size = wide.dim(static_cast<int>(i));
        slices.push_back(i == numbers.vector_dim ? SliceDim{k, k + 1, 1} : SliceDim{0, size, 1});
        if (i != numbers.vector_dim) rest.push_back(size);
      }
      const Shape start_shape = Shape::Array(ElementType::kS64, rest);
      Instruction* start =
          op.Emit(Opcode::kReshape, {op.Emit(Opcode::kSlice, {indices}, {{"slice", slices}})}, {},
                  &start_shape);
      add(op.Emit(Opcode::kBroadcast, {start}, {{"dimensions", scatter_dims}}, &places));
    }
    const auto batch = std::find(numbers.batch.begin(), numbers.batch.end(), d);
    if (batch != numbers.batch.end()) {
      int64_t i = numbers.indices_batch[static_cast<size_t>(batch - numbers.batch.begin())];
      if (i > numbers.vector_dim) --i;
      add(iota(scatter_dims[static_cast<size_t>(i)]));
    }
    if (windows[static_cast<size_t>(d)] >= 0) add(iota(windows[static_cast<size_t>(d)]));
    if (!place) {
      Instruction* zero = op.Constant(Tensor::Scalar<int64_t>(0));
      place = op.Emit(Opcode::kBroadcast, {zero}, {{"dimensions", Dims{}}}, &places);
    }
    components.push_back(op.Emit(Opcode::kReshape, {place}, {}, &component));
  }
  return op.Emit(Opcode::kConcatenate, components,
                 {{"dimensions", Dims{static_cast<int64_t>(updates.rank())}}});
}

void EmitScatter(OpImport& op) {
  const Attr* attr = op.Find({"scatter_dimension_numbers"});
  const size_t count = op.operands.size() / 2;
  if (!attr || op.operands.size() < 3 || op.operands.size() % 2 == 0) {
    op.Fail(DiagCode::kAttributeMissing,
            "expects operands, indices and updates, and scatter_dimension_numbers");
    return;
  }
  auto ints = [&](std::string_view name) { return op.IntsOf(attr->Find(name)); };
  const Attr* vector_dim = attr->Find("index_vector_dim");
  Numbers numbers{ints("update_window_dims"),
                  ints("inserted_window_dims"),
                  ints("scatter_dims_to_operand_dims"),
                  ints("input_batching_dims"),
                  ints("scatter_indices_batching_dims"),
                  vector_dim ? vector_dim->integer : 0};
  const Shape operand = op.operands[0]->shape(), updates = op.operands[count + 1]->shape();
  Instruction*& indices = op.operands[count];
  CheckBatch(op, numbers.map, numbers.batch, operand, numbers.indices_batch, indices->shape());
  if (operand.IsArray() && updates.IsArray() && indices->shape().IsArray() &&
      IsIntegral(indices->shape().element_type()) && updates.rank() < 31 &&
      Fits(numbers, operand, indices->shape(), updates)) {
    const Dims windows = WindowDims(numbers, operand.rank());
    Dims sizes;
    for (int64_t d : windows) sizes.push_back(d < 0 ? 1 : updates.dim(static_cast<int>(d)));
    const Attr* kept = op.Find({"mhlo.frontend_attributes"});
    const bool is_whole = kept && kept->Find(kWholeWindows);
    if (!is_whole && MayStandOut(operand, *indices, numbers.map, sizes)) {
      indices = ElementIndices(op, numbers, operand, indices, updates, windows);
      numbers = Numbers{};
      for (int64_t d = 0; d < operand.rank(); ++d) {
        numbers.inserted.push_back(d);
        numbers.map.push_back(d);
      }
      numbers.vector_dim = updates.rank();
    }
  }
  const hlo::Region* region = op.RegionOf(0);
  op.PromoteFolded(region, count + 1);
  Attrs attrs = {{"update_window_dims", numbers.window},
                 {"inserted_window_dims", numbers.inserted},
                 {"scatter_dims_to_operand_dims", numbers.map},
                 {"index_vector_dim", numbers.vector_dim},
                 {"indices_are_sorted", op.Bool({"indices_are_sorted"})},
                 {"unique_indices", op.Bool({"unique_indices"})},
                 {"to_apply", region}};
  if (!numbers.batch.empty()) {
    attrs.Add({"input_batching_dims", numbers.batch});
    attrs.Add({"scatter_indices_batching_dims", numbers.indices_batch});
  }
  op.SplitResult(op.Emit(Opcode::kScatter, op.operands, std::move(attrs)));
}

// The size of the window in each dimension of the operand.
Dims WindowSizes(const OpCall& call) {
  const Dims& window = call.Ints("update_window_dims");
  const Shape& updates = call.operand(call.operand_count() / 2 + 1);
  const auto has = [](const Dims& dims, int64_t d) {
    return std::find(dims.begin(), dims.end(), d) != dims.end();
  };
  Dims sizes;
  size_t next = 0;
  for (int64_t d = 0; d < call.operand(0).rank(); ++d) {
    const bool is_inside =
        has(call.Ints("inserted_window_dims"), d) || has(call.Ints("input_batching_dims"), d);
    sizes.push_back(is_inside ? 1 : updates.dim(static_cast<int>(window[next++])));
  }
  return sizes;
}

// HLO drops a whole update window that is partly out of bounds; StableHLO drops only the elements
// that are. Where this can matter, the starts of such windows are moved past the end of the
// operand.
Ssa WholeWindows(OpExport& op, Ssa indices, const Dims& sizes) {
  const OpCall& call = op.call();
  const Shape& operand = call.operand(0);
  const Dims& map = call.Ints("scatter_dims_to_operand_dims");
  const int64_t vector_dim = call.Int("index_vector_dim");
  const bool has_vector = vector_dim < indices.type->rank();
  Dims limits, ends;  // of the starts, by component
  for (int64_t d : map) {
    limits.push_back(operand.dim(static_cast<int>(d)) - sizes[static_cast<size_t>(d)]);
    ends.push_back(operand.dim(static_cast<int>(d)));
  }
  // Index types that cannot represent that.
  if (BitsOf(indices.type->element_type()) < 32) indices = op.Convert(indices, ElementType::kS64);
  const ElementType type = indices.type->element_type();
  const Dims dims = indices.type->dims();
  const auto spread = [&](const Dims& values) {
    const Ssa vector = has_vector ? op.Integers(type, values) : op.Integer(type, values[0]);
    return op.Make("stablehlo.broadcast_in_dim", {vector}, Shape::Array(type, dims),
                   "broadcast_dimensions = " + I64Array(has_vector ? Dims{vector_dim} : Dims{}));
  };
  const Shape mask = Shape::Array(ElementType::kPred, dims);
  const auto compare = [&](std::string_view direction, const Ssa& with) {
    return op.Make("stablehlo.compare", {indices, with}, mask,
                   CompareAttrs(direction, IsSigned(type) ? "SIGNED" : "UNSIGNED"));
  };
  const Ssa low = compare("GE", op.Integer(type, 0, dims));
  Ssa inside = op.Make("stablehlo.and", {low, compare("LE", spread(limits))}, mask);
  if (has_vector) {
    Dims rest = dims, kept;
    rest.erase(rest.begin() + vector_dim);
    for (int64_t i = 0; i < static_cast<int64_t>(dims.size()); ++i) {
      if (i != vector_dim) kept.push_back(i);
    }
    inside = op.MakeAll(inside, vector_dim, Shape::Array(ElementType::kPred, rest));
    inside = op.Make("stablehlo.broadcast_in_dim", {inside}, mask,
                     "broadcast_dimensions = " + I64Array(kept));
  }
  return op.Make("stablehlo.select", {inside, indices, spread(ends)}, Shape::Array(type, dims));
}

void WriteScatter(OpExport& op) {
  const OpCall& call = op.call();
  const int count = op.op().operand_count() / 2;
  if (!HasBatch(op, "scatter_dims_to_operand_dims", "input_batching_dims", count,
                "scatter_indices_batching_dims")) {
    return;
  }
  std::string numbers = "#stablehlo.scatter<";
  AppendList("update_window_dims", call.Ints("update_window_dims"), &numbers);
  AppendList("inserted_window_dims", call.Ints("inserted_window_dims"), &numbers);
  AppendList("input_batching_dims", call.Ints("input_batching_dims"), &numbers);
  AppendList("scatter_indices_batching_dims", call.Ints("scatter_indices_batching_dims"), &numbers);
  AppendList("scatter_dims_to_operand_dims", call.Ints("scatter_dims_to_operand_dims"), &numbers);
  const Dims sizes = WindowSizes(call);
  Leaves operands = op.Operands();
  bool is_known = false;
  for (const KeyValue& entry : call.Keys("frontend_attributes")) {
    is_known = is_known || entry.key == kWholeWindows;
  }
  if (!is_known && MayStandOut(call.operand(0), *op.op().operand(count),
                               call.Ints("scatter_dims_to_operand_dims"), sizes)) {
    operands[static_cast<size_t>(count)] = WholeWindows(op, op.In(count), sizes);
    op.Keep(kWholeWindows, "true");
  }
  op.Set(op.Write({"stablehlo.scatter",
                   fmt::format("indices_are_sorted = {}, scatter_dimension_numbers = "
                               "{}, index_vector_dim = {}>, unique_indices = {}",
                               call.Bool("indices_are_sorted"), numbers,
                               call.Int("index_vector_dim"), call.Bool("unique_indices")),
                   {&op.Region("to_apply")}},
                  operands));
}

constexpr OpRow kScatterRows[] = {
    {.name = "gather",
     .opcode = Opcode::kGather,
     .form = {.inherent = "dimension_numbers indices_are_sorted slice_sizes",
              .sample = "(`%operand`, `%start_indices`) <{dimension_numbers = "
                        "#stablehlo.gather<offset_dims = [`0`], collapsed_slice_dims = [`0`], "
                        "start_index_map = [`0`], index_vector_dim = `0`>, slice_sizes = "
                        "array<i64: `1, 3`>}> : (tensor<2x3xf32>, tensor<1xi32>) -> "
                        "tensor<3xf32>"},
     .emit = EmitGather,
     .write = WriteGather},
    {.name = "scatter",
     .opcode = Opcode::kScatter,
     .form = {.inherent = "indices_are_sorted scatter_dimension_numbers unique_indices",
              .sample = "(`%operand`, `%scatter_indices`, `%update`) <{scatter_dimension_numbers "
                        "= #stablehlo.scatter<update_window_dims = [`0`], inserted_window_dims = "
                        "[`0`], scatter_dims_to_operand_dims = [`0`], index_vector_dim = `0`>}> "
                        "($reducer) : (tensor<2x3xf32>, tensor<1xi32>, tensor<3xf32>) -> "
                        "tensor<2x3xf32>"},
     .emit = EmitScatter,
     .write = WriteScatter,
     .mixing = Mixing::kUpdated},
};

}  // namespace

std::span<const OpRow> ScatterRows() { return kScatterRows; }

}  // namespace hlo::mlir
