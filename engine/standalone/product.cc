// Products of matrices: every element is a sum in ascending order of the contracted index, from
// zero, rounded each time.
#include <algorithm>

#include "engine/base/indices.h"
#include "engine/ops/op_def.h"
#include "engine/ops/products/contraction.h"
#include "engine/ops/products/dot_dims.h"
#include "engine/standalone/operation.h"

namespace hlo {
namespace {

/// c[m, n] = a[m, k] b[k, n], several times.
struct Sizes {
  int64_t batches = 1, m = 1, k = 1, n = 1;
};

// Rows and columns of a block of sums, which are in locals.
constexpr int64_t kRows = 4, kVectors = 2;

/// Products of f32 or f64, in blocks: vectors along a row of the result.
class BlockCode {
 public:
  BlockCode(ElementType type, const Sizes& sizes, KernelCode* code)
      : type_(type),
        width_(BytesOf(type)),
        lanes_of_vector_(16 / width_),
        sizes_(sizes),
        code_(*code),
        a_(code->Sum(0, 0)),
        b_(code->Sum(1, 0)),
        c_(code->Sum(2, 0)) {}

  void Write() {
    const auto bytes = [&](int64_t elements) { return elements * width_; };
    code_.Repeat(sizes_.batches, [&] {
      if (const int64_t blocks = sizes_.m / kRows; blocks > 0) {
        code_.Repeat(blocks, [&] { WriteRows(kRows); });
      }
      for (int64_t row = sizes_.m / kRows * kRows; row < sizes_.m; ++row) WriteRows(1);
      code_.Advance(b_, bytes(sizes_.k * sizes_.n));
    });
  }

 private:
  // The next rows of the result; a_ and c_ go on behind them.
  void WriteRows(int64_t rows) {
    const int64_t columns = kVectors * lanes_of_vector_, blocks = sizes_.n / columns;
    const uint32_t b = code_.Sum(b_, 0);
    if (blocks > 0) {
      code_.Repeat(blocks, [&] { WriteBlock(b, rows, static_cast<int>(columns)); });
    }
    const int64_t left = sizes_.n % columns;
    if (left > 0) code_.Repeat(left, [&] { WriteBlock(b, rows, 1); });
    code_.Advance(a_, rows * sizes_.k * width_);
    code_.Advance(c_, (rows - 1) * sizes_.n * width_);
  }

  // A block of so many rows and columns; b and c_ go on to the next columns.
  void WriteBlock(uint32_t b, int64_t rows, int columns) {
    LaneCode lanes(&code_.writer(), columns);
    std::vector<LaneValue> sums;
    for (int64_t row = 0; row < rows; ++row) {
      sums.push_back(lanes.New(*LaneKindOf(type_)));
      lanes.Assign(sums.back(), lanes.Constant(*LaneKindOf(type_), 0));
    }
    const uint32_t left = code_.Sum(a_, 0), right = code_.Sum(b, 0);
    std::vector<uint32_t> lefts = {left};
    for (int64_t row = 1; row < rows; ++row)
      lefts.push_back(code_.Sum(left, row * sizes_.k * width_));
    if (sizes_.k > 0) {
      code_.Repeat(sizes_.k, [&] {
        const LaneValue factors = lanes.Load(right, type_);
        for (size_t row = 0; row < sums.size(); ++row) {
          const LaneValue factor = lanes.LoadForAll(lefts[row], type_);
          lanes.Assign(sums[row], lanes.Binary(LaneOp::kAdd, sums[row],
                                               lanes.Binary(LaneOp::kMultiply, factor, factors)));
          code_.Advance(lefts[row], width_);
        }
        code_.Advance(right, sizes_.n * width_);
      });
    }
    for (size_t row = 0; row < sums.size(); ++row) {
      const uint32_t to = code_.Sum(c_, static_cast<int64_t>(row) * sizes_.n * width_);
      lanes.Store(to, sums[row], type_);
    }
    code_.Advance(b, columns * width_);
    code_.Advance(c_, columns * width_);
    if (lanes.failed()) code_.one().Fail();
  }

