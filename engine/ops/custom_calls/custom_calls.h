// The functions behind custom-call, by the name of their target: those that are built in
// (custom_call_targets.h) and those that a program which embeds the engine adds.
// Source: operation semantics, CustomCall.
#ifndef HLO_ENGINE_OPS_CUSTOM_CALLS_CUSTOM_CALLS_H_
#define HLO_ENGINE_OPS_CUSTOM_CALLS_CUSTOM_CALLS_H_

#include <cstddef>
#include <functional>
#include <map>
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

struct BuiltInTarget;  // custom_call_targets.h

/// One of the three is set.
struct CustomCallTarget {
  CustomCallFunction eval = nullptr;
  CustomCallSteps enter = nullptr;
  /// Element by element: the operation on operands of one float or complex type; no `run` where it
  /// is not defined.
  ElementLoop (*loop)(ElementType type) = nullptr;
  /// Null for those that are not built in.
  const BuiltInTarget* row = nullptr;
};

/// Targets of one family, and families: what a build of the engine has is said by its list.
using TargetFamily = std::span<const BuiltInTarget> (*)();
using TargetFamilies = std::span<const TargetFamily>;

/// The targets that the custom-calls of a run find: those of some families and those that were
/// added. An engine has one such set, which outlives its runs; it is not changed during a run.
class CustomCallTargets {
 public:
  explicit CustomCallTargets(TargetFamilies families = {});

  /// Says what a target does in later runs, instead of what was added or built in under this name.
  void Add(std::string target, CustomCallFunction function);
  void Add(std::string target, CustomCallSteps steps);
  void Add(std::string target, RawCustomCall function);
  void Add(std::string target, RawCustomCallOfDocument function);
  /// Forgets what was added; a built-in target of that name is itself again. False when nothing
  /// was.
  bool Remove(std::string_view target);

  /// What the call's target does; null for unknown names. Good until it is added or removed.
  const CustomCallTarget* Find(const OpCall& call) const;

 private:
  using ByName = std::map<std::string, CustomCallTarget, std::less<>>;
  ByName built_in_;  // by all their names
  ByName added_;
};

/// The computation that a call or custom-call names first; null if there is none.
const Region* CalledComputation(const OpCall& call);

/// Throws RunError, naming `who`, if the value does not have the structure, element types and
/// dimensions of the shape.
void CheckValueFits(const Value& value, const Shape& shape, std::string_view who);

/// The array stored at `bytes`, in the order of the shape's layout with BytesOf bytes per element;
/// bits that its type does not have are dropped.
Tensor ReadArray(const std::byte* bytes, const Shape& shape, Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_CUSTOM_CALLS_CUSTOM_CALLS_H_
