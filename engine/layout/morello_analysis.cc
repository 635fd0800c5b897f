#include "engine/layout/morello_analysis.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/bits.h"

namespace hlo {
namespace {

using Kind = MorelloDim::Kind;
constexpr int64_t kLineBytes = 64;

bool IsOrdered(const MorelloLayout& layout, int64_t direction) {
  for (size_t i = 0; i < layout.dims.size(); ++i) {
    if (layout.dims[i].kind != Kind::kDynamic) return false;
    if (i > 0 && (layout.dims[i].logical - layout.dims[i - 1].logical) * direction <= 0) {
      return false;
    }
  }
  return true;
}

// Merges two neighbours of one logical dimension, but not across the contiguous count.
void MergeNeighbours(MorelloLayout* layout) {
  std::vector<MorelloDim>& dims = layout->dims;
  for (size_t i = dims.size(); i-- > 1;) {
    const MorelloDim& fast = dims[i];
    MorelloDim& slow = dims[i - 1];
    const bool splits_count = layout->contiguous == static_cast<int64_t>(dims.size() - i);
    if (fast.logical != slow.logical || fast.kind != Kind::kPacked || slow.kind == Kind::kOddEven ||
        splits_count) {
      continue;
    }
    if (slow.kind == Kind::kPacked && !MultiplyChecked(slow.size, fast.size, &slow.size)) continue;
    if (layout->contiguous > static_cast<int64_t>(dims.size() - i)) --layout->contiguous;
    dims.erase(dims.begin() + static_cast<ptrdiff_t>(i));
  }
}

// Removes the parts for which `is_gone` holds, and subtracts the contiguous ones from the count.
template <typename IsGone>
void Prune(MorelloLayout* layout, IsGone is_gone) {
  for (size_t i = layout->dims.size(); i-- > 0;) {
    if (!is_gone(i)) continue;
    if (static_cast<int64_t>(layout->dims.size() - i) <= layout->contiguous) --layout->contiguous;
    layout->dims.erase(layout->dims.begin() + static_cast<ptrdiff_t>(i));
  }
}

// A Packed part that covers all that is left of its dimension becomes Dynamic.
void DropPackings(MorelloLayout* layout, const Dims& dims) {
  for (size_t d = 0; d < dims.size(); ++d) {
    int64_t left = dims[d];
    for (size_t i = layout->dims.size(); i-- > 0;) {
      MorelloDim& part = layout->dims[i];
      if (part.logical != static_cast<int64_t>(d)) continue;
      const bool takes_all = part.kind == Kind::kPacked && part.size >= left;
      if (!takes_all) {
        left /= part.kind == Kind::kDynamic ? left : std::min(left, part.size);
        continue;
      }
      auto slower = [&](size_t j) {
        return j < i && layout->dims[j].logical == static_cast<int64_t>(d);
      };
      bool below_odd_even = false;
      for (size_t j = 0; j < i; ++j) {
        below_odd_even = below_odd_even || (slower(j) && layout->dims[j].kind == Kind::kOddEven);
      }
      if (below_odd_even) break;
      part = {part.logical, Kind::kDynamic, 0, part.range};
      Prune(layout, slower);
      break;
    }
  }
}

}  // namespace

bool IsRowMajor(const MorelloLayout& layout) { return IsOrdered(layout, 1); }
bool IsColMajor(const MorelloLayout& layout) { return IsOrdered(layout, -1); }
bool IsFullyContiguous(const MorelloLayout& layout) {
  return layout.contiguous == static_cast<int64_t>(layout.dims.size());
}

std::optional<int64_t> EstimateCacheLines(const MorelloLayout& layout, const MorelloMap& map,
                                          int64_t line_bytes) {
  const Dims& sizes = map.physical_dims();
  const size_t outside = sizes.size() - static_cast<size_t>(layout.contiguous);
  int64_t runs = 1, run = 1;
  for (size_t i = 0; i < sizes.size(); ++i) (i < outside ? runs : run) *= sizes[i];
  int64_t lines = CeilDiv(run * CeilDiv(map.element_bits(), 8), line_bytes);
  if (!MultiplyChecked(lines, runs, &lines)) return std::nullopt;
  return lines;
}

std::optional<MorelloLayout> UpdateForTiling(const MorelloLayout& layout, const Dims& parent,
                                             const Dims& tile, std::string* reason) {
  Diagnostics faults;
  const auto whole = MorelloMap::Make(parent, 8, layout, {}, faults);
  const auto part = whole ? MorelloMap::Make(tile, 8, layout, {}, faults) : nullptr;
  if (!part) {
    *reason = faults.list().front().message;
    return std::nullopt;
  }
  // The fastest parts that are the same in both, and the first that differs, are one run.
  const Dims& a = whole->physical_dims();
  const Dims& b = part->physical_dims();
  size_t same = 0;
  while (same < a.size() && a[a.size() - 1 - same] == b[b.size() - 1 - same]) ++same;
  MorelloLayout result = layout;
  result.contiguous =
      std::min(result.contiguous, static_cast<int64_t>(std::min(a.size(), same + 1)));
  Prune(&result, [&](size_t i) { return tile[static_cast<size_t>(result.dims[i].logical)] == 1; });
  MergeNeighbours(&result);
  DropPackings(&result, tile);
  return result;
}

std::vector<std::string> MorelloFacts(const MorelloLayout& layout, const MorelloMap& map) {
  std::vector<std::string> facts;
  if (IsRowMajor(layout)) {
    facts.push_back("row-major");
  } else if (IsColMajor(layout)) {
    facts.push_back("column-major");
  }
  facts.push_back(IsFullyContiguous(layout)
                      ? "fully contiguous"
                      : fmt::format("contiguous: the fastest {} of {} physical dimensions",
                                    layout.contiguous, layout.dims.size()));
  facts.push_back(fmt::format("physical size {} bytes", map.byte_size()));
  if (const auto lines = EstimateCacheLines(layout, map, kLineBytes)) {
    facts.push_back(
        fmt::format("{} cache line{} of {} bytes", *lines, *lines == 1 ? "" : "s", kLineBytes));
  }
  return facts;
}

}  // namespace hlo
