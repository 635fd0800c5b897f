// How a layout comes about, for front ends: frames, places of an element, windows of a frame.
#ifndef HLO_ENGINE_VIEWS_FILM_VIEW_H_
#define HLO_ENGINE_VIEWS_FILM_VIEW_H_

#include <cstdint>
#include <string>
#include <vector>

#include "engine/views/layout_view.h"

namespace hlo {

/// FilmInfo of wasm/engine_api.ts.
std::string FilmJson(const LayoutView& view);
/// number[][]: where an element is in every frame; empty when the index is not inside the array.
std::string FilmPlacesJson(const LayoutView& view, const Dims& index);
/// For the slots begin, begin + 1, ... of a frame the logical index there, rank numbers each; -1
/// for padding. Empty when there is no such frame; at most kMaxCells slots.
std::vector<double> FilmWindow(const LayoutView& view, int64_t frame, int64_t begin, int64_t count);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_FILM_VIEW_H_
