// What the tests of engine/layout share: layouts and maps from text.
#ifndef HLO_TESTS_UNIT_LAYOUT_CASES_H_
#define HLO_TESTS_UNIT_LAYOUT_CASES_H_

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "doctest/doctest.h"
#include "engine/layout/layout_map.h"
#include "engine/layout/layout_text.h"

namespace hlo {

inline std::span<const int64_t> View(const Dims& dims) { return {dims.data(), dims.size()}; }
inline std::span<int64_t> View(Dims* dims) { return {dims->data(), dims->size()}; }

/// The layout of a text that must be faultless; "" is the layout of a scalar.
inline Layout LayoutOf(std::string_view text) {
  if (text.empty()) return Layout();
  INFO(text);
  Diagnostics diagnostics;
  LayoutParse parsed = ParseLayout(text, 0, diagnostics);
  REQUIRE(parsed.ok);
  CHECK(parsed.consumed == text.size());
  CHECK(diagnostics.empty());
  return parsed.layout;
}

/// The map of a layout that must fit.
inline std::unique_ptr<LayoutMap> MapOf(const Dims& dims, std::string_view layout, int bits = 32) {
  INFO(layout);
  Diagnostics diagnostics;
  auto map = MakeLayoutMap(View(dims), bits, LayoutOf(layout), {}, diagnostics);
  REQUIRE(map != nullptr);
  CHECK(diagnostics.empty());
  return map;
}

/// The next index in row-major order; false after the last. All sizes are positive.
inline bool NextIndex(const Dims& dims, Dims* index) {
  for (size_t i = dims.size(); i-- > 0;) {
    if (++(*index)[i] < dims[i]) return true;
    (*index)[i] = 0;
  }
  return false;
}

}  // namespace hlo

#endif  // HLO_TESTS_UNIT_LAYOUT_CASES_H_
