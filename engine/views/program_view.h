// Programs that are compiled once and executed again and again, on arrays that come and go as
// bytes, or stay here between executions.
#ifndef HLO_ENGINE_VIEWS_PROGRAM_VIEW_H_
#define HLO_ENGINE_VIEWS_PROGRAM_VIEW_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/budget.h"
#include "engine/base/function_ref.h"
#include "engine/run/executor.h"
#include "engine/views/document.h"
#include "engine/views/run_view.h"

namespace hlo {

/// Budgets that arrays were asked of, and which have to outlive them.
using Budgets = std::set<std::shared_ptr<Budget>>;

/// An array that stays in the engine between executions. Its bytes count against the memory limit
/// of the program that made it for as long as there is a copy of this.
struct ResidentArray {
  Budgets
      budgets;  // that of its maker, and of what the maker was given: it may have handed that on
  Tensor array;
};

/// An argument of a program: the bytes of its elements, or an array that is here.
using ProgramArgument = std::variant<std::vector<std::byte>, ResidentArray>;

/// A program that can be run, with its plan and its compiled regions. It runs on one device,
/// without a trace.
class CompiledProgram {
 public:
  /// What came of one execution.
  struct Outcome {
    /// The arrays of the result in order: those of a tuple one after another. Empty when it failed.
    std::vector<ResidentArray> results;
    Diagnostics diagnostics;
    double seconds = 0;
  };

  /// The document must be ok() and have an entry computation.
  CompiledProgram(std::shared_ptr<const Document> document, const RunRequest& request);

  const Document& document() const { return *document_; }
  /// What the program's values are asked of; outlives them.
  Budget* budget() { return budget_.get(); }
  /// Runs it within the limits of the request, each time anew; `make_arguments` gives the values of
  /// the parameters, and may throw RunError. Nothing, with diagnostics, when it fails. Never
  /// throws.
  std::optional<Value> Run(FunctionRef<std::vector<Value>()> make_arguments,
                           Diagnostics& diagnostics);
  /// Runs it within the limits of the request, each time anew, on the arrays of all parameters in
  /// order. Bytes are elements in row-major order, each in BytesOf bytes. Never throws.
  Outcome Execute(const std::vector<ProgramArgument>& arguments);

  // ---- Places: arrays that the caller writes and reads where they are

  /// Whether Call can take the parameters from places: elements of all types are then stored as
  /// they are in bytes.
  bool has_places() const { return has_places_; }
  /// The arrays of the parameters, then those of the result: where their elements are, in row-major
  /// order; null where there are none. Places change with every call of a function of this class.
  const std::vector<std::byte*>& places() const { return places_; }
  /// Makes room for array `i` of the parameters, whose elements are to be written before the next
  /// Call. False, with faults(), if there is none.
  bool MakeRoom(size_t i);
  /// Takes an array that is here for array `i` of the parameters. False, with faults(), if it does
  /// not fit.
  bool Place(size_t i, const ResidentArray& array);
  /// Runs the program on what is in the places. With `consumes`, large arrays of the parameters are
  /// given to the program, which may write over them: their places are empty afterwards. False,
  /// with faults(), when it fails.
  bool Call(bool consumes);
  /// Array `i` of the result of the last Call, whose place is empty afterwards.
  ResidentArray TakeResult(size_t i);
  /// Forgets the result.
  void DropResults();
  const Diagnostics& faults() const { return faults_; }

 private:
  struct PlacedArray {
    Shape shape;
    std::shared_ptr<Buffer> buffer;
    bool is_callers = false;  ///< made by MakeRoom: the caller writes it for every call
  };
  void RunPlaced(bool consumes);
  void RunValues();
  void SeparateResults();
  void ShowPlaces();
  std::vector<Value> Values(const std::vector<ProgramArgument>& arguments);

  std::shared_ptr<const Document> document_;
  std::shared_ptr<Budget> budget_;
  Budgets budgets_;  // of all values that were seen here: outlive the executor
  Executor executor_;

  bool has_places_ = true;
  bool is_running_ = false;
  std::vector<PlacedArray> parameters_;
  std::vector<Shape> result_shapes_;
  std::vector<std::byte*> places_;
  IslandRunner::Buffers arguments_, results_;  // of the last Call
  Diagnostics faults_;
};

/// The bytes of an array.
std::vector<uint8_t> ArrayBytes(const Tensor& array);

/// The typed array of JavaScript that holds elements of a type: "Float32Array". Narrow floats are
/// their bits, complex numbers are pairs.
std::string_view JsArrayName(ElementType type);

/// CompileResult of wasm/engine_api.ts. `program` is null if the document cannot be run; `handle`
/// is copied into the result.
std::string CompileJson(const Document& document, const CompiledProgram* program, int handle);
/// Diagnostics of a program, as in its answers.
std::string FaultsJson(const Document& document, const Diagnostics& faults);
/// ExecuteResult of wasm/engine_api.ts without the arrays; `values` are the handles of those that
/// are kept.
std::string ExecuteJson(const Document& document, const CompiledProgram::Outcome& outcome,
                        const std::vector<int>& values);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_PROGRAM_VIEW_H_
