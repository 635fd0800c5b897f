#include "engine/views/number_reader.h"

#include <complex>
#include <cstring>

#include "engine/types/convert.h"

namespace hlo {
namespace {

double PartOfComplex(std::complex<double> value, NumberPart part) {
  switch (part) {
    case NumberPart::kMagnitude:
      return std::abs(value);
    case NumberPart::kPhase:
      return std::arg(value);
    case NumberPart::kReal:
      return value.real();
    case NumberPart::kImaginary:
      return value.imag();
  }
  return 0;
}

}  // namespace

std::optional<NumberPart> NumberPartFromText(std::string_view text) {
  constexpr std::string_view kNames[] = {"magnitude", "phase", "real", "imaginary"};
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (text == kNames[i]) return static_cast<NumberPart>(i);
  }
  return std::nullopt;
}

void ReadNumberParts(ElementType type, const std::byte* source, int64_t n, NumberPart part,
                     double* numbers) {
  if (!IsComplex(type) || part == NumberPart::kMagnitude) {
    return ReadNumbers(type, source, n, numbers);
  }
  for (int64_t i = 0; i < n; ++i) {
    std::complex<double> value;
    ConvertElements(type, source + i * BytesOf(type), ElementType::kC128,
                    reinterpret_cast<std::byte*>(&value), 1);
    numbers[i] = PartOfComplex(value, part);
  }
}

WindowSpec ClipExtents(WindowSpec window, const Dims& dims) {
  WindowSpec whole = ClipWindow(window, dims);
  if (whole.rows == 0) return whole;
  auto extent = [&](int dim, int64_t wanted) -> int64_t {
    if (dim < 0) return 1;
    const auto d = static_cast<size_t>(dim);
    return std::min(wanted, dims[d] - whole.origin[d]);
  };
  whole.rows = extent(whole.row_dim, window.rows);
  whole.cols = extent(whole.col_dim, window.cols);
  return whole;
}

RowReader::RowReader(const Tensor& tensor, const WindowSpec& window, NumberPart part)
    : tensor_(tensor), window_(window), part_(part), width_(BytesOf(tensor.element_type())) {
  if (window.col_dim >= 0) {
    stride_ = DenseStrides(tensor.dims())[static_cast<size_t>(window.col_dim)];
  }
  const int64_t most = std::min(window.cols, kFigureBlock);
  bytes_.resize(stride_ == 1 ? 0 : static_cast<size_t>(most * width_));
  numbers_.resize(static_cast<size_t>(most));
}

const std::byte* RowReader::Gathered(const std::byte* source, int64_t n) {
  if (stride_ == 1) return source;
  for (int64_t i = 0; i < n; ++i) {
    std::memcpy(bytes_.data() + i * width_, source + i * stride_ * width_,
                static_cast<size_t>(width_));
  }
  return bytes_.data();
}

}  // namespace hlo
