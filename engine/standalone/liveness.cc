// Goes through the program from its end to its beginning. The arrays that are needed at the head of
// a loop follow from what its blocks read before they write it, which is found out first.
#include "engine/standalone/liveness.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace hlo {
namespace {

using Set = std::set<int32_t>;

void AddAll(const Set& more, Set* to) { to->insert(more.begin(), more.end()); }
// In time by the size of `more`: `less` may be all that a long block has written so far.
void AddAllBut(const Set& less, const Set& more, Set* to) {
  for (const int32_t array : more) {
    if (!less.contains(array)) to->insert(array);
  }
}
Set Both(const Set& a, const Set& b) {
  Set both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
  return both;
}

/// What a block or step needs from before it, and what it writes in any case.
struct Effects {
  Set needs, writes;
};

class Finder {
 public:
  explicit Finder(const DriverProgram& program)
      : program_(program), open_(program.arrays.size(), kClosed) {
    liveness_.spans.resize(program.arrays.size());
  }

  Liveness Run() {
    int32_t moment = Moments(program_.main) + 1;
    SetLive({program_.results.begin(), program_.results.end()}, moment);
    Visit(program_.main, &moment, 0);
    // Parameters are written before anything else.
    Set given(program_.parameters.begin(), program_.parameters.end());
    given.erase(-1);
    for (int32_t array : given) Define(array, 0);
    SetLive({}, 0);
    for (std::vector<LiveSpan>& spans : liveness_.spans) std::reverse(spans.begin(), spans.end());
    return std::move(liveness_);
  }

 private:
  static constexpr int32_t kClosed = -1;

  bool IsPlaced(int32_t array) const {
    return !program_.arrays[static_cast<size_t>(array)].address.has_value();
  }

  int32_t Moments(const DriverBlock& block) {
    int32_t count = 0;
    for (const DriverStep& step : block.steps) {
      ++count;
      for (const DriverBlock& inner : step.blocks) count += Moments(inner) + 1;
    }
    return count;
  }

  // ---- Effects ------------------------------------------------------------------------------

  const Effects& EffectsOf(const DriverBlock& block) {
    if (const auto at = effects_.find(&block); at != effects_.end()) return at->second;
    Effects all;
    for (const DriverStep& step : block.steps) {
      const Effects own = EffectsOf(step);
      AddAllBut(all.writes, own.needs, &all.needs);
      AddAll(own.writes, &all.writes);
    }
    return effects_.emplace(&block, std::move(all)).first->second;
  }

  Effects EffectsOf(const DriverStep& step) {
    Effects own;
    if (step.kind == DriverStep::Kind::kWhile) {
      const Effects& condition = EffectsOf(step.blocks[0]);
      own = condition;
      Set needs = EffectsOf(step.blocks[1]).needs;
      needs.insert(step.reads[0]);
      AddAllBut(condition.writes, needs, &own.needs);
      return own;
    }
    own.needs = {step.reads.begin(), step.reads.end()};
    own.writes = {step.writes.begin(), step.writes.end()};
    if (step.kind != DriverStep::Kind::kConditional) return own;
    own.writes = EffectsOf(step.blocks[0]).writes;
    for (const DriverBlock& block : step.blocks) {
      const Effects& branch = EffectsOf(block);
      AddAll(branch.needs, &own.needs);
      own.writes = Both(own.writes, branch.writes);
    }
    return own;
  }

  // ---- Spans --------------------------------------------------------------------------------

  void Open(int32_t array, int32_t moment) {
    if (!IsPlaced(array) || !live_.insert(array).second) return;
    open_[static_cast<size_t>(array)] = moment;
  }
  void Close(int32_t array, int32_t moment) {
    if (live_.erase(array) == 0) return;
    std::vector<LiveSpan>& spans = liveness_.spans[static_cast<size_t>(array)];
    const LiveSpan span{moment, open_[static_cast<size_t>(array)]};
    if (!spans.empty() && spans.back().begin <= span.end) {
      spans.back().begin = std::min(spans.back().begin, span.begin);
    } else {
      spans.push_back(span);
    }
  }
  // It is written at this moment, and needs a place then even if nothing reads it.
  void Define(int32_t array, int32_t moment) {
    Open(array, moment);
    Close(array, moment);
  }
  // From here on, backwards, these are the arrays that are needed.
  void SetLive(const Set& wanted, int32_t moment) {
    Set rest;
    AddAllBut(wanted, live_, &rest);
    for (int32_t array : rest) Close(array, moment);
    for (int32_t array : wanted) Open(array, moment);
  }

  void Visit(const DriverBlock& block, int32_t* moment, int32_t depth) {
    for (auto step = block.steps.rbegin(); step != block.steps.rend(); ++step) {
      switch (step->kind) {
        case DriverStep::Kind::kWhile:
          VisitWhile(*step, moment, depth + 1);
          break;
        case DriverStep::Kind::kConditional:
          VisitConditional(*step, moment, depth);
          break;
        default:
          VisitOne(*step, --*moment, depth);
      }
    }
  }

  void VisitOne(const DriverStep& step, int32_t moment, int32_t depth) {
    for (int32_t array : step.writes) {
      const bool in_part =
          std::find(step.reads.begin(), step.reads.end(), array) != step.reads.end();
      if (!in_part) Define(array, moment);
    }
    for (int32_t array : step.reads) Open(array, moment);
    for (const DriverStep::Over& over : step.over) {
      liveness_.take_overs.push_back({over.read, over.write, moment, depth});
    }
    if (step.kind == DriverStep::Kind::kCopy) {
      liveness_.take_overs.push_back({step.reads[0], step.writes[0], moment, depth});
    }
  }

  void VisitWhile(const DriverStep& step, int32_t* moment, int32_t depth) {
    const Set after = live_;
    Set head = EffectsOf(step).needs;
    AddAllBut(EffectsOf(step).writes, after, &head);
    Set in_body = EffectsOf(step.blocks[1]).needs;
    AddAllBut(EffectsOf(step.blocks[1]).writes, head, &in_body);
    // The end of the body, from where it goes to the head.
    SetLive(head, --*moment);
    Visit(step.blocks[1], moment, depth);
    // The end of the condition, from where it goes to the body or behind the loop.
    Set either = after;
    AddAll(in_body, &either);
    either.insert(step.reads[0]);
    SetLive(either, --*moment);
    Visit(step.blocks[0], moment, depth);
    --*moment;
  }

  void VisitConditional(const DriverStep& step, int32_t* moment, int32_t depth) {
    const Set after = live_;
    for (auto block = step.blocks.rbegin(); block != step.blocks.rend(); ++block) {
      SetLive(after, --*moment);
      Visit(*block, moment, depth);
    }
    Set before = EffectsOf(step).needs;
    AddAllBut(EffectsOf(step).writes, after, &before);
    SetLive(before, --*moment);
  }

  const DriverProgram& program_;
  Liveness liveness_;
  Set live_;
  std::vector<int32_t> open_;  // by array: the end of its span
  std::map<const DriverBlock*, Effects> effects_;
};

}  // namespace

Liveness FindLiveness(const DriverProgram& program) { return Finder(program).Run(); }

}  // namespace hlo
