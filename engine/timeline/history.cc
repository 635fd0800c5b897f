#include "engine/timeline/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

namespace hlo {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

double Least(double a, double b) { return std::isfinite(a) && !(b < a) ? a : b; }
double Most(double a, double b) { return std::isfinite(a) && !(b > a) ? a : b; }

// Points, of which there are never many: then two become one.
class HistoryMaker {
 public:
  HistoryMaker(const Measure& measure, const HistoryLimits& limits)
      : measure_(measure), limits_(limits) {}

  void Add(int64_t step, const Value& value) {
    const auto part = MeasuredPart(measure_, value);
    if (!part || part->count() == 0) return;
    if (history_.series.empty()) MakeSeries(*part);
    const std::vector<double> numbers = Numbers(value, *part);
    if (numbers.size() != history_.series.size()) return;
    const bool is_new =
        history_.steps.empty() || history_.steps.back() / history_.width != step / history_.width;
    if (is_new) {
      history_.steps.push_back(step);
      for (HistorySeries& each : history_.series) {
        each.last.push_back(0);
        each.least.push_back(kNoNumber);
        each.most.push_back(kNoNumber);
      }
    }
    history_.steps.back() = step;
    for (size_t i = 0; i < numbers.size(); ++i) {
      HistorySeries& series = history_.series[i];
      series.last.back() = numbers[i];
      if (!std::isfinite(numbers[i])) continue;
      series.least.back() = Least(series.least.back(), numbers[i]);
      series.most.back() = Most(series.most.back(), numbers[i]);
    }
    while (history_.steps.size() > limits_.points) Join();
  }

  History Take(bool is_sampled) {
    history_.is_sampled = is_sampled;
    return std::move(history_);
  }

 private:
  void MakeSeries(const TensorPart& part) {
    const auto count = static_cast<size_t>(part.count());
    is_split_ = measure_.statistic == Statistic::kNone && count <= limits_.elements;
    if (measure_.statistic != Statistic::kNone || count == 1) {
      history_.series.resize(1);
    } else if (is_split_) {
      for (size_t i = 0; i < count; ++i) {
        history_.series.push_back({.label = ElementLabel(part, static_cast<int64_t>(i))});
      }
    } else {
      for (const char* label : {"min", "mean", "max"}) history_.series.push_back({.label = label});
    }
  }

  static std::string ElementLabel(const TensorPart& part, int64_t number) {
    std::vector<int64_t> index(part.size.size());
    for (size_t d = index.size(); d-- > 0;) {
      index[d] = part.begin[d] + number % part.size[d];
      number /= part.size[d];
    }
    return fmt::format("[{}]", fmt::join(index, ","));
  }

  std::vector<double> Numbers(const Value& value, const TensorPart& part) const {
    if (measure_.statistic != Statistic::kNone) {
      return {MeasuredNumber(measure_, value).value_or(kNoNumber)};
    }
    if (is_split_) return NumbersOf(part, limits_.elements);
    const auto band = FiniteBand(part);
    return {band.begin(), band.end()};
  }

  // Makes points twice as wide.
  void Join() {
    history_.width *= 2;
    size_t kept = 0;
    for (size_t i = 0; i < history_.steps.size(); ++i) {
      const bool joins = kept > 0 && history_.steps[kept - 1] / history_.width ==
                                         history_.steps[i] / history_.width;
      const size_t to = joins ? kept - 1 : kept++;
      history_.steps[to] = history_.steps[i];
      for (HistorySeries& each : history_.series) {
        each.last[to] = each.last[i];
        each.least[to] = joins ? Least(each.least[to], each.least[i]) : each.least[i];
        each.most[to] = joins ? Most(each.most[to], each.most[i]) : each.most[i];
      }
    }
    history_.steps.resize(kept);
    for (HistorySeries& each : history_.series) {
      each.last.resize(kept), each.least.resize(kept), each.most.resize(kept);
    }
  }

  const Measure& measure_;
  const HistoryLimits& limits_;
  History history_;
  bool is_split_ = false;  // into its elements
};

}  // namespace

History HistoryOf(Timeline& timeline, const std::vector<const Instruction*>& instructions,
                  const Measure& measure, int64_t device, const HistoryLimits& limits) {
  using Clock = std::chrono::steady_clock;
  std::vector<size_t> stretches;
  for (size_t i = 0; i < timeline.stretch_count(); ++i) {
    const bool has = std::any_of(instructions.begin(), instructions.end(), [&](const auto* each) {
      return timeline.stretch(i).Has(timeline.NumberOf(*each));
    });
    if (has) stretches.push_back(i);
  }
  HistoryMaker maker(measure, limits);
  size_t stride = 1;
  const Clock::time_point start = Clock::now();
  const auto spent = [&] {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  };
  // How long all would take is known once a few have been replayed.
  constexpr size_t kTried = 8;
  for (size_t i = 0, visited = 0; i < stretches.size(); i += stride) {
    timeline.ForEach(timeline.stretch(stretches[i]).begin, timeline.StretchEnd(stretches[i]),
                     [&](const StepFacts& facts) {
                       const auto& all = instructions;
                       const bool is_it =
                           facts.has_value && facts.kind != StepKind::kEnd &&
                           (device < 0 || facts.device == device) &&
                           std::find(all.begin(), all.end(), facts.instruction) != all.end();
                       if (is_it) maker.Add(facts.step, facts.value);
                       return true;
                     });
    if (++visited != kTried) continue;
    const auto left = static_cast<double>(stretches.size() - i - 1);
    const double expected = spent() / static_cast<double>(kTried) * left;
    stride = static_cast<size_t>(std::max(1.0, std::ceil(expected / limits.milliseconds)));
  }
  return maker.Take(stride > 1);
}

}  // namespace hlo
