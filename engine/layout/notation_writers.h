// Layouts written in the notations: by any front end that links this, and by no other.
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
  /// Without what stands before it. The text has been read back: it has the request's map.
  std::string text;
  std::string reason;  ///< Without a text: why not, a sentence.
  std::string note;    ///< With a text: what it leaves out, a sentence; usually empty.
};

/// A short text of a notation with the same address for every element.
Written WriteLayout(const LayoutNotation& notation, const WriteRequest& request);

// ---- What writers are made of -------------------------------------------------------------------

Written WriteXla(const WriteRequest& request);  ///< xla_writer.cc

/// Why no notation that adds up strides has the map; empty when it is a sum of digits. `name` is
/// the notation's.
std::string NoSum(const WriteRequest& request, std::string_view name);
/// Why elements of so many bits cannot be said; empty when they are what the notation takes.
std::string OtherBits(const WriteRequest& request, std::string_view name);
/// `text` if `map`, which it was read as, is the request's; a note when its buffer is another.
Written Checked(const WriteRequest& request, std::string text, const LayoutMap* map);

/// The digits from the slowest in memory to the fastest.
std::vector<LayoutDigit> BySpeed(const DigitForm& form);
/// What each digit of BySpeed has to be padded to for tiles or padded dimensions to lead to its
/// stride: the stride before it / its own. The first is padded to fill the buffer if that is
/// possible. Empty, with the reason, when an offset or a negative stride is in the way or the
/// strides do not divide. `innermost` is the last stride.
std::vector<int64_t> Radices(const WriteRequest& request, const std::vector<LayoutDigit>& digits,
                             std::string_view name, int64_t* innermost, std::string* reason);
/// Dimension numbers from the fastest to the slowest, where those in `slowest_first` have the
/// order given and the rest, which have one value, stand where they disturb the least.
Dims MinorToMajor(const Dims& slowest_first, const Dims& dims);

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_NOTATION_WRITERS_H_
