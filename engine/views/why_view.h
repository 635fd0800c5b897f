// Questions about elements of a run: where one comes from, and which was the first of its kind.
#ifndef HLO_ENGINE_VIEWS_WHY_VIEW_H_
#define HLO_ENGINE_VIEWS_WHY_VIEW_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/views/debug_view.h"
#include "engine/why/chain.h"
#include "engine/why/first.h"
#include "engine/why/reach.h"

namespace hlo {

/// Either what is to be found first, or an element: of an instruction by its name (with or without
/// the computation's), or, without a name, of the result ("output") or a parameter ("input:N").
struct WhyQuestion {
  std::optional<FirstKind> first;
  std::string computation, name;
  std::string entry = "output";
  int64_t device = 0;
  /// Of the loops around it; nothing: the last execution.
  std::optional<std::vector<int64_t>> iterations;
  std::vector<int64_t> path;
  /// What the element reaches is asked, and not where it comes from.
  bool reach = false;
  /// Nothing: the first NaN, else the first infinity, else the first element.
  std::optional<std::vector<int64_t>> index;
};
/// Reads WhyOptions of wasm/why_types.ts.
WhyQuestion ParseWhyQuestion(std::string_view options);
/// "name[2,3]", "computation/name", "name": indices of tuples come first. Nothing when malformed.
std::optional<WhyQuestion> WhyQuestionFromText(std::string_view text);

struct WhyAnswer {
  std::string problem;  ///< why there is no answer; empty when there is one
  std::optional<FoundElement> found;
  Chain chain;
  std::optional<Reach> reach;  ///< instead of the chain, when that was asked
};

/// A run of a document, recorded so that it can be asked. Not thread-safe.
class WhyRun {
 public:
  /// Runs the program; the targets that the request points to must outlive this.
  WhyRun(std::shared_ptr<const Document> document, const RunRequest& request);

  /// Never throws RunError: what happened is the answer's problem.
  WhyAnswer Ask(const WhyQuestion& question);

  const Document& document() const { return run_.document(); }
  /// Of the text and of the run. A run that failed can be asked about the steps that it made.
  const Diagnostics& diagnostics() const { return diagnostics_; }
  /// Null when the program could not be run at all.
  Timeline* timeline() { return origins_ ? run_.timeline() : nullptr; }
  Origins& origins() { return *origins_; }

 private:
  const Instruction* Find(const WhyQuestion& question, std::vector<int64_t>* path,
                          std::string* problem) const;
  std::optional<PlaceInRun> PlaceOf(const WhyQuestion& question, std::string* problem);

  Debugger run_;
  Diagnostics diagnostics_;
  std::unique_ptr<Origins> origins_;
};

/// WhyResult of wasm/why_types.ts.
std::string WhyJson(WhyRun& run, const WhyAnswer& answer);
/// The same where nothing could be answered: the first of these says why.
std::string WhyFailedJson(const Diagnostics& faults);
/// The same as lines to read.
std::string WhyText(WhyRun& run, const WhyAnswer& answer);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_WHY_VIEW_H_
