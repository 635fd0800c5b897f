// The checks that follow parsing: shape rules, computation signatures, module-level rules.
// Source: reference/hlo-text.md section 11.
#ifndef HLO_ENGINE_HLO_VERIFIER_H_
#define HLO_ENGINE_HLO_VERIFIER_H_

#include "engine/base/diagnostics.h"
#include "engine/hlo/ir.h"

namespace hlo {

/// What is checked beyond the rules that every program keeps. The defaults accept what XLA runs.
struct VerifierOptions {
  /// Layouts count: ops that cannot change them do not, aliases and copies agree.
  bool layout_sensitive = false;
  /// Operands of one op may be floats of different widths, and results narrower than inferred.
  bool allow_mixed_precision = true;
  /// What is otherwise a warning is an error: rules that XLA checks only on request.
  bool strict = false;
};

/// Reports every broken rule. Only for modules that parsed without errors.
void VerifyModule(const Module& module, Diagnostics& diagnostics,
                  const VerifierOptions& options = {});

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_VERIFIER_H_
