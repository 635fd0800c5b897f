#include "engine/layout/film.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/indices.h"
#include "engine/base/stable_sort.h"
#include "engine/layout/layout_map.h"
#include "engine/layout/strided_map.h"
#include "engine/layout/tiled_map.h"

namespace hlo {
namespace {

using StepKind = LayoutStep::Kind;

int64_t Swizzled(const LayoutStep& step, int64_t offset) {
  return Swizzle{step.bits, step.low, step.shift}(offset);
}

// The digits of every dimension from major to minor; false when they do not cover the dimensions.
bool SortByDimension(const LayoutMap& map, std::vector<LayoutDigit>* digits) {
  StableSort(digits->begin(), digits->end(), [](const LayoutDigit& a, const LayoutDigit& b) {
    return a.dim != b.dim ? a.dim < b.dim : a.below > b.below;
  });
  size_t at = digits->size();
  for (size_t dim = map.dims().size(); dim-- > 0;) {
    int64_t covered = 1;
    for (; at > 0 && (*digits)[at - 1].dim == static_cast<int64_t>(dim); --at) {
      const LayoutDigit& digit = (*digits)[at - 1];
      if (digit.below != covered || __builtin_mul_overflow(covered, digit.size, &covered)) {
        return false;
      }
    }
    if (covered < map.dims()[dim]) return false;
  }
  return true;
}

// Appends steps that change something.
class StepList {
 public:
  explicit StepList(const Dims& start) : now_(start) {}
  const Dims& now() const { return now_; }
  void Add(StepKind kind, const char* title, Dims after, Dims permutation = {}) {
    if (kind == StepKind::kTranspose ? std::is_sorted(permutation.begin(), permutation.end())
                                     : after == now_) {
      return;
    }
    steps_.push_back({kind, title, after, std::move(permutation)});
    now_ = std::move(after);
  }
  std::vector<LayoutStep> Take() { return std::move(steps_); }

 private:
  std::vector<LayoutStep> steps_;
  Dims now_;
};

// False when the strides do not nest.
bool AddNestedSteps(const LayoutMap& map, std::vector<LayoutDigit> digits, StepList* steps) {
  digits.erase(std::remove_if(digits.begin(), digits.end(),
                              [](const LayoutDigit& digit) { return digit.size == 1; }),
               digits.end());
  if (!SortByDimension(map, &digits)) return false;
  Dims padded = map.dims();
  Dims split;
  for (const LayoutDigit& digit : digits) {
    int64_t& size = padded[static_cast<size_t>(digit.dim)];
    size = digit.size * digit.below > size ? digit.size * digit.below : size;
    split.push_back(digit.size);
  }
  Dims permutation;
  for (size_t i = 0; i < digits.size(); ++i) permutation.push_back(static_cast<int64_t>(i));
  auto stride = [&digits](int64_t i) { return digits[static_cast<size_t>(i)].stride; };
  StableSort(permutation.begin(), permutation.end(),
             [&](int64_t a, int64_t b) { return stride(a) > stride(b); });
  // Sizes after the transposition, and what the strides leave room for.
  Dims sizes;
  Dims rooms;
  for (size_t i = 0; i < permutation.size(); ++i) {
    const int64_t size = split[static_cast<size_t>(permutation[i])];
    int64_t room = size;
    if (i > 0) {
      const int64_t own = stride(permutation[i]);
      const int64_t outer = stride(permutation[i - 1]);
      if (own <= 0 || outer % own != 0 || outer / own < size) return false;
      room = outer / own;
    }
    sizes.push_back(size);
    rooms.push_back(room);
  }
  if (!permutation.empty() && stride(permutation.back()) != 1) {
    if (stride(permutation.back()) < 1) return false;
    sizes.push_back(1);
    rooms.push_back(stride(permutation.back()));
  }
  int64_t used = 0;
  if (!ProductChecked(rooms, &used) || used == 0) return false;
  // The outermost stride does not determine how often it is repeated; the size of the buffer does.
  if (!rooms.empty() && map.physical_count() % (used / rooms[0]) == 0 &&
      map.physical_count() >= used) {
    rooms[0] = map.physical_count() / (used / rooms[0]);
    used = map.physical_count();
  }
  steps->Add(StepKind::kPad, "pad the array", std::move(padded));
  steps->Add(StepKind::kReshape, "reshape dimensions into their parts", std::move(split));
  Dims transposed(sizes.begin(), sizes.begin() + permutation.size());
  steps->Add(StepKind::kTranspose, "transpose to the order in memory", std::move(transposed),
             std::move(permutation));
  if (sizes.size() > steps->now().size()) {
    steps->Add(StepKind::kReshape, "every element a row of its own", std::move(sizes));
  }
  steps->Add(StepKind::kPad, "pad to the strides", std::move(rooms));
  steps->Add(StepKind::kReshape, "the buffer", {used});
  // Some buffers end with their last element.
  steps->Add(StepKind::kPad, used > map.aligned_count() ? "cut the tail" : "pad the tail",
             {map.aligned_count()});
  return true;
}

std::vector<LayoutStep> StepsFromDigits(const LayoutMap& map, const DigitForm& form) {
  StepList steps(map.dims());
  const bool nests =
      map.element_count() > 0 && form.base == 0 && AddNestedSteps(map, form.digits, &steps);
  std::vector<LayoutStep> list = steps.Take();
  if (!nests) list = {{StepKind::kPlace, "every element to its offset", {map.aligned_count()}}};
  if (list.empty()) list = {{StepKind::kReshape, "the buffer", {map.aligned_count()}}};
  return list;
}

class StepMaker final : public LayoutMapVisitor {
 public:
  void VisitTiled(const TiledMap& map) override { steps_ = map.Steps(); }
  void VisitStrided(const StridedMap& map) override {
    steps_ = StepsFromDigits(map, map.modes());
    const Swizzle& swizzle = map.swizzle();
    const bool swizzles = swizzle.bits != 0 && map.element_count() != 0;
    if (!swizzles || steps_.back().kind == StepKind::kPlace) return;
    steps_.push_back({StepKind::kSwizzle,
                      fmt::format("swizzle the offsets: Swizzle<{},{},{}>", swizzle.bits,
                                  swizzle.base, swizzle.shift),
                      {map.aligned_count()},
                      {},
                      swizzle.bits,
                      swizzle.base,
                      swizzle.shift});
  }
  void VisitOther(const LayoutMap& map) override {
    DigitForm form;
    std::string why;
    if (map.Digits(&form, &why)) {
      steps_ = StepsFromDigits(map, form);
    } else {
      steps_ = {{StepKind::kPlace, "every element to its offset", {map.aligned_count()}}};
    }
  }
  std::vector<LayoutStep> Take() { return std::move(steps_); }

