// Running a document and keeping the outcome: inputs, output, trace, diagnostics.
#ifndef HLO_ENGINE_VIEWS_RUN_VIEW_H_
#define HLO_ENGINE_VIEWS_RUN_VIEW_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.h"
#include "engine/ops/devices/peers.h"
#include "engine/run/exchange.h"
#include "engine/run/options.h"
#include "engine/run/probes.h"
#include "engine/run/profile.h"
#include "engine/run/trace.h"
#include "engine/types/tensor.h"
#include "engine/views/document.h"
#include "engine/views/list_window.h"
#include "engine/views/value_view.h"

namespace hlo {

/// An `.npy` file for a parameter.
struct InputFile {
  int64_t parameter = 0;
  std::vector<std::byte> bytes;
};

/// A parameter's value on some devices.
struct DeviceInput {
  DeviceSet devices;
  int64_t parameter = 0;
  std::string spec;  ///< without `file`
  std::optional<InputFile> file;
};

/// The options of a run.
struct RunRequest {
  std::vector<std::string> inputs;         ///< specifications (run/inputs.h), by parameter number
  std::vector<InputFile> files;            ///< win over `inputs`
  std::vector<DeviceInput> device_inputs;  ///< win over both; the last one for a device counts
  RunOptions options;
  /// Reads what the probes of an earlier run wrote to files; null: nothing to read.
  Probes::Reader probe_reader;
  bool trace = true;
  bool profile = false;      ///< what ran, and how long
  bool fingerprint = false;  ///< of the outputs
  bool is_alone = false;     ///< one thread, whatever there is
  ListWindow trace_window;   ///< of the entries that the answer has
  Budget::Limits limits;
  Trace::Limits trace_limits;
  std::string products;  ///< the name of `options.products`, which whoever runs this finds
};
/// Reads RunOptions of wasm/engine_api.ts; absent or malformed options take the defaults given
/// there.
RunRequest ParseRunRequest(std::string_view json);

/// A finished run. Values point into it; members are declared in the order of their dependencies.
struct RunRecord {
  std::shared_ptr<const Document> document;
  std::unique_ptr<Budget> budget;
  std::unique_ptr<Trace> trace;            ///< null when nothing was traced
  std::vector<const TraceEntry*> entries;  ///< of the trace, what is kept, in order of execution
  std::vector<Value> inputs;               ///< by parameter number, as they were used (by device 0)
  std::optional<Value> output;             ///< (of device 0) nothing when the run failed
  DeviceGrid grid;
  /// By device, when there are several. Values are shared, not copied.
  struct Device {
    std::vector<Value> inputs;
    std::optional<Value> output;
  };
  std::vector<Device> devices;
  Probes probes;                         ///< what interpreter.probe and interpreter.print noted
  std::vector<HostOutput> host_outputs;  ///< what outfeed and sends gave to the host, in order
  /// Constants written `{...}` that were filled, and instructions whose values were made up.
  std::vector<const Instruction*> filled, made_up;
  std::string remedies;     ///< RemediesJson, as text
  Diagnostics diagnostics;  ///< of the text, or, when that has no errors, of the run
  double seconds = 0;
  std::unique_ptr<RunProfile> profile;  ///< null when nothing was measured
  int threads = 1;                      ///< that shared the work
  double executed_seconds = 0;          ///< without what was made before the program ran
  std::string fingerprint;              ///< FingerprintOf it; empty when nobody asked

  const Computation& entry() const { return *document->module()->entry(); }
};
/// All that comes before the run of a record with a document and a budget: reads a text with
/// unknown sizes again, with those of the inputs, and makes the inputs. False, with diagnostics,
/// when it cannot be run.
bool PrepareRun(RunRecord& record, const RunRequest& request);
/// Runs the entry computation. Never throws: failures are diagnostics, including the document's own
/// errors.
std::unique_ptr<RunRecord> RunDocument(std::shared_ptr<const Document> document,
                                       const RunRequest& request);

/// RunResult of wasm/engine_api.ts, with the trace entries in the window. `handle` is copied into
/// the result.
Json RunJson(const RunRecord& record, int handle, const ListWindow& window = {});
/// Trace entries only.
Json TraceJson(const RunRecord& record, const ListWindow& window);

/// A value of a run: "output", an input, a trace entry, or an output to the host; and the path into
/// tuples.
struct ValueSelector {
  int handle = 0;
  enum class Kind : uint8_t { kOutput, kInput, kTrace, kHostOutput } kind = Kind::kOutput;
  int64_t number = 0;  ///< of the input, the trace entry, or the value the host got
  int64_t device = 0;  ///< of an output or input
  std::vector<int64_t> path;
};
/// Reads ValueRef of wasm/engine_api.ts; nothing if it is malformed.
std::optional<ValueSelector> ParseValueSelector(std::string_view json);
/// The value and its shape; nothing if it does not exist (dropped, no such entry, no such path).
std::optional<ValuePart> SelectValue(const RunRecord& record, const ValueSelector& selector);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_RUN_VIEW_H_
