#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "compute/core/integer_math.h"

namespace loom::cuda {

/// Long work is divided into several launches, because a desktop's watchdog ends a kernel that blocks the
/// display for about two seconds. Work is counted in steps of about ten cycles of a lane: one step of an
/// orbit, or a few memory accesses near those of other lanes of the warp. The limit depends on the device; a
/// large device rarely needs more than one launch.
struct LaunchSlices {
  std::uint64_t max_steps = 1;        ///< limit per launch, for the worst case of the work
  std::uint32_t multiprocessors = 1;  ///< thread blocks that run concurrently at least
  /// Factor by which the limit may be exceeded, if the worst case is known to be unrealistic.
  std::uint32_t times = 1;
  std::function<void()> between = [] {};  ///< called between two launches
  std::uint64_t* launches = nullptr;      ///< counts the launches; null: they are not counted

  void note_launch() const {
    if (launches != nullptr) ++*launches;
  }
  /// Steps per launch.
  std::uint64_t most() const { return saturating_multiply(max_steps, times); }
  /// Steps per thread block with this number of threads. A thread block has at most one multiprocessor to
  /// itself, and uses it fully only with enough warps to hide latency.
  std::uint64_t max_steps_of_block(std::uint32_t threads) const {
    constexpr std::uint32_t kFull = 128;
    const std::uint64_t of_thread = max_steps / multiprocessors / kFull;
    return std::max<std::uint64_t>(1, saturating_multiply(of_thread, std::min(threads, kFull)));
  }
  /// The number of items, with this number of steps each, per launch; at least `least`, which run
  /// concurrently.
  std::uint64_t max_items(std::uint64_t steps_of_item, std::uint64_t least = 1) const {
    return std::max(least, most() / std::max<std::uint64_t>(1, steps_of_item));
  }
  /// Whether each_block() needs more than one launch.
  bool cuts_blocks(std::uint64_t count, std::uint64_t steps_of_item) const {
    return count > max_items(steps_of_item, multiprocessors);
  }
  /// Calls launch(first, end) for consecutive ranges of [0, count), whose items have this number of steps
  /// each; a single range if that is within the limit.
  template <typename Launch>
  void each(std::uint64_t count, std::uint64_t steps_of_item, const Launch& launch) const {
    each_part(count, max_items(steps_of_item), launch);
  }
  /// The same for items that are thread blocks: as many as there are multiprocessors take no longer than one.
  template <typename Launch>
  void each_block(std::uint64_t count, std::uint64_t steps_of_item, const Launch& launch) const {
    each_part(count, max_items(steps_of_item, multiprocessors), launch);
  }

 private:
  template <typename Launch>
  void each_part(std::uint64_t count, std::uint64_t part, const Launch& launch) const {
    for (std::uint64_t first = 0; first < count;) {
      if (first > 0) between();
      const std::uint64_t end = first + std::min(part, count - first);
      launch(first, end);
      note_launch();
      first = end;
    }
  }
};

/// The limit for about a twentieth of a second on a device, in single precision, by calculation. Launches of
/// twice the limit were measured to take up to a fifth of a second on an H200.
LaunchSlices slices_of(int device);

}  // namespace loom::cuda
