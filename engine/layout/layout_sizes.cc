#include "engine/layout/layout_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/bits.h"

namespace hlo {
namespace {

// Bytes of a number of elements: whole bits packed with `E`, whole bytes per element without.
std::optional<int64_t> BytesOfElements(int64_t count, int type_bits, const Layout& layout) {
  const int64_t packed_bits = layout.extras().element_bits;
  int64_t bytes = 0;
  if (packed_bits == 0) {
    if (!MultiplyChecked(count, type_bits / 8, &bytes)) return std::nullopt;
    return bytes;
  }
  if (!MultiplyChecked(count, packed_bits, &bytes)) return std::nullopt;
  return CeilDiv(bytes, 8);
}

const Tile& FirstTile(const Layout& layout) {
  static const Tile kNone;
  return layout.tiles().empty() ? kNone : layout.tiles().front();
}

bool Combines(const Tile& tile) {
  return std::find(tile.dims.begin(), tile.dims.end(), Tile::kCombine) != tile.dims.end();
}

// XLA's linear index of the last element; see ArrayDataSize.
std::optional<int64_t> LastLinearIndex(std::span<const int64_t> dims, const Layout& layout) {
  if (dims.empty()) return 0;
  if (dims.size() == 1) return dims[0] - 1;
  const Tile& tile = FirstTile(layout);
  int64_t across = 0;  // elements per step of the tile index, then per step of a plain dimension
  if (!ProductChecked({tile.dims.data(), tile.dims.size()}, &across)) return std::nullopt;
  int64_t within = 1;
  int64_t result = 0;
  for (size_t minor = 0; minor < dims.size(); ++minor) {
    const int64_t size = dims[static_cast<size_t>(layout.minor_to_major()[minor])];
    const bool is_tiled = minor < tile.dims.size();
    const int64_t t = is_tiled ? tile.dims[tile.dims.size() - 1 - minor] : 1;
    int64_t far = 0;
    int64_t near = 0;
    if (!MultiplyChecked(across, (size - 1) / t, &far) ||
        !MultiplyChecked(within, (size - 1) % t, &near) || !AddChecked(result, far, &result) ||
        !AddChecked(result, near, &result) || !MultiplyChecked(across, CeilDiv(size, t), &across) ||
        (is_tiled && !MultiplyChecked(within, t, &within))) {
      return std::nullopt;
    }
  }
  return result;
}

}  // namespace

std::optional<int64_t> ByteSizeOf(std::span<const int64_t> dims, int type_bits,
                                  const Layout& layout) {
  int64_t count = 0;
  if (!ProductChecked(dims, &count)) return std::nullopt;
  return BytesOfElements(count, type_bits, layout);
}

int64_t MaxSplit(const Layout& layout, int64_t physical_dim, int64_t size) {
  for (const SplitConfig& split : layout.extras().splits) {
    if (split.dim != physical_dim) continue;
    int64_t largest = 0;
    int64_t begin = 0;
    for (int64_t at : split.indices) {
      largest = std::max(largest, at - begin);
      begin = at;
    }
    return std::max(largest, size - begin);
  }
  return size;
}

std::optional<int64_t> ArraySize(std::span<const int64_t> dims, int type_bits,
                                 const Layout& layout) {
  if (layout.tiles().empty()) return ByteSizeOf(dims, type_bits, layout);
  const Tile& tile = FirstTile(layout);
  if (Combines(tile)) return std::nullopt;
  Dims padded;
  for (size_t minor = 0; minor < std::max(dims.size(), tile.dims.size()); ++minor) {
    int64_t size = 1;
    if (minor < dims.size()) {
      size = MaxSplit(layout, static_cast<int64_t>(dims.size() - 1 - minor),
                      dims[static_cast<size_t>(layout.minor_to_major()[minor])]);
    }
    if (minor < tile.dims.size()) {
      const int64_t t = tile.dims[tile.dims.size() - 1 - minor];
      if (!MultiplyChecked(CeilDiv(size, t), t, &size)) return std::nullopt;
    }
    padded.push_back(size);
  }
  int64_t count = 0;
  const int64_t alignment = layout.extras().tail_alignment;
  if (!ProductChecked({padded.data(), padded.size()}, &count) ||
      !MultiplyChecked(CeilDiv(count, alignment), alignment, &count)) {
    return std::nullopt;
  }
  return BytesOfElements(count, type_bits, layout);
}

std::optional<int64_t> ArrayDataSize(std::span<const int64_t> dims, int type_bits,
                                     const Layout& layout) {
  if (Combines(FirstTile(layout))) return std::nullopt;
  std::optional<int64_t> count = LastLinearIndex(dims, layout);
  if (!count || !AddChecked(*count, 1, &*count)) return std::nullopt;
  return BytesOfElements(*count, type_bits, layout);
}

PaddingReport ReportPadding(const LayoutMap& map) {
  PaddingReport report;
  // Fits, because the padded number of bits does.
  report.unpadded_bytes = CeilDiv(map.element_count() * map.element_bits(), 8);
  report.padding_bytes = map.byte_size() - report.unpadded_bytes;
  // Of no elements there are no whole tiles either.
  if (map.aligned_count() > 0) report.causes = map.PaddingCauses();
  if (report.padding_bytes == 0) {
    report.text = "no padding";
    return report;
  }
  report.text = fmt::format("Unpadded size {}, extra memory due to padding {}",
                            BytesText(report.unpadded_bytes), BytesText(report.padding_bytes));
  report.expansion = 0;
  if (report.unpadded_bytes > 0) {
    report.expansion =
        static_cast<double>(map.byte_size()) / static_cast<double>(report.unpadded_bytes);
    report.text += fmt::format(" ({:.1f}x expansion)", report.expansion);
  }
  return report;
}

std::string BytesText(int64_t bytes) {
  if (bytes < 1024) return fmt::format("{}B", bytes);
  auto in_units = [bytes](int shift) {
    return static_cast<double>(bytes) / static_cast<double>(int64_t{1} << shift);
  };
  if (bytes < int64_t{1} << 20) return fmt::format("{:.1f}K", in_units(10));
  if (bytes < int64_t{1} << 30) return fmt::format("{:.2f}M", in_units(20));
  if (bytes < int64_t{1} << 40) return fmt::format("{:.2f}G", in_units(30));
  return fmt::format("{:.2f}T", in_units(40));
}

}  // namespace hlo
