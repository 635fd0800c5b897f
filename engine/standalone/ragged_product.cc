// ragged-dot: groups whose sizes are known when they are multiplied (ops/products/ragged_eval.cc).
#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/base/indices.h"
#include "engine/ops/op_def.h"
#include "engine/ops/products/contraction.h"
#include "engine/ops/products/ragged.h"
#include "engine/standalone/number_code.h"
#include "engine/standalone/product_code.h"
#include "engine/types/convert.h"

namespace hlo {
namespace {

/// lhs [batch, m, k], rhs [batch, groups (or 1), k, n]; around the ragged dimension, in its list.
struct RaggedSizes {
  int64_t batches = 1, m = 1, k = 1, n = 1;
  int64_t outer = 1, ragged = 1, inner = 1;
  int64_t groups = 1, matrices = 1, listed = 1;  ///< listed: sizes of groups in a row of them
  bool by_prefix = false;                        ///< a row for each position before the dimension
};

/// Parameters are lhs, rhs, the sizes as s64, the result, and two lists of s32 for the positions
/// before a contracting dimension.
class RaggedCode {
 private:
  static int32_t Int(int64_t number) { return static_cast<int32_t>(number); }
  /// The end of a loop: a multiple of a local.
  auto Times(uint32_t local, int64_t factor) {
    return [this, local, factor] {
      writer_.Get(local);
      writer_.I32(Int(factor));
      writer_.Write(Code::kI32Mul);
    };
  }

 public:
  RaggedCode(const ProductTypes& types, const RaggedSizes& sizes, ProductStep step,
             KernelCode* code)
      : types_(types),
        sizes_(sizes),
        code_(*code),
        writer_(code->writer()),
        numbers_(code),
        sum_(types, step, code) {}

  void WriteFree() {
    const uint32_t a = code_.Sum(0, 0), b = code_.Sum(1, 0), c = code_.Sum(3, 0);
    const uint32_t listed = code_.Sum(2, 0);
    const int64_t rows = sizes_.ragged * sizes_.inner;
    code_.Repeat(sizes_.batches, [&] {
      code_.Repeat(sizes_.outer, [&] {
        const uint32_t left = code_.Number(Int(sizes_.ragged));
        const uint32_t from = code_.Sum(a, 0), to = code_.Sum(c, 0), matrix = code_.Sum(b, 0);
        const uint32_t next = code_.Sum(listed, 0);
        code_.Repeat(sizes_.groups, [&] {
          const uint32_t count = Count(next, left);
          const uint32_t row = code_.Number(0);
          numbers_.For(row, Times(count, sizes_.inner), [&] {
            WriteRow(from, matrix, to);
            code_.Advance(from, sizes_.k * width(types_.a));
            code_.Advance(to, sizes_.n * width(types_.type));
          });
          code_.Advance(matrix, sizes_.k * sizes_.n * width(types_.b));
          code_.Advance(next, sizeof(int64_t));
        });
        code_.Advance(a, rows * sizes_.k * width(types_.a));
        code_.Advance(c, rows * sizes_.n * width(types_.type));
        if (sizes_.by_prefix) code_.Advance(listed, sizes_.listed * int64_t{sizeof(int64_t)});
      });
      code_.Advance(b, sizes_.matrices * sizes_.k * sizes_.n * width(types_.b));
    });
  }

