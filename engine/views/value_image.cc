#include "engine/views/value_image.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/views/json.h"

namespace hlo {
namespace {

constexpr uint8_t kOpaque = 255;
constexpr size_t kPixelBytes = 4;

uint8_t BrightnessOf(double value, double low, double high) {
  // Halves: the difference of the extremes of f64 overflows.
  const double half = high / 2 - low / 2;
  if (!(half > 0)) return value > high ? kOpaque : value < low ? 0 : kOpaque / 2;
  const double share = (value / 2 - low / 2) / half;
  return static_cast<uint8_t>(std::lround(std::clamp(share, 0.0, 1.0) * kOpaque));
}

// The channels of an array along a dimension of it.
int ChannelsOf(const Dims& dims, int dim) {
  if (dim < 0 || dim >= static_cast<int>(dims.size())) return 1;
  const int64_t size = dims[static_cast<size_t>(dim)];
  return size == 3 || size == 4 ? static_cast<int>(size) : 1;
}

double NumberField(const Json& json, const char* name, double otherwise) {
  const auto found = json.find(name);
  return found != json.end() && found->is_number() ? found->get<double>() : otherwise;
}

// One channel into the pixels; those where it is NaN are marked.
void AddChannel(const Tensor& tensor, const ImageSpec& spec, int channel, ValueImage& image,
                std::vector<bool>& is_nan) {
  WindowSpec window = spec.window;
  if (image.channels > 1) window.origin[static_cast<size_t>(spec.channel_dim)] = channel;
  RowReader reader(tensor, window, spec.part);
  for (int64_t row = 0; row < image.rows; ++row) {
    reader.Read(row * image.step, [&](int64_t col, double value) {
      if (col % image.step != 0) return;
      const auto pixel = static_cast<size_t>(row * image.cols + col / image.step);
      if (std::isnan(value)) {
        is_nan[pixel] = true;
        return;
      }
      uint8_t* const bytes = image.pixels.data() + pixel * kPixelBytes;
      const uint8_t level = BrightnessOf(value, spec.low, spec.high);
      if (image.channels > 1) {
        bytes[channel] = level;
      } else {
        std::fill_n(bytes, kPixelBytes - 1, level);
      }
    });
  }
}

}  // namespace

ImageSpec ParseImageSpec(std::string_view text) {
  ImageSpec spec;
  spec.window = ParseWindowSpec(text);
  const Json json = ParseJson(text);
  if (!json.is_object()) return spec;
  const double dim = NumberField(json, "channelDim", -1);
  spec.channel_dim = dim >= 0 && dim < 1000 ? static_cast<int>(dim) : -1;
  spec.low = NumberField(json, "low", 0);
  spec.high = NumberField(json, "high", 1);
  return spec;
}

ValueImage MakeValueImage(const Tensor& tensor, ImageSpec spec, int64_t most_rows,
                          int64_t most_cols) {
  ValueImage image;
  spec.window = ClipExtents(std::move(spec.window), tensor.dims());
  if (spec.window.rows == 0 || spec.window.cols == 0) return image;
  const bool is_fixed =
      spec.channel_dim != spec.window.row_dim && spec.channel_dim != spec.window.col_dim;
  image.channels = is_fixed ? ChannelsOf(tensor.dims(), spec.channel_dim) : 1;
  most_cols = std::clamp<int64_t>(most_cols, 1, kMostPixels);
  most_rows = std::clamp<int64_t>(most_rows, 1, kMostPixels / most_cols);
  image.step = std::max(CeilOf(spec.window.rows, most_rows), CeilOf(spec.window.cols, most_cols));
  image.rows = CeilOf(spec.window.rows, image.step);
  image.cols = CeilOf(spec.window.cols, image.step);
  const auto count = static_cast<size_t>(image.rows * image.cols);
  image.pixels.assign(count * kPixelBytes, kOpaque);
  std::vector<bool> is_nan(count);
  for (int channel = 0; channel < image.channels; ++channel) {
    AddChannel(tensor, spec, channel, image, is_nan);
  }
  for (size_t pixel = 0; pixel < count; ++pixel) {
    if (!is_nan[pixel]) continue;
    ++image.nans;
    std::fill_n(image.pixels.begin() + static_cast<std::ptrdiff_t>(pixel * kPixelBytes),
                kPixelBytes, uint8_t{0});
  }
  return image;
}

}  // namespace hlo
