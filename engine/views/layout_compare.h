// One layout in every notation, and the comparison of two layouts.
#ifndef HLO_ENGINE_VIEWS_LAYOUT_COMPARE_H_
#define HLO_ENGINE_VIEWS_LAYOUT_COMPARE_H_

#include <string>
#include <vector>

#include "engine/layout/digit_form.h"
#include "engine/views/layout_view.h"

namespace hlo {

/// A layout in one notation: a subject text, or the reason why there is none.
struct LayoutConversion {
  const LayoutNotation* notation;
  std::string text;    ///< Empty when the notation cannot say it.
  std::string reason;  ///< Then: why, a sentence.
  /// With a text: what it leaves out, a sentence; in the view's own notation a simpler text with
  /// the same addresses, if there is one; usually empty.
  std::string note;
};
/// One per notation, in the order of the table; none if the view has no map. Every text has the
/// same address for every element.
std::vector<LayoutConversion> ConvertLayout(const LayoutView& view);
/// LayoutConversion[] of wasm/engine_api.ts.
std::string ConversionsJson(const LayoutView& view);

/// How the buffers of two layouts differ besides the places of elements in them.
struct StorageDifference {
  std::string text;    ///< A clause; empty when they do not.
  bool moves = false;  ///< Elements that keep their places in the buffer move all the same.
};
/// In memory space, splits, metadata in front, or what the padding of the second has to hold.
/// Source: xla/layout.h, Layout::Equal.
StorageDifference DifferenceInStorage(const LayoutView& a, const LayoutView& b);

/// Whether two layouts put every element in the same place.
struct LayoutComparison {
  bool comparable = false;  ///< Both have a map, and the dimensions are the same.
  std::string problem;      ///< Why not.
  MapDifference difference;
  bool same_size = true;  ///< The buffers take the same number of bytes.
  bool same_bits = true;  ///< An element takes the same number of bits.
  std::string storage;    ///< The clause of DifferenceInStorage.
  std::string text;       ///< The outcome in a sentence.
};
LayoutComparison CompareLayouts(const LayoutView& a, const LayoutView& b);
/// LayoutComparison of wasm/engine_api.ts.
std::string ComparisonJson(const LayoutComparison& comparison);

/// NotationInfo[] of wasm/engine_api.ts: the notation table.
std::string NotationsJson();

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_LAYOUT_COMPARE_H_
