// Judges the engine by an outside corpus:
//   conformance DIR [--suite NAME]... [--list FILE] [--write-list] [--all]
// Prints per suite how many cases hold, and the first line of each failure that the list does not
// know. Fails on a case that does not hold and is not listed, and on a listed one that holds or
// does not exist. --write-list prints list lines for what fails; --all prints listed failures too.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/conformance/exceptions.h"
#include "tests/conformance/suites.h"

namespace {

struct Options {
  std::string corpus;
  std::vector<std::string> suites;
  std::string list;
  bool write_list = false;
  bool all = false;
};

std::optional<Options> ParseOptions(const std::vector<std::string>& args) {
  Options options;
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "--write-list") {
      options.write_list = true;
    } else if (args[i] == "--all") {
      options.all = true;
    } else if ((args[i] == "--suite" || args[i] == "--list") && i + 1 < args.size()) {
      const std::string& value = args[i + 1];
      args[i] == "--suite" ? options.suites.push_back(value) : void(options.list = value);
      ++i;
    } else if (options.corpus.empty() && !args[i].starts_with("-")) {
      options.corpus = args[i];
    } else {
      return std::nullopt;
    }
  }
  if (options.corpus.empty()) return std::nullopt;
  return options;
}

// Compares one suite with the list; returns the number of surprises.
size_t Judge(const hlo::Suite& suite, const hlo::Exceptions& exceptions, const Options& options) {
  const std::string name(suite.name);
  std::vector<hlo::CaseResult> results;
  const hlo::CaseResult whole = hlo::RunGuarded("(the suite)", [&] {
    results = suite.run(options.corpus, suite.name);
    return std::string();
  });
  if (!whole.failure.empty()) results.push_back(whole);
  size_t passed = 0;
  size_t surprises = 0;
  std::set<std::string> seen;
  for (const hlo::CaseResult& result : results) {
    seen.insert(result.name);
    const bool holds = result.failure.empty();
    const bool listed = exceptions.Lists(name, result.name);
    passed += holds;
    if (options.write_list) {
      if (!holds) fmt::print("{}/{}  # {}\n", name, result.name, result.failure.substr(0, 100));
    } else if (!holds && (!listed || (options.all && !exceptions.ListsSuite(name)))) {
      fmt::print("{} {}/{}: {}\n", listed ? "listed" : "FAILED", name, result.name,
                 result.failure.substr(0, 300));
    } else if (holds && listed) {
      fmt::print("PASSES, BUT IS LISTED {}/{}\n", name, result.name);
    }
    surprises += holds == listed;
  }
  for (const std::string& listed : exceptions.CasesOf(name)) {
    if (seen.count(listed)) continue;
    fmt::print("LISTED, BUT DOES NOT EXIST {}/{}\n", name, listed);
    ++surprises;
  }
  if (!options.write_list) fmt::print("{}: {} of {}\n", name, passed, results.size());
  return surprises;
}

}  // namespace

int main(int argc, char** argv) {
  const auto options = ParseOptions({argv + 1, argv + argc});
  if (!options) {
    fmt::print(stderr, "conformance DIR [--suite NAME]... [--list FILE] [--write-list] [--all]\n");
    return 2;
  }
  std::error_code error;
  if (!options->list.empty() && !std::filesystem::is_regular_file(options->list, error)) {
    fmt::print(stderr, "conformance: {} cannot be read\n", options->list);
    return 2;
  }
  const hlo::Exceptions exceptions(options->list.empty() ? "" : hlo::ReadFile(options->list));
  size_t surprises = 0;
  for (const std::string& line : exceptions.problems()) {
    fmt::print("WITHOUT A REASON {}\n", line);
    ++surprises;
  }
  for (const hlo::Suite& suite : hlo::Suites()) {
    const auto& wanted = options->suites;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), suite.name) == wanted.end()) {
      continue;
    }
    surprises += Judge(suite, exceptions, *options);
    std::fflush(stdout);
  }
  if (!options->write_list) fmt::print("{} surprises\n", surprises);
  return surprises == 0 || options->write_list ? 0 : 1;
}
