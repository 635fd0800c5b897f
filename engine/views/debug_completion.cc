#include "engine/views/debug_completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "engine/hlo/source_place.h"
#include "engine/timeline/condition.h"
#include "engine/views/names.h"

namespace hlo {
namespace {

class ConditionCompleter {
 public:
  // What comes before the last clause stays; the clause is completed.
  ConditionCompleter(const Document& document, std::string_view text) : document_(document) {
    constexpr std::string_view kAnd = " and ";
    const size_t at = text.rfind(kAnd);
    size_t begin = at == text.npos ? 0 : at + kAnd.size();
    begin = std::min(text.find_first_not_of(' ', begin), text.size());
    before_ = text.substr(0, begin);
    clause_ = text.substr(begin);
  }

  std::vector<ConditionCompletion> Take() {
    if (!document_.module()) return {};
    if (clause_.starts_with("op ")) {
      Opcodes();
    } else if (clause_.starts_with("source ")) {
      Sources();
    } else {
      Forms();
      Names();
    }
    return std::move(found_);
  }

 private:
  static constexpr size_t kMostNames = 40;

  void Add(std::string_view clause, std::string_view about) {
    if (!clause.starts_with(clause_) || clause == clause_) return;
    found_.push_back({fmt::format("{}{}", before_, clause), std::string(about)});
  }

  // The words that a form begins with, up to what stands for something.
  void Forms() {
    for (const ConditionForm& form : ConditionForms()) {
      const auto* end = std::find_if(form.form.begin(), form.form.end(),
                                     [](char c) { return c >= 'A' && c <= 'Z'; });
      const auto fixed = static_cast<size_t>(end - form.form.begin());
      if (fixed > 0) Add(form.form.substr(0, fixed), form.about);
    }
  }

  template <typename Use>
  void EachInstruction(Use use) {
    for (const Computation& computation : document_.module()->computations()) {
      for (const Instruction& instruction : computation.instructions()) {
        if (found_.size() >= kMostNames) return;
        use(instruction);
      }
    }
  }

  // Names, and after a name what can be said of its value.
  void Names() {
    std::string_view name = clause_;
    std::string_view statistic;
    for (const std::string_view word : StatisticWords()) {
      if (clause_.size() > word.size() && clause_.starts_with(word) &&
          clause_[word.size()] == ' ') {
        statistic = clause_.substr(0, word.size() + 1);
        name.remove_prefix(word.size() + 1);
      }
    }
    const size_t end = name.find_first_of(" [<>=!");
    if (end != name.npos && !InstructionsShownAs(document_, name.substr(0, end)).empty()) {
      const std::string_view left = clause_.substr(0, clause_.find(' ', statistic.size()));
      for (const char* verb : {"changes", "crosses ", "> ", "< ", "== nan"}) {
        Add(fmt::format("{} {}", left, verb), "its value");
      }
      return;
    }
    std::set<std::string> known;
    EachInstruction([&](const Instruction& each) {
      const std::string shown = ShownName(document_, each);
      if (known.insert(shown).second) {
        Add(fmt::format("{}{}", statistic, shown), ShapeName(each.shape()));
      }
    });
  }

  void Opcodes() {
    std::set<std::string> known;
    EachInstruction([&](const Instruction& each) {
      const std::string opcode(Text(each.opcode()));
      if (known.insert(opcode).second) Add("op " + opcode, "");
    });
  }

  void Sources() {
    std::set<std::string> known;
    EachInstruction([&](const Instruction& each) {
      for (const SourcePlace& place : SourcePlacesOf(each, *document_.module())) {
        const std::string_view file = place.file.substr(place.file.rfind('/') + 1);
        const std::string text = place.line > 0 ? fmt::format("source {}:{}", file, place.line)
                                                : fmt::format("source {}", file);
        if (known.insert(text).second) Add(text, "");
      }
    });
  }

  const Document& document_;
  std::string_view before_, clause_;
  std::vector<ConditionCompletion> found_;
};

}  // namespace

std::vector<ConditionCompletion> CompleteCondition(const Document& document,
                                                   std::string_view text) {
  return ConditionCompleter(document, text).Take();
}

}  // namespace hlo
