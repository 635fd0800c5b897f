// Products of matrices: every element is a sum in ascending order of the contracted index, from
// zero, rounded each time.
#include <algorithm>
#include <utility>
#include <vector>

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

// Rows of a block of sums, which are in locals, and vectors of a row.
constexpr int64_t kRows = 4, kVectors = 2;
/// Steps of a sum at a time: so many rows of a panel stay in the first-level cache.
constexpr int64_t kMostDepth = 256;
/// From so many rows on it is worth it to copy a panel together.
constexpr int64_t kLeastPackedRows = 8;

/// Products of f32 or f64: vectors along a row of the result. A panel of the second factor, as wide
/// as a block of sums, is copied together and then multiplied by all rows.
class BlockCode {
 public:
  BlockCode(ElementType type, const Sizes& sizes, ProductStep step, KernelCode* code)
      : type_(type),
        step_(step),
        width_(BytesOf(type)),
        lanes_of_vector_(static_cast<int>(kVectorBytes / width_)),
        sizes_(sizes),
        code_(*code),
        writer_(code->writer()),
        a_(code->Sum(0, 0)),
        b_(code->Sum(1, 0)),
        c_(code->Sum(2, 0)) {}

  static int64_t PanelBytes() { return kMostDepth * kVectors * kVectorBytes; }

  void Write() {
    const int64_t columns = kVectors * lanes_of_vector_, panels = sizes_.n / columns;
    code_.Repeat(sizes_.batches, [&] {
      const uint32_t b = code_.Sum(b_, 0), c = code_.Sum(c_, 0);
      if (panels > 0) {
        code_.Repeat(panels, [&] {
          WritePanel(b, c);
          code_.Advance(b, columns * width_);
          code_.Advance(c, columns * width_);
        });
      }
      if (const int64_t left = sizes_.n % columns; left > 0) {
        code_.Repeat(left, [&] {
          WriteDepth(b, RowBytes(), c, 1, sizes_.k, 0, true);
          code_.Advance(b, width_);
          code_.Advance(c, width_);
        });
      }
      code_.Advance(a_, sizes_.m * sizes_.k * width_);
      code_.Advance(b_, sizes_.k * RowBytes());
      code_.Advance(c_, sizes_.m * RowBytes());
    });
  }

 private:
  static constexpr int64_t kVectorBytes = 16;
  static constexpr uint32_t kPanel = 3;  // a parameter

  int64_t RowBytes() const { return sizes_.n * width_; }

  // The columns from these addresses on.
  void WritePanel(uint32_t b, uint32_t c) {
    const int lanes = static_cast<int>(kVectors) * lanes_of_vector_;
    if (sizes_.m < kLeastPackedRows || sizes_.k == 0) {
      return WriteDepth(b, RowBytes(), c, lanes, sizes_.k, 0, true);
    }
    const uint32_t from = code_.Sum(b, 0);
    const auto write = [&](int64_t depth, uint32_t at, bool is_first) {
      const uint32_t to = code_.Sum(kPanel, 0);
      code_.Repeat(depth, [&] {
        for (int64_t v = 0; v < kVectors; ++v) {
          const auto offset = static_cast<uint32_t>(v * kVectorBytes);
          writer_.Get(to);
          writer_.Get(from);
          writer_.Memory(Code::kV128Load, offset);
          writer_.Memory(Code::kV128Store, offset);
        }
        code_.Advance(from, RowBytes());
        code_.Advance(to, kVectors * kVectorBytes);
      });
      WriteDepth(kPanel, kVectors * kVectorBytes, c, lanes, depth, at, is_first);
    };
    const int64_t first = std::min(sizes_.k, kMostDepth), rest = sizes_.k - first;
    const uint32_t at = code_.Number(0);
    write(first, at, true);
    code_.Advance(at, first * width_);
    if (rest / kMostDepth > 0) {
      code_.Repeat(rest / kMostDepth, [&] {
        write(kMostDepth, at, false);
        code_.Advance(at, kMostDepth * width_);
      });
    }
    if (rest % kMostDepth > 0) write(rest % kMostDepth, at, false);
  }

  // So many steps of the sums of all rows, of so many columns (1 or those of a panel), whose
  // factors are `stride` apart. `at`: a local with the bytes of a row of the first factor before
  // the first step, or 0.
  void WriteDepth(uint32_t b, int64_t stride, uint32_t c, int columns, int64_t depth, uint32_t at,
                  bool is_first) {
    const uint32_t left = code_.Sum(a_, 0), to = code_.Sum(c, 0);
    if (at != 0) code_.Add(left, at);
    const auto rows = [&](int64_t count) {
      WriteBlock(left, b, stride, to, count, columns, depth, is_first);
      code_.Advance(left, count * sizes_.k * width_);
      code_.Advance(to, count * RowBytes());
    };
    if (sizes_.m / kRows > 0) code_.Repeat(sizes_.m / kRows, [&] { rows(kRows); });
    if (sizes_.m % kRows > 0) code_.Repeat(sizes_.m % kRows, [&] { rows(1); });
  }

