#include "engine/views/list_window.h"

#include "engine/views/json.h"

namespace hlo {

ListWindow ParseListWindow(std::string_view json) {
  ListWindow window;
  const Json object = ParseJson(json);
  if (!object.is_object()) return window;
  const auto read = [&](const char* name, int64_t* number) {
    const auto found = object.find(name);
    if (found == object.end() || !found->is_number()) return;
    const double value = found->get<double>();
    if (value >= 0 && value <= 1e15) *number = static_cast<int64_t>(value);
  };
  read("begin", &window.begin);
  read("count", &window.count);
  return window;
}

}  // namespace hlo
