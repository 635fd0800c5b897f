#include "engine/layout/layout_text.h"

#include <fmt/format.h>

#include <iterator>

namespace hlo {
namespace {

void AppendInteger(int64_t value, std::string* out) {
  if (value >= 0 && value < 10) {
    out->push_back(static_cast<char>('0' + value));
  } else {
    fmt::format_to(std::back_inserter(*out), FMT_STRING("{}"), value);
  }
}

void AppendIntegers(const Dims& values, std::string* out) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out->push_back(',');
    AppendInteger(values[i], out);
  }
}

void AppendTile(const Tile& tile, std::string* out) {
  out->push_back('(');
  for (size_t i = 0; i < tile.dims.size(); ++i) {
    if (i > 0) out->push_back(',');
    if (tile.dims[i] == Tile::kCombine) {
      out->push_back('*');
    } else {
      AppendInteger(tile.dims[i], out);
    }
  }
  out->push_back(')');
}

void AppendSplits(const std::vector<SplitConfig>& splits, std::string* out) {
  if (splits.empty()) return;
  out->append("SC");
  for (const SplitConfig& split : splits) {
    out->push_back('(');
    AppendInteger(split.dim, out);
    out->push_back(':');
    AppendIntegers(split.indices, out);
    out->push_back(')');
  }
}

void AppendPadding(const LayoutExtras& extras, std::string* out) {
  if (extras.padded_dimensions.empty() && extras.padding_value.empty()) return;
  out->append("PAD(");
  AppendIntegers(extras.padded_dimensions, out);
  if (!extras.padding_value.empty()) {
    out->push_back(';');
    out->append(extras.padding_value);
  }
  out->push_back(')');
}

void AppendExtras(const LayoutExtras& extras, std::string* out) {
  auto append_text = [out](std::string_view word, std::string_view text) {
    if (!text.empty()) out->append(word).append("(").append(text).append(")");
  };
  auto append_number = [out](std::string_view word, int64_t value, int64_t omitted) {
    if (value == omitted) return;
    out->append(word).append("(");
    AppendInteger(value, out);
    out->push_back(')');
  };
  if (!extras.tiles.empty()) out->push_back('T');
  for (const Tile& tile : extras.tiles) AppendTile(tile, out);
  append_number("L", extras.tail_alignment, 1);
  append_text("#", extras.index_type);
  append_text("*", extras.pointer_type);
  append_number("E", extras.element_bits, 0);
  append_number("S", extras.memory_space, 0);
  AppendSplits(extras.splits, out);
  append_text("P", extras.physical_shape);
  append_number("M", extras.metadata_prefix, 0);
  AppendPadding(extras, out);
}

}  // namespace

void AppendLayout(const Layout& layout, std::string* out) {
  const bool has_extras = layout.has_extras();
  if (layout.minor_to_major().empty() && !has_extras) return;
  out->push_back('{');
  AppendIntegers(layout.minor_to_major(), out);
  if (has_extras) {
    out->push_back(':');
    AppendExtras(layout.extras(), out);
  }
  out->push_back('}');
}

std::string LayoutText(const Layout& layout) {
  std::string text;
  AppendLayout(layout, &text);
  return text;
}

std::string TileText(const Tile& tile) {
  std::string text;
  AppendTile(tile, &text);
  return text;
}

}  // namespace hlo
