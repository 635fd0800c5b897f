// The definition of an op: the one place where its documentation, attributes, shape rule, checks,
// evaluation and cost are. See engine/ops/README.md for how to add one.
#ifndef HLO_ENGINE_OPS_OP_DEF_H_
#define HLO_ENGINE_OPS_OP_DEF_H_

#include <optional>
#include <span>
#include <string_view>

#include "engine/base/diagnostics.h"
#include "engine/kernels/element_loop.h"
#include "engine/ops/attributes.h"
#include "engine/ops/eval.h"
#include "engine/ops/op_call.h"
#include "engine/ops/opcode.h"
#include "engine/ops/size_rules.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo {

/// How the result shape comes about.
enum class ResultShape : uint8_t {
  kInferred,  ///< may be omitted in the text
  kWritten,   ///< must be written; `infer` then checks it and says what it should be
};

/// In which float type an op computes when floats of different widths meet (engine/ops/
/// float_widths.h); the result is rounded to the written type once, at the end.
enum class FloatWidths : uint8_t {
  kWidest,      ///< one that holds all operands and the result
  kOfOperands,  ///< one that holds all operands: for ops that only move elements, and those whose
                ///< value depends on the operand's type
  kOfResult,    ///< the result's
  kOfRegion,    ///< those of the region's parameters and results
  kAny,  ///< its evaluation takes operands of any widths, as it documents, and gives floats of
         ///< any width, which are rounded
};

/// What an op does with a value that it passes on: whether its result is its operand.
enum class PassesOn : uint8_t {
  kNothing,  ///< not as a rule
  kScalars,  ///< a scalar: it only moves elements
  kAll,      ///< whatever it is given
};

/// In whose buffers the result of an op is.
enum class ResultBuffers : uint8_t {
  kOwn,       ///< in new ones
  kOperand,   ///< in those of operand 0, or as many of the first of them as it has arrays
  kUpdated,   ///< in those of operand 0, which it writes to; in new ones where these belong to the
              ///< caller
  kOperands,  ///< in those of all operands, one after another
  kElement,   ///< in those of element `index` of operand 0
  kTarget,    ///< a new one, then those of operand 0: what an asynchronous copy works on
  kStarted,   ///< in those of element 1 of operand 0, or of all of it where the types are alike:
              ///< the state of an operation that was started
};

struct OpDef {
  /// What it computes, in one or two sentences of our own.
  std::string_view doc;
  /// Section of the operation semantics document, or of the reference, that the rules come from.
  std::string_view source;
  /// "Differs from ..." : where the document, XLA and this engine are not all the same. Empty:
  /// nowhere.
  std::string_view differs = {};
  /// Names of the operands for hover and messages; the last one repeats.
  std::span<const std::string_view> operands = {};
  /// Element types it is defined for, in words.
  std::string_view types = {};
  std::span<const AttrDef> attrs = {};
  ResultShape result_shape = ResultShape::kInferred;

  /// The result shape that follows from operands and attributes (and from the written one where
  /// that is part of the rule). Reports every fault it finds; nothing when no shape follows.
  /// Operand count and required attributes are checked before. Layouts: descending, or whatever
  /// the written shape has.
  std::optional<Shape> (*infer)(const OpCall& call, Diagnostics& out) = nullptr;
  /// Checks of XLA's verifier beyond the shape rule; null for none.
  void (*verify)(const OpCall& call, Diagnostics& out) = nullptr;

  /// The value. `args` are the operands' values and may be moved from (a unique buffer may be
  /// updated in place). Null for ops with `enter`.
  Value (*eval)(const OpCall& call, std::span<Value> args, EvalContext& context) = nullptr;
  /// For ops that run other computations or wait: one step of a small state machine.
  ControlStep (*enter)(const OpCall& call, std::span<Value> args, ControlState& state,
                       EvalContext& context) = nullptr;

