#include "engine/views/mlir_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "engine/base/indices.h"
#include "engine/run/check_failure.h"
#include "engine/run/compare.h"
#include "engine/types/convert.h"
#include "engine/types/float_distance.h"

namespace hlo {
namespace {

// "name=number;" of the call's configuration.
double Setting(const OpCall& call, std::string_view name, double otherwise) {
  const std::string& config = call.String("backend_config");
  const size_t at = config.find(std::string(name) + "=");
  return at == std::string::npos ? otherwise
                                 : std::strtod(config.c_str() + at + name.size() + 1, nullptr);
}

[[noreturn]] void Refuse(const OpCall& call, std::string message) {
  throw CheckFailure(
      fmt::format("{} does not hold: {}", call.String("custom_call_target"), message));
}

void WantTwo(const OpCall& call, std::span<Value> args) {
  if (args.size() != 2 || !args[0].is_array() || !args[1].is_array() ||
      !Shape::Compatible(call.operand(0), call.operand(1))) {
    Refuse(call, "it takes two arrays of one type");
  }
}

void CheckWithin(const OpCall& call, std::span<Value> args, const Tolerance& tolerance) {
  WantTwo(call, args);
  if (const auto difference = Compare(args[0], args[1], tolerance)) {
    Refuse(call, difference->message);
  }
}

Value ExpectEqual(const OpCall& call, std::span<Value> args, EvalContext&) {
  CheckWithin(call, args, {});
  return Value::Tuple({});
}

Value ExpectAlmostEqual(const OpCall& call, std::span<Value> args, EvalContext&) {
  CheckWithin(call, args, {.abs = Setting(call, "tolerance", 1e-3)});
  return Value::Tuple({});
}

// One number of each array, and how far they are apart.
struct Pair {
  double actual = 0, expected = 0;
  uint64_t ulps = 0;
};

// The numbers at place i; NaN is at NaN, and far from everything else.
Pair PairAt(const Tensor& a, const Tensor& b, ElementType type, int64_t i) {
  const int bytes = BytesOf(type);
  Pair pair;
  const std::byte* left = a.bytes() + i * bytes;
  const std::byte* right = b.bytes() + i * bytes;
  const auto to_f64 = [type](const std::byte* from, double* to) {
    ConvertElements(type, from, ElementType::kF64, reinterpret_cast<std::byte*>(to), 1);
  };
  to_f64(left, &pair.actual);
  to_f64(right, &pair.expected);
  if (std::isnan(pair.actual) || std::isnan(pair.expected)) {
    pair.ulps = std::isnan(pair.actual) && std::isnan(pair.expected) ? 0 : UINT64_MAX;
  } else if (std::isinf(pair.actual) != std::isinf(pair.expected)) {
    pair.ulps = UINT64_MAX;
  } else {
    pair.ulps = UlpDistance(left, right, type);
  }
  return pair;
}

std::string IndexText(int64_t offset, const Dims& dims) {
  return fmt::format("{{{}}}", fmt::join(Unravel(offset, dims), ","));
}

// At most so many units in the last place apart, and at least so many somewhere.
Value ExpectClose(const OpCall& call, std::span<Value> args, EvalContext& context) {
  WantTwo(call, args);
  const ElementType type = ComponentType(call.operand(0).element_type());
  if (!IsFloat(type)) return ExpectEqual(call, args, context);
  const double most = Setting(call, "max_ulp_difference", 3);
  const double least = Setting(call, "min_ulp_difference", 0);
  const Tensor &actual = args[0].tensor(), &expected = args[1].tensor();
  const int64_t parts = IsComplex(actual.element_type()) ? 2 : 1;
  const int64_t count = actual.element_count() * parts;
  uint64_t largest = 0;
  int64_t first = -1, beyond = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (i % (1 << 16) == 0 && context.budget()) context.budget()->Poll();
    const uint64_t ulps = PairAt(actual, expected, type, i).ulps;
    largest = std::max(largest, ulps);
    if (static_cast<double>(ulps) <= most) continue;
    if (first < 0) first = i;
    ++beyond;
  }
  if (beyond > 0) {
    const Pair pair = PairAt(actual, expected, type, first);
    const double gap = std::fabs(pair.actual - pair.expected);
    Refuse(call, fmt::format("element {}: {:.17g}, expected {:.17g} (absolute {:.3g}, relative "
                             "{:.3g}, {}); {} of {} numbers are more than {:g} ulp off",
                             IndexText(first / parts, actual.dims()), pair.actual, pair.expected,
                             gap, gap / std::fabs(pair.expected),
                             pair.ulps == UINT64_MAX ? std::string("not to be told in ulp")
                                                     : fmt::format("{} ulp", pair.ulps),
                             beyond, count, most));
  }
  if (static_cast<double>(largest) < least) {
    Refuse(call, fmt::format("no element is off by more than {1} ulp, where {0:g} are expected",
                             least, largest));
  }
  return Value::Tuple({});
}

constexpr std::string_view kTwoArrays = "two arrays of one type";
constexpr std::string_view kNothing = "an empty tuple";
constexpr std::string_view kStableHloCheck = "StableHLO, dialect check";

constexpr BuiltInTarget kCheckTargets[] = {
    {.name = "check.expect_almost_eq",
     .operands = kTwoArrays,
     .result = kNothing,
     .doc = "Fails where elements are farther apart than the tolerance.",
     .config = "tolerance (otherwise 0.001)",
     .source = kStableHloCheck,
     .eval = ExpectAlmostEqual},
    {.name = "check.expect_close",
     .operands = kTwoArrays,
     .result = kNothing,
     .doc = "Fails where numbers are too many units in the last place apart, or none is as far "
            "apart as it should be.",
     .config = "max_ulp_difference (otherwise 3), min_ulp_difference (otherwise 0)",
     .source = kStableHloCheck,
     .eval = ExpectClose},
    {.name = "check.expect_eq",
     .aliases = "check.eq",
     .operands = kTwoArrays,
     .result = kNothing,
     .doc = "Fails where elements are not equal.",
     .source = kStableHloCheck,
     .eval = ExpectEqual},
};

}  // namespace

std::span<const BuiltInTarget> CheckTargets() { return kCheckTargets; }

}  // namespace hlo
