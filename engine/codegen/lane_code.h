// Code for one lane or for four at once: an algebra whose operations write instructions. What is
// lowered to it (step_lowering.h) is written once for both.
#ifndef HLO_ENGINE_CODEGEN_LANE_CODE_H_
#define HLO_ENGINE_CODEGEN_LANE_CODE_H_

#include <cstdint>
#include <optional>

#include "engine/codegen/function_writer.h"
#include "engine/types/element_type.h"

namespace hlo {

/// How a scalar is kept in a local. Integers of fewer than 32 bits are 32-bit ones with the same
/// value. Of four lanes a predicate is a mask.
enum class LaneKind : uint8_t { kPred, kI32, kI64, kF32, kF64 };
/// Nothing: no code is generated for scalars of this type.
std::optional<LaneKind> LaneKindOf(ElementType type);

/// A value of generated code: a local that is set once.
struct LaneValue {
  uint32_t local = 0;
  LaneKind kind = {};
};

/// Instructions of the algebra: rows of a table of codes. Signed where it matters, unless it says
/// U.
enum class LaneOp : uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kDivideU,
  kRemainder,
  kRemainderU,
  kAnd,
  kOr,
  kXor,
  kShiftLeft,
  kShiftRight,
  kShiftRightU,
  kNegate,
  kAbs,
  kSqrt,
  kFloor,
  kCeil,
  kNearest,
  kCountLeadingZeros,
  kPopcnt,
  kEq,
  kNe,
  kGe,
  kGt,
  kLe,
  kLt,
  kGeU,
  kGtU,
  kLeU,
  kLtU,
};

/// Writes code for the lanes of a pass of a loop. An operation that the machine does not have for
/// so many lanes of a kind makes `failed` true; what was written is of no use then.
class LaneCode {
 public:
  /// `lanes`: 1 or 4.
  LaneCode(FunctionWriter* writer, int lanes) : writer_(*writer), lanes_(lanes) {}

  bool is_vector() const { return lanes_ > 1; }
  bool failed() const { return failed_; }
  void Fail() { failed_ = true; }

  LaneValue Constant(LaneKind kind, double value);
  LaneValue Unary(LaneOp op, LaneValue a);
  /// Comparisons give a predicate, anything else a value of a's kind.
  LaneValue Binary(LaneOp op, LaneValue a, LaneValue b);
  LaneValue Not(LaneValue pred);
  LaneValue Select(LaneValue pred, LaneValue on_true, LaneValue on_false);
  /// 1 and 0 for predicates; integers from another width are sign-extended or, with `is_unsigned`,
  /// zero-extended; floats to integers saturate; never to a predicate.
  LaneValue Convert(LaneValue a, LaneKind kind, bool is_unsigned);
  /// The bits as another kind of the same width.
  LaneValue Reinterpret(LaneValue a, LaneKind kind);
  /// An i32 brought into the range of a narrow integer type, as arithmetic modulo 2^n does.
  LaneValue Wrap(LaneValue a, ElementType type);

  /// A local for a value of this kind.
  LaneValue New(LaneKind kind);
  void Assign(LaneValue to, LaneValue from);
  /// From the address on the stack; the value is on the stack then.
  void Load(ElementType type);
  /// The same from one element for all lanes.
  void LoadForAll(ElementType type);
  /// To the address in a local.
  void Store(uint32_t address, LaneValue value, ElementType type);
  FunctionWriter& writer() { return writer_; }

 private:
  CodeType TypeOf(LaneKind kind) const;
  bool Has(LaneKind kind) const {
    return !is_vector() || (kind != LaneKind::kI64 && kind != LaneKind::kF64);
  }
  LaneValue Result(LaneKind kind);
  void WriteRow(LaneOp op, LaneKind kind);

  FunctionWriter& writer_;
  int lanes_;
  bool failed_ = false;
};

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_LANE_CODE_H_
