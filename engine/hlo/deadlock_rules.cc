// Sends and receives of scheduled modules: in the order of the schedule each meets its partner, and
// no device waits for itself. XLA checks this only on request, after scheduling.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/hlo/verifier_rules.h"
#include "engine/ops/device_groups.h"

namespace hlo {
namespace {

using Pair = std::pair<int64_t, int64_t>;  // source, target

/// Sends and receives between devices, which say who talks to whom.
bool IsTransfer(const Instruction& i) {
  return i.opcode() == Opcode::kSend || i.opcode() == Opcode::kRecv;
}

/// The text of the pairs, "{{0,1},{1,2}}"; null when the instruction has none.
const std::string* PairsText(const Instruction& i) {
  const Attr* attr = FindAttr(i.attrs(), "frontend_attributes");
  if (!attr) return nullptr;
  return TransferPairsText(std::get<KeyValues>(attr->value));
}

/// The numbers of the text, two by two. Numbers too large to be devices are cut.
void AppendPairs(const std::string& text, std::vector<Pair>* pairs) {
  constexpr int64_t kMost = int64_t{1} << 40;
  std::vector<int64_t> numbers;
  bool in_number = false;
  for (char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (digit && !in_number) numbers.push_back(0);
    if (digit) numbers.back() = std::min(kMost, numbers.back() * 10 + (c - '0'));
    in_number = digit;
  }
  for (size_t i = 0; i + 1 < numbers.size(); i += 2) {
    const Pair pair(numbers[i], numbers[i + 1]);
    if (std::find(pairs->begin(), pairs->end(), pair) == pairs->end()) pairs->push_back(pair);
  }
}

/// Whether a way along the pairs comes back to where it began; sources are unique.
bool HasCycle(const std::map<int64_t, int64_t>& next) {
  for (const auto& [start, first] : next) {
    int64_t at = first;
    for (size_t steps = 0; steps < next.size(); ++steps) {
      if (at == start) return true;
      const auto found = next.find(at);
      if (found == next.end()) break;
      at = found->second;
    }
  }
  return false;
}

class DeadlockCheck {
 public:
  explicit DeadlockCheck(const VerifierScope& scope) : scope_(scope) {}

  /// A computation as often as it is called: what waits when it is called may meet its partner in
  /// it. Stops at the first fault, and when it has seen as much as any reader would.
  void Walk(const Computation& computation) {
    if (depth_ == kMostDepth) return;
    ++depth_;
    for (const Instruction& i : computation.instructions()) {
      if (found_ || ++visited_ > kMostVisited) break;
      if (IsTransfer(i)) Meet(i);
      for (const Attr& attr : i.attrs()) WalkCalled(attr.value);
    }
    --depth_;
  }

 private:
  static constexpr int64_t kMostVisited = 1'000'000;
  static constexpr int kMostDepth = 500;  // levels of the C++ stack

  void WalkCalled(const AttrValue& value) {
    if (const auto* region = std::get_if<const Region*>(&value)) {
      Walk(static_cast<const Computation&>(**region));
    } else if (const auto* regions = std::get_if<std::vector<const Region*>>(&value)) {
      for (const Region* each : *regions) Walk(static_cast<const Computation&>(*each));
    }
  }

  void Meet(const Instruction& i) {
    const std::string* pairs = PairsText(i);
    if (!pairs) return;
    if (!waiting_) {
      waiting_ = &i;
      return;
    }
    if (waiting_->opcode() == i.opcode()) {
      const bool sends = i.opcode() == Opcode::kSend;
      Report(i, fmt::format("Expected {} to match {}, but {} follows {}", sends ? "recv" : "send",
                            sends ? "send" : "recv", i.name(), waiting_->name()));
      return;
    }
    std::vector<Pair> both;
    AppendPairs(*PairsText(*waiting_), &both);
    AppendPairs(*pairs, &both);
    CheckPairs(i, both);
    waiting_ = nullptr;
  }

  void CheckPairs(const Instruction& i, const std::vector<Pair>& pairs) {
    std::map<int64_t, int64_t> next, before;
    bool unique = true;
    for (const auto& [source, target] : pairs) {
      unique &= next.emplace(source, target).second;
      unique &= before.emplace(target, source).second;
    }
    if (!unique) {
      Report(i, "Expected send and recv instructions to have unique source and target pairs");
    } else if (HasCycle(next)) {
      Report(i, "Expected send and recv instructions to have non-cyclical source-target pairs");
    }
  }

  void Report(const Instruction& i, std::string_view message) {
    found_ = true;
    Diagnostic& fault =
        scope_.out.Report(DiagCode::kVerifierRule, Severity::kWarning, i.places().opcode,
                          fmt::format("{}: {}: the schedule may deadlock", i.name(), message));
    fault.notes.push_back({waiting_->places().name, "this is waiting for its partner"});
  }

  const VerifierScope& scope_;
  const Instruction* waiting_ = nullptr;
  int64_t visited_ = 0;
  int depth_ = 0;
  bool found_ = false;
};

}  // namespace

void VerifySchedule(const VerifierScope& scope) {
  const bool transfers = scope.Has(Opcode::kSend) || scope.Has(Opcode::kRecv);
  const Computation* entry = scope.module.entry();
  if (transfers && entry && scope.module.is_scheduled()) DeadlockCheck(scope).Walk(*entry);
}

}  // namespace hlo
