#include "engine/views/profile_view.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "engine/views/json.h"
#include "engine/views/names.h"
#include "engine/views/run_view.h"

namespace hlo {
namespace {

constexpr std::string_view kHow[] = {"island", "operation", "blocks", "code"};
constexpr int kMostRows = 200;

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
  return json;
}

// In the order in which they were first executed; of many those that took their share: at most
// kMostRows can.
Json EntriesJson(const std::vector<const ProfileEntry*>& entries, const Document& document) {
  double least = 0;
  if (entries.size() > size_t{kMostRows}) {
    for (const ProfileEntry* entry : entries) least += entry->count.seconds() / kMostRows;
  }
  Json json = Json::array();
  for (const ProfileEntry* entry : entries) {
    if (entry->count.seconds() >= least) json.push_back(EntryJson(*entry, document));
  }
  return json;
}

}  // namespace

Json ProfileJson(const RunRecord& record) {
  std::vector<const ProfileEntry*> islands, steps;
  uint64_t other_steps = record.budget->steps_used();
  double other_seconds = record.executed_seconds;
  for (const auto& entry : record.profile->entries()) {
    const bool is_island = entry->how == ProfileEntry::How::kIsland;
    (is_island ? islands : steps).push_back(entry.get());
    if (entry->is_in_island) continue;
    other_seconds -= entry->count.seconds();
    other_steps -= entry->steps;
  }
  Json executor = nullptr;
  if (other_steps > 0) {
    executor = ObjectJson({{"steps", other_steps}, {"seconds", std::max(other_seconds, 0.0)}});
  }
  return ObjectJson({{"islands", EntriesJson(islands, *record.document)},
                     {"islandCount", islands.size()},
                     {"steps", EntriesJson(steps, *record.document)},
                     {"stepCount", steps.size()},
                     {"executor", std::move(executor)}});
}

}  // namespace hlo
