#include "engine/layout/relayout.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/base/bits.h"
#include "engine/layout/digit_form.h"

namespace hlo {
namespace {

constexpr size_t kMostBoxes = 4096;

// A loop over the values of a digit that both addresses share.
struct SharedDigit {
  int64_t below = 1;
  int64_t from_step = 0;
  int64_t to_step = 0;
};

// What one value of a digit that starts at `below` adds to an address.
int64_t StepAt(const std::vector<LayoutDigit>& digits, size_t dim, int64_t below) {
  int64_t step = 0;
  for (const LayoutDigit& digit : digits) {
    if (digit.dim != static_cast<int64_t>(dim) || digit.below > below) continue;
    // Digits end where others begin, but for the top one, which may hold padding.
    if (below / digit.below < digit.size) step += digit.stride * (below / digit.below);
  }
  return step;
}

// The digits of a dimension in which both addresses are linear, minor first; false when the points
// at which the strides change do not divide one another.
bool ShareDigits(const std::vector<LayoutDigit>& from, const std::vector<LayoutDigit>& to,
                 size_t dim, int64_t size, std::vector<SharedDigit>* shared) {
  std::vector<int64_t> places = {1};
  for (const auto* digits : {&from, &to}) {
    for (const LayoutDigit& digit : *digits) {
      if (digit.dim != static_cast<int64_t>(dim)) continue;
      places.push_back(digit.below);
      int64_t end = 0;
      if (MultiplyChecked(digit.below, digit.size, &end)) places.push_back(end);
    }
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  for (size_t i = 0; i < places.size() && (i == 0 || places[i] < size); ++i) {
    if (i > 0 && places[i] % places[i - 1] != 0) return false;
    const SharedDigit digit = {places[i], StepAt(from, dim, places[i]), StepAt(to, dim, places[i])};
    if (!shared->empty()) {
      const SharedDigit& minor = shared->back();
      const int64_t count = digit.below / minor.below;
      if (digit.from_step == minor.from_step * count && digit.to_step == minor.to_step * count) {
        continue;
      }
    }
    shared->push_back(digit);
  }
  return true;
}

// The boxes of one dimension: full digits first, then what is left over at its end.
std::vector<RelayoutBox> CutDimension(const std::vector<SharedDigit>& digits, int64_t size) {
  std::vector<RelayoutBox> boxes;
  int64_t from = 0;
  int64_t to = 0;
  for (size_t top = digits.size(); top-- > 0 && size > 0;) {
    const int64_t count = size / digits[top].below;
    size %= digits[top].below;
    if (count == 0) continue;
    RelayoutBox box;
    box.from = from;
    box.to = to;
    for (size_t i = top + 1; i-- > 0;) {
      box.counts.push_back(i == top ? count : digits[i + 1].below / digits[i].below);
      box.from_steps.push_back(digits[i].from_step);
      box.to_steps.push_back(digits[i].to_step);
    }
    boxes.push_back(std::move(box));
    from += count * digits[top].from_step;
    to += count * digits[top].to_step;
  }
  return boxes;
}

void Append(const RelayoutBox& inner, RelayoutBox* box) {
  box->from += inner.from;
  box->to += inner.to;
  for (size_t i = 0; i < inner.counts.size(); ++i) {
    if (inner.counts[i] == 1) continue;
    box->counts.push_back(inner.counts[i]);
    box->from_steps.push_back(inner.from_steps[i]);
    box->to_steps.push_back(inner.to_steps[i]);
  }
}

bool MakeBoxes(const LayoutMap& from, const LayoutMap& to, std::vector<RelayoutBox>* boxes) {
  DigitForm from_form;
  DigitForm to_form;
  std::string why;
  if (!from.Digits(&from_form, &why) || !to.Digits(&to_form, &why)) return false;
  boxes->push_back({from_form.base, to_form.base, {}, {}, {}});
  for (size_t dim = 0; dim < from.dims().size(); ++dim) {
    std::vector<SharedDigit> shared;
    if (!ShareDigits(from_form.digits, to_form.digits, dim, from.dims()[dim], &shared)) {
      return false;
    }
    const std::vector<RelayoutBox> pieces = CutDimension(shared, from.dims()[dim]);
    std::vector<RelayoutBox> product;
    if (pieces.size() * boxes->size() > kMostBoxes) return false;
    for (const RelayoutBox& outer : *boxes) {
      for (const RelayoutBox& piece : pieces) {
        product.push_back(outer);
        Append(piece, &product.back());
      }
    }
    *boxes = std::move(product);
  }
  return true;
}

}  // namespace

Relayout PlanRelayout(const LayoutMap& from, const LayoutMap& to) {
  Relayout plan;
  if (from.element_count() == 0) return plan;
  plan.by_element = !MakeBoxes(from, to, &plan.boxes);
  if (plan.by_element) plan.boxes.clear();
  return plan;
}

}  // namespace hlo
