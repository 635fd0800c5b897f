// Ops whose operands say where elements go or come from.
#include <algorithm>
#include <optional>

#include "engine/base/indices.h"
#include "engine/ops/movement/gather_dims.h"
#include "engine/ops/movement/shuffle.h"
#include "engine/types/convert.h"
#include "engine/why/moved.h"
#include "engine/why/rule.h"

namespace hlo {
namespace {

// An integer of an array: signed, as indices are read.
std::optional<int64_t> IntegerAt(const Value& value, const Dims& index) {
  if (!value.is_array()) return std::nullopt;
  const Tensor& array = value.tensor();
  int64_t number = 0;
  ConvertElements(array.element_type(),
                  array.bytes() + Ravel(index, array.dims()) * BytesOf(array.element_type()),
                  ElementType::kS64, reinterpret_cast<std::byte*>(&number), 1);
  return number;
}

// The starts of a slice of these sizes in operand 0; operands from `first` on are scalars, or one
// list of numbers.
std::optional<Dims> StartsOf(const Executed& at, int first, const Dims& sizes) {
  Dims starts(sizes.size());
  const bool is_list =
      static_cast<int>(at.args.size()) == first + 1 && at.call.operand(first).rank() == 1;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const auto start =
        is_list ? IntegerAt(at.args[static_cast<size_t>(first)], {static_cast<int64_t>(d)})
                : IntegerAt(at.args[static_cast<size_t>(first) + d], {});
    if (!start || at.call.operand(0).has_dynamic_dims()) return std::nullopt;
    const int64_t last = at.call.operand(0).dim(static_cast<int>(d)) - sizes[d];
    starts[d] = std::clamp<int64_t>(*start, 0, std::max<int64_t>(0, last));
  }
  return starts;
}

void AddFrom(const Executed& at, int first, SourceRole role, std::vector<Elements>* out) {
  for (int i = first; i < at.call.operand_count(); ++i) AddAll(at.call, i, role, out);
}

// An index moved by starts; nothing when it is then outside of the sizes.
std::optional<Dims> Moved(const Dims& index, const Dims& starts, int64_t sign, const Dims& sizes) {
  Dims moved = index;
  for (size_t d = 0; d < moved.size(); ++d) {
    moved[d] += sign * starts[d];
    if (moved[d] < 0 || moved[d] >= sizes[d]) return std::nullopt;
  }
  return moved;
}

}  // namespace

void DynamicSliceSources(const Executed& at, const Dims&, const Dims& index,
                         std::vector<Elements>* out) {
  const auto starts = StartsOf(at, 1, at.call.shape().dims());
  if (starts) {
    if (const auto from = Moved(index, *starts, 1, at.call.operand(0).dims())) {
      out->push_back({0, {}, BoxOf(*from), SourceRole::kValue});
    }
  } else {
    AddAll(at.call, 0, SourceRole::kValue, out);
  }
  AddFrom(at, 1, SourceRole::kPlace, out);
}

void DynamicSliceReach(const Executed& at, int operand, const Dims&, const Dims& index,
                       std::vector<Elements>* out) {
  if (operand > 0) return AddAll(at.call, -1, SourceRole::kPlace, out);
  const auto starts = StartsOf(at, 1, at.call.shape().dims());
  if (!starts) return AddAll(at.call, -1, SourceRole::kValue, out);
  const auto to = Moved(index, *starts, -1, at.call.shape().dims());
  if (to) out->push_back({-1, {}, BoxOf(*to), SourceRole::kValue});
}

void UpdateSources(const Executed& at, const Dims&, const Dims& index, std::vector<Elements>* out) {
  const Dims& sizes = at.call.operand(1).dims();
  const auto starts = StartsOf(at, 2, sizes);
  const bool is_known = starts && !at.call.operand(1).has_dynamic_dims();
  const auto from = is_known ? Moved(index, *starts, -1, sizes) : std::nullopt;
  if (from) {
    out->push_back({1, {}, BoxOf(*from), SourceRole::kValue});
  } else {
    out->push_back({0, {}, BoxOf(index), SourceRole::kValue});
    if (!is_known) AddAll(at.call, 1, SourceRole::kValue, out);
  }
  AddFrom(at, 2, SourceRole::kPlace, out);
}

void UpdateReach(const Executed& at, int operand, const Dims&, const Dims& index,
                 std::vector<Elements>* out) {
  if (operand > 1) return AddAll(at.call, -1, SourceRole::kPlace, out);
  const Dims& sizes = at.call.operand(1).dims();
  const auto starts = StartsOf(at, 2, sizes);
  const bool is_known = starts && !at.call.operand(1).has_dynamic_dims();
  if (operand == 0) {
    if (is_known && Moved(index, *starts, -1, sizes)) return;  // it is written over
    out->push_back({-1, {}, BoxOf(index), SourceRole::kValue});
  } else if (is_known) {
    if (const auto to = Moved(index, *starts, 1, at.call.shape().dims())) {
      out->push_back({-1, {}, BoxOf(*to), SourceRole::kValue});
    }
  } else {
    AddAll(at.call, -1, SourceRole::kValue, out);
  }
}

