#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "compute/core/integer_math.h"

namespace loom::cuda {

/// What is long is launched in parts: a desktop's watchdog ends a kernel that keeps the screen waiting, after
/// about two seconds. Work is counted in steps: what a lane does in about ten cycles, which is a step of an
/// orbit, or a few accesses to memory that others of its warp are near. The bound is a device's own, so that
/// on a large one hardly anything is cut.
struct LaunchSlices {
  std::uint64_t most_steps = 1;       ///< of a launch, if everything takes as long as it can
  std::uint32_t multiprocessors = 1;  ///< thread blocks that at least run together
  std::uint32_t times = 1;            ///< how many times as much it may be, where that is known to be far off
  std::function<void()> between = [] {};  ///< called between two launches

  /// Of a launch.
  std::uint64_t most() const { return saturating_multiply(most_steps, times); }
  /// Of a thread block of so many threads, which has at most a multiprocessor to itself, and that only where
  /// it has enough warps to hide what each waits for.
  std::uint64_t most_steps_of_block(std::uint32_t threads) const {
    constexpr std::uint32_t kFull = 128;
    const std::uint64_t of_thread = most_steps / multiprocessors / kFull;
    return std::max<std::uint64_t>(1, saturating_multiply(of_thread, std::min(threads, kFull)));
  }
  /// Items of so many steps each that a launch may have; at least `least`, which run at once anyway.
  std::uint64_t most_items(std::uint64_t steps_of_item, std::uint64_t least = 1) const {
    return std::max(least, most() / std::max<std::uint64_t>(1, steps_of_item));
  }
  /// Whether each_block() would launch more than once.
  bool cuts_blocks(std::uint64_t count, std::uint64_t steps_of_item) const {
    return count > most_items(steps_of_item, multiprocessors);
  }
  /// launch(first, end) for parts of [0, count), whose items have so many steps each: all at once, where
  /// these are not too many.
  template <typename Launch>
  void each(std::uint64_t count, std::uint64_t steps_of_item, const Launch& launch) const {
    each_part(count, most_items(steps_of_item), launch);
  }
  /// The same where an item is a thread block: as many as there are multiprocessors take no longer than one.
  template <typename Launch>
  void each_block(std::uint64_t count, std::uint64_t steps_of_item, const Launch& launch) const {
    each_part(count, most_items(steps_of_item, multiprocessors), launch);
  }

 private:
  template <typename Launch>
  void each_part(std::uint64_t count, std::uint64_t part, const Launch& launch) const {
    for (std::uint64_t first = 0; first < count;) {
      if (first > 0) between();
      const std::uint64_t end = first + std::min(part, count - first);
      launch(first, end);
      first = end;
    }
  }
};

/// Of a twentieth of a second on a device, in single precision, as reckoned; launches of twice as much were
/// measured to take up to a fifth of a second on an H200.
LaunchSlices slices_of(int device);

}  // namespace loom::cuda
