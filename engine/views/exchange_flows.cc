#include "engine/views/exchange_flows.h"

#include <algorithm>
#include <cmath>

namespace hlo {
namespace {

constexpr size_t kMostFlowMembers = 16;
constexpr size_t kMostFlows = 4096;

bool IsRagged(const Instruction& at) { return at.opcode() == Opcode::kRaggedAllToAll; }
bool HasRoot(const Instruction& at) {
  return at.attrs().Bool("has_dynamic_root") && !at.operands().empty();
}

// What the numbers of a ragged-all-to-all are, in the order of NumberOperands.
enum RaggedNumbers : size_t { kInputOffsets, kSendSizes, kOutputOffsets, kRaggedCount };

// Member i sends its numbers' j-th part to member j.
std::vector<ExchangeFlow> RaggedFlows(const CollectiveMeeting& meeting,
                                      const ExchangeNumbers& numbers) {
  std::vector<ExchangeFlow> flows;
  const size_t members = meeting.members.size();
  for (size_t from = 0; from < std::min(members, numbers.size()); ++from) {
    const auto& own = numbers[from];
    if (own.size() < kRaggedCount || own[kSendSizes].size() % members != 0) continue;
    const size_t count = own[kSendSizes].size();
    if (own[kInputOffsets].size() != count || own[kOutputOffsets].size() != count) continue;
    for (size_t at = 0; at < count && flows.size() < kMostFlows; ++at) {
      const auto rows = static_cast<int64_t>(own[kSendSizes][at]);
      if (rows <= 0) continue;
      const auto given = static_cast<int64_t>(own[kInputOffsets][at]);
      const auto got = static_cast<int64_t>(own[kOutputOffsets][at]);
      flows.push_back({meeting.members[from], meeting.members[at / (count / members)], -1, -1,
                       std::array{given, given + rows}, std::array{got, got + rows}});
    }
  }
  return flows;
}

int64_t RootRank(const CollectiveMeeting& meeting, const ExchangeNumbers& numbers) {
  if (!HasRoot(*meeting.instruction)) return 0;
  const bool is_known = !numbers.empty() && !numbers[0].empty() && !numbers[0][0].empty();
  const double root = is_known ? numbers[0][0][0] : 0;
  return root >= 0 && root < static_cast<double>(meeting.members.size())
             ? static_cast<int64_t>(root)
             : 0;
}

}  // namespace

std::vector<size_t> NumberOperands(const Instruction& at) {
  if (IsRagged(at) && at.operands().size() > 4) return {2, 3, 4};
  if (HasRoot(at)) return {at.operands().size() - 1};
  return {};
}

std::optional<ExchangePattern> PatternOf(const CollectiveMeeting& meeting,
                                         const ExchangeNumbers& numbers) {
  const Opcode opcode = meeting.instruction->opcode();
  if (!meeting.pairs.empty() || opcode == Opcode::kRecvDone || opcode == Opcode::kRaggedAllToAll) {
    return std::nullopt;
  }
  ExchangePattern pattern;
  pattern.cuts = opcode == Opcode::kAllToAll || opcode == Opcode::kReduceScatter;
  pattern.joins = opcode == Opcode::kAllToAll || opcode == Opcode::kAllGather ||
                  opcode == Opcode::kAllGatherStart;
  if (opcode == Opcode::kCollectiveBroadcast) pattern.root = RootRank(meeting, numbers);
  if (opcode == Opcode::kCollectiveReduce) pattern.sink = RootRank(meeting, numbers);
  return pattern;
}

std::vector<ExchangeFlow> FlowsOf(const CollectiveMeeting& meeting,
                                  const ExchangeNumbers& numbers) {
  const auto pattern = PatternOf(meeting, numbers);
  if (!pattern && IsRagged(*meeting.instruction)) return RaggedFlows(meeting, numbers);
  std::vector<ExchangeFlow> flows;
  if (!pattern) {
    for (const auto& [from, to] : meeting.pairs) flows.push_back({from, to, -1, -1, {}, {}});
    return flows;
  }
  const auto members = static_cast<int64_t>(meeting.members.size());
  const int64_t count = std::min(members, static_cast<int64_t>(kMostFlowMembers));
  // The only one on its side may be behind the first ones.
  const auto is_drawn = [&](int64_t rank, int64_t only) {
    return only >= 0 ? rank == only : rank < count;
  };
  for (int64_t from = 0; from < members; ++from) {
    if (!is_drawn(from, pattern->root)) continue;
    for (int64_t to = 0; to < members; ++to) {
      if (!is_drawn(to, pattern->sink)) continue;
      flows.push_back({meeting.members[static_cast<size_t>(from)],
                       meeting.members[static_cast<size_t>(to)],
                       pattern->cuts ? to : -1,
                       pattern->joins ? from : -1,
                       {},
                       {}});
    }
  }
  return flows;
}

}  // namespace hlo
