// What a generated program gives, and whether another run gives the same.
#ifndef HLO_TESTS_GENERATED_OUTCOME_H_
#define HLO_TESTS_GENERATED_OUTCOME_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/views/document.h"
#include "engine/views/run_view.h"
#include "tests/generated/program.h"

namespace hlo {

/// "id: message" of the first error; empty if there is none.
std::string FirstError(const Diagnostics& diagnostics);

/// What came of a run: its error, or its values.
struct Outcome {
  std::unique_ptr<RunRecord> record;  ///< whose budget the values are counted in: it goes last
  std::string error;
  std::vector<Value> values;  ///< of all devices, then for the host; no tuples
};

/// Runs a document on the inputs of the program that it is.
Outcome RunIt(const std::shared_ptr<const Document>& document, const Program& program,
              const Budget::Limits& limits, bool trace, bool compile_regions = true);

/// Empty when errors and values are the same, to the bit.
std::string OutcomeDifference(const Outcome& got, const Outcome& wanted, std::string_view what);

}  // namespace hlo

#endif  // HLO_TESTS_GENERATED_OUTCOME_H_
