#include "engine/cli/debug_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <sstream>
#include <utility>
#include <vector>

#include "engine/base/budget.h"
#include "engine/cli/dump_files.h"
#include "engine/cli/files.h"
#include "engine/cli/reporting.h"
#include "engine/cli/run_arguments.h"
#include "engine/views/debug_view.h"
#include "engine/views/names.h"

namespace hlo {
namespace {

constexpr std::string_view kDebugHelp =
    "  into | over | out             the next step of the device; not into calls; out of one\n"
    "  back-into | back-over | back-out   the same backwards (step, next and back are short for\n"
    "                                into, over and back-into); each takes a number of times\n"
    "  until CONDITION, back-until CONDITION   to the next or last step that fulfils it\n"
    "  break CONDITION, delete N     a breakpoint; one less\n"
    "  continue, back-continue       to the next or last breakpoint, else to the end\n"
    "  go N, start, end              to a position, from 0 to the number of steps\n"
    "  print VALUE                   the last value before here: NAME, NAME[2,3], NAME[0:4, 2], "
    "or\n"
    "                                min, max, mean, sum, norm, nans, infs, zeros of one\n"
    "  history VALUE                 the same over the run\n"
    "  where, steps N, devices, device D   the calls; the last N steps; what devices do; which one "
    "to follow\n"
    "  A CONDITION is one of these, or several joined by \"and\":\n";

std::string DebugHelp() {
  std::string help(kDebugHelp);
  for (const ConditionForm& form : ConditionForms()) {
    help += fmt::format("  {:<30}{}\n", form.form, form.about);
  }
  help +=
      "  RUN is FILE, another program with the same inputs; or FILE with --input N=VALUE and\n"
      "  --seed N behind it\n";
  return help;
}

// Another run, as a condition names it: FILE [--input N=VALUE]... [--seed S]. Null, with the
// reason.
std::shared_ptr<Debugger> RunNamed(std::string_view name, const RunRequest& like,
                                   std::string* problem) {
  constexpr std::string_view kOption = " --";
  const auto cut = [&](std::string_view text) { return std::min(text.find(kOption), text.size()); };
  const auto trimmed = [](std::string_view text) {
    return std::string(text.substr(0, text.find_last_not_of(' ') + 1));
  };
  const std::string path = trimmed(name.substr(0, cut(name)));
  auto bytes = ReadWhole(path, problem);
  if (!bytes) return nullptr;
  Diagnostics faults;
  auto file = ProgramFileOf(*bytes, faults);
  RunRequest request = like;
  // A snapshot has arguments of its own.
  if (file && file->dump && !file->dump->arguments.empty()) {
    request.inputs.clear();
    request.files.clear();
    request.device_inputs.clear();
  }
  for (std::string_view rest = name.substr(cut(name)); !rest.empty();) {
    rest.remove_prefix(kOption.size());
    const std::string option = trimmed(rest.substr(0, cut(rest)));
    rest.remove_prefix(cut(rest));
    const std::string value = option.substr(std::min(option.find(' '), option.size() - 1) + 1);
    if (option.starts_with("seed ")) {
      const char* const end = value.data() + value.size();
      const auto read = std::from_chars(value.data(), end, request.options.seed);
      if (read.ec != std::errc() || read.ptr != end) {
        *problem = fmt::format("--seed takes a number, not '{}'", value);
        return nullptr;
      }
    } else if (!option.starts_with("input ")) {
      *problem = fmt::format("'--{}' is not understood: FILE --input N=VALUE --seed S", option);
      return nullptr;
    } else {
      if (!AddInput(value, request, problem)) return nullptr;
    }
  }
  if (file && file->dump) AddArguments(*file->dump, request);
  auto other = std::make_shared<Debugger>(
      std::make_shared<const Document>(file ? std::move(file->text) : std::move(*bytes)), request);
  if (!other->timeline()) {
    const Diagnostics diagnostics = other->diagnostics();
    const auto& list = diagnostics.list();
    *problem = fmt::format("{} cannot be run: {}", path, list.empty() ? "" : list[0].message);
    return nullptr;
  }
  constexpr double kSlice = 1000;  // milliseconds
  while (!other->timeline()->Record(kSlice)) {
  }
  return other;
}

class DebugScript {
 public:
  DebugScript(Debugger& debugger, CommandResult& result)
      : d_(debugger), t_(*debugger.timeline()), result_(result) {}

