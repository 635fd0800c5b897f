// Sends and receives of scheduled modules: in the order of the schedule each meets its partner, and
// no device waits for itself. XLA checks this only on request, after scheduling.
// Source: XLA, hlo_verifier.cc, VerifyNoCollectiveDeadlocks.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/hlo/verifier_rules.h"
#include "engine/ops/devices/device_groups.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

/// A transfer between devices that has source-target pairs, and is not part of a pipeline, which
/// has an order of its own.
bool IsChecked(const Instruction& i) {
  if (i.attrs().Bool("is_host_transfer")) return false;
  const KeyValues& attributes = i.attrs().Keys("frontend_attributes");
  return TransferPairsText(attributes) && !FindValue(attributes, "_xla_send_recv_pipeline");
}

const std::string& PairsText(const Instruction& i) {
  return *TransferPairsText(i.attrs().Keys("frontend_attributes"));
}
std::vector<Dims> PairsOf(const Instruction& i) {
  return ParsePairs(PairsText(i)).value_or(std::vector<Dims>());
}

/// Whether the pairs have a cycle.
bool HasCycle(const std::vector<Dims>& pairs) {
  std::unordered_map<int64_t, int64_t> next;
  for (const Dims& pair : pairs) next[pair[0]] = pair[1];
  std::unordered_map<int64_t, int64_t> walk_of;  // on which walk a device was visited
  int64_t walk = 0;
  for (const auto& [start, unused] : next) {
    ++walk;
    for (int64_t at = start;;) {
      const auto [passed, is_new] = walk_of.emplace(at, walk);
      if (!is_new) {
        if (passed->second == walk) return true;
        break;
      }
      const auto found = next.find(at);
      if (found == next.end()) break;
      at = found->second;
    }
  }
  return false;
}

bool HasRepeats(const std::vector<Dims>& pairs) {
  std::unordered_set<int64_t> sources, targets;
  for (const Dims& pair : pairs) {
    if (!sources.insert(pair[0]).second || !targets.insert(pair[1]).second) return true;
  }
  return false;
}

/// What XLA finds wrong with the pairs of one transfer, or of two; empty when nothing.
std::string_view PairsFault(const std::vector<Dims>& pairs) {
  if (HasCycle(pairs)) {
    return "Expected send and recv instructions to have non-cyclical source-target pairs, but "
           "found";
  }
  if (HasRepeats(pairs)) {
    return "Expected send and recv instructions to have unique source and target pairs, but found";
  }
  return "";
}

/// The transfers that wait for their partners.
using Waiting = std::vector<const Instruction*>;

/// Takes the one with these pairs out; null when there is none.
const Instruction* TakeMatch(const Instruction& i, Waiting* waiting) {
  const auto found = std::find_if(waiting->begin(), waiting->end(), [&](const Instruction* other) {
    return PairsText(*other) == PairsText(i);
  });
  if (found == waiting->end()) return nullptr;
  const Instruction* match = *found;
  waiting->erase(found);
  return match;
}

/// Visits a computation as often as it is called: what waits at the call may meet its partner in
/// it.
class DeadlockCheck {
 public:
  explicit DeadlockCheck(const VerifierScope& scope) : scope_(scope) {}

  void Run(const Computation& entry) {
    State state;
    Walk(entry, state);
    if (state.expected != Expected::kNothing) CheckEnd(state);
  }

 private:
  enum class Expected : uint8_t { kNothing, kSend, kRecv };
  struct State {
    Expected expected = Expected::kNothing;
    Waiting sends, recvs;
  };
  static constexpr int64_t kMostSteps = 1'000'000;
  static constexpr int kMostDepth = 500;  // levels of the C++ stack

  /// Stops at the first fault, and after kMostSteps instructions.
  void Walk(const Computation& computation, State& state) {
    if (depth_ == kMostDepth) return;
    ++depth_;
    for (const Instruction& i : computation.instructions()) {
      if (found_ || ++steps_ > kMostSteps) break;
      bool calls = false;
      ForEachCallee(i, [&](const Attr&, const Computation& callee) {
        calls = true;
        if (!found_) WalkCalled(callee, state);
      });
      if (!calls) Meet(i, state);
    }
    --depth_;
  }

  /// A group of collectives that runs asynchronously is a schedule of its own.
  void WalkCalled(const Computation& callee, State& state) {
    const auto& all = callee.instructions();
    const bool is_group = scope_.calls.IsCalledBy(callee, Opcode::kAsyncStart) &&
                          !std::all_of(all.begin(), all.end(), [](const Instruction& i) {
                            return i.is_root() || i.opcode() == Opcode::kParameter;
                          });
    if (!is_group) return Walk(callee, state);
    State own;
    Walk(callee, own);
    if (!found_ && state.expected != Expected::kNothing) CheckEnd(own);
  }

