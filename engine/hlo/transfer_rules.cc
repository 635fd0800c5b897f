// Ops in two halves that have opcodes of their own, and the channels of send and recv.
// Source: reference/hlo-text.md sections 11.7 and 11.8.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "engine/hlo/verifier_rules.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

struct Halves {
  Opcode start;
  Opcode done;
  /// The start may go through tuples and loops before its done.
  bool may_travel;
};
constexpr Halves kHalves[] = {
    {Opcode::kAllGatherStart, Opcode::kAllGatherDone, false},
    {Opcode::kAllReduceStart, Opcode::kAllReduceDone, false},
    {Opcode::kCollectivePermuteStart, Opcode::kCollectivePermuteDone, false},
    {Opcode::kCopyStart, Opcode::kCopyDone, false},
    {Opcode::kRecv, Opcode::kRecvDone, true},
    {Opcode::kSend, Opcode::kSendDone, true},
};

const Halves* HalvesOf(Opcode opcode) {
  for (const Halves& halves : kHalves) {
    if (halves.start == opcode || halves.done == opcode) return &halves;
  }
  return nullptr;
}

int64_t ChannelOf(const Instruction& i) {
  const Attr* attr = FindAttr(i.attrs(), "channel_id");
  return attr ? std::get<int64_t>(attr->value) : 0;
}
bool IsHostTransfer(const Instruction& i) {
  const Attr* attr = FindAttr(i.attrs(), "is_host_transfer");
  return attr && std::get<bool>(attr->value);
}

void CheckStart(const Instruction& start, const Halves& halves, const Users& users,
                Diagnostics& out) {
  auto all = users.Of(start);
  if (all.size() > 1) {
    ReportAt(start, DiagCode::kVerifierRule,
             fmt::format("The {} instruction requires one consumer, found {}", Text(halves.start),
                         all.size()),
             out);
  }
  if (halves.may_travel || all.size() != 1 || all[0]->opcode() == halves.done) return;
  ReportAt(start, DiagCode::kVerifierRule,
           fmt::format("The consumer of a {} instruction needs to be {}, found {}",
                       Text(halves.start), Text(halves.done), Text(all[0]->opcode())),
           out);
}

void CheckDone(const Instruction& done, const Halves& halves, Diagnostics& out) {
  const Instruction& start = *done.operand(0);
  if (start.opcode() != halves.start) {
    if (halves.may_travel) return;
    ReportAt(done, DiagCode::kVerifierRule,
             fmt::format("The operand of a {} instruction needs to be {}, found {}",
                         Text(halves.done), Text(halves.start), Text(start.opcode())),
             out);
    return;
  }
  if (ChannelOf(start) != ChannelOf(done) && FindAttr(done.attrs(), "channel_id")) {
    ReportAt(done, DiagCode::kVerifierRule,
             fmt::format("expects the channel_id of its {} {}: {} and {}", Text(halves.start),
                         start.name(), ChannelOf(done), ChannelOf(start)),
             out);
  }
  if (IsHostTransfer(start) != IsHostTransfer(done)) {
    ReportAt(done, DiagCode::kVerifierRule,
             fmt::format("expects is_host_transfer to be that of its {} {}", Text(halves.start),
                         start.name()),
             out);
  }
}

KeyValues FrontendAttributes(const Instruction& i) {
  const Attr* attr = FindAttr(i.attrs(), "frontend_attributes");
  return attr ? std::get<KeyValues>(attr->value) : KeyValues();
}

/// On a channel to the host everybody sends the same kind of thing.
void CheckHostChannels(const VerifierScope& scope) {
  std::unordered_map<int64_t, const Instruction*> first[2];
  for (const Computation& computation : scope.module.computations()) {
    for (const Instruction& i : computation.instructions()) {
      bool send = i.opcode() == Opcode::kSend;
      if ((!send && i.opcode() != Opcode::kRecv) || !IsHostTransfer(i)) continue;
      auto [entry, is_new] = first[send ? 1 : 0].try_emplace(ChannelOf(i), &i);
      const Instruction& other = *entry->second;
      if (is_new || (Shape::Compatible(i.shape(), other.shape()) &&
                     FrontendAttributes(i) == FrontendAttributes(other))) {
        continue;
      }
      scope.out
          .Report(DiagCode::kVerifierRule, i.places().opcode,
                  fmt::format("Host-transfer send/recv instructions that use the same channel must "
                              "be identical: {} and {} use channel {}",
                              i.name(), other.name(), ChannelOf(i)))
          .notes.push_back({other.places().name, "the first instruction of this channel"});
    }
  }
}

}  // namespace

void VerifyTransfers(const VerifierScope& scope) {
  bool any = false;
  for (const Halves& halves : kHalves) any |= scope.Has(halves.start) || scope.Has(halves.done);
  if (!any) return;
  for (const Computation& computation : scope.module.computations()) {
    const auto& all = computation.instructions();
    auto is_half = [](const Instruction& i) { return HalvesOf(i.opcode()) != nullptr; };
    if (std::none_of(all.begin(), all.end(), is_half)) continue;
    Users users(computation);
    for (const Instruction& i : all) {
      const Halves* halves = HalvesOf(i.opcode());
      if (!halves) continue;
      if (i.opcode() == halves->start) {
        CheckStart(i, *halves, users, scope.out);
      } else {
        CheckDone(i, *halves, scope.out);
      }
    }
  }
  CheckHostChannels(scope);
}

}  // namespace hlo
