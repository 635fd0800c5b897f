// Shapes and values from texts that must be faultless.
#ifndef HLO_TESTS_UNIT_LITERAL_CASES_H_
#define HLO_TESTS_UNIT_LITERAL_CASES_H_

#include <string_view>

#include "doctest/doctest.h"
#include "engine/types/literal.h"
#include "engine/types/shape.h"

namespace hlo {

inline Shape ShapeOf(std::string_view text) {
  Diagnostics diagnostics;
  const auto shape = ParseShapeText(text, diagnostics);
  INFO(text << ": " << (diagnostics.empty() ? "" : diagnostics.list()[0].message));
  REQUIRE(shape.has_value());
  CHECK(diagnostics.empty());
  return *shape;
}

/// Of a literal with its shape: "f32[2] {1, 2}".
inline Value ValueOf(std::string_view text) {
  Diagnostics diagnostics;
  const auto literal = ParseShapedLiteral(text, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.list()) FAIL(diagnostic.message);
  return literal->literal.value;
}

}  // namespace hlo

#endif  // HLO_TESTS_UNIT_LITERAL_CASES_H_
