#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace loom::cpu {

/// Zeroed memory directly from the operating system, on huge pages if available: a generation is read in
/// strips that are far apart, and with small pages address translation took up to half of a step's time.
/// Pages are mapped when they are first accessed.
class PageBuffer {
 public:
  /// Throws std::bad_alloc.
  explicit PageBuffer(std::uint64_t bytes);
  ~PageBuffer();
  PageBuffer(PageBuffer&& other) noexcept { swap(other); }
  PageBuffer& operator=(PageBuffer&& other) noexcept {
    swap(other);
    return *this;
  }
  void swap(PageBuffer& other) noexcept {
    std::swap(mapping_, other.mapping_);
    std::swap(mapped_bytes_, other.mapped_bytes_);
    std::swap(data_, other.data_);
  }
  std::uint8_t* data() const { return data_; }
  std::uint8_t& operator[](std::uint64_t i) const { return data_[i]; }

 private:
  void* mapping_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  std::uint8_t* data_ = nullptr;
};

}  // namespace loom::cpu
