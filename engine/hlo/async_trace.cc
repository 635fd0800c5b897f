#include "engine/hlo/async_trace.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/hlo/verifier_rules.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

/// An instruction, and of its value the part at this index (the innermost tuple's last).
using Place = std::pair<const Instruction*, std::vector<int64_t>>;

bool IsProducer(Opcode opcode) {
  return opcode == Opcode::kAsyncStart || opcode == Opcode::kAsyncUpdate || IsStart(opcode);
}

/// The places that a place gets its value from, in reverse order of visiting.
class Sources {
 public:
  Sources(const CallGraph& calls, std::vector<Place>* found) : calls_(calls), found_(found) {}

  void Of(Place place) {
    const Instruction& at = *place.first;
    switch (at.opcode()) {
      case Opcode::kGetTupleElement: {
        place.second.push_back(at.attrs().Int("index"));
        return Add(at.operand(0), std::move(place.second));
      }
      case Opcode::kTuple:
        return OfTuple(at, std::move(place.second));
      case Opcode::kParameter:
        return OfParameter(at, std::move(place.second));
      case Opcode::kWhile:
        Add(at.operand(0), place.second);
        if (const Computation* body = CalledBy(at, "body")) Add(body->root(), place.second);
        return;
      default:
        if (HandsStateOn(at) && at.operand_count() > 0) {
          Add(at.operand(0), std::move(place.second));
        }
        return;
    }
  }

 private:
  void Add(const Instruction* at, std::vector<int64_t> index) {
    if (at) found_->emplace_back(at, std::move(index));
  }

  void OfTuple(const Instruction& tuple, std::vector<int64_t> index) {
    if (index.empty()) {
      for (int i = tuple.operand_count(); i-- > 0;) Add(tuple.operand(i), {});
      return;
    }
    const int64_t i = index.back();
    index.pop_back();
    if (i >= 0 && i < tuple.operand_count()) {
      Add(tuple.operand(static_cast<int>(i)), std::move(index));
    }
  }

  /// Of the body of a loop: from before the loop or from the previous iteration.
  void OfParameter(const Instruction& parameter, std::vector<int64_t> index) {
    const Computation& body = *parameter.parent();
    const Instruction* loop = calls_.OnlyCaller(body, Opcode::kWhile);
    if (!loop || CalledBy(*loop, "body") != &body) return;
    Add(body.root(), index);
    Add(loop->operand(0), std::move(index));
  }

  const CallGraph& calls_;
  std::vector<Place>* found_;
};

}  // namespace

bool IsAsync(Opcode opcode) {
  return opcode == Opcode::kAsyncStart || opcode == Opcode::kAsyncUpdate ||
         opcode == Opcode::kAsyncDone;
}

bool HandsStateOn(const Instruction& i) {
  switch (i.opcode()) {
    case Opcode::kCopy:
    case Opcode::kGetTupleElement:
    case Opcode::kOptBarrier:
    case Opcode::kTuple:
      return true;
    case Opcode::kCustomCall: {
      constexpr std::string_view kTargets[] = {"Sharding", "SPMDFullToShardShape",
                                               "SPMDShardToFullShape"};
      const std::string& target = i.attrs().String("custom_call_target");
      return std::find(std::begin(kTargets), std::end(kTargets), target) != std::end(kTargets);
    }
    default:
      return false;
  }
}

bool IsStart(Opcode opcode) { return GetOpDef(opcode).done.has_value(); }

AsyncTrace::AsyncTrace(const Module& module, const CallGraph& calls)
    : calls_(calls), steps_left_(4096) {
  for (const Computation& computation : module.computations()) {
    steps_left_ += 16 * static_cast<int64_t>(computation.instructions().size());
  }
}

const Instruction* AsyncTrace::Producer(const Instruction& state) {
  std::set<Place> seen;
  std::vector<Place> open = {{&state, {}}};
  Sources sources(calls_, &open);
  while (!open.empty() && steps_left_ > 0) {
    Place place = std::move(open.back());
    open.pop_back();
    if (IsProducer(place.first->opcode())) return place.first;
    steps_left_ -= 1 + static_cast<int64_t>(place.second.size());
    if (seen.insert(place).second) sources.Of(std::move(place));
  }
  return nullptr;
}

const Region* AsyncComputations::Of(const Instruction& link) {
  const auto [place, is_new] = known_.try_emplace(&link, nullptr);
  if (!is_new) return place->second;
  const Instruction* from = &link;
  while (from && (from->opcode() == Opcode::kAsyncUpdate || from->opcode() == Opcode::kAsyncDone)) {
    from = trace_.Producer(*from->operand(0));
  }
  const Region* const computation = from ? from->attrs().GetRegion("calls") : nullptr;
  known_[&link] = computation;
  return computation;
}

}  // namespace hlo
