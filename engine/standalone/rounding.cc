// Products of f32 as hardware computes them that multiplies in fewer bits
// (ops/products/product_rounding.h): of rounded operands, in one pass or in three.
#include <limits>
#include <vector>

#include "engine/codegen/lane.h"
#include "engine/ops/products/product_rounding.h"
#include "engine/standalone/operation.h"

namespace hlo {
namespace {

using Float = lanes::Lane<float>;
using FloatBits = lanes::Lane<uint32_t>;

Float RoundedTo(Float x, int dropped) {
  const uint32_t half = (uint32_t{1} << (dropped - 1)) - 1;
  const FloatBits bits = BitsOf(x);
  const FloatBits rounded = bits + ((bits >> dropped) & uint32_t{1}) + half;
  const Float result = FromBits(rounded & ~((uint32_t{1} << dropped) - 1));
  return Select(Abs(x) < std::numeric_limits<float>::infinity(), result, x);
}

class RoundedProduct {
 public:
  RoundedProduct(const Operation& operation, int dropped, Emitter* emitter)
      : operation_(operation), dropped_(dropped), emitter_(*emitter) {}

  bool Write(bool is_split) {
    const int32_t result = operation_.results[0];
    if (!is_split) return WriteWith(false, false, result);
    const int64_t count = operation_.call->shape().element_count();
    int32_t parts[3];
    for (int i = 0; i < 3; ++i) {
      parts[i] = emitter_.NewArray(ElementType::kF32, count);
      if (!WriteWith(i == 0, i == 1, parts[i])) return false;
    }
    if (count == 0) return true;
    return EachElement(count, {parts[0], parts[1], parts[2]}, result, [](const auto& x) {
      // Infinity times a rest of zero: the product of the rounded parts says what the result is.
      const Float low = x[0] + x[1];
      return Select(low != low, 0.0F, low) + x[2];
    });
  }

 private:
  /// The product of the rounded operands, or of what is left of one of them.
  bool WriteWith(bool rest_of_a, bool rest_of_b, int32_t result) {
    Operation product = operation_;
    product.results = {result};
    if (!Rounded(0, rest_of_a, &product.operands[0]) ||
        !Rounded(1, rest_of_b, &product.operands[1])) {
      return false;
    }
    return WriteProduct(product, &emitter_) || WriteWindows(product, &emitter_);
  }

  bool Rounded(int operand, bool is_rest, int32_t* array) {
    const int64_t count = operation_.call->operand(operand).element_count();
    const int32_t from = *array;
    *array = emitter_.NewArray(ElementType::kF32, count);
    if (count == 0) return true;
    return EachElement(count, {from}, *array, [&](const auto& x) {
      const Float high = RoundedTo(x[0], dropped_);
      if (!is_rest) return high;
      // Nothing is left of what is not finite.
      const Float rest = RoundedTo(x[0] - high, dropped_);
      return Select(Abs(high) < std::numeric_limits<float>::infinity(), rest, 0.0F);
    });
  }

  template <typename Compute>
  bool EachElement(int64_t count, const std::vector<int32_t>& from, int32_t to, Compute compute) {
    KernelCode code(static_cast<uint32_t>(from.size() + 1));
    LaneCode& one = code.one();
    std::vector<uint32_t> at;
    for (uint32_t i = 0; i <= from.size(); ++i) at.push_back(code.Sum(i, 0));
    code.Repeat(count, [&] {
      std::vector<Float> x;
      for (size_t i = 0; i < from.size(); ++i) {
        x.push_back({&one, one.Load(at[i], ElementType::kF32)});
      }
      one.Store(at.back(), compute(x).value, ElementType::kF32);
      for (uint32_t address : at) code.Advance(address, sizeof(float));
    });
    return emitter_.Call(&code, from, {to});
  }

  const Operation& operation_;
  const int dropped_;
  Emitter& emitter_;
};

}  // namespace

bool WriteRoundedProduct(const Operation& operation, Emitter* emitter) {
  const ProductRoundingRow* const rounding = emitter->products();
  if (!rounding || !HasProductOfF32(*operation.call)) return false;
  const ProductPasses passes = rounding->passes(*operation.call);
  if (passes.dropped == 0) return false;
  return RoundedProduct(operation, passes.dropped, emitter).Write(passes.is_split);
}

}  // namespace hlo