  const ElementType type_;
  const int64_t width_;
  const int64_t lanes_of_vector_;
  const Sizes sizes_;
  KernelCode& code_;
  const uint32_t a_, b_, c_;
};

// Products of other types: each number is converted where it is read, and the sum at the end.
void WriteOneByOne(const Operation& operation, const Sizes& sizes, KernelCode* code) {
  const ElementType type = operation.type(), sum_type = SumType(type);
  const ElementType a_type = operation.operand_type(0), b_type = operation.operand_type(1);
  LaneCode& one = code->one();
  const uint32_t a = code->Sum(0, 0), b = code->Sum(1, 0), c = code->Sum(2, 0);
  const auto number = [&](uint32_t address, ElementType from) {
    return code->Converted(code->Converted(one.Load(address, from), from, type), type, sum_type);
  };
  const Walk outer[] = {
      {a, Dims{sizes.m * sizes.k * BytesOf(a_type), sizes.k * BytesOf(a_type), 0}},
      {b, Dims{sizes.k * sizes.n * BytesOf(b_type), 0, BytesOf(b_type)}},
      {c, Dims{sizes.m * sizes.n * BytesOf(type), sizes.n * BytesOf(type), BytesOf(type)}}};
  const Walk inner[] = {{a, Dims{BytesOf(a_type)}}, {b, Dims{sizes.n * BytesOf(b_type)}}};
  const LaneValue sum = one.New(*LaneKindOf(sum_type));
  code->Nest(Dims{sizes.batches, sizes.m, sizes.n}, outer, [&] {
    one.Assign(sum, one.Constant(sum.kind, 0));
    code->Nest(Dims{sizes.k}, inner, [&] {
      const LaneValue product = one.Binary(LaneOp::kMultiply, number(a, a_type), number(b, b_type));
      one.Assign(sum, one.Binary(LaneOp::kAdd, sum, product));
    });
    one.Store(c, code->Converted(sum, sum_type, type), type);
  });
}

// The array with its dimensions in another order.
int32_t Ordered(int32_t array, const Shape& shape, const Dims& order, Emitter* emitter) {
  const StridedView view = Permute(RowMajorView(shape.dims()), order);
  if (IsDense(view)) return array;
  return emitter->Viewed(array, view, shape.element_type());
}

bool WriteDot(const Operation& operation, Emitter* emitter) {
  const OpCall& call = *operation.call;
  const Shape &lhs = call.operand(0), &rhs = call.operand(1);
  const ElementType type = operation.type();
  for (ElementType of : {type, lhs.element_type(), rhs.element_type()}) {
    if (!LaneKindOf(of)) return false;
  }
  const DotDims dims = DotDimsOf(call);
  const Dims lhs_free = FreeDims(lhs.rank(), dims.lhs_batch, dims.lhs_contracting);
  const Dims rhs_free = FreeDims(rhs.rank(), dims.rhs_batch, dims.rhs_contracting);
  const auto count = [](const Shape& shape, const Dims& which) {
    return ElementCount(SizesOf(shape.dims(), which));
  };
  const Sizes sizes{count(lhs, dims.lhs_batch), count(lhs, lhs_free),
                    count(lhs, dims.lhs_contracting), count(rhs, rhs_free)};
  if (call.shape().element_count() == 0) return true;
  const int32_t a =
      Ordered(operation.operands[0], lhs,
              Joined(Joined(dims.lhs_batch, lhs_free), dims.lhs_contracting), emitter);
  const int32_t b =
      Ordered(operation.operands[1], rhs,
              Joined(Joined(dims.rhs_batch, dims.rhs_contracting), rhs_free), emitter);
  KernelCode code(3);
  const bool is_plain = (type == ElementType::kF32 || type == ElementType::kF64) &&
                        lhs.element_type() == type && rhs.element_type() == type;
  if (is_plain) {
    BlockCode(type, sizes, &code).Write();
  } else {
    WriteOneByOne(operation, sizes, &code);
  }
  return emitter->Call(&code, {a, b}, operation.results);
}

}  // namespace

bool WriteProduct(const Operation& operation, Emitter* emitter) {
  if (operation.instruction->opcode() == Opcode::kDot) return WriteDot(operation, emitter);
  return false;
}

}  // namespace hlo
