// The film of a layout for front ends: the steps (frames) from the logical array to the buffer, the
// position of an element in each, and windows of a frame.
#ifndef HLO_ENGINE_VIEWS_FILM_VIEW_H_
#define HLO_ENGINE_VIEWS_FILM_VIEW_H_

#include <cstdint>
#include <string>
#include <vector>

#include "engine/views/layout_view.h"

namespace hlo {

/// FilmInfo of wasm/engine_api.ts.
std::string FilmJson(const LayoutView& view);
/// number[][]: the position of an element in every frame; empty if the index is out of bounds.
std::string FilmPlacesJson(const LayoutView& view, const Dims& index);
/// The logical index at each of the slots begin, begin + 1, ... of a frame, rank numbers each; -1
/// for padding. Empty if there is no such frame; at most kMaxCells slots.
std::vector<double> FilmWindow(const LayoutView& view, int64_t frame, int64_t begin, int64_t count);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_FILM_VIEW_H_
