#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>

namespace loom {

/// An array of numbers and structures of numbers whose elements are not set until the caller assigns them:
/// the threads that do so share the work of the system, which gives pages of memory at their first use.
template <typename T>
class UnsetArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  UnsetArray() = default;
  explicit UnsetArray(std::size_t count) { resize(count); }
  /// The elements are not set afterwards. Throws std::bad_alloc; the array is empty then.
  void resize(std::size_t count) {
    size_ = 0;
    if (count > capacity_) {
      elements_.reset();
      capacity_ = 0;
      elements_.reset(static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t(alignof(T)))));
      capacity_ = count;
    }
    size_ = count;
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return elements_.get(); }
  const T* data() const { return elements_.get(); }
  T& operator[](std::size_t i) { return elements_.get()[i]; }
  const T& operator[](std::size_t i) const { return elements_.get()[i]; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

 private:
  struct Delete {
    void operator()(T* elements) const { ::operator delete(elements, std::align_val_t(alignof(T))); }
  };
  std::unique_ptr<T, Delete> elements_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace loom
