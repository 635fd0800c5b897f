// What the results of a run should be: literals and `.npy` files.
#ifndef HLO_ENGINE_VIEWS_PRECISION_EXPECTED_H_
#define HLO_ENGINE_VIEWS_PRECISION_EXPECTED_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/precision/paired_run.h"
#include "engine/views/run_view.h"

namespace hlo {

/// An expected value of a result, or of an element of one that is a tuple.
struct ExpectedValue {
  std::vector<int64_t> path;  ///< into tuples
  /// By the grammar of run/inputs.h. Floats without a shape are read as f64, whatever type the
  /// result has, so that 0.1 means 0.1.
  std::string text;
  std::optional<std::vector<std::byte>> file;  ///< an `.npy` file, in place of the text
};

/// Whether two shapes have the same structure, and their arrays the same dimensions; element types
/// may be others.
bool HaveSameDims(const Shape& a, const Shape& b);

/// Compares the results of every device of a finished run with what they should be. The dimensions
/// have to be the same, the element types need not be. Faults are reported in words; then nothing
/// is compared.
void CompareExpected(const RunRecord& record, const std::vector<ExpectedValue>& expected,
                     const RunRequest& request, PairedReport* report, Diagnostics& faults);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_PRECISION_EXPECTED_H_
