#include "engine/cli/why_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/cli/reporting.h"
#include "engine/views/why_view.h"

namespace hlo {

void AddWhyOptions(CLI::App* why, WhyArguments* arguments) {
  why->add_option(
      "ELEMENT", arguments->element,
      "NAME[2,3] or COMPUTATION/NAME[2,3]: an element of the last value of an "
      "instruction; without an index the first NaN or infinity, else the first element");
  why->add_option(
         "--first", arguments->first,
         "Find the first nan, inf, nonfinite (either), overflow, underflow, or the largest "
         "loss of precision (loss)")
      ->check(CLI::IsMember({"nan", "inf", "nonfinite", "overflow", "underflow", "loss"}));
  why->add_flag("--reach", arguments->reach,
                "Say what ELEMENT reaches, up to the result, instead of where it comes from");
}

void PrintWhy(std::shared_ptr<const Document> document, const RunRequest& request,
              const WhyArguments& arguments, const std::string& file, bool json,
              CommandResult& result) {
  WhyQuestion question;
  if (arguments.first.empty() == arguments.element.empty()) {
    return Fail(result, kExitUsage, "why expects either NAME[2,3] or --first");
  }
  if (!arguments.element.empty()) {
    auto read = WhyQuestionFromText(arguments.element);
    if (!read) {
      return Fail(result, kExitUsage,
                  fmt::format("'{}' is no element: NAME[2,3] is expected", arguments.element));
    }
    question = std::move(*read);
  }
  if (arguments.reach && arguments.element.empty()) {
    return Fail(result, kExitUsage, "--reach expects NAME[2,3]");
  }
  question.reach = arguments.reach;
  question.first = FirstKindFromText(arguments.first);
  WhyRun run(std::move(document), request);
  if (!run.timeline()) {
    return Report(result, run.diagnostics(), file, run.document().text(), json);
  }
  if (run.timeline()->failure()) {
    Fail(result, 0,
         "the run did not end; what it did until then: " +
             (run.diagnostics().empty() ? "" : run.diagnostics().list()[0].message));
  }
  const WhyAnswer answer = run.Ask(question);
  const bool has_none = question.first && !answer.found;
  const bool is_refused = !answer.problem.empty() && !has_none;
  if (is_refused) Fail(result, kExitDiagnostics, answer.problem);
  if (json) {
    result.out = WhyJson(run, answer) + "\n";
  } else if (!is_refused) {
    result.out = WhyText(run, answer);
  }
}

}  // namespace hlo
