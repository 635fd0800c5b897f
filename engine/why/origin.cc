#include "engine/why/origin.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/base/indices.h"
#include "engine/types/convert.h"
#include "engine/why/exchanged.h"

namespace hlo {
namespace {

constexpr int64_t kMostLookedAt = 1'000'000;

enum class Unusual : uint8_t { kNo, kInfinity, kNan };

Unusual UnusualAt(const Tensor& array, const Dims& index) {
  const ElementType type = array.element_type();
  if (!IsFloat(type) && !IsComplex(type)) return Unusual::kNo;
  double parts[2] = {0, 0};
  ConvertElements(type, array.bytes() + Ravel(index, array.dims()) * BytesOf(type),
                  IsComplex(type) ? ElementType::kC128 : ElementType::kF64,
                  reinterpret_cast<std::byte*>(parts), 1);
  if (std::isnan(parts[0]) || std::isnan(parts[1])) return Unusual::kNan;
  return std::isinf(parts[0]) || std::isinf(parts[1]) ? Unusual::kInfinity : Unusual::kNo;
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

}  // namespace

const StepFacts& Origins::Facts(int64_t step) {
  const auto known = known_.find(step);
  if (known != known_.end()) return known->second;
  return known_.emplace(step, timeline_.At(step)).first->second;
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
  const Tensor* array = ArrayAt(Facts(place.step).value, place.path);
  const Unusual wanted = array ? UnusualAt(*array, place.index) : Unusual::kNo;
  if (wanted == Unusual::kNo) return path;
  while (path.places.size() < most) {
    std::optional<PlaceInRun> next;
    for (const ElementsInRun& each : Sources(path.places.back())) {
      const Tensor* from = ArrayAt(Facts(each.step).value, each.path);
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
