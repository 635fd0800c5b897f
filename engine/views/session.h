// The engine as one object for a front end: the last text, so that several calls about it parse it
// once, and the runs that have not been released. The table of calls (calls.h) uses it: there is a
// method for each call about texts and runs. Texts are UTF-8, offsets UTF-16 code units; JSON as
// declared in wasm/engine_api.ts.
#ifndef HLO_ENGINE_VIEWS_SESSION_H_
#define HLO_ENGINE_VIEWS_SESSION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/function_ref.h"
#include "engine/ops/products/product_rounding.h"
#include "engine/run/input_forms.h"
#include "engine/views/document.h"
#include "engine/views/open_texts.h"
#include "engine/views/program_view.h"
#include "engine/views/run_view.h"
#include "engine/views/target_families.h"
#include "engine/views/value_view.h"

namespace hlo {

struct DiffView;
struct PassesView;
class CostAnalysis;
class WhyRun;
class Debugger;
struct ProgramMemory;

/// The `.npy` files of a comparison of runs.
struct PrecisionFiles {
  std::vector<InputFile> inputs;
  std::vector<InputFile> changed;   ///< of the inputs of the second run that differ
  std::vector<InputFile> expected;  ///< `parameter`: the place in the list of expected values
};

/// No method throws, whatever the text is. Each works within what a text of its length may ask for
/// (base/work_limit.h); when that, or memory, is used up the answer is what would be said of an
/// empty text, with a diagnostic where answers have some. Questions about a value that is not there
/// get an empty answer. Not for several threads.
class Session {
 public:
  /// `languages` are those that are read, `targets` what custom-calls find, `input_forms` how
  /// inputs may be written beyond rules and literals (null: in no other way), `find_products` how
  /// products may be rounded (null: in no way).
  explicit Session(Languages languages = AllLanguages(), TargetFamilies targets = AllTargets(),
                   const InputForms* input_forms = &AllInputForms(),
                   ProductRounding (*find_products)(std::string_view name) = FindProductRounding)
      : languages_(languages),
        custom_calls_(targets),
        input_forms_(input_forms),
        find_products_(find_products) {}

  /// `inputs`: a JSON array of input specifications, as for a run. A StableHLO program with unknown
  /// sizes is made static by them, also in later calls about the same text.
  std::string Check(std::string_view text, std::string_view inputs = "[]");
  /// `window`: ListWindow as JSON, over the instructions of all computations.
  std::string Outline(std::string_view text, std::string_view window = "");
  std::string Place(std::string_view text, uint32_t offset);
  std::string Definition(std::string_view text, std::string_view name,
                         std::string_view computation);
  /// `json` is a Renaming or a ConvertResult without its pairs of numbers.
  struct PairsAnswer {
    std::string json;
    std::vector<uint32_t> pairs;
  };
  PairsAnswer Rename(std::string_view text, uint32_t offset, std::string_view name);
  std::string Complete(std::string_view text, uint32_t offset);
  std::string Format(std::string_view text);
  /// `window`: BufferWindow as JSON.
  std::string MemoryReport(std::string_view text, std::string_view window = "");
  std::string ProgramMemory(std::string_view text, std::string_view window = "");
  /// `options`: {"space": number} as JSON.
  std::string MemoryPicture(std::string_view text, std::string_view options = "");
  std::string MemorySavings(std::string_view text);
  /// `options`: CostOptions as JSON.
  std::string Cost(std::string_view text, std::string_view options);
  /// `options`: PrecisionOptions as JSON; `other`: "" for the program itself. Runs both.
  std::string Precision(std::string_view text, std::string_view options, std::string_view other,
                        PrecisionFiles files);
  PairsAnswer Convert(std::string_view text, std::string_view options);
  /// `json` is a PlanResult without its lines.
  PairsAnswer PlanOf(std::string_view text, std::string_view options);
  /// `json` is a ModuleDiff without its lines and marks.
  struct DiffAnswer {
    std::string json;
    std::vector<uint32_t> lines, marks;
  };
  DiffAnswer Diff(std::string_view after, std::string_view before, std::string_view options);
  /// `options`: GraphOptions as JSON.
  std::string Graph(std::string_view text, std::string_view options);
  std::string Shardings(std::string_view text, std::string_view options);
  /// Runs the program on a timeline. `options`: as for Run.
  std::string Devices(std::string_view text, std::string_view options,
                      std::vector<InputFile> files);
  /// How its devices stand at a position of that run. Runs the program unless the last question of
  /// either kind was about the same run.
  std::string DevicesAt(std::string_view text, std::string_view options, int64_t position,
                        int64_t device, std::vector<InputFile> files);
  std::string GraphSearch(std::string_view text, std::string_view wanted);
  std::string Shrink(std::string_view text, std::string_view options);
  std::string Isolate(std::string_view text, std::string_view options);
  std::string PassesOver(std::string_view text, std::string_view options);
  /// Runs the program first (without a trace), unless the options name a run of it that is kept.
  std::string PythonScript(std::string_view text, std::string_view options,
                           std::vector<InputFile> files);

