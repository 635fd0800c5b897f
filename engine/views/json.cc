#include "engine/views/json.h"

namespace hlo {
namespace {

bool IsShallow(std::string_view text) {
  int level = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') ++i;
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '[' || c == '{') ++level;
    if (c == ']' || c == '}') --level;
    if (level > kMostJsonLevels) return false;
  }
  return true;
}

}  // namespace

Json ParseJson(std::string_view text) {
  if (!IsShallow(text)) return Json(nlohmann::detail::value_t::discarded);
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

}  // namespace hlo
