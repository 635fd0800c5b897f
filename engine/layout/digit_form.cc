#include "engine/layout/digit_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/base/bits.h"
#include "engine/base/indices.h"
#include "engine/base/stable_sort.h"

namespace hlo {
namespace {

// Calls `visit(index, offsets)` for every row of the last dimension until it returns false; at most
// `limit` elements. Of an array of rank 0, one row of one.
template <typename Visit>
void ForEachRow(const LayoutMap& a, int64_t limit, Visit visit) {
  const Dims& dims = a.dims();
  if (a.element_count() == 0) return;
  const size_t last = dims.empty() ? 0 : dims.size() - 1;
  Dims index(dims.size());
  while (limit > 0) {
    const int64_t row = dims.empty() ? 1 : std::min(dims[last], limit);
    if (!visit(index, static_cast<size_t>(row))) return;
    limit -= row;
    if (!NextIndex(std::span(index.data(), last), dims)) return;
  }
}

// The offsets of `offsets.size()` neighbours along the last dimension.
void RowOffsets(const LayoutMap& map, const Dims& index, std::span<int64_t> offsets) {
  if (index.empty()) {
    offsets[0] = map.OffsetOf({});
  } else {
    map.OffsetsAlong(index, static_cast<int>(index.size()) - 1, offsets);
  }
}

int64_t OffsetIn(const DigitForm& form, const Dims& index) {
  int64_t offset = form.base;
  for (const LayoutDigit& digit : form.digits) {
    offset += digit.stride * (index[static_cast<size_t>(digit.dim)] / digit.below % digit.size);
  }
  return offset;
}

// The only form that a map can have, derived from its axes; whether the map has it must be checked.
DigitForm FormOnAxes(const LayoutMap& map) {
  DigitForm form;
  Dims index(map.dims().size());
  form.base = map.OffsetOf(index);
  for (size_t d = 0; d < index.size(); ++d) {
    const int64_t size = map.dims()[d];
    std::vector<int64_t> offsets(static_cast<size_t>(size));
    map.OffsetsAlong(index, static_cast<int>(d), offsets);
    for (int64_t below = 1; below < size;) {
      const int64_t stride = offsets[static_cast<size_t>(below)] - form.base;
      const int64_t left = CeilDiv(size, below);
      int64_t count = 2;
      while (count < left &&
             offsets[static_cast<size_t>(count * below)] - form.base == count * stride) {
        ++count;
      }
      form.digits.push_back({static_cast<int64_t>(d), below, count, stride});
      below *= count;
    }
  }
  return form;
}

struct Scan {
  bool has_form = true;
  uint64_t digest = 0xcbf29ce484222325;
};

// Looks at every element: whether the form is the map's, and FNV-1a over the offsets.
Scan ScanAll(const LayoutMap& map, const DigitForm& form) {
  Scan scan;
  std::vector<int64_t> offsets;
  ForEachRow(map, kMostScanned, [&](Dims index, size_t count) {
    offsets.resize(count);
    RowOffsets(map, index, offsets);
    for (int64_t offset : offsets) {
      scan.digest = (scan.digest ^ static_cast<uint64_t>(offset)) * 0x100000001b3;
      scan.has_form = scan.has_form && OffsetIn(form, index) == offset;
      if (!index.empty()) ++index.back();
    }
    return true;
  });
  return scan;
}

// The index in dimension `dim` at which two canonical forms first differ; nothing if they do not.
std::optional<int64_t> DifferenceIn(int64_t dim, const DigitForm& a, const DigitForm& b) {
  auto next = [dim](const DigitForm& form, size_t* at) {
    while (*at < form.digits.size() && form.digits[*at].dim != dim) ++*at;
    return *at < form.digits.size() ? &form.digits[(*at)++] : nullptr;
  };
  size_t at_a = 0, at_b = 0;
  while (true) {
    const LayoutDigit* digit_a = next(a, &at_a);
    const LayoutDigit* digit_b = next(b, &at_b);
    if (digit_a == nullptr || digit_b == nullptr) return std::nullopt;
    // Up to here the digits are the same, so both are at the same digit.
    if (digit_a->stride != digit_b->stride) return digit_a->below;
    if (digit_a->size != digit_b->size) {
      return digit_a->below * std::min(digit_a->size, digit_b->size);
    }
  }
}

// A sample of the elements: those that differ are seldom isolated.
void CompareSome(const LayoutMap& a, const LayoutMap& b, MapDifference* result) {
  constexpr int kProbes = 1 << 16;
  uint64_t state = 1;
  Dims index(a.dims().size());
  for (int probe = 0; probe < kProbes; ++probe) {
    for (size_t d = 0; d < index.size(); ++d) {
      state = state * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX
      index[d] = static_cast<int64_t>((state >> 1) % static_cast<uint64_t>(a.dims()[d]));
    }
    ++result->compared;
    if (a.OffsetOf(index) == b.OffsetOf(index)) continue;
    result->differs = true;
    result->index = index;
    return;
  }
}

}  // namespace

DigitForm CanonicalDigits(DigitForm form, const Dims& dims) {
  std::vector<LayoutDigit>& digits = form.digits;
  auto is_constant = [&](const LayoutDigit& digit) {
    return digit.size <= 1 || digit.below >= dims[static_cast<size_t>(digit.dim)];
  };
  digits.erase(std::remove_if(digits.begin(), digits.end(), is_constant), digits.end());
  StableSort(digits.begin(), digits.end(), [](const LayoutDigit& a, const LayoutDigit& b) {
    return a.dim != b.dim ? a.dim < b.dim : a.below < b.below;
  });
  size_t kept = 0;
  for (const LayoutDigit& digit : digits) {
    LayoutDigit* last = kept > 0 ? &digits[kept - 1] : nullptr;
    int64_t continued = 0;
    if (last != nullptr && last->dim == digit.dim &&
        MultiplyChecked(last->stride, last->size, &continued) && continued == digit.stride) {
      last->size *= digit.size;
    } else {
      digits[kept++] = digit;
    }
  }
  digits.resize(kept);
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i + 1 < digits.size() && digits[i + 1].dim == digits[i].dim) continue;
    digits[i].size = CeilDiv(dims[static_cast<size_t>(digits[i].dim)], digits[i].below);
  }
  return form;
}

