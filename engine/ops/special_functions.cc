#include "engine/ops/special_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "engine/base/bits.h"
#include "engine/types/convert.h"

namespace hlo {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kPi = 3.14159265358979323846;

[[noreturn]] void Refuse(const OpCall& call, std::string_view what) {
  throw RunError(DiagCode::kRuntimeError, fmt::format("custom-call to {} takes {}",
                                                      call.String("custom_call_target"), what));
}

void CheckFloats(const OpCall& call, int count, ElementType result) {
  bool ok = call.operand_count() == count;
  for (int i = 0; ok && i < count; ++i) {
    const Shape& operand = call.operand(i);
    ok = operand.IsArray() && ClassOf(operand.element_type()) == TypeClass::kFloat &&
         Shape::Compatible(operand, call.operand(0));
  }
  if (ok) ok = Shape::Compatible(call.shape(), Shape::Array(result, call.operand(0).dims()));
  if (ok) return;
  Refuse(call, fmt::format("{} of floats and gives {} of the same dimensions",
                           count == 1 ? "one array" : "two arrays",
                           result == ElementType::kPred ? "pred" : "floats"));
}

/// Blocks of the operand as f64.
template <typename F>
void ForEachBlock(const Tensor& operand, Budget* budget, F&& block_function) {
  constexpr int64_t kBlock = 512;
  double wide[kBlock];
  const ElementType type = operand.element_type();
  for (int64_t done = 0; done < operand.element_count(); done += kBlock) {
    const int64_t n = std::min(kBlock, operand.element_count() - done);
    ConvertElements(type, operand.bytes() + done * BytesOf(type), ElementType::kF64,
                    reinterpret_cast<std::byte*>(wide), n);
    block_function(done, n, wide);
    if (done % (kBlock * 64) == 0) budget->Poll();
  }
}

Value Apply(double (*function)(double), const OpCall& call, std::span<Value> args,
            EvalContext& context) {
  const ElementType type =
      call.operand(0).IsArray() ? call.operand(0).element_type() : ElementType::kPred;
  CheckFloats(call, 1, type);
  const Tensor& operand = args[0].tensor();
  Tensor result(type, operand.dims(), context.budget());
  ForEachBlock(operand, context.budget(), [&](int64_t first, int64_t n, double* wide) {
    for (int64_t i = 0; i < n; ++i) wide[i] = function(wide[i]);
    ConvertElements(ElementType::kF64, reinterpret_cast<const std::byte*>(wide), type,
                    result.mutable_bytes() + first * BytesOf(type), n);
  });
  result.set_dynamic_sizes(operand.dynamic_sizes());
  return Value(std::move(result));
}

Value Test(bool (*test)(double), const OpCall& call, std::span<Value> args, EvalContext& context) {
  CheckFloats(call, 1, ElementType::kPred);
  const Tensor& operand = args[0].tensor();
  Tensor result(ElementType::kPred, operand.dims(), context.budget());
  ForEachBlock(operand, context.budget(), [&](int64_t first, int64_t n, const double* wide) {
    for (int64_t i = 0; i < n; ++i) result.mutable_data<bool>()[first + i] = test(wide[i]);
  });
  result.set_dynamic_sizes(operand.dynamic_sizes());
  return Value(std::move(result));
}

/// On the bits of an IEEE number: Bits has its width; `inf` are the bits of infinity.
template <typename Bits>
Bits NextBits(Bits from, Bits to, Bits inf) {
  constexpr Bits kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  constexpr Bits kMagnitude = static_cast<Bits>(kSign - 1);
  const Bits from_magnitude = from & kMagnitude, to_magnitude = to & kMagnitude;
  if (from_magnitude > inf) return from;
  if (to_magnitude > inf) return to;
  if (from == to || (from_magnitude == 0 && to_magnitude == 0)) return to;
  if (from_magnitude == 0) return static_cast<Bits>((to & kSign) | 1);
  const bool inward = ((from ^ to) & kSign) != 0 || to_magnitude < from_magnitude;
  return static_cast<Bits>(inward ? from - 1 : from + 1);
}

template <typename Bits>
void NextAll(const Tensor& from, const Tensor& to, Bits inf, Tensor* result, Budget* budget) {
  constexpr int64_t kPollElements = 1 << 16;
  for (int64_t i = 0; i < from.element_count(); ++i) {
    if (i % kPollElements == 0) budget->Poll();
    result->mutable_data<Bits>()[i] = NextBits<Bits>(from.data<Bits>()[i], to.data<Bits>()[i], inf);
  }
}

}  // namespace

