// Tables of rules beside golden cases: `RULES.md` in a folder of golden files. Every row has a case
// that shows it, and every case says which rows it shows.
#ifndef HLO_TESTS_GOLDEN_RULE_TABLE_H_
#define HLO_TESTS_GOLDEN_RULE_TABLE_H_

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/golden/golden_case.h"

namespace hlo {

/// The rules of one folder and the cases that show them. A row is a line of a Markdown table whose
/// first cell is the rule's name in backquotes: "| `name-of-the-rule` | ...".
class RuleTable {
 public:
  /// `text` is that of `RULES.md`.
  explicit RuleTable(std::string_view text);

  /// Notes what a case of the folder shows; `place` ("file:line") is for messages.
  void Add(const GoldenCase& golden, const std::string& place);
  /// What is wrong, a line each: rules without a case, cases without a rule, names that are no row,
  /// rows given twice.
  std::vector<std::string> Faults() const;
  size_t size() const { return cases_of_.size(); }

 private:
  std::map<std::string, size_t, std::less<>> cases_of_;
  std::vector<std::string> faults_;
};

/// The tables in the folders of golden files, found by file.
class RuleTables {
 public:
  /// The table of the nearest folder that holds the file and has a `RULES.md`; null if none has.
  RuleTable* Of(const std::filesystem::path& file);
  /// Faults of the tables whose folder lies in one of the roots, each after its file's name. Of the
  /// others not all cases were run.
  std::vector<std::string> Faults(const std::vector<std::string>& roots) const;

 private:
  std::map<std::filesystem::path, RuleTable> tables_;
};

}  // namespace hlo

#endif  // HLO_TESTS_GOLDEN_RULE_TABLE_H_
