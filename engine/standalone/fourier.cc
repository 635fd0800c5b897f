// fft: the steps of kernels/fourier.h, line by line in c128. Roots of unity are data.
#include <optional>
#include <utility>

#include "engine/base/indices.h"
#include "engine/kernels/fourier.h"
#include "engine/ops/op_def.h"
#include "engine/standalone/number_code.h"
#include "engine/standalone/operation.h"

namespace hlo {
namespace {

constexpr int64_t kPairBytes = 16;

/// By i.
NumberPair TurnedBack(const NumberPair& z) { return {-z.imag, z.real}; }
NumberPair Sum(const NumberPair& a, const NumberPair& b) {
  return {a.real + b.real, a.imag + b.imag};
}
NumberPair Difference(const NumberPair& a, const NumberPair& b) {
  return {a.real - b.real, a.imag - b.imag};
}
NumberPair PlainTimes(const NumberPair& a, const NumberPair& b) {
  return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
}
/// As passes have it.
NumberPair TimesRoot(const NumberPair& x, const NumberPair& w) {
  return {x.real * w.real + x.imag * -w.imag, x.imag * w.real + x.real * w.imag};
}
NumberPair ConjugateOf(const NumberPair& z) { return {z.real, -z.imag}; }

/// Transforms of one length.
class FourierCode {
 public:
  FourierCode(int64_t length, StandaloneModule* module, KernelCode* code)
      : length_(length), module_(*module), code_(*code), numbers_(code), writer_(code->writer()) {
    Budget budget;
    tables_ = FourierPlan(length, &budget).tables();
    power_ = tables_.padded != 0 ? tables_.padded : length;
  }

  /// Complex numbers of scratch memory that it needs.
  int64_t scratch() const {
    const bool is_matrix = tables_.roots.element_count() == 0 && power_ >= kFourierMatrix;
    const int64_t lines = is_matrix ? 2 * RowsOfLine(power_) * kLinesTogether : 0;
    return tables_.padded + power_ + lines;
  }

  /// Replaces the line at an address.
  void Transform(uint32_t line, uint32_t scratch, bool inverse) {
    if (length_ == 0) return;
    // A line of zeros stays as it is.
    const uint32_t any = code_.Number(0), at = code_.Sum(line, 0);
    EachOf(length_, {at}, [&] {
      const NumberPair z = numbers_.LoadPair(at);
      const lanes::Lane<bool> differs = (z.real != 0.0) | (z.imag != 0.0);
      writer_.Get(any);
      writer_.Get(differs.value.local);
      writer_.Write(Code::kI32Or);
      writer_.Set(any);
    });
    writer_.Get(any);
    writer_.Open(Code::kIf);
    if (inverse) Conjugate(line, std::nullopt);
    Forward(line, scratch);
    if (inverse) Conjugate(line, static_cast<double>(length_));
    writer_.Write(Code::kEnd);
  }

 private:
  /// `body` so many times, at elements side by side.
  template <typename Body>
  void EachOf(int64_t count, std::initializer_list<uint32_t> addresses, Body body) {
    code_.Repeat(count, [&] {
      body();
      for (uint32_t address : addresses) code_.Advance(address, kPairBytes);
    });
  }

  uint32_t Table(const Tensor& table) {
    return code_.Number(static_cast<int32_t>(
        module_.Data({table.bytes(), static_cast<size_t>(table.byte_size())})));
  }

  void Conjugate(uint32_t line, std::optional<double> divisor) {
    const uint32_t at = code_.Sum(line, 0);
    EachOf(length_, {at}, [&] {
      NumberPair z = ConjugateOf(numbers_.LoadPair(at));
      if (divisor) z = {z.real / *divisor, z.imag / *divisor};
      numbers_.StorePair(at, z);
    });
  }

  void Forward(uint32_t line, uint32_t scratch) {
    if (tables_.padded != 0) {
      ByConvolution(line, scratch);
    } else if (tables_.roots.element_count() != 0) {
      ByDefinition(line, scratch);
    } else {
      RunPower(line, scratch);
    }
  }

