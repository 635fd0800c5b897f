// Keeps the comments of a text that is reformatted: the IR has none.
#ifndef HLO_ENGINE_VIEWS_COMMENTS_H_
#define HLO_ENGINE_VIEWS_COMMENTS_H_

#include <string>
#include <string_view>
#include <vector>

#include "engine/hlo/printer.h"

namespace hlo {

/// The printed text of an HLO module with the comments of its source. A comment on lines of its own
/// stays before what followed it, any other one stays after what contains it; `/*index=5*/`, which
/// printers write, is dropped.
std::string WithComments(std::string_view source, const std::string& printed,
                         std::vector<PrintedPlace> places);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_COMMENTS_H_
