#include "engine/views/film_view.h"

#include <algorithm>

#include "engine/layout/film.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"

namespace hlo {
namespace {

// In the order of LayoutStep::Kind and StepEffect.
constexpr const char* kKinds[] = {"start", "pad", "reshape", "transpose", "swizzle", "place"};
constexpr const char* kEffects[] = {"bitcast", "extend", "move"};

}  // namespace

std::string FilmJson(const LayoutView& view) {
  const TextMap map(view.text);
  Json frames = Json::array();
  if (view.map) {
    const Film film(*view.map);
    for (size_t f = 0; f < film.frames().size(); ++f) {
      const LayoutStep& step = film.frames()[f];
      frames.push_back({{"kind", kKinds[static_cast<size_t>(step.kind)]},
                        {"title", step.title},
                        {"dims", DimsJson(step.after)},
                        {"slots", film.slot_count(f)},
                        {"effect", kEffects[static_cast<size_t>(film.effect(f))]},
                        {"permutation", DimsJson(step.permutation)}});
    }
  }
  return JsonText({{"ok", view.map != nullptr},
                   {"diagnostics", DiagnosticsJson(view.diagnostics, map)},
                   {"frames", std::move(frames)}});
}

std::string FilmPlacesJson(const LayoutView& view, const Dims& index) {
  Json places = Json::array();
  if (MakeAddressView(view, index).ok) {
    const Film film(*view.map);
    for (size_t f = 0; f < film.frames().size(); ++f) {
      places.push_back(DimsJson(film.PlaceOf(f, index)));
    }
  }
  return JsonText(places);
}

std::vector<double> FilmWindow(const LayoutView& view, int64_t frame, int64_t begin,
                               int64_t count) {
  std::vector<double> indices;
  if (!view.map || begin < 0) return indices;
  const Film film(*view.map);
  if (frame < 0 || frame >= static_cast<int64_t>(film.frames().size())) return indices;
  const size_t rank = static_cast<size_t>(view.map->rank());
  const int64_t n = std::clamp<int64_t>(count, 0, kMaxCells);
  indices.assign(static_cast<size_t>(n) * rank, -1);
  Dims index(rank);
  for (int64_t i = 0; i < n; ++i) {
    if (!film.ElementAt(static_cast<size_t>(frame), begin + i, {index.data(), rank})) continue;
    std::copy(index.begin(), index.end(), indices.begin() + i * static_cast<int64_t>(rank));
  }
  return indices;
}

}  // namespace hlo
