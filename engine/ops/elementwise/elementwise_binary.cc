// Binary element-wise ops: one row each. Their scalar functions are in
// engine/kernels/scalar_binary.h.
#include "engine/kernels/scalar_binary.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

template <TypeSet kTypes>
std::optional<Shape> InferBinaryOf(const OpCall& call, Diagnostics& out) {
  return InferBinary(call, kTypes, ElementResult::kSame, out);
}

template <typename Op>
ElementLoop LoopOfBinary(const OpCall& call) {
  return BinaryLoop<Op>(
      HigherPrecision(call.operand(0).element_type(), call.operand(1).element_type()));
}

template <typename Op>
constexpr OpDef Binary(std::string_view doc, std::string_view source,
                       std::string_view differs = {}) {
  return {.doc = doc,
          .source = source,
          .differs = differs,
          .operands = kLhsAndRhs,
          .types = TypesText(Op::kTypes),
          .infer = InferBinaryOf<Op::kTypes>,
          .verify = VerifyBinary,
          .eval = EvalElementwise,
          .elementwise = true,
          .loop = LoopOfBinary<Op>};
}

template <typename Op>
constexpr OpDef Commutative(std::string_view doc, std::string_view source) {
  OpDef def = Binary<Op>(doc, source);
  def.commutative = true;
  return def;
}

constexpr std::string_view kNoComplexOrder = "XLA accepts complex operands and fails when it runs.";

}  // namespace

namespace ops {

constinit const OpDef kAdd =
    Commutative<AddOp>("Sum; integers wrap, pred is a logical or.", "operation semantics, Add");
constinit const OpDef kAnd =
    Commutative<AndOp>("Bitwise and; logical for pred.", "operation semantics, And");
constinit const OpDef kAtan2 = Binary<Atan2Op>(
    "The angle in (-pi, pi] of the point with the ordinate lhs and the abscissa rhs.",
    "operation semantics, Atan2");
constinit const OpDef kDivide = Binary<DivideOp>(
    "Quotient; of integers truncated toward zero. Integers by 0 give all ones (-1 when signed), "
    "the smallest signed one by -1 itself.",
    "operation semantics, Div");
// Not commutative bit for bit: for -0 and +0 the result is the first operand.
constinit const OpDef kMaximum = Binary<MaximumOp>(
    "The larger element; NaN when one of them is NaN, the first of equal zeros. Logical or for "
    "pred.",
    "operation semantics, Max", kNoComplexOrder);
constinit const OpDef kMinimum = Binary<MinimumOp>(
    "The smaller element; NaN when one of them is NaN, the first of equal zeros. Logical and for "
    "pred.",
    "operation semantics, Min", kNoComplexOrder);
constinit const OpDef kMulhi =
    Commutative<MulhiOp>("The high half of the product in twice the width.",
                         "XLA, shape_inference.cc; not in the operation semantics document");
constinit const OpDef kMultiply = Commutative<MultiplyOp>(
    "Product; integers wrap, pred is a logical and.", "operation semantics, Mul");
constinit const OpDef kOr =
    Commutative<OrOp>("Bitwise or; logical for pred.", "operation semantics, Or");
constinit const OpDef kPower = Binary<PowerOp>(
    "lhs to the power rhs. 1 for a base of 1 or an exponent of 0, even with NaN. Integers wrap, "
    "and give 0 for negative exponents unless the base is 1.",
    "operation semantics, Pow");
constinit const OpDef kRemainder = Binary<RemainderOp>(
    "Remainder of the division truncated toward zero, with the sign of lhs. An integer by 0 gives "
    "lhs, a float NaN.",
    "operation semantics, Rem", kNoComplexOrder);
constinit const OpDef kShiftLeft = Binary<ShiftLeftOp>(
    "Shifts bits to the left; an amount that is negative or at least the width gives 0.",
    "operation semantics, ShiftLeft");
constinit const OpDef kShiftRightArithmetic = Binary<ShiftRightArithmeticOp>(
    "Shifts bits to the right and fills with the top bit (of unsigned types too); an amount that "
    "is negative or at least the width leaves the fill alone.",
    "operation semantics, ShiftRightArithmetic");
constinit const OpDef kShiftRightLogical = Binary<ShiftRightLogicalOp>(
    "Shifts bits to the right and fills with zeros; an amount that is negative or at least the "
    "width gives 0.",
    "operation semantics, ShiftRightLogical");
constinit const OpDef kSubtract =
    Binary<SubtractOp>("Difference; integers wrap.", "operation semantics, Sub");
constinit const OpDef kXor =
    Commutative<XorOp>("Bitwise exclusive or; logical for pred.", "operation semantics, Xor");

}  // namespace ops
}  // namespace hlo
