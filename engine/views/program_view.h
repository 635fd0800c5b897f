// Programs that are compiled once and executed again and again, on arrays that come and go as
// bytes.
#ifndef HLO_ENGINE_VIEWS_PROGRAM_VIEW_H_
#define HLO_ENGINE_VIEWS_PROGRAM_VIEW_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.h"
#include "engine/base/function_ref.h"
#include "engine/run/executor.h"
#include "engine/views/document.h"
#include "engine/views/run_view.h"

namespace hlo {

/// A program that can be run, with its plan and its compiled regions. It runs on one device,
/// without a trace.
class CompiledProgram {
 public:
  /// The arrays of all parameters, or of the result, in order: those of a tuple one after another.
  using Arrays = std::vector<std::vector<uint8_t>>;

  /// What came of one execution.
  struct Outcome {
    Arrays results;  ///< empty when it failed
    Diagnostics diagnostics;
    double seconds = 0;
  };

  /// The document must be ok() and have an entry computation.
  CompiledProgram(std::shared_ptr<const Document> document, const RunRequest& request);

  const Document& document() const { return *document_; }
  /// What the program's values are asked of; outlives them.
  Budget* budget() { return &budget_; }
  /// Runs it within the limits of the request, each time anew; `make_arguments` gives the values of
  /// the parameters, and may throw RunError. Nothing, with diagnostics, when it fails. Never
  /// throws.
  std::optional<Value> Run(FunctionRef<std::vector<Value>()> make_arguments,
                           Diagnostics& diagnostics);
  /// The same on bytes: arrays have their elements in row-major order, each in BytesOf bytes.
  Outcome Execute(const std::vector<std::vector<std::byte>>& arrays);

 private:
  std::vector<Value> Arguments(const std::vector<std::vector<std::byte>>& arrays);

  std::shared_ptr<const Document> document_;
  Budget budget_;  // outlives the executor and the values
  Executor executor_;
};

/// The typed array of JavaScript that holds elements of a type: "Float32Array". Narrow floats are
/// their bits, complex numbers are pairs.
std::string_view JsArrayName(ElementType type);

/// CompileResult of wasm/engine_api.ts. `program` is null when the document is no program that can
/// be run; `handle` is put in as it is.
std::string CompileJson(const Document& document, const CompiledProgram* program, int handle);
/// ExecuteResult of wasm/engine_api.ts without the arrays.
std::string ExecuteJson(const Document& document, const CompiledProgram::Outcome& outcome);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_PROGRAM_VIEW_H_