  void WriteBatches() {
    const uint32_t a = code_.Sum(0, 0), b = code_.Sum(1, 0), c = code_.Sum(3, 0);
    const uint32_t listed = code_.Sum(2, 0);
    const int64_t all = sizes_.ragged * sizes_.inner;
    code_.Repeat(sizes_.outer, [&] {
      const uint32_t left = code_.Number(Int(sizes_.ragged)), next = code_.Sum(listed, 0);
      const uint32_t done = code_.Number(0);
      code_.Repeat(sizes_.groups, [&] {
        code_.Add(done, Count(next, left));
        code_.Advance(next, sizeof(int64_t));
      });
      const uint32_t from = code_.Sum(a, 0), matrix = code_.Sum(b, 0), to = code_.Sum(c, 0);
      const uint32_t batch = code_.Number(0);
      numbers_.For(batch, Times(done, sizes_.inner), [&] {
        code_.Repeat(sizes_.m, [&] {
          WriteRow(from, matrix, to);
          code_.Advance(from, sizes_.k * width(types_.a));
          code_.Advance(to, sizes_.n * width(types_.type));
        });
        code_.Advance(matrix, sizes_.k * sizes_.n * width(types_.b));
      });
      code_.Advance(a, all * sizes_.m * sizes_.k * width(types_.a));
      code_.Advance(b, all * sizes_.k * sizes_.n * width(types_.b));
      code_.Advance(c, all * sizes_.m * sizes_.n * width(types_.type));
      if (sizes_.by_prefix) code_.Advance(listed, sizes_.listed * int64_t{sizeof(int64_t)});
    });
  }

  void WriteContracting() {
    const uint32_t a = code_.Sum(0, 0), b = code_.Sum(1, 0), listed = code_.Sum(2, 0);
    const uint32_t c = code_.Sum(3, 0);
    const int64_t matrix = sizes_.m * sizes_.n * width(types_.type);
    code_.Repeat(sizes_.batches, [&] {
      SetTaken();
      const uint32_t of_group = code_.Sum(listed, 0), to = code_.Sum(c, 0);
      code_.Repeat(sizes_.groups, [&] {
        SetCounts(of_group);
        WriteGroup(a, b, to);
        code_.Advance(of_group, sizeof(int64_t));
        code_.Advance(to, sizes_.batches * matrix);
      });
      code_.Advance(a, sizes_.m * sizes_.k * width(types_.a));
      code_.Advance(b, sizes_.k * sizes_.n * width(types_.b));
      code_.Advance(c, matrix);
      if (sizes_.by_prefix) {
        code_.Advance(listed, sizes_.outer * sizes_.listed * int64_t{sizeof(int64_t)});
      }
    });
  }

 private:
  static constexpr uint32_t kTaken = 4, kCounts = 5;  // parameters

  static int64_t width(ElementType type) { return BytesOf(type); }
  /// The size of a group, at an address, clamped to what is left, which becomes less.
  uint32_t Count(uint32_t address, uint32_t left) {
    LaneCode& one = code_.one();
    const lanes::Lane<int64_t> size{&one, one.Load(address, ElementType::kS64)};
    const lanes::Lane<int64_t> most{
        &one, one.Convert({left, LaneKind::kI32}, LaneKind::kI64, /*is_unsigned=*/false)};
    const lanes::Lane<int64_t> positive = Select(size < int64_t{0}, int64_t{0}, size);
    const lanes::Lane<int64_t> clamped = Select(positive > most, most, positive);
    const uint32_t count = code_.Sum(one.Convert(clamped.value, LaneKind::kI32, false).local, 0);
    writer_.Get(left);
    writer_.Get(count);
    writer_.Write(Code::kI32Sub);
    writer_.Set(left);
    return count;
  }

  /// A row of the result.
  void WriteRow(uint32_t row, uint32_t matrix, uint32_t to) {
    const uint32_t column = code_.Sum(matrix, 0), at = code_.Sum(to, 0);
    code_.Repeat(sizes_.n, [&] {
      const uint32_t a = code_.Sum(row, 0), b = code_.Sum(column, 0);
      sum_.Begin();
      code_.Repeat(sizes_.k, [&] { AddNext(a, b); });
      sum_.Store(at);
      code_.Advance(column, width(types_.b));
      code_.Advance(at, width(types_.type));
    });
  }
  void AddNext(uint32_t a, uint32_t b) {
    sum_.Add(a, b);
    code_.Advance(a, width(types_.a));
    code_.Advance(b, sizes_.n * width(types_.b));
  }

