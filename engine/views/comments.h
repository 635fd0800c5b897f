// Comments and empty lines of a text that is printed again: an IR has none, people's notes stay all
// the same.
#ifndef HLO_ENGINE_VIEWS_COMMENTS_H_
#define HLO_ENGINE_VIEWS_COMMENTS_H_

#include <string>
#include <string_view>
#include <vector>

#include "engine/hlo/printer.h"

namespace hlo {

/// The printed text of an HLO module with the comments of its source. A comment with lines of its
/// own stays in front of what followed it, any other one behind what it stands in; `/*index=5*/`,
/// which printers write, goes. Of empty lines in front of instructions and comments one stays.
std::string WithComments(std::string_view source, const std::string& printed,
                         std::vector<PrintedPlace> places);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_COMMENTS_H_
