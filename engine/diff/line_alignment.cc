#include <algorithm>

#include "engine/base/rising.h"
#include "engine/base/source.h"
#include "engine/base/work_limit.h"
#include "engine/diff/module_diff.h"

namespace hlo {
namespace {

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  size_t begin = 0;
  while (begin <= text.size()) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  CountBytes(lines.size() * sizeof(std::string_view));
  return lines;
}

// Lines between two that correspond: equal ones at both ends.
void AlignGap(const std::vector<std::string_view>& before,
              const std::vector<std::string_view>& after, std::pair<uint32_t, uint32_t> from,
              std::pair<uint32_t, uint32_t> to, LinePairs* out) {
  auto [b, a] = from;
  auto [b_end, a_end] = to;
  while (b < b_end && a < a_end && before[b] == after[a]) out->emplace_back(b++, a++);
  const size_t middle = out->size();
  while (b < b_end && a < a_end && before[b_end - 1] == after[a_end - 1]) {
    out->emplace_back(--b_end, --a_end);
  }
  std::reverse(out->begin() + static_cast<ptrdiff_t>(middle), out->end());
}

}  // namespace

LinePairs AlignLines(const ModuleDiff& diff, std::string_view before, std::string_view after) {
  const LineTable from(before);
  const LineTable to(after);
  LinePairs places;
  for (const auto& [b, a] : diff.pairs) {
    if (b->places().whole == Range{} || a->places().whole == Range{}) continue;
    places.emplace_back(from.At(b->places().whole.begin).line - 1,
                        to.At(a->places().whole.begin).line - 1);
  }
  std::sort(places.begin(), places.end(), [](const auto& x, const auto& y) {
    return std::pair(x.second, x.first) < std::pair(y.second, y.first);
  });
  std::vector<uint32_t> lines;
  for (const auto& place : places) lines.push_back(place.first);
  const std::vector<bool> is_rising = LongestRising(lines);
  const std::vector<std::string_view> before_lines = LinesOf(before);
  const std::vector<std::string_view> after_lines = LinesOf(after);
  LinePairs out;
  std::pair<uint32_t, uint32_t> next{0, 0};
  for (size_t i = 0; i < places.size(); ++i) {
    // Several instructions may share a line of the text after.
    if (!is_rising[i] || places[i].second < next.second) continue;
    AlignGap(before_lines, after_lines, next, places[i], &out);
    out.push_back(places[i]);
    next = {places[i].first + 1, places[i].second + 1};
  }
  AlignGap(before_lines, after_lines, next,
           {static_cast<uint32_t>(before_lines.size()), static_cast<uint32_t>(after_lines.size())},
           &out);
  return out;
}

}  // namespace hlo