  void ByDefinition(uint32_t line, uint32_t scratch) {
    const uint32_t roots = Table(tables_.roots), to = code_.Sum(scratch, 0);
    const auto bytes = static_cast<int32_t>(length_ * kPairBytes);
    const uint32_t further = code_.Number(0);
    EachOf(length_, {to}, [&] {
      const NumberPair sum = {numbers_.Variable(), numbers_.Variable()};
      const uint32_t at = code_.Sum(line, 0), turn = code_.Number(0);
      EachOf(length_, {at}, [&] {
        const uint32_t root = code_.Sum(roots, 0);
        code_.Add(root, turn);
        const NumberPair next =
            Sum(sum, PlainTimes(numbers_.LoadPair(at), numbers_.LoadPair(root)));
        numbers_.Set(sum.real, next.real);
        numbers_.Set(sum.imag, next.imag);
        code_.Add(turn, further);
        writer_.Get(turn);
        writer_.I32(bytes);
        writer_.Write(Code::kI32GeS);
        writer_.Open(Code::kIf);
        writer_.Increase(turn, -bytes);
        writer_.Write(Code::kEnd);
      });
      numbers_.StorePair(to, sum);
      writer_.Increase(further, kPairBytes);
    });
    CopyLine(scratch, line, length_);
  }

  void CopyLine(uint32_t from, uint32_t to, int64_t count) {
    const StridedView all{{count}, {1}, 0};
    code_.CopyView(from, all, to, all, kPairBytes);
  }

  void ByConvolution(uint32_t line, uint32_t padded) {
    const int64_t size = tables_.padded;
    const uint32_t scratch = code_.Sum(padded, size * kPairBytes);
    const uint32_t chirp = Table(tables_.chirp), filter = Table(tables_.filter);
    uint32_t from = code_.Sum(line, 0), to = code_.Sum(padded, 0), by = code_.Sum(chirp, 0);
    EachOf(length_, {from, to, by}, [&] {
      numbers_.StorePair(to, PlainTimes(numbers_.LoadPair(from), numbers_.LoadPair(by)));
    });
    const NumberPair zero = {numbers_.Constant(0), numbers_.Constant(0)};
    EachOf(size - length_, {to}, [&] { numbers_.StorePair(to, zero); });
    RunPower(padded, scratch);
    to = code_.Sum(padded, 0);
    by = code_.Sum(filter, 0);
    EachOf(size, {to, by}, [&] {
      const NumberPair product = PlainTimes(numbers_.LoadPair(to), numbers_.LoadPair(by));
      numbers_.StorePair(to, ConjugateOf(product));
    });
    RunPower(padded, scratch);
    const double scale = 1.0 / static_cast<double>(size);
    from = code_.Sum(padded, 0);
    to = code_.Sum(line, 0);
    by = code_.Sum(chirp, 0);
    EachOf(length_, {from, to, by}, [&] {
      const NumberPair z = ConjugateOf(numbers_.LoadPair(from));
      const NumberPair scaled = {z.real * scale, z.imag * scale};
      numbers_.StorePair(to, PlainTimes(scaled, numbers_.LoadPair(by)));
    });
  }

  // ---- Powers of two ------------------------------------------------------------------------

  void RunPower(uint32_t line, uint32_t scratch) {
    if (power_ < 2) return;
    const uint32_t roots = Table(tables_.powers);
    if (power_ >= kFourierMatrix) return RunAsMatrix(line, scratch, roots);
    const uint32_t result = TransformLines(line, scratch, power_, 1, roots, 1);
    if (result != line) CopyLine(result, line, power_);
  }

  /// Where the result is.
  uint32_t TransformLines(uint32_t x, uint32_t y, int64_t n, int64_t together, uint32_t roots,
                          int64_t step) {
    int64_t stride = together;
    for (; n >= 4; n /= 4, stride *= 4, step *= 4) {
      PassByFour(x, y, n, stride, roots, step);
      std::swap(x, y);
    }
    if (n == 2) {
      const uint32_t from = code_.Sum(x, 0), to = code_.Sum(y, 0);
      EachOf(stride, {from, to}, [&] {
        const NumberPair a = numbers_.LoadPair(from), b = numbers_.LoadPair(from, stride);
        numbers_.StorePair(to, Sum(a, b));
        numbers_.StorePair(to, Difference(a, b), stride);
      });
      std::swap(x, y);
    }
    return x;
  }