  // A block of sums.
  void WriteBlock(uint32_t a, uint32_t b, int64_t stride, uint32_t c, int64_t rows, int columns,
                  int64_t depth, bool is_first) {
    LaneCode lanes(&writer_, std::min(columns, lanes_of_vector_));
    const LaneKind kind = *LaneKindOf(type_);
    const size_t vectors = columns == 1 ? 1 : kVectors;
    std::vector<LaneValue> sums;
    for (int64_t row = 0; row < rows; ++row) {
      for (size_t v = 0; v < vectors; ++v) {
        sums.push_back(lanes.New(kind));
        if (is_first) {
          lanes.Assign(sums.back(), lanes.Constant(kind, 0));
        } else {
          Load(c, row * RowBytes() + VectorAt(v), lanes.is_vector(), sums.back());
        }
      }
    }
    const uint32_t left = code_.Sum(a, 0), right = code_.Sum(b, 0);
    // One step at a time: of several V8 would load all factors first, for which there are too few
    // registers.
    const auto step = [&] {
      std::vector<LaneValue> values;
      for (size_t v = 0; v < vectors; ++v) {
        values.push_back(lanes.New(kind));
        Load(right, VectorAt(v), lanes.is_vector(), values.back());
      }
      for (int64_t row = 0; row < rows; ++row) {
        const LaneValue factor = lanes.New(kind);
        LoadForAll(left, row * sizes_.k * width_, lanes.is_vector(), factor);
        for (size_t v = 0; v < vectors; ++v) {
          const LaneValue& sum = sums[static_cast<size_t>(row) * vectors + v];
          lanes.Assign(sum, AddedProduct(sum, factor, values[v], step_, &lanes));
        }
      }
      code_.Advance(left, width_);
      code_.Advance(right, stride);
    };
    if (depth > 0) code_.Repeat(depth, step);
    for (int64_t row = 0; row < rows; ++row) {
      for (size_t v = 0; v < vectors; ++v) {
        writer_.Get(c);
        writer_.Get(sums[static_cast<size_t>(row) * vectors + v].local);
        writer_.Memory(lanes.is_vector()            ? Code::kV128Store
                       : type_ == ElementType::kF32 ? Code::kF32Store
                                                    : Code::kF64Store,
                       static_cast<uint32_t>(row * RowBytes() + VectorAt(v)));
      }
    }
    if (lanes.failed()) code_.one().Fail();
  }

  static int64_t VectorAt(size_t v) { return static_cast<int64_t>(v) * kVectorBytes; }
  void Load(uint32_t address, int64_t offset, bool is_vector, const LaneValue& to) {
    Load(address, offset, is_vector ? Code::kV128Load : CodeOfOne(), to);
  }
  void LoadForAll(uint32_t address, int64_t offset, bool is_vector, const LaneValue& to) {
    const Code splat = type_ == ElementType::kF32 ? Code::kV128Load32Splat : Code::kV128Load64Splat;
    Load(address, offset, is_vector ? splat : CodeOfOne(), to);
  }
  Code CodeOfOne() const { return type_ == ElementType::kF32 ? Code::kF32Load : Code::kF64Load; }
  void Load(uint32_t address, int64_t offset, Code code, const LaneValue& to) {
    writer_.Get(address);
    writer_.Memory(code, static_cast<uint32_t>(offset));
    writer_.Set(to.local);
  }

  const ElementType type_;
  const ProductStep step_;
  const int64_t width_;
  const int lanes_of_vector_;
  const Sizes sizes_;
  KernelCode& code_;
  FunctionWriter& writer_;
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
  const ElementType a_type = lhs.shape.element_type(), b_type = rhs.shape.element_type();
  const bool is_plain =
      (type == ElementType::kF32 || type == ElementType::kF64) && a_type == type && b_type == type;
  std::vector<int32_t> writes = {result};
  KernelCode code(is_plain ? 4 : 3);
  code.writer().set_functions(&emitter->module());
  if (is_plain) {
    BlockCode(type, sizes, emitter->step(), &code).Write();
    writes.push_back(emitter->NewArray(ElementType::kU8, BlockCode::PanelBytes()));
  } else {
    WriteOneByOne(sizes, {a_type, b_type, type}, emitter->step(), &code);
  }
  return emitter->Call(&code, {a, b}, std::move(writes));
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
