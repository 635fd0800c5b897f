// Ops in two halves that have opcodes of their own, and the channels of send and recv.
// Source: reference/hlo-text.md sections 11.7 and 11.8.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/hlo/verifier_rules.h"
#include "engine/ops/device_groups.h"
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

// ---- The order of send and recv in scheduled modules --------------------------------------------

/// Walks a scheduled module in the order it runs in: what one side of a channel waits for must come
/// next. Only transfers between devices that name their pairs count; those that an async group
/// starts together have no order. Source: XLA's verifier, collective deadlocks.
class TransferOrder {
 public:
  explicit TransferOrder(const VerifierScope& scope)
      : scope_(scope), concerned_(scope.module.computations().size(), false) {
    for (const Computation& computation : scope.module.computations()) {
      concerned_[static_cast<size_t>(computation.index())] = IsConcerned(computation);
    }
  }

  void Walk(const Computation& computation, int depth = 0) {
    constexpr int kMostDepth = 200;
    if (depth > kMostDepth || !concerned_[static_cast<size_t>(computation.index())]) return;
    for (const Instruction& i : computation.instructions()) {
      if (failed_ || ++steps_ > kMostSteps) return;
      if (IsOrdered(i)) Meet(i);
      WalkCalled(i, depth);
    }
  }

 private:
  static constexpr int64_t kMostSteps = 1000000;

  static const std::string* PairsText(const Instruction& i) {
    const Attr* attr = FindAttr(i.attrs(), "frontend_attributes");
    return attr ? TransferPairsText(std::get<KeyValues>(attr->value)) : nullptr;
  }
  static bool IsOrdered(const Instruction& i) {
    bool transfer = i.opcode() == Opcode::kSend || i.opcode() == Opcode::kRecv;
    return transfer && !IsHostTransfer(i) && PairsText(i) != nullptr;
  }

  /// The computations an instruction runs, each once; what one branch does is not seen by others.
  template <typename Visit>
  static void ForEachCalled(const Instruction& i, const Visit& visit) {
    if (i.opcode() == Opcode::kAsyncStart) return;
    for (const Attr& attr : i.attrs()) {
      if (const auto* one = std::get_if<const Region*>(&attr.value)) {
        if (*one) visit(static_cast<const Computation&>(**one));
      } else if (const auto* many = std::get_if<std::vector<const Region*>>(&attr.value)) {
        for (const Region* region : *many) {
          if (region) visit(static_cast<const Computation&>(*region));
        }
      }
    }
  }

  /// Callees come before their callers.
  bool IsConcerned(const Computation& computation) const {
    bool concerned = false;
    for (const Instruction& i : computation.instructions()) {
      concerned |= IsOrdered(i);
      ForEachCalled(i, [&](const Computation& called) {
        concerned |= concerned_[static_cast<size_t>(called.index())];
      });
    }
    return concerned;
  }

  void WalkCalled(const Instruction& i, int depth) {
    const Instruction* before = open_;
    ForEachCalled(i, [&](const Computation& called) {
      if (i.opcode() == Opcode::kConditional) open_ = before;
      Walk(called, depth + 1);
    });
    if (i.opcode() == Opcode::kConditional) open_ = before;
  }

  void Report(const Instruction& i, std::string_view message) {
    failed_ = true;
    ReportAt(i, DiagCode::kVerifierRule, message, scope_.out);
  }

  /// Each device sends and receives once, and nothing comes back to where it set out.
  bool CheckPairs(const Instruction& i, const std::vector<Dims>& pairs) {
    std::unordered_map<int64_t, int64_t> next;
    std::unordered_map<int64_t, int64_t> previous;
    for (const Dims& pair : pairs) {
      if (next.emplace(pair[0], pair[1]).second && previous.emplace(pair[1], pair[0]).second) {
        continue;
      }
      Report(i, fmt::format("Expected send and recv instructions to have unique source and target "
                            "pairs: {},{} shares a device with an earlier one",
                            pair[0], pair[1]));
      return false;
    }
    for (const Dims& pair : pairs) {
      auto at = next.find(pair[1]);
      for (size_t hops = 0; hops <= pairs.size() && at != next.end(); ++hops) {
        if (at->first == pair[0]) {
          Report(i, fmt::format("Expected send and recv instructions to have non-cyclical "
                                "source-target pairs, but there is a cycle through {}",
                                pair[0]));
          return false;
        }
        at = next.find(at->second);
      }
      // A chain without a cycle is walked once from each of its links; long ones are cut short.
      constexpr size_t kMostPairs = 2000;
      if (pairs.size() > kMostPairs) return true;
    }
    return true;
  }

  void Meet(const Instruction& i) {
    const std::optional<std::vector<Dims>> pairs = ParsePairs(*PairsText(i));
    if (!pairs || !CheckPairs(i, *pairs)) return;
    if (!open_) {
      open_ = &i;
      return;
    }
    const Instruction& first = *std::exchange(open_, nullptr);
    const bool answers = first.opcode() != i.opcode();
    if (answers && ParsePairs(*PairsText(first)) == pairs) return;
    const bool wants_send = first.opcode() == Opcode::kRecv;
    Report(i, fmt::format("Expected {} to match {}: {} of channel {} has the pairs {} and waits, "
                          "but next comes {} of channel {} with {}",
                          wants_send ? "send" : "recv", wants_send ? "recv" : "send", first.name(),
                          ChannelOf(first), *PairsText(first), Text(i.opcode()), ChannelOf(i),
                          *PairsText(i)));
  }

  const VerifierScope& scope_;
  std::vector<bool> concerned_;        // has transfers, by index of the computation
  const Instruction* open_ = nullptr;  // the transfer whose other half must come next
  int64_t steps_ = 0;
  bool failed_ = false;
};

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
  if (scope.module.is_scheduled() && scope.module.entry()) {
    TransferOrder(scope).Walk(*scope.module.entry());
  }
}

}  // namespace hlo
