// Values: dense row-major arrays, tuples of them, tokens. Reference-counted; buffers are charged to
// the budget.
#ifndef HLO_ENGINE_TYPES_TENSOR_H_
#define HLO_ENGINE_TYPES_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/budget.h"
#include "engine/base/small_vector.h"
#include "engine/types/element_type.h"
#include "engine/types/shape.h"
#include "engine/types/storage.h"

namespace hlo {

/// Bytes owned by tensors, charged to a budget (which may be null: constants and inputs made
/// outside a run). 64-byte aligned, except for those of a few bytes, which are stored inline: loops
/// over scalars make one per instruction. The budget must outlive the buffer.
class Buffer {
  struct Key {};  // std::make_shared needs a public constructor that nobody else can call

 public:
  static constexpr size_t kInlineBytes = 16;
  explicit Buffer(Key) : data_(room_) {}
  /// Uninitialised bytes. Throws RunError(kMemoryExceeded), also when the allocator has none.
  static std::shared_ptr<Buffer> Allocate(size_t bytes, Budget* budget);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  size_t size() const { return size_; }

  /// Nothing needs the bytes for now: they are not charged until they are resumed.
  void Park() {
    if (budget_ != nullptr) budget_->Release(size_);
    budget_ = nullptr;
  }
  /// Charges the bytes of a parked buffer, whose values are undefined, as Allocate does.
  void Resume(Budget* budget) {
    budget->Reserve(size_);
    budget_ = budget;
  }

 private:
  std::byte* data_;
  size_t size_ = 0;
  size_t lead_ = 0;           // bytes of the allocation that lie before data_
  Budget* budget_ = nullptr;  // what the bytes are charged to
  alignas(16) std::byte room_[kInlineBytes];
};

/// A dense array, row-major in its logical dimensions whatever the layout of its shape is.
/// Copies share the buffer; write only when `unique()` (or right after making it).
class Tensor {
 public:
  Tensor() = default;
  /// Uninitialised elements.
  Tensor(ElementType type, std::span<const int64_t> dims, Budget* budget);
  Tensor(const Shape& shape, Budget* budget) : Tensor(shape.element_type(), shape.dims(), budget) {}
  /// The elements that a buffer, which has room for them, holds.
  Tensor(ElementType type, const Dims& dims, int64_t count, std::shared_ptr<Buffer> buffer)
      : type_(type), dims_(dims), count_(count), buffer_(std::move(buffer)) {}
  /// One element.
  template <typename T>
  static Tensor Scalar(T value, Budget* budget = nullptr) {
    Tensor t(kTypeOf<T>, std::span<const int64_t>{}, budget);
    *t.mutable_data<T>() = value;
    return t;
  }

  ElementType element_type() const { return type_; }
  int rank() const { return static_cast<int>(dims_.size()); }
  const Dims& dims() const { return dims_; }
  int64_t dim(int i) const { return dims_[static_cast<size_t>(i)]; }
  int64_t element_count() const { return count_; }
  int64_t byte_size() const { return count_ * BytesOf(type_); }
  /// There is a buffer, and it has room for all elements.
  bool HoldsElements() const {
    return buffer_ && byte_size() <= static_cast<int64_t>(buffer_->size());
  }
  /// No one else holds the buffer, so it may be written in place.
  bool unique() const { return buffer_.use_count() == 1; }

  template <typename T>
  const T* data() const {
    return reinterpret_cast<const T*>(buffer_->data());
  }
  template <typename T>
  T* mutable_data() {
    return reinterpret_cast<T*>(buffer_->data());
  }
  const std::byte* bytes() const { return buffer_->data(); }
  std::byte* mutable_bytes() { return buffer_->data(); }

  /// The same elements with other dimensions (same count) and, for types stored in as many bytes,
  /// another type. Shares the buffer. Throws RunError(kInternalFault) when these do not fit.
  Tensor Reinterpreted(ElementType type, std::span<const int64_t> dims) const;

  /// Run-time sizes of dynamic dimensions: empty when all are at their bound.
  const Dims& dynamic_sizes() const { return dynamic_sizes_; }
  void set_dynamic_sizes(Dims sizes) { dynamic_sizes_ = std::move(sizes); }
  /// The run-time size of dimension i.
  int64_t live_dim(int i) const {
    return dynamic_sizes_.empty() ? dim(i) : dynamic_sizes_[static_cast<size_t>(i)];
  }
  explicit operator bool() const { return buffer_ != nullptr; }

  const std::shared_ptr<Buffer>& buffer() const { return buffer_; }
  /// The buffer, which the array no longer has.
  std::shared_ptr<Buffer> TakeBuffer() { return std::move(buffer_); }

 private:
  ElementType type_ = ElementType::kPred;
  Dims dims_;
  int64_t count_ = 0;
  Dims dynamic_sizes_;
  std::shared_ptr<Buffer> buffer_;
};

/// A token, an array, or a tuple of values.
class Value {
 public:
  using Elements = std::vector<Value>;
  /// A token (also represents opaque values).
  Value();
  Value(Tensor tensor);  // NOLINT: an array is a value
  // Out of line: g++ 12 takes the inlined variant for uninitialised memory.
  Value(const Value&);
  Value(Value&&) noexcept;
  Value& operator=(const Value&);
  Value& operator=(Value&&) noexcept;
  ~Value();
  static Value Tuple(Elements elements) {
    Value v;
    v.data_ = std::make_shared<Elements>(std::move(elements));
    return v;
  }
  bool is_token() const { return std::holds_alternative<std::monostate>(data_); }
  bool is_array() const { return std::holds_alternative<Tensor>(data_); }
  bool is_tuple() const { return std::holds_alternative<std::shared_ptr<Elements>>(data_); }
  const Tensor& tensor() const { return std::get<Tensor>(data_); }
  Tensor& tensor() { return std::get<Tensor>(data_); }
  const Elements& elements() const { return *std::get<std::shared_ptr<Elements>>(data_); }
  Elements& mutable_elements() { return *std::get<std::shared_ptr<Elements>>(data_); }
  /// For tuples: no one else holds the element list.
  bool unique_elements() const {
    return std::get<std::shared_ptr<Elements>>(data_).use_count() == 1;
  }

 private:
  std::variant<std::monostate, Tensor, std::shared_ptr<Elements>> data_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_TENSOR_H_
