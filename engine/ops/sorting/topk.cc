// topk: scans each line and keeps the best elements seen so far.
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "engine/base/pacer.h"
#include "engine/kernels/move_copy.h"
#include "engine/kernels/move_gather.h"
#include "engine/kernels/order_keys.h"
#include "engine/kernels/sort_items.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/sorting/sorting.h"
#include "engine/threads/pieces.h"

namespace hlo {
namespace {

/// Elements whose keys are computed at a time.
constexpr int64_t kPiece = 4096;
/// Above this k the whole line is sorted instead, since the selection cannot be cancelled.
constexpr int64_t kMaxSelected = int64_t{1} << 16;

/// Keeps the best `count` > 0 items of a line. The buffer holds more than `count`; when it is full
/// only the best are kept, and from then on only better items are added.
template <typename Item>
class BestItems {
 public:
  using Key = typename Item::Key;

  BestItems(ElementOrder order, int64_t length, int64_t count, Budget* budget)
      : order_(order),
        length_(length),
        count_(std::min(count, length)),
        selects_(2 * count < length && count <= kMaxSelected),
        room_(selects_ ? std::min(length, std::max<int64_t>(2 * count, 1024)) : length),
        pacer_(budget) {
    const size_t bytes = static_cast<size_t>(room_) * sizeof(Item);
    keys_ = Buffer::Allocate(kPiece * sizeof(Key), budget);
    items_ = Buffer::Allocate(bytes, budget);
    if (!selects_) scratch_ = Buffer::Allocate(bytes, budget);
  }

  /// What is polled from now on.
  void set_budget(Budget* budget) { pacer_ = Pacer(budget); }

  /// Writes the indices of the best elements of a line, best first.
  void Find(const std::byte* line, uint32_t* best) {
    const Key* const keys = reinterpret_cast<const Key*>(keys_->data());
    size_ = 0;
    bool is_limited = false;
    Key limit = 0;
    for (int64_t done = 0; done < length_; done += kPiece) {
      const int64_t count = std::min(kPiece, length_ - done);
      WriteOrderKeys(order_, line + done * BytesOf(order_.type), count,
                     reinterpret_cast<Key*>(keys_->data()));
      for (int64_t i = 0; i < count; ++i) {
        // Of equal keys, the earlier ones have already been added.
        if (is_limited && keys[i] >= limit) continue;
        items()[size_++] = Item::Make(keys[i], static_cast<uint32_t>(done + i));
        if (size_ < room_ || !selects_) continue;
        Select();
        is_limited = true;
        limit = std::max_element(items(), items() + size_)->key();
      }
      pacer_.Add(count);
    }
    const Item* sorted = Sort();
    for (int64_t i = 0; i < count_; ++i) best[i] = sorted[i].index();
  }

 private:
  Item* items() { return reinterpret_cast<Item*>(items_->data()); }

  const Item* Sort() {
    if (!selects_) {
      return SortItems(items(), reinterpret_cast<Item*>(scratch_->data()), size_, pacer_.budget());
    }
    Select();
    std::sort(items(), items() + size_);
    return items();
  }

  void Select() {
    if (size_ <= count_) return;
    SelectItems(items(), size_, count_);
    pacer_.Add(size_);
    size_ = count_;
  }

  ElementOrder order_;
  int64_t length_, count_;
  bool selects_;
  int64_t room_;
  Pacer pacer_;
  int64_t size_ = 0;  // items in the buffer
  std::shared_ptr<Buffer> keys_, items_, scratch_;
};

/// Finds the best `k` of the first `live` elements of every line of `input`. The other elements are
/// padding, which is appended unchanged.
template <typename Item>
void FindInLines(const Tensor& input, int64_t live, int64_t k, bool largest, Topk* result,
                 Budget* budget) {
  const int64_t length = input.dim(input.rank() - 1);
  const int64_t found = std::min(k, live);
  const int width = BytesOf(input.element_type());
  const int64_t lines = length == 0 ? 0 : input.element_count() / length;
  const int64_t work = input.element_count();
  // By thread; lines that are long threads share one after the other.
#ifdef HLO_SMALL
  constexpr int threads = 1;
  BestItems<Item> best[] = {
      BestItems<Item>({input.element_type(), largest, true}, live, found, budget)};
#else
  const int threads = IsShared(work) && !IsShared(length) ? PieceThreads() : 1;
  std::vector<BestItems<Item> > best;
  for (int i = 0; i < threads; ++i) {
    best.emplace_back(ElementOrder{input.element_type(), largest, true}, live, found, budget);
  }
#endif
  const auto numbers =
      Buffer::Allocate(static_cast<size_t>(threads * k) * sizeof(uint32_t), budget);
  std::byte* const values = result->values.mutable_bytes();
  int32_t* const all_indices = result->indices.mutable_data<int32_t>();
  const auto find = [&](int64_t line, int thread, Budget* own) {
    BestItems<Item>& items = best[static_cast<size_t>(thread)];
    items.set_budget(own);
    uint32_t* const order = reinterpret_cast<uint32_t*>(numbers->data()) + thread * k;
    const std::byte* const from = input.bytes() + line * length * width;
    if (found > 0) items.Find(from, order);
    for (int64_t i = found; i < k; ++i) order[i] = static_cast<uint32_t>(i);
    GatherElements(width, from, order, k, values + line * k * width);
    int32_t* const indices = all_indices + line * k;
    for (int64_t i = 0; i < k; ++i) indices[i] = static_cast<int32_t>(order[i]);
  };
  if (threads > 1) return RunPieces(lines, work, budget, find);
  for (int64_t line = 0; line < lines; ++line) find(line, 0, budget);
}

}  // namespace

Topk FindTopk(const Tensor& operand, int64_t k, bool largest, Budget* budget) {
  const ElementType type = operand.element_type();
  if (IsComplex(type)) {
    throw RunError(DiagCode::kNotExecutable, "topk: complex numbers have no order");
  }
  const size_t last = static_cast<size_t>(operand.rank() - 1);
  Dims live = LiveDims(operand);
  const int64_t live_length = std::exchange(live[last], operand.dims()[last]);
  if (live[last] > std::numeric_limits<int32_t>::max()) {
    throw RunError(DiagCode::kRuntimeError, "topk: the indices of so long a line do not fit s32");
  }
  const Tensor input = TensorFromView(operand, Prefix(RowMajorView(operand.dims()), live),
                                      Shape::Array(operand.element_type(), live), budget);
  live[last] = k;
  Topk result{Tensor(type, live, budget), Tensor(ElementType::kS32, live, budget)};
  if (result.values.element_count() == 0) return result;
  if (HasWideKeys(type)) {
    FindInLines<WideItem>(input, live_length, k, largest, &result, budget);
  } else {
    FindInLines<NarrowItem>(input, live_length, k, largest, &result, budget);
  }
  return result;
}

Value EvalTopk(const OpCall& call, std::span<Value> args, EvalContext& context) {
  Budget* budget = context.budget();
  const Topk found = FindTopk(args[0].tensor(), call.Int("k"), call.Bool("largest", true), budget);
  const std::vector<Shape>& shapes = call.shape().elements();
  return Value::Tuple(
      {WithBounds(found.values, shapes[0], budget), WithBounds(found.indices, shapes[1], budget)});
}

}  // namespace hlo
