// Index arithmetic as text, in the notation of the tiling documentation.
#ifndef HLO_ENGINE_LAYOUT_ADDRESS_TEXT_H_
#define HLO_ENGINE_LAYOUT_ADDRESS_TEXT_H_

#include <span>
#include <string>

#include "engine/layout/layout_map.h"

namespace hlo {

/// "(1,0,2)".
std::string ListText(std::span<const int64_t> values);
/// The row-major sum of an index as it is computed: "1 * 3 + 2", "(1 * 3 + 1) * 2 + 0"; "0" for an
/// empty list.
std::string SumText(std::span<const int64_t> index, std::span<const int64_t> bounds);
/// "dimension 1", "dimensions 0 and 1 combined", "a leading 1".
std::string DimensionsText(std::span<const int64_t> dims);
/// "bits 544 to 575, byte 68"; with the bit in the byte where it is not the first.
std::string BitsText(int64_t first, int64_t last);
/// The lines of AddressExplanation down to the offset, from its other members.
std::vector<std::string> ExplanationLines(const AddressExplanation& explanation);

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_ADDRESS_TEXT_H_
