#include "engine/types/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <new>

#include "engine/base/bits.h"
#include "engine/base/indices.h"
#include "engine/base/work_limit.h"

namespace hlo {
namespace {

constexpr std::align_val_t kAlignment{64};
#ifdef __has_feature
constexpr bool kIsSanitized = __has_feature(address_sanitizer);
#else
constexpr bool kIsSanitized = false;
#endif
// Half of what the address sanitizer lets an allocator be asked for; on small machines what a
// pointer difference can span.
constexpr int64_t kMostBytes =
    std::min<int64_t>(int64_t{1} << 39, std::numeric_limits<ptrdiff_t>::max());

// The number of elements; throws when they cannot be counted or addressed.
int64_t CheckedCount(ElementType type, std::span<const int64_t> dims) {
  int64_t count = 1;
  bool fits = true;
  bool is_empty = false;
  for (int64_t size : dims) {
    is_empty |= size == 0;
    fits &= size >= 0 && (size == 0 || MultiplyChecked(count, size, &count));
  }
  const int64_t bytes = BytesOf(type);
  if (is_empty && fits) return 0;
  if (fits && count <= kMostBytes / bytes) return count;
  int64_t asked = 0;
  const bool counted = fits && MultiplyChecked(count, bytes, &asked);
  throw RunError(
      DiagCode::kMemoryExceeded,
      fmt::format("an array {}[{}] is too large to address: it needs {} bytes, and {} is the most",
                  Text(type), fmt::join(dims.begin(), dims.end(), ","),
                  counted ? fmt::to_string(asked) : "over 2^63", kMostBytes));
}

/// Whether an array has a place of its own in its allocation, which is longer. The address
/// sanitizer is to see what lies beside an array.
constexpr bool IsPlaced(size_t bytes) { return !kIsSanitized && bytes >= size_t{1} << 18; }
constexpr size_t kPage = 4096;

/// Where an array begins in its allocation. Large allocations begin at the same place of a page,
/// and a processor that compares the low 12 bits of addresses first takes a read of one array for a
/// read of what was just written to another. Hence large arrays begin at different places, one
/// after the other, in allocations of the same size, so that the memory of one does for the next.
/// For the same reason they are aligned here: an allocator that is asked for aligned memory looks
/// for more than it gives, so that what it is given back is too short the next time.
size_t NextLead(const void* memory) {
  constexpr size_t kStep = 1280;
  static std::atomic<size_t> count = 0;
  const size_t lead = count.fetch_add(1, std::memory_order_relaxed) * kStep % kPage;
  const auto alignment = static_cast<size_t>(kAlignment);
  return lead + (alignment - reinterpret_cast<uintptr_t>(memory) % alignment) % alignment;
}

void* AllocateBytes(size_t bytes) {
  if (!IsPlaced(bytes)) return ::operator new(bytes, kAlignment, std::nothrow);
  return ::operator new(bytes + kPage + static_cast<size_t>(kAlignment), std::nothrow);
}

}  // namespace

std::shared_ptr<Buffer> Buffer::Allocate(size_t bytes, Budget* budget) {
  std::shared_ptr<Buffer> buffer = std::make_shared<Buffer>(Key());
  if (budget != nullptr) {
    budget->Reserve(bytes);
  } else {
    CountBytes(bytes);
  }
  buffer->budget_ = budget;
  buffer->size_ = bytes;
  if (bytes <= kInlineBytes) return buffer;
  if (void* const memory = AllocateBytes(bytes)) {
    buffer->lead_ = IsPlaced(bytes) ? NextLead(memory) : 0;
    buffer->data_ = static_cast<std::byte*>(memory) + buffer->lead_;
    return buffer;
  }
  throw RunError(DiagCode::kMemoryExceeded,
                 fmt::format("the system could not allocate {} bytes", bytes));
}

Buffer::~Buffer() {
  if (data_ != room_) {
    std::byte* const memory = data_ - lead_;
    if (IsPlaced(size_)) {
      ::operator delete(memory);
    } else {
      ::operator delete(memory, kAlignment);
    }
  }
  if (budget_ != nullptr) budget_->Release(size_);
}

Tensor::Tensor(ElementType type, std::span<const int64_t> dims, Budget* budget)
    : type_(type),
      dims_(dims),
      count_(CheckedCount(type, dims)),
      buffer_(Buffer::Allocate(static_cast<size_t>(count_ * BytesOf(type)), budget)) {}

Tensor Tensor::Reinterpreted(ElementType type, std::span<const int64_t> dims) const {
  const std::optional<int64_t> count = CheckedElementCount(dims);
  if (count != count_ || (count_ != 0 && BytesOf(type) != BytesOf(type_))) {
    throw RunError(DiagCode::kInternalFault,
                   fmt::format("a fault of this engine: {}[{}] cannot be read as {}[{}]",
                               Text(type_), fmt::join(dims_.begin(), dims_.end(), ","), Text(type),
                               fmt::join(dims.begin(), dims.end(), ",")));
  }
  Tensor result = *this;
  result.type_ = type;
  result.dims_.assign(dims.begin(), dims.end());
  result.dynamic_sizes_.clear();
  return result;
}

Value::Value() = default;
Value::Value(Tensor tensor) : data_(std::move(tensor)) {}
Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(const Value&) = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;

}  // namespace hlo
