#include "engine/timeline/spans.h"

#include <algorithm>
#include <tuple>

namespace hlo {
namespace {

int64_t IterationOf(const Instruction& caller, const IterationPath& iterations) {
  return caller.def().loops && iterations && !iterations->empty() ? iterations->back() : -1;
}

}  // namespace

Spans::Spans(const std::vector<std::unique_ptr<Replica>>& devices, int64_t position) {
  for (const auto& device : devices) {
    std::vector<Span>& open = open_.emplace_back();
    const std::vector<Replica::FrameView> frames = device->Frames();
    for (size_t i = 1; i < frames.size(); ++i) {
      const Instruction* caller =
          frames[i - 1].plan->instructions[frames[i - 1].position].instruction;
      Span span{.begin = std::min(frames[i].entered_at, position),
                .device = device->device(),
                .depth = static_cast<int>(i) - 1,
                .caller = caller};
      open.push_back(span);
      span.computation = frames[i].plan->computation;
      span.iteration = IterationOf(*caller, *frames[i].iterations);
      open.push_back(span);
    }
  }
}

void Spans::Note(const StepFacts& facts) {
  const size_t device = static_cast<size_t>(facts.device);
  if (device >= open_.size()) open_.resize(device + 1);
  if (facts.left && !open_[device].empty()) CloseLast(facts.device, facts.step + 1);
  if (facts.entered) {
    if (!facts.left) Open(facts, nullptr);
    Open(facts, facts.entered);
  } else if (facts.left && facts.has_value && !open_[device].empty()) {
    CloseLast(facts.device, facts.step + 1);
  }
}

void Spans::Open(const StepFacts& facts, const Computation* computation) {
  Span span{.begin = facts.step,
            .device = facts.device,
            .depth = facts.depth,
            .caller = facts.instruction,
            .computation = computation};
  // The first computation of a loop begins its first iteration, and so do the others of it.
  if (computation) span.iteration = IterationOf(*facts.instruction, facts.entered_iterations);
  open_[static_cast<size_t>(facts.device)].push_back(span);
}

void Spans::CloseLast(int64_t device, int64_t end) {
  std::vector<Span>& open = open_[static_cast<size_t>(device)];
  Span span = open.back();
  open.pop_back();
  span.end = end;
  Keep(span);
}

void Spans::Close(int64_t end) {
  for (size_t device = 0; device < open_.size(); ++device) {
    while (!open_[device].empty()) CloseLast(static_cast<int64_t>(device), end);
  }
}

void Spans::Keep(const Span& span) {
  if (span.end - span.begin < least_length_) return;
  closed_.push_back(span);
  while (closed_.size() > kMost) {
    least_length_ *= 2;
    closed_.erase(std::remove_if(closed_.begin(), closed_.end(),
                                 [&](const Span& s) { return s.end - s.begin < least_length_; }),
                  closed_.end());
  }
}

std::vector<Span> Spans::All(int64_t end) const {
  std::vector<Span> all = closed_;
  for (const std::vector<Span>& open : open_) {
    for (Span span : open) {
      span.end = std::max(end, span.begin);
      all.push_back(span);
    }
  }
  std::sort(all.begin(), all.end(), [](const Span& a, const Span& b) {
    return std::make_tuple(a.begin, -a.end, a.device, a.depth, a.computation != nullptr) <
           std::make_tuple(b.begin, -b.end, b.device, b.depth, b.computation != nullptr);
  });
  return all;
}

}  // namespace hlo
