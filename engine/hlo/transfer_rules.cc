// Operations in two halves that have opcodes of their own, and the channels of send and recv.
// Source: XLA, hlo_verifier.cc, VerifyAsynchronousInstructionPairs and VerifyChannels.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/hlo/verifier_rules.h"
#include "engine/ops/attribute_rows.h"
#include "engine/ops/devices/device_groups.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

struct Halves {
  Opcode start;
  Opcode done;
  /// A transfer, which may also be the root of what runs asynchronously.
  bool is_transfer;
};

const std::vector<Halves>& AllHalves() {
  static const std::vector<Halves> all = [] {
    std::vector<Halves> halves;
    for (int i = 0; i < kOpcodeCount; ++i) {
      const auto start = static_cast<Opcode>(i);
      const OpDef& def = GetOpDef(start);
      if (!def.done) continue;
      halves.push_back({start, *def.done, FindAttrDef(def.attrs, "is_host_transfer") != nullptr});
    }
    return halves;
  }();
  return all;
}

const Halves* HalvesOf(Opcode opcode) {
  for (const Halves& halves : AllHalves()) {
    if (halves.start == opcode || halves.done == opcode) return &halves;
  }
  return nullptr;
}

std::optional<int64_t> ChannelOf(const Instruction& i) {
  return i.attrs().Has("channel_id") ? std::optional(i.attrs().Int("channel_id")) : std::nullopt;
}
bool IsHostTransfer(const Instruction& i) { return i.attrs().Bool("is_host_transfer"); }
bool IsTransfer(const Instruction& i) {
  return i.opcode() == Opcode::kSend || i.opcode() == Opcode::kRecv;
}

// ---- Starts and dones ---------------------------------------------------------------------------

/// A custom call that only orders what it takes; it uses nothing.
bool OnlyOrders(const Instruction& i) {
  return i.opcode() == Opcode::kCustomCall &&
         i.attrs().String("custom_call_target") == "control_dep";
}

/// A done and its start agree.
void CheckSameChannel(const Instruction& start, const Instruction& done, Diagnostics& out) {
  if (!ChannelOf(start)) return;
  const int64_t own = *ChannelOf(start);
  const int64_t other = ChannelOf(done).value_or(own);
  if (own != other) {
    ReportAt(done, DiagCode::kVerifierRule,
             fmt::format("Expected to have the same channel id, actual channel ids are: {} ({}), "
                         "{} ({})",
                         start.name(), own, done.name(), other),
             out);
  }
  if (IsHostTransfer(start) != IsHostTransfer(done)) {
    ReportAt(done, DiagCode::kVerifierRule,
             fmt::format("Expected instructions to have the same is-host-transfer property: {}, {}",
                         start.name(), done.name()),
             out);
  }
}

class HalfChecks {
 public:
  HalfChecks(const VerifierScope& scope, AsyncTrace& trace) : scope_(scope), trace_(trace) {}

  void CheckStart(const Instruction& start, const Halves& halves, const Users& users) {
    // What async-done waits for need not be waited for in the computation that it runs.
    if (halves.is_transfer && start.is_root() &&
        scope_.calls.IsCalledBy(*start.parent(), Opcode::kAsyncStart)) {
      return;
    }
    const Instruction* only = nullptr;
    size_t count = 0;
    for (const Instruction* user : users.Of(start)) {
      if (OnlyOrders(*user)) continue;
      only = user;
      ++count;
    }
    if (count != 1) {
      return Report(start, fmt::format("The {} instruction requires one consumer, found {}",
                                       Text(halves.start), count));
    }
    if (only->opcode() == halves.done) {
      if (halves.is_transfer) CheckSameChannel(start, *only, scope_.out);
      return;
    }
    // Its parts are not there yet.
    if (HandsStateOn(*only) && only->opcode() != Opcode::kGetTupleElement) return;
    Report(start,
           fmt::format("The consumer of a {} instruction needs to be one of ({}{}), found {}",
                       Text(halves.start), Text(halves.done), halves.is_transfer ? ", tuple" : "",
                       Text(only->opcode())));
  }

  void CheckDone(const Instruction& done, const Halves& halves) {
    const Instruction& operand = *done.operand(0);
    if (operand.opcode() == halves.start ||
        (halves.is_transfer && operand.opcode() == Opcode::kGetTupleElement)) {
      return;
    }
    const Instruction* producer = trace_.Producer(operand);
    if ((producer && producer->opcode() == halves.start) || trace_.is_spent()) return;
    Report(done,
           fmt::format("The operand of a {} instruction needs to be {}{}, found {}",
                       Text(halves.done), Text(halves.start),
                       halves.is_transfer ? " or get-tuple-element" : "", Text(operand.opcode())));
  }

 private:
  void Report(const Instruction& at, std::string_view message) {
    ReportAt(at, DiagCode::kVerifierRule, message, scope_.out);
  }

  const VerifierScope& scope_;
  AsyncTrace& trace_;
};

// ---- Channels -----------------------------------------------------------------------------------

/// The same but for the operands.
bool IsAlike(const Instruction& a, const Instruction& b) {
  if (a.opcode() != b.opcode() || !(a.shape() == b.shape()) ||
      a.operand_count() != b.operand_count() ||
      a.attrs().Keys("frontend_attributes") != b.attrs().Keys("frontend_attributes")) {
    return false;
  }
  for (int i = 0; i < a.operand_count(); ++i) {
    if (!(a.operand(i)->shape() == b.operand(i)->shape())) return false;
  }
  return true;
}

