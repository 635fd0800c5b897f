// Code for one lane or for several at once: an algebra whose operations write instructions. What is
// lowered to it (step_lowering.h) is written once for all.
#ifndef HLO_ENGINE_CODEGEN_LANE_CODE_H_
#define HLO_ENGINE_CODEGEN_LANE_CODE_H_

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/codegen/function_writer.h"
#include "engine/types/element_type.h"

namespace hlo {

/// How a scalar is kept in locals. Integers of fewer than 32 bits are 32-bit ones with the same
/// value, floats of fewer bits f32. Of several lanes a predicate is a mask: as wide as 32-bit
/// lanes, or, where 64-bit lanes were compared, as wide as those.
enum class LaneKind : uint8_t { kPred, kWidePred, kI32, kI64, kF32, kF64 };
/// Nothing: no code is generated for scalars of this type.
std::optional<LaneKind> LaneKindOf(ElementType type);
/// f32 with fewer bits, which is rounded after every operation.
bool IsNarrowFloat(ElementType type);

/// A value of generated code: locals that are set once, neighbours if one does not hold all lanes.
struct LaneValue {
  uint32_t local = 0;
  LaneKind kind = {};
  /// An i32 local with the low bits of the number that all lanes are, or -1.
  int64_t uniform = -1;
  /// The float that all lanes are, or NaN where none is known.
  double number = std::numeric_limits<double>::quiet_NaN();
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
  kTruncate,
  kNearest,
  kPmin,  ///< b if b < a, otherwise a; of vectors of floats
  kPmax,  ///< b if a < b, otherwise a
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

/// The same operation on integers without a sign.
LaneOp UnsignedOf(LaneOp op);

/// Writes code for the lanes of a pass of a loop. An operation that the machine does not have for
/// so many lanes of a kind makes `failed` true; what was written is of no use then.
class LaneCode {
 public:
  /// `lanes`: 1, or a multiple of 4; 2 where all values are of 64 bits.
  LaneCode(FunctionWriter* writer, int lanes) : writer_(*writer), lanes_(lanes) {}

  int lanes() const { return lanes_; }
  bool is_vector() const { return lanes_ > 1; }
  bool failed() const { return failed_; }
  void Fail() { failed_ = true; }

  /// Constants are set where the function starts, once for each number.
  LaneValue Constant(LaneKind kind, double value);
  /// Of the low bits.
  LaneValue ConstantOfBits(LaneKind kind, uint64_t bits);
  LaneValue Unary(LaneOp op, LaneValue a);
  /// Comparisons give a predicate, anything else a value of a's kind. Several lanes are shifted
  /// by an amount that is uniform, modulo their width.
  LaneValue Binary(LaneOp op, LaneValue a, LaneValue b);
  LaneValue ShiftBy(LaneOp op, LaneValue a, int amount);
  /// a * b + c of floats by relaxed SIMD, which not every engine has, and which need not be fused.
  LaneValue RelaxedMultiplyAdd(LaneValue a, LaneValue b, LaneValue c);
  LaneValue Not(LaneValue pred);
  LaneValue Select(LaneValue pred, LaneValue on_true, LaneValue on_false);
  /// 1 and 0 for predicates; integers from another width are sign-extended or, with `is_unsigned`,
  /// zero-extended; floats to integers saturate; never to a predicate.
  LaneValue Convert(LaneValue a, LaneKind kind, bool is_unsigned);
  /// The bits as another kind of the same width.
  LaneValue Reinterpret(LaneValue a, LaneKind kind);
  /// An i32 brought into the range of a narrow integer type, as arithmetic modulo 2^n does.
  LaneValue Wrap(LaneValue a, ElementType type);
  /// Calls a function of the module on one lane.
  LaneValue Call(uint32_t function, std::span<const LaneValue> args, LaneKind result);

  /// What `compute(LaneCode*, args)` writes for one lane, for each of them.
  template <typename Compute>
  LaneValue ByLane(LaneKind kind, std::span<const LaneValue> args, Compute compute) {
    if (!is_vector()) return compute(this, args);
    const LaneValue result = New(kind);
    LaneCode* const one = OneLane();
    for (int lane = 0; lane < lanes_; ++lane) {
      std::vector<LaneValue> parts;
      for (const LaneValue& arg : args) parts.push_back(Extract(arg, lane));
      Insert(compute(one, parts), lane, result);
    }
    if (one->failed()) Fail();
    return result;
  }

