// A Python script that runs a program on real XLA, with the inputs of a run.
#ifndef HLO_ENGINE_VIEWS_SCRIPT_VIEW_H_
#define HLO_ENGINE_VIEWS_SCRIPT_VIEW_H_

#include <memory>
#include <string>
#include <string_view>

#include "engine/views/document.h"
#include "engine/views/run_view.h"

namespace hlo {

/// The script, or the reason why there is none.
struct ScriptView {
  bool ok = false;
  std::string text;
  Diagnostics diagnostics;  ///< places in the document
  /// Inputs that are too large for the text, by the number in `input7.npy`, where the script looks
  /// for them. They are values of the run.
  std::vector<std::pair<int, const Tensor*>> files;
};
/// Writes the script for a run: its program, its inputs, and its results for comparison, if any.
ScriptView MakeScript(const RunRecord& record, const RunRequest& request);

/// ScriptResult of wasm/engine_api.ts.
std::string ScriptJson(const ScriptView& view, const Document& document);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_SCRIPT_VIEW_H_