/// Whether it runs computations as programs of their own, whose channels lead to one another.
bool RunsPrograms(const Instruction& i) {
  return i.opcode() == Opcode::kCustomCall &&
         i.attrs().String("custom_call_target") == "interpreter.run_parallel";
}

/// On a channel to the host everybody sends, or receives, the same kind of thing.
void CheckHostChannels(const VerifierScope& scope) {
  for (const Computation& computation : scope.module.computations()) {
    const auto& all = computation.instructions();
    if (std::any_of(all.begin(), all.end(), RunsPrograms)) return;
  }
  std::unordered_map<int64_t, const Instruction*> first;
  for (const Computation& computation : scope.module.computations()) {
    for (const Instruction& i : computation.instructions()) {
      if (!IsTransfer(i) || !IsHostTransfer(i) || !ChannelOf(i)) continue;
      auto [entry, is_new] = first.try_emplace(*ChannelOf(i), &i);
      const Instruction& other = *entry->second;
      if (is_new || IsAlike(i, other)) continue;
      scope.out
          .Report(DiagCode::kVerifierRule, i.places().opcode,
                  fmt::format("Host-transfer send/recv instructions that use the same channel must "
                              "be identical up to having different operands. Found different "
                              "instructions with the same channel ID: {} vs {} on channel {}",
                              other.name(), i.name(), *ChannelOf(i)))
          .notes.push_back({other.places().name, "the first instruction of this channel"});
    }
  }
}

}  // namespace

void VerifyTransfers(const VerifierScope& scope, AsyncTrace& trace) {
  bool any = false;
  for (const Halves& halves : AllHalves()) any |= scope.Has(halves.start) || scope.Has(halves.done);
  if (!any) return;
  HalfChecks checks(scope, trace);
  for (const Computation& computation : scope.module.computations()) {
    const auto& all = computation.instructions();
    auto is_half = [](const Instruction& i) { return HalvesOf(i.opcode()) != nullptr; };
    if (std::none_of(all.begin(), all.end(), is_half)) continue;
    Users users(computation);
    for (const Instruction& i : all) {
      const Halves* halves = HalvesOf(i.opcode());
      if (!halves) continue;
      if (i.opcode() == halves->start) {
        checks.CheckStart(i, *halves, users);
      } else {
        checks.CheckDone(i, *halves);
      }
    }
  }
  CheckHostChannels(scope);
}

// ---- What waits for what ------------------------------------------------------------------------

namespace {

/// XLA operation semantics, Send: "Recv happens before Send". A recv that waits for the send of its
/// own channel never begins: the send waits for it. Where there are source-target pairs, other
/// devices' recvs count, and the schedule is checked instead.
class TransferOrder {
 public:
  explicit TransferOrder(const VerifierScope& scope) : scope_(scope) {
    for (const Computation& computation : scope.module.computations()) {
      steps_left_ += 64 * static_cast<int64_t>(computation.instructions().size());
    }
  }

  void Check(const Computation& computation) {
    std::unordered_map<int64_t, const Instruction*> sends;
    for (const Instruction& i : computation.instructions()) {
      if (!IsTransfer(i) || IsHostTransfer(i) || !ChannelOf(i) ||
          TransferPairsText(i.attrs().Keys("frontend_attributes"))) {
        continue;
      }
      if (i.opcode() == Opcode::kSend) {
        sends.try_emplace(*ChannelOf(i), &i);
        continue;
      }
      const auto send = sends.find(*ChannelOf(i));
      if (send == sends.end()) continue;
      const bool waits = scope_.module.is_scheduled() || DependsOn(i, *send->second);
      if (waits) Report(*send->second, i);
    }
  }

 private:
  /// Whether `later` cannot run before `earlier`, of the same computation.
  bool DependsOn(const Instruction& later, const Instruction& earlier) {
    const auto& all = later.parent()->instructions();
    std::vector<bool> seen(static_cast<size_t>(later.index()) + 1);
    std::vector<const Instruction*> open = {&later};
    const auto add = [&](const Instruction& i) {
      if (i.index() < earlier.index() || seen[static_cast<size_t>(i.index())]) return;
      seen[static_cast<size_t>(i.index())] = true;
      open.push_back(&i);
    };
    steps_left_ -= later.index() / 64 + 1;
    while (!open.empty() && steps_left_-- > 0) {
      const Instruction& at = *open.back();
      open.pop_back();
      if (&at == &earlier) return true;
      for (const Instruction* operand : at.operands()) add(*operand);
      for (uint32_t before : at.attrs().Instructions("control-predecessors")) add(all[before]);
    }
    return false;
  }

  void Report(const Instruction& send, const Instruction& recv) {
    scope_.out
        .Report(DiagCode::kVerifierRule, Severity::kWarning, recv.places().opcode,
                fmt::format("{}: recv happens before the send of its channel, but it comes after "
                            "{} of channel {}, which waits for it",
                            recv.name(), send.name(), *ChannelOf(recv)))
        .notes.push_back({send.places().name, "the send"});
  }

  const VerifierScope& scope_;
  int64_t steps_left_ = 4096;
};

}  // namespace

void VerifyTransferOrder(const VerifierScope& scope) {
  if (!scope.Has(Opcode::kSend) || !scope.Has(Opcode::kRecv)) return;
  TransferOrder order(scope);
  for (const Computation& computation : scope.module.computations()) order.Check(computation);
}

}  // namespace hlo
