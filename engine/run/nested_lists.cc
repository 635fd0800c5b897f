#include "engine/run/nested_lists.h"

#include <algorithm>
#include <iterator>

#include "engine/base/characters.h"

namespace hlo {
namespace {

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

}  // namespace

std::optional<std::string> LiteralOfNestedList(std::string_view text) {
  const size_t begin = text.find('['), last = text.rfind(']');
  if (last == std::string_view::npos || begin > last) return std::nullopt;
  if (!IsAround(Trimmed(text.substr(0, begin)), Trimmed(text.substr(last + 1)))) {
    return std::nullopt;
  }
  std::string literal(text.size(), ' ');
  char before = '[';
  for (size_t i = begin; i <= last; ++i) {
    const char c = text[i];
    if (kBlank.find(c) != std::string_view::npos) {
      const char after = text[text.find_first_not_of(kBlank, i)];
      const bool separates = before != '[' && before != ',' && after != ']' && after != ',';
      if (separates) literal[i] = before = ',';
      continue;
    }
    literal[i] = c == '['             ? '{'
                 : c == ']'           ? '}'
                 : IsCapital(text, i) ? static_cast<char>(c | 32)
                                      : c;
    before = c;
  }
  return literal;
}

}  // namespace hlo
