// A slice of an array as an image: a pixel is an element, or three or four of them.
#ifndef HLO_ENGINE_VIEWS_VALUE_IMAGE_H_
#define HLO_ENGINE_VIEWS_VALUE_IMAGE_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/types/tensor.h"
#include "engine/views/number_reader.h"
#include "engine/views/value_view.h"

namespace hlo {

/// What of an array is an image, and how its numbers are brightness.
struct ImageSpec {
  WindowSpec window;     ///< its rows and columns; the other dimensions are fixed
  int channel_dim = -1;  ///< its first three or four elements are red, green, blue and opacity
  /// What is dark and what is bright (of opacity: what is not seen, and what is). What is beyond
  /// is as dark or as bright.
  double low = 0, high = 1;
  NumberPart part = NumberPart::kMagnitude;
};
/// Reads ImageSpec of wasm/figure_types.ts; absent or malformed members take their defaults.
ImageSpec ParseImageSpec(std::string_view json);

/// Pixels, row-major, four bytes each: red, green, blue, opacity. A pixel with a NaN is
/// transparent.
struct ValueImage {
  int64_t rows = 0, cols = 0;  ///< of pixels
  int64_t step = 1;            ///< a pixel is every so many-th element of rows and of columns
  int channels = 1;            ///< 1 (grey), 3 or 4
  int64_t nans = 0;            ///< pixels with a NaN
  std::vector<uint8_t> pixels;
};
/// Grey where the channel dimension has other than three or four elements. At most so many pixels
/// down and across, kMostPixels in all. Empty if nothing is inside of the array.
ValueImage MakeValueImage(const Tensor& tensor, ImageSpec spec, int64_t most_rows,
                          int64_t most_cols);
inline constexpr int64_t kMostPixels = 1 << 22;

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_VALUE_IMAGE_H_
