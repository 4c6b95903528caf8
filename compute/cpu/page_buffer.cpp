#include "compute/cpu/page_buffer.h"

#include <sanitizer/asan_interface.h>
#include <sys/mman.h>

#include <new>

namespace loom::cpu {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kGuard = 4096;  ///< unused bytes before the data, at least

}  // namespace

PageBuffer::PageBuffer(std::uint64_t bytes) {
  // One huge page more than needed, so that the data can begin at a huge page boundary.
  const std::size_t used = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  mapped_bytes_ = used + kHugePage;
  if (mapped_bytes_ < bytes) throw std::bad_alloc();
  mapping_ = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping_ == MAP_FAILED) {
    mapping_ = nullptr;
    throw std::bad_alloc();
  }
  const auto address = reinterpret_cast<std::uintptr_t>(mapping_);
  data_ = reinterpret_cast<std::uint8_t*>((address + kGuard + kHugePage - 1) / kHugePage * kHugePage);
  // Advice only: if it is refused, the pages stay small, which is correct but slower. Small fields would
  // waste most of a huge page.
  if (bytes >= kHugePage / 2) madvise(data_, used, MADV_HUGEPAGE);
  // Has an effect only with AddressSanitizer, which then detects accesses just outside of the data, as on the
  // heap.
  ASAN_POISON_MEMORY_REGION(mapping_, static_cast<std::size_t>(data_ - static_cast<std::uint8_t*>(mapping_)));
  ASAN_POISON_MEMORY_REGION(data_ + bytes, used - bytes);
}

PageBuffer::~PageBuffer() {
  if (!mapping_) return;
  ASAN_UNPOISON_MEMORY_REGION(mapping_,
                              mapped_bytes_);  // the next mapping at this address may belong to other code
  munmap(mapping_, mapped_bytes_);
}

}  // namespace loom::cpu
