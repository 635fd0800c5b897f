// A vector of trivially copyable elements that stores the first few inline. Shapes and dimension
// lists are short; this keeps parsing free of most allocations.
#ifndef HLO_ENGINE_BASE_SMALL_VECTOR_H_
#define HLO_ENGINE_BASE_SMALL_VECTOR_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>

namespace hlo {

template <typename T, uint32_t kInline>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;
  using size_type = size_t;
  using reference = T&;
  using const_reference = const T&;
  using difference_type = ptrdiff_t;

  SmallVector() = default;
  explicit SmallVector(size_t n, T value = T{}) { resize(n, value); }
  SmallVector(std::initializer_list<T> list) { assign(list.begin(), list.end()); }
  explicit SmallVector(std::span<const T> list) { assign(list.begin(), list.end()); }
  template <typename It>
  requires(!std::is_integral_v<It>) SmallVector(It first, It last) { assign(first, last); }
  SmallVector(const SmallVector& other) { assign(other.begin(), other.end()); }
  SmallVector(SmallVector&& other) noexcept { Steal(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this != &other) Steal(other);
    return *this;
  }

  template <typename It>
  void assign(It first, It last) {
    size_ = 0;
    for (; first != last; ++first) push_back(static_cast<T>(*first));
  }
  void push_back(T value) {
    if (size_ == capacity_) Grow(size_ + 1);
    data()[size_++] = value;
  }
  void resize(size_t n, T value = T{}) {
    if (n > capacity_) Grow(n);
    for (size_t i = size_; i < n; ++i) data()[i] = value;
    size_ = static_cast<uint32_t>(n);
  }
  void insert(const_iterator at, T value) {
    size_t i = static_cast<size_t>(at - begin());
    push_back(value);
    std::rotate(begin() + i, end() - 1, end());
  }
  void erase(const_iterator at) {
    std::copy(at + 1, static_cast<const_iterator>(end()), begin() + (at - begin()));
    --size_;
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return heap_ ? heap_.get() : inline_; }
  const T* data() const { return heap_ ? heap_.get() : inline_; }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }
  T& front() { return data()[0]; }
  const T& front() const { return data()[0]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }
  iterator begin() { return data(); }
  iterator end() { return data() + size_; }
  const_iterator begin() const { return data(); }
  const_iterator end() const { return data() + size_; }

  friend bool operator==(const SmallVector& a, const SmallVector& b) {
    return a.size_ == b.size_ && std::equal(a.begin(), a.end(), b.begin());
  }

 private:
  void Grow(size_t at_least) {
    size_t capacity = std::max<size_t>(at_least, 2 * static_cast<size_t>(capacity_));
    auto bigger = std::make_unique<T[]>(capacity);
    std::copy(begin(), end(), bigger.get());
    heap_ = std::move(bigger);
    capacity_ = static_cast<uint32_t>(capacity);
  }
  void Steal(SmallVector& other) noexcept {
    heap_ = std::move(other.heap_);
    if (!heap_) std::copy(other.inline_, other.inline_ + other.size_, inline_);
    size_ = other.size_;
    capacity_ = heap_ ? other.capacity_ : kInline;
    other.size_ = 0;
    other.capacity_ = kInline;
  }

  uint32_t size_ = 0;
  uint32_t capacity_ = kInline;
  std::unique_ptr<T[]> heap_;
  T inline_[kInline] = {};
};

/// Dimension sizes, dimension numbers, indices: most arrays have rank 6 or less.
using Dims = SmallVector<int64_t, 6>;

}  // namespace hlo

#endif  // HLO_ENGINE_BASE_SMALL_VECTOR_H_
