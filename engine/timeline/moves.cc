#include "engine/timeline/moves.h"

#include <algorithm>
#include <iterator>

#include "engine/base/function_ref.h"

namespace hlo {
namespace {

constexpr std::string_view kMoveWords[] = {"into",      "over",      "out",
                                           "back-into", "back-over", "back-out"};

// The position after the first step from `begin` on for which `wanted` holds.
int64_t After(Timeline& timeline, int64_t begin, FunctionRef<bool(const StepFacts&)> wanted) {
  int64_t position = timeline.length();
  timeline.ForEach(begin, timeline.length(), [&](const StepFacts& facts) {
    if (!wanted(facts)) return true;
    position = facts.step + 1;
    return false;
  });
  return position;
}

// The last step before `end` for which `wanted` holds, else 0.
int64_t LastBefore(Timeline& timeline, int64_t end, FunctionRef<bool(const StepFacts&)> wanted) {
  int64_t found = kNoStep;
  if (end <= 0) return 0;
  for (size_t i = timeline.StretchOf(end - 1) + 1; i-- > 0 && found == kNoStep;) {
    timeline.ForEach(timeline.stretch(i).begin, std::min(end, timeline.StretchEnd(i)),
                     [&](const StepFacts& facts) {
                       if (wanted(facts)) found = facts.step;
                       return true;
                     });
  }
  return std::max<int64_t>(found, 0);
}

// How many calls a device is in; -1 when its program has ended.
int DepthAt(Timeline& timeline, int64_t position, int64_t device) {
  timeline.GoTo(position);
  const auto& devices = timeline.devices();
  if (static_cast<size_t>(device) >= devices.size()) return -1;
  return static_cast<int>(devices[static_cast<size_t>(device)]->Frames().size()) - 1;
}

int64_t Over(Timeline& timeline, int64_t position, int64_t device) {
  int called = -1;  // the depth of the instruction that called
  return After(timeline, position, [&](const StepFacts& facts) {
    if (facts.device != device) return false;
    if (called < 0) {
      if (facts.has_value || facts.kind != StepKind::kEnter) return true;
      called = facts.depth;
      return false;
    }
    return facts.depth <= called && facts.has_value;
  });
}

int64_t BackOver(Timeline& timeline, int64_t position, int64_t device) {
  const int64_t last = LastBefore(timeline, position,
                                  [&](const StepFacts& facts) { return facts.device == device; });
  if (last >= timeline.length()) return last;
  const StepFacts facts = timeline.At(last);
  const bool ends_call = facts.kind == StepKind::kReturn && facts.has_value;
  const bool has_waited = facts.kind == StepKind::kValue && facts.instruction->def().enter;
  if (!ends_call && !has_waited) return last;
  const int64_t begun = LastBefore(timeline, last, [&](const StepFacts& earlier) {
    return earlier.device == device && earlier.kind == StepKind::kEnter &&
           earlier.instruction == facts.instruction && earlier.depth == facts.depth;
  });
  // An instruction that had its value at once did not begin before.
  return has_waited && begun <= facts.entered_at ? last : begun;
}

}  // namespace

std::optional<Move> MoveFromText(std::string_view word) {
  const auto found = std::find(std::begin(kMoveWords), std::end(kMoveWords), word);
  if (found == std::end(kMoveWords)) return std::nullopt;
  return static_cast<Move>(found - std::begin(kMoveWords));
}

int64_t MoveFrom(Timeline& timeline, int64_t position, int64_t device, Move move) {
  const auto is_here = [&](const StepFacts& facts) { return facts.device == device; };
  switch (move) {
    case Move::kInto:
      return After(timeline, position, is_here);
    case Move::kOver:
      return Over(timeline, position, device);
    case Move::kOut: {
      const int depth = DepthAt(timeline, position, device);
      return After(timeline, position, [&](const StepFacts& facts) {
        return facts.device == device && facts.left && facts.has_value && facts.depth < depth;
      });
    }
    case Move::kBackInto:
      return LastBefore(timeline, position, is_here);
    case Move::kBackOver:
      return BackOver(timeline, position, device);
    case Move::kBackOut: {
      const int depth = DepthAt(timeline, position, device);
      return LastBefore(timeline, position, [&](const StepFacts& facts) {
        return facts.device == device && facts.kind == StepKind::kEnter && facts.depth < depth;
      });
    }
  }
  return position;
}

}  // namespace hlo
