// The files of stablehlo/ and what its index says of them.
#ifndef HLO_TESTS_CONFORMANCE_STABLEHLO_FILES_H_
#define HLO_TESTS_CONFORMANCE_STABLEHLO_FILES_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/conformance/suites.h"

namespace hlo {

/// One file of the index.
struct StablehloFile {
  std::string name;  ///< without its folder and extension
  std::filesystem::path path;
  std::string disabled;  ///< why StableHLO does not run it itself; empty: it does
  bool is_run = false;
  bool is_dynamic = false;
};

/// The files of a folder; an empty one: of all, with their folders in their names. Entries that are
/// malformed become failed cases.
std::vector<StablehloFile> StablehloFiles(const std::filesystem::path& corpus,
                                          std::string_view folder,
                                          std::vector<CaseResult>* results);

/// The programs of a file, which are cut by lines that begin with `// -----`.
std::vector<std::string> ModulesOf(const std::string& text);

}  // namespace hlo

#endif  // HLO_TESTS_CONFORMANCE_STABLEHLO_FILES_H_
