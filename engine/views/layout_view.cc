#include "engine/views/layout_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "engine/base/indices.h"
#include "engine/base/work_limit.h"
#include "engine/layout/address_text.h"
#include "engine/layout/digit_form.h"
#include "engine/layout/layout_text.h"
#include "engine/types/scanner.h"
#include "engine/views/guard.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/layout_subject.h"

namespace hlo {
namespace {

std::string_view KindWords(const Shape& shape) {
  if (shape.IsTuple()) {
    return shape.elements().empty() ? "an empty tuple, which takes no memory"
                                    : "a tuple; each of its elements has a layout of its own";
  }
  if (shape.IsToken()) return "a token, which takes no memory";
  return shape.IsBuffer() ? "a buffer, laid out as its array" : "opaque";
}

// A shape without a layout; of a tuple or buffer its arrays are offered.
void RefuseShape(LayoutView* view) {
  constexpr size_t kMostFixes = 8;
  const Range all{0, static_cast<uint32_t>(view->text.size())};
  std::vector<Fix>& fixes =
      view->diagnostics
          .Report(DiagCode::kLayoutInvalid, all,
                  fmt::format("{} is {}", ShapeName(view->shape), KindWords(view->shape)))
          .fixes;
  ForEachArray(view->shape, [&](const Shape& array) {
    std::string text = ShapeText(array);
    if (array.IsBuffer()) text = text.substr(2, text.size() - 3);  // b(f32[2]{0})
    const bool is_new = std::none_of(fixes.begin(), fixes.end(),
                                     [&](const Fix& fix) { return fix.replacement == text; });
    if (is_new && fixes.size() < kMostFixes) fixes.push_back({"Show " + text, all, text});
  });
}

Json TilesJson(const Layout& layout) {
  Json tiles = Json::array();
  for (const Tile& tile : layout.tiles()) tiles.push_back(DimsJson(tile.dims));
  return tiles;
}

// The steps of an address computation: one per tile, or per term of a sum; then the sum.
Json StepsJson(const AddressExplanation& explanation) {
  Json steps = Json::array();
  for (const AddressStep& step : explanation.steps) {
    steps.push_back(
        {{"title", fmt::format("Tile {}", TileText(step.tile))},
         {"lines",
          {fmt::format("index {} in {}", ListText(step.index), ListText(step.bounds)),
           fmt::format("tile {} of {}", ListText(step.tile_index), ListText(step.tile_bounds)),
           fmt::format("within the tile {} of {}", ListText(step.within_index),
                       ListText(step.within_bounds))}}});
  }
  for (const AddressTerm& term : explanation.terms) {
    steps.push_back(
        ObjectJson({{"title", fmt::format("Part {}", term.part)}, {"lines", term.lines}}));
  }
  steps.push_back(ObjectJson({{"title", "Address"}, {"lines", explanation.lines}}));
  return steps;
}

}  // namespace

std::vector<LayoutTerm> TermsOf(const LayoutView& view) {
  if (!view.map) return {};
  return LayoutTerms(view.shape, view.notation->head == LayoutNotation::Head::kShape);
}

LayoutView MakeLayoutView(std::string_view subject_text) {
  LayoutView view;
  view.text = subject_text;
  LayoutSubject subject;
  Guarded(view.diagnostics, [&] {
    const WorkLimit limit(WorkLimit::ForText(view.text.size()));
    subject = ReadLayoutSubject(view.text, view.diagnostics);
  });
  view.notation = subject.notation ? subject.notation : &RecogniseNotation("");
  view.shape = std::move(subject.shape);
  view.subject = std::move(subject.text);
  view.facts = std::move(subject.facts);
  view.map = std::move(subject.map);
  if (!view.shape.IsArray() && !view.diagnostics.has_errors()) RefuseShape(&view);
  if (view.map) view.padding = ReportPadding(*view.map);
  return view;
}

std::string LayoutJson(const LayoutView& view) {
  const TextMap map(view.text);
  Json causes = Json::array();
  for (const PaddingCause& cause : view.padding.causes) causes.push_back(cause.text);
  const bool array = view.shape.IsArray();
  Json terms = Json::array();
  for (const LayoutTerm& term : TermsOf(view)) {
    terms.push_back(ObjectJson({{"term", term.term}, {"text", term.text}}));
  }
  const bool ok = view.map != nullptr;
  const bool shape_layout = array && view.notation->head == LayoutNotation::Head::kShape;
  const Layout& layout = view.shape.layout();
  const Dims none;
  const std::string shape = !array && view.diagnostics.has_errors() ? ""
                            : shape_layout                          ? ShapeText(view.shape)
                                                                    : ShapeName(view.shape);
  return JsonText(
      ObjectJson({{"ok", ok},
                  {"diagnostics", DiagnosticsJson(view.diagnostics, map)},
                  {"notation", view.notation->key},
                  {"subject", view.subject},
                  {"shape", shape},
                  {"elementType", array ? Text(view.shape.element_type()) : ""},
                  {"elementBits", ok ? view.map->element_bits() : 0},
                  {"dims", DimsJson(array ? view.shape.dims() : none)},
                  {"minorToMajor", DimsJson(shape_layout ? layout.minor_to_major() : none)},
                  {"tiles", shape_layout ? TilesJson(layout) : Json::array()},
                  {"physicalDims", DimsJson(ok ? view.map->physical_dims() : none)},
                  {"logicalElements", ok ? view.map->element_count() : 0},
                  {"physicalElements", ok ? view.map->aligned_count() : 0},
                  {"logicalBytes", view.padding.unpadded_bytes},
                  {"physicalBytes", ok ? view.map->byte_size() : 0},
                  {"sizes", view.padding.text},
                  {"causes", std::move(causes)},
                  {"paddingValue", shape_layout ? layout.extras().padding_value : ""},
                  {"memorySpace", shape_layout ? layout.extras().memory_space : 0},
                  {"paddedDims", DimsJson(ok ? view.map->padded_dims() : none)},
                  {"formula", ok ? AddressFormula(*view.map) : ""},
                  {"terms", std::move(terms)},
                  {"facts", view.facts}}));
}

std::vector<double> LogicalWindow(const LayoutView& view, const WindowSpec& spec) {
  std::vector<double> offsets;
  if (!view.map) return offsets;
  // The window keeps the requested size; only cells inside the array get an offset.
  const int64_t cols = std::clamp<int64_t>(spec.cols, 0, kMaxCells);
  const int64_t rows = cols == 0 ? 0 : std::clamp<int64_t>(spec.rows, 0, kMaxCells / cols);
  offsets.assign(static_cast<size_t>(rows * cols), -1);
  const WindowSpec window = ClipWindow(spec, view.map->dims());
  std::vector<int64_t> line(static_cast<size_t>(window.cols));
  Dims index = window.origin;
  for (int64_t r = 0; r < window.rows; ++r) {
    if (window.row_dim >= 0) {
      const size_t dim = static_cast<size_t>(window.row_dim);
      index[dim] = window.origin[dim] + r;
    }
    if (window.col_dim >= 0) {
      view.map->OffsetsAlong(index, window.col_dim, line);
    } else {
      line[0] = view.map->OffsetOf(index);
    }
    std::copy(line.begin(), line.end(), offsets.begin() + r * cols);
  }
  return offsets;
}

std::vector<double> LogicalSamples(const LayoutView& view, const WindowSpec& spec, int64_t row_step,
                                   int64_t col_step) {
  std::vector<double> offsets;
  if (!view.map) return offsets;
  const int64_t cols = std::clamp<int64_t>(spec.cols, 0, kMaxCells);
  const int64_t rows = cols == 0 ? 0 : std::clamp<int64_t>(spec.rows, 0, kMaxCells / cols);
  offsets.assign(static_cast<size_t>(rows * cols), -1);
  WindowSpec first = spec;
  first.rows = first.cols = 1;
  const WindowSpec room = ClipWindow(first, view.map->dims());
  if (room.rows == 0 || room.cols == 0) return offsets;
  // How many samples are inside the array, counted before anything is multiplied.
  const auto inside = [&](int dim, int64_t wanted, int64_t step) {
    if (dim < 0) return std::min<int64_t>(wanted, 1);
    const size_t d = static_cast<size_t>(dim);
    return std::min(wanted, (view.map->dims()[d] - 1 - room.origin[d]) / step + 1);
  };
  const int64_t inside_rows = inside(room.row_dim, rows, row_step);
  const int64_t inside_cols = inside(room.col_dim, cols, col_step);
  Dims index = room.origin;
  for (int64_t r = 0; r < inside_rows; ++r) {
    if (room.row_dim >= 0) {
      const size_t dim = static_cast<size_t>(room.row_dim);
      index[dim] = room.origin[dim] + r * row_step;
    }
    for (int64_t c = 0; c < inside_cols; ++c) {
      if (room.col_dim >= 0) {
        const size_t dim = static_cast<size_t>(room.col_dim);
        index[dim] = room.origin[dim] + c * col_step;
      }
      offsets[static_cast<size_t>(r * cols + c)] = static_cast<double>(view.map->OffsetOf(index));
    }
  }
  return offsets;
}

std::vector<double> LinearWindow(const LayoutView& view, int64_t begin, int64_t count,
                                 int64_t step) {
  std::vector<double> indices;
  if (!view.map || begin < 0) return indices;
  const size_t rank = static_cast<size_t>(view.map->rank());
  constexpr int64_t kMaxNumbers = int64_t{1} << 24;
  const int64_t most = kMaxNumbers / std::max<int64_t>(1, view.map->rank());
  const int64_t n = std::clamp<int64_t>(count, 0, std::min(kMaxCells, most));
  indices.assign(static_cast<size_t>(n) * rank, -1);
  std::vector<int64_t> elements(static_cast<size_t>(n));
  if (step <= 1) {
    view.map->ElementsAt(begin, elements);
  } else {
    const int64_t end = view.map->aligned_count();
    for (size_t slot = 0; slot < elements.size(); ++slot) {
      elements[slot] = LayoutMap::kPadding;
      const int64_t at = static_cast<int64_t>(slot);
      if (begin < end && at <= (end - 1 - begin) / step) {
        view.map->ElementsAt(begin + at * step, std::span(elements).subspan(slot, 1));
      }
    }
  }
  for (size_t slot = 0; slot < elements.size(); ++slot) {
    if (elements[slot] == LayoutMap::kPadding) continue;
    const Dims index = Unravel(elements[slot], view.map->dims());
    std::copy(index.begin(), index.end(), indices.begin() + static_cast<ptrdiff_t>(slot * rank));
  }
  return indices;
}

AddressView MakeAddressView(const LayoutView& view, const Dims& index) {
  AddressView address;
  if (!view.map) {
    address.problem = "the shape has no valid layout";
    return address;
  }
  if (index.size() != view.map->dims().size()) {
    address.problem = fmt::format("the index has rank {}, but {} has rank {}", index.size(),
                                  ShapeName(view.shape), view.map->rank());
    return address;
  }
  for (size_t i = 0; i < index.size(); ++i) {
    const int64_t size = view.map->dims()[i];
    if (index[i] >= 0 && index[i] < size) continue;
    if (index[i] < 0 && -index[i] <= size) {
      address.problem = fmt::format(
          "index {} of dimension {} is negative: indices count from 0 here. Counted from the end, "
          "as some utilities of XLA do, it is {}",
          index[i], i, size + index[i]);
      return address;
    }
    address.problem = fmt::format("index {} is out of range in dimension {} of {}", index[i], i,
                                  ShapeName(view.shape));
    return address;
  }
  address.ok = true;
  address.explanation = view.map->Explain(index);
  return address;
}

std::string AddressJson(const AddressView& address) {
  const AddressExplanation& explanation = address.explanation;
  Json steps = address.ok ? StepsJson(explanation)
                          : Json::array({{{"title", address.problem}, {"lines", Json::array()}}});
  Json tile_index = Json::array();
  Json within = Json::array();
  if (!explanation.steps.empty()) {
    tile_index = DimsJson(explanation.steps.front().tile_index);
    within = DimsJson(explanation.steps.front().within_index);
  }
  return JsonText(ObjectJson({{"ok", address.ok},
                              {"offset", explanation.offset},
                              {"byteOffset", explanation.first_bit / 8},
                              {"bitInByte", explanation.first_bit % 8},
                              {"tileIndex", std::move(tile_index)},
                              {"withinTile", std::move(within)},
                              {"steps", std::move(steps)}}));
}

bool ParseIndex(std::string_view text, Dims* index) {
  constexpr std::string_view kBrackets = " \t{}[]()";
  index->clear();
  const size_t begin = text.find_first_not_of(kBrackets);
  if (begin == std::string_view::npos) return true;
  text = text.substr(begin, text.find_last_not_of(kBrackets) - begin + 1);
  while (true) {
    const size_t comma = std::min(text.find(','), text.size());
    std::string_view number = text.substr(0, comma);
    number.remove_prefix(std::min(number.find_first_not_of(" \t"), number.size()));
    const bool is_negative = number.starts_with('-');
    if (is_negative) number.remove_prefix(1);
    int64_t value = 0;
    size_t digits = 0;
    while (digits < number.size() && IsDigit(number[digits])) {
      if (digits > 17) return false;
      value = 10 * value + (number[digits++] - '0');
    }
    if (digits == 0 || number.find_first_not_of(" \t", digits) != std::string_view::npos) {
      return false;
    }
    index->push_back(is_negative ? -value : value);
    if (comma == text.size()) return true;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace hlo
