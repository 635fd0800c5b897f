// Which layouts an array could have, and what each of them wastes.
#ifndef HLO_ENGINE_LAYOUT_LAYOUT_ADVICE_H_
#define HLO_ENGINE_LAYOUT_LAYOUT_ADVICE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/layout/layout.h"
#include "engine/layout/layout_sizes.h"

namespace hlo {

/// The layout that TPUs give to an array, and by which rule.
struct TpuLayout {
  Layout layout;
  std::string_view rule;  ///< One sentence.
};

/// The tiles of TPUs for elements of `type_bits` bits (1, 4, 8, 16 or 32; BitsInMemory of
/// engine/types) in a dimension order: (8,128), for the 32-bit registers of 8 by 128; (2,128) or
/// (4,128) where the second minor dimension is at most 2 or 4; narrower elements gather the rows of
/// a 32-bit word, (8,128)(2,1) for 16 bits, (8,128)(4,1) for 8, (32,128)(32,1) for 1, a tile never
/// being lower than a word has rows. A vector has as many rows of 128 as it fills, up to 8. Empty
/// for other widths, which TPUs do not have.
/// Source: XLA, "Tiled layout", popular tiling formats; for 4 bits and for arrays of rank 0 and 1,
/// which it does not cover, the layouts in XLA's own tests: s4 (64,128)(8,1), f32[] (128), bf16[]
/// (256), pred[] (512), f32[128] (128), f32[384] (512), bf16[2048] (1024)(128)(2,1).
std::optional<TpuLayout> TpuConvention(std::span<const int64_t> dims, int type_bits,
                                       const Dims& minor_to_major);

/// A layout an array could have.
struct LayoutCandidate {
  Layout layout;
  std::string_view note;  ///< "as written", "untiled", "TPU convention", ...
  int64_t bytes = 0;      ///< Of the buffer.
  PaddingReport padding;
};

/// Layouts for an array of this layout and these sizes, least bytes first, among equals the order
/// they are made in: the one it has, none of its tiles, its order under the TPU tiles of every
/// height, and every choice of the two minor dimensions under the TPU convention. `stored_bits` is
/// the width of an element without `E`, `type_bits` that of the type. Layouts that do not fit 64
/// bits are left out. At most kMostCandidates.
inline constexpr size_t kMostCandidates = 100;
std::vector<LayoutCandidate> RankLayouts(std::span<const int64_t> dims, int type_bits,
                                         int stored_bits, const Layout& layout);

/// Where the padding of a layout comes from, in one sentence; "no padding".
std::string PaddingSentence(const PaddingReport& report);

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_LAYOUT_ADVICE_H_