  void PassByFour(uint32_t from, uint32_t to, int64_t n, int64_t stride, uint32_t roots,
                  int64_t step) {
    const int64_t quarter = n / 4, apart = stride * quarter;
    const uint32_t x = code_.Sum(from, 0), y = code_.Sum(to, 0);
    const uint32_t at[] = {code_.Sum(roots, step * kPairBytes),
                           code_.Sum(roots, 2 * step * kPairBytes),
                           code_.Sum(roots, 3 * step * kPairBytes)};
    const auto combine = [&](bool is_first) {
      NumberPair w[3];
      for (int i = 0; i < 3 && !is_first; ++i) w[i] = numbers_.LoadPair(at[i]);
      const auto turned = [&](const NumberPair& z, int i) {
        return is_first ? z : TimesRoot(z, w[i]);
      };
      EachOf(stride, {x, y}, [&] {
        const NumberPair a = numbers_.LoadPair(x), b = numbers_.LoadPair(x, apart),
                         c = numbers_.LoadPair(x, 2 * apart), d = numbers_.LoadPair(x, 3 * apart);
        const NumberPair even = Sum(a, c), odd = Difference(a, c), sum = Sum(b, d),
                         side = TurnedBack(Difference(b, d));
        numbers_.StorePair(y, Sum(even, sum));
        numbers_.StorePair(y, turned(Difference(odd, side), 0), stride);
        numbers_.StorePair(y, turned(Difference(even, sum), 1), 2 * stride);
        numbers_.StorePair(y, turned(Sum(odd, side), 2), 3 * stride);
      });
      // Four results for every element.
      code_.Advance(y, 3 * stride * kPairBytes);
    };
    combine(/*is_first=*/true);
    if (quarter == 1) return;
    code_.Repeat(quarter - 1, [&] {
      combine(/*is_first=*/false);
      for (int i = 0; i < 3; ++i) code_.Advance(at[i], (i + 1) * step * kPairBytes);
    });
  }

  // The two halves of PowerOfTwoTransform::RunAsMatrix.
  void RunAsMatrix(uint32_t line, uint32_t scratch, uint32_t roots) {
    const int64_t rows = RowsOfLine(power_), columns = power_ / rows;
    const uint32_t x = code_.Sum(scratch, power_ * kPairBytes);
    const uint32_t y = code_.Sum(x, rows * kLinesTogether * kPairBytes);
    TransformColumns(line, x, y, roots, rows, columns);
    TransformRows(line, scratch, x, y, roots, rows, columns);
    CopyLine(scratch, line, power_);
  }

  void TransformColumns(uint32_t line, uint32_t x, uint32_t y, uint32_t roots, int64_t rows,
                        int64_t columns) {
    const StridedView block{{rows, kLinesTogether}, {columns, 1}, 0};
    const StridedView dense{{rows, kLinesTogether}, {kLinesTogether, 1}, 0};
    const uint32_t first = code_.Sum(line, 0), column = code_.Number(0);
    code_.Repeat(columns / kLinesTogether, [&] {
      code_.CopyView(first, block, x, dense, kPairBytes);
      const uint32_t sums = TransformLines(x, y, rows, kLinesTogether, roots, columns);
      const uint32_t from = code_.Sum(sums, 0), to = code_.Sum(first, 0);
      const uint32_t row = code_.Number(0);
      code_.Repeat(rows, [&] {
        for (int64_t j = 0; j < kLinesTogether; ++j) {
          const NumberPair root = RootAt(roots, column, j, row);
          numbers_.StorePair(to, TimesRoot(numbers_.LoadPair(from, j), root), j);
        }
        code_.Advance(from, kLinesTogether * kPairBytes);
        code_.Advance(to, columns * kPairBytes);
        writer_.Increase(row, 1);
      });
      code_.Advance(first, kLinesTogether * kPairBytes);
      writer_.Increase(column, kLinesTogether);
    });
  }

  /// The root number (column + j) row.
  NumberPair RootAt(uint32_t roots, uint32_t column, int64_t j, uint32_t row) {
    const auto half = static_cast<int32_t>(power_ / 2);
    const uint32_t number = code_.Sum(column, j), is_beyond = code_.Number(0);
    writer_.Get(number);
    writer_.Get(row);
    writer_.Write(Code::kI32Mul);
    writer_.Set(number);
    writer_.Get(number);
    writer_.I32(half);
    writer_.Write(Code::kI32GeS);
    writer_.Set(is_beyond);
    writer_.Get(is_beyond);
    writer_.Open(Code::kIf);
    writer_.Increase(number, -half);
    writer_.Write(Code::kEnd);
    const uint32_t at = ElementAddress(roots, number, kPairBytes, &writer_);
    const NumberPair root = numbers_.LoadPair(at);
    const lanes::Lane<bool> flips{&code_.one(), {is_beyond, LaneKind::kPred}};
    return {Select(flips, -root.real, root.real), Select(flips, -root.imag, root.imag)};
  }

