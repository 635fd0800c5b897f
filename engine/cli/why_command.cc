#include "engine/cli/why_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/cli/reporting.h"
#include "engine/views/why_view.h"

namespace hlo {
namespace {

void RefuseWhy(int status, std::string_view reason, CommandResult& result) {
  result.err += fmt::format("hlo: {}\n", reason);
  result.status = std::max(result.status, status);
}

}  // namespace

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
    return RefuseWhy(kExitUsage, "why expects either NAME[2,3] or --first", result);
  }
  if (!arguments.element.empty()) {
    auto read = WhyQuestionFromText(arguments.element);
    if (!read) {
      return RefuseWhy(kExitUsage,
                       fmt::format("'{}' is no element: NAME[2,3] is expected", arguments.element),
                       result);
    }
    question = std::move(*read);
  }
  if (arguments.reach && arguments.element.empty()) {
    return RefuseWhy(kExitUsage, "--reach expects NAME[2,3]", result);
  }
  question.reach = arguments.reach;
  question.first = FirstKindFromText(arguments.first);
  WhyRun run(std::move(document), request);
  if (!run.timeline()) {
    return Report(result, run.diagnostics(), file, run.document().text(), json);
  }
  if (run.timeline()->failure()) {
    RefuseWhy(0,
              "the run did not end; what it did until then: " +
                  (run.diagnostics().empty() ? "" : run.diagnostics().list()[0].message),
              result);
  }
  const WhyAnswer answer = run.Ask(question);
  const bool has_none = question.first && !answer.found;
  if (json) {
    result.out = WhyJson(run, answer) + "\n";
  } else if (!answer.problem.empty() && !has_none) {
    RefuseWhy(kExitDiagnostics, answer.problem, result);
  } else {
    result.out = WhyText(run, answer);
  }
}

}  // namespace hlo
