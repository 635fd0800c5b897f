// Ops that only name, group or order values: parameter, constant, tuples, tokens, barriers.
#include <fmt/format.h>

#include <utility>

#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

std::optional<Shape> InferWritten(const OpCall& call, Diagnostics&) {
  if (!call.written()) return std::nullopt;
  return *call.written();
}

std::optional<Shape> InferSame(const OpCall& call, Diagnostics&) { return call.operand(0); }

Value EvalSame(const OpCall&, std::span<Value> args, EvalContext&) { return std::move(args[0]); }

Value EvalToken(const OpCall&, std::span<Value>, EvalContext&) { return Value(); }

// ---- parameter ----------------------------------------------------------------------------------

constexpr AttrDef kParameterAttrs[] = {
    {"number", AttrKind::kInt, AttrUse::kPositional,
     "Which argument of the computation this is, from 0 on."},
};

// ---- constant -----------------------------------------------------------------------------------

constexpr AttrDef kConstantAttrs[] = {
    {"literal", AttrKind::kLiteral, AttrUse::kPositional,
     "The value, in the written shape; {...} stands for a value that was left out."},
};

Value EvalConstant(const OpCall& call, std::span<Value>, EvalContext& context) {
  const ShapedLiteral& shaped = *call.GetLiteral("literal");
  return WholeValue(shaped.literal.value, shaped.shape, context.budget());
}

// ---- tuple, get-tuple-element -------------------------------------------------------------------

constexpr std::string_view kTupleOperands[] = {"element"};

std::optional<Shape> InferTuple(const OpCall& call, Diagnostics&) {
  std::vector<Shape> elements;
  elements.reserve(static_cast<size_t>(call.operand_count()));
  for (int i = 0; i < call.operand_count(); ++i) elements.push_back(call.operand(i));
  return Shape::Tuple(std::move(elements));
}

Value EvalTuple(const OpCall&, std::span<Value> args, EvalContext&) {
  Value::Elements elements;
  elements.reserve(args.size());
  for (Value& arg : args) elements.push_back(std::move(arg));
  return Value::Tuple(std::move(elements));
}

constexpr std::string_view kTupleOperand[] = {"tuple"};
constexpr AttrDef kElementAttrs[] = {
    {.name = "index",
     .kind = AttrKind::kInt,
     .use = AttrUse::kRequired,
     .doc = "Which element, from 0 on.",
     .always_printed = true},
};

std::optional<Shape> InferElement(const OpCall& call, Diagnostics& out) {
  const Shape& tuple = call.operand(0);
  if (!tuple.IsTuple()) {
    ReportOperand(call, 0, DiagCode::kOperandInvalid,
                  fmt::format("Cannot infer shape: attempting to index into non-tuple: {}.",
                              ShapeName(tuple)),
                  out);
    return std::nullopt;
  }
  const int64_t index = call.Int("index");
  const int64_t count = static_cast<int64_t>(tuple.elements().size());
  if (index < 0 || index >= count) {
    ReportAttr(call, "index", DiagCode::kAttributeValue,
               index < 0
                   ? fmt::format("must be 0 or more, but is {}", index)
                   : fmt::format("Cannot infer shape: attempt to index out of tuple bounds: {} >= "
                                 "{} in shape {}.",
                                 index, count, ShapeName(tuple)),
               out);
    return std::nullopt;
  }
  return tuple.elements()[static_cast<size_t>(call.Int("index"))];
}

/// Moves the element out if the tuple is not shared, so that it can be updated in place.
Value EvalElement(const OpCall& call, std::span<Value> args, EvalContext&) {
  size_t index = static_cast<size_t>(call.Int("index"));
  if (args[0].unique_elements()) return std::move(args[0].mutable_elements()[index]);
  return args[0].elements()[index];
}

// ---- tokens -------------------------------------------------------------------------------------

constexpr std::string_view kTokens[] = {"token"};
constexpr std::string_view kDependency[] = {"operand", "token"};

std::optional<Shape> InferAfterAll(const OpCall&, Diagnostics&) { return Shape::Token(); }