  // False: no more commands are wanted.
  bool Perform(const std::string& line) {
    std::istringstream words(line);
    std::string word, rest;
    words >> word;
    std::getline(words >> std::ws, rest);
    if (word.empty() || word[0] == '#') return true;
    if (word == "quit") return false;
    if (word == "step") word = "into";
    if (word == "next") word = "over";
    if (word == "back") word = "back-into";
    if (const auto move = MoveFromText(word)) {
      Repeat(*move, rest);
    } else if (word == "until" || word == "back-until") {
      Search({rest}, word == "back-until");
    } else if (word == "continue" || word == "back-continue") {
      Search(breakpoints_, word == "back-continue");
    } else if (!PerformOther(word, rest)) {
      Refuse(fmt::format("there is no command '{}': help lists them", word));
    }
    return true;
  }

 private:
  bool PerformOther(const std::string& word, const std::string& rest) {
    if (word == "go") {
      if (const auto number = Number(rest, 0, t_.length())) GoTo(*number);
    } else if (word == "start") {
      GoTo(0);
    } else if (word == "end") {
      GoTo(t_.length());
    } else if (word == "break") {
      Break(rest);
    } else if (word == "delete") {
      const auto number = Number(rest, 1, static_cast<int64_t>(breakpoints_.size()));
      if (number) breakpoints_.erase(breakpoints_.begin() + (*number - 1));
    } else if (word == "print") {
      Print(rest);
    } else if (word == "history") {
      PrintHistory(rest);
    } else if (word == "where") {
      Where();
    } else if (word == "steps") {
      Steps(rest);
    } else if (word == "devices") {
      Devices();
    } else if (word == "device") {
      const auto count = static_cast<int64_t>(t_.devices().size());
      if (const auto number = Number(rest, 0, count - 1)) device_ = *number;
    } else if (word == "help") {
      result_.out += DebugHelp();
    } else {
      return false;
    }
    return true;
  }

  void Refuse(std::string_view why) {
    result_.out += fmt::format("? {}\n", why);
    result_.status = std::max(result_.status, 1);
  }

  std::optional<int64_t> Number(const std::string& text, int64_t least, int64_t most) {
    int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc() && at == end && number >= least && number <= most) return number;
    Refuse(most < least ? "there is no breakpoint to delete"
                        : fmt::format("'{}' is not a number from {} to {}", text, least, most));
    return std::nullopt;
  }

  void GoTo(int64_t position) {
    position_ = position;
    if (position == 0) {
      result_.out += "0: before the first step\n";
      return;
    }
    const StepFacts& facts = t_.At(position - 1);
    result_.out += fmt::format("{}: line {}: {}\n", position, d_.LineOf(*facts.instruction),
                               d_.StepLine(facts));
    if (position == t_.length() && t_.failure()) {
      result_.out += fmt::format("the run ends here: {}\n", t_.failure()->message);
    }
  }

  void Repeat(Move move, const std::string& text) {
    const auto times = text.empty() ? 1 : Number(text, 1, int64_t{1} << 40);
    if (!times) return;
    int64_t position = position_;
    for (int64_t i = 0; i < *times; ++i) {
      const int64_t next = MoveFrom(t_, position, device_, move);
      if (next == position) break;
      position = next;
    }
    GoTo(position);
  }

  void Search(const std::vector<std::string>& texts, bool is_back) {
    std::vector<Condition> conditions;
    for (const std::string& text : texts) {
      std::string problem;
      auto condition = d_.Read(text, &problem);
      if (!condition) return Refuse(problem);
      conditions.push_back(std::move(*condition));
    }
    const auto found = d_.Search(conditions, position_, is_back);
    if (!found) result_.out += "no such step; ";
    GoTo(found.value_or(is_back ? 0 : t_.length()));
  }

  void Break(const std::string& text) {
    std::string problem;
    if (!d_.Read(text, &problem)) return Refuse(problem);
    breakpoints_.push_back(text);
    result_.out += fmt::format("breakpoint {}: {}\n", breakpoints_.size(), text);
  }

  void Print(const std::string& text) {
    constexpr int64_t kMostElements = 1000;
    std::string problem;
    const auto measure = ParseMeasure(text, &problem);
    if (!measure) return Refuse(problem);
    const auto facts = d_.ValueBefore(measure->name, -1, position_, &problem);
    if (!facts) return Refuse(problem);
    const auto value = d_.MeasuredText(*measure, *facts, kMostElements, &problem);
    if (!value) return Refuse(problem);
    result_.out += fmt::format("{} = {} (step {})\n", text, *value, facts->step);
  }

