// Checks of the computations that ops call; declared in shape_checks.h.
#include <fmt/format.h>

#include <algorithm>

#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

/// Result element i of a region's result: itself, or the tuple's element; null if there is none.
const Shape* ResultElement(const Shape& result, int i) {
  if (!result.IsTuple()) return i == 0 ? &result : nullptr;
  return static_cast<size_t>(i) < result.elements().size()
             ? &result.elements()[static_cast<size_t>(i)]
             : nullptr;
}

}  // namespace

bool CheckParameterCount(const OpCall& call, std::string_view attr, const Region& region, int count,
                         Diagnostics& out) {
  if (region.parameter_count() == count) return true;
  ReportAttr(call, attr, DiagCode::kComputationSignature,
             fmt::format("Expected computation {} called from {} to have {} parameters, has {}",
                         region.region_name(), call.name(), count, region.parameter_count()),
             out);
  return false;
}

bool CheckArgument(const OpCall& call, std::string_view attr, const Region& region, int i,
                   int operand, Diagnostics& out) {
  const Shape& given = call.operand(operand);
  const Shape& wanted = region.parameter_shape(i);
  if (call.SameShapes(given, wanted)) return true;
  const auto text = [&](const Shape& s) {
    return call.layout_sensitive() ? ShapeText(s) : ShapeName(s);
  };
  ReportAttr(call, attr, DiagCode::kComputationSignature,
             fmt::format("Operand {} shape does not match parameter's {} of {} in {}: {} and {}",
                         operand, i, region.region_name(), call.name(), text(given), text(wanted)),
             out);
  return false;
}

bool CheckParameterTypes(const OpCall& call, std::string_view attr, const Region& region,
                         Diagnostics& out) {
  if (call.allow_mixed_precision()) return true;
  bool ok = true;
  const int count = std::min(call.operand_count(), region.parameter_count());
  for (int i = 0; i < count; ++i) {
    const Shape& wanted = region.parameter_shape(i);
    if (!call.operand(i).IsArray() || !wanted.IsArray() ||
        wanted.element_type() == call.operand(i).element_type()) {
      continue;
    }
    ReportAttr(
        call, attr, DiagCode::kMixedPrecision,
        fmt::format("Shape mismatch between to_apply computation parameter and operand {} in "
                    "{}: {} and {}",
                    i, call.name(), ShapeName(wanted), ShapeName(call.operand(i))),
        out);
    ok = false;
  }
  return ok;
}

ElementType ResultType(const Region& region, int i) {
  const Shape* element = ResultElement(region.result_shape(), i);
  return element ? element->element_type() : ElementType::kPred;
}

namespace {

/// One accumulator of a reducer: result i, parameter i, parameter n + i, initial value, input.
bool CheckAccumulator(const OpCall& call, std::string_view attr, const Region& region, int i, int n,
                      const Shape& input, const Shape& init, Diagnostics& out) {
  const Shape& result = *ResultElement(region.result_shape(), i);
  const Shape& accumulator = region.parameter_shape(i);
  const Shape& element = region.parameter_shape(n + i);
  const Shape input_element = Shape::Scalar(input.element_type());
  bool ok = true;
  auto fail = [&](const std::string& message) {
    ReportAttr(call, attr, DiagCode::kComputationSignature, message, out);
    ok = false;
  };
  if (!Shape::Compatible(result, accumulator)) {
    fail(fmt::format(
        "Reduction function's {}-th parameter shape differs from the result shape: {} vs {}", i,
        ShapeName(accumulator), ShapeName(result)));
  }
  if (!CompatibleUpToFloatWidth(result, init)) {
    fail(
        fmt::format("Reduction function's accumulator shape at index {} differs from the "
                    "init_value shape: {} vs {}",
                    i, ShapeName(result), ShapeName(init)));
  }
  if (!CompatibleUpToFloatWidth(input_element, element)) {
    fail(
        fmt::format("Reduction function's {}-th parameter shape differs from the input type "
                    "element type: {} vs {}",
                    n + i, ShapeName(element), ShapeName(input_element)));
  } else if (!CompatibleUpToFloatWidth(result, element)) {
    fail(
        fmt::format("Reduction function's {}-th parameter shape must match the result shape, but "
                    "got {} vs {}.",
                    n + i, ShapeName(element), ShapeName(result)));
  }
  return ok;
}

/// The result is one scalar, or for several inputs a tuple of as many scalars. Returns nothing on
/// success.
std::string ReducerResultFault(const Shape& result, size_t inputs) {
  if (result.IsTuple()) {
    if (result.elements().size() != inputs) {
      return fmt::format(
          "Reduction function must produce a tuple with {} elements, but has {} elements", inputs,
          result.elements().size());
    }
    for (const Shape& element : result.elements()) {
      if (!element.IsScalar()) {
        return fmt::format(
            "Reduction function must return a scalar or tuple of scalars but returns shape: {}",
            ShapeName(result));
      }
    }
    return "";
  }
  if (!result.IsArray()) {
    return fmt::format(
        "Reduction function must produce a scalar or tuple of scalars, but has shape: {}",
        ShapeName(result));
  }
  if (inputs != 1) {
    return fmt::format(
        "Reduction function must produce a tuple with {} elements, but produces a scalar", inputs);
  }
  if (result.rank() == 0) return "";
  return fmt::format(
      "Reduction function must return a scalar or tuple of scalars but returns shape: {}",
      ShapeName(result));
}

}  // namespace

bool CheckReducer(const OpCall& call, std::string_view attr, std::span<const Shape* const> inputs,
                  std::span<const Shape* const> inits, Diagnostics& out) {
  const Region* region = call.GetRegion(attr);
  if (!region) return false;
  const int n = static_cast<int>(inputs.size());
  auto fail = [&](std::string_view message) {
    ReportAttr(call, attr, DiagCode::kComputationSignature, message, out);
    return false;
  };
  if (region->parameter_count() != 2 * n) {
    return fail(
        fmt::format("Reduction function must take {} parameters, but takes {} parameter(s).", 2 * n,
                    region->parameter_count()));
  }
  const std::string fault = ReducerResultFault(region->result_shape(), inputs.size());
  if (!fault.empty()) return fail(fault);
  bool ok = true;
  for (int i = 0; i < n; ++i) {
    const size_t at = static_cast<size_t>(i);
    ok &= CheckAccumulator(call, attr, *region, i, n, *inputs[at], *inits[at], out);
  }
  return ok;
}

}  // namespace hlo
