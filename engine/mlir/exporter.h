// A program as StableHLO text.
#ifndef HLO_ENGINE_MLIR_EXPORTER_H_
#define HLO_ENGINE_MLIR_EXPORTER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/diagnostics.h"
#include "engine/hlo/ir.h"

namespace hlo {

/// StableHLO text, and the place of each of the program's instructions in it.
struct StableHloText {
  std::string text;
  /// An instruction that appears in the text; tuples and their elements do not. One that is written
  /// in several regions is listed once for each.
  struct Line {
    const Instruction* instruction;
    uint32_t line;  ///< 0-based
  };
  std::vector<Line> lines;  ///< by line
};

/// How tuples among the entry's parameters and results are exported: kept, so that the same inputs
/// fit both programs, or flattened, which JAX requires. An outermost result tuple becomes several
/// results either way.
enum class EntryTuples : uint8_t { kKept, kTakenApart };

/// Writes a verified module as `jax.jit(f).lower(x).as_text()` would: the entry is `@main`, called
/// computations are private functions, computations of control flow and of reducers are regions.
/// Tuples inside it are flattened. Every instruction without a counterpart is reported at its place
/// in the module's source (DiagCode::kNoCounterpart), and the text must not be used then; what can
/// be dropped without changing the meaning (layouts) is reported as an info. The text is at most
/// about fifty times as long as the module's, however its computations are shared.
StableHloText ExportStableHlo(const Module& module, Diagnostics& diagnostics,
                              EntryTuples tuples = EntryTuples::kKept);

/// A StableHLO text as StableHLO's own tools print it.
struct PrintedStableHlo {
  std::string text;
  /// Where the ops of the source (by offset) are in `text`: 0-based lines.
  std::vector<std::pair<uint32_t, uint32_t>> lines;
  bool has_checks = false;  ///< ops of dialects that only StableHLO's tests have
};

/// Prints a text as its author wrote it, not as it is imported: nothing is flattened, and only
/// comments, locations and the names of values are lost. Nothing if the text is malformed or uses
/// dialects that StableHLO's tools do not know.
std::optional<PrintedStableHlo> PrintStableHlo(std::string_view text);

}  // namespace hlo

#endif  // HLO_ENGINE_MLIR_EXPORTER_H_
