// The functions behind custom-call, by target name: the built-in ones (custom_call_targets.h) and
// those registered by a program that embeds the engine.
// Source: operation semantics, CustomCall.
#ifndef HLO_ENGINE_OPS_CUSTOM_CALLS_CUSTOM_CALLS_H_
#define HLO_ENGINE_OPS_CUSTOM_CALLS_CUSTOM_CALLS_H_

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "engine/kernels/element_loop.h"
#include "engine/ops/eval.h"
#include "engine/ops/op_call.h"
#include "engine/types/tensor.h"

namespace hlo {

/// A target in the form that the operation semantics declares. `in[i]` points to operand i, `out`
/// to memory for the result: arrays in layout order with BytesOf bytes per element (pred, s4: one),
/// dynamic dimensions at their bounds; a tuple is an array of pointers to its elements; a token is
/// null. The function must not have side effects, and reports failure only by throwing RunError.
using RawCustomCall = void (*)(void* out, const void** in);
using RawCustomCallOfDocument = void (*)(void* out, void** in);

/// A target on values: returns the result, which must be of call.shape(). The instruction's
/// attributes (literal, aliases, side effects, called computations) are in `call`. `args` may be
/// moved from. Fails by throwing RunError, or any std::exception.
using CustomCallFunction =
    std::function<Value(const OpCall& call, std::span<Value> args, EvalContext& context)>;

/// A target that runs computations (call.Regions("called_computations")) or waits for other
/// devices: a small state machine, as OpDef::enter.
using CustomCallSteps = ControlStep (*)(const OpCall& call, std::span<Value> args,
                                        ControlState& state, EvalContext& context);

/// Exactly one of the three is set.
struct CustomCallTarget {
  CustomCallFunction eval = nullptr;
  CustomCallSteps enter = nullptr;
  /// Element by element: the operation on operands of one float or complex type; no `run` where it
  /// is not defined.
  ElementLoop (*loop)(ElementType type) = nullptr;
};

/// Registers the function of a target, for all later runs of this process; replaces an earlier one,
/// also a built-in target. Must not be called during a run, nor from several threads at once.
void RegisterCustomCall(std::string target, CustomCallFunction function);
void RegisterCustomCall(std::string target, CustomCallSteps steps);
void RegisterCustomCall(std::string target, RawCustomCall function);
void RegisterCustomCall(std::string target, RawCustomCallOfDocument function);
/// Unregisters a target; a built-in target of that name takes effect again. False if it was not
/// registered.
bool UnregisterCustomCall(std::string_view target);

/// The registered or else built-in function of the call's target; null for unknown names. Valid
/// until the next registration.
const CustomCallTarget* FindCustomCall(const OpCall& call);

/// Throws RunError, naming `who`, if the value does not have the structure, element types and
/// dimensions of the shape.
void CheckValueFits(const Value& value, const Shape& shape, std::string_view who);

/// The array stored at `bytes`, in the order of the shape's layout with BytesOf bytes per element;
/// bits that its type does not have are dropped.
Tensor ReadArray(const std::byte* bytes, const Shape& shape, Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_CUSTOM_CALLS_CUSTOM_CALLS_H_
