#include "engine/layout/notation_writers.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/base/bits.h"
#include "engine/base/stable_sort.h"
#include "engine/layout/cute_layout.h"
#include "engine/layout/layout_text.h"
#include "engine/layout/morello_map.h"
#include "engine/layout/strides_layout.h"

namespace hlo {
namespace {

Written No(std::string reason) { return {"", std::move(reason), ""}; }

// The digits of a dimension, lowest first.
std::vector<LayoutDigit> DigitsOf(const DigitForm& form, size_t dim) {
  std::vector<LayoutDigit> digits;
  for (const LayoutDigit& digit : form.digits) {
    if (digit.dim == static_cast<int64_t>(dim)) digits.push_back(digit);
  }
  return digits;
}

// "dimension 1 is cut at every 4 values".
std::string CutsText(size_t dim, const std::vector<LayoutDigit>& digits) {
  std::string text = fmt::format("dimension {} is cut at every ", dim);
  for (size_t i = 1; i < digits.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "{}{}", i == 1 ? "" : " and ", digits[i].below);
  }
  return text + " values";
}

// CutsText of the first dimension that is cut; empty when none is.
std::string FirstCut(const WriteRequest& request) {
  for (size_t dim = 0; dim < request.canonical.dims.size(); ++dim) {
    const auto digits = DigitsOf(*request.canonical.form, dim);
    if (digits.size() > 1) return CutsText(dim, digits);
  }
  return "";
}

}  // namespace

std::string NoSum(const WriteRequest& request, std::string_view name) {
  if (request.canonical.form) return "";
  return fmt::format("{} adds up strides, but {}.", name, request.canonical.irregularity);
}

std::string OtherBits(const WriteRequest& request, std::string_view name) {
  if (request.map.element_bits() == request.element_bits) return "";
  return fmt::format("Elements take {} bits each here, but {} stores this type in {}.",
                     request.map.element_bits(), name, request.element_bits);
}

Written Checked(const WriteRequest& request, std::string text, const LayoutMap* map) {
  if (map == nullptr || !(Canonicalize(*map) == request.canonical)) {
    return No("The layout is too large for this notation.");
  }
  Written written{std::move(text), "", ""};
  if (map->aligned_count() != request.map.aligned_count()) {
    written.note = fmt::format("The buffer ends after {} elements, not {}.", map->aligned_count(),
                               request.map.aligned_count());
  }
  return written;
}

std::vector<LayoutDigit> BySpeed(const DigitForm& form) {
  std::vector<LayoutDigit> digits = form.digits;
  StableSort(digits.begin(), digits.end(),
             [](const LayoutDigit& a, const LayoutDigit& b) { return a.stride > b.stride; });
  return digits;
}

std::vector<int64_t> Radices(const WriteRequest& request, const std::vector<LayoutDigit>& digits,
                             std::string_view name, int64_t* innermost, std::string* reason) {
  std::vector<int64_t> radices;
  const DigitForm& form = *request.canonical.form;
  if (form.base != 0) {
    *reason =
        fmt::format("The first element lies at offset {}; {} has no offset.", form.base, name);
    return {};
  }
  for (size_t i = 0; i < digits.size(); ++i) {
    const LayoutDigit& digit = digits[i];
    if (digit.stride < 0) {
      *reason =
          fmt::format("Dimension {} runs backwards, with stride {}; {} has only forward ones.",
                      digit.dim, digit.stride, name);
      return {};
    }
    const int64_t above = i > 0 ? digits[i - 1].stride : request.map.aligned_count();
    int64_t radix = above / digit.stride;
    const bool fills = above % digit.stride == 0 && radix >= digit.size;
    if (i == 0 && !fills) radix = digit.size;
    if (i > 0 && !fills) {
      *reason = fmt::format(
          "Stride {} (dimension {}) is no multiple of stride {} (dimension {}) that holds its {} "
          "values, as it is under {}.",
          above, digits[i - 1].dim, digit.stride, digit.dim, digit.size,
          name == "XLA" ? "tiles" : "padded dimensions");
      return {};
    }
    radices.push_back(radix);
  }
  *innermost = digits.empty() ? 1 : digits.back().stride;
  return radices;
}

