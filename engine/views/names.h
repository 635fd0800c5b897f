// Names as people are shown them: as they wrote them.
#ifndef HLO_ENGINE_VIEWS_NAMES_H_
#define HLO_ENGINE_VIEWS_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

#include "engine/views/document.h"

namespace hlo {

/// As the text has it, "dot" or "%dot.3"; numbers that keep the names of a module apart are left
/// out where they are not written. A value that StableHLO has by number is shown by it, "%0": here
/// it is v0, for names begin with letters.
std::string ShownName(const Document& document, const Instruction& instruction);
/// "body", "%body" or "@main".
std::string ShownName(const Document& document, const Computation& computation);

/// The instructions of this name, as they are shown or in the module, without sigils; those of the
/// entry computation first. `place` is NAME or COMPUTATION/NAME.
std::vector<const Instruction*> InstructionsShownAs(const Document& document,
                                                    std::string_view place);

/// The one instruction that a person means by such a place: where the name is in several
/// computations, that of `in` if that has one, else that of the entry. Null with a problem, in
/// words, where there is none or it is not said which.
const Instruction* OneInstruction(const Document& document, std::string_view place,
                                  std::string* problem, const Computation* in = nullptr);

/// The instruction of a name, which may have its sigil: in this computation, where that is empty or
/// has none in the entry, else in the first one that has an instruction so called. What the module
/// calls an instruction comes before what the text calls it, for the module numbers equal names.
/// Null: there is none.
const Instruction* FindShown(const Document& document, std::string_view name,
                             std::string_view computation);

/// A name without its sigil: links and people write it with and without.
std::string_view BareName(std::string_view name);

/// What the text puts in front of the name at a range: "%", "@", "" ...
std::string_view SigilAt(std::string_view text, Range name);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_NAMES_H_
