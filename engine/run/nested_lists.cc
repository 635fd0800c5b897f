#include "engine/run/nested_lists.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/base/characters.h"

namespace hlo {
namespace {

constexpr std::string_view kOpening = "[{";
constexpr std::string_view kClosing = "]}";
constexpr std::string_view kListEnds = ", \t\r\n]}";

constexpr std::string_view kArrayFunctions[] = {"array", "np.array", "numpy.array", "jnp.array",
                                                "Array", "tensor",   "torch.tensor"};

// Whether this is what stands around the brackets of an array.
bool IsAround(std::string_view before, std::string_view after) {
  if (before.empty()) return after.empty();
  if (before == "dense<") return after == ">";
  if (!before.ends_with('(') || !after.ends_with(')')) return false;
  before.remove_suffix(1);
  after = Trimmed(after.substr(0, after.size() - 1));
  const auto* const end = std::end(kArrayFunctions);
  // A dtype, a device.
  return std::find(std::begin(kArrayFunctions), end, before) != end &&
         (after.empty() || after.starts_with(','));
}

// What Python writes with a capital: True, False.
bool IsCapital(std::string_view text, size_t at) {
  return text.substr(at).starts_with("True") || text.substr(at).starts_with("False");
}

// The suffix of a float of C: `1.0f`, `1.f`.
bool IsSuffix(std::string_view text, size_t at) {
  if ((text[at] | 32) != 'f' || at == 0) return false;
  const bool is_end = at + 1 == text.size() || kListEnds.find(text[at + 1]) != text.npos;
  return is_end && (IsDigit(text[at - 1]) || text[at - 1] == '.');
}

// From `begin` to `last`, which are brackets; for braces, which HLO has too, nothing where there is
// nothing of C in it.
std::optional<std::string> BracedText(std::string_view text, size_t begin, size_t last) {
  const bool is_python = text[begin] == '[';
  bool is_other = is_python;
  std::string literal(text.size(), ' ');
  char before = '{';
  size_t before_at = begin;
  for (size_t i = begin; i <= last; ++i) {
    const char c = text[i];
    if (kBlank.find(c) != std::string_view::npos) {
      const char after = text[text.find_first_not_of(kBlank, i)];
      const bool separates = is_python && kOpening.find(before) == std::string_view::npos &&
                             before != ',' && kClosing.find(after) == std::string_view::npos &&
                             after != ',';
      if (separates) literal[before_at = i] = before = ',';
      continue;
    }
    const bool is_suffix = IsSuffix(text, i);
    const bool ends_with_comma = before == ',' && kClosing.find(c) != std::string_view::npos;
    if (ends_with_comma) literal[before_at] = ' ';
    is_other |= is_suffix || ends_with_comma;
    if (is_suffix) continue;
    literal[i] = c == '['             ? '{'
                 : c == ']'           ? '}'
                 : IsCapital(text, i) ? static_cast<char>(c | 32)
                                      : c;
    before = c;
    before_at = i;
  }
  if (!is_other) return std::nullopt;
  return literal;
}

bool IsNumber(std::string_view word) {
  constexpr std::string_view kWords[] = {"inf", "nan", "infinity", "true", "false"};
  if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
  if (word.empty()) return false;
  if (IsDigit(word[0]) || (word[0] == '.' && word.size() > 1)) {
    return word.find_first_not_of("0123456789.eE+-fF") == std::string_view::npos;
  }
  return std::any_of(std::begin(kWords), std::end(kWords), [word](std::string_view known) {
    return std::equal(word.begin(), word.end(), known.begin(), known.end(),
                      [](char a, char b) { return (a | 32) == b; });
  });
}

// Numbers without brackets. A sum, `1 -2`, is none.
std::optional<ListLiteral> LiteralOfRows(std::string_view text) {
  ListLiteral list{"{" + std::string(text) + "}", true, true, {}};
  bool is_sum = true, after_comma = true;
  size_t at = 0, words = 0;
  int64_t row = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '\n' && row > 0) list.rows.push_back(std::exchange(row, 0));
    if (c == '\n' || c == ',' || c == '\t') is_sum &= words == 0;
    if (c == ',') {
      if (std::exchange(after_comma, true) && words > 0) return std::nullopt;
      list.text[at + 1] = ' ';
    }
    if (c == ',' || kBlank.find(c) != std::string_view::npos) {
      ++at;
      continue;
    }
    const size_t end = std::min(text.find_first_of(", \t\r\n", at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (!IsNumber(word)) return std::nullopt;
    if (words > 0) {
      list.text[at] = ',';
      is_sum &= word[0] == '-' || word[0] == '+';
    }
    if (word[0] == '+') list.text[at + 1] = ' ';
    for (size_t i = at; i < end; ++i) {
      if (IsSuffix(text, i)) list.text[i + 1] = ' ';
      if (IsCapital(text, i)) list.text[i + 1] = static_cast<char>(text[i] | 32);
    }
    ++words;
    ++row;
    after_comma = false;
    at = end;
  }
  if (row > 0) list.rows.push_back(row);
  if (words < 2 || is_sum) return std::nullopt;
  return list;
}

}  // namespace

std::optional<ListLiteral> LiteralOfList(std::string_view text, int rank) {
  const size_t begin = text.find_first_of("[{");
  if (begin == std::string_view::npos) {
    constexpr std::string_view kSplat = "dense<";
    if (!text.starts_with(kSplat) || !text.ends_with('>')) return LiteralOfRows(text);
    // One number for all elements.
    ListLiteral list{std::string(text), false, false, {}};
    list.text.replace(0, kSplat.size(), kSplat.size(), ' ');
    list.text.back() = ' ';
    return list;
  }
  const size_t last = text.rfind(text[begin] == '[' ? ']' : '}');
  if (last == std::string_view::npos || begin > last) return std::nullopt;
  if (!IsAround(Trimmed(text.substr(0, begin)), Trimmed(text.substr(last + 1)))) {
    return std::nullopt;
  }
  auto braced = BracedText(text, begin, last);
  if (!braced) return std::nullopt;
  ListLiteral list{std::move(*braced), false, false, {}};
  const std::string_view inside = std::string_view(list.text).substr(begin + 1, last - begin - 1);
  const bool is_flat =
      rank > 1 && inside.find_first_of("{(") == std::string_view::npos && !Trimmed(inside).empty();
  if (is_flat) {
    list.is_flat = true;
    list.rows = {1 + std::count(inside.begin(), inside.end(), ',')};
  }
  return list;
}

}  // namespace hlo