  /// Floating-point (or integer) operations per run; null: one per result element when
  /// element-wise, else none.
  double (*flops)(const OpCall& call) = nullptr;
  /// Result element i depends on operand elements i alone.
  bool elementwise = false;
  /// op(a, b) is op(b, a), bit for bit but for the payload of NaN.
  bool commutative = false;
  /// Operands may be floats of different widths even where mixed precision is not allowed.
  bool any_precision = false;
  /// Its value does not follow from operands and attributes alone: random numbers, the device, the
  /// world outside. Such an instruction is executed every time.
  bool varies = false;
  /// Passes data on without computing: element types (and layouts, where these count) of the
  /// result are exactly the inferred ones, also where mixed precision is allowed.
  bool keeps_data = false;
  /// With keeps_data: of the layouts, where they count, only the order of the dimensions.
  bool keeps_order_only = false;
  /// Like an element-wise op it leaves the order of dimensions in memory as it is: where layouts
  /// count, the result has the layout of every operand of its rank.
  bool keeps_layout = false;
  /// How floats of different widths meet. Where data are kept (`keeps_data`) they never do, but for
  /// kOfResult.
  FloatWidths floats = FloatWidths::kWidest;
  /// For kOfRegion: the type of the parameter that operand i (a float) becomes. Null where the
  /// evaluation brings its operands to more than one type.
  ElementType (*operand_type)(const OpCall& call, int i) = nullptr;
  /// For element-wise ops (and custom-call, whose target may be one): the loop that computes it,
  /// with types and attributes resolved; without `run` where the op has no meaning for these types.
  /// Evaluation and compiled regions both run this. Null for ops that are not computed by such a
  /// loop.
  ElementLoop (*loop)(const OpCall& call) = nullptr;

  /// Where layouts count and it leaves the order of dimensions as it is: the element sizes of
  /// result and operand may be different all the same.
  bool changes_element_size = false;
  PassesOn passes_on = PassesOn::kNothing;
  ResultBuffers buffers = ResultBuffers::kOwn;
  /// Where its operands are scalars, its value is that of the computation that it names first,
  /// applied to them.
  bool applies_region = false;
  /// The computations that it names run one after another with buffers of their own, as programs
  /// do; those of other ops run inside of it. XLA, call_graph.h, CallContext::kControlFlow.
  bool control_flow = false;
  /// It runs a computation again and again, each time on what the last time gave: such calls are
  /// counted as iterations.
  bool loops = false;
  /// Other devices, the host or later runs see that it was executed. XLA, hlo_instruction.cc,
  /// HasSideEffectNoRecurse; what attributes add to that: HasEffect.
  bool has_effect = false;
  /// Of an op that only starts something: the op that waits for the end of it. Those of the async
  /// ops, which form longer chains, have none.
  std::optional<Opcode> done = std::nullopt;
  /// The written shape says nothing: the one that follows is taken.
  bool ignores_written_shape = false;
  /// Its value is drawn at random by rules that XLA leaves open.
  bool is_drawn = false;
  /// All devices of a group execute it together, and exchange data.
  bool is_collective = false;
  /// The signature of computation `index` of the attribute, where operands and the written shape
  /// (null: none is) say what it must be.
  std::optional<ProgramShape> (*signature)(const OpCall& call, const AttrDef& attr, size_t index,
                                           const Shape* written) = nullptr;
  /// The largest value that means something in an integer operand, where there is one: what is
  /// larger is clamped (indices), does nothing (updates), or is refused (sizes). -1: there is none.
  int64_t (*largest)(const OpCall& call, int operand) = nullptr;
  /// Bit i: the elements of operand i are elements of the result, in another place or type.
  uint32_t carries = 0;
  /// What it asks of the sizes of its operands and its result, beyond the equality of sizes that
  /// are equal; null: nothing.
  void (*sizes)(const OpCall& call, SizeRules& rules) = nullptr;
};

/// Whether executing the instruction can be noticed other than by its value.
bool HasEffect(const OpCall& call);

// `ops::kReverse`, ...: defined in the families' files.
namespace ops {
#define OP(name, text, min_operands, max_operands) extern const OpDef k##name;
#include "engine/ops/ops.def"
}  // namespace ops

/// OpDef::infer of the call's op; what is larger than types may be is reported too.
std::optional<Shape> InferShape(const OpCall& call, Diagnostics& out);

/// Attributes that every opcode accepts (sharding, metadata, ...).
std::span<const AttrDef> CommonAttrs();
/// Attributes of the module header.
std::span<const AttrDef> ModuleAttrs();

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_OP_DEF_H_