  /// What Branch writes for rare operands: the code of either case; a branch to code apart; or, in
  /// that code, what serves all operands.
  enum class Rare : uint8_t { kHere, kApart, kAlways };
  /// `depth`: of the block at whose end the code apart begins.
  void SetRare(Rare rare, uint32_t depth = 0) {
    rare_ = rare;
    rare_depth_ = depth;
    has_rare_ = false;
  }
  /// Whether Branch was called since then.
  bool has_rare() const { return has_rare_; }

  /// What `common` writes where the predicate holds for no lane, otherwise what `rare` does, which
  /// gives the same wherever the predicate does not hold.
  template <typename WriteRare, typename WriteCommon>
  LaneValue Branch(LaneValue pred, LaneKind kind, WriteRare rare, WriteCommon common) {
    has_rare_ = true;
    if (rare_ == Rare::kAlways) return rare();
    if (rare_ == Rare::kApart) {
      PushAny(pred);
      writer_.Branch(Code::kBrIf, rare_depth_);
      return common();
    }
    const LaneValue result = New(kind);
    PushAny(pred);
    writer_.Open(Code::kIf);
    Assign(result, rare());
    writer_.Write(Code::kElse);
    Assign(result, common());
    writer_.Write(Code::kEnd);
    return result;
  }

  /// Locals for a value of this kind.
  LaneValue New(LaneKind kind);
  void Assign(LaneValue to, LaneValue from);
  /// A predicate as the mask for lanes of 32 bits.
  LaneValue Narrow(LaneValue pred);
  /// The lanes from the address in a local.
  LaneValue Load(uint32_t address, ElementType type);
  /// Several lanes of f32 from there, as f64.
  LaneValue LoadWide(uint32_t address);
  /// All lanes from one element.
  LaneValue LoadForAll(uint32_t address, ElementType type);
  void Store(uint32_t address, LaneValue value, ElementType type);
  /// Of several lanes: all of them the value of one; that of one of them.
  LaneValue Splat(LaneValue one, LaneKind kind);
  LaneValue Extract(LaneValue value, int lane);
  /// Of several lanes those from the first one of a vector on, for code with fewer lanes.
  LaneValue From(LaneValue value, int lane) const;
  /// Puts the value of one lane into that of several; from the first lane of a vector on.
  void Insert(LaneValue one, int lane, LaneValue value);
  /// The code of one lane of several.
  LaneCode* OneLane();
  /// One lane: all of them folded by an operation whose order does not matter.
  LaneValue Folded(LaneOp op, LaneValue value);
  /// Leaves on the stack whether a predicate holds for any lane.
  void PushAny(LaneValue pred);
  /// All lanes from a value of one lane.
  LaneValue ForAll(LaneValue one) { return is_vector() ? Splat(one, one.kind) : one; }
  FunctionWriter& writer() { return writer_; }

 private:
  CodeType TypeOf(LaneKind kind) const;
  /// Locals of a value.
  uint32_t PartsOf(LaneKind kind) const;
  /// For each part, what `write` leaves on the stack.
  template <typename Write>
  LaneValue Parts(LaneKind kind, Write write) {
    const LaneValue value = New(kind);
    for (uint32_t part = 0; part < PartsOf(kind); ++part) {
      write(part);
      writer_.Set(value.local + part);
    }
    return value;
  }
  void WriteRow(LaneOp op, LaneKind kind);
  void PushConstant(LaneKind kind, uint64_t bits);
  LaneValue MaskFor(LaneValue pred, LaneKind kind);
  LaneValue ConvertVector(LaneValue a, LaneKind kind, bool is_unsigned);
  /// From parts of 64-bit lanes, two at a time.
  template <typename Push>
  LaneValue Joined(LaneKind kind, bool is_low, Push push);
  void PushHigh(uint32_t local);
  LaneValue LoadRaw(uint32_t address, ElementType type);
  void StoreVector(uint32_t address, LaneValue value, int bytes);

  FunctionWriter& writer_;
  int lanes_;
  bool failed_ = false;
  Rare rare_ = Rare::kHere;
  uint32_t rare_depth_ = 0;
  bool has_rare_ = false;
  std::map<std::pair<LaneKind, uint64_t>, LaneValue> constants_;
  std::unique_ptr<LaneCode> one_;  // of several lanes
};

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_LANE_CODE_H_
