// Custom-call targets that are computed by several ops, one after another.
#ifndef HLO_ENGINE_OPS_CUSTOM_CALLS_CALL_STEPS_H_
#define HLO_ENGINE_OPS_CUSTOM_CALLS_CALL_STEPS_H_

#include <span>
#include <string_view>
#include <vector>

#include "engine/kernels/complex_math.h"
#include "engine/ops/custom_calls/custom_call_targets.h"

namespace hlo {

/// An array on the way from the operands of a call to its result.
struct StepArray {
  Shape shape;
  Value value;
  ElementType type() const { return shape.element_type(); }
};

/// The ops that a call stands for. Every method throws RunError where an op does not take what it
/// is given.
class CallSteps {
 public:
  CallSteps(const OpCall& call, std::span<Value> args, EvalContext& context)
      : call_(call), args_(args), context_(context) {}

  const OpCall& call() const { return call_; }
  /// The shape of the result, or of its first part, which must be an array.
  const Shape& Result() const;
  /// Operand i, which must be an array.
  StepArray Operand(int i) const;
  /// The op on these arrays, whose result must be of this shape.
  StepArray Do(Opcode opcode, const NamedAttrs& attrs, std::vector<StepArray> in,
               const Shape& result) const;
  /// An element-wise op on arrays of one shape, which is also the result's.
  StepArray Map(Opcode opcode, std::vector<StepArray> in) const;
  StepArray Convert(StepArray x, ElementType type) const;
  /// An array of the type and the dimensions of `like` that holds one number; the imaginary part
  /// counts for complex types only.
  StepArray Filled(Complex number, const StepArray& like) const;
  /// x in the type of `like`, its dimensions being these of `like`.
  StepArray Spread(const StepArray& x, const Dims& dimensions, const StepArray& like) const;
  /// x times a number, or times a scalar; x itself where the number is 1.
  StepArray Times(StepArray x, Complex number) const;
  StepArray Times(StepArray x, const StepArray& scalar) const;
  /// x as a library stores it in this type: numbers that are too large for integers and for floats
  /// of 8 bits become the largest, and integers are the nearest.
  StepArray Stored(StepArray x, ElementType type) const;
  /// The result of the call: these arrays and, where its shape has one part more, zeros for it,
  /// which is memory that the library works in.
  Value Results(std::vector<StepArray> parts) const;

 private:
  const OpCall& call_;
  std::span<Value> args_;
  EvalContext& context_;
};

/// The type that libraries compute results of this type in: f32 for narrower floats, s32 for
/// integers.
ElementType WorkingType(ElementType result);

/// A function that a library applies to its result, as backend_config names it.
struct Activation {
  std::string_view name;
  StepArray (*apply)(const CallSteps& steps, const StepArray& x);
  std::string_view number = "-";  ///< what older programs write instead of the name
};
StepArray Unchanged(const CallSteps& steps, const StepArray& x);
StepArray Relu(const CallSteps& steps, const StepArray& x);
StepArray Relu6(const CallSteps& steps, const StepArray& x);
StepArray Elu(const CallSteps& steps, const StepArray& x);
StepArray Sigmoid(const CallSteps& steps, const StepArray& x);
StepArray HyperbolicTangent(const CallSteps& steps, const StepArray& x);
/// By the hyperbolic tangent, as cuBLAS has it.
StepArray Gelu(const CallSteps& steps, const StepArray& x);
/// x where it is positive, otherwise `other`.
StepArray WherePositive(const CallSteps& steps, const StepArray& x, StepArray other);

/// The row of this name or number; refuses the call when there is none.
const Activation& FindActivation(const OpCall& call, std::span<const Activation> rows,
                                 std::string_view name);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_CUSTOM_CALLS_CALL_STEPS_H_
