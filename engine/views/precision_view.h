// What the width of its floats costs a program (engine/precision), as text and as JSON.
#ifndef HLO_ENGINE_VIEWS_PRECISION_VIEW_H_
#define HLO_ENGINE_VIEWS_PRECISION_VIEW_H_

#include <memory>
#include <string>
#include <string_view>

#include "engine/precision/paired_run.h"
#include "engine/precision/widen.h"
#include "engine/views/run_view.h"

namespace hlo {

/// Two runs compared.
struct PrecisionView {
  std::shared_ptr<const Document> document;
  bool ok = false;           ///< both runs came to their end
  Diagnostics faults{};      ///< why not
  std::string other_name{};  ///< of what it is compared with, as in "the program in f64"
  PairedReport report{};
};

/// Runs a program and, with the same inputs, `other` or, if that is null, the program in floats of
/// type `wide`. Never throws.
PrecisionView MakePrecisionView(std::shared_ptr<const Document> document,
                                std::shared_ptr<const Document> other, const RunRequest& request,
                                ElementType wide);
/// A summary, then a line for every instruction whose values differ, those first that introduced
/// most.
std::string PrecisionText(const PrecisionView& view);
/// PrecisionResult of wasm/precision_types.ts: all of it, or as much as a page is sent.
std::string PrecisionJson(const PrecisionView& view, bool whole);
/// The view of two programs as a page is sent it. `options`: PrecisionOptions. Never throws but for
/// the limits of the answer.
std::string PrecisionAnswer(std::shared_ptr<const Document> document,
                            std::shared_ptr<const Document> other, const RunRequest& request,
                            std::string_view options);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_PRECISION_VIEW_H_
