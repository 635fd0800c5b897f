#include "engine/views/layout_terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "engine/base/indices.h"
#include "engine/layout/layout_text.h"
#include "engine/layout/memory_space.h"

namespace hlo {
namespace {

// Letters for the dimensions of arrays of rank 2, 3 and 4.
constexpr std::string_view kLetters = "pzyx";

std::string SizeText(const Shape& shape, size_t dim) {
  const int64_t size = shape.dims()[dim];
  return size == Shape::kUnbounded ? "?" : fmt::format("{}", size);
}

// "y 3, x 5"; nothing for ranks without letters.
std::string LettersText(const Shape& shape) {
  const size_t rank = shape.dims().size();
  std::string text;
  if (rank < 2 || rank > kLetters.size()) return text;
  for (size_t dim = 0; dim < rank; ++dim) {
    const char letter = kLetters[kLetters.size() - rank + dim];
    text += fmt::format("{}{} {}", dim == 0 ? "" : ", ", letter, SizeText(shape, dim));
  }
  return text;
}

std::string OrderText(const Layout& layout) {
  const Dims& order = layout.minor_to_major();
  const std::string_view fastest = order.size() > 1 ? "varies fastest" : "is the only one";
  std::string first = fmt::format("dimension {} {}", order[0], fastest);
  if (order.size() == 1) return first;
  if (layout.IsDescending()) return fmt::format("row-major: dimension 0 is major, {}", first);
  if (std::is_sorted(order.begin(), order.end())) {
    return "column-major: dimension 0 is minor, it varies fastest";
  }
  return fmt::format("minor to major: {}, then {}", first,
                     fmt::join(order.begin() + 1, order.end(), ", "));
}

// "8 x 128"; what combines dimensions has no size.
std::string TileSizes(const Tile& tile) {
  std::string text;
  for (int64_t size : tile.dims) {
    if (size == Tile::kCombine) continue;
    text += fmt::format("{}{}", text.empty() ? "" : " x ", size);
  }
  return text;
}

// The dimensions that a first tile covers, from major to minor, and those that a `*` combines.
std::vector<std::vector<int64_t>> Covered(const Layout& layout, const Tile& tile) {
  const Dims& order = layout.minor_to_major();
  const size_t count = std::min(order.size(), tile.dims.size());
  std::vector<std::vector<int64_t>> groups(1);
  for (size_t i = 0; i < count; ++i) {
    groups.back().push_back(order[count - 1 - i]);
    const bool combines = tile.dims[tile.dims.size() - count + i] == Tile::kCombine;
    if (!combines && i + 1 < count) groups.emplace_back();
  }
  return groups;
}

std::string FirstTileText(const Layout& layout, const Tile& tile) {
  if (layout.minor_to_major().empty()) {
    return fmt::format("the scalar is the first element of a tile of {}", TileSizes(tile));
  }
  const auto groups = Covered(layout, tile);
  std::string text = groups.size() == 1 && groups[0].size() == 1 ? "dimension " : "dimensions ";
  bool combines = false;
  for (size_t i = 0; i < groups.size(); ++i) {
    if (i > 0) text += i + 1 == groups.size() ? " and " : ", ";
    const bool is_one = groups[i].size() == 1;
    combines |= !is_one;
    text +=
        is_one ? fmt::format("{}", groups[i][0]) : fmt::format("({})", fmt::join(groups[i], ","));
  }
  if (combines) text += ", combined by *,";
  if (tile.dims.size() > layout.minor_to_major().size()) text += ", with 1s in front,";
  return fmt::format("{} cut into tiles of {}, one whole tile after the other", text,
                     TileSizes(tile));
}

// Sizes that are no `*`: what a tile leaves of itself for the tiles after it.
Dims SizesOf(const Tile& tile) {
  Dims sizes;
  for (int64_t size : tile.dims) {
    if (size != Tile::kCombine) sizes.push_back(size);
  }
  return sizes;
}

// A tile longer than what the one before it left: its first sizes count tiles of that one.
std::string JoiningTileText(const Dims& sizes, const Dims& before, int64_t element_bits) {
  const size_t outer = sizes.size() - before.size();
  const Dims joined(sizes.begin(), sizes.begin() + outer);
  const Dims inner(sizes.begin() + outer, sizes.end());
  const std::string text = fmt::format("every {} of these tiles joined", fmt::join(joined, " x "));
  if (inner == before) return text + ", one whole tile after the other";
  if (std::any_of(inner.begin(), inner.end(), [](int64_t size) { return size != 1; })) {
    return fmt::format("{}, in turn {} of each", text, fmt::join(inner, " x "));
  }
  const bool is_word = ElementCount(joined) * element_bits == 32;
  return text + ", their elements of one place side by side" +
         (is_word ? ", in one word of 32 bits" : "");
}

std::string LaterTileText(const Tile& tile, const Tile& before, int64_t element_bits) {
  const Dims sizes = SizesOf(tile);
  const Dims left = SizesOf(before);
  const bool has_combined = sizes.size() < tile.dims.size();
  if (!has_combined && sizes.size() > left.size()) {
    const auto inner = sizes.end() - left.size();
    if (std::any_of(sizes.begin(), inner, [](int64_t size) { return size != 1; })) {
      return JoiningTileText(sizes, left, element_bits);
    }
  }
  std::string text =
      fmt::format("each of these tiles cut again, into tiles of {}", TileSizes(tile));
  const bool packs = tile.dims.size() >= 2 && tile.dims[tile.dims.size() - 1] == 1 &&
                     tile.dims[tile.dims.size() - 2] > 1;
  if (!packs) return text;
  const int64_t rows = tile.dims[tile.dims.size() - 2];
  text += fmt::format(": {} rows of a column side by side", rows);
  if (rows * element_bits == 32) text += ", in one word of 32 bits";
  return text;
}

void AddTiles(const Shape& shape, std::vector<LayoutTerm>* terms) {
  const Layout& layout = shape.layout();
  const int64_t own = layout.extras().element_bits;
  const int64_t bits = own != 0 ? own : 8 * BytesOf(shape.element_type());
  const Tile* before = nullptr;
  for (const Tile& tile : layout.tiles()) {
    const std::string text = TileText(tile);
    terms->push_back(before ? LayoutTerm{text, LaterTileText(tile, *before, bits)}
                            : LayoutTerm{"T" + text, FirstTileText(layout, tile)});
    before = &tile;
  }
}

void AddPadding(const LayoutExtras& extras, std::vector<LayoutTerm>* terms) {
  if (extras.padded_dimensions.empty()) return;
  const std::string& value = extras.padding_value;
  const std::string sizes = fmt::format("{}", fmt::join(extras.padded_dimensions, ","));
  const std::string what = value.empty() ? "what the padding holds is not specified"
                                         : fmt::format("the padding holds {}", value);
  terms->push_back(
      {fmt::format("PAD({}{}{})", sizes, value.empty() ? "" : ";", value),
       fmt::format("padded to {}; {}", fmt::join(extras.padded_dimensions, " x "), what)});
}

void AddParts(const Shape& shape, std::vector<LayoutTerm>* terms) {
  const LayoutExtras& extras = shape.layout().extras();
  AddTiles(shape, terms);
  auto add = [terms](std::string term, std::string text) {
    terms->push_back({std::move(term), std::move(text)});
  };
  if (extras.tail_alignment != 1) {
    add(fmt::format("L({})", extras.tail_alignment),
        fmt::format("the buffer ends at a multiple of {} elements", extras.tail_alignment));
  }
  if (!extras.index_type.empty()) {
    add(fmt::format("#({})", extras.index_type), "the type of a sparse array's indices");
  }
  if (!extras.pointer_type.empty()) {
    add(fmt::format("*({})", extras.pointer_type), "the type of a sparse array's pointers");
  }
  if (extras.element_bits != 0) {
    add(fmt::format("E({})", extras.element_bits),
        fmt::format("{} {} for each element", extras.element_bits,
                    extras.element_bits == 1 ? "bit" : "bits"));
  }
  if (extras.memory_space != 0) {
    const std::string term = fmt::format("S({})", extras.memory_space);
    const std::string name = MemorySpaceName(extras.memory_space);
    const std::string_view doc = MemorySpaceDoc(extras.memory_space);
    add(term, name == term ? std::string(doc) : fmt::format("{}, {}", name, doc));
  }
  for (const SplitConfig& split : extras.splits) {
    add(fmt::format("SC({}:{})", split.dim, fmt::join(split.indices, ",")),
        "a dimension of the buffer, cut at these indices between several cores");
  }
  if (!extras.physical_shape.empty()) {
    add(fmt::format("P({})", extras.physical_shape), "the shape of the buffer that holds it");
  }
  if (extras.metadata_prefix != 0) {
    add(fmt::format("M({})", extras.metadata_prefix),
        fmt::format("{} bytes in front hold the sizes of dynamic dimensions",
                    extras.metadata_prefix));
  }
  AddPadding(extras, terms);
}

}  // namespace

std::vector<LayoutTerm> LayoutTerms(const Shape& shape, bool with_layout) {
  std::vector<LayoutTerm> terms;
  if (!shape.IsArray()) return terms;
  const Dims& dims = shape.dims();
  const auto larger = std::count_if(
      dims.begin(), dims.end(), [](int64_t size) { return size > 1 || size == Shape::kUnbounded; });
  terms.push_back({"rank", fmt::format("{}", dims.size()), false});
  terms.push_back({"true rank", fmt::format("{}", larger), false});
  if (std::string letters = LettersText(shape); !letters.empty()) {
    terms.push_back({"dimensions", std::move(letters), false});
  }
  if (!with_layout) return terms;
  const Layout& layout = shape.layout();
  if (!layout.minor_to_major().empty()) {
    terms.push_back(
        {fmt::format("{}", fmt::join(layout.minor_to_major(), ",")), OrderText(layout)});
  }
  AddParts(shape, &terms);
  return terms;
}

std::vector<std::string> TermLines(const std::vector<LayoutTerm>& terms) {
  std::vector<std::string> lines;
  for (const LayoutTerm& term : terms) {
    if (term.is_part) {
      lines.push_back(fmt::format("{}: {}", term.term, term.text));
    } else if (lines.empty()) {
      lines.push_back(fmt::format("{} {}", term.term, term.text));
    } else {
      lines.back() += fmt::format(", {} {}", term.term, term.text);
    }
  }
  return lines;
}

}  // namespace hlo
