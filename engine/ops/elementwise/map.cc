// map: a scalar computation applied to the elements of arrays.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "engine/ops/control/region_signatures.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

// All dimensions, whatever was written.
// NOLINTNEXTLINE(performance-unnecessary-value-param): others change the text they get
std::string AllDimensions(const OpCall& call, std::string) {
  if (call.operand_count() == 0) return "{}";
  Dims all(static_cast<size_t>(call.operand(0).rank()));
  std::iota(all.begin(), all.end(), 0);
  return fmt::format("{{{}}}", fmt::join(all.begin(), all.end(), ","));
}

constexpr AttrDef kMapAttrs[] = {
    {.name = "dimensions",
     .kind = AttrKind::kInts,
     .use = AttrUse::kOptional,
     .doc = "All dimensions of the operands, in order: 0, 1, ...",
     .always_printed = true,
     .printed = AllDimensions},
    {.name = "to_apply",
     .kind = AttrKind::kRegion,
     .use = AttrUse::kRequired,
     .doc = "The computation: a scalar parameter per operand, a scalar result."},
};

// The map runs over all dimensions in order; no other choice exists.
void CheckDimensions(const OpCall& call, int rank, Diagnostics& out) {
  if (!call.Has("dimensions")) return;
  const Dims& dimensions = call.Ints("dimensions");
  bool ok = static_cast<int>(dimensions.size()) == rank;
  for (size_t i = 0; ok && i < dimensions.size(); ++i) {
    ok = dimensions[i] == static_cast<int64_t>(i);
  }
  // XLA reads them only if the shape is omitted; the map is over all dimensions anyway.
  if (ok || call.written()) return;
  ReportAttr(call, "dimensions", DiagCode::kDimensionNumbers,
             static_cast<int>(dimensions.size()) != rank
                 ? fmt::format("Map applied to a subset of dimensions currently not supported: "
                               "arg_dimension_size: {}, requested_map_dimensions_size: {}.",
                               rank, dimensions.size())
                 : fmt::format("Map requires monotonically increasing dimension numbers; got: {}.",
                               fmt::join(dimensions, ", ")),
             out);
}

/// Each parameter is a scalar of its operand's element type, up to the width of floats.
void CheckMapped(const OpCall& call, const Region& region, Diagnostics& out) {
  const int count = std::min(call.operand_count(), region.parameter_count());
  auto fail = [&](std::string_view message) {
    ReportAttr(call, "to_apply", DiagCode::kComputationSignature, message, out);
  };
  for (int i = 0; i < count; ++i) {
    if (!call.operand(i).IsArray()) continue;
    const Shape& parameter = region.parameter_shape(i);
    if (!parameter.IsScalar()) {
      fail(
          fmt::format("Mapped computation's parameter has to be a scalar; got parameter {} shape: "
                      "{}.",
                      i, ShapeName(parameter)));
    } else if (!SameTypeUpToFloatWidth(parameter.element_type(), call.operand(i).element_type())) {
      fail(
          fmt::format("Mapped computation's parameter type has to match argument element type; "
                      "got parameter {} shape: {}, argument shape: {}.",
                      i, ShapeName(parameter), ShapeName(call.operand(i))));
    }
  }
}

/// All operands have the dimensions of the first.
void CheckMapOperands(const OpCall& call, Diagnostics& out) {
  std::vector<std::string> shapes;
  bool same = true;
  for (int i = 0; i < call.operand_count(); ++i) {
    shapes.push_back(ShapeName(call.operand(i)));
    same &= SameDims(call.operand(i), call.operand(0));
  }
  if (same) return;
  ReportOp(call, DiagCode::kOperandInvalid,
           fmt::format("Map operation requires all operands to have the same shape; got: {}.",
                       fmt::join(shapes, ", ")),
           out);
}

std::optional<Shape> InferMap(const OpCall& call, Diagnostics& out) {
  if (!CheckArrays(call, out)) return std::nullopt;
  const Shape& first = call.operand(0);
  CheckMapOperands(call, out);
  CheckDimensions(call, first.rank(), out);
  const Region* region = call.GetRegion("to_apply");
  if (region == nullptr) return std::nullopt;
  if (region->parameter_count() != call.operand_count()) {
    ReportAttr(call, "to_apply", DiagCode::kComputationSignature,
               fmt::format("Map applied function arity must match number of arguments; got: arity: "
                           "{}, arguments: {}.",
                           region->parameter_count(), call.operand_count()),
               out);
  }
  CheckMapped(call, *region, out);
  CheckParameterTypes(call, "to_apply", *region, out);
  if (!region->result_shape().IsScalar()) {
    ReportAttr(call, "to_apply", DiagCode::kComputationSignature,
               fmt::format("Mapped computation's result has to be a scalar; got: {}.",
                           ShapeName(region->result_shape())),
               out);
    return std::nullopt;
  }
  Shape result = first;
  result.set_element_type(region->result_shape().element_type());
  result.set_layout(Layout::Descending(result.rank()));
  return result;
}

ElementType TypeOfMapOperand(const OpCall& call, int i) {
  return call.GetRegion("to_apply")->parameter_shape(i).element_type();
}

Value EvalMap(const OpCall& call, std::span<Value> args, EvalContext& context) {
  // Elements per application; the clock is polled in between.
  constexpr int64_t kBlock = 1 << 14;
  Budget* const budget = context.budget();
  const Region& region = *call.GetRegion("to_apply");
  RegionFunction& function = context.Function(region);
  Dims live = call.shape().dims();
  std::vector<const std::byte*> at;
  for (size_t i = 0; i < args.size(); ++i) {
    const Tensor& tensor = args[i].tensor();
    MeetLiveDims(tensor, &live);
    at.push_back(tensor.bytes());
  }
  Tensor result(call.shape(), budget);
  std::byte* out = result.mutable_bytes();
  for (int64_t left = result.element_count(); left > 0; left -= kBlock) {
    const int64_t n = std::min(left, kBlock);
    function.Apply(n, at, std::span<std::byte* const>(&out, 1));
    for (size_t i = 0; i < args.size(); ++i) {
      at[i] += n * BytesOf(args[i].tensor().element_type());
    }
    out += n * BytesOf(result.element_type());
    budget->Poll();
  }
  SetLiveDims(&result, live);
  return result;
}

}  // namespace

namespace ops {

constinit const OpDef kMap{
    .doc = "Applies a computation of scalars to the elements of the operands.",
    .source = "operation semantics, Map",
    .operands = kOperand,
    .types = "all element types",
    .attrs = kMapAttrs,
    .infer = InferMap,
    .eval = EvalMap,
    .elementwise = true,
    .floats = FloatWidths::kOfRegion,
    .operand_type = TypeOfMapOperand,
    .applies_region = true,
    .signature = MapSignature,
};

}  // namespace ops
}  // namespace hlo
