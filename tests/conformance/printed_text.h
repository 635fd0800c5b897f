// Whether a printed MLIR program is its source, but for what no parser keeps.
#ifndef HLO_TESTS_CONFORMANCE_PRINTED_TEXT_H_
#define HLO_TESTS_CONFORMANCE_PRINTED_TEXT_H_

#include <string>
#include <string_view>

namespace hlo {

/// Empty when `printed` is `source` but for comments, white space at line ends, empty lines and
/// names of values that no printer gives (of people, and `%0` for a constant, as it was once), each
/// of which must stand for one name of the printed text. A source that does not begin with its
/// module was laid out by hand: then white space between tokens does not count either, nor the
/// module around the printed text. Else the first difference, on one line.
std::string DifferenceFromSource(std::string_view source, std::string_view printed);

}  // namespace hlo

#endif  // HLO_TESTS_CONFORMANCE_PRINTED_TEXT_H_
