// The writers of the notations, and what they share.
#ifndef HLO_ENGINE_LAYOUT_NOTATION_WRITERS_H_
#define HLO_ENGINE_LAYOUT_NOTATION_WRITERS_H_

#include <string>
#include <vector>

#include "engine/layout/digit_form.h"
#include "engine/layout/morello_layout.h"
#include "engine/layout/notation.h"

namespace hlo {

/// What is to be written in a notation.
struct WriteRequest {
  const LayoutMap& map;
  const CanonicalLayout& canonical;  ///< Of the map.
  /// The bits in which the notation stores an element of the type if nothing else is said.
  int64_t element_bits;
};
struct Written {
  /// Without the type and sizes that precede it. The text has been parsed again and has the
  /// request's map.
  std::string text;
  std::string reason;  ///< Without a text: the reason, a sentence.
  std::string note;    ///< With a text: what it leaves out, a sentence; usually empty.
};

/// A short text of a notation with the same address for every element.
Written WriteLayout(const LayoutNotation& notation, const WriteRequest& request);

// ---- What writers are made of -------------------------------------------------------------------

Written WriteXla(const WriteRequest& request);  ///< xla_writer.cc

/// Why no notation that adds up strides can express the map; empty when it is a sum of digits.
/// `name` is the notation's.
std::string NoSum(const WriteRequest& request, std::string_view name);
/// Why elements of this many bits cannot be expressed; empty when the notation stores them so.
std::string OtherBits(const WriteRequest& request, std::string_view name);
/// `text` if `map`, which it parses to, equals the request's; with a note when the buffers differ
/// in length.
Written Checked(const WriteRequest& request, std::string text, const LayoutMap* map);

/// The digits from the slowest in memory to the fastest.
std::vector<LayoutDigit> BySpeed(const DigitForm& form);
/// The size that each digit of BySpeed must be padded to so that tiles or padded dimensions give it
/// its stride: the stride before it / its own. The first is padded to fill the buffer if that is
/// possible. Empty, with the reason, when an offset or a negative stride prevents it or the strides
/// do not divide. `innermost` is the last stride.
std::vector<int64_t> Radices(const WriteRequest& request, const std::vector<LayoutDigit>& digits,
                             std::string_view name, int64_t* innermost, std::string* reason);
/// Dimension numbers from the fastest to the slowest, where those in `slowest_first` have the order
/// given and the rest, which have one value, are placed where they change the least.
Dims MinorToMajor(const Dims& slowest_first, const Dims& dims);

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_NOTATION_WRITERS_H_
