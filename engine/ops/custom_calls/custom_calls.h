// The functions behind custom-call, by the name of their target: those that are built in
// (custom_call_targets.h) and those that a program which embeds the engine registers.
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

/// A target as the document declares it. `in[i]` points to operand i, `out` to room for the result:
/// arrays as their layouts order them, an element in each BytesOf bytes (pred, s4: one), run-time
/// sizes at their bounds; a tuple is an array of pointers to its elements; a token is null. The
/// function must not have side effects, and it fails only by throwing RunError.
using RawCustomCall = void (*)(void* out, const void** in);
using RawCustomCallOfDocument = void (*)(void* out, void** in);

/// A target on values: returns the result, which must be of call.shape(). All attributes of the
/// instruction (the literal, aliases, whether there are side effects, called computations) are the
/// call's. `args` may be moved from. Fails by throwing RunError, or any std::exception.
using CustomCallFunction =
    std::function<Value(const OpCall& call, std::span<Value> args, EvalContext& context)>;

/// A target that runs computations (call.Regions("called_computations")) or waits for other
/// devices: a small state machine, as OpDef::enter.
using CustomCallSteps = ControlStep (*)(const OpCall& call, std::span<Value> args,
                                        ControlState& state, EvalContext& context);

/// One of the three is set.
struct CustomCallTarget {
  CustomCallFunction eval = nullptr;
  CustomCallSteps enter = nullptr;
  /// Element by element: the operation on operands of one float or complex type; without `run`
  /// where it has no meaning.
  ElementLoop (*loop)(ElementType type) = nullptr;
};

/// Registers (or replaces, built-in targets too) what a target does, for every later run of this
/// process. Not while a run is in progress, and not from several threads.
void RegisterCustomCall(std::string target, CustomCallFunction function);
void RegisterCustomCall(std::string target, CustomCallSteps steps);
void RegisterCustomCall(std::string target, RawCustomCall function);
void RegisterCustomCall(std::string target, RawCustomCallOfDocument function);
/// Forgets what was registered; a built-in target of that name is itself again. False when nothing
/// was.
bool UnregisterCustomCall(std::string_view target);

/// What is registered for the call's target or else built in; null for unknown names. Good until
/// the next registration.
const CustomCallTarget* FindCustomCall(const OpCall& call);

/// Throws RunError, naming `who`, when the value does not have the structure, the element types and
/// the dimensions of the shape.
void CheckValueFits(const Value& value, const Shape& shape, std::string_view who);

/// The array that lies at `bytes`, ordered as the layout of the shape says, an element in each
/// BytesOf bytes; bits that its type does not have are dropped.
Tensor ReadArray(const std::byte* bytes, const Shape& shape, Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_CUSTOM_CALLS_CUSTOM_CALLS_H_