namespace {

// The index vector of a position of the indices, its dimensions but that of the vectors.
Box VectorAt(const OpCall& call, int indices, const Dims& position) {
  Box box;
  const int64_t vector_dim = call.Int(kIndexVectorDim);
  size_t next = 0;
  for (int d = 0; d < call.operand(indices).rank(); ++d) {
    if (d == vector_dim) {
      box.push_back({0, call.operand(indices).dim(d), 1});
    } else {
      box.push_back({position[next++], 1, 1});
    }
  }
  return box;
}

bool Has(const Dims& list, int64_t d) {
  return std::find(list.begin(), list.end(), d) != list.end();
}

// Where the slice of a position of the indices begins in the operand. With `moves`, a slice of
// these sizes that is not inside is moved; else nothing is returned for one.
std::optional<Dims> SliceStart(const Executed& at, int indices, const GatherNames& names,
                               const Dims& position, const Dims& sizes, bool moves) {
  const OpCall& call = at.call;
  const Box vector = VectorAt(call, indices, position);
  const int64_t vector_dim = call.Int(kIndexVectorDim);
  Dims starts(sizes.size(), 0);
  const Dims& map = call.Ints(names.index_map);
  const Dims& batch = call.Ints(names.operand_batch);
  for (size_t k = 0; k < map.size(); ++k) {
    if (Has(batch, map[k])) continue;
    const auto start =
        IntegerAt(at.args[static_cast<size_t>(indices)], IndexIn(vector, static_cast<int64_t>(k)));
    if (!start) return std::nullopt;
    starts[static_cast<size_t>(map[k])] = *start;
  }
  for (size_t k = 0; k < batch.size(); ++k) {
    const int64_t d = call.Ints(names.indices_batch)[k];
    starts[static_cast<size_t>(batch[k])] =
        position[static_cast<size_t>(d < vector_dim ? d : d - 1)];
  }
  for (size_t d = 0; d < sizes.size(); ++d) {
    const int64_t last = call.operand(0).dim(static_cast<int>(d)) - sizes[d];
    if (starts[d] >= 0 && starts[d] <= last) continue;
    if (!moves) return std::nullopt;
    starts[d] = starts[d] < 0 ? 0 : std::max<int64_t>(last, 0);
  }
  return starts;
}

// An index of the result of gather, or of the updates of scatter: the position of its slice in the
// indices, and its place in the slice, with a 0 for dimensions that slices leave out.
void Divide(const OpCall& call, const GatherNames& names, const Dims& index, Dims* position,
            Dims* place) {
  const Dims& window = call.Ints(names.window);
  Dims in_window;
  for (size_t d = 0; d < index.size(); ++d) {
    (Has(window, static_cast<int64_t>(d)) ? in_window : *position).push_back(index[d]);
  }
  size_t next = 0;
  for (int d = 0; d < call.operand(0).rank(); ++d) {
    place->push_back(IsLeftOut(call, names, d) ? 0 : in_window[next++]);
  }
}

bool IsDynamic(const OpCall& call) {
  for (int i = 0; i < call.operand_count(); ++i) {
    if (call.operand(i).has_dynamic_dims()) return true;
  }
  return false;
}

}  // namespace

void GatherSources(const Executed& at, const Dims&, const Dims& index, std::vector<Elements>* out) {
  if (IsDynamic(at.call) || !at.args[1].is_array()) {
    AddAll(at.call, 0, SourceRole::kValue, out);
    return AddAll(at.call, 1, SourceRole::kPlace, out);
  }
  Dims position, place;
  Divide(at.call, kGatherNames, index, &position, &place);
  const auto start =
      SliceStart(at, 1, kGatherNames, position, at.call.Ints("slice_sizes"), /*moves=*/true);
  if (start) {
    if (const auto from = Moved(place, *start, 1, at.call.operand(0).dims())) {
      out->push_back({0, {}, BoxOf(*from), SourceRole::kValue});
    }
  }
  out->push_back({1, {}, VectorAt(at.call, 1, position), SourceRole::kPlace});
}

namespace {

// The elements of the result for which the function says so; all, where they are too many.
template <typename Has>
void AddThose(const OpCall& call, const Has& has, std::vector<Elements>* out) {
  constexpr size_t kMostListed = 1000;
  constexpr int64_t kMostSearched = 200'000;
  const Dims& sizes = call.shape().dims();
  const int64_t count = call.shape().element_count();
  if (count > kMostSearched) return AddAll(call, -1, SourceRole::kValue, out);
  Dims to(sizes.size(), 0);
  for (int64_t i = 0; i < count; ++i, NextIndex(to, sizes)) {
    if (!has(to)) continue;
    if (out->size() == kMostListed) {
      out->clear();
      return AddAll(call, -1, SourceRole::kValue, out);
    }
    out->push_back({-1, {}, BoxOf(to), SourceRole::kValue});
  }
}

}  // namespace