  /// For each position before the dimension: nothing is taken yet.
  void SetTaken() {
    const uint32_t at = code_.Sum(kTaken, 0);
    code_.Repeat(sizes_.outer, [&] {
      writer_.Get(at);
      writer_.I32(0);
      writer_.Memory(Code::kI32Store);
      code_.Advance(at, sizeof(int32_t));
    });
  }
  /// The counts of a group, before which so many are taken.
  void SetCounts(uint32_t sizes) {
    const uint32_t next = code_.Sum(sizes, 0), taken = code_.Sum(kTaken, 0);
    const uint32_t counts = code_.Sum(kCounts, 0), left = code_.Number(0);
    code_.Repeat(sizes_.outer, [&] {
      writer_.I32(Int(sizes_.ragged));
      writer_.Get(taken);
      writer_.Memory(Code::kI32Load);
      writer_.Write(Code::kI32Sub);
      writer_.Set(left);
      const uint32_t count = Count(next, left);
      writer_.Get(counts);
      writer_.Get(count);
      writer_.Memory(Code::kI32Store);
      writer_.Get(taken);
      writer_.I32(Int(sizes_.ragged));
      writer_.Get(left);
      writer_.Write(Code::kI32Sub);
      writer_.Memory(Code::kI32Store);
      code_.Advance(taken, sizeof(int32_t));
      code_.Advance(counts, sizeof(int32_t));
      if (sizes_.by_prefix) code_.Advance(next, sizes_.listed * int64_t{sizeof(int64_t)});
    });
  }
  void WriteGroup(uint32_t a, uint32_t b, uint32_t to) {
    const uint32_t row = code_.Sum(a, 0), at = code_.Sum(to, 0);
    code_.Repeat(sizes_.m, [&] {
      const uint32_t column = code_.Sum(b, 0);
      code_.Repeat(sizes_.n, [&] {
        sum_.Begin();
        AddGroup(row, column);
        sum_.Store(at);
        code_.Advance(column, width(types_.b));
        code_.Advance(at, width(types_.type));
      });
      code_.Advance(row, sizes_.k * width(types_.a));
    });
  }
  /// The products of a group, position after position before the dimension.
  void AddGroup(uint32_t row, uint32_t column) {
    const uint32_t taken = code_.Sum(kTaken, 0), counts = code_.Sum(kCounts, 0);
    const uint32_t first = code_.Number(0), number = code_.Number(0), end = code_.Number(0);
    code_.Repeat(sizes_.outer, [&] {
      // [taken - count, taken), of `inner` each.
      const auto push = [&](uint32_t list) {
        writer_.Get(list);
        writer_.Memory(Code::kI32Load);
      };
      const auto set = [&](uint32_t local) {
        writer_.I32(Int(sizes_.inner));
        writer_.Write(Code::kI32Mul);
        writer_.Get(first);
        writer_.Write(Code::kI32Add);
        writer_.Set(local);
      };
      push(taken);
      set(end);
      push(taken);
      push(counts);
      writer_.Write(Code::kI32Sub);
      set(number);
      const uint32_t x = ElementAddress(row, number, Int(width(types_.a)), &writer_);
      const uint32_t y = ElementAddress(column, number, Int(sizes_.n * width(types_.b)), &writer_);
      numbers_.For(
          number, [&] { writer_.Get(end); }, [&] { AddNext(x, y); });
      writer_.Increase(first, Int(sizes_.ragged * sizes_.inner));
      code_.Advance(taken, sizeof(int32_t));
      code_.Advance(counts, sizeof(int32_t));
    });
  }