double Digamma(double x) {
  if (x <= 0) {
    if (x == std::floor(x)) return kNan;
    return Digamma(1 - x) - kPi / std::tan(kPi * (x - std::floor(x)));
  }
  // Up to where the asymptotic series is exact to the last bit.
  double shift = 0;
  for (; x < 12; ++x) shift -= 1 / x;
  if (x == kInf) return kInf;
  const double r = 1 / (x * x);
  const double series =
      r * (1.0 / 12 - r * (1.0 / 120 -
                           r * (1.0 / 252 -
                                r * (1.0 / 240 - r * (1.0 / 132 - r * (691.0 / 32760 - r / 12))))));
  return shift + std::log(x) - 0.5 / x - series;
}

double ErfInv(double y) {
  const double magnitude = std::abs(y);
  if (!(magnitude <= 1)) return kNan;
  if (magnitude == 1) return std::copysign(kInf, y);
  if (magnitude == 0) return y;
  // Winitzki's estimate, then Newton's steps (of second order) on the side that keeps digits.
  constexpr double kA = 0.147;
  const double log = std::log1p(-magnitude * magnitude);
  const double half = 2 / (kPi * kA) + log / 2;
  double x = std::sqrt(std::sqrt(half * half - log / kA) - half);
  if (magnitude < 1e-8) x = magnitude * std::sqrt(kPi) / 2;
  for (int i = 0; i < 4; ++i) {
    const double error = magnitude < 0.5 ? std::erf(x) - magnitude : (1 - magnitude) - std::erfc(x);
    const double step = error / (2 / std::sqrt(kPi) * std::exp(-x * x));
    x -= step / (1 + x * step);
  }
  return std::copysign(x, y);
}

Value EvalDigamma(const OpCall& call, std::span<Value> args, EvalContext& context) {
  return Apply(Digamma, call, args, context);
}
Value EvalErfInv(const OpCall& call, std::span<Value> args, EvalContext& context) {
  return Apply(ErfInv, call, args, context);
}
Value EvalErfc(const OpCall& call, std::span<Value> args, EvalContext& context) {
  return Apply([](double x) { return std::erfc(x); }, call, args, context);
}
Value EvalLgamma(const OpCall& call, std::span<Value> args, EvalContext& context) {
  return Apply([](double x) { return std::lgamma(x); }, call, args, context);
}
Value EvalIsInf(const OpCall& call, std::span<Value> args, EvalContext& context) {
  return Test([](double x) { return std::abs(x) == kInf; }, call, args, context);
}
Value EvalIsPosInf(const OpCall& call, std::span<Value> args, EvalContext& context) {
  return Test([](double x) { return x == kInf; }, call, args, context);
}
Value EvalIsNegInf(const OpCall& call, std::span<Value> args, EvalContext& context) {
  return Test([](double x) { return x == -kInf; }, call, args, context);
}

Value EvalNextAfter(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const ElementType type = call.operand_count() > 0 && call.operand(0).IsArray()
                               ? call.operand(0).element_type()
                               : ElementType::kPred;
  CheckFloats(call, 2, type);
  const Tensor& from = args[0].tensor();
  const Tensor& to = args[1].tensor();
  Tensor result(type, from.dims(), context.budget());
  switch (type) {
    case ElementType::kF64:
      NextAll<uint64_t>(from, to, BitCast<uint64_t>(kInf), &result, context.budget());
      break;
    case ElementType::kF32:
      NextAll<uint32_t>(from, to, 0x7f800000, &result, context.budget());
      break;
    case ElementType::kF16:
      NextAll<uint16_t>(from, to, 0x7c00, &result, context.budget());
      break;
    case ElementType::kBF16:
      NextAll<uint16_t>(from, to, 0x7f80, &result, context.budget());
      break;
    default:
      Refuse(call, "f64, f32, f16 and bf16");
  }
  result.set_dynamic_sizes(from.dynamic_sizes());
  return Value(std::move(result));
}

}  // namespace hlo