 private:
  std::vector<LayoutStep> steps_;
};

}  // namespace

std::vector<LayoutStep> StepsOf(const LayoutMap& map) {
  StepMaker maker;
  map.Show(maker);
  return maker.Take();
}

StepEffect EffectOf(const LayoutStep& step, std::span<const int64_t> before) {
  if (step.kind == StepKind::kStart || step.kind == StepKind::kReshape) return StepEffect::kBitcast;
  if (step.kind == StepKind::kTranspose) {
    int64_t last = -1;
    for (size_t i = 0; i < step.permutation.size(); ++i) {
      if (step.after[i] == 1) continue;
      if (step.permutation[i] < last) return StepEffect::kMove;
      last = step.permutation[i];
    }
    return StepEffect::kBitcast;
  }
  if (step.kind != StepKind::kPad) return StepEffect::kMove;
  StepEffect effect = StepEffect::kBitcast;
  for (size_t i = 0; i < before.size(); ++i) {
    if (step.after[i] != before[i]) effect = StepEffect::kExtend;
    // A larger dimension precedes it, so that its later values shift.
    if (before[i] > 1) {
      for (size_t k = i + 1; k < before.size(); ++k) {
        if (step.after[k] != before[k]) return StepEffect::kMove;
      }
      return effect;
    }
  }
  return effect;
}

Film::Film(const LayoutMap& map) : map_(map) {
  frames_.push_back({StepKind::kStart, "the array", map.dims()});
  for (LayoutStep& step : StepsOf(map)) frames_.push_back(std::move(step));
}

StepEffect Film::effect(size_t frame) const {
  if (frame == 0) return StepEffect::kBitcast;
  return EffectOf(frames_[frame], frames_[frame - 1].after);
}

int64_t Film::slot_count(size_t frame) const {
  int64_t count = 0;
  ProductChecked(frames_[frame].after, &count);
  return count;
}

Dims Film::PlaceOf(size_t frame, std::span<const int64_t> index) const {
  Dims place(index);
  for (size_t f = 1; f <= frame; ++f) {
    const LayoutStep& step = frames_[f];
    switch (step.kind) {
      case StepKind::kReshape:
        place = Unravel(Ravel(place, frames_[f - 1].after), step.after);
        break;
      case StepKind::kTranspose: {
        const Dims before = place;
        for (size_t i = 0; i < place.size(); ++i) {
          place[i] = before[static_cast<size_t>(step.permutation[i])];
        }
        break;
      }
      case StepKind::kSwizzle:
        place[0] = Swizzled(step, place[0]);
        break;
      case StepKind::kPlace:
        place = {map_.OffsetOf(index)};
        break;
      case StepKind::kStart:
      case StepKind::kPad:
        break;
    }
  }
  return place;
}

bool Film::ElementAt(size_t frame, int64_t slot, std::span<int64_t> index) const {
  if (slot < 0 || slot >= slot_count(frame)) return false;
  Dims place = Unravel(slot, frames_[frame].after);
  for (size_t f = frame; f > 0; --f) {
    const LayoutStep& step = frames_[f];
    const Dims& sizes = frames_[f - 1].after;
    switch (step.kind) {
      case StepKind::kReshape:
        place = Unravel(Ravel(place, step.after), sizes);
        break;
      case StepKind::kTranspose: {
        const Dims after = place;
        for (size_t i = 0; i < after.size(); ++i) {
          place[static_cast<size_t>(step.permutation[i])] = after[i];
        }
        break;
      }
      case StepKind::kPad:
        for (size_t i = 0; i < place.size(); ++i) {
          if (place[i] >= sizes[i]) return false;
        }
        break;
      case StepKind::kSwizzle:
        place[0] = Swizzled(step, place[0]);
        break;
      case StepKind::kPlace:
        return map_.IndexAt(place[0], index);
      case StepKind::kStart:
        break;
    }
  }
  std::copy(place.begin(), place.end(), index.begin());
  return true;
}

}  // namespace hlo