CanonicalLayout Canonicalize(const LayoutMap& map) {
  CanonicalLayout result;
  result.dims = map.dims();
  DigitForm form;
  if (map.element_count() == 0) {
    result.form = form;
    return result;
  }
  if (map.Digits(&form, &result.irregularity)) {
    result.form = CanonicalDigits(std::move(form), map.dims());
    return result;
  }
  if (map.element_count() > kMostScanned) return result;
  form = FormOnAxes(map);
  const Scan scan = ScanAll(map, form);
  if (scan.has_form) {
    result.form = std::move(form);
  } else {
    result.digest = scan.digest;
  }
  return result;
}

bool IsDecided(const CanonicalLayout& a, const CanonicalLayout& b) {
  return a.dims == b.dims && (a.form || a.digest) && (b.form || b.digest);
}

bool operator==(const CanonicalLayout& a, const CanonicalLayout& b) {
  return a.dims == b.dims && a.form == b.form && a.digest == b.digest;
}

MapDifference FirstDifference(const LayoutMap& a, const LayoutMap& b) {
  MapDifference result;
  DigitForm form_a, form_b;
  std::string why;
  result.index = Dims(a.dims().size());
  result.compared = a.element_count();
  if (a.element_count() == 0) return result;
  if (a.Digits(&form_a, &why) && b.Digits(&form_b, &why)) {
    form_a = CanonicalDigits(std::move(form_a), a.dims());
    form_b = CanonicalDigits(std::move(form_b), b.dims());
    result.differs = form_a.base != form_b.base;
    for (int64_t d = a.rank() - 1; d >= 0 && !result.differs; --d) {
      const auto at = DifferenceIn(d, form_a, form_b);
      result.differs = at.has_value();
      if (at) result.index[static_cast<size_t>(d)] = *at;
    }
  } else {
    result.compared = 0;
    std::vector<int64_t> row_a, row_b;
    ForEachRow(a, kMostScanned, [&](Dims index, size_t count) {
      row_a.resize(count);
      row_b.resize(count);
      RowOffsets(a, index, row_a);
      RowOffsets(b, index, row_b);
      const auto at = std::mismatch(row_a.begin(), row_a.end(), row_b.begin()).first;
      result.differs = at != row_a.end();
      result.compared += static_cast<int64_t>(count);
      if (!result.differs) return true;
      if (!index.empty()) index.back() += at - row_a.begin();
      result.index = index;
      return false;
    });
    result.exact = result.differs || result.compared == a.element_count();
    if (!result.exact) CompareSome(a, b, &result);
  }
  if (!result.differs) return result;
  result.offset_a = a.OffsetOf(result.index);
  result.offset_b = b.OffsetOf(result.index);
  return result;
}

std::string FormulaText(const DigitForm& form, const Dims& dims) {
  std::vector<LayoutDigit> digits = form.digits;
  StableSort(digits.begin(), digits.end(),
             [](const LayoutDigit& a, const LayoutDigit& b) { return a.stride > b.stride; });
  std::string text = form.base != 0 || digits.empty() ? fmt::format("{}", form.base) : "";
  for (const LayoutDigit& digit : digits) {
    if (!text.empty()) text += " + ";
    if (digit.stride != 1) fmt::format_to(std::back_inserter(text), "{}*", digit.stride);
    const bool is_top = CeilDiv(dims[static_cast<size_t>(digit.dim)], digit.below) <= digit.size;
    const bool grouped = digit.stride != 1 && (digit.below != 1 || !is_top);
    if (grouped) text += "(";
    fmt::format_to(std::back_inserter(text), "i{}", digit.dim);
    if (digit.below != 1) fmt::format_to(std::back_inserter(text), "/{}", digit.below);
    if (!is_top) fmt::format_to(std::back_inserter(text), "%{}", digit.size);
    if (grouped) text += ")";
  }
  return text;
}

std::string AddressFormula(const LayoutMap& map) {
  DigitForm form;
  std::string why;
  if (map.element_count() == 0 || !map.Digits(&form, &why)) return "";
  return FormulaText(CanonicalDigits(std::move(form), map.dims()), map.dims());
}

}  // namespace hlo
