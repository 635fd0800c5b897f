#include "engine/graph/paths.h"

#include <deque>

#include "engine/base/work_limit.h"

namespace hlo {
namespace {

constexpr uint32_t kUnseen = UINT32_MAX;

// For everything that depends on `from`: the step before it on a shortest way from there.
std::vector<uint32_t> WaysFrom(const ProgramGraph& graph, uint32_t from) {
  std::vector<uint32_t> before(graph.size(), kUnseen);
  std::deque<uint32_t> open{from};
  before[from] = from;
  while (!open.empty()) {
    const uint32_t at = open.front();
    open.pop_front();
    for (const uint32_t next : graph.TargetsOf(at)) {
      CountWork();
      if (before[next] != kUnseen) continue;
      before[next] = at;
      open.push_back(next);
    }
  }
  return before;
}

// Of what depends on one end, all that the other depends on.
std::vector<uint32_t> Between(const ProgramGraph& graph, const std::vector<uint32_t>& before,
                              uint32_t to) {
  std::vector<bool> reached(graph.size());
  std::vector<uint32_t> open{to};
  reached[to] = true;
  while (!open.empty()) {
    const uint32_t at = open.back();
    open.pop_back();
    for (const uint32_t source : graph.SourcesOf(at)) {
      CountWork();
      if (before[source] == kUnseen || reached[source]) continue;
      reached[source] = true;
      open.push_back(source);
    }
  }
  std::vector<uint32_t> all;
  for (uint32_t i = 0; i < graph.size(); ++i) {
    if (reached[i]) all.push_back(i);
  }
  return all;
}

}  // namespace

Paths PathsBetween(const ProgramGraph& graph, const Instruction& a, const Instruction& b) {
  uint32_t from = graph.NumberOf(a);
  uint32_t to = graph.NumberOf(b);
  Paths paths;
  std::vector<uint32_t> before = WaysFrom(graph, from);
  if (before[to] == kUnseen) {
    std::swap(from, to);
    paths.reversed = true;
    before = WaysFrom(graph, from);
  }
  if (before[to] == kUnseen) return {};
  paths.found = true;
  for (uint32_t at = to; at != from; at = before[at]) paths.shortest.push_back(at);
  paths.shortest.push_back(from);
  paths.shortest = {paths.shortest.rbegin(), paths.shortest.rend()};
  paths.all = Between(graph, before, to);
  return paths;
}

}  // namespace hlo
