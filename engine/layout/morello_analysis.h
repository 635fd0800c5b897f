// Morello's analyses of its layouts: contiguity, size, cache lines.
// Source: Morello, layout.rs.
#ifndef HLO_ENGINE_LAYOUT_MORELLO_ANALYSIS_H_
#define HLO_ENGINE_LAYOUT_MORELLO_ANALYSIS_H_

#include <optional>
#include <string>
#include <vector>

#include "engine/layout/morello_layout.h"
#include "engine/layout/morello_map.h"

namespace hlo {

/// All parts Dynamic, the logical dimensions ascending; the same, descending.
bool IsRowMajor(const MorelloLayout& layout);
bool IsColMajor(const MorelloLayout& layout);
/// Every physical dimension is known to be contiguous with the next faster one.
bool IsFullyContiguous(const MorelloLayout& layout);

/// The number of cache lines that the whole array touches if each of its contiguous runs starts at
/// a line boundary: the sizes outside of the contiguous part, times the lines of one run.
/// `line_bytes` is 64 on CPUs. Nothing when it does not fit.
std::optional<int64_t> EstimateCacheLines(const MorelloLayout& layout, const MorelloMap& map,
                                          int64_t line_bytes);

/// The layout of a tile of an array: how much of it is contiguous in the array's memory, with parts
/// that have become whole dimensions made Dynamic. Nothing, with the reason, when the layout does
/// not apply to the tile.
std::optional<MorelloLayout> UpdateForTiling(const MorelloLayout& layout, const Dims& parent,
                                             const Dims& tile, std::string* reason);

/// The analyses in words, one sentence each.
std::vector<std::string> MorelloFacts(const MorelloLayout& layout, const MorelloMap& map);

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_MORELLO_ANALYSIS_H_
