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

Json ObjectJson(std::initializer_list<JsonMember> members) {
  Json object = Json::object();
  for (const JsonMember& member : members) {
    object.get_ref<Json::object_t&>().emplace_back(member.key, std::move(member.value));
  }
  return object;
}

Json ParseJson(std::string_view text) {
  if (!IsShallow(text)) return Json(nlohmann::detail::value_t::discarded);
  // Not Json::parse, which instantiates a second parser, for callbacks.
  Json json;
  nlohmann::detail::json_sax_dom_parser<Json> builder(json, /*allow_exceptions_=*/false);
  if (!Json::sax_parse(text, &builder)) return Json(nlohmann::detail::value_t::discarded);
  return json;
}

}  // namespace hlo
