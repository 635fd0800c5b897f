// Products of matrices: every element is a sum in ascending order of the contracted index, from
// zero, rounded each time.
#include <algorithm>

#include "engine/base/indices.h"
#include "engine/ops/op_def.h"
#include "engine/ops/products/contraction.h"
#include "engine/ops/products/dot_dims.h"
#include "engine/standalone/operation.h"
#include "engine/standalone/product_code.h"

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
  BlockCode(ElementType type, const Sizes& sizes, ProductStep step, KernelCode* code)
      : type_(type),
        step_(step),
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
          lanes.Assign(sums[row], AddedProduct(sums[row], factor, factors, step_, &lanes));
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
  const ProductStep step_;
  const int64_t width_;
  const int64_t lanes_of_vector_;
  const Sizes sizes_;
  KernelCode& code_;
  const uint32_t a_, b_, c_;
};

// Products of other types: each number is converted where it is read, and the sum at the end.
void WriteOneByOne(const Sizes& sizes, const ProductTypes& types, ProductStep step,
                   KernelCode* code) {
  const auto [a_type, b_type, type] = types;
  const uint32_t a = code->Sum(0, 0), b = code->Sum(1, 0), c = code->Sum(2, 0);
  const Walk outer[] = {
      {a, Dims{sizes.m * sizes.k * BytesOf(a_type), sizes.k * BytesOf(a_type), 0}},
      {b, Dims{sizes.k * sizes.n * BytesOf(b_type), 0, BytesOf(b_type)}},
      {c, Dims{sizes.m * sizes.n * BytesOf(type), sizes.n * BytesOf(type), BytesOf(type)}}};
  const Walk inner[] = {{a, Dims{BytesOf(a_type)}}, {b, Dims{sizes.n * BytesOf(b_type)}}};
  ProductSum sum(types, step, code);
  code->Nest(Dims{sizes.batches, sizes.m, sizes.n}, outer, [&] {
    sum.Begin();
    code->Nest(Dims{sizes.k}, inner, [&] { sum.Add(a, b); });
    sum.Store(c);
  });
}

}  // namespace

bool WriteContraction(const Factor& lhs, const Factor& rhs, const DotDims& dims, ElementType type,
                      int32_t result, Emitter* emitter) {
  const Dims lhs_free = FreeDims(lhs.shape.rank(), dims.lhs_batch, dims.lhs_contracting);
  const Dims rhs_free = FreeDims(rhs.shape.rank(), dims.rhs_batch, dims.rhs_contracting);
  const auto count = [](const Shape& shape, const Dims& which) {
    return ElementCount(SizesOf(shape.dims(), which));
  };
  const Sizes sizes{count(lhs.shape, dims.lhs_batch), count(lhs.shape, lhs_free),
                    count(lhs.shape, dims.lhs_contracting), count(rhs.shape, rhs_free)};
  if (sizes.batches * sizes.m * sizes.n == 0) return true;
  const int32_t a =
      OrderedArray(lhs, Joined(Joined(dims.lhs_batch, lhs_free), dims.lhs_contracting), emitter);
  const int32_t b =
      OrderedArray(rhs, Joined(Joined(dims.rhs_batch, dims.rhs_contracting), rhs_free), emitter);
  KernelCode code(3);
  code.writer().set_functions(&emitter->module());
  const ElementType a_type = lhs.shape.element_type(), b_type = rhs.shape.element_type();
  const bool is_plain =
      (type == ElementType::kF32 || type == ElementType::kF64) && a_type == type && b_type == type;
  if (is_plain) {
    BlockCode(type, sizes, emitter->step(), &code).Write();
  } else {
    WriteOneByOne(sizes, {a_type, b_type, type}, emitter->step(), &code);
  }
  return emitter->Call(&code, {a, b}, {result});
}

bool WriteProduct(const Operation& operation, Emitter* emitter) {
  const OpCall& call = *operation.call;
  switch (operation.instruction->opcode()) {
    case Opcode::kDot:
      return WriteContraction({operation.operands[0], call.operand(0)},
                              {operation.operands[1], call.operand(1)}, DotDimsOf(call),
                              operation.type(), operation.results[0], emitter);
    case Opcode::kRaggedDot:
      return WriteRaggedProduct(operation, emitter);
    case Opcode::kScaledDot:
      return WriteScaledProduct(operation, emitter);
    default:
      return false;
  }
}

}  // namespace hlo
