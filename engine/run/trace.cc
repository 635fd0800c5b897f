#include "engine/run/trace.h"

#include <algorithm>
#include <utility>

#include "engine/base/stable_sort.h"

namespace hlo {
namespace {

// What a small value costs beside its elements.
constexpr uint64_t kOverhead = 64;

// Once a run has dropped this many times its limit, loop values that would fill a good part of the
// trace are not held at all: holding them would force a copy in every iteration.
constexpr uint64_t kChurnFactor = 2;
constexpr uint64_t kLargeFraction = 64;

}  // namespace

// The element lists of tuples count as buffers do, once however many values hold them: a tuple that
// uses the same parts again and again has many elements and few lists.
void Trace::Count(const Value& value) {
  if (value.is_array()) {
    const Tensor& tensor = value.tensor();
    if (++holders_[tensor.bytes()] > 1) return;
    bytes_ += static_cast<uint64_t>(tensor.byte_size()) + kOverhead;
  } else if (value.is_tuple()) {
    const Value::Elements& elements = value.elements();
    if (++holders_[&elements] > 1) return;
    bytes_ += elements.size() * sizeof(Value) + kOverhead;
    for (const Value& element : elements) Count(element);
  }
}

void Trace::Uncount(const Value& value) {
  auto let_go = [&](const void* held, uint64_t bytes) {
    auto it = holders_.find(held);
    if (--it->second > 0) return false;
    holders_.erase(it);
    bytes_ -= bytes;
    churn_ += bytes;
    return true;
  };
  if (value.is_array()) {
    const Tensor& tensor = value.tensor();
    let_go(tensor.bytes(), static_cast<uint64_t>(tensor.byte_size()) + kOverhead);
  } else if (value.is_tuple()) {
    const Value::Elements& elements = value.elements();
    if (!let_go(&elements, elements.size() * sizeof(Value) + kOverhead)) return;
    for (const Value& element : elements) Uncount(element);
  }
}

void Trace::Drop(TraceEntry& entry) {
  Uncount(entry.value);
  entry.value = Value();
  entry.dropped = true;
}

bool Trace::DropOldest(Queue& queue) {
  if (queue.first_kept >= queue.entries.size()) return false;
  TraceEntry& entry = queue.entries[queue.first_kept++];
  if (!entry.dropped) Drop(entry);
  return true;
}

void Trace::PopOldest(Queue& queue) {
  if (!queue.entries.front().dropped) Drop(queue.entries.front());
  queue.entries.pop_front();
  if (queue.first_kept > 0) --queue.first_kept;
}

void Trace::Release(uint64_t bytes) {
  const uint64_t goal = bytes_ > bytes ? bytes_ - bytes : 0;
  while (bytes_ > goal && (DropOldest(loops_) || DropOldest(outer_))) {
  }
}

void Trace::Record(const Instruction& instruction, int64_t device, int depth,
                   const IterationPath& iterations, const Value& value) {
  const bool in_loop = iterations != nullptr;
  TraceEntry entry{next_id_++, &instruction, device, depth, iterations, Value(), true};
  if (outer_.entries.size() + loops_.entries.size() >= limits_.entries) {
    if (loops_.entries.empty()) return;
    PopOldest(loops_);
  }
  const bool thrashing = in_loop && churn_ > kChurnFactor * limits_.bytes;
  const auto bytes = static_cast<uint64_t>(instruction.shape().stored_bytes());
  if (!thrashing || bytes <= limits_.bytes / kLargeFraction) {
    entry.value = value;
    entry.dropped = false;
    Count(value);
  }
  Queue& queue = in_loop ? loops_ : outer_;
  queue.entries.push_back(std::move(entry));
  if (bytes_ > limits_.bytes) Release(bytes_ - limits_.bytes);
}

std::vector<const TraceEntry*> Trace::Entries() const {
  std::vector<const TraceEntry*> all;
  all.reserve(outer_.entries.size() + loops_.entries.size());
  for (const TraceEntry& entry : outer_.entries) all.push_back(&entry);
  for (const TraceEntry& entry : loops_.entries) all.push_back(&entry);
  StableSort(all.begin(), all.end(),
             [](const TraceEntry* a, const TraceEntry* b) { return a->id < b->id; });
  return all;
}

const TraceEntry* Trace::Find(int64_t id) const {
  for (const Queue* queue : {&outer_, &loops_}) {
    auto it = std::lower_bound(queue->entries.begin(), queue->entries.end(), id,
                               [](const TraceEntry& entry, int64_t i) { return entry.id < i; });
    if (it != queue->entries.end() && it->id == id) return &*it;
  }
  return nullptr;
}

}  // namespace hlo
