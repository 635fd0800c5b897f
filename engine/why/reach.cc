#include "engine/why/reach.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "engine/base/indices.h"
#include "engine/hlo/call_graph.h"
#include "engine/ops/op_def.h"
#include "engine/why/exchanged.h"
#include "engine/why/flow.h"
#include "engine/why/marks.h"
#include "engine/why/reached_value.h"
#include "engine/why/recent_values.h"
#include "engine/why/rule.h"
#include "engine/why/search_time.h"

namespace hlo {
namespace {

/// Beyond so many elements of an operand, or so many that are marked one by one, all of the result
/// is taken to be reached.
constexpr int64_t kMostFollowed = 200'000;
constexpr int64_t kMostMarked = 20'000'000;
/// Of the sets that are kept at a time.
constexpr size_t kMostMarkBytes = size_t{256} << 20;
constexpr size_t kMostReachedBoxes = 64;
constexpr size_t kMostDecisions = 100;

class ReachScan final : private StepSource {
 public:
  ReachScan(Timeline& timeline, size_t most)
      : timeline_(timeline), most_(most), recent_(timeline) {}

  Reach From(const PlaceInRun& place) {
    const SearchTime time(timeline_);
    for (int64_t step = place.step; step < timeline_.length(); ++step) {
      if (time.IsOver()) {
        throw RunError(DiagCode::kTimeExceeded,
                       fmt::format("what it reaches was followed up to step {} of {}", step,
                                   timeline_.length()));
      }
      const StepFacts facts = timeline_.At(step);
      if (step == place.step) {
        Begin(facts, place);
      } else {
        Visit(facts);
      }
      if (facts.has_value && facts.kind != StepKind::kEnd) recent_.Keep(step, facts.value);
    }
    Finish();
    return std::move(reach_);
  }

 private:
  // A computation that runs.
  struct Live {
    StepFacts enter;
    std::vector<int64_t> marked;  // steps in it that are
  };

  // What was entered, or given, before the element had its value is not reached.
  const StepFacts& EnteredAt(int64_t step) override {
    static const StepFacts kUnknown;
    const auto found = frames_.find(step);
    return found == frames_.end() ? kUnknown : found->second.enter;
  }
  Value ValueOf(int64_t step) override { return recent_.At(step); }
  int64_t SentAt(uint32_t receipt) override {
    const auto found = sent_at_.find(receipt);
    return found == sent_at_.end() ? kNoStep : found->second;
  }

  const MarkedValue& MarksOf(int64_t step) const {
    static const MarkedValue kNone;
    auto found = marks_.find(step);
    if (found != marks_.end()) return found->second;
    found = sent_.find(step);
    return found == sent_.end() ? kNone : found->second;
  }

  void Begin(const StepFacts& facts, const PlaceInRun& place) {
    ReachedValue reached(facts.value);
    if (Marks* marks = reached.At(place.path)) marks->Add(Ravel(place.index, marks->dims()));
    Keep(facts, std::move(reached), kNoStep);
    Note(facts);
  }

  void Visit(const StepFacts& facts) {
    if (facts.kind == StepKind::kEnd) {
      results_[facts.device] = {facts.step, facts.root_step, PartsOf(MarksOf(facts.root_step))};
      return;
    }
    Note(facts);
    if (Decides(facts)) Decide(facts);
    if (facts.has_value) {
      int64_t from = kNoStep;
      ReachedValue reached(facts.value);
      if (const auto parts = PassedParts(facts, *this)) {
        TakeParts(*parts, &reached, &from);
      } else if (MeetsOthers(*facts.instruction)) {
        TakeFromOthers(facts, &reached, &from);
      } else {
        TakeFromOperands(facts, &reached, &from);
      }
      if (!reached.empty()) Keep(facts, std::move(reached), from);
    }
    if (facts.left) Leave(facts);
  }

  // What later steps ask about.
  void Note(const StepFacts& facts) {
    for (const Delivery& each : facts.deliveries) sent_at_[each.receipt] = each.sent_at;
    if (facts.meeting != 0) Join(facts);
    if (!facts.entered) return;
    StepFacts enter = facts;
    enter.value = Value();
    // A condition that holds hands the loop's state on, and its own computation is left.
    if (IsConditionsEnd(facts)) {
      enter.left = nullptr;
      enter.root_step = ArgumentAt(facts.left_entered_at, 0, *this).step;
    }
    frames_[facts.step].enter = std::move(enter);
  }

  static bool IsConditionsEnd(const StepFacts& facts) {
    return facts.kind == StepKind::kReturn && facts.instruction->def().runs == Runs::kWhile &&
           facts.left == AsComputation(facts.instruction->attrs().GetRegion("condition"));
  }

  // Whether what is reached says what runs from this step on.
  bool Decides(const StepFacts& facts) const {
    if (IsConditionsEnd(facts)) return !MarksOf(facts.root_step).empty();
    return facts.kind == StepKind::kEnter && facts.instruction->opcode() == Opcode::kConditional &&
           !MarksOf(facts.operands[0]).empty();
  }

