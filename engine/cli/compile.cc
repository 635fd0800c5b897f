#include "engine/cli/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <system_error>

#include "engine/cli/files.h"

namespace hlo {

std::string StandaloneName(const std::string& path) {
  std::string name = std::filesystem::path(path).stem().string();
  // It becomes part of an address and of a comment.
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '_';
  };
  for (char& c : name) {
    if (!is_plain(static_cast<unsigned char>(c)) && c != '-') c = '_';
  }
  return path == "-" || name.empty() ? "program" : name;
}

void WriteStandalone(const StandaloneView& view, const std::string& name, const std::string& folder,
                     CommandResult& result) {
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  const std::string base = (std::filesystem::path(folder) / name).string();
  const std::string_view module(reinterpret_cast<const char*>(view.module.data()),
                                view.module.size());
  std::string problem;
  if (WriteWhole(base + ".wasm", module, &problem) &&
      WriteWhole(base + ".mjs", view.script, &problem)) {
    fmt::format_to(std::back_inserter(result.out),
                   "{0}.wasm: {1} bytes, {2} bytes of memory\n{0}.mjs\n", base, view.module.size(),
                   view.memory_bytes);
    return;
  }
  fmt::format_to(std::back_inserter(result.err), "hlo: {}\n", problem);
  result.status = std::max(result.status, kExitUsage);
}

}  // namespace hlo
