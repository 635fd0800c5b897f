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
  std::string problem;
  const auto write_module = [&](std::string_view ending, const CodeBytes& module) {
    if (module.empty()) return true;
    const std::string_view bytes(reinterpret_cast<const char*>(module.data()), module.size());
    if (!WriteWhole(base + std::string(ending), bytes, &problem)) return false;
    fmt::format_to(std::back_inserter(result.out), "{}{}: {} bytes, {} bytes of memory\n", base,
                   ending, module.size(), view.memory_bytes);
    return true;
  };
  if (write_module(".wasm", view.module) && write_module(".fused.wasm", view.fused_module) &&
      WriteWhole(base + ".mjs", view.script, &problem)) {
    fmt::format_to(std::back_inserter(result.out), "{}.mjs\n", base);
    return;
  }
  result.out.clear();
  fmt::format_to(std::back_inserter(result.err), "hlo: {}\n", problem);
  result.status = std::max(result.status, kExitUsage);
}

}  // namespace hlo