  void Decide(const StepFacts& facts) {
    if (reach_.decisions.size() >= kMostDecisions) return;
    if (decided_.insert(facts.instruction).second) reach_.decisions.push_back(facts.step);
  }

  void TakeParts(const std::vector<PassedPart>& parts, ReachedValue* reached, int64_t* from) {
    for (const PassedPart& part : parts) {
      for (const MarkedPart& marked : MarksOf(part.step)) {
        const bool is_in = marked.path.size() >= part.from.size() &&
                           std::equal(part.from.begin(), part.from.end(), marked.path.begin());
        if (!is_in) continue;
        reached->Take(Joined(part.to, Rest(marked.path, part.from.size())), marked.marks);
        if (*from == kNoStep) *from = part.step;
      }
    }
  }

  // ---- Operands -------------------------------------------------------------------------------

  void TakeFromOperands(const StepFacts& facts, ReachedValue* reached, int64_t* from) {
    const OpCall call = facts.instruction->Call();
    const DependenceRule& rule = DependenceRuleOf(call.opcode());
    const bool asks_values = rule.reach || MayRepeat(call);
    std::vector<Value> args;
    for (size_t i = 0; i < facts.operands.size(); ++i) {
      const MarkedValue& given = MarksOf(facts.operands[i]);
      if (given.empty()) continue;
      if (*from == kNoStep) *from = facts.operands[i];
      if (asks_values && args.empty()) {
        for (const int64_t step : facts.operands) args.push_back(recent_.At(step));
      }
      if (args.empty()) args.resize(facts.operands.size());
      const Executed at{call, args, facts.value};
      for (const MarkedPart& part : given) {
        if (rule.links == &SameLinks && !asks_values && TakeSame(part, reached)) continue;
        Follow(*part.marks, reached, [&](const Dims& index) {
          return ReachOf(at, static_cast<int>(i), part.path, index);
        });
      }
    }
  }

  // Element by element, where there is an array of the same sizes alone.
  static bool TakeSame(const MarkedPart& part, ReachedValue* reached) {
    Marks* own = reached->At({});
    if (!own || !part.path.empty() || own->dims() != part.marks->dims()) return false;
    own->AddAll(*part.marks);
    return true;
  }

  // Marks what each of the elements reaches.
  void Follow(const Marks& given, ReachedValue* reached,
              FunctionRef<std::vector<Elements>(const Dims&)> reach_of) {
    int64_t followed = 0, marked = 0;
    std::set<std::vector<int64_t>> known;
    given.ForEach([&](int64_t number) {
      if (followed > kMostFollowed || marked > kMostMarked) return;
      if (++followed % 1024 == 0) timeline_.budget()->Poll();
      for (const Elements& each : reach_of(Unravel(number, given.dims()))) {
        Marks* own = reached->At(each.path);
        const int64_t count = CountOf(each.box);
        if (!own || own->dims().size() != each.box.size() || count == 0) continue;
        if (count > 1 && !known.insert(KeyOf(each)).second) continue;
        marked += count;
        if (marked <= kMostMarked) own->AddBox(each.box);
      }
    });
    if (followed <= kMostFollowed && marked <= kMostMarked) return;
    reach_.is_rough = true;
    if (Marks* own = reached->At({})) {
      own->AddEverything();
    } else {
      MarkParts(given, reached, reach_of);
    }
  }

  // All of each part that one of the elements reaches.
  static void MarkParts(const Marks& given, ReachedValue* reached,
                        FunctionRef<std::vector<Elements>(const Dims&)> reach_of) {
    bool is_first = true;
    given.ForEach([&](int64_t number) {
      if (!std::exchange(is_first, false)) return;
      for (const Elements& each : reach_of(Unravel(number, given.dims()))) {
        if (Marks* own = reached->At(each.path)) own->AddEverything();
      }
    });
  }

  static std::vector<int64_t> KeyOf(const Elements& elements) {
    std::vector<int64_t> key(elements.path.begin(), elements.path.end());
    key.push_back(-1);
    for (const Steps& steps : elements.box) {
      key.insert(key.end(), {steps.first, steps.count, steps.step});
    }
    return key;
  }

  // ---- Other devices --------------------------------------------------------------------------

  void Join(const StepFacts& facts) {
    auto& given = meetings_[facts.meeting].given;
    if (given.count(facts.device) > 0) return;
    std::vector<MarkedValue>& own = given[facts.device];
    for (const int64_t step : facts.operands) own.push_back(MarksOf(step));
  }

