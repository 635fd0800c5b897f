// The canonical form of address maps: what every notation is turned into to be compared and
// converted.
#ifndef HLO_ENGINE_LAYOUT_DIGIT_FORM_H_
#define HLO_ENGINE_LAYOUT_DIGIT_FORM_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/layout/layout_map.h"

namespace hlo {

/// The canonical sum of digits: the digits come by dimension and from the lowest to the highest,
/// none is constant, and two that could be merged are merged; the highest digit of a dimension has
/// all values that are left, ceil(size / below). Two maps of the same dimensions with a canonical
/// form are the same map if and only if the forms are equal, for the lowest digit of a dimension
/// ends where its offsets stop being multiples of the first one, which the map alone decides, and
/// so on upwards.
DigitForm CanonicalDigits(DigitForm form, const Dims& dims);

/// The identity of a map, independent of the notation it was written in.
struct CanonicalLayout {
  Dims dims;
  /// Nothing when the map is no sum of digits: tiles that cut unevenly what an earlier tile left,
  /// combined dimensions cut across, swizzles.
  std::optional<DigitForm> form;
  /// Without a form: a digest of all offsets, if there were few enough to look at.
  std::optional<uint64_t> digest;
  std::string irregularity;  ///< Why there is no form: a clause, "tile (3,1) cuts ... unevenly".
};
/// A map that is not made of digits but is equal to one that is has its form, up to kMostScanned
/// elements; all of them are looked at then.
CanonicalLayout Canonicalize(const LayoutMap& map);
/// False when only comparing elements can tell.
bool IsDecided(const CanonicalLayout& a, const CanonicalLayout& b);
/// Whether every element has the same offset in both; IsDecided must be true.
bool operator==(const CanonicalLayout& a, const CanonicalLayout& b);

inline constexpr int64_t kMostScanned = 1 << 18;

/// Where two maps of the same dimensions differ.
struct MapDifference {
  bool differs = false;
  /// False: not all elements were compared. Then `index` may not be the first.
  bool exact = true;
  int64_t compared = 0;
  Dims index;                          ///< The first element, row-major, at different offsets:
  int64_t offset_a = 0, offset_b = 0;  ///< these.
};
/// Both maps have the same dims(). Where a map is no sum of digits and has more than kMostScanned
/// elements, the first of them and some of the rest are compared.
MapDifference FirstDifference(const LayoutMap& a, const LayoutMap& b);

/// The offset as a sum, largest stride first: "24*(i1/4) + 4*i0 + i1%4". "0" when every offset is
/// 0.
std::string FormulaText(const DigitForm& form, const Dims& dims);
/// FormulaText of a map whose notation says what its digits are; empty for others. Never looks at
/// elements.
std::string AddressFormula(const LayoutMap& map);

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_DIGIT_FORM_H_
