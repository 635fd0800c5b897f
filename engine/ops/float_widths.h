// Mixed precision: XLA's verifier lets floats of different widths meet in most ops, and lets a
// result have another width than its operands. This decides, from the op's row, what is then
// computed, for all ops.
#ifndef HLO_ENGINE_OPS_FLOAT_WIDTHS_H_
#define HLO_ENGINE_OPS_FLOAT_WIDTHS_H_

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/budget.h"
#include "engine/ops/op_call.h"
#include "engine/types/element_type.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo {

/// The smallest float type that holds every value of both; f32 if neither of two narrow ones holds
/// the other.
ElementType WidestFloat(ElementType a, ElementType b);

/// Converts a value to the float types of the written shape, rounding where they differ. Dimensions
/// and everything else must already match.
Value RoundFloats(Value value, const Shape& written, Budget* budget);

/// For a call whose operands and result do not have the types that the op's own rule relates: the
/// call that is computed instead, with operands and result of such types. Source of the legal
/// forms: XLA, hlo_verifier.cc, ShapeVerifier::CheckShape.
class MixedCall {
 public:
  /// Nothing if the call can be computed as it is. The call's shapes and attributes must outlive
  /// the result. Precondition: the call is verified.
  static std::unique_ptr<const MixedCall> Of(const OpCall& call);

  const OpCall& call() const { return *call_; }
  ElementType operand_type(int i) const { return operands_[static_cast<size_t>(i)].element_type(); }
  /// Converts the operands whose types differ from those of call().
  void BringOperands(std::span<Value> args, Budget* budget) const;

 private:
  MixedCall() = default;
  std::vector<Shape> operands_;
  Shape result_;
  std::optional<OpCall> call_;  // with these shapes
};

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_FLOAT_WIDTHS_H_
