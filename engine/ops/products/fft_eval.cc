#include "engine/ops/products/fft_eval.h"

#ifdef HLO_SMALL

namespace hlo {

Value EvalFft(const OpCall&, std::span<Value>, EvalContext&) {
  throw RunError(DiagCode::kNotExecutable, "Fourier transforms are in the full engine");
}

}  // namespace hlo

#else

#include <algorithm>
#include <complex>

#include "engine/base/indices.h"
#include "engine/kernels/complex_math.h"
#include "engine/kernels/fourier.h"
#include "engine/ops/movement/tensor_moves.h"

namespace hlo {
namespace {

/// Adjacent lines that are gathered together, so that whole cache lines are used.
constexpr int64_t kLinesAtATime = 8;

/// Transforms of `length` along one axis, in place. A length other than the axis's size truncates
/// the lines or pads them with zeros, and elements beyond it become zero, as in XLA's evaluator.
void TransformAxis(Tensor* tensor, int axis, int64_t length, bool inverse, Budget* budget) {
  const std::span<const int64_t> dims = tensor->dims();
  int64_t size = tensor->dim(axis);
  int64_t outer = ElementCount(dims.first(static_cast<size_t>(axis)));
  int64_t inner = ElementCount(dims.subspan(static_cast<size_t>(axis) + 1));
  int64_t kept = std::min(size, length);
  FourierPlan plan(length, budget);
  Complex* const all = tensor->mutable_data<Complex>();
  if (inner == 1 && size == length) {
    return plan.ForEachGroup(outer, 0, [=](int64_t i, FourierPlan& own, Complex*) {
      own.Transform(all + i * length, inverse);
    });
  }
  const int64_t together = std::min(kLinesAtATime, inner);
  const int64_t groups = CeilDiv(inner, kLinesAtATime);
  plan.ForEachGroup(outer * groups, together, [=](int64_t i, FourierPlan& own, Complex* lines) {
    const int64_t column = i % groups * kLinesAtATime;
    const int64_t count = std::min(kLinesAtATime, inner - column);
    Complex* const first = all + i / groups * inner * size + column;
    for (int64_t x = 0; x < count; ++x) std::fill_n(lines + x * length + kept, length - kept, 0);
    for (int64_t k = 0; k < kept; ++k) {
      for (int64_t x = 0; x < count; ++x) lines[x * length + k] = first[k * inner + x];
    }
    for (int64_t x = 0; x < count; ++x) own.Transform(lines + x * length, inverse);
    for (int64_t k = 0; k < size; ++k) {
      for (int64_t x = 0; x < count; ++x) {
        first[k * inner + x] = k < kept ? lines[x * length + k] : Complex{};
      }
    }
  });
}

/// Transforms the real lines of the last dimension; keeps the first half of the result.
Tensor TransformReal(const Tensor& real, int64_t length, const Dims& dims, Budget* budget) {
  Tensor result(ElementType::kC128, dims, budget);
  if (length == 0) return result;
  FourierPlan plan(length, budget);
  const int64_t half = length / 2 + 1;
  const double* const from = real.data<double>();
  Complex* const to = result.mutable_data<Complex>();
  plan.ForEachGroup(real.element_count() / length, 1,
                    [=](int64_t i, FourierPlan& own, Complex* line) {
                      std::copy_n(from + i * length, length, line);
                      own.Transform(line, /*inverse=*/false);
                      std::copy_n(line, half, to + i * half);
                    });
  return result;
}

/// The inverse from the first half of a transform: the rest are conjugates, and the imaginary parts
/// of the numbers that are their own conjugates are ignored.
Tensor TransformToReal(const Tensor& halves, int64_t length, const Dims& dims, Budget* budget) {
  Tensor result(ElementType::kF64, dims, budget);
  if (length == 0) return result;
  FourierPlan plan(length, budget);
  const int64_t half = length / 2 + 1;
  const Complex* const all = halves.data<Complex>();
  double* const to = result.mutable_data<double>();
  plan.ForEachGroup(halves.element_count() / half, 1,
                    [=](int64_t i, FourierPlan& own, Complex* line) {
                      const Complex* const from = all + i * half;
                      std::copy_n(from, half, line);
                      for (int64_t k = half; k < length; ++k) line[k] = std::conj(from[length - k]);
                      line[0] = line[0].real();
                      if (length % 2 == 0) line[half - 1] = line[half - 1].real();
                      own.Transform(line, /*inverse=*/true);
                      for (int64_t k = 0; k < length; ++k) to[i * length + k] = line[k].real();
                    });
  return result;
}

/// Long lines of c64, one after the other, without copies of another type.
Tensor TransformLines(const Tensor& lines, int64_t length, bool inverse, Budget* budget) {
  Tensor result(ElementType::kC64, Dims(lines.dims().begin(), lines.dims().end()), budget);
  FourierPlan plan(length, budget);
  const std::complex<float>* const from = lines.data<std::complex<float> >();
  std::complex<float>* const to = result.mutable_data<std::complex<float> >();
  plan.ForEachGroup(lines.element_count() / length, 0, [=](int64_t i, FourierPlan& own, Complex*) {
    own.TransformNarrow(from + i * length, to + i * length, inverse);
  });
  return result;
}

/// The transforms of any type; the result may be of a wider one.
Tensor TransformAll(const OpCall& call, const Tensor& operand, Budget* budget) {
  const Dims& lengths = call.Ints("fft_length");
  const Dims& dims = call.shape().dims();
  const int64_t type = call.Word("fft_type");
  const int first = operand.rank() - static_cast<int>(lengths.size()), last = operand.rank() - 1;
  const bool inverse = type == kIfft || type == kIrfft;
  const bool is_complex = type == kFft || type == kIfft;
  if (is_complex && first == last && operand.element_type() == ElementType::kC64 &&
      operand.dim(last) == lengths[0] && FourierPlan::TakesNarrow(lengths[0])) {
    return TransformLines(operand, lengths[0], inverse, budget);
  }
  Tensor work = type == kRfft ? TransformReal(ConvertTensor(operand, ElementType::kF64, budget),
                                              lengths.back(), dims, budget)
                              : ConvertedCopy(operand, ElementType::kC128, budget);
  const int end = is_complex ? operand.rank() : last;
  for (int axis = end - 1; axis >= first; --axis) {
    TransformAxis(&work, axis, lengths[static_cast<size_t>(axis - first)], inverse, budget);
  }
  return type == kIrfft ? TransformToReal(work, lengths.back(), dims, budget) : work;
}

}  // namespace

Value EvalFft(const OpCall& call, std::span<Value> args, EvalContext& context) {
  Budget* budget = context.budget();
  const Tensor& operand = args[0].tensor();
  Tensor result =
      ConvertTensor(TransformAll(call, operand, budget), call.shape().element_type(), budget);
  // Dimensions that are not transformed may be smaller at run time.
  Dims live = call.shape().dims();
  const int first = operand.rank() - static_cast<int>(call.Ints("fft_length").size());
  for (int d = 0; d < first; ++d) live[static_cast<size_t>(d)] = operand.live_dim(d);
  SetLiveDims(&result, live);
  return result;
}

}  // namespace hlo

#endif  // HLO_SMALL
