// Ops that take one element of several, and those that only pass elements on.
#include <cstring>
#include <optional>

#include "engine/base/indices.h"
#include "engine/hlo/ir.h"
#include "engine/ops/op_def.h"
#include "engine/types/convert.h"
#include "engine/why/moved.h"
#include "engine/why/rule.h"

namespace hlo {
namespace {

constexpr int64_t kMostSearched = 1'000'000;

const std::byte* ElementAt(const Tensor& array, const Dims& index) {
  return array.bytes() + Ravel(index, array.dims()) * BytesOf(array.element_type());
}

bool IsSame(const Tensor& a, const Dims& i, const Tensor& b, const Dims& j) {
  const auto bytes = static_cast<size_t>(BytesOf(a.element_type()));
  return a.element_type() == b.element_type() &&
         std::memcmp(ElementAt(a, i), ElementAt(b, j), bytes) == 0;
}

// Whether a region only chooses among its parameters.
bool OnlyPicks(const Region* region) {
  if (!region) return false;
  for (const Instruction& instruction : AsComputation(region)->instructions()) {
    switch (instruction.opcode()) {
      case Opcode::kParameter:
      case Opcode::kTuple:
      case Opcode::kSelect:
      case Opcode::kCompare:
      case Opcode::kMaximum:
      case Opcode::kMinimum:
      case Opcode::kAnd:
      case Opcode::kOr:
        break;
      default:
        return false;
    }
  }
  return true;
}

// Moves the elements of `all` that are not the one that was taken to the role kCompared.
void Part(std::vector<Elements>* all, size_t i, const Dims& taken) {
  Elements& whole = (*all)[i];
  whole.role = SourceRole::kCompared;
  if (CountOf(whole.box) == 1) {
    whole.role = SourceRole::kValue;
  } else {
    all->insert(all->begin(), {whole.operand, whole.path, BoxOf(taken), SourceRole::kValue});
  }
}

// Of a tuple of results: whether all of them at `index` are those of the operands at `from`.
bool AllSame(const Executed& at, size_t arrays, const Dims& index, const Dims& from) {
  for (size_t k = 0; k < arrays; ++k) {
    const Tensor* result =
        ArrayAt(at.result, at.result.is_tuple() ? Dims{static_cast<int64_t>(k)} : Dims{});
    const Tensor* operand = ArrayAt(at.args[k], {});
    if (!result || !operand || !IsSame(*operand, from, *result, index)) return false;
  }
  return true;
}

}  // namespace

void PickedSources(const Executed& at, const Dims& path, const Dims& index,
                   std::vector<Elements>* out) {
  AddLinked(at, path, index, out);
  const Opcode opcode = at.call.opcode();
  const bool reduces = opcode == Opcode::kReduce || opcode == Opcode::kReduceWindow;
  if (reduces && !OnlyPicks(at.call.GetRegion("to_apply"))) return;
  const size_t arrays = reduces ? at.args.size() / 2 : 1;
  const size_t part = path.empty() ? 0 : static_cast<size_t>(path[0]);
  for (size_t i = 0; i < out->size(); ++i) {
    Elements& elements = (*out)[i];
    // Of several arrays that are reduced together the same place is taken.
    if (reduces && elements.operand != static_cast<int>(part)) continue;
    const int64_t count = std::min(CountOf(elements.box), kMostSearched);
    for (int64_t number = 0; number < count; ++number) {
      const Dims from = IndexIn(elements.box, number);
      bool same = false;
      if (reduces) {
        same = AllSame(at, arrays, index, from);
      } else {
        const Tensor* operand = ArrayAt(at.args[static_cast<size_t>(elements.operand)], {});
        const Tensor* result = ArrayAt(at.result, {});
        same = operand && result && IsSame(*operand, from, *result, index);
      }
      if (!same) continue;
      for (Elements& other : *out) other.role = SourceRole::kCompared;
      Part(out, i, from);
      return;
    }
  }
}

void SelectSources(const Executed& at, const Dims& path, const Dims& index,
                   std::vector<Elements>* out) {
  AddLinked(at, path, index, out);
  if (out->size() != 3) return;
  const Tensor* predicate = ArrayAt(at.args[0], {});
  (*out)[0].role = SourceRole::kPlace;
  if (!predicate) return;
  const bool is_true = *ElementAt(*predicate, IndexIn((*out)[0].box, 0)) != std::byte{0};
  out->erase(out->begin() + (is_true ? 2 : 1));
}

void PadSources(const Executed& at, const Dims& path, const Dims& index,
                std::vector<Elements>* out) {
  AddLinked(at, path, index, out);
  // A run-time size may end the operand before.
  if (out->size() == 2 && !at.call.operand(0).has_dynamic_dims()) out->pop_back();
}

void SelectAndScatterSources(const Executed& at, const Dims& path, const Dims& index,
                             std::vector<Elements>* out) {
  AddLinked(at, path, index, out);
  for (Elements& elements : *out) {
    if (elements.operand == 0) elements.role = SourceRole::kPlace;
  }
}

void SortSources(const Executed& at, const Dims& path, const Dims& index,
                 std::vector<Elements>* out) {
  AddLinked(at, path, index, out);
  const bool is_topk = at.call.opcode() == Opcode::kTopk;
  const size_t part = is_topk || path.empty() ? 0 : static_cast<size_t>(path[0]);
  if (part >= out->size()) return;
  for (Elements& elements : *out) elements.role = SourceRole::kCompared;
  if (is_topk) {
    const Tensor* taken = ArrayAt(at.result, {1});
    if (!taken || taken->element_type() != ElementType::kS32) return;
    Dims from = index;
    int32_t place = 0;
    std::memcpy(&place, ElementAt(*taken, index), sizeof place);
    from.back() = place;
    if (Contains((*out)[0].box, from)) Part(out, 0, from);
    return;
  }
  const int64_t count = std::min(CountOf((*out)[part].box), kMostSearched);
  for (int64_t number = 0; number < count; ++number) {
    const Dims from = IndexIn((*out)[part].box, number);
    if (AllSame(at, at.args.size(), index, from)) return Part(out, part, from);
  }
}

namespace {

// Elements keep their number in row-major order.
bool KeepsOrder(const Executed& at) {
  const Shape& from = at.call.operand(0);
  const Shape& to = at.call.shape();
  if (!from.IsArray() || !to.IsArray() || from.has_dynamic_dims() || to.has_dynamic_dims()) {
    return false;
  }
  if (at.call.opcode() == Opcode::kBitcast) {
    // Other layouts may be other orders.
    return Shape::Equal(from, Shape::Array(from.element_type(), from.dims()), {}) &&
           Shape::Equal(to, Shape::Array(to.element_type(), to.dims()), {}) &&
           from.element_count() == to.element_count();
  }
  return at.call.opcode() != Opcode::kDynamicReshape;
}

// The elements of the second array that have the bytes of an element of the first.
Box SameBytes(const Shape& from, const Shape& to, const Dims& index) {
  const int64_t count = from.element_count();
  if (count == to.element_count()) {
    return BoxOf(Unravel(Ravel(index, from.dims()), to.dims()));
  }
  // bitcast-convert: the wider array has no last dimension for the parts of its elements.
  if (count > to.element_count()) {
    Dims outer = index;
    outer.pop_back();
    return BoxOf(outer);
  }
  Box box = BoxOf(index);
  box.push_back({0, to.dims().back(), 1});
  return box;
}

}  // namespace

void LinearSources(const Executed& at, const Dims&, const Dims& index, std::vector<Elements>* out) {
  if (!KeepsOrder(at)) {
    for (int i = 0; i < at.call.operand_count(); ++i) AddAll(at.call, i, SourceRole::kValue, out);
    return;
  }
  out->push_back(
      {0, {}, SameBytes(at.call.shape(), at.call.operand(0), index), SourceRole::kValue});
}

void LinearReach(const Executed& at, int operand, const Dims&, const Dims& index,
                 std::vector<Elements>* out) {
  if (operand != 0 || !KeepsOrder(at)) return AddAll(at.call, -1, SourceRole::kValue, out);
  out->push_back(
      {-1, {}, SameBytes(at.call.operand(0), at.call.shape(), index), SourceRole::kValue});
}

void PassedSources(const Executed& at, const Dims& path, const Dims& index,
                   std::vector<Elements>* out) {
  Dims from = path;
  if (at.call.opcode() == Opcode::kCopyStart) from = Dims{};
  if (at.call.opcode() == Opcode::kCopyDone) from = Joined(Dims{0}, path);
  out->push_back({0, from, BoxOf(index), SourceRole::kValue});
  for (int i = 1; i < at.call.operand_count(); ++i) AddAll(at.call, i, SourceRole::kPlace, out);
}

void PassedReach(const Executed& at, int operand, const Dims& path, const Dims& index,
                 std::vector<Elements>* out) {
  if (operand != 0) return AddAll(at.call, -1, SourceRole::kPlace, out);
  if (at.call.opcode() == Opcode::kCopyStart) {
    for (int64_t part = 0; part < 2; ++part) {
      out->push_back({-1, Dims{part}, BoxOf(index), SourceRole::kValue});
    }
    return;
  }
  Dims to = path;
  if (at.call.opcode() == Opcode::kCopyDone && !to.empty()) {
    to.erase(to.begin());
  }
  out->push_back({-1, to, BoxOf(index), SourceRole::kValue});
}

void TupleSources(const Executed&, const Dims& path, const Dims& index,
                  std::vector<Elements>* out) {
  if (path.empty()) return;
  Dims from = path;
  from.erase(from.begin());
  out->push_back({static_cast<int>(path[0]), from, BoxOf(index), SourceRole::kValue});
}

void TupleReach(const Executed&, int operand, const Dims& path, const Dims& index,
                std::vector<Elements>* out) {
  out->push_back({-1, Joined(Dims{operand}, path), BoxOf(index), SourceRole::kValue});
}

void PartSources(const Executed& at, const Dims& path, const Dims& index,
                 std::vector<Elements>* out) {
  out->push_back({0, Joined(Dims{at.call.Int("index")}, path), BoxOf(index), SourceRole::kValue});
}

void PartReach(const Executed& at, int, const Dims& path, const Dims& index,
               std::vector<Elements>* out) {
  if (path.empty() || path[0] != at.call.Int("index")) return;
  Dims to = path;
  to.erase(to.begin());
  out->push_back({-1, to, BoxOf(index), SourceRole::kValue});
}

}  // namespace hlo