  void TakeFromOthers(const StepFacts& facts, ReachedValue* reached, int64_t* from) {
    const OpCall call = facts.instruction->Call();
    const MeetingOf at = MeetingAt(call, timeline_.grid(), facts.device);
    std::map<int64_t, std::vector<MarkedValue>> alone;
    if (facts.meeting == 0) {
      for (const int64_t step : facts.operands) alone[facts.device].push_back(MarksOf(step));
    }
    const auto& given = facts.meeting == 0 ? alone : meetings_[facts.meeting].given;
    for (const auto& entry : given) {
      const std::vector<MarkedValue>& operands = entry.second;
      for (size_t i = 0; i < operands.size(); ++i) {
        for (const MarkedPart& part : operands[i]) {
          Follow(*part.marks, reached, [&](const Dims& index) {
            return ExchangedReach(at, entry.first, static_cast<int>(i), part.path, index);
          });
        }
      }
    }
    for (const int64_t step : facts.operands) {
      if (!reached->empty() && *from == kNoStep && !MarksOf(step).empty()) *from = step;
    }
    if (facts.meeting == 0) return;
    const auto found = meetings_.find(facts.meeting);
    if (++found->second.have_left == at.members.size()) meetings_.erase(found);
  }

  // ---- What is kept ---------------------------------------------------------------------------

  void Keep(const StepFacts& facts, ReachedValue reached, int64_t from) {
    MarkedValue marked = std::move(reached).Finish();
    if (marked.empty()) return;
    for (const MarkedPart& part : marked) bytes_ += OwnBytes(part);
    if (bytes_ > kMostMarkBytes) {
      throw RunError(
          DiagCode::kMemoryExceeded,
          fmt::format("it reaches too many elements: up to step {} of {} they fill {} MB",
                      facts.step, timeline_.length(), kMostMarkBytes >> 20));
    }
    AddRow(facts.step, from, marked);
    if (facts.instruction->opcode() == Opcode::kSend) sent_[facts.step] = marked;
    marks_[facts.step] = std::move(marked);
    frames_[facts.entered_at].marked.push_back(facts.step);
  }

  // Sets that several values have count once.
  static size_t OwnBytes(const MarkedPart& part) {
    return part.marks.use_count() == 1 ? part.marks->bytes() : 0;
  }

  void Forget(int64_t step) {
    const auto found = marks_.find(step);
    if (found == marks_.end()) return;
    for (const MarkedPart& part : found->second) bytes_ -= std::min(bytes_, OwnBytes(part));
    marks_.erase(found);
  }

  // A computation has ended: only what it gave is asked about from now on.
  void Leave(const StepFacts& facts) {
    const bool is_condition = IsConditionsEnd(facts);
    const bool loops = facts.instruction->def().runs == Runs::kWhile;
    if (loops && !is_condition) {
      // The state before the one that the body has made.
      const int64_t before = ArgumentAt(facts.left_entered_at, 0, *this).step;
      if (states_.erase(before) > 0) Forget(before);
      states_.insert(facts.root_step);
    }
    const auto ended = frames_.find(facts.left_entered_at);
    if (ended == frames_.end()) return;
    for (const int64_t step : ended->second.marked) {
      const bool is_given = step == facts.root_step && !is_condition;
      if (!is_given) Forget(step);
      if (is_given && !loops) frames_[facts.entered_at].marked.push_back(step);
    }
    frames_.erase(facts.left_entered_at);
  }

  void AddRow(int64_t step, int64_t from, const MarkedValue& marked) {
    rows_.push_back({step, from, PartsOf(marked)});
    const size_t half = most_ / 2;
    if (rows_.size() <= most_) return;
    rows_.erase(rows_.begin() + static_cast<ptrdiff_t>(half));
    ++reach_.skipped;
    reach_.before_gap = half;
  }
  static std::vector<ReachedPart> PartsOf(const MarkedValue& marked) {
    std::vector<ReachedPart> parts;
    for (const auto& [path, marks] : marked) {
      ReachedPart part{path, marks->count(), marks->size()};
      part.boxes = marks->Boxes(kMostReachedBoxes, &part.has_more);
      parts.push_back(std::move(part));
    }
    return parts;
  }

  void Finish() {
    reach_.steps.assign(rows_.begin(), rows_.end());
    for (auto& [device, result] : results_) reach_.results.push_back(std::move(result));
  }

  struct Gathering {
    std::map<int64_t, std::vector<MarkedValue>> given;  // of each device, by operand
    size_t have_left = 0;
  };

  Timeline& timeline_;
  size_t most_;
  RecentValues recent_;
  Reach reach_;
  std::deque<ReachedStep> rows_;
  std::map<int64_t, ReachedStep> results_;          // by device
  std::unordered_map<int64_t, MarkedValue> marks_;  // by step
  std::unordered_map<int64_t, MarkedValue> sent_;   // the same of sends, whose frames may end
  std::unordered_map<int64_t, Live> frames_;        // by the step that entered
  std::unordered_set<int64_t> states_;              // of loops that run: the roots of bodies
  std::unordered_map<int64_t, Gathering> meetings_;
  std::unordered_map<uint32_t, int64_t> sent_at_;
  std::unordered_set<const Instruction*> decided_;
  size_t bytes_ = 0;
};

}  // namespace

Reach ReachFrom(Timeline& timeline, const PlaceInRun& place, size_t most) {
  return ReachScan(timeline, std::max<size_t>(most, 2)).From(place);
}

}  // namespace hlo
