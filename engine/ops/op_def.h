// The definition of an op: its documentation, attributes, shape rule, checks, evaluation and cost.
// See engine/ops/README.md for how to add one.
#ifndef HLO_ENGINE_OPS_OP_DEF_H_
#define HLO_ENGINE_OPS_OP_DEF_H_

#include <optional>
#include <span>
#include <string_view>

#include "engine/base/diagnostics.h"
#include "engine/kernels/element_loop.h"
#include "engine/kernels/move_view.h"
#include "engine/ops/attributes.h"
#include "engine/ops/eval.h"
#include "engine/ops/op_call.h"
#include "engine/ops/opcode.h"
#include "engine/ops/size_rules.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo {

/// How the result shape is determined.
enum class ResultShape : uint8_t {
  kInferred,  ///< may be omitted in the text
  kWritten,   ///< must be written; `infer` then checks it and says what it should be
};

/// The float type in which an op computes if its floats have different widths (engine/ops/
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

/// Whether and how an op passes a value on: whether its result is its operand.
enum class PassesOn : uint8_t {
  kNothing,  ///< not as a rule
  kScalars,  ///< a scalar: it only moves elements
  kAll,      ///< whatever it is given
};

/// Which of the computations that an op names run, and how, if it does nothing but run them; in the
/// order of its attributes.
enum class Runs : uint8_t {
  kOtherwise,
  kOne,     ///< the first, on as many operands as it has parameters
  kChosen,  ///< computation i on operand i + 1; i is what operand 0 chooses (ops/control/branch.h)
  kWhile,   ///< the second, on its last result, for as long as the first gives true for that
};