std::optional<Shape> InferAddDependency(const OpCall& call, Diagnostics& out) {
  CheckToken(call, 1, out);
  return call.operand(0);
}

// ---- domain -------------------------------------------------------------------------------------

constexpr AttrDef kDomainAttrs[] = {
    {"domain", AttrKind::kDomain, AttrUse::kRequired,
     "The kind of domain, and the shardings on its entry and exit side."},
};

}  // namespace

namespace ops {

const OpDef kParameter{
    .doc =
        "An argument of the computation; of the entry computation, an input of the program. "
        "Its value comes from the caller, so it is supplied, not evaluated.",
    .source = "XLA, hlo_verifier.cc, HandleParameter",
    .types = "any shape",
    .attrs = kParameterAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferWritten,
    .any_precision = true,
    .keeps_data = true,
};

const OpDef kConstant{
    .doc = "A value written in the program.",
    .source = "operation semantics, ConstantLiteral (examples); XLA, hlo_parser.cc, ParseLiteral",
    .differs =
        "A constant whose text is {...} has no known value: XLA fills it with a counter "
        "pattern, this engine runs it only with an explicit choice of fill. One number for an "
        "array fills it here; XLA sets the first element and leaves 0 in the others.",
    .types = "all array types and tuples of them",
    .attrs = kConstantAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferWritten,
    .eval = EvalConstant,
    .any_precision = true,
    .keeps_data = true,
    .keeps_order_only = true,
};

const OpDef kTuple{
    .doc = "Groups values into one; copies no data.",
    .source = "operation semantics, Tuple",
    .operands = kTupleOperands,
    .types = "any shapes",
    .infer = InferTuple,
    .eval = EvalTuple,
    .any_precision = true,
    .keeps_data = true,
    .buffers = ResultBuffers::kOperands,
};

const OpDef kGetTupleElement{
    .doc = "One element of a tuple.",
    .source = "operation semantics, GetTupleElement",
    .operands = kTupleOperand,
    .types = "tuples",
    .attrs = kElementAttrs,
    .infer = InferElement,
    .eval = EvalElement,
    .any_precision = true,
    .keeps_data = true,
    .buffers = ResultBuffers::kElement,
};

const OpDef kAfterAll{
    .doc =
        "Joins tokens: what depends on the result runs after everything the tokens order. Without "
        "operands it makes a new token.",
    .source = "operation semantics, AfterAll",
    .differs = "Operands of any shape are accepted, as XLA does: the result waits for them.",
    .operands = kTokens,
    .types = "tokens",
    .infer = InferAfterAll,
    .eval = EvalToken,
    .floats = FloatWidths::kAny,
    .ignores_written_shape = true,
};

const OpDef kAddDependency{
    .doc = "The first operand, unchanged, but not before the token is available.",
    .source = "XLA, hlo_verifier.cc, HandleAddDependency",
    .operands = kDependency,
    .types = "any shape and a token",
    .infer = InferAddDependency,
    .eval = EvalSame,
    .keeps_layout = true,
    .passes_on = PassesOn::kAll,
    .buffers = ResultBuffers::kOperand,
    .ignores_written_shape = true,
};

const OpDef kOptBarrier{
    .doc = "The operand, unchanged; no optimisation moves work across it.",
    .source = "operation semantics, OptimizationBarrier",
    .operands = kOperand,
    .types = "any shape",
    .infer = InferSame,
    .eval = EvalSame,
    .any_precision = true,
    .keeps_data = true,
    .keeps_layout = true,
    .passes_on = PassesOn::kAll,
    .buffers = ResultBuffers::kOperand,
};

const OpDef kDomain{
    .doc = "The operand, unchanged, where one sharding ends and another begins.",
    .source = "XLA, hlo_domain_metadata.h",
    .operands = kOperand,
    .types = "any shape",
    .attrs = kDomainAttrs,
    .infer = InferSame,
    .eval = EvalSame,
    .any_precision = true,
    .passes_on = PassesOn::kAll,
    .buffers = ResultBuffers::kOperand,
};

}  // namespace ops
}  // namespace hlo
