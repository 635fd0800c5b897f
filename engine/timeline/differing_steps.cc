#include "engine/timeline/differing_steps.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/timeline/measure.h"

namespace hlo {
namespace {

// Bytes that are charged to a budget while it exists.
class Charge {
 public:
  explicit Charge(Budget* budget) : budget_(budget) {}
  ~Charge() {
    for (const uint64_t bytes : pieces_) budget_->Release(bytes);
  }
  Charge(const Charge&) = delete;
  Charge& operator=(const Charge&) = delete;
  // Counts a few bytes; they are charged in large pieces.
  void Add(uint64_t bytes) {
    constexpr uint64_t kPiece = 1 << 16;
    open_ += bytes;
    if (open_ < kPiece) return;
    budget_->Reserve(open_);
    pieces_.push_back(std::exchange(open_, 0));
  }

 private:
  Budget* budget_;
  uint64_t open_ = 0;
  std::vector<uint64_t> pieces_;
};

bool HasNewValue(const StepFacts& facts) { return facts.has_value && facts.kind != StepKind::kEnd; }

// By NumberOf() of a module's instructions, those of another module that they are paired with.
class Pairs {
 public:
  Pairs(const Timeline& timeline, const Timeline& other) {
    std::unordered_map<std::string_view, std::vector<const Instruction*>> own, others;
    for (const auto& [module, by_name] :
         {std::make_pair(&timeline.module(), &own), std::make_pair(&other.module(), &others)}) {
      for (const Computation& computation : module->computations()) {
        for (const Instruction& each : computation.instructions()) {
          (*by_name)[each.name()].push_back(&each);
        }
      }
    }
    for (const auto& [name, same] : own) {
      const auto found = others.find(name);
      if (found == others.end()) continue;
      const bool is_only = same.size() == 1 && found->second.size() == 1;
      for (const Instruction* each : same) {
        for (const Instruction* candidate : found->second) {
          if (is_only || IsSamePlace(*each, *candidate, timeline.module(), other.module())) {
            of_.emplace(timeline.NumberOf(*each), other.NumberOf(*candidate));
          }
        }
      }
    }
  }
  // -1: none.
  int64_t Of(int64_t number) const {
    const auto found = of_.find(number);
    return found == of_.end() ? -1 : found->second;
  }

 private:
  static bool IsSamePlace(const Instruction& a, const Instruction& b, const Module& module,
                          const Module& other) {
    const bool is_entry = a.parent() == module.entry();
    if (is_entry != (b.parent() == other.entry())) return false;
    return is_entry || a.parent()->name() == b.parent()->name();
  }
  std::unordered_map<int64_t, int64_t> of_;
};

}  // namespace

bool StepSet::HasAny(int64_t begin, int64_t end) const {
  for (int64_t step = begin; step < end; ++step) {
    if (step % 64 == 0) {
      while (step + 64 <= end && bits_[static_cast<size_t>(step / 64)] == 0) step += 64;
      if (step >= end) return false;
    }
    if (Has(step)) return true;
  }
  return false;
}

StepSet DifferingSteps(Timeline& timeline, Timeline& other) {
  const Measure all;
  const Pairs pairs(timeline, other);
  Charge charge(timeline.budget());
  // What the other run gave each instruction on each device, one after the other.
  std::map<std::pair<int64_t, int64_t>, std::vector<uint64_t>> given;
  other.ForEach(0, other.length(), [&](const StepFacts& facts) {
    if (!HasNewValue(facts)) return true;
    given[{facts.device, other.NumberOf(*facts.instruction)}].push_back(
        MeasuredBits(all, facts.value));
    charge.Add(sizeof(uint64_t));
    return true;
  });
  std::map<std::pair<int64_t, int64_t>, size_t> times;
  StepSet differing(timeline.length());
  timeline.ForEach(0, timeline.length(), [&](const StepFacts& facts) {
    if (!HasNewValue(facts)) return true;
    const int64_t number = timeline.NumberOf(*facts.instruction);
    const int64_t pair = pairs.Of(number);
    if (pair < 0) return true;
    const size_t time = times[{facts.device, number}]++;
    const auto found = given.find({facts.device, pair});
    const bool is_same = found != given.end() && time < found->second.size() &&
                         found->second[time] == MeasuredBits(all, facts.value);
    if (!is_same) differing.Add(facts.step);
    return true;
  });
  return differing;
}

}  // namespace hlo