Dims MinorToMajor(const Dims& slowest_first, const Dims& dims) {
  Dims order = slowest_first;
  for (int64_t dim = static_cast<int64_t>(dims.size()); dim-- > 0;) {
    if (std::find(order.begin(), order.end(), dim) != order.end()) continue;
    // In front of the next dimension, as in row-major order.
    const auto* next = std::find(order.begin(), order.end(), dim + 1);
    order.insert(next, dim);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

namespace {

Written WritePadded(const WriteRequest& request) {
  std::string reason = NoSum(request, "Padding");
  if (!reason.empty()) return No(reason);
  const Dims& dims = request.canonical.dims;
  const std::vector<LayoutDigit> digits = BySpeed(*request.canonical.form);
  if (dims.empty()) return No("A scalar has no dimension to pad.");
  const std::string cuts = FirstCut(request);
  if (!cuts.empty()) return No(fmt::format("Padded dimensions stay whole, but {}.", cuts));
  int64_t innermost = 1;
  const auto radices = Radices(request, digits, "this notation", &innermost, &reason);
  if (!reason.empty()) return No(reason);
  if (innermost != 1) {
    return No(
        fmt::format("Padded dimensions leave no holes between neighbours, but the smallest "
                    "stride is {}.",
                    innermost));
  }
  Dims slowest_first;
  LayoutExtras extras;
  extras.padded_dimensions = dims;
  for (size_t i = 0; i < digits.size(); ++i) {
    slowest_first.push_back(digits[i].dim);
    extras.padded_dimensions[static_cast<size_t>(digits[i].dim)] = radices[i];
  }
  if (request.map.element_bits() != request.element_bits) {
    extras.element_bits = request.map.element_bits();
  }
  const Layout layout(MinorToMajor(slowest_first, dims), std::move(extras));
  Diagnostics faults;
  return Checked(
      request, LayoutText(layout),
      MakeLayoutMap(dims, static_cast<int>(request.element_bits), layout, {}, faults).get());
}

Written WriteMorello(const WriteRequest& request) {
  std::string reason = NoSum(request, "Morello");
  if (reason.empty()) reason = OtherBits(request, "Morello");
  if (!reason.empty()) return No(reason);
  const Dims& dims = request.canonical.dims;
  if (request.map.element_count() == 0) return No("Morello has no dimension of size 0.");
  if (request.canonical.form->base != 0) {
    return No(fmt::format("The first element lies at offset {}; Morello has no offset.",
                          request.canonical.form->base));
  }
  if (request.map.aligned_count() != request.map.element_count()) {
    return No(fmt::format("Morello never pads, but {} elements lie in a buffer of {}.",
                          request.map.element_count(), request.map.aligned_count()));
  }
  const std::vector<LayoutDigit> digits = BySpeed(*request.canonical.form);
  Dims covered(dims.size(), 1);
  MorelloLayout layout;
  for (size_t i = digits.size(); i-- > 0;) {
    const LayoutDigit& digit = digits[i];
    int64_t& below = covered[static_cast<size_t>(digit.dim)];
    MorelloDim part{digit.dim, MorelloDim::Kind::kPacked, digit.size};
    if (digit.below == below) {
      below *= digit.size;
      if (below >= dims[static_cast<size_t>(digit.dim)]) part = {digit.dim};
    } else if (digit.below == 2 * below && i > 0 && digits[i - 1].dim == digit.dim &&
               digits[i - 1].below == below && digits[i - 1].size == 2) {
      // Pairs count faster than even and odd within a pair: an odd-even strip.
      part = {digit.dim, MorelloDim::Kind::kOddEven, 2 * digit.size};
      below *= part.size;
      --i;
    } else {
      return No(
          fmt::format("Morello takes the parts of a dimension from the lowest up, but the "
                      "steps of {} in dimension {} lie closer together than those of {}.",
                      digit.below, digit.dim, below));
    }
    layout.dims.push_back(part);
  }
  std::reverse(layout.dims.begin(), layout.dims.end());
  layout.contiguous = static_cast<int64_t>(layout.dims.size());
  Diagnostics faults;
  return Checked(request, MorelloLayoutText(layout),
                 MorelloMap::Make(dims, request.element_bits, layout, {}, faults).get());
}

Written WriteCute(const WriteRequest& request) {
  std::string reason = NoSum(request, "CuTe without a swizzle");
  if (reason.empty()) reason = OtherBits(request, "CuTe");
  if (!reason.empty()) return No(reason);
  const Dims& dims = request.canonical.dims;
  CuteLayout layout;
  layout.offset = request.canonical.form->base;
  const bool is_tuple = dims.size() != 1;
  for (size_t dim = 0; dim < dims.size(); ++dim) {
    auto digits = DigitsOf(*request.canonical.form, dim);
    int64_t product = 1;
    for (const LayoutDigit& digit : digits) product *= digit.size;
    if (!digits.empty() && product != dims[dim]) {
      return No(fmt::format("CuTe's sizes multiply exactly, but {}, which do not divide its {}.",
                            CutsText(dim, digits), dims[dim]));
    }
    if (digits.empty()) digits.push_back({static_cast<int64_t>(dim), 1, dims[dim], 0});
    if (digits.size() > 1) {
      const CuteNode mode{true, static_cast<int64_t>(digits.size()), {}};
      layout.shape.push_back(mode);
      layout.stride.push_back(mode);
    }
    for (const LayoutDigit& digit : digits) {
      layout.shape.push_back({false, digit.size, {}});
      layout.stride.push_back({false, digit.stride, {}});
    }
  }
  if (is_tuple || layout.shape.front().is_tuple) {
    const CuteNode all{true, static_cast<int64_t>(dims.size()), {}};
    layout.shape.insert(layout.shape.begin(), all);
    layout.stride.insert(layout.stride.begin(), all);
  }
  Diagnostics faults;
  return Checked(request, CuteLayoutText(layout),
                 StridedMap::Make(CuteParts(layout), request.element_bits, faults).get());
}

Written WriteStrides(const WriteRequest& request) {
  std::string reason = NoSum(request, "An array of strides");
  if (reason.empty()) reason = OtherBits(request, "an array of strides");
  if (!reason.empty()) return No(reason);
  const std::string cuts = FirstCut(request);
  if (!cuts.empty()) return No(fmt::format("A dimension has one stride, but {}.", cuts));
  const Dims& dims = request.canonical.dims;
  StridedMap::Parts parts;
  parts.dims = dims;
  parts.base = request.canonical.form->base;
  int64_t compact = 1;  // of dimensions with one value, as numpy has it
  parts.modes.resize(dims.size());
  for (size_t dim = dims.size(); dim-- > 0;) {
    const auto digits = DigitsOf(*request.canonical.form, dim);
    const int64_t stride = digits.empty() ? compact : digits[0].stride;
    parts.modes[dim].digit = {static_cast<int64_t>(dim), 1, dims[dim], stride};
    if (!MultiplyChecked(stride, std::max<int64_t>(dims[dim], 1), &compact)) compact = 1;
  }
  Diagnostics faults;
  const auto map = StridedMap::Make(std::move(parts), request.element_bits, faults);
  return Checked(request, map ? StridesText(map->modes()) : "", map.get());
}

struct NotationWriter {
  std::string_view key;  // of the notation
  Written (*write)(const WriteRequest& request);
};
constexpr NotationWriter kNotationWriters[] = {
    {"shape", WriteXla}, {"padded", WritePadded},   {"morello", WriteMorello},
    {"cute", WriteCute}, {"strides", WriteStrides},
};

}  // namespace

Written WriteLayout(const LayoutNotation& notation, const WriteRequest& request) {
  for (const NotationWriter& writer : kNotationWriters) {
    if (writer.key == notation.key) return writer.write(request);
  }
  return {"", "This notation is only read.", ""};
}

}  // namespace hlo
