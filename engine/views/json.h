// JSON as the answers of the engine are made of it.
#ifndef HLO_ENGINE_VIEWS_JSON_H_
#define HLO_ENGINE_VIEWS_JSON_H_

#include <initializer_list>
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

/// A member of an object that is made at once.
struct JsonMember {
  const char* key;
  mutable Json value;  ///< Moved into the object.
};
/// An object of these members in order. Takes a fraction of the code that the library's own lists
/// in braces do.
Json ObjectJson(std::initializer_list<JsonMember> members);

/// Arrays and objects may lie in one another this deep.
inline constexpr int kMostJsonLevels = 100;

/// What the text says; a discarded value (`is_discarded`) where it is no JSON, or nested too deep.
Json ParseJson(std::string_view text);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_JSON_H_