  void TransformRows(uint32_t line, uint32_t result, uint32_t x, uint32_t y, uint32_t roots,
                     int64_t rows, int64_t columns) {
    const StridedView across{{columns, kLinesTogether}, {1, columns}, 0};
    const StridedView dense{{columns, kLinesTogether}, {kLinesTogether, 1}, 0};
    const StridedView spread{{columns, kLinesTogether}, {rows, 1}, 0};
    const uint32_t first = code_.Sum(line, 0), to = code_.Sum(result, 0);
    code_.Repeat(rows / kLinesTogether, [&] {
      code_.CopyView(first, across, x, dense, kPairBytes);
      const uint32_t sums = TransformLines(x, y, columns, kLinesTogether, roots, rows);
      code_.CopyView(sums, dense, to, spread, kPairBytes);
      code_.Advance(first, kLinesTogether * columns * kPairBytes);
      code_.Advance(to, kLinesTogether * kPairBytes);
    });
  }

  const int64_t length_;
  StandaloneModule& module_;
  KernelCode& code_;
  NumberCode numbers_;
  FunctionWriter& writer_;
  FourierPlan::Tables tables_;
  int64_t power_ = 0;  // the length of transforms of powers of two
};

/// What goes into the line of a transform, and what comes out of it.
struct Lines {
  int64_t outer = 1, inner = 1;  ///< around the axis
  int64_t size = 0, length = 0;  ///< of the axis, of the transform
};

class FftWriter {
 public:
  FftWriter(const Operation& operation, Emitter* emitter)
      : operation_(operation), emitter_(*emitter) {}

  bool Write() {
    const OpCall& call = *operation_.call;
    const Shape& operand = call.operand(0);
    const int64_t type = call.Word("fft_type");
    const Dims& lengths = call.Ints("fft_length");
    const int first = operand.rank() - static_cast<int>(lengths.size()), last = operand.rank() - 1;
    if (call.shape().element_count() == 0) return true;
    const bool is_inverse = type == kIfft || type == kIrfft;
    Dims dims = operand.dims();
    int32_t array = operation_.operands[0];
    const ElementType wide = type == kRfft ? ElementType::kF64 : ElementType::kC128;
    if (!emitter_.Convert(&array, operand.element_count(), operand.element_type(), wide)) {
      return false;
    }
    if (type == kRfft) {
      array = TransformReal(array, lengths.back(), call.shape().element_count());
      dims = call.shape().dims();
    }
    const int end = type == kFft || type == kIfft ? operand.rank() : last;
    for (int axis = end - 1; axis >= first; --axis) {
      const int64_t length = lengths[static_cast<size_t>(axis - first)];
      array = TransformAxis(array, dims, static_cast<size_t>(axis), length, is_inverse);
    }
    ElementType result = ElementType::kC128;
    if (type == kIrfft) {
      array = TransformToReal(array, lengths.back(), call.shape().element_count());
      result = ElementType::kF64;
    }
    const int64_t count = call.shape().element_count();
    if (!emitter_.Convert(&array, count, result, operation_.type())) return false;
    emitter_.Copy(array, operation_.results[0]);
    return !emitter_.failed();
  }

 private:
  // The values of the attribute, in the order of its words (ops/products/fft.cc).
  enum FftType : int64_t { kFft, kIfft, kRfft, kIrfft };

  /// A kernel from an array to a new one, with a line and scratch memory: `write` writes it on
  /// their addresses.
  template <typename Body>
  int32_t Kernel(int32_t from, ElementType type, int64_t count, int64_t length, Body write) {
    KernelCode code(3);
    FourierCode fourier(length, &emitter_.module(), &code);
    const int32_t to = emitter_.NewArray(type, count);
    const int32_t scratch = emitter_.NewArray(ElementType::kC128, length + fourier.scratch());
    const uint32_t line = code.Sum(2, 0), rest = code.Sum(2, length * kPairBytes);
    write(&code, &fourier, line, rest);
    emitter_.Call(&code, {from}, {to, scratch});
    return to;
  }

