#include "engine/codegen/row_fold_code.h"

#include "engine/kernels/row_loops.h"

namespace hlo {
namespace {

using enum LaneKind;

Reducer ReducerOfFold(const RegionStep& fold) { return static_cast<Reducer>(fold.loop.params[0]); }

}  // namespace

bool CanFoldInCode(const RegionStep& fold) {
  const Reducer reducer = ReducerOfFold(fold);
  const bool has_code =
      reducer == Reducer::kAdd || reducer == Reducer::kMaximum || reducer == Reducer::kMinimum;
  return has_code && fold.loop.result == ElementType::kF32;
}

RowFoldCode::RowFoldCode(const RegionStep& fold, LaneCode* code, LaneCode* one)
    : code_(*code),
      parts_(&code->writer(), kSumParts),
      one_(*one),
      is_sum_(ReducerOfFold(fold) == Reducer::kAdd),
      is_maximum_(ReducerOfFold(fold) == Reducer::kMaximum),
      lanes_(is_sum_ ? parts_.New(kF64) : code->New(kF32)),
      odd_(is_sum_ ? LaneValue{} : code->New(kPred)),
      acc_(one->New(is_sum_ ? kF64 : kF32)) {}

void RowFoldCode::Begin(LaneValue init) {
  one_.Assign(acc_, one_.Convert(init, acc_.kind, false));
  if (is_sum_) {
    parts_.Assign(lanes_, parts_.Constant(kF64, -0.0));
  } else {
    code_.Assign(lanes_, code_.Splat(init, kF32));
    code_.Assign(odd_, code_.Constant(kPred, 0));
  }
}

void RowFoldCode::AddLanes(LaneValue elements) {
  if (is_sum_) return AddWide(code_.Convert(elements, kF64, false));
  const LaneOp op = is_maximum_ ? LaneOp::kPmax : LaneOp::kPmin;
  code_.Assign(lanes_, code_.Binary(op, lanes_, elements));
  const LaneValue is_nan = code_.Binary(LaneOp::kNe, elements, elements);
  code_.Assign(odd_, code_.Binary(LaneOp::kOr, odd_, is_nan));
}

void RowFoldCode::AddStored(uint32_t address) { AddWide(code_.LoadWide(address)); }

// So many elements at a time as there are parts.
void RowFoldCode::AddWide(LaneValue elements) {
  for (int lane = 0; lane < code_.lanes(); lane += kSumParts) {
    parts_.Assign(lanes_, parts_.Binary(LaneOp::kAdd, lanes_, code_.From(elements, lane)));
  }
}

// The first NaN, if any; of equal ones the first.
LaneValue RowFoldCode::Better(LaneValue x, LaneValue y) {
  const LaneValue first = one_.Binary(is_maximum_ ? LaneOp::kGe : LaneOp::kLe, x, y);
  return one_.Select(one_.Binary(LaneOp::kOr, first, one_.Binary(LaneOp::kNe, x, x)), x, y);
}

void RowFoldCode::AddOne(LaneValue element) {
  if (!is_sum_) return one_.Assign(acc_, Better(acc_, element));
  const LaneValue wide = one_.Convert(element, kF64, false);
  one_.Assign(acc_, one_.Binary(LaneOp::kAdd, acc_, wide));
}

void RowFoldCode::Join() {
  if (!is_sum_) {
    const LaneOp op = is_maximum_ ? LaneOp::kPmax : LaneOp::kPmin;
    return one_.Assign(acc_, Better(acc_, code_.Folded(op, lanes_)));
  }
  for (int lane = 0; lane < kSumParts; ++lane) {
    const LaneValue element = parts_.Extract(lanes_, lane);
    one_.Assign(acc_, one_.Binary(LaneOp::kAdd, acc_, element));
  }
}

LaneValue RowFoldCode::IsOdd() {
  const LaneValue any = one_.New(kPred);
  code_.PushAny(odd_);
  one_.writer().Set(any.local);
  const LaneValue magnitude = one_.Unary(LaneOp::kAbs, acc_);
  const LaneValue is_plain = one_.Binary(LaneOp::kGt, magnitude, one_.Constant(kF32, 0));
  return one_.Binary(LaneOp::kOr, any, one_.Not(is_plain));
}

LaneValue RowFoldCode::Result() { return one_.Convert(acc_, kF32, false); }

}  // namespace hlo
