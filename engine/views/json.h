// JSON as the answers of the engine are made of it.
#ifndef HLO_ENGINE_VIEWS_JSON_H_
#define HLO_ENGINE_VIEWS_JSON_H_

#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

// The library's way to destroy arrays and objects makes room for a stack first, and ends the
// program where there is no memory for it. Ours goes down through the levels instead: answers have
// few, and ParseJson refuses texts with many.
template <>
inline void nlohmann::ordered_json::json_value::destroy(nlohmann::detail::value_t t) {
  const auto remove = [](auto* part) {
    if (!part) return;
    std::destroy_at(part);
    std::allocator<std::remove_pointer_t<decltype(part)>>().deallocate(part, 1);
  };
  if (t == nlohmann::detail::value_t::object) remove(object);
  if (t == nlohmann::detail::value_t::array) remove(array);
  if (t == nlohmann::detail::value_t::string) remove(string);
  if (t == nlohmann::detail::value_t::binary) remove(binary);
}

namespace hlo {

using Json = nlohmann::ordered_json;

/// Arrays and objects may lie in one another this deep.
inline constexpr int kMostJsonLevels = 100;

/// What the text says; a discarded value (`is_discarded`) where it is no JSON, or nested too deep.
Json ParseJson(std::string_view text);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_JSON_H_
