// The layout of an array in memory, in any notation and for any size: facts, windows, single
// addresses.
#ifndef HLO_ENGINE_VIEWS_LAYOUT_VIEW_H_
#define HLO_ENGINE_VIEWS_LAYOUT_VIEW_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/layout/layout_map.h"
#include "engine/layout/layout_sizes.h"
#include "engine/layout/notation.h"
#include "engine/types/shape.h"
#include "engine/views/layout_terms.h"
#include "engine/views/value_view.h"

namespace hlo {

/// A subject (layout_subject.h) and its map. `map` is null if the text is not an array with a valid
/// layout; `diagnostics` then give the reason.
struct LayoutView {
  std::string text;  ///< As it was given.
  /// The array; its layout is meaningful only if the notation is that of shapes.
  Shape shape;
  const LayoutNotation* notation = nullptr;
  std::string subject;  ///< The short form of the text; empty when there is no map.
  std::vector<std::string> facts;
  std::unique_ptr<LayoutMap> map;
  PaddingReport padding;
  Diagnostics diagnostics;  ///< ranges in `text`, in bytes
};
LayoutView MakeLayoutView(std::string_view subject);
/// Its terms; none without a map.
std::vector<LayoutTerm> TermsOf(const LayoutView& view);
/// LayoutInfo of wasm/engine_api.ts.
std::string LayoutJson(const LayoutView& view);

/// Offsets of a window of logical elements, row-major; -1 outside the array. At most kMaxCells.
std::vector<double> LogicalWindow(const LayoutView& view, const WindowSpec& window);
/// The same for elements so many rows and columns apart: what a picture of the whole is made of.
std::vector<double> LogicalSamples(const LayoutView& view, const WindowSpec& window,
                                   int64_t row_step, int64_t col_step);
/// For the slots begin, begin + step, ... the logical index there, rank numbers each; -1 for
/// padding.
std::vector<double> LinearWindow(const LayoutView& view, int64_t begin, int64_t count,
                                 int64_t step = 1);

/// The address of one element. Not ok if the index is out of bounds.
struct AddressView {
  bool ok = false;
  std::string problem;  ///< why not
  AddressExplanation explanation;
};
AddressView MakeAddressView(const LayoutView& view, const Dims& index);
/// AddressInfo of wasm/engine_api.ts.
std::string AddressJson(const AddressView& address);

/// Parses "2,3", "{2, 3}" or "[2,3]" as an index, whose numbers may be negative; false if it is
/// none.
bool ParseIndex(std::string_view text, Dims* index);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_LAYOUT_VIEW_H_
