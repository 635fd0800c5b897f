#include "engine/views/non_finite.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "engine/views/json.h"

namespace hlo {
namespace {

// Buffers and lists of elements are shared by values: each is read once.
class NonFiniteScan {
 public:
  NonFinite Of(const Value& value) {
    if (value.is_array()) {
      const Tensor& tensor = value.tensor();
      return Once({tensor.bytes(), tensor.element_type()}, [&] { return NonFiniteIn(tensor); });
    }
    if (!value.is_tuple()) return {};
    return Once({&value.elements(), ElementType::kPred}, [&] {
      NonFinite all;
      for (const Value& element : value.elements()) {
        const NonFinite one = Of(element);
        all.nan |= one.nan;
        all.infinity |= one.infinity;
      }
      return all;
    });
  }

 private:
  // A buffer may be read as elements of several types.
  using Key = std::pair<const void*, ElementType>;
  template <typename Make>
  NonFinite Once(Key held, Make make) {
    const auto known = known_.find(held);
    if (known != known_.end()) return known->second;
    const NonFinite made = make();
    known_.emplace(held, made);
    return made;
  }

  std::map<Key, NonFinite> known_;
};

}  // namespace

std::vector<NonFiniteEntry> NonFiniteEntries(const RunRecord& record) {
  std::vector<NonFiniteEntry> found;
  NonFiniteScan scanner;
  for (const TraceEntry* entry : record.entries) {
    if (entry->dropped) continue;
    const NonFinite in = scanner.Of(entry->value);
    if (in.any()) found.push_back({entry->id, in});
  }
  return found;
}

std::string NonFiniteJson(const RunRecord& record) {
  Json json = Json::array();
  const auto add = [&](Json id, const NonFinite& found) {
    if (!found.any()) return;
    Json row = Json::array();
    row.push_back(std::move(id));
    row.push_back(found.nan ? 1 : 0);
    row.push_back(found.infinity ? 1 : 0);
    json.push_back(std::move(row));
  };
  for (const NonFiniteEntry& entry : NonFiniteEntries(record)) add(entry.id, entry.found);
  NonFiniteScan scanner;
  if (record.output) add("output", scanner.Of(*record.output));
  for (size_t device = 1; device < record.devices.size(); ++device) {
    const std::optional<Value>& output = record.devices[device].output;
    if (output) add(fmt::format("output@{}", device), scanner.Of(*output));
  }
  return JsonText(json);
}

}  // namespace hlo
