#include "engine/views/why_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "engine/base/indices.h"
#include "engine/base/source.h"
#include "engine/views/graph_view.h"
#include "engine/views/guard.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/names.h"
#include "engine/views/why_rows.h"

namespace hlo {
namespace {

constexpr size_t kMostWhySourcesShown = 24;
constexpr int64_t kMostSourceElements = 1;
constexpr size_t kMostWhySourcesInText = 6;

std::optional<std::vector<int64_t>> WhyIntegersOf(const Json& json, const char* name) {
  const auto list = json.find(name);
  if (list == json.end() || !list->is_array()) return std::nullopt;
  std::vector<int64_t> numbers;
  for (const Json& each : *list) {
    numbers.push_back(each.is_number_integer() ? each.get<int64_t>() : -1);
  }
  return numbers;
}

std::string WhyTextOf(const Json& json, const char* name) {
  const auto text = json.find(name);
  return text != json.end() && text->is_string() ? text->get<std::string>() : std::string();
}

std::string WhyIndexText(const Dims& path, const Dims& index) {
  const Dims all = Joined(path, index);
  return all.empty() ? "" : fmt::format("[{}]", fmt::join(all, ","));
}

Json WhySourceJson(WhyRun& run, const ElementsInRun& source) {
  Origins& origins = run.origins();
  const StepFacts facts = origins.Facts(source.step);
  const Instruction& instruction = *facts.instruction;
  const int64_t count = CountOf(source.box);
  const Dims index = count > 0 ? IndexIn(source.box, 0) : Dims();
  const bool is_one = count == kMostSourceElements;
  constexpr const char* kRoles[] = {"value", "compared", "place"};
  return ObjectJson({{"name", instruction.name()},
                     {"shown", ShownName(run.document(), instruction)},
                     {"computation", instruction.parent()->name()},
                     {"device", facts.device},
                     {"iterations", WhyIterationsJson(facts)},
                     {"path", DimsJson(source.path)},
                     {"index", DimsJson(index)},
                     {"elements", BoxText(source.box)},
                     {"box", WhyBoxJson(source.box)},
                     {"count", count},
                     {"value", is_one ? Json(WhyValueAt(origins, source.step, source.path, index))
                                      : Json(nullptr)},
                     {"role", kRoles[static_cast<size_t>(source.role)]}});
}

Json WhyRowJson(WhyRun& run, const ChainLink& link, const LineTable& lines) {
  const StepFacts facts = run.origins().Facts(link.place.step);
  const Instruction& instruction = *facts.instruction;
  Json sources = Json::array();
  for (const ElementsInRun& source : link.sources) {
    if (sources.size() == kMostWhySourcesShown) break;
    sources.push_back(WhySourceJson(run, source));
  }
  Json row = WhyStepJson(run, facts, lines);
  row["path"] = DimsJson(link.place.path);
  row["index"] = DimsJson(link.place.index);
  row["value"] = WhyValueAt(run.origins(), link.place.step, link.place.path, link.place.index);
  row["rule"] = DependenceWords(instruction.opcode());
  row["sources"] = std::move(sources);
  row["sourceCount"] = link.sources.size();
  return row;
}

std::string WhyRowText(WhyRun& run, const ChainLink& link, const LineTable& lines) {
  const StepFacts facts = run.origins().Facts(link.place.step);
  const Instruction& instruction = *facts.instruction;
  std::string text = fmt::format(
      "line {}: {}{} = {}  ({}{})\n", lines.At(instruction.places().whole.begin).line,
      ShownName(run.document(), instruction), WhyIndexText(link.place.path, link.place.index),
      WhyValueAt(run.origins(), link.place.step, link.place.path, link.place.index),
      Text(instruction.opcode()), WhyWhenText(run, facts));
  for (size_t i = 0; i < link.sources.size(); ++i) {
    if (i == kMostWhySourcesInText) {
      text += fmt::format("    and {} more\n", link.sources.size() - i);
      break;
    }
    const ElementsInRun& source = link.sources[i];
    const StepFacts from = run.origins().Facts(source.step);
    std::string path;
    for (const int64_t part : source.path) path += fmt::format("[{}]", part);
    text += fmt::format("    from {}{}{}", ShownName(run.document(), *from.instruction), path,
                        BoxText(source.box));
    if (CountOf(source.box) == kMostSourceElements) {
      text += " = " + WhyValueAt(run.origins(), source.step, source.path, IndexIn(source.box, 0));
    }
    if (source.role == SourceRole::kCompared) text += "  (was compared)";
    if (source.role == SourceRole::kPlace) text += "  (says which)";
    text += "\n";
  }
  return text;
}

std::string NoneOf(FirstKind wanted) {
  switch (wanted) {
    case FirstKind::kNan:
      return "no value of the run has a NaN";
    case FirstKind::kInfinity:
      return "no operation of the run made an infinity of finite numbers";
    case FirstKind::kNonFinite:
      return "no operation of the run made a NaN or an infinity";
    case FirstKind::kOverflow:
      return "nothing overflowed";
    case FirstKind::kUnderflow:
      return "nothing underflowed to zero";
    case FirstKind::kLoss:
      break;
  }
  return "no sum or conversion of the run lost precision by cancellation or rounding";
}

}  // namespace

WhyQuestion ParseWhyQuestion(std::string_view options) {
  WhyQuestion question;
  const Json json = ParseJson(options);
  if (!json.is_object()) return question;
  question.first = FirstKindFromText(WhyTextOf(json, "first"));
  const auto reach = json.find("reach");
  question.reach = reach != json.end() && reach->is_boolean() && reach->get<bool>();
  const auto element = json.find("element");
  if (element == json.end() || !element->is_object()) return question;
  question.name = WhyTextOf(*element, "name");
  question.computation = WhyTextOf(*element, "computation");
  if (const std::string entry = WhyTextOf(*element, "entry"); !entry.empty())
    question.entry = entry;
  const auto device = element->find("device");
  if (device != element->end() && device->is_number_integer()) {
    question.device = device->get<int64_t>();
  }
  question.iterations = WhyIntegersOf(*element, "iterations");
  question.path = WhyIntegersOf(*element, "path").value_or(std::vector<int64_t>());
  question.index = WhyIntegersOf(*element, "index");
  return question;
}

std::optional<WhyQuestion> WhyQuestionFromText(std::string_view text) {
  WhyQuestion question;
  const size_t open = text.find('[');
  if (open != text.npos) {
    if (text.back() != ']') return std::nullopt;
    std::string_view list = text.substr(open + 1, text.size() - open - 2);
    question.index.emplace();
    while (!list.empty()) {
      // Elements of tuples may have brackets of their own: NAME[1][0,2].
      const size_t comma = std::min(list.find_first_of(",]"), list.size());
      int64_t number = 0;
      const auto [end, error] = std::from_chars(list.data(), list.data() + comma, number);
      if (error != std::errc() || end != list.data() + comma || number < 0) return std::nullopt;
      question.index->push_back(number);
      const std::string_view rest = list.substr(comma);
      if (rest.starts_with(']') && !rest.starts_with("][")) return std::nullopt;
      list.remove_prefix(std::min<size_t>(comma + (rest.starts_with(']') ? 2 : 1), list.size()));
    }
    text = text.substr(0, open);
  }
  const size_t slash = text.rfind('/');
  if (slash != text.npos) question.computation = BareName(text.substr(0, slash));
  question.name = BareName(slash == text.npos ? text : text.substr(slash + 1));
  if (question.name.empty()) return std::nullopt;
  return question;
}

WhyRun::WhyRun(std::shared_ptr<const Document> document, const RunRequest& request)
    : run_(std::move(document), request) {
  Timeline* timeline = run_.timeline();
  Diagnostics faults;
  const bool is_recorded = timeline && Guarded(faults, [&] {
                             while (!timeline->Record(100)) {
                             }
                             origins_ = std::make_unique<Origins>(*timeline);
                           });
  diagnostics_ = is_recorded || !timeline ? run_.diagnostics() : std::move(faults);
}

const Instruction* WhyRun::Find(const WhyQuestion& question, std::vector<int64_t>* path,
                                std::string* problem) const {
  const Module& module = *document().module();
  *path = question.path;
  if (!question.name.empty()) {
    if (question.computation.empty()) return OneInstruction(document(), question.name, problem);
    const Instruction* named = NamedInstruction(document(), question.computation, question.name);
    if (named) return named;
    return OneInstruction(document(), fmt::format("{}/{}", question.computation, question.name),
                          problem);
  }
  const std::string_view entry = question.entry;
  constexpr std::string_view kInput = "input:";
  if (!entry.starts_with(kInput)) return module.entry()->root();
  size_t number = 0;
  const auto digits = entry.substr(kInput.size());
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const auto& parameters = module.entry()->parameters();
  return number < parameters.size() ? parameters[number] : nullptr;
}

std::optional<PlaceInRun> WhyRun::PlaceOf(const WhyQuestion& question, std::string* problem) {
  std::vector<int64_t> path;
  const Instruction* instruction = Find(question, &path, problem);
  if (!instruction) {
    if (problem->empty()) *problem = fmt::format("there is no instruction '{}'", question.entry);
    return std::nullopt;
  }
  const std::string shown = ShownName(document(), *instruction);
  const auto step = StepOf(*timeline(), *instruction, question.device,
                           question.iterations ? &*question.iterations : nullptr);
  if (!step) {
    *problem = fmt::format("'{}' has no value in this run: it was not executed", shown);
    return std::nullopt;
  }
  if (!question.index) {
    const auto unusual = origins_->FirstNonFinite(*step, Dims(path.begin(), path.end()));
    if (unusual) return unusual;
  }
  // Indices of tuples come first, as far as they lead to an array.
  const Value value = origins_->Facts(*step).value;
  Dims to(path.begin(), path.end());
  std::vector<int64_t> index = question.index.value_or(std::vector<int64_t>());
  const Value* at = &value;
  for (const int64_t part : path) {
    if (!at->is_tuple() || part < 0 || part >= std::ssize(at->elements())) break;
    at = &at->elements()[static_cast<size_t>(part)];
  }
  size_t used = 0;
  while (at->is_tuple() && !at->elements().empty()) {
    const int64_t part = used < index.size() ? index[used] : question.index ? -1 : 0;
    if (part < 0 || part >= std::ssize(at->elements())) break;
    used = std::min(used + 1, index.size());
    to.push_back(part);
    at = &at->elements()[static_cast<size_t>(part)];
  }
  index.erase(index.begin(), index.begin() + static_cast<int64_t>(used));
  const Tensor* array = ArrayAt(value, to);
  if (!array || array->element_count() == 0) {
    *problem =
        fmt::format("'{}' has no such element: it is {}", shown, ShapeName(instruction->shape()));
    return std::nullopt;
  }
  Dims there(index.begin(), index.end());
  if (!question.index) there = Unravel(0, array->dims());
  bool is_inside = there.size() == array->dims().size();
  for (size_t i = 0; is_inside && i < there.size(); ++i) {
    is_inside = there[i] >= 0 && there[i] < array->dims()[i];
  }
  if (is_inside) return PlaceInRun{*step, to, there};
  *problem = fmt::format("'{}' is {}: it has no element {}", shown, ShapeName(instruction->shape()),
                         WhyIndexText(to, there));
  return std::nullopt;
}

WhyAnswer WhyRun::Ask(const WhyQuestion& question) {
  WhyAnswer answer;
  if (!timeline()) {
    answer.problem = "the program could not be run";
    return answer;
  }
  Diagnostics faults;
  const bool is_answered = Guarded(faults, [&] {
    timeline()->budget()->Restart();
    std::optional<PlaceInRun> place;
    if (question.first) {
      answer.found = FindFirst(*timeline(), *question.first, timeline()->length());
      if (answer.found) place = answer.found->place;
      if (!place) answer.problem = NoneOf(*question.first);
    } else {
      place = PlaceOf(question, &answer.problem);
    }
    if (place && question.reach) {
      answer.reach = ReachFrom(*timeline(), *place);
    } else if (place) {
      answer.chain = ChainFrom(*origins_, *place);
    }
  });
  if (!is_answered) {
    answer = WhyAnswer();
    answer.problem = faults.empty() ? "no memory is left" : faults.list()[0].message;
  }
  return answer;
}

std::string WhyJson(WhyRun& run, const WhyAnswer& answer) {
  Json rows = Json::array();
  const LineTable lines(run.document().text());
  for (const ChainLink& link : answer.chain.links) rows.push_back(WhyRowJson(run, link, lines));
  Json found = nullptr;
  if (answer.found) {
    found = ObjectJson({{"words", answer.found->words}, {"lostBits", answer.found->lost_bits}});
  }
  return JsonText(
      ObjectJson({{"problem", answer.problem},
                  {"diagnostics", DiagnosticsJson(run.diagnostics(), run.document().map())},
                  {"found", std::move(found)},
                  {"rows", std::move(rows)},
                  {"skipped", answer.chain.skipped},
                  {"beforeGap", answer.chain.before_gap},
                  {"complete", answer.chain.is_complete},
                  {"reach", answer.reach ? ReachJson(run, *answer.reach, lines) : Json(nullptr)},
                  {"steps", run.timeline() ? run.timeline()->length() : 0}}));
}

std::string WhyFailedJson(const Diagnostics& faults) {
  const std::string& problem =
      faults.empty() ? std::string("no memory is left") : faults.list()[0].message;
  return JsonText(ObjectJson({{"problem", problem},
                              {"diagnostics", Json::array()},
                              {"found", nullptr},
                              {"rows", Json::array()},
                              {"skipped", 0},
                              {"beforeGap", 0},
                              {"complete", false},
                              {"reach", nullptr},
                              {"steps", 0}}));
}

std::string WhyText(WhyRun& run, const WhyAnswer& answer) {
  if (!answer.problem.empty()) return answer.problem + "\n";
  std::string text;
  if (answer.found) text += answer.found->words + "\n\n";
  const LineTable lines(run.document().text());
  if (answer.reach) return text + ReachText(run, *answer.reach, lines);
  for (size_t i = 0; i < answer.chain.links.size(); ++i) {
    if (answer.chain.skipped > 0 && i == answer.chain.before_gap) {
      text += fmt::format("... {} more ...\n", answer.chain.skipped);
    }
    text += WhyRowText(run, answer.chain.links[i], lines);
  }
  if (!answer.chain.is_complete && !answer.found) text += "and so on\n";
  return text;
}

}  // namespace hlo
