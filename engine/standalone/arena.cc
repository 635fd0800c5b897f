#include "engine/standalone/arena.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "engine/standalone/liveness.h"

namespace hlo {
namespace {

struct OwnedSpan {
  LiveSpan span;
  int32_t array = 0;
};

/// Arrays that share a place, and when one of them is needed.
struct Shared {
  std::vector<OwnedSpan> spans;  // by their beginnings
  int64_t bytes = 0;
  int64_t offset = -1;
};

/// Where arrays may take over from others: from, to, moment.
using TakeOvers = std::set<std::tuple<int32_t, int32_t, int32_t>>;

/// Whether two places are needed at the same time. Where one array takes over from another one,
/// both are at that moment.
bool Overlap(const std::vector<OwnedSpan>& a, const std::vector<OwnedSpan>& b,
             const TakeOvers& allowed) {
  const auto takes_over = [&](const OwnedSpan& from, const OwnedSpan& to) {
    return from.span.end == to.span.begin &&
           allowed.contains({from.array, to.array, to.span.begin});
  };
  for (const OwnedSpan& x : a) {
    auto y = std::lower_bound(b.begin(), b.end(), x.span.begin,
                              [](const OwnedSpan& y, int32_t m) { return y.span.end < m; });
    for (; y != b.end() && y->span.begin <= x.span.end; ++y) {
      if (!takes_over(x, *y) && !takes_over(*y, x)) return true;
    }
  }
  return false;
}

class Placing {
 public:
  explicit Placing(const DriverProgram& program)
      : program_(program), liveness_(FindLiveness(program)), owner_(program.arrays.size()) {
    std::iota(owner_.begin(), owner_.end(), 0);
    for (size_t i = 0; i < program.arrays.size(); ++i) {
      Shared& shared = places_.emplace_back();
      shared.bytes = program.arrays[i].bytes;
      for (const LiveSpan& span : liveness_.spans[i]) {
        shared.spans.push_back({span, static_cast<int32_t>(i)});
      }
    }
  }

  Arena Run() {
    Share();
    Place();
    Arena arena;
    arena.bytes = bytes_;
    for (size_t i = 0; i < owner_.size(); ++i) {
      arena.offsets.push_back(
          places_[static_cast<size_t>(OwnerOf(static_cast<int32_t>(i)))].offset);
    }
    return arena;
  }

 private:
  int32_t OwnerOf(int32_t array) {
    int32_t& owner = owner_[static_cast<size_t>(array)];
    return owner == array ? array : owner = OwnerOf(owner);
  }
  Shared& PlaceOf(int32_t array) { return places_[static_cast<size_t>(OwnerOf(array))]; }
  bool IsPlaced(int32_t array) const {
    return !program_.arrays[static_cast<size_t>(array)].address.has_value();
  }

  // Copies in inner loops first, and large ones.
  void Share() {
    const auto bytes = [&](const TakeOver& take_over) {
      return program_.arrays[static_cast<size_t>(take_over.to)].bytes;
    };
    std::vector<TakeOver>& all = liveness_.take_overs;
    TakeOvers allowed;
    for (const TakeOver& take_over : all) {
      allowed.emplace(take_over.from, take_over.to, take_over.moment);
    }
    std::stable_sort(all.begin(), all.end(), [&](const TakeOver& a, const TakeOver& b) {
      return std::pair(a.depth, bytes(a)) > std::pair(b.depth, bytes(b));
    });
    for (const TakeOver& take_over : all) {
      const int32_t from = OwnerOf(take_over.from), to = OwnerOf(take_over.to);
      if (from == to || !IsPlaced(take_over.from) || !IsPlaced(take_over.to)) continue;
      Shared& place = PlaceOf(from);
      Shared& other = PlaceOf(to);
      if (place.bytes != other.bytes || Overlap(place.spans, other.spans, allowed)) continue;
      place.spans.insert(place.spans.end(), other.spans.begin(), other.spans.end());
      std::sort(place.spans.begin(), place.spans.end(), [](const auto& a, const auto& b) {
        return std::pair(a.span.begin, a.span.end) < std::pair(b.span.begin, b.span.end);
      });
      other.spans.clear();
      owner_[static_cast<size_t>(to)] = from;
    }
  }

  // Large ones first, each where it fits first.
  void Place() {
    std::vector<Shared*> order;
    for (Shared& place : places_) {
      if (!place.spans.empty()) order.push_back(&place);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const Shared* a, const Shared* b) { return a->bytes > b->bytes; });
    std::vector<const Shared*> placed;  // by offset
    for (Shared* place : order) {
      int64_t offset = 0;
      for (const Shared* other : placed) {
        if (other->offset >= offset + Size(*place)) break;
        if (other->offset + Size(*other) <= offset) continue;
        if (Overlap(place->spans, other->spans, {})) offset = other->offset + Size(*other);
      }
      place->offset = offset;
      bytes_ = std::max(bytes_, offset + Size(*place));
      placed.insert(
          std::upper_bound(placed.begin(), placed.end(), place,
                           [](const Shared* a, const Shared* b) { return a->offset < b->offset; }),
          place);
    }
  }

  static int64_t Size(const Shared& place) {
    return std::max<int64_t>((place.bytes + kArrayAlignment - 1) / kArrayAlignment, 1) *
           kArrayAlignment;
  }

  const DriverProgram& program_;
  Liveness liveness_;
  std::vector<int32_t> owner_;
  std::vector<Shared> places_;
  int64_t bytes_ = 0;
};

}  // namespace

Arena PlaceArrays(const DriverProgram& program) { return Placing(program).Run(); }

}  // namespace hlo
