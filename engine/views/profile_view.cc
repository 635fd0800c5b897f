#include "engine/views/profile_view.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "engine/views/json.h"
#include "engine/views/names.h"
#include "engine/views/run_view.h"

namespace hlo {
namespace {

constexpr std::string_view kHow[] = {"island", "operation", "blocks", "code"};
constexpr int kMostRows = 400;  // of both lists

Json EntryJson(const ProfileEntry& entry, const Document& document) {
  const Instruction& last = *entry.last;
  Json json = ObjectJson({{"how", kHow[static_cast<size_t>(entry.how)]},
                          {"shown", ShownName(document, last)},
                          {"opcode", Text(last.opcode())},
                          {"computation", ShownName(document, *last.parent())},
                          {"range", RangeJson(last.places().whole, document.map())},
                          {"instructions", InstructionsJson(entry.instructions, document)},
                          {"times", entry.count.times},
                          {"seconds", entry.count.seconds()}});
  if (entry.how == ProfileEntry::How::kIsland) json["steps"] = entry.steps;
  if (entry.ran_in) json["ranIn"] = ShownName(document, *entry.ran_in);
  return json;
}

}  // namespace

Json ProfileJson(const RunRecord& record) {
  const auto& entries = record.profile->entries();
  // Of many those that took their share: few can.
  double least = 0;
  if (entries.size() > size_t{kMostRows}) {
    for (const auto& entry : entries) least += entry->count.seconds() / kMostRows;
  }
  Json lists[] = {Json::array(), Json::array()};
  size_t counts[] = {0, 0};
  uint64_t other_steps = record.budget->steps_used();
  double other_seconds = record.executed_seconds;
  for (const auto& entry : entries) {
    const size_t list = entry->how == ProfileEntry::How::kIsland ? 0 : 1;
    const double seconds = entry->count.seconds();
    ++counts[list];
    if (seconds >= least) lists[list].push_back(EntryJson(*entry, *record.document));
    if (entry->is_in_island) continue;
    other_seconds -= seconds;
    other_steps -= entry->steps;
  }
  Json executor = nullptr;
  if (other_steps > 0) {
    executor = ObjectJson({{"steps", other_steps}, {"seconds", std::max(other_seconds, 0.0)}});
  }
  return ObjectJson({{"islands", std::move(lists[0])},
                     {"islandCount", counts[0]},
                     {"steps", std::move(lists[1])},
                     {"stepCount", counts[1]},
                     {"executor", std::move(executor)}});
}

}  // namespace hlo