  const ProductTypes types_;
  const RaggedSizes sizes_;
  KernelCode& code_;
  FunctionWriter& writer_;
  NumberCode numbers_;
  ProductSum sum_;
};

/// The number of indices of a list of dimensions before one of them, in it and after it.
void SplitAround(const Dims& list, int64_t ragged, const Dims& dims, RaggedSizes* sizes) {
  bool is_before = true;
  for (int64_t d : list) {
    const int64_t size = dims[static_cast<size_t>(d)];
    if (d == ragged) {
      sizes->ragged = size;
      is_before = false;
    } else if (is_before) {
      sizes->outer *= size;
    } else {
      sizes->inner *= size;
    }
  }
}

}  // namespace

bool WriteRaggedProduct(const Operation& operation, Emitter* emitter) {
  const OpCall& call = *operation.call;
  const Shape &lhs = call.operand(0), &rhs = call.operand(1), &listed = call.operand(2);
  const RaggedDims dims = RaggedDimsOf(call);
  const DotDims& dot = dims.dot;
  const ProductTypes types{lhs.element_type(), rhs.element_type(), operation.type()};
  const int64_t count = call.shape().element_count();
  if (count == 0) return true;
  const RaggedMode mode = RaggedModeOf(dot, dims.ragged);
  const Dims lhs_free = FreeDims(lhs.rank(), dot.lhs_batch, dot.lhs_contracting);
  Dims rhs_free = FreeDims(rhs.rank(), dot.rhs_batch, dot.rhs_contracting);
  Dims rhs_order = dot.rhs_batch;
  const auto size = [](const Shape& shape, const Dims& which) {
    return ElementCount(SizesOf(shape.dims(), which));
  };
  RaggedSizes sizes;
  sizes.listed = sizes.groups = listed.dims().back();
  sizes.by_prefix = listed.rank() > 1;
  if (mode == RaggedMode::kFree) {
    rhs_order.push_back(dims.group);
    rhs_free.erase(std::find(rhs_free.begin(), rhs_free.end(), dims.group));
    sizes.matrices = rhs.dims()[static_cast<size_t>(dims.group)];
    sizes.groups = std::min(sizes.groups, sizes.matrices);
  }
  sizes.batches = size(lhs, dot.lhs_batch);
  sizes.m = size(lhs, lhs_free);
  sizes.k = size(lhs, dot.lhs_contracting);
  sizes.n = size(rhs, rhs_free);
  SplitAround(mode == RaggedMode::kFree    ? lhs_free
              : mode == RaggedMode::kBatch ? dot.lhs_batch
                                           : dot.lhs_contracting,
              dims.ragged, lhs.dims(), &sizes);
  int32_t numbers = operation.operands[2];
  if (!emitter->Convert(&numbers, listed.element_count(), listed.element_type(),
                        ElementType::kS64)) {
    return false;
  }
  const int32_t a =
      OrderedArray({operation.operands[0], lhs},
                   Joined(Joined(dot.lhs_batch, lhs_free), dot.lhs_contracting), emitter);
  const int32_t b = OrderedArray({operation.operands[1], rhs},
                                 Joined(Joined(rhs_order, dot.rhs_contracting), rhs_free), emitter);
  KernelCode code(6);
  code.writer().set_functions(&emitter->module());
  // Results in no group are zero, which not every type has.
  std::byte zero[16] = {};
  constexpr float kZero = 0;
  ConvertElements(ElementType::kF32, reinterpret_cast<const std::byte*>(&kZero), types.type, zero,
                  1);
  const int width = BytesOf(types.type);
  const uint32_t from = code.Number(static_cast<int32_t>(emitter->module().Data(zero)));
  code.Fill(from, 3, count, width);
  if (sizes.k > 0 && sizes.groups > 0) {
    RaggedCode ragged(types, sizes, emitter->step(), &code);
    if (mode == RaggedMode::kFree) {
      ragged.WriteFree();
    } else if (mode == RaggedMode::kBatch) {
      ragged.WriteBatches();
    } else {
      ragged.WriteContracting();
    }
  }
  std::vector<int32_t> writes = operation.results;
  for (int i = 0; i < 2; ++i) writes.push_back(emitter->NewArray(ElementType::kS32, sizes.outer));
  return emitter->Call(&code, {a, b, numbers}, writes);
}

}  // namespace hlo
