// Sources: XLA, xla_data.proto, PrecisionConfig (DEFAULT, HIGH and HIGHEST; the algorithms);
// stream_executor's gpu_blas_lt.cc, GetBlasComputationType (TF32 for DEFAULT and HIGH); the
// operation semantics of dot (one, three and six products of bf16).
#include "engine/ops/products/product_rounding.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "engine/ops/op_def.h"
#include "engine/ops/products/precision.h"

namespace hlo {
namespace {

// Bits of the mantissa of an f32 that are dropped.
constexpr int kDroppedForBf16 = 16;
constexpr int kDroppedForTf32 = 13;

float RoundedTo(float number, int dropped) {
  if (!std::isfinite(number)) return number;
  uint32_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  const uint32_t half = (uint32_t{1} << (dropped - 1)) - 1;
  bits += half + ((bits >> dropped) & 1);
  bits &= ~((uint32_t{1} << dropped) - 1);
  std::memcpy(&number, &bits, sizeof bits);
  return number;
}

// The operand rounded, and what is left of it, rounded too; nothing is left of what is not finite.
Tensor RoundedOperand(const Tensor& operand, int dropped, bool is_rest, Budget* budget) {
  Tensor rounded(ElementType::kF32, operand.dims(), budget);
  const float* const from = operand.data<float>();
  float* const to = reinterpret_cast<float*>(rounded.mutable_bytes());
  for (int64_t i = 0; i < operand.element_count(); ++i) {
    const float high = RoundedTo(from[i], dropped);
    const float rest = std::isfinite(high) ? RoundedTo(from[i] - high, dropped) : 0.0F;
    to[i] = is_rest ? rest : high;
  }
  rounded.set_dynamic_sizes(operand.dynamic_sizes());
  return rounded;
}

void AddTo(Tensor& sum, const Tensor& other) {
  float* const to = reinterpret_cast<float*>(sum.mutable_bytes());
  const float* const from = other.data<float>();
  for (int64_t i = 0; i < sum.element_count(); ++i) to[i] += from[i];
}

bool IsF32(const Value& value) {
  return value.is_array() && value.tensor().element_type() == ElementType::kF32;
}

bool IsProductOfF32(const OpCall& call, std::span<const Value> args) {
  switch (call.opcode()) {
    case Opcode::kConvolution:
    case Opcode::kDot:
    case Opcode::kRaggedDot:
      return call.shape().IsArray() && call.shape().element_type() == ElementType::kF32 &&
             IsF32(args[0]) && IsF32(args[1]);
    default:
      return false;
  }
}

// The highest precision that is asked for an operand: 0 (default) to 2.
int64_t AskedPrecision(const OpCall& call) {
  int64_t most = 0;
  for (const int64_t each : call.Ints("operand_precision")) {
    if (each <= kHighestPrecision) most = std::max(most, each);
  }
  return most;
}

// What an algorithm asks for; nothing if none is named.
std::optional<ProductPasses> PassesOfAlgorithm(const OpCall& call) {
  if (call.opcode() == Opcode::kConvolution) return std::nullopt;
  const int64_t algorithm = call.Int("algorithm");
  if (algorithm <= 0 || algorithm >= static_cast<int64_t>(std::size(kDotAlgorithmWords))) {
    return std::nullopt;
  }
  const std::string_view word = kDotAlgorithmWords[algorithm];
  if (word == "dot_bf16_bf16_f32") return ProductPasses{kDroppedForBf16, false};
  if (word == "dot_bf16_bf16_f32_x3") return ProductPasses{kDroppedForBf16, true};
  if (word == "dot_tf32_tf32_f32") return ProductPasses{kDroppedForTf32, false};
  if (word == "dot_tf32_tf32_f32_x3") return ProductPasses{kDroppedForTf32, true};
  return ProductPasses{};
}

Value Multiply(const OpCall& call, std::span<Value> args, EvalContext& context,
               const ProductPasses& passes) {
  if (passes.dropped == 0) return call.def().eval(call, args, context);
  Budget* const budget = context.budget();
  const Tensor a = args[0].tensor(), b = args[1].tensor();
  const auto product = [&](bool rest_of_a, bool rest_of_b) {
    std::vector<Value> rounded(args.begin(), args.end());
    rounded[0] = RoundedOperand(a, passes.dropped, rest_of_a, budget);
    rounded[1] = RoundedOperand(b, passes.dropped, rest_of_b, budget);
    return call.def().eval(call, rounded, context);
  };
  if (!passes.is_split) return product(false, false);
  Value sum = product(true, false);
  AddTo(sum.tensor(), product(false, true).tensor());
  // Infinity times a rest of zero: the product of the rounded parts says what the result is.
  float* const low = reinterpret_cast<float*>(sum.tensor().mutable_bytes());
  std::replace_if(
      low, low + sum.tensor().element_count(), [](float each) { return std::isnan(each); }, 0.0F);
  AddTo(sum.tensor(), product(false, false).tensor());
  return sum;
}

// One product of bf16 for default, three for high, f32 for highest.
ProductPasses PassesInBf16(const OpCall& call) {
  const int64_t asked = AskedPrecision(call);
  const ProductPasses passes =
      asked >= 2 ? ProductPasses{} : ProductPasses{kDroppedForBf16, asked == 1};
  return PassesOfAlgorithm(call).value_or(passes);
}

// TF32 for default and high, f32 for highest.
ProductPasses PassesInTf32(const OpCall& call) {
  const ProductPasses passes =
      AskedPrecision(call) >= 2 ? ProductPasses{} : ProductPasses{kDroppedForTf32, false};
  return PassesOfAlgorithm(call).value_or(passes);
}

template <ProductPasses (*kPasses)(const OpCall&)>
Value MultiplyBy(const OpCall& call, std::span<Value> args, EvalContext& context) {
  if (!IsProductOfF32(call, args)) return call.def().eval(call, args, context);
  return Multiply(call, args, context, kPasses(call));
}

constexpr ProductRoundingRow kProductRoundings[] = {
    {"bf16",
     "as on TPUs: operands of default precision are rounded to bf16, those of high are two bf16 "
     "(three products), those of highest stay f32",
     MultiplyBy<PassesInBf16>, PassesInBf16},
    {"tf32",
     "as on NVIDIA GPUs: operands of default and high precision are rounded to TF32 (10 bits of "
     "mantissa), those of highest stay f32",
     MultiplyBy<PassesInTf32>, PassesInTf32},
};

}  // namespace

std::span<const ProductRoundingRow> ProductRoundings() { return kProductRoundings; }

bool HasProductOfF32(const OpCall& call) {
  const auto is_f32 = [](const Shape& shape) {
    return shape.IsArray() && shape.element_type() == ElementType::kF32;
  };
  switch (call.opcode()) {
    case Opcode::kConvolution:
    case Opcode::kDot:
    case Opcode::kRaggedDot:
      return is_f32(call.shape()) && is_f32(call.operand(0)) && is_f32(call.operand(1));
    default:
      return false;
  }
}

const ProductRoundingRow* RowOfProductRounding(ProductRounding rounding) {
  for (const ProductRoundingRow& row : kProductRoundings) {
    if (row.evaluate == rounding) return &row;
  }
  return nullptr;
}

ProductRounding FindProductRounding(std::string_view name) {
  for (const ProductRoundingRow& row : kProductRoundings) {
    if (row.name == name) return row.evaluate;
  }
  return nullptr;
}

}  // namespace hlo