/// Which buffers hold the result of an op.
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
  /// The source of the rules (engine/SOURCES.md): a section of the operation semantics, or a file
  /// of XLA.
  std::string_view source;
  /// Where the operation semantics, XLA and this engine differ. Empty: nowhere.
  std::string_view differs = {};
  /// Names of the operands for hover and messages; the last one repeats.
  std::span<const std::string_view> operands = {};
  /// Element types it is defined for, in words.
  std::string_view types = {};
  std::span<const AttrDef> attrs = {};
  ResultShape result_shape = ResultShape::kInferred;

  /// The result shape that follows from operands and attributes (and from the written one where
  /// that is part of the rule). Reports every fault it finds; nothing when no shape follows.
  /// Operand count and required attributes are checked before. Layouts: descending, or that of the
  /// written shape.
  std::optional<Shape> (*infer)(const OpCall& call, Diagnostics& out) = nullptr;
  /// Checks of XLA's verifier beyond the shape rule; null for none.
  void (*verify)(const OpCall& call, Diagnostics& out) = nullptr;

  /// The value. `args` are the operands' values and may be moved from (a unique buffer may be
  /// updated in place). Null for ops with `enter`.
  Value (*eval)(const OpCall& call, std::span<Value> args, EvalContext& context) = nullptr;
  /// For ops that run other computations or block: one step of a small state machine.
  ControlStep (*enter)(const OpCall& call, std::span<Value> args, ControlState& state,
                       EvalContext& context) = nullptr;

  /// For ops that give parts of their result to ResultPieces: all of them are multiples of so many
  /// elements. 0: this call gives none. The shapes are static; null for all other ops.
  int64_t (*result_unit)(const OpCall& call) = nullptr;

  /// Result element i depends only on operand elements i.
  bool elementwise = false;
  /// Commutative: op(a, b) is op(b, a), bit for bit except for the payload of NaN.
  bool commutative = false;
  /// Its result is never written over an operand.
  bool makes_new = false;
  /// Operands may be floats of different widths even where mixed precision is not allowed.
  bool any_precision = false;
  /// Its value does not depend on operands and attributes alone: random numbers, the device, I/O.
  /// Such an instruction is executed every time.
  bool varies = false;
  /// Passes data on without computing: element types (and layouts, where these count) of the
  /// result are exactly the inferred ones, also where mixed precision is allowed.
  bool keeps_data = false;
  /// With keeps_data: of the layouts, if they are checked, only the dimension order must match.
  bool keeps_order_only = false;
  /// Like an element-wise op it preserves the dimension order in memory: if layouts are checked,
  /// the result has the layout of every operand of its rank.
  bool keeps_layout = false;
  /// How floats of different widths meet. With `keeps_data` they never do, except for kOfResult.
  FloatWidths floats = FloatWidths::kWidest;
  /// For kOfRegion: the type of the parameter that operand i (a float) becomes. Null if the
  /// evaluation converts its operands to more than one type.
  ElementType (*operand_type)(const OpCall& call, int i) = nullptr;
  /// For element-wise ops (and custom-call, whose target may be one): the loop that computes it,
  /// with types and attributes resolved; without `run` if the op is not defined for these types.
  /// Evaluation and compiled regions both run this. Null for ops that are not computed by such a
  /// loop.
  ElementLoop (*loop)(const OpCall& call) = nullptr;
  /// For ops whose result is made of elements of operand 0 at places that the call alone tells: the
  /// result as a view of what `operand` is a view of; nothing if no strides say it. Evaluation uses
  /// it too.
  std::optional<StridedView> (*view)(const OpCall& call, const StridedView& operand) = nullptr;

  /// If layouts are checked and it preserves the dimension order: the element sizes of result and
  /// operand may differ nevertheless.
  bool changes_element_size = false;
  PassesOn passes_on = PassesOn::kNothing;
  ResultBuffers buffers = ResultBuffers::kOwn;
  /// With kOwn: the operand that the result is written over where nothing needs that afterwards; of
  /// several results each is written over an operand of its own, from this one on. -1: none. XLA,
  /// alias_info.cc, GetInPlaceInputOutputPairs.
  int8_t written_operand = -1;
  Runs runs = Runs::kOtherwise;
  /// If its operands are scalars, its value is that of the first computation that it names, applied
  /// to them.
  bool applies_region = false;
  /// The computations that it names run in sequence with buffers of their own, like programs; those
  /// of other ops run as part of the instruction. XLA, call_graph.h, CallContext::kControlFlow.
  bool control_flow = false;
  /// It runs a computation repeatedly, each time on the previous result: such calls are counted as
  /// iterations.
  bool loops = false;
  /// Its execution is visible to other devices, the host or later runs. XLA, hlo_instruction.cc,
  /// HasSideEffectNoRecurse; for effects that depend on attributes see HasEffect.
  bool has_effect = false;
  /// For an op that only starts something: the op that waits for its end. Not set for async ops,
  /// which form longer chains.
  std::optional<Opcode> done = std::nullopt;
  /// For ops that reduce one array by a computation of two elements, row by row where rows run
  /// along the last dimension: the computation, or null if the call does something else.
  const Region* (*row_reducer)(const OpCall& call) = nullptr;
  /// The written shape is ignored: the inferred one is used, which may depend on parts of it.
  /// Source: XLA, hlo_parser.cc, CreateInstruction.
  bool ignores_written_shape = false;
  /// Its value is random, by rules that XLA leaves open.
  bool is_drawn = false;
  /// All devices of a group execute it together, and exchange data.
  bool is_collective = false;
  /// The expected signature of computation `index` of the attribute, if operands and the written
  /// shape (null: none is) determine it.
  std::optional<ProgramShape> (*signature)(const OpCall& call, const AttrDef& attr, size_t index,
                                           const Shape* written) = nullptr;
  /// The op that does what a call of this one does, of which the target decides. Nothing where no
  /// op does. Null for ops that are never another one.
  std::optional<Opcode> (*plain)(const OpCall& call) = nullptr;
  /// The largest value that means something in an integer operand, where there is one: what is
  /// larger is clamped (indices), does nothing (updates), or is refused (sizes). -1: there is none.
  int64_t (*largest)(const OpCall& call, int operand) = nullptr;
  /// Bit i: the elements of operand i are elements of the result, in another place or type.
  uint32_t carries = 0;
  /// What it asks of the sizes of its operands and its result, beyond the equality of sizes that
  /// are equal; null: nothing.
  void (*sizes)(const OpCall& call, SizeRules& rules) = nullptr;
};

/// Whether executing the instruction has an effect other than its value.
bool HasEffect(const OpCall& call);

/// The op that does what the call does: its own, or that which a custom-call stands for.
inline Opcode PlainOpcode(const OpCall& call) {
  const OpDef& def = call.def();
  return def.plain ? def.plain(call).value_or(call.opcode()) : call.opcode();
}

// `ops::kReverse`, ...: defined in the families' files.
namespace ops {
#define OP(name, text, min_operands, max_operands, cost, dependence) extern const OpDef k##name;
#include "engine/ops/ops.def"
}  // namespace ops

/// OpDef::infer of the call's op; also reports shapes that are too large.
std::optional<Shape> InferShape(const OpCall& call, Diagnostics& out);

/// Attributes that every opcode accepts (sharding, metadata, ...).
std::span<const AttrDef> CommonAttrs();
/// Attributes of the module header.
std::span<const AttrDef> ModuleAttrs();

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_OP_DEF_H_
