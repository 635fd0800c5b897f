// fft, line by line.

#include <algorithm>

#include "engine/base/indices.h"
#include "engine/ops/op_def.h"
#include "engine/standalone/fourier_code.h"
#include "engine/standalone/operation.h"

namespace hlo {
namespace {

/// What goes into the line of a transform, and what comes out of it.
struct Lines {
  int64_t outer = 1, inner = 1;  ///< around the axis
  int64_t size = 0, length = 0;  ///< of the axis, of the transform
};

/// Longer lines would need too many roots.
constexpr int64_t kLongest = int64_t{1} << 22;

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
    for (int64_t length : lengths) {
      if (length > kLongest) return false;
    }
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
            const NumberPair z = numbers.LoadPair(back);
            numbers.StorePair(at, {z.real, -z.imag});
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
