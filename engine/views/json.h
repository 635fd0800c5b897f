// JSON as the engine's answers use it.
#ifndef HLO_ENGINE_VIEWS_JSON_H_
#define HLO_ENGINE_VIEWS_JSON_H_

#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

// The library destroys arrays and objects with a heap-allocated stack, and terminates the program
// if there is no memory for it. This one recurses instead: answers have few levels, and ParseJson
// refuses deeply nested texts.
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

/// A member of an object built by ObjectJson.
struct JsonMember {
  const char* key;
  mutable Json value;  ///< Moved into the object.
};
/// An object with these members in order. Generates far less code than the library's initializer
/// lists.
Json ObjectJson(std::initializer_list<JsonMember> members);

/// The maximum nesting depth of arrays and objects.
inline constexpr int kMostJsonLevels = 100;

/// The parsed text; a discarded value (`is_discarded`) if it is not JSON or nested too deep.
Json ParseJson(std::string_view text);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_JSON_H_