  int32_t TransformAxis(int32_t array, const Dims& dims, size_t axis, int64_t length,
                        bool is_inverse) {
    Lines lines{.size = dims[axis], .length = length};
    for (size_t d = 0; d < dims.size(); ++d) {
      if (d < axis) lines.outer *= dims[d];
      if (d > axis) lines.inner *= dims[d];
    }
    const int64_t count = lines.outer * lines.size * lines.inner;
    const auto write = [&](KernelCode* code, FourierCode* fourier, uint32_t line, uint32_t rest) {
      const int64_t kept = std::min(lines.size, lines.length);
      const StridedView column{{kept}, {lines.inner}, 0}, dense{{kept}, {1}, 0};
      const uint32_t from = code->Sum(0, 0), to = code->Sum(1, 0);
      code->Repeat(lines.outer, [&] {
        code->Repeat(lines.inner, [&] {
          if (kept > 0) code->CopyView(from, column, line, dense, kPairBytes);
          Clear(code, line, kept, lines.length - kept, 1);
          fourier->Transform(line, rest, is_inverse);
          if (kept > 0) code->CopyView(line, dense, to, column, kPairBytes);
          Clear(code, to, kept * lines.inner, lines.size - kept, lines.inner);
          code->Advance(from, kPairBytes);
          code->Advance(to, kPairBytes);
        });
        code->Advance(from, (lines.size - 1) * lines.inner * kPairBytes);
        code->Advance(to, (lines.size - 1) * lines.inner * kPairBytes);
      });
    };
    return Kernel(array, ElementType::kC128, count, length, write);
  }

  /// So many elements from that number on become 0.
  void Clear(KernelCode* code, uint32_t line, int64_t first, int64_t count, int64_t stride) {
    if (count == 0) return;
    NumberCode numbers(code);
    const NumberPair zero = {numbers.Constant(0), numbers.Constant(0)};
    const uint32_t at = code->Sum(line, first * kPairBytes);
    code->Repeat(count, [&] {
      numbers.StorePair(at, zero);
      code->Advance(at, stride * kPairBytes);
    });
  }

  int32_t TransformReal(int32_t array, int64_t length, int64_t count) {
    const int64_t half = length / 2 + 1;
    const auto write = [&](KernelCode* code, FourierCode* fourier, uint32_t line, uint32_t rest) {
      NumberCode numbers(code);
      const uint32_t from = code->Sum(0, 0), to = code->Sum(1, 0);
      code->Repeat(count / half, [&] {
        const uint32_t at = code->Sum(line, 0);
        code->Repeat(length, [&] {
          numbers.StorePair(at, {numbers.Load(from), numbers.Constant(0)});
          code->Advance(from, sizeof(double));
          code->Advance(at, kPairBytes);
        });
        fourier->Transform(line, rest, /*inverse=*/false);
        const StridedView all{{half}, {1}, 0};
        code->CopyView(line, all, to, all, kPairBytes);
        code->Advance(to, half * kPairBytes);
      });
    };
    return Kernel(array, ElementType::kC128, count, length, write);
  }

  int32_t TransformToReal(int32_t array, int64_t length, int64_t count) {
    const int64_t half = length / 2 + 1;
    const auto write = [&](KernelCode* code, FourierCode* fourier, uint32_t line, uint32_t rest) {
      NumberCode numbers(code);
      const uint32_t from = code->Sum(0, 0), to = code->Sum(1, 0);
      const auto drop_imaginary = [&](int64_t k) {
        numbers.StorePair(line, {numbers.LoadPair(line, k).real, numbers.Constant(0)}, k);
      };
      code->Repeat(count / length, [&] {
        const StridedView all{{half}, {1}, 0};
        code->CopyView(from, all, line, all, kPairBytes);
        if (length > half) {
          const uint32_t at = code->Sum(line, half * kPairBytes);
          const uint32_t back = code->Sum(from, (length - half) * kPairBytes);
          code->Repeat(length - half, [&] {
            numbers.StorePair(at, ConjugateOf(numbers.LoadPair(back)));
            code->Advance(at, kPairBytes);
            code->Advance(back, -kPairBytes);
          });
        }
        drop_imaginary(0);
        if (length % 2 == 0) drop_imaginary(half - 1);
        fourier->Transform(line, rest, /*inverse=*/true);
        const uint32_t at = code->Sum(line, 0);
        code->Repeat(length, [&] {
          numbers.Store(to, numbers.LoadPair(at).real);
          code->Advance(at, kPairBytes);
          code->Advance(to, sizeof(double));
        });
        code->Advance(from, half * kPairBytes);
      });
    };
    return Kernel(array, ElementType::kF64, count, length, write);
  }

  const Operation& operation_;
  Emitter& emitter_;
};

}  // namespace

bool WriteFourier(const Operation& operation, Emitter* emitter) {
  if (operation.instruction->opcode() != Opcode::kFft) return false;
  return FftWriter(operation, emitter).Write();
}

}  // namespace hlo
