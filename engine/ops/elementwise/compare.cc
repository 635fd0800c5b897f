// compare: every comparison order on every type.
#include "engine/ops/elementwise/compare.h"

#include <fmt/format.h>

#include "engine/kernels/element_loop.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

// In the order of Direction.
constexpr std::string_view kDirections[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
constexpr std::string_view kOrders[] = {"FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"};
enum Order : int64_t { kFloatOrder, kTotalOrder, kSignedOrder, kUnsignedOrder };
// In the order of FloatOrder.
constexpr std::string_view kShortOrders[] = {"PARTIAL", "TOTAL", "WEAK"};

// The order is omitted if it is the element type's default.
std::string OtherOrder(const OpCall& call, std::string text) {
  if (call.operand_count() == 0 || !call.operand(0).IsArray()) return text;
  return text == DefaultOrderText(call.operand(0).element_type()) ? "" : text;
}

// All but floats and complex numbers are totally ordered.
FloatOrder DefaultShortOrder(ElementType type) {
  return IsFloat(type) || IsComplex(type) ? FloatOrder::kPartial : FloatOrder::kTotal;
}

std::string OtherShortOrder(const OpCall& call, std::string text) {
  if (call.operand_count() == 0 || !call.operand(0).IsArray()) return text;
  const FloatOrder order = DefaultShortOrder(call.operand(0).element_type());
  return text == kShortOrders[static_cast<size_t>(order)] ? "" : text;
}

constexpr AttrDef kCompareAttrs[] = {
    {.name = "direction",
     .kind = AttrKind::kWord,
     .use = AttrUse::kRequired,
     .doc = "What is asked of lhs and rhs: equal, not equal, greater or equal, greater, less or "
            "equal, less.",
     .words = kDirections,
     .noun = "comparison direction"},
    {.name = "type",
     .kind = AttrKind::kWord,
     .use = AttrUse::kOptional,
     .doc = "The order: FLOAT (a NaN is unequal to everything, -0 equals +0), TOTALORDER (-NaN < "
            "-inf < ... < -0 < +0 < ... < inf < NaN), SIGNED, UNSIGNED. The element type's own "
            "when absent.",
     .words = kOrders,
     .noun = "comparison type",
     .printed = OtherOrder},
    {.name = "order",
     .kind = AttrKind::kWord,
     .use = AttrUse::kOptional,
     .doc =
         "In place of type: PARTIAL (FLOAT), TOTAL (TOTALORDER), or WEAK (a NaN is the largest and "
         "equals any other, -0 equals +0).",
     .words = kShortOrders,
     .noun = "comparison order",
     .printed = OtherShortOrder},
};

Order DefaultOrder(ElementType type) {
  switch (ClassOf(type)) {
    case TypeClass::kSigned:
      return kSignedOrder;
    case TypeClass::kPred:
    case TypeClass::kUnsigned:
      return kUnsignedOrder;
    case TypeClass::kFloat:
    case TypeClass::kComplex:
      break;
  }
  return kFloatOrder;
}

FloatOrder OrderOf(const OpCall& call) {
  if (call.Has("order")) return static_cast<FloatOrder>(call.Word("order"));
  return call.Word("type", kFloatOrder) == kTotalOrder ? FloatOrder::kTotal : FloatOrder::kPartial;
}

Direction DirectionOf(const OpCall& call) { return static_cast<Direction>(call.Word("direction")); }

std::optional<Shape> InferCompare(const OpCall& call, Diagnostics& out) {
  return InferBinary(call, kAllTypes, ElementResult::kPred, out);
}

void VerifyCompare(const OpCall& call, Diagnostics& out) {
  VerifyBinary(call, out);
  if (!call.operand(0).IsArray()) return;
  const ElementType type = call.operand(0).element_type();
  // What is written: an order, or else a type, or neither.
  const bool is_short = call.Has("order");
  const std::string_view attr = is_short ? "order" : "type";
  const auto expected =
      is_short ? static_cast<int64_t>(DefaultShortOrder(type)) : DefaultOrder(type);
  const int64_t actual = call.Word(attr, expected);
  const bool fits = actual == expected || (IsFloat(type) && (is_short || actual == kTotalOrder));
  const std::string_view* const words = is_short ? kShortOrders : kOrders;
  if (!fits) {
    ReportAttr(call, attr, DiagCode::kAttributeValue,
               fmt::format("Expected comparison {} {}{}. actual: {} operand: {}", attr,
                           words[expected], IsFloat(type) ? " or TOTALORDER" : "", words[actual],
                           ShapeName(call.operand(0))),
               out);
  } else if (is_short && call.Has("type")) {
    ReportAttr(call, attr, DiagCode::kAttributeValue, "Expected a type or an order. actual: both",
               out);
  }
  const Direction direction = DirectionOf(call);
  if (IsComplex(type) && direction != Direction::kEq && direction != Direction::kNe) {
    // XLA refuses this only at run time.
    out.Report(DiagCode::kAttributeValue, Severity::kWarning, call.attr_range("direction"),
               fmt::format("compare: complex numbers have no order: expected EQ or NE, actual is "
                           "{}",
                           kDirections[static_cast<size_t>(direction)]));
  }
}

ElementLoop LoopOfCompare(const OpCall& call) {
  const ElementType type =
      HigherPrecision(call.operand(0).element_type(), call.operand(1).element_type());
  return CompareLoop(type, DirectionOf(call), OrderOf(call));
}

}  // namespace

std::string_view DefaultOrderText(ElementType type) {
  return kOrders[static_cast<size_t>(DefaultOrder(type))];
}

std::string_view ComparisonTypeText(const OpCall& call) {
  const ElementType type = call.operand(0).element_type();
  if (!IsFloat(type)) return DefaultOrderText(type);
  const FloatOrder order = OrderOf(call);
  if (order == FloatOrder::kWeak) return {};
  return kOrders[order == FloatOrder::kTotal ? kTotalOrder : kFloatOrder];
}

namespace ops {

constinit const OpDef kCompare{
    .doc = "Whether lhs and rhs are in the given relation.",
    .source = "operation semantics, Eq, Ne, Ge, Gt, Le, Lt and their TotalOrder forms",
    .differs =
        "XLA's evaluator orders negative f6 and f4 numbers like positive ones under "
        "TOTALORDER; this engine by sign and magnitude, as other floats.",
    .operands = kLhsAndRhs,
    .types = TypesText(kAllTypes),
    .attrs = kCompareAttrs,
    .infer = InferCompare,
    .verify = VerifyCompare,
    .eval = EvalElementwise,
    .elementwise = true,
    .loop = LoopOfCompare,
    .changes_element_size = true,
};

}  // namespace ops
}  // namespace hlo
