// "Did you mean": the candidate nearest to a misspelt word.
#ifndef HLO_ENGINE_HLO_SUGGESTION_H_
#define HLO_ENGINE_HLO_SUGGESTION_H_

#include <span>
#include <string_view>
#include <vector>

#include "engine/base/diagnostics.h"

namespace hlo {

/// The candidate with the smallest edit distance to `word`, if that is small enough to be a
/// misspelling (a third of the word's length, at least 1, and less than all of it); else the
/// shortest one that begins with the word, of at least four letters; else an empty view. Only the
/// first few thousand candidates are looked at.
std::string_view NearestWord(std::string_view word, std::span<const std::string_view> candidates);

/// Adds a fix "did you mean `x`?" for the nearest candidate, if one is near.
void AddSuggestion(std::string_view word, std::span<const std::string_view> candidates, Range range,
                   Diagnostic* diagnostic);

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_SUGGESTION_H_
