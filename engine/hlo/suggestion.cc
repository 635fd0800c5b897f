#include "engine/hlo/suggestion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace hlo {
namespace {

// Longer words are names made by programs; a suggestion for them is not worth the quadratic cost.
constexpr size_t kLongestWord = 60;
constexpr size_t kMostCandidates = 4000;
// So many letters suggest the shortest word that begins with them.
constexpr size_t kShortestBeginning = 4;

// Insertions, deletions, replacements and swaps of neighbours.
size_t EditDistance(std::string_view a, std::string_view b) {
  size_t rows[3][kLongestWord + 1];
  for (size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t* before = rows[(i - 1) % 3];
    size_t* row = rows[i % 3];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], rows[(i - 2) % 3][j - 2] + 1);
      }
    }
  }
  return rows[a.size() % 3][b.size()];
}

}  // namespace

std::string_view NearestWord(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.size() > kLongestWord) return {};
  // What has nothing in common with the word is no better than any other.
  size_t best = std::min(std::max<size_t>(1, word.size() / 3) + 1, word.size());
  std::string_view nearest, completed;
  for (std::string_view candidate :
       candidates.first(std::min(candidates.size(), kMostCandidates))) {
    if (word.size() >= kShortestBeginning && candidate.starts_with(word) &&
        (completed.empty() || candidate.size() < completed.size())) {
      completed = candidate;
    }
    size_t difference = static_cast<size_t>(
        std::abs(static_cast<long>(candidate.size()) - static_cast<long>(word.size())));
    if (candidate.size() > kLongestWord || difference >= best) continue;
    size_t distance = EditDistance(word, candidate);
    if (distance >= best) continue;
    best = distance;
    nearest = candidate;
  }
  return nearest.empty() ? completed : nearest;
}

void AddSuggestion(std::string_view word, std::span<const std::string_view> candidates, Range range,
                   Diagnostic* diagnostic) {
  std::string_view nearest = NearestWord(word, candidates);
  if (nearest.empty() || nearest == word) return;
  diagnostic->fixes.push_back(
      {fmt::format("did you mean `{}`?", nearest), range, std::string(nearest)});
}

}  // namespace hlo
