// Names as people are shown them, with the sigils of the text's language.
#ifndef HLO_ENGINE_VIEWS_NAMES_H_
#define HLO_ENGINE_VIEWS_NAMES_H_

#include <string>
#include <string_view>

#include "engine/views/document.h"

namespace hlo {

/// "%dot.3". A value that StableHLO has by number is shown by it, "%0": here it is v0, for names
/// begin with letters.
std::string ShownName(const Document& document, const Instruction& instruction);
/// "%body"
std::string ShownName(const Computation& computation);

/// A name without its sigil: links and people write it with and without.
std::string_view BareName(std::string_view name);

/// What the text puts in front of the name at a range: "%", "@", "" ...
std::string_view SigilAt(std::string_view text, Range name);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_NAMES_H_
