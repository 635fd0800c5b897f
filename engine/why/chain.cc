#include "engine/why/chain.h"

#include <algorithm>
#include <cmath>

#include "engine/base/indices.h"
#include "engine/types/doubles.h"
#include "engine/why/first.h"
#include "engine/why/search_time.h"

namespace hlo {
namespace {

// Beyond so many elements the largest of the first ones is followed.
constexpr int64_t kMostCompared = 1 << 16;

double MagnitudeAt(const Tensor& array, const Dims& index) {
  const std::complex<double> number = NumberAt(array, index);
  const double magnitude = std::abs(number.real()) + std::abs(number.imag());
  return std::isnan(magnitude) ? 0 : magnitude;
}

std::optional<PlaceInRun> LargestOf(Origins& origins, const std::vector<ElementsInRun>& sources) {
  std::optional<PlaceInRun> largest;
  double most = -1;
  for (const ElementsInRun& each : sources) {
    if (each.role != SourceRole::kValue) continue;
    const Value value = origins.Facts(each.step).value;
    const Tensor* array = ArrayAt(value, each.path);
    const int64_t count = array ? std::min(CountOf(each.box), kMostCompared) : 0;
    for (int64_t i = 0; i < count; ++i) {
      const Dims index = IndexIn(each.box, i);
      const double magnitude = MagnitudeAt(*array, index);
      if (magnitude <= most) continue;
      most = magnitude;
      largest = {each.step, each.path, index};
    }
  }
  return largest;
}

bool IsUnusualAt(Origins& origins, const PlaceInRun& place) {
  const Value value = origins.Facts(place.step).value;
  const Tensor* array = ArrayAt(value, place.path);
  if (!array) return false;
  const ElementType type = array->element_type();
  if (!IsFloat(type) && !IsComplex(type)) return false;
  const std::complex<double> number = NumberAt(*array, place.index);
  return !std::isfinite(number.real()) || !std::isfinite(number.imag());
}

}  // namespace

Chain ChainFrom(Origins& origins, const PlaceInRun& place, size_t most) {
  Chain chain;
  if (IsUnusualAt(origins, place)) {
    const Origins::Path path = origins.FirstMade(place);
    chain.is_complete = path.complete;
    const size_t count = path.places.size();
    if (count > most) {
      chain.before_gap = most / 2;
      chain.skipped = static_cast<int64_t>(count - most);
    }
    for (size_t i = 0; i < count; ++i) {
      const bool is_left_out =
          i >= chain.before_gap && i < chain.before_gap + static_cast<size_t>(chain.skipped);
      if (is_left_out) continue;
      chain.links.push_back({path.places[i], origins.Sources(path.places[i])});
    }
    return chain;
  }
  PlaceInRun at = place;
  const SearchTime time(origins.timeline());
  while (chain.links.size() < most && !time.IsOver()) {
    chain.links.push_back({at, origins.Sources(at)});
    const auto next = LargestOf(origins, chain.links.back().sources);
    if (!next) {
      chain.is_complete = true;
      break;
    }
    at = *next;
  }
  return chain;
}

std::optional<int64_t> StepOf(Timeline& timeline, const Instruction& instruction, int64_t device,
                              const std::vector<int64_t>* iterations) {
  if (!iterations) return timeline.LastValueOf(instruction, device, timeline.length());
  std::optional<int64_t> found;
  const int64_t number = timeline.NumberOf(instruction);
  for (size_t i = timeline.stretch_count(); i-- > 0 && !found;) {
    if (!timeline.stretch(i).Has(number)) continue;
    timeline.ForEach(timeline.stretch(i).begin, timeline.StretchEnd(i), [&](const StepFacts& at) {
      const bool is_it = at.has_value && at.kind != StepKind::kEnd &&
                         at.instruction == &instruction && at.device == device;
      const bool is_then = at.iterations ? *at.iterations == *iterations : iterations->empty();
      if (is_it && is_then) found = at.step;
      return true;
    });
  }
  return found;
}

}  // namespace hlo
