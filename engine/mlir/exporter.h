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

/// What becomes of tuples among the parameters and results of a program: they stay, so that inputs
/// fit both programs, or are taken apart, which JAX wants. Several results are those of the
/// outermost tuple either way.
enum class EntryTuples : uint8_t { kKept, kTakenApart };

/// Writes a verified module as `jax.jit(f).lower(x).as_text()` would: the entry is `@main`, called
/// computations are private functions, computations of control flow and of reducers are regions.
/// Tuples inside of it are taken apart. Every instruction without a counterpart is reported at its
/// place in the module's source (DiagCode::kNoCounterpart), and the text may not be used then; what
/// is dropped without a change of meaning (layouts) is an info. The text is at most some fifty
/// times as long as the module's, whatever its computations share.
StableHloText ExportStableHlo(const Module& module, Diagnostics& diagnostics,
                              EntryTuples tuples = EntryTuples::kKept);

/// A StableHLO text as StableHLO's own tools print it.
struct PrintedStableHlo {
  std::string text;
  /// Where ops of the source (by offset) are, 0-based.
  std::vector<std::pair<uint32_t, uint32_t>> lines;
  bool has_checks = false;  ///< ops of dialects that only StableHLO's tests have
};

/// Prints what the author of a text wrote, not what it is imported as: nothing is taken apart, and
/// nothing lost but comments, places and the names of values. Nothing where the text is malformed
/// or has operations of other dialects than StableHLO's tools know.
std::optional<PrintedStableHlo> PrintStableHlo(std::string_view text);

}  // namespace hlo

#endif  // HLO_ENGINE_MLIR_EXPORTER_H_