  void PrintHistory(const std::string& text) {
    constexpr size_t kMostPoints = 40;
    std::string problem;
    const auto measure = ParseMeasure(text, &problem);
    if (!measure) return Refuse(problem);
    HistoryLimits limits;
    limits.points = kMostPoints;
    limits.milliseconds = 1e9;  // all of the run
    const auto found = d_.HistoryOfWatch(*measure, device_, limits, &problem);
    if (!found) return Refuse(problem);
    const History& history = *found;
    if (history.width > 1) {
      result_.out += fmt::format("  the last of every {} steps, least, most\n", history.width);
    }
    for (size_t i = 0; i < history.steps.size(); ++i) {
      result_.out += fmt::format("  {}:", history.steps[i]);
      for (const HistorySeries& each : history.series) {
        if (!each.label.empty()) result_.out += fmt::format(" {}", each.label);
        result_.out += fmt::format(" {}", each.last[i]);
        if (history.width > 1) result_.out += fmt::format(" {} {}", each.least[i], each.most[i]);
      }
      result_.out += "\n";
    }
  }

  void Where() {
    t_.GoTo(position_);
    for (const Replica::FrameView& frame : Followed().Frames()) {
      const bool at_end = frame.position == frame.plan->instructions.size();
      result_.out += fmt::format("  {}", ShownName(d_.document(), *frame.plan->computation));
      if (*frame.iterations)
        result_.out += fmt::format(" [{}]", fmt::join(**frame.iterations, ","));
      if (at_end) {
        result_.out += " at its end\n";
        continue;
      }
      const Instruction& next = *frame.plan->instructions[frame.position].instruction;
      result_.out += fmt::format(" at line {}: {}\n", d_.LineOf(next), d_.PlaceName(next));
    }
    if (Followed().done()) result_.out += "  the program has ended\n";
  }

  void Steps(const std::string& text) {
    const auto count = text.empty() ? 10 : Number(text, 1, 100000);
    if (!count) return;
    t_.ForEach(std::max<int64_t>(0, position_ - *count), position_, [&](const StepFacts& facts) {
      result_.out += fmt::format("  {}: {}\n", facts.step, d_.StepLine(facts));
      return true;
    });
  }

  void Devices() {
    t_.GoTo(position_);
    for (const auto& replica : t_.devices()) {
      const std::vector<Replica::FrameView> frames = replica->Frames();
      result_.out += fmt::format("  {}", DeviceName(replica->device(), t_.grid()));
      const auto wait = t_.exchange().WaitOf(replica->device());
      if (frames.empty()) {
        result_.out += " has ended\n";
      } else if (wait) {
        result_.out +=
            fmt::format(" waits for {}; missing: {}\n", wait->what, fmt::join(wait->missing, ", "));
      } else {
        const Replica::FrameView& frame = frames.back();
        const bool at_end = frame.position == frame.plan->instructions.size();
        result_.out += fmt::format(
            " is at {}\n",
            at_end ? "the end of " + ShownName(d_.document(), *frame.plan->computation)
                   : d_.PlaceName(*frame.plan->instructions[frame.position].instruction));
      }
    }
  }

  const Replica& Followed() const { return *t_.devices()[static_cast<size_t>(device_)]; }

  Debugger& d_;
  Timeline& t_;
  CommandResult& result_;
  int64_t position_ = 0;
  int64_t device_ = 0;
  std::vector<std::string> breakpoints_;
};

}  // namespace

void DebugProgram(std::shared_ptr<const Document> document, const RunRequest& request,
                  FunctionRef<bool(std::string*)> next, const std::string& file,
                  CommandResult& result) {
  Debugger debugger(std::move(document), request);
  Timeline* const timeline = debugger.timeline();
  if (timeline) {
    constexpr double kSlice = 1000;  // milliseconds
    while (!timeline->Record(kSlice)) {
    }
    result.out += fmt::format("{} steps{}\n", timeline->length(),
                              timeline->failure() ? ", then it fails" : "");
    debugger.set_other_run([&](std::string_view name, std::string* problem) {
      return RunNamed(name, request, problem);
    });
    DebugScript commands(debugger, result);
    bool goes_on = true;
    for (std::string line; goes_on && next(&line);) {
      // What one command could not do says nothing about the next one.
      try {
        goes_on = commands.Perform(line);
      } catch (const RunError& error) {
        result.err += fmt::format("hlo: {}\n", error.message());
        result.status = 1;
      }
    }
  }
  Report(result, debugger.diagnostics(), file, debugger.document().text());
}

}  // namespace hlo
