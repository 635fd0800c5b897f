#include "engine/why/origin.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/base/indices.h"
#include "engine/types/doubles.h"
#include "engine/why/exchanged.h"
#include "engine/why/search_time.h"

namespace hlo {
namespace {

constexpr int64_t kMostLookedAt = 1'000'000;

enum class Unusual : uint8_t { kNo, kInfinity, kNan };

Unusual UnusualAt(const Tensor& array, const Dims& index) {
  const ElementType type = array.element_type();
  if (!IsFloat(type) && !IsComplex(type)) return Unusual::kNo;
  const std::complex<double> number = NumberAt(array, index);
  if (std::isnan(number.real()) || std::isnan(number.imag())) return Unusual::kNan;
  return std::isinf(number.real()) || std::isinf(number.imag()) ? Unusual::kInfinity : Unusual::kNo;
}

void FindUnusual(const Value& value, const Dims& path, Unusual wanted,
                 std::optional<PlaceInRun>* found) {
  if (*found) return;
  if (value.is_tuple()) {
    for (size_t i = 0; i < value.elements().size(); ++i) {
      FindUnusual(value.elements()[i], Joined(path, Dims{static_cast<int64_t>(i)}), wanted, found);
    }
  } else if (value.is_array()) {
    const Tensor& array = value.tensor();
    for (int64_t i = 0; i < array.element_count() && !*found; ++i) {
      const Dims index = Unravel(i, array.dims());
      if (UnusualAt(array, index) == wanted) *found = {kNoStep, path, index};
    }
  }
}

// The arrays of a tuple are those of earlier steps.
int64_t ArrayBytes(const StepFacts& facts) {
  return facts.value.is_array() ? facts.value.tensor().byte_size() : 0;
}

}  // namespace

// Of what is free, the rest is for the replay and for who asks.
int64_t Origins::BytesToKeep(int64_t most) const {
  return std::min(most, static_cast<int64_t>(timeline_.budget()->memory_left() / 16));
}

StepFacts Origins::Facts(int64_t step) {
  constexpr size_t kMostKnown = 100'000;
  constexpr int64_t kMostBytes = int64_t{256} << 20;
  const auto known = known_.find(step);
  if (known != known_.end()) return known->second;
  ++calls_;
  const Window& window = ReplayedTo(step);
  StepFacts facts = window.steps[static_cast<size_t>(step - window.steps.front().step)];
  known_.emplace(step, facts);
  known_order_.push_back(step);
  known_bytes_ += ArrayBytes(facts);
  const int64_t most = BytesToKeep(kMostBytes);
  while (known_order_.size() > 1 && (known_order_.size() > kMostKnown || known_bytes_ > most)) {
    const auto oldest = known_.find(known_order_.front());
    known_bytes_ -= ArrayBytes(oldest->second);
    known_.erase(oldest);
    known_order_.pop_front();
  }
  return facts;
}

const StepFacts& Origins::EnteredAt(int64_t step) {
  const auto found = entered_.find(step);
  return found != entered_.end() ? found->second
                                 : entered_.emplace(step, Facts(step)).first->second;
}

// The window that has the step, or ends a little before it; else the one that was not used for
// longest, which is empty then.
Origins::Window& Origins::WindowFor(int64_t step) {
  constexpr int64_t kLittle = 4096;
  Window* oldest = windows_.data();
  const int64_t begin = timeline_.stretch(timeline_.StretchOf(step)).begin;
  for (Window& each : windows_) {
    const bool is_near = !each.steps.empty() && each.steps.back().step + 1 >= begin &&
                         each.steps.back().step < step && step - each.steps.back().step <= kLittle;
    if (each.Has(step) || is_near) return each;
    if (each.used_at < oldest->used_at) oldest = &each;
  }
  *oldest = {};
  return *oldest;
}

// A replay goes forward, while chains are followed backward: the steps that it goes through on the
// way from the state before it are likely to be asked for next.
const Origins::Window& Origins::ReplayedTo(int64_t step) {
  constexpr size_t kMostSteps = 4096;
  constexpr int64_t kMostBytes = int64_t{16} << 20;
  Window& window = WindowFor(step);
  window.used_at = calls_;
  if (window.Has(step)) return window;
  const int64_t begin = window.steps.empty() ? timeline_.stretch(timeline_.StretchOf(step)).begin
                                             : window.steps.back().step + 1;
  timeline_.ForEach(begin, step + 1, [&](const StepFacts& facts) {
    window.steps.push_back(facts);
    window.bytes += ArrayBytes(facts);
    const int64_t most = BytesToKeep(kMostBytes);
    while (window.steps.size() > 1 && (window.steps.size() > kMostSteps || window.bytes > most)) {
      window.bytes -= ArrayBytes(window.steps.front());
      window.steps.pop_front();
    }
    return true;
  });
  return window;
}

std::vector<Value> Origins::ArgsOf(const StepFacts& facts) {
  std::vector<Value> args;
  for (const int64_t step : facts.operands) {
    args.push_back(step == kNoStep ? Value() : Facts(step).value);
  }
  return args;
}

std::vector<ElementsInRun> Origins::Sources(const PlaceInRun& place) {
  std::vector<ElementsInRun> found;
  const StepFacts facts = Facts(place.step);
  if (!facts.instruction) return found;
  if (AddScanned(facts, place, &found)) return found;
  if (const auto parts = PassedParts(facts, *this)) {
    const PassedPart* part = PartAt(*parts, place.path);
    if (!part || part->to.size() > place.path.size()) return found;
    found.push_back({part->step, Joined(part->from, Rest(place.path, part->to.size())),
                     BoxOf(place.index), SourceRole::kValue});
    return found;
  }
  if (MeetsOthers(*facts.instruction)) {
    AddFromOthers(facts, place, &found);
    return found;
  }
  const std::vector<Value> args = ArgsOf(facts);
  const OpCall call = facts.instruction->Call();
  for (Elements& each : SourcesOf({call, args, facts.value}, place.path, place.index)) {
    const int64_t step = facts.operands[static_cast<size_t>(each.operand)];
    if (step != kNoStep) found.push_back({step, each.path, std::move(each.box), each.role});
  }
  return found;
}

// A scan whose body runs step by step, as far as it went.
struct Origins::Scan {
  std::vector<int64_t> roots;  // of the iterations, the last one first
  SmallVector<int64_t, 4> operands;
  int64_t inputs = 0, outputs = 0;
  size_t dim = 0;
  int64_t last = 0;  // index along the dimension
  bool is_reverse = false;

