#include "engine/layout/relayout_cost.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/base/bits.h"
#include "engine/base/indices.h"
#include "engine/layout/film.h"
#include "engine/layout/relayout.h"

namespace hlo {
namespace {

// Up to this many elements layouts without common digits are compared.
constexpr int64_t kMostCompared = int64_t{1} << 20;
constexpr int64_t kLineBits = 8 * RelayoutCost::kLineBytes;

// Elements of a box that are consecutive on both sides.
int64_t RunOf(const RelayoutBox& box) {
  int64_t run = 1;
  for (size_t i = 0; i < box.counts.size();) {
    if (box.from_steps[i] == run && box.to_steps[i] == run) {
      run *= box.counts[i];
      i = 0;  // a loop passed before may go on where this one ends
    } else {
      ++i;
    }
  }
  return run;
}

int64_t ElementsOf(const RelayoutBox& box) {
  int64_t count = 1;
  for (int64_t n : box.counts) count *= n;
  return count;
}

// The cache lines that loops with these steps touch.
int64_t EstimateLines(const Dims& counts, const Dims& steps, int64_t bits) {
  std::vector<std::pair<int64_t, int64_t>> loops;  // step, count
  for (size_t i = 0; i < counts.size(); ++i) {
    loops.emplace_back(steps[i] < 0 ? -steps[i] : steps[i], counts[i]);
  }
  std::sort(loops.begin(), loops.end());
  int64_t span = bits;  // of the elements so close together that no line is skipped
  int64_t lines = 1;
  for (const auto& [step, count] : loops) {
    if (lines == 1 && step * bits <= std::max(span, kLineBits)) {
      span += (count - 1) * step * bits;
    } else {
      lines *= count;
    }
  }
  return lines * CeilDiv(span, kLineBits);
}

bool SameSteps(const LayoutMap& a, const LayoutMap& b) {
  const std::vector<LayoutStep> left = StepsOf(a);
  const std::vector<LayoutStep> right = StepsOf(b);
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const LayoutStep& x, const LayoutStep& y) {
                      return x.kind == y.kind && x.kind != LayoutStep::Kind::kPlace &&
                             x.after == y.after && x.permutation == y.permutation &&
                             x.bits == y.bits && x.low == y.low && x.shift == y.shift;
                    });
}

// Whether every element has the same offset on both sides, compared one by one if there is no other
// way.
bool SamePlaces(const LayoutMap& a, const LayoutMap& b) {
  if (SameSteps(a, b)) return true;
  if (a.element_count() > kMostCompared) return false;
  Dims index(a.dims().size());
  for (int64_t left = a.element_count(); left > 0; --left) {
    if (a.OffsetOf(index) != b.OffsetOf(index)) return false;
    NextIndex(index, a.dims());
  }
  return true;
}

// The offsets of an element, before and after.
using Places = std::pair<int64_t, int64_t>;

// The lines that hold elements at these offsets, which are in order.
template <class GetOffset>
int64_t CountLines(const std::vector<Places>& places, int64_t bits, GetOffset offset) {
  int64_t lines = 0;
  int64_t next = 0;  // the first line that is not counted yet
  for (const Places& each : places) {
    const int64_t first = std::max(next, offset(each) * bits / kLineBits);
    next = std::max(next, ((offset(each) + 1) * bits - 1) / kLineBits + 1);
    lines += next - first;
  }
  return lines;
}

void CountAll(const LayoutMap& from, const LayoutMap& to, RelayoutCost* cost) {
  std::vector<Places> places;
  places.reserve(static_cast<size_t>(from.element_count()));
  Dims index(from.dims().size());
  cost->same_places = true;
  for (int64_t left = from.element_count(); left > 0; --left) {
    places.emplace_back(from.OffsetOf(index), to.OffsetOf(index));
    cost->same_places &= places.back().first == places.back().second;
    NextIndex(index, from.dims());
  }
  std::sort(places.begin(), places.end());
  int64_t run = 0;
  Places next = {-1, -1};
  for (const Places& each : places) {
    if (each != next) {
      ++cost->runs;
      run = 0;
    }
    cost->run_elements = std::max(cost->run_elements, ++run);
    next = {each.first + 1, each.second + 1};
  }
  cost->lines_read =
      CountLines(places, from.element_bits(), [](const Places& p) { return p.first; });
  auto after = [](const Places& p) { return p.second; };
  std::sort(places.begin(), places.end(),
            [&](const Places& a, const Places& b) { return after(a) < after(b); });
  cost->lines_written = CountLines(places, to.element_bits(), after);
}

void EstimateByBoxes(const LayoutMap& from, const LayoutMap& to, const Relayout& plan,
                     RelayoutCost* cost) {
  cost->same_places = true;
  for (const RelayoutBox& box : plan.boxes) {
    cost->same_places &= box.from == box.to && box.from_steps == box.to_steps;
    const int64_t run = RunOf(box);
    cost->runs += ElementsOf(box) / run;
    cost->run_elements = std::max(cost->run_elements, run);
    cost->lines_read += EstimateLines(box.counts, box.from_steps, from.element_bits());
    cost->lines_written += EstimateLines(box.counts, box.to_steps, to.element_bits());
  }
}

void Estimate(const LayoutMap& from, const LayoutMap& to, RelayoutCost* cost) {
  cost->is_exact = false;
  const int64_t most_read = CeilDiv(from.byte_size(), RelayoutCost::kLineBytes);
  const int64_t most_written = CeilDiv(to.byte_size(), RelayoutCost::kLineBytes);
  const Relayout plan = PlanRelayout(from, to);
  if (plan.by_element) {
    cost->same_places = SamePlaces(from, to);
    cost->lines_read = cost->lines_written = from.element_count();
  } else {
    EstimateByBoxes(from, to, plan, cost);
  }
  cost->lines_read = std::min(cost->lines_read, most_read);
  cost->lines_written = std::min(cost->lines_written, most_written);
}

}  // namespace

RelayoutCost CostOfRelayout(const LayoutMap& from, const LayoutMap& to) {
  RelayoutCost cost;
  if (from.element_count() == 0) {
    cost.same_places = true;
  } else if (from.element_count() <= RelayoutCost::kMostCounted) {
    CountAll(from, to, &cost);
  } else {
    Estimate(from, to, &cost);
  }
  cost.bitcast = cost.same_places && from.byte_size() == to.byte_size() &&
                 from.element_bits() == to.element_bits();
  return cost;
}

}  // namespace hlo
