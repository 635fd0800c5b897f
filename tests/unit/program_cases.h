// Programs that must be accepted or refused: parsed, verified, and their diagnostics looked at.
#ifndef HLO_TESTS_UNIT_PROGRAM_CASES_H_
#define HLO_TESTS_UNIT_PROGRAM_CASES_H_

#include <memory>
#include <string>
#include <string_view>

#include "doctest/doctest.h"
#include "engine/hlo/parser.h"
#include "engine/hlo/verifier.h"

namespace hlo {

inline bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The diagnostics of a program, verified under the options when it parses.
inline Diagnostics Diagnose(std::string text, const VerifierOptions& options = {}) {
  Diagnostics diagnostics;
  auto module = ParseModule(std::move(text), diagnostics);
  if (module && !diagnostics.has_errors()) VerifyModule(*module, diagnostics, options);
  return diagnostics;
}

inline void CheckAccepted(const std::string& text, const VerifierOptions& options = {}) {
  CAPTURE(text);
  Diagnostics diagnostics = Diagnose(text, options);
  std::string first = diagnostics.has_errors() ? diagnostics.list()[0].message : "";
  CHECK(first == "");
}

/// One of the errors has the fragment in its message and stands at the text `place`.
inline void CheckRefused(const std::string& text, std::string_view fragment,
                         std::string_view place = {}, const VerifierOptions& options = {}) {
  CAPTURE(text);
  CAPTURE(fragment);
  Diagnostics diagnostics = Diagnose(text, options);
  bool found = false;
  std::string seen;
  for (const Diagnostic& d : diagnostics.list()) {
    if (d.severity != Severity::kError) continue;
    std::string at = text.substr(d.range.begin, d.range.end - d.range.begin);
    seen += d.message + " @ " + at + "\n";
    found |= Contains(d.message, fragment) && (place.empty() || at == place);
  }
  CAPTURE(seen);
  CHECK(found);
}

/// The text with a fix made.
inline std::string Mended(std::string text, const Fix& fix) {
  return text.replace(fix.range.begin, fix.range.end - fix.range.begin, fix.replacement);
}

/// A program without faults, to be run.
inline std::unique_ptr<Module> Parse(const std::string& text) {
  Diagnostics diagnostics;
  auto module = ParseModule(text, diagnostics);
  if (module && !diagnostics.has_errors()) VerifyModule(*module, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.list()) FAIL(diagnostic.message);
  return module;
}

/// The instructions in an entry computation, after the computations that ops need.
inline std::string Entry(std::string_view instructions) {
  std::string text =
      "add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] add(a, b) }\n"
      "less { a = f32[] parameter(0)  b = f32[] parameter(1)\n"
      "  ROOT c = pred[] compare(a, b), direction=LT }\n"
      "twice { a = f32[] parameter(0)  ROOT c = f32[] add(a, a) }\n"
      "step { a = s32[] parameter(0)  ROOT c = s32[] add(a, a) }\n"
      "again { a = s32[] parameter(0)  ROOT c = pred[] compare(a, a), direction=LT }\n"
      "ENTRY e {\n";
  text += instructions;
  return text + "\n}\n";
}

}  // namespace hlo

#endif  // HLO_TESTS_UNIT_PROGRAM_CASES_H_
