#include "tests/conformance/stablehlo_files.h"

#include "engine/views/json.h"

namespace hlo {

using nlohmann::json;

std::vector<StablehloFile> StablehloFiles(const std::filesystem::path& corpus,
                                          std::string_view folder,
                                          std::vector<CaseResult>* results) {
  std::vector<StablehloFile> files;
  for (const json& entry : ReadIndex(corpus / "stablehlo" / "index.json", results)) {
    CaseResult read = RunGuarded("(no name)", [&] {
      const std::string file = entry.at("file");
      const bool is_here = folder.empty() || file.substr(0, file.find('/')) == folder;
      if (!is_here) return std::string();
      const std::string stem = file.substr(0, file.rfind('.'));
      const json& disabled = entry.at("disabled");
      files.push_back({stem.substr(folder.empty() ? 0 : folder.size() + 1),
                       corpus / "stablehlo" / file, disabled.empty() ? "" : disabled.dump(),
                       entry.at("interp").get<bool>(), entry.at("dynamic").get<bool>()});
      return std::string();
    });
    if (!read.failure.empty()) results->push_back(std::move(read));
  }
  return files;
}

std::vector<std::string> ModulesOf(const std::string& text) {
  std::vector<std::string> programs;
  size_t begin = 0;
  while (begin != std::string::npos) {
    const size_t end = text.find("\n// -----", begin);
    programs.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
    begin = end == std::string::npos ? end : text.find('\n', end + 1);
  }
  return programs;
}

}  // namespace hlo
