#include "engine/layout/layout_advice.h"

#include <algorithm>
#include <utility>

#include "engine/base/stable_sort.h"
#include "engine/layout/layout_text.h"

namespace hlo {
namespace {

constexpr int64_t kLanes = 128;
constexpr int64_t kSublanes = 8;

// What TPUs do with elements of a width.
struct WidthRule {
  int bits;
  int64_t rows;          // of the tile where nothing is known of the sizes
  int64_t packed_rows;   // rows whose elements share a 32-bit word
  int64_t element_bits;  // `E`
  std::string_view rule;
};
constexpr WidthRule kWidths[] = {
    {32, kSublanes, 1, 0, "32 bits: tile (8,128), the shape of the vector registers"},
    {16, kSublanes, 2, 0,
     "16 bits: tile (8,128)(2,1), an even and an odd row share each 32-bit word"},
    {8, kSublanes, 4, 0, "8 bits: tile (8,128)(4,1), four rows share each 32-bit word"},
    {4, 64, 8, 4, "4 bits: tile (64,128)(8,1), eight rows share each 32-bit word"},
    {1, 32, 32, 1, "1 bit: tile (32,128)(32,1), 32 rows share each 32-bit word"},
};
constexpr std::string_view kCompactRule =
    "compact second minor: it is at most 2 (4), so the tile is (2,128) ((4,128)), or as high as a "
    "32-bit word has rows";
constexpr std::string_view kVectorRule =
    "rank 1: a tile of as many rows of 128 lanes as the array fills, a power of two up to the "
    "8 of a register; narrow elements are packed, a row for each that a 32-bit word has";
constexpr std::string_view kScalarRule =
    "rank 0: a row of 128 lanes; of narrow elements as many rows as share a 32-bit word";

const WidthRule* RuleFor(int bits) {
  for (const WidthRule& rule : kWidths) {
    if (rule.bits == bits) return &rule;
  }
  return nullptr;
}

// The rows of 128 lanes in the tile of a vector.
int64_t VectorRows(int64_t size, const WidthRule& width) {
  int64_t rows = width.packed_rows;
  while (rows < kSublanes && rows * kLanes < size) rows *= 2;
  return rows;
}

Layout Tiled(const Dims& minor_to_major, std::vector<Tile> tiles, const WidthRule& width) {
  LayoutExtras extras;
  if (width.packed_rows > 1) tiles.push_back({{width.packed_rows, 1}});
  extras.tiles = std::move(tiles);
  extras.element_bits = width.element_bits;
  return Layout(minor_to_major, std::move(extras));
}

// The candidates, without duplicates.
class CandidateList {
 public:
  CandidateList(std::span<const int64_t> dims, int stored_bits)
      : dims_(dims), stored_bits_(stored_bits) {}

  void Add(Layout layout, std::string_view note) {
    if (list_.size() >= kMostCandidates) return;
    for (const LayoutCandidate& other : list_) {
      if (other.layout == layout) return;
    }
    Diagnostics faults;
    const auto map = MakeLayoutMap(dims_, stored_bits_, layout, {}, faults);
    if (map) list_.push_back({std::move(layout), note, map->byte_size(), ReportPadding(*map)});
  }
  std::vector<LayoutCandidate> TakeSorted() {
    StableSort(list_.begin(), list_.end(), [](const LayoutCandidate& a, const LayoutCandidate& b) {
      return a.bytes < b.bytes;
    });
    return std::move(list_);
  }

 private:
  std::span<const int64_t> dims_;
  int stored_bits_;
  std::vector<LayoutCandidate> list_;
};

}  // namespace

std::optional<TpuLayout> TpuConvention(std::span<const int64_t> dims, int type_bits,
                                       const Dims& minor_to_major) {
  const WidthRule* width = RuleFor(type_bits);
  if (width == nullptr) return std::nullopt;
  if (dims.empty()) {
    LayoutExtras extras;
    extras.tiles = {{{kLanes * width->packed_rows}}};
    extras.element_bits = width->element_bits;
    return TpuLayout{Layout(minor_to_major, std::move(extras)), kScalarRule};
  }
  if (dims.size() == 1) {
    std::vector<Tile> tiles = {{{kLanes * VectorRows(dims[0], *width)}}};
    if (width->packed_rows > 1) tiles.push_back({{kLanes}});
    return TpuLayout{Tiled(minor_to_major, std::move(tiles), *width), kVectorRule};
  }
  const int64_t second_minor = dims[static_cast<size_t>(minor_to_major[1])];
  int64_t rows = width->rows;
  for (int64_t fewer : {4, 2}) {
    if (second_minor <= fewer) rows = std::min(rows, std::max(fewer, width->packed_rows));
  }
  return TpuLayout{Tiled(minor_to_major, {{{rows, kLanes}}}, *width),
                   rows == width->rows ? width->rule : kCompactRule};
}

std::vector<LayoutCandidate> RankLayouts(std::span<const int64_t> dims, int type_bits,
                                         int stored_bits, const Layout& layout) {
  CandidateList list(dims, stored_bits);
  list.Add(layout, "as written");
  const Dims& order = layout.minor_to_major();
  list.Add(Layout(order), "untiled");
  const WidthRule* width = RuleFor(type_bits);
  if (width == nullptr) return list.TakeSorted();
  if (const auto tpu = TpuConvention(dims, type_bits, order)) {
    list.Add(tpu->layout, "TPU convention");
  }
  if (dims.size() < 2) return list.TakeSorted();
  for (int64_t rows : {int64_t{2}, int64_t{4}, kSublanes}) {
    if (rows % width->packed_rows != 0) continue;
    list.Add(Tiled(order, {{{rows, kLanes}}}, *width), "TPU tile of another height");
  }
  for (int64_t minor : order) {
    for (int64_t second : order) {
      if (second == minor) continue;
      Dims other = {minor, second};
      for (int64_t dim : order) {
        if (dim != minor && dim != second) other.push_back(dim);
      }
      const auto tpu = TpuConvention(dims, type_bits, other);
      list.Add(tpu->layout, "other order, TPU convention");
    }
  }
  return list.TakeSorted();
}

std::string PaddingSentence(const PaddingReport& report) {
  std::string text;
  for (const PaddingCause& cause : report.causes) {
    if (!text.empty()) text += "; ";
    text += cause.text;
  }
  return text.empty() ? "no padding" : text;
}

}  // namespace hlo