  int64_t ended() const { return static_cast<int64_t>(roots.size()); }
  int64_t PositionOf(int64_t iteration) const { return is_reverse ? last - iteration : iteration; }
};

// Nothing when the step is about something else, or the scan ran as one step.
std::optional<Origins::Scan> Origins::ScanAt(const StepFacts& caller) {
  if (caller.instruction->opcode() != Opcode::kScan || caller.operands.empty()) return std::nullopt;
  Scan scan;
  StepFacts at = caller;
  for (; at.kind == StepKind::kReturn; at = Facts(at.left_entered_at)) {
    scan.roots.push_back(at.root_step);
  }
  const OpCall call = caller.instruction->Call();
  const Shape& shape = caller.instruction->shape();
  const int64_t carries = call.Int("num_carries");
  scan.operands = at.operands;
  scan.inputs = call.operand_count() - carries;
  scan.outputs = (shape.IsTuple() ? std::ssize(shape.elements()) : 1) - carries;
  scan.dim = static_cast<size_t>(call.Ints("dimensions")[0]);
  scan.is_reverse = call.Bool("is_reverse");
  const Value input = Facts(at.operands[0]).value;
  if (scan.inputs < 1 || !input.is_array()) return std::nullopt;
  scan.last = input.tensor().live_dim(static_cast<int>(scan.dim)) - 1;
  return scan;
}

// Part `number` of what an iteration returned.
ElementsInRun Origins::ReturnedBy(int64_t root, int64_t number, const Dims& index) {
  const bool has_parts = Facts(root).value.is_tuple();
  return {root, has_parts ? Dims{number} : Dims{}, BoxOf(index), SourceRole::kValue};
}

// Of a scan, and of the parameters of its body: elements of the operands and of what the body
// returned. False when it is about something else.
bool Origins::AddScanned(const StepFacts& facts, const PlaceInRun& place,
                         std::vector<ElementsInRun>* out) {
  const bool is_inside = facts.instruction->opcode() == Opcode::kParameter;
  if (is_inside ? facts.entered_at == kNoStep : facts.kind != StepKind::kReturn) return false;
  const auto scan = ScanAt(is_inside ? StepFacts(Facts(facts.entered_at)) : facts);
  if (!scan) return false;
  Dims index = place.index;
  const auto at_dim = static_cast<ptrdiff_t>(scan->dim);
  const int64_t ended = scan->ended();
  if (!is_inside) {
    const int64_t part = place.path.empty() ? 0 : place.path[0];
    int64_t iteration = ended - 1;
    if (part < scan->outputs) {
      iteration = scan->PositionOf(index[scan->dim]);
      index.erase(index.begin() + at_dim);
    }
    if (iteration < 0 || iteration >= ended) return true;
    out->push_back(
        ReturnedBy(scan->roots[static_cast<size_t>(ended - 1 - iteration)], part, index));
    return true;
  }
  const auto& parameters = facts.instruction->parent()->parameters();
  const int64_t number =
      std::find(parameters.begin(), parameters.end(), facts.instruction) - parameters.begin();
  if (number >= scan->inputs && ended > 0) {
    out->push_back(ReturnedBy(scan->roots[0], scan->outputs + number - scan->inputs, index));
    return true;
  }
  if (number < scan->inputs) index.insert(index.begin() + at_dim, scan->PositionOf(ended));
  const int64_t step = scan->operands[static_cast<size_t>(number)];
  if (step != kNoStep) out->push_back({step, {}, BoxOf(index), SourceRole::kValue});
  return true;
}

void Origins::ListExchanges() {
  if (std::exchange(are_listed_, true)) return;
  timeline_.ForEach(0, timeline_.length(), [&](const StepFacts& facts) {
    for (const Delivery& each : facts.deliveries) sent_at_[each.receipt] = each.sent_at;
    if (facts.meeting == 0) return true;
    auto& there = meetings_[facts.meeting];
    const auto known = std::find_if(there.begin(), there.end(), [&](const auto& member) {
      return member.first == facts.device;
    });
    if (known == there.end()) {
      there.emplace_back(facts.device, facts.step);
    } else {
      known->second = facts.step;
    }
    return true;
  });
}

int64_t Origins::SentAt(uint32_t receipt) {
  ListExchanges();
  const auto found = sent_at_.find(receipt);
  return found == sent_at_.end() ? kNoStep : found->second;
}

// The operands of the devices that met.
void Origins::AddFromOthers(const StepFacts& facts, const PlaceInRun& place,
                            std::vector<ElementsInRun>* out) {
  std::vector<std::pair<int64_t, int64_t>> there{{facts.device, facts.step}};
  if (facts.meeting != 0) {
    ListExchanges();
    there = meetings_.at(facts.meeting);
  }
  const OpCall call = facts.instruction->Call();
  const MeetingOf at = MeetingAt(call, timeline_.grid(), facts.device);
  for (GivenElements& given : ExchangedSources(at, place.path, place.index)) {
    const auto member = std::find_if(there.begin(), there.end(),
                                     [&](const auto& each) { return each.first == given.member; });
    if (member == there.end()) continue;
    Elements& from = given.elements;
    const int64_t step = Facts(member->second).operands[static_cast<size_t>(from.operand)];
    if (step != kNoStep) out->push_back({step, from.path, std::move(from.box), from.role});
  }
}

Origins::Path Origins::FirstMade(const PlaceInRun& place, size_t most) {
  Path path{{place}, false};
  const Value first = Facts(place.step).value;
  const Tensor* array = ArrayAt(first, place.path);
  const Unusual wanted = array ? UnusualAt(*array, place.index) : Unusual::kNo;
  if (wanted == Unusual::kNo) return path;
  const SearchTime time(timeline_);
  while (path.places.size() < most && !time.IsOver()) {
    std::optional<PlaceInRun> next;
    for (const ElementsInRun& each : Sources(path.places.back())) {
      const Value value = Facts(each.step).value;
      const Tensor* from = ArrayAt(value, each.path);
      const int64_t count = from ? std::min(CountOf(each.box), kMostLookedAt) : 0;
      for (int64_t i = 0; i < count && !next; ++i) {
        const Dims index = IndexIn(each.box, i);
        if (UnusualAt(*from, index) == wanted) next = {each.step, each.path, index};
      }
      if (next) break;
    }
    if (!next) {
      path.complete = true;
      break;
    }
    path.places.push_back(*next);
  }
  return path;
}

std::optional<PlaceInRun> Origins::FirstNonFinite(int64_t step, const Dims& path) {
  Value at = Facts(step).value;
  for (const int64_t part : path) {
    if (!at.is_tuple() || part < 0 || part >= std::ssize(at.elements())) return std::nullopt;
    at = Value(at.elements()[static_cast<size_t>(part)]);
  }
  std::optional<PlaceInRun> found;
  for (const Unusual wanted : {Unusual::kNan, Unusual::kInfinity}) {
    FindUnusual(at, path, wanted, &found);
  }
  if (found) found->step = step;
  return found;
}

}  // namespace hlo
