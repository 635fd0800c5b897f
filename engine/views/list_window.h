// A part of a list: long lists are sent to front ends in windows.
#ifndef HLO_ENGINE_VIEWS_LIST_WINDOW_H_
#define HLO_ENGINE_VIEWS_LIST_WINDOW_H_

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

namespace hlo {

/// The items [begin, begin + count) of a list; all from `begin` on where count is negative.
struct ListWindow {
  int64_t begin = 0;
  int64_t count = -1;

  /// The part of the window within `size` items whose first has number `first` in the list: begin
  /// and end as indices into these items.
  std::pair<int64_t, int64_t> Within(int64_t first, int64_t size) const {
    const int64_t from = std::clamp<int64_t>(begin - first, 0, size);
    if (count < 0) return {from, size};
    // `begin` may be arbitrarily large.
    const int64_t skipped = std::max<int64_t>(first - begin, 0);
    return {from, from + std::clamp<int64_t>(count - skipped, 0, size - from)};
  }
};

/// Reads ListWindow of wasm/engine_api.ts; if absent or malformed: the whole list.
ListWindow ParseListWindow(std::string_view json);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_LIST_WINDOW_H_
