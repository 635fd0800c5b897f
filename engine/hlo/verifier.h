// The checks that follow parsing: shape rules, computation signatures, module-level rules.
// Source: XLA, hlo_verifier.cc; tests/data/verifier/RULES.md is the table of its rules.
#ifndef HLO_ENGINE_HLO_VERIFIER_H_
#define HLO_ENGINE_HLO_VERIFIER_H_

#include "engine/base/diagnostics.h"
#include "engine/hlo/ir.h"

namespace hlo {

/// What is checked beyond the rules that every program keeps. The defaults are those of XLA's
/// HloVerifier(layout_sensitive=false, allow_mixed_precision=true), which takes programs before
/// layout assignment as well as after it.
struct VerifierOptions {
  /// Layouts count: ops that pass data on have exactly the layout of their operand; ops that work
  /// position by position, aliases and copies do not change layouts.
  bool layout_sensitive = false;
  /// Operands of one op may be floats of different widths, and results of another width than
  /// inferred.
  bool allow_mixed_precision = true;
  /// What is otherwise a warning is an error: rules that XLA checks only on request (options of
  /// HloVerifierOpts), rules that XLA's own programs break, and some lines of a computation where
  /// XLA's parser asks for a module (`ParseOptions::takes_lines`).
  bool strict = false;
};

/// Reports every broken rule. Only for modules that parsed without errors.
void VerifyModule(const Module& module, Diagnostics& diagnostics,
                  const VerifierOptions& options = {});

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_VERIFIER_H_
