// The elements of an array as numbers: all of them, or the rows of a slice, a block at a time, read
// where they are.
#ifndef HLO_ENGINE_VIEWS_NUMBER_READER_H_
#define HLO_ENGINE_VIEWS_NUMBER_READER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/indices.h"
#include "engine/types/tensor.h"
#include "engine/views/value_view.h"

namespace hlo {

/// Which number of a complex element is meant; of the other elements it is always the element.
enum class NumberPart : uint8_t { kMagnitude, kPhase, kReal, kImaginary };
/// "magnitude", "phase", "real", "imaginary"; nothing for other words.
std::optional<NumberPart> NumberPartFromText(std::string_view text);

/// n elements that lie one after the other. Phases are in radians, from -pi to pi; 64-bit integers
/// are rounded.
void ReadNumberParts(ElementType type, const std::byte* source, int64_t n, NumberPart part,
                     double* numbers);

/// Elements that are read at a time.
inline constexpr int64_t kFigureBlock = 4096;

/// Calls `take` with every element, in row-major order.
template <typename Take>
void ForEachNumber(const Tensor& tensor, NumberPart part, Take take) {
  const ElementType type = tensor.element_type();
  std::vector<double> block(kFigureBlock);
  for (int64_t begin = 0; begin < tensor.element_count(); begin += kFigureBlock) {
    const int64_t n = std::min(kFigureBlock, tensor.element_count() - begin);
    ReadNumberParts(type, tensor.bytes() + begin * BytesOf(type), n, part, block.data());
    for (int64_t i = 0; i < n; ++i) take(block[static_cast<size_t>(i)]);
  }
}

/// The window without the limit on cells that windows of texts have (ClipWindow).
WindowSpec ClipExtents(WindowSpec window, const Dims& dims);

/// n / step, rounded up.
constexpr int64_t CeilOf(int64_t n, int64_t step) { return (n + step - 1) / step; }

/// The elements of a window, row by row. The array and the window, which is clipped, must outlive
/// it.
class RowReader {
 public:
  RowReader(const Tensor& tensor, const WindowSpec& window, NumberPart part);
  /// Calls `take` with the column and the number of every element of a row.
  template <typename Take>
  void Read(int64_t row, Take take) {
    Dims index = window_.origin;
    if (window_.row_dim >= 0) index[static_cast<size_t>(window_.row_dim)] += row;
    const std::byte* source = tensor_.bytes() + Ravel(index, tensor_.dims()) * width_;
    for (int64_t begin = 0; begin < window_.cols; begin += kFigureBlock) {
      const int64_t n = std::min(kFigureBlock, window_.cols - begin);
      ReadNumberParts(tensor_.element_type(), Gathered(source + begin * stride_ * width_, n), n,
                      part_, numbers_.data());
      for (int64_t i = 0; i < n; ++i) take(begin + i, numbers_[static_cast<size_t>(i)]);
    }
  }

 private:
  // n elements, side by side.
  const std::byte* Gathered(const std::byte* source, int64_t n);

  const Tensor& tensor_;
  const WindowSpec& window_;
  const NumberPart part_;
  const int64_t width_;
  int64_t stride_ = 1;
  std::vector<std::byte> bytes_;
  std::vector<double> numbers_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_NUMBER_READER_H_