  void Meet(const Instruction& i, State& state) {
    switch (i.opcode()) {
      case Opcode::kSend:
        if (IsChecked(i)) {
          MeetTransfer(i, Expected::kRecv, state.sends, state.recvs, state);
        }
        return;
      case Opcode::kRecv:
        if (IsChecked(i)) {
          MeetTransfer(i, Expected::kSend, state.recvs, state.sends, state);
        }
        return;
      default:
        if (i.def().is_collective) MeetCollective(i, state);
        return;
    }
  }

  /// `partner` is what completes `i`; `alike` and `partners` are those that wait.
  void MeetTransfer(const Instruction& i, Expected partner, Waiting& alike, Waiting& partners,
                    State& state) {
    const std::string_view fault = PairsFault(PairsOf(i));
    if (!fault.empty()) return Report(i, fmt::format("{} {}", fault, i.name()));
    if (state.expected == Expected::kNothing) {
      alike.push_back(&i);
      state.expected = partner;
    } else if (state.expected == partner) {
      CheckBeside(i, alike);
    } else if (steps_ += static_cast<int64_t>(partners.size()); TakeMatch(i, &partners)) {
      if (partners.empty()) state.expected = Expected::kNothing;
    } else {
      alike.push_back(&i);
    }
  }

  /// Two sends, or two recvs, follow one another only if their pairs do not meet.
  void CheckBeside(const Instruction& i, Waiting& alike) {
    for (const Instruction* other : alike) {
      std::vector<Dims> both = PairsOf(*other);
      steps_ += 1 + static_cast<int64_t>(both.size());
      if (steps_ > kMostSteps) return;
      for (const Dims& pair : PairsOf(i)) {
        if (std::find(both.begin(), both.end(), pair) == both.end()) both.push_back(pair);
      }
      if (PairsFault(both).empty()) continue;
      return Report(i, fmt::format("Expected {}, but found {}",
                                   i.opcode() == Opcode::kSend ? "recv" : "send", i.name()));
    }
    alike.push_back(&i);
  }

  void MeetCollective(const Instruction& i, const State& state) {
    if (state.expected == Expected::kNothing) return;
    if (state.sends.empty() && state.recvs.empty()) {
      return Report(i, fmt::format("Expected send or recv, but found {}", i.name()));
    }
    Report(i, fmt::format("Expected send and recv instructions to have the same source-target "
                          "pairs, but could not match some instructions. Introducing the following "
                          "instruction will cause a deadlock: {}",
                          i.name()));
  }

  void CheckEnd(const State& state) {
    if (state.recvs.empty() && !state.sends.empty()) {
      return Report(*state.sends[0], "Expected recv to match send");
    }
    if (state.sends.empty() && !state.recvs.empty()) {
      return Report(*state.recvs[0], "Expected send to match recv");
    }
    std::vector<std::string_view> last;
    const Instruction* first = nullptr;
    const auto keep_unmatched = [&](const Waiting& waiting, const Waiting& partners) {
      std::unordered_set<std::string_view> texts;
      for (const Instruction* partner : partners) texts.insert(PairsText(*partner));
      for (const Instruction* i : waiting) {
        if (texts.count(PairsText(*i))) continue;
        if (!first) first = i;
        last.push_back(i->name());
      }
    };
    keep_unmatched(state.sends, state.recvs);
    keep_unmatched(state.recvs, state.sends);
    if (!first) return;
    Report(*first,
           fmt::format("Deadlock detected. Last checked instructions: {}", fmt::join(last, ", ")));
  }

  void Report(const Instruction& i, std::string_view message) {
    found_ = true;
    scope_.out.Report(DiagCode::kVerifierRule, Severity::kWarning, i.places().opcode,
                      fmt::format("{}: {}. The schedule may deadlock", i.name(), message));
  }

  const VerifierScope& scope_;
  int64_t steps_ = 0;
  int depth_ = 0;
  bool found_ = false;
};

}  // namespace

void VerifySchedule(const VerifierScope& scope) {
  const bool transfers = scope.Has(Opcode::kSend) || scope.Has(Opcode::kRecv);
  const Computation* entry = scope.module.entry();
  if (transfers && entry && scope.module.is_scheduled()) DeadlockCheck(scope).Run(*entry);
}

}  // namespace hlo
