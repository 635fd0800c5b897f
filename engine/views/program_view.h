// Programs that are compiled once and executed again and again, on arrays passed as bytes.
#ifndef HLO_ENGINE_VIEWS_PROGRAM_VIEW_H_
#define HLO_ENGINE_VIEWS_PROGRAM_VIEW_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.h"
#include "engine/run/executor.h"
#include "engine/views/document.h"
#include "engine/views/run_view.h"

namespace hlo {

/// A program that can be run, with its plan and its compiled regions. It runs on one device,
/// without a trace.
class CompiledProgram {
 public:
  /// The arrays of all parameters, or of the result, in order, with tuples flattened.
  using Arrays = std::vector<std::vector<uint8_t>>;

  /// The outcome of one execution.
  struct Outcome {
    Arrays results;  ///< empty when it failed
    Diagnostics diagnostics;
    double seconds = 0;
  };

  /// The document must be ok() and have an entry computation.
  CompiledProgram(std::shared_ptr<const Document> document, const RunRequest& request);

  const Document& document() const { return *document_; }
  /// Runs it within the limits of the request, each time anew. Arrays have their elements in
  /// row-major order, each in BytesOf bytes. Never throws.
  Outcome Execute(const std::vector<std::vector<std::byte>>& arrays);

 private:
  std::vector<Value> Arguments(const std::vector<std::vector<std::byte>>& arrays);

  std::shared_ptr<const Document> document_;
  Budget budget_;  // outlives the executor and the values
  Executor executor_;
};

/// The JavaScript typed array for an element type: "Float32Array". Floats narrower than 32 bits are
/// stored as their bits, complex numbers as pairs.
std::string_view JsArrayName(ElementType type);

/// CompileResult of wasm/engine_api.ts. `program` is null if the document cannot be run; `handle`
/// is copied into the result.
std::string CompileJson(const Document& document, const CompiledProgram* program, int handle);
/// ExecuteResult of wasm/engine_api.ts without the arrays.
std::string ExecuteJson(const Document& document, const CompiledProgram::Outcome& outcome);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_PROGRAM_VIEW_H_
