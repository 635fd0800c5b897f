// A program as StableHLO text.
#ifndef HLO_ENGINE_MLIR_EXPORTER_H_
#define HLO_ENGINE_MLIR_EXPORTER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/diagnostics.h"
#include "engine/hlo/ir.h"

namespace hlo {

/// StableHLO text, and where the program's instructions stand in it.
struct StableHloText {
  std::string text;
  /// An instruction that is written down; tuples and their elements are not. One that several
  /// regions hold is listed once for each.
  struct Line {
    const Instruction* instruction;
    uint32_t line;  ///< 0-based
  };
  std::vector<Line> lines;  ///< by line
};

/// Writes a verified module as `jax.jit(f).lower(x).as_text()` would: the entry is `@main`, called
/// computations are private functions, computations of control flow and of reducers are regions.
/// Tuples are taken apart. Every instruction without a counterpart is reported at its place in the
/// module's source (DiagCode::kNoCounterpart), and the text may not be used then; what is dropped
/// without a change of meaning (layouts) is an info. The text is at most some fifty times as long
/// as the module's, whatever its computations share.
StableHloText ExportStableHlo(const Module& module, Diagnostics& diagnostics);

}  // namespace hlo

#endif  // HLO_ENGINE_MLIR_EXPORTER_H_
