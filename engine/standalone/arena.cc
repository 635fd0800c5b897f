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
  if (a.size() > b.size()) return Overlap(b, a, allowed);
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
      if (place.spans.size() < other.spans.size()) std::swap(place.spans, other.spans);
      const auto own = static_cast<ptrdiff_t>(place.spans.size());
      place.spans.insert(place.spans.end(), other.spans.begin(), other.spans.end());
      std::inplace_merge(place.spans.begin(), place.spans.begin() + own, place.spans.end(),
                         [](const auto& a, const auto& b) {
                           return std::pair(a.span.begin, a.span.end) <
                                  std::pair(b.span.begin, b.span.end);
                         });
      other.spans = {};
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
    std::vector<Placed> placed;  // by offset
    for (Shared* place : order) {
      Placed own{.place = place, .first = place->spans.front().span.begin, .last = Last(*place)};
      const int64_t size = Size(*place);
      for (const Placed& other : placed) {
        if (other.begin >= own.begin + size) break;
        if (other.end > own.begin && AreAtOnce(own, other)) own.begin = other.end;
      }
      own.end = own.begin + size;
      place->offset = own.begin;
      bytes_ = std::max(bytes_, own.end);
      placed.insert(
          std::upper_bound(placed.begin(), placed.end(), own,
                           [](const Placed& a, const Placed& b) { return a.begin < b.begin; }),
          own);
    }
  }

  // A place that has its bytes. There are many, and each is compared with all before it, so that
  // what decides most often is here: its first and last moments.
  struct Placed {
    const Shared* place = nullptr;
    int64_t begin = 0, end = 0;
    int32_t first = 0, last = 0;
  };
  static int32_t Last(const Shared& place) {
    int32_t last = 0;
    for (const OwnedSpan& each : place.spans) last = std::max(last, each.span.end);
    return last;
  }
  static bool AreAtOnce(const Placed& a, const Placed& b) {
    if (a.first > b.last || b.first > a.last) return false;
    const bool are_whole = a.place->spans.size() == 1 && b.place->spans.size() == 1;
    return are_whole || Overlap(a.place->spans, b.place->spans, {});
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
