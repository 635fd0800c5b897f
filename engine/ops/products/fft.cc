// fft: the discrete Fourier transform over the last dimensions.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <complex>
#include <span>

#include "engine/base/indices.h"
#include "engine/kernels/complex_math.h"
#include "engine/kernels/constants.h"
#include "engine/kernels/fourier.h"
#include "engine/lanes/f64_functions.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

enum FftType : int64_t { kFft, kIfft, kRfft, kIrfft };
constexpr std::string_view kFftTypes[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
constexpr AttrDef kFftAttrs[] = {
    {.name = "fft_type",
     .kind = AttrKind::kWord,
     .use = AttrUse::kRequired,
     .doc =
         "Forward or inverse, of complex numbers, from real ones (RFFT) or to real ones (IRFFT).",
     .words = kFftTypes,
     .noun = "fft type",
     .always_printed = true},
    {.name = "fft_length",
     .kind = AttrKind::kInts,
     .use = AttrUse::kRequired,
     .doc = "Lengths of the transform over the last one, two or three dimensions.",
     .always_printed = true,
     .holds_sizes = true},
};

ElementType ComplexOf(ElementType real) {
  return real == ElementType::kF64 ? ElementType::kC128 : ElementType::kC64;
}

/// XLA, shape_inference.cc, InferFftShape.
bool CheckFftOperand(const OpCall& call, Diagnostics& out) {
  const Shape& operand = call.operand(0);
  const int64_t rank = static_cast<int64_t>(call.Ints("fft_length").size());
  const auto fail = [&](std::string_view attr, DiagCode code, std::string_view message) {
    if (attr.empty()) {
      ReportOperand(call, 0, code, message, out);
    } else {
      ReportAttr(call, attr, code, message, out);
    }
    return false;
  };
  if (rank < 1 || rank > 3) {
    return fail("fft_length", DiagCode::kAttributeValue,
                fmt::format("FFT only supports ranks 1-3; got {}.", rank));
  }
  for (int64_t length : call.Ints("fft_length")) {
    if (length >= 0) continue;
    return fail("fft_length", DiagCode::kAttributeValue,
                fmt::format("expects lengths of at least 0, but one is {}", length));
  }
  const ElementType type = operand.element_type();
  if (call.Word("fft_type") == kRfft) {
    if (type != ElementType::kF32 && type != ElementType::kF64) {
      return fail("", DiagCode::kElementType,
                  fmt::format("RFFT requires F32 or F64 input type, found {}.", TypeName(type)));
    }
  } else if (!IsComplex(type)) {
    return fail("", DiagCode::kElementType,
                fmt::format("{} requires complex input type, found {}.",
                            kFftTypes[static_cast<size_t>(call.Word("fft_type"))], TypeName(type)));
  }
  if (rank <= operand.rank()) return true;
  return fail("", DiagCode::kOperandInvalid,
              fmt::format("FFT of rank {} requires input of at least same rank; got input of rank "
                          "{}",
                          rank, operand.rank()));
}

/// For the transforms to and from real numbers: the operand's last dimensions must equal the
/// lengths, except that IRFFT takes n/2+1 values for n.
void CheckFftSizes(const OpCall& call, Diagnostics& out) {
  const Dims& lengths = call.Ints("fft_length");
  const Shape& operand = call.operand(0);
  const bool inverse = call.Word("fft_type") == kIrfft;
  const int first = operand.rank() - static_cast<int>(lengths.size());
  for (int i = 0; i < static_cast<int>(lengths.size()); ++i) {
    const int d = first + i;
    const int64_t length = lengths[static_cast<size_t>(i)];
    const bool halved = inverse && d + 1 == operand.rank();
    const bool is_empty = halved && length == 0 && operand.dim(d) == 0;
    const int64_t expected = halved ? length / 2 + 1 : length;
    if (operand.dim(d) == expected || is_empty || operand.is_unbounded(d)) continue;
    const std::string_view rule =
        !inverse ? "RFFT requires innermost dimensions match fft_length but"
        : halved ? "IRFFT requires innermost dimension matches fft_length/2+1, but"
                 : "IRFFT requires all but one innermost dimensions match fft_length, but";
    ReportOperand(
        call, 0, DiagCode::kOperandInvalid,
        fmt::format("{} dimension {} is {} and should be {}.", rule, d, operand.dim(d), expected),
        out);
    return;
  }
}

std::optional<Shape> InferFft(const OpCall& call, Diagnostics& out) {
  if (!CheckArray(call, 0, out) || !CheckFftOperand(call, out)) return std::nullopt;
  Shape result = call.operand(0);
  int64_t length = call.Ints("fft_length").back();
  int last = result.rank() - 1;
  int64_t type = call.Word("fft_type");
  if (type == kFft || type == kIfft) return result;
  CheckFftSizes(call, out);
  if (type == kRfft) {
    result.set_element_type(ComplexOf(result.element_type()));
    if (length != 0) result.set_dim(last, length / 2 + 1);
  } else {
    result.set_element_type(ComponentType(result.element_type()));
    result.set_dim(last, length);
  }
  return result;
}

// ---- Evaluation ---------------------------------------------------------------------------------

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

Value EvalFft(const OpCall& call, std::span<Value> args, EvalContext& context) {
  Budget* budget = context.budget();
  const Tensor& operand = args[0].tensor();
  const Dims& lengths = call.Ints("fft_length");
  const Dims& dims = call.shape().dims();
  int64_t type = call.Word("fft_type");
  int first = operand.rank() - static_cast<int>(lengths.size()), last = operand.rank() - 1;
  bool inverse = type == kIfft || type == kIrfft;
  Tensor work = type == kRfft ? TransformReal(ConvertTensor(operand, ElementType::kF64, budget),
                                              lengths.back(), dims, budget)
                              : ConvertedCopy(operand, ElementType::kC128, budget);
  int end = type == kFft || type == kIfft ? operand.rank() : last;
  for (int axis = end - 1; axis >= first; --axis) {
    TransformAxis(&work, axis, lengths[static_cast<size_t>(axis - first)], inverse, budget);
  }
  if (type == kIrfft) work = TransformToReal(work, lengths.back(), dims, budget);
  Tensor result = ConvertTensor(work, call.shape().element_type(), budget);
  // Dimensions that are not transformed may be smaller at run time.
  Dims live = dims;
  for (int d = 0; d < first; ++d) live[static_cast<size_t>(d)] = operand.live_dim(d);
  SetLiveDims(&result, live);
  return result;
}

/// Of real numbers the spectrum has about half the length.
void SizesOfFft(const OpCall& call, SizeRules& rules) {
  const Shape &from = call.operand(0), &to = call.shape();
  if (from.rank() == 0 || from.dims().back() == to.dims().back()) return;
  rules.Keep(from.dims().back());
  rules.Keep(to.dims().back());
}

}  // namespace

namespace ops {

const OpDef kFft{
    .doc =
        "The discrete Fourier transform over the last dimensions, or its inverse (which divides "
        "by the length).",
    .source = "operation semantics, Fft",
    .differs =
        "Computed in f64 for every type. For FFT and IFFT a length other than the dimension's size "
        "cuts the line or fills it up with zeros, and a length of 0 gives zeros, as in XLA's "
        "evaluator; the operation semantics document does not say.",
    .operands = kOperand,
    .types = "complex numbers; f32 and f64 for RFFT",
    .attrs = kFftAttrs,
    .infer = InferFft,
    .eval = EvalFft,
    .keeps_layout = true,
    .sizes = SizesOfFft,
};

}  // namespace ops
}  // namespace hlo