// Which slices have an element of the operand only all indices tell.
void GatherReach(const Executed& at, int operand, const Dims&, const Dims& index,
                 std::vector<Elements>* out) {
  const Dims& sizes = at.call.shape().dims();
  if (IsDynamic(at.call) || !at.args[1].is_array()) {
    return AddAll(at.call, -1, SourceRole::kValue, out);
  }
  if (operand == 1) {
    Box box = WholeBox(sizes);
    const Dims& window = at.call.Ints(kGatherNames.window);
    const int64_t vector_dim = at.call.Int(kIndexVectorDim);
    int64_t d = 0;
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (Has(window, static_cast<int64_t>(i))) continue;
      if (d == vector_dim) ++d;
      box[i] = {index[static_cast<size_t>(d++)], 1, 1};
    }
    out->push_back({-1, {}, std::move(box), SourceRole::kPlace});
    return;
  }
  AddThose(
      at.call,
      [&](const Dims& to) {
        std::vector<Elements> sources;
        GatherSources(at, {}, to, &sources);
        return sources[0].operand == 0 && Contains(sources[0].box, index);
      },
      out);
}

void ShuffleSources(const Executed& at, const Dims&, const Dims& index,
                    std::vector<Elements>* out) {
  if (IsDynamic(at.call)) return AddAll(at.call, 0, SourceRole::kValue, out);
  out->push_back({0, {}, BoxOf(ShuffleMap(at.call, nullptr).SourceOf(index)), SourceRole::kValue});
}

void ShuffleReach(const Executed& at, int, const Dims&, const Dims& index,
                  std::vector<Elements>* out) {
  if (IsDynamic(at.call)) return AddAll(at.call, -1, SourceRole::kValue, out);
  const ShuffleMap map(at.call, nullptr);
  AddThose(
      at.call, [&](const Dims& to) { return map.SourceOf(to) == index; }, out);
}

namespace {

// Where an element of the updates goes; nothing when it is left out.
std::optional<Dims> TargetOf(const Executed& at, int arrays, const Dims& index) {
  const OpCall& call = at.call;
  Dims position, place;
  Divide(call, kScatterNames, index, &position, &place);
  Dims window(place.size(), 1);
  const Dims& dims = call.Ints(kScatterNames.window);
  size_t next = 0;
  for (size_t d = 0; d < window.size(); ++d) {
    if (IsLeftOut(call, kScatterNames, static_cast<int64_t>(d))) continue;
    window[d] = call.operand(arrays + 1).dim(static_cast<int>(dims[next++]));
  }
  const auto start = SliceStart(at, arrays, kScatterNames, position, window, /*moves=*/false);
  return start ? Moved(place, *start, 1, call.operand(0).dims()) : std::nullopt;
}

}  // namespace

void ScatterSources(const Executed& at, const Dims&, const Dims& index,
                    std::vector<Elements>* out) {
  constexpr size_t kMostListed = 100;
  constexpr int64_t kMostSearched = 200'000;
  const int arrays = (at.call.operand_count() - 1) / 2;
  for (int i = 0; i < arrays; ++i) out->push_back({i, {}, BoxOf(index), SourceRole::kValue});
  AddAll(at.call, arrays, SourceRole::kPlace, out);
  const Dims& sizes = at.call.operand(arrays + 1).dims();
  const int64_t count = at.call.operand(arrays + 1).element_count();
  std::vector<Dims> writers;
  bool is_known = !IsDynamic(at.call) && at.args[static_cast<size_t>(arrays)].is_array() &&
                  count <= kMostSearched;
  Dims from(sizes.size(), 0);
  for (int64_t i = 0; is_known && i < count; ++i, NextIndex(from, sizes)) {
    const auto target = TargetOf(at, arrays, from);
    if (!target || *target != index) continue;
    writers.push_back(from);
    if (writers.size() > kMostListed) is_known = false;
  }
  for (int i = arrays + 1; i < at.call.operand_count(); ++i) {
    if (!is_known) AddAll(at.call, i, SourceRole::kValue, out);
    for (const Dims& writer : is_known ? writers : std::vector<Dims>()) {
      out->push_back({i, {}, BoxOf(writer), SourceRole::kValue});
    }
  }
}

void ScatterReach(const Executed& at, int operand, const Dims&, const Dims& index,
                  std::vector<Elements>* out) {
  const int arrays = (at.call.operand_count() - 1) / 2;
  const bool is_known = !IsDynamic(at.call) && at.args[static_cast<size_t>(arrays)].is_array();
  if (operand == arrays || (operand > arrays && !is_known)) {
    return AddAll(at.call, -1, operand == arrays ? SourceRole::kPlace : SourceRole::kValue, out);
  }
  const auto target = operand < arrays ? std::optional<Dims>(index) : TargetOf(at, arrays, index);
  if (!target) return;
  for (int part = 0; part < arrays; ++part) {
    out->push_back(
        {-1, at.call.shape().IsTuple() ? Dims{part} : Dims{}, BoxOf(*target), SourceRole::kValue});
  }
}

}  // namespace hlo
