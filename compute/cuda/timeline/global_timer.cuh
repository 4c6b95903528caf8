#pragma once

#include <cstdint>

namespace loom::cuda {

/// Nanoseconds of the clock that all multiprocessors of a device share; its resolution depends on the device
/// (PTX ISA, "Special Registers: %globaltimer").
__device__ __forceinline__ std::uint64_t global_timer() {
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
  return now;
}

/// The same, read once `ready` is known, if it is not 0; otherwise 0. An assembler may move a plain read of
/// the clock across a barrier; this read depends on the barrier's result.
__device__ __forceinline__ std::uint64_t global_timer_after(int ready) {
  std::uint64_t now = 0;
  asm volatile(
      "{ .reg .pred known; setp.ne.s32 known, %1, 0; mov.u64 %0, 0; @known mov.u64 %0, %%globaltimer; }"
      : "=l"(now)
      : "r"(ready)
      : "memory");
  return now;
}

/// The index of the multiprocessor that the calling thread runs on.
__device__ __forceinline__ std::uint32_t multiprocessor() {
  std::uint32_t number = 0;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
  return number;
}

}  // namespace loom::cuda
