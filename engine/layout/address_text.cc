#include "engine/layout/address_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "engine/layout/layout_text.h"

namespace hlo {
namespace {

Dims Concatenated(Dims list, const Dims& tail) {
  for (int64_t value : tail) list.push_back(value);
  return list;
}

// Why the list of sizes that a tile is applied to is not the list before it.
std::string_view ReasonText(const AddressStep& step, size_t size_before) {
  const bool is_longer = step.tile.dims.size() > size_before;
  const bool combines = std::find(step.tile.dims.begin(), step.tile.dims.end(), Tile::kCombine) !=
                        step.tile.dims.end();
  if (is_longer && combines) return "leading 1s, '*' combines";
  return is_longer ? "leading 1s" : "'*' combines";
}

void AppendSteps(const AddressExplanation& explanation, std::vector<std::string>* lines) {
  Dims index = explanation.ordered_index;
  Dims bounds = explanation.ordered_dims;
  for (const AddressStep& step : explanation.steps) {
    if (!(bounds == step.bounds)) {
      lines->push_back(fmt::format("{}: {} in {} becomes {} in {}", ReasonText(step, bounds.size()),
                                   ListText(index), ListText(bounds), ListText(step.index),
                                   ListText(step.bounds)));
    }
    lines->push_back(fmt::format("tile {}: tile index {} of {}, within-tile index {} of {}",
                                 TileText(step.tile), ListText(step.tile_index),
                                 ListText(step.tile_bounds), ListText(step.within_index),
                                 ListText(step.within_bounds)));
    index = Concatenated(step.tile_index, step.within_index);
    bounds = Concatenated(step.tile_bounds, step.within_bounds);
  }
}

std::string ParenthesisedSum(std::span<const int64_t> index, std::span<const int64_t> bounds) {
  const std::string sum = SumText(index, bounds);
  return index.size() > 1 ? fmt::format("({})", sum) : sum;
}

}  // namespace

std::string BitsText(int64_t first, int64_t last) {
  std::string text = fmt::format("bits {} to {}, byte {}", first, last, first / 8);
  if (first % 8 != 0) fmt::format_to(std::back_inserter(text), FMT_STRING(" bit {}"), first % 8);
  return text;
}

std::string ListText(std::span<const int64_t> values) {
  std::string text = "(";
  for (int64_t value : values) {
    if (text.size() > 1) text.push_back(',');
    fmt::format_to(std::back_inserter(text), FMT_STRING("{}"), value);
  }
  text.push_back(')');
  return text;
}

std::string SumText(std::span<const int64_t> index, std::span<const int64_t> bounds) {
  if (index.empty()) return "0";
  std::string text(index.size() > 2 ? index.size() - 2 : 0, '(');
  fmt::format_to(std::back_inserter(text), FMT_STRING("{}"), index[0]);
  for (size_t i = 1; i < index.size(); ++i) {
    fmt::format_to(std::back_inserter(text), FMT_STRING(" * {} + {}"), bounds[i], index[i]);
    if (i + 1 < index.size()) text.push_back(')');
  }
  return text;
}

std::string DimensionsText(std::span<const int64_t> dims) {
  if (dims.empty()) return "a leading 1";
  std::string text = dims.size() == 1 ? "dimension " : "dimensions ";
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i > 0) text.append(i + 1 == dims.size() ? " and " : ", ");
    fmt::format_to(std::back_inserter(text), FMT_STRING("{}"), dims[i]);
  }
  if (dims.size() > 1) text.append(" combined");
  return text;
}

std::vector<std::string> ExplanationLines(const AddressExplanation& explanation) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("index {}, major to minor {} in {}", ListText(explanation.index),
                              ListText(explanation.ordered_index),
                              ListText(explanation.ordered_dims)));
  AppendSteps(explanation, &lines);
  std::span<const int64_t> index = explanation.coordinates;
  std::span<const int64_t> bounds = explanation.bounds;
  // One tile over all dimensions begins as in XLA's documentation of tiled layouts.
  const size_t rank = explanation.ordered_dims.size();
  const bool is_plain = explanation.steps.size() == 1 && bounds.size() == 2 * rank &&
                        explanation.steps[0].within_index.size() == rank;
  if (is_plain) {
    lines.push_back(fmt::format("linear_index_with_tile({}, {}, {})",
                                ListText(explanation.ordered_index),
                                ListText(explanation.ordered_dims), ListText(bounds.last(rank))));
  }
  lines.push_back(fmt::format("{}linear_index({}, {})", is_plain ? "= " : "", ListText(index),
                              ListText(bounds)));
  if (explanation.steps.empty()) {
    if (index.size() > 1) lines.push_back(fmt::format("= {}", SumText(index, bounds)));
  } else {
    // The last tile's own entries are the last of the list.
    const size_t inner = explanation.steps.back().within_index.size();
    const size_t outer = index.size() - inner;
    std::string scale;
    for (int64_t size : bounds.subspan(outer)) scale += fmt::format(" * {}", size);
    lines.push_back(fmt::format("= linear_index({}, {}){} + linear_index({}, {})",
                                ListText(index.first(outer)), ListText(bounds.first(outer)), scale,
                                ListText(index.subspan(outer)), ListText(bounds.subspan(outer))));
    lines.push_back(fmt::format("= {}{} + {}",
                                ParenthesisedSum(index.first(outer), bounds.first(outer)), scale,
                                ParenthesisedSum(index.subspan(outer), bounds.subspan(outer))));
  }
  lines.push_back(fmt::format("= {}", explanation.offset));
  return lines;
}

}  // namespace hlo
