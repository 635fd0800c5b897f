// fft: the discrete Fourier transform over the last dimensions.
#include <fmt/format.h>

#include <span>

#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/products/fft_eval.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

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
  // fft_length says what an unbounded size leaves open.
  if (call.operand(0).is_unbounded(last)) result.set_dynamic(last, result.is_unbounded(last));
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
