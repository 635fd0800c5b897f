#include "engine/layout/strided_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "engine/base/bits.h"
#include "engine/base/indices.h"
#include "engine/base/stable_sort.h"
#include "engine/layout/address_text.h"

namespace hlo {
namespace {

// How many partial sums a search for two elements of one offset may look at. Strides as people
// write them take one per mode.
constexpr int64_t kMostSums = 4096;

}  // namespace

std::unique_ptr<StridedMap> StridedMap::Make(Parts parts, int64_t element_bits,
                                             Diagnostics& diagnostics) {
  std::unique_ptr<StridedMap> map(new StridedMap);
  Sizes sizes;
  sizes.dims = parts.dims;
  sizes.padded_dims = parts.dims;
  sizes.element_bits = element_bits;
  DigitForm form;
  form.base = parts.base;
  for (const StridedMode& mode : parts.modes) form.digits.push_back(mode.digit);
  map->swizzle_ = parts.swizzle;
  const bool is_empty = std::find(parts.dims.begin(), parts.dims.end(), 0) != parts.dims.end();
  if (is_empty) {
    sizes.physical_dims.push_back(0);
  } else if (!CheckSpan(parts, diagnostics)) {
    return nullptr;
  }
  map->SetDigits(std::move(form));
  if (!is_empty) {
    if (!map->CheckAliases(parts, diagnostics)) return nullptr;
    map->SetPhysicalDims(&sizes);
  }
  if (!map->SetSizes(std::move(sizes), 1)) {
    diagnostics.Report(DiagCode::kTooLarge, parts.range,
                       "the layout is too large: its bits in memory must fit 64 bits");
    return nullptr;
  }
  return map;
}

// Checks that no offset is negative or too large.
bool StridedMap::CheckSpan(const Parts& parts, Diagnostics& diagnostics) {
  int64_t first = parts.base, last = parts.base;
  for (size_t i = 0; i < parts.modes.size(); ++i) {
    const LayoutDigit& digit = parts.modes[i].digit;
    if (digit.size == 1) continue;
    if (digit.stride == 0) {
      diagnostics.Report(DiagCode::kLayoutInvalid, parts.modes[i].range,
                         fmt::format("stride 0 puts all {} values of dimension {} in one place",
                                     digit.size, digit.dim));
      return false;
    }
    const bool is_reversed = digit.stride < 0;
    int64_t span = 0;
    int64_t& end = is_reversed ? first : last;
    if (!MultiplyChecked(digit.stride, digit.size - 1, &span) || !AddChecked(end, span, &end) ||
        last >= kOffsetLimit || first <= -kOffsetLimit) {
      diagnostics.Report(
          DiagCode::kTooLarge, parts.modes[i].range,
          fmt::format("with stride {} for {} values the layout is too large: offsets must be "
                      "below 2^61",
                      digit.stride, digit.size));
      return false;
    }
  }
  if (first < 0) {
    diagnostics.Report(
        DiagCode::kLayoutInvalid,
        parts.base_range.begin < parts.base_range.end ? parts.base_range : parts.range,
        fmt::format("an element would lie at offset {}, in front of the buffer: the offset must be "
                    "at least {}, not {}",
                    first, parts.base - first, parts.base));
    return false;
  }
  if (last >= kOffsetLimit) {
    diagnostics.Report(DiagCode::kTooLarge, parts.base_range,
                       "the layout is too large: offsets must be below 2^61");
    return false;
  }
  return true;
}

// Two elements share an offset when the steps have a sum of 0 whose factors, between -(size - 1)
// and size - 1, are not all 0. Depth first, pruned by the range of factors that the later steps can
// still compensate, which for strides that nest is one factor each.
bool StridedMap::CheckAliases(const Parts& parts, Diagnostics& diagnostics) const {
  const size_t n = steps().size();
  std::vector<int64_t> factor(n), last(n), sum(n + 1);
  int64_t looked_at = 0;
  size_t k = 0;
  bool descending = true;
  while (true) {
    if (descending) {
      if (k == n) {
        const bool all_zero =
            std::all_of(factor.begin(), factor.end(), [](int64_t f) { return f == 0; });
        if (sum[n] == 0 && !all_zero) return ReportAlias(parts, factor, diagnostics);
        descending = false;
        continue;
      }
      if (++looked_at > kMostSums) {
        diagnostics.Report(DiagCode::kTooLarge, parts.range,
                           "these strides interleave too much to tell whether two elements share "
                           "an offset");
        return false;
      }
      const Step& step = steps()[k];
      const int64_t after = k + 1 < n ? steps()[k + 1].reach : 0;
      // The first factor that is not 0 may be taken as positive.
      const bool is_first = std::all_of(factor.begin(), factor.begin() + static_cast<ptrdiff_t>(k),
                                        [](int64_t f) { return f == 0; });
      factor[k] =
          std::max(is_first ? 0 : 1 - step.size, CeilDivSigned(-after - sum[k], step.stride));
      last[k] = std::min(step.size - 1, FloorDiv(after - sum[k], step.stride));
      if (sum[k] % step.divisor != 0) last[k] = factor[k] - 1;
      --factor[k];
      descending = false;
      ++k;  // so that the line below comes back to this step
    }
    if (k == 0) return true;
    --k;
    if (factor[k] >= last[k]) {
      factor[k] = 0;
      continue;
    }
    ++factor[k];
    sum[k + 1] = sum[k] + factor[k] * steps()[k].stride;
    ++k;
    descending = true;
  }
}

bool StridedMap::ReportAlias(const Parts& parts, const std::vector<int64_t>& difference,
                             Diagnostics& diagnostics) const {
  Dims one(parts.dims.size()), other(parts.dims.size());
  int64_t offset = first();
  size_t involved = steps().size();  // the largest stride that is: it steps back into the others
  for (size_t k = 0; k < steps().size(); ++k) {
    const Step& step = steps()[k];
    const LayoutDigit& digit = form().digits[step.digit];
    if (difference[k] != 0 && involved == steps().size()) involved = k;
    const int64_t values[] = {std::max<int64_t>(difference[k], 0),
                              std::max<int64_t>(-difference[k], 0)};
    offset += values[0] * step.stride;
    for (int i = 0; i < 2; ++i) {
      const int64_t value = step.is_reversed ? step.size - 1 - values[i] : values[i];
      (i == 0 ? one : other)[static_cast<size_t>(digit.dim)] += value * digit.below;
    }
  }
  diagnostics.Report(
      DiagCode::kLayoutInvalid, parts.modes[steps()[involved].digit].range,
      fmt::format("these strides alias: elements {} and {} would both lie at offset {}",
                  ListText(other), ListText(one), offset));
  return false;
}

void StridedMap::SetPhysicalDims(Sizes* sizes) const {
  const int64_t end = swizzle_.bits == 0 ? last() + 1
                                         : (last() >> swizzle_.end() << swizzle_.end()) +
                                               (int64_t{1} << swizzle_.end());
  // Row-major over the sizes of the steps, if they nest without holes.
  Dims nested;
  int64_t covered = 1;
  for (size_t i = steps().size(); i-- > 0 && steps()[i].stride == covered;) {
    nested.push_back(steps()[i].size);
    covered *= steps()[i].size;
  }
  const bool is_dense = nested.size() == steps().size() && first() == 0 && covered == end;
  if (!is_dense) nested.assign(&end, &end + 1);
  sizes->physical_dims =
      Dims(std::make_reverse_iterator(nested.end()), std::make_reverse_iterator(nested.begin()));
}

int64_t StridedMap::OffsetOf(std::span<const int64_t> index) const {
  return swizzle_(DigitMap::OffsetOf(index));
}

bool StridedMap::IndexAt(int64_t offset, std::span<int64_t> index) const {
  if (offset < 0 || offset >= physical_count()) return false;
  return DigitMap::IndexAt(swizzle_(offset), index);
}

AddressExplanation StridedMap::Explain(std::span<const int64_t> index) const {
  AddressExplanation explanation;
  explanation.index = Dims(index);
  explanation.ordered_index = Dims(index);
  explanation.ordered_dims = dims();
  ExplainDigits(form(), &explanation);
  if (swizzle_.bits != 0) {
    const int64_t swizzled = swizzle_(explanation.offset);
    explanation.lines.push_back(
        fmt::format("swizzle: {0} = 0b{0:b} becomes 0b{1:b}, exclusive or {2}", explanation.offset,
                    swizzled, swizzled ^ explanation.offset));
    explanation.lines.push_back(fmt::format("= {}", swizzled));
    explanation.offset = swizzled;
  }
  explanation.bounds = physical_dims();
  explanation.coordinates = Unravel(explanation.offset, explanation.bounds);
  ExplainBits(&explanation);
  return explanation;
}

std::string StridedMap::ExplainPadding(int64_t offset) const {
  Dims index(dims().size());
  if (IndexAt(offset, {index.data(), index.size()})) return "";
  if (offset < 0 || offset >= physical_count()) return "outside the buffer";
  return offset < form().base && first() == form().base && swizzle_.bits == 0
             ? fmt::format("in front of the first element, which lies at offset {}", first())
             : "the strides step over this slot";
}

std::vector<PaddingCause> StridedMap::PaddingCauses() const {
  std::vector<PaddingCause> causes;
  if (physical_count() == element_count()) return causes;
  causes.push_back({{},
                    element_count(),
                    physical_count(),
                    fmt::format("{} elements spread over {} slots by strides{}", element_count(),
                                physical_count(), first() > 0 ? " and offset" : "")});
  return causes;
}

bool StridedMap::Digits(DigitForm* form, std::string* why) const {
  if (swizzle_.bits != 0 && element_count() != 0) {
    *why = fmt::format("Swizzle<{},{},{}> exclusive-ors bits of the offset, which no sum does",
                       swizzle_.bits, swizzle_.base, swizzle_.shift);
    return false;
  }
  return DigitMap::Digits(form, why);
}

}  // namespace hlo
