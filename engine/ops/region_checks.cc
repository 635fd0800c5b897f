// Checks of the computations that ops call; declared in shape_checks.h.
#include <fmt/format.h>

#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

/// Result element i of a region's result: itself, or the tuple's element; null when there is none.
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
             fmt::format("expects a computation with {} parameters, but {} has {}", count,
                         region.region_name(), region.parameter_count()),
             out);
  return false;
}

bool CheckParameter(const OpCall& call, std::string_view attr, const Region& region, int i,
                    const Shape& expected, Diagnostics& out, bool any_float) {
  const Shape& actual = region.parameter_shape(i);
  if (any_float ? CompatibleUpToFloatWidth(actual, expected)
                : Shape::Compatible(actual, expected)) {
    return true;
  }
  ReportAttr(call, attr, DiagCode::kComputationSignature,
             fmt::format("expects parameter {} of {} to be {}, but it is {}", i,
                         region.region_name(), ShapeName(expected), ShapeName(actual)),
             out);
  return false;
}

bool CheckResult(const OpCall& call, std::string_view attr, const Region& region,
                 const Shape& expected, Diagnostics& out) {
  if (Shape::Compatible(region.result_shape(), expected)) return true;
  ReportAttr(call, attr, DiagCode::kComputationSignature,
             fmt::format("expects the result of {} to be {}, but it is {}", region.region_name(),
                         ShapeName(expected), ShapeName(region.result_shape())),
             out);
  return false;
}

ElementType ResultType(const Region& region, int i) {
  const Shape* element = ResultElement(region.result_shape(), i);
  return element ? element->element_type() : ElementType::kPred;
}

namespace {

/// One accumulator of a reducer: result i, parameter i, parameter n + i, initial value, input.
bool CheckAccumulator(const OpCall& call, std::string_view attr, const Region& region, int i, int n,
                      const Shape& input, const Shape& init, Diagnostics& out) {
  const Shape* result = ResultElement(region.result_shape(), i);
  auto fail = [&](std::string message) {
    ReportAttr(call, attr, DiagCode::kComputationSignature, message, out);
    return false;
  };
  if (!result || !result->IsScalar()) {
    return fail(
        fmt::format("a reducer returns a scalar or a tuple of {} scalars, but {} returns {}", n,
                    region.region_name(), ShapeName(region.result_shape())));
  }
  bool ok = CheckParameter(call, attr, region, i, *result, out);
  if (!CompatibleUpToFloatWidth(*result, init)) {
    ok = fail(fmt::format("accumulator {} of {} is {}, but its initial value is {}", i,
                          region.region_name(), ShapeName(*result), ShapeName(init)));
  }
  Shape element = Shape::Scalar(input.element_type());
  ok &= CheckParameter(call, attr, region, n + i, element, out, /*any_float=*/true) &&
        CheckParameter(call, attr, region, n + i, *result, out, /*any_float=*/true);
  return ok;
}

}  // namespace

bool CheckReducer(const OpCall& call, std::string_view attr, std::span<const Shape* const> inputs,
                  std::span<const Shape* const> inits, Diagnostics& out) {
  const Region* region = call.GetRegion(attr);
  if (!region) return false;
  int n = static_cast<int>(inputs.size());
  if (!CheckParameterCount(call, attr, *region, 2 * n, out)) return false;
  const Shape& result = region->result_shape();
  size_t results = result.IsTuple() ? result.elements().size() : 1;
  if (results != inputs.size()) {
    ReportAttr(call, attr, DiagCode::kComputationSignature,
               fmt::format("a reducer of {} inputs returns {} values, but {} returns {}", n, n,
                           region->region_name(), ShapeName(result)),
               out);
    return false;
  }
  bool ok = true;
  for (int i = 0; i < n; ++i) {
    size_t at = static_cast<size_t>(i);
    ok &= CheckAccumulator(call, attr, *region, i, n, *inputs[at], *inits[at], out);
  }
  return ok;
}

}  // namespace hlo
