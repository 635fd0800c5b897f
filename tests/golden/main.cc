// Runs the golden files under a folder (or single files): `golden [--update] [PATH...]`, by default
// tests/data. With --update the expectations of failing cases are rewritten to what came out.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "tests/golden/golden_case.h"
#include "tests/golden/read_file.h"
#include "tests/golden/round_trip.h"
#include "tests/golden/rule_table.h"

namespace {

namespace fs = std::filesystem;

struct Totals {
  size_t passed = 0;
  size_t failed = 0;
  size_t converted = 0;           ///< run cases whose round trip through StableHLO passed
  std::set<std::string> missing;  ///< what has no counterpart there
};

std::vector<fs::path> FilesUnder(const std::vector<std::string>& roots) {
  std::vector<fs::path> files;
  for (const std::string& root : roots) {
    if (fs::is_regular_file(root)) files.emplace_back(root);
    if (!fs::is_directory(root)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      const fs::path extension = entry.path().extension();
      const bool golden = extension == ".hlo" || extension == ".mlir" || extension == ".layout";
      if (golden) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

// A run case that passed also has to mean the same as StableHLO.
bool Converts(const fs::path& path, const hlo::GoldenCase& golden, Totals& totals) {
  if (golden.mode != hlo::GoldenCase::Mode::kRun) return true;
  const hlo::RoundTrip trip = hlo::RunRoundTrip(golden);
  if (!trip.passed) {
    fmt::print("FAILED {}:{} as StableHLO\n{}", path.string(), golden.first_line, trip.failure);
  }
  totals.converted += trip.passed && trip.missing.empty();
  totals.missing.insert(trip.missing.begin(), trip.missing.end());
  return trip.passed;
}

void RunFile(const fs::path& path, bool update, hlo::RuleTable* rules, Totals& totals) {
  std::string updated;
  bool changed = false;
  const std::vector<hlo::GoldenCase> cases = hlo::ReadGoldenCases(hlo::ReadFile(path));
  for (const hlo::GoldenCase& golden : cases) {
    if (rules) rules->Add(golden, fmt::format("{}:{}", path.string(), golden.first_line));
    const hlo::GoldenResult result = hlo::RunGoldenCase(golden);
    std::vector<std::string> lines = golden.lines;
    if (!result.passed && update && !result.expectations.empty()) {
      lines = hlo::UpdatedLines(golden, result);
      changed = true;
      fmt::print("updated {}:{}\n", path.string(), golden.first_line);
    } else if (!result.passed) {
      ++totals.failed;
      fmt::print("FAILED {}:{}\n{}", path.string(), golden.first_line, result.failure);
    }
    const bool converts = !result.passed || Converts(path, golden, totals);
    totals.passed += result.passed && converts;
    totals.failed += !converts;
    if (&golden != &cases.front()) updated += "// -----\n";
    for (const std::string& line : lines) updated += line + "\n";
  }
  if (changed) std::ofstream(path, std::ios::binary) << updated;
}

// What cannot be converted is listed beside the cases, in alphabetical order.
void CheckMissing(const fs::path& list, bool update, Totals& totals) {
  if (!fs::exists(list)) return;
  std::string text;
  for (const std::string& missing : totals.missing) text += missing + "\n";
  if (hlo::ReadFile(list) == text) {
    ++totals.passed;
  } else if (update) {
    fmt::print("updated {}\n", list.string());
    std::ofstream(list, std::ios::binary) << text;
  } else {
    ++totals.failed;
    fmt::print("FAILED {}: what has no counterpart is now\n{}", list.string(), text);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> roots(argv + 1, argv + argc);
  const auto flag = std::find(roots.begin(), roots.end(), "--update");
  const bool update = flag != roots.end();
  if (update) roots.erase(flag);
  if (roots.empty()) roots.emplace_back("tests/data");
  Totals totals;
  const std::vector<fs::path> files = FilesUnder(roots);
  hlo::RuleTables tables;
  for (const fs::path& file : files) RunFile(file, update, tables.Of(file), totals);
  for (const std::string& fault : tables.Faults(roots)) {
    ++totals.failed;
    fmt::print("FAILED {}\n", fault);
  }
  for (const std::string& root : roots) {
    if (fs::is_directory(root)) CheckMissing(fs::path(root) / "no_counterpart.txt", update, totals);
  }
  fmt::print("{} run cases mean the same as StableHLO\n", totals.converted);
  fmt::print("{} passed, {} failed\n", totals.passed, totals.failed);
  return totals.failed == 0 && !files.empty() ? 0 : 1;
}
