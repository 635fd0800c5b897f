#include "engine/views/profile_trace.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "engine/base/stable_sort.h"
#include "engine/views/json.h"

namespace hlo {
namespace {

/// What was measured of a computation.
struct MeasuredComputation {
  std::string name;
  double seconds = 0;
  std::vector<const Json*> steps;
};

double SecondsIn(const Json& object) {
  const auto at = object.find("seconds");
  return at != object.end() && at->is_number() ? std::max(0.0, at->get<double>()) : 0;
}

const Json& ListIn(const Json& object, const char* key) {
  static const Json kNone = Json::array();
  const auto at = object.find(key);
  return at != object.end() && at->is_array() ? *at : kNone;
}

std::string NameIn(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

std::vector<MeasuredComputation> ComputationsIn(const Json& plan) {
  std::vector<MeasuredComputation> computations;
  std::map<std::string, size_t> numbers;
  for (const Json& step : ListIn(plan, "steps")) {
    if (!step.is_object()) continue;
    const std::string name = NameIn(step, "computation");
    const auto [at, is_new] = numbers.try_emplace(name, computations.size());
    if (is_new) computations.push_back({name, 0, {}});
    MeasuredComputation& computation = computations[at->second];
    computation.seconds += SecondsIn(step);
    computation.steps.push_back(&step);
  }
  for (MeasuredComputation& computation : computations) {
    StableSort(computation.steps.begin(), computation.steps.end(),
               [](const Json* a, const Json* b) { return SecondsIn(*a) > SecondsIn(*b); });
  }
  StableSort(computations.begin(), computations.end(),
             [](const MeasuredComputation& a, const MeasuredComputation& b) {
               return a.seconds > b.seconds;
             });
  return computations;
}

// Islands in islands are in the times of these already.
double TotalOf(const Json& plan, double of_steps) {
  double largest = 0;
  for (const Json& island : ListIn(plan, "islands")) {
    if (island.is_object()) largest = std::max(largest, SecondsIn(island));
  }
  const auto executor = plan.find("executor");
  if (executor != plan.end() && executor->is_object()) largest += SecondsIn(*executor);
  return std::max(largest, of_steps);
}

Json NodeJson(int level, int64_t parent, std::string name, double begin, double seconds) {
  return ObjectJson({{"level", level},
                     {"parent", parent},
                     {"name", std::move(name)},
                     {"begin", begin},
                     {"seconds", seconds},
                     {"step", nullptr}});
}

}  // namespace

Json ProfileTreeJson(const Json& plan) {
  Json nodes = Json::array();
  if (!plan.is_object()) return ObjectJson({{"seconds", 0}, {"nodes", std::move(nodes)}});
  const std::vector<MeasuredComputation> computations = ComputationsIn(plan);
  double of_steps = 0;
  for (const MeasuredComputation& computation : computations) of_steps += computation.seconds;
  const double total = TotalOf(plan, of_steps);
  nodes.push_back(NodeJson(0, -1, "", 0, total));
  double begin = 0;
  const double rest = total - of_steps;
  for (const MeasuredComputation& computation : computations) {
    const auto number = static_cast<int64_t>(nodes.size());
    nodes.push_back(NodeJson(1, 0, computation.name, begin, computation.seconds));
    for (const Json* step : computation.steps) {
      const double seconds = SecondsIn(*step);
      Json node = NodeJson(2, number, NameIn(*step, "shown"), begin, seconds);
      node["step"] = *step;
      nodes.push_back(std::move(node));
      begin += seconds;
    }
  }
  if (!computations.empty() && rest > 0) {
    nodes.push_back(NodeJson(1, 0, "everything else", of_steps, rest));
  }
  return ObjectJson({{"seconds", total}, {"nodes", std::move(nodes)}});
}

std::string ProfileTreeText(std::string_view plan) {
  return JsonText(ProfileTreeJson(ParseJson(plan)));
}

std::string ProfileTraceText(const Json& plan) {
  constexpr double kMicro = 1e6;
  constexpr std::string_view kKinds[] = {"program", "computation", "step"};
  Json events = Json::array();
  events.push_back(ObjectJson(
      {{"name", "process_name"},
       {"ph", "M"},
       {"pid", 1},
       {"tid", 1},
       {"args", ObjectJson({{"name", "measured: sums over all executions, one after another"}})}}));
  const Json tree = ProfileTreeJson(plan);
  for (const Json& node : tree["nodes"]) {
    const auto level = node["level"].get<size_t>();
    Json args = Json::object();
    if (node["step"].is_object()) {
      for (const char* key : {"opcode", "how", "times", "instructions", "ranIn"}) {
        if (node["step"].contains(key)) args[key] = node["step"][key];
      }
    }
    const std::string name = node["name"].get<std::string>();
    events.push_back(ObjectJson({{"name", name.empty() ? "program" : name},
                                 {"cat", kKinds[level]},
                                 {"ph", "X"},
                                 {"ts", node["begin"].get<double>() * kMicro},
                                 {"dur", node["seconds"].get<double>() * kMicro},
                                 {"pid", 1},
                                 {"tid", 1},
                                 {"args", std::move(args)}}));
  }
  return JsonText(ObjectJson({{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}}));
}

}  // namespace hlo