  std::string Run(std::string_view text, std::string_view options, std::vector<InputFile> files);
  std::string InputFaults(std::string_view text, int64_t parameter, std::string_view spec);
  /// Makes one input and keeps it like a run that has nothing else. `options`: as for Run.
  std::string MakeInput(std::string_view text, std::string_view options, int64_t parameter,
                        std::vector<InputFile> files);
  /// `options`: WhyOptions as JSON. Runs the program, unless the last question was about this run.
  std::string Why(std::string_view text, std::string_view options, std::vector<InputFile> files);
  /// `json` is a ValueWindow without its numbers.
  struct WindowAnswer {
    std::string json;
    std::vector<double> numbers;
  };
  WindowAnswer ValueWindow(std::string_view ref, std::string_view window);
  /// Entries of the trace of the run that `ref` names; `window`: ListWindow as JSON.
  std::string TraceEntries(std::string_view ref, std::string_view window);
  std::string ValueStats(std::string_view ref);
  /// The entries of the run that `ref` names whose values are not finite (non_finite.h).
  std::string NonFinite(std::string_view ref);
  /// The array that `ref` names; null if there is none. Until its run is released.
  const Tensor* ValueArray(std::string_view ref) const;
  std::string ValueText(std::string_view ref, int64_t max_elements);
  std::vector<uint8_t> ValueNpy(std::string_view ref);
  MemoryWindow Memory(std::string_view ref, std::string_view subject, int64_t begin, int64_t count);
  std::string MemoryByte(std::string_view ref, std::string_view subject, int64_t byte);
  void Release(int handle) {
    runs_.erase(handle);
    programs_.erase(handle);
    arrays_.erase(handle);
    debuggers_.erase(handle);
  }
  /// The timeline of a run: nothing of it is recorded yet. Its handle is in the answer, until it is
  /// released.
  std::string Debug(std::string_view text, std::string_view options, std::vector<InputFile> files);
  /// `request`: DebugRequest as JSON.
  std::string AskDebugger(int handle, std::string_view request);
  /// Compiles a program for execution and keeps it; its handle is in the answer.
  std::string Compile(std::string_view text, std::string_view options);
  /// Null for an unknown handle.
  CompiledProgram* Program(int handle);
  /// Texts that are open. A call about one does not read it to find that its document is there.
  OpenTexts& texts() { return texts_; }
  /// What custom-calls of later runs find; functions of one's own are added to it.
  CustomCallTargets& custom_calls() { return custom_calls_; }
  /// Keeps an array until its handle, which this is, is released.
  int Keep(ResidentArray array);
  /// Null for an unknown handle.
  const ResidentArray* Array(int handle) const;
  /// The handles of runs count from here (else from 1), so that those of two sessions differ.
  void StartHandlesAt(int handle) { next_handle_ = handle; }

 private:
  std::shared_ptr<const Document> DocumentOf(std::string_view text);
  /// Whether `document_` is of this text.
  bool IsDocumentOf(std::string_view text);
  using AnswerOf = FunctionRef<std::string(const Document&)>;
  std::string Ask(std::string_view text, AnswerOf answer);
  template <typename Make>
  PairsAnswer AskForPairs(std::string_view text, Make make);
  std::shared_ptr<const hlo::ProgramMemory> MemoryFor(const Document& document);
  RunRequest RequestOf(std::string_view options) const;
  std::shared_ptr<Debugger> DevicesOf(std::string_view text, std::string_view options,
                                      std::vector<InputFile> files);
  std::unique_ptr<RunRecord> MakeRun(std::string_view text, RunRequest& request);
  /// The run that the options name, if it is a run of this text; null otherwise.
  const RunRecord* KeptRun(std::string_view text, std::string_view options) const;
  const RunRecord* RunOf(std::string_view ref) const;
  std::optional<ValuePart> Find(std::string_view ref) const;

  Languages languages_;
  CustomCallTargets custom_calls_;
  const InputForms* input_forms_;
  ProductRounding (*find_products_)(std::string_view name);
  OpenTexts texts_;
  std::shared_ptr<const Document> document_;
  uint64_t document_version_ = 0;                     // of its text, if that is or was open
  std::shared_ptr<const hlo::ProgramMemory> memory_;  // of document_, once it was asked for
  std::shared_ptr<const DiffView> diff_;              // of the last two texts
  std::shared_ptr<const CostAnalysis> costs_;         // the same
  std::shared_ptr<const PassesView> passes_;          // of the last program that was asked about
  std::vector<std::string> inputs_;                   // as Check was given them last
  std::vector<std::string> document_inputs_;          // those of document_
  std::vector<std::string> diff_inputs_;              // those of the second text of diff_
  std::shared_ptr<WhyRun> why_;                       // of the last question
  std::string why_options_;                           // those of its run, and its files
  std::shared_ptr<Debugger> devices_;                 // of the last question about devices
  std::string devices_key_;                           // its program and its options
  std::map<int, std::unique_ptr<RunRecord>> runs_;
  std::map<int, std::unique_ptr<CompiledProgram>> programs_;
  std::map<int, ResidentArray> arrays_;
  std::map<int, std::shared_ptr<Debugger>> debuggers_;
  // A value of a step of one of them. Set with the first one: builds without them have none of it.
  std::function<std::optional<ValuePart>(const ValueSelector&)> of_timelines_;
  int next_handle_ = 1;
};

/// The engine's version, "0.1.0".
std::string_view EngineVersion();

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_SESSION_H_
