#pragma once

#include <cstddef>
#include <cstdint>

#include "compute/cuda/device_buffer.h"
#include "compute/cuda/launch_slices.h"
#include "compute/cuda/mandelbrot/dp/dynamic_parallelism.h"
#include "compute/cuda/stream.h"

namespace loom::cuda {

/// Regions that the host starts.
struct DpRoots {
  std::uint32_t level = 0;
  std::uint64_t count = 0;
  const Coord32* places = nullptr;  ///< on the device; null: all regions of level 0, in one launch
};

/// The host's side of dynamic parallelism on the current device: room for launches that wait, and what those
/// of a computation share.
class DpLaunches {
 public:
  /// Lets as many launches wait as most computations need. Throws MachineError where that cannot be reserved.
  static void make_room();
  /// After a computation whose first failed launch came to this error, or 0: whether it failed for want of
  /// room for launches that wait, and now there is more. Throws MachineError.
  static bool make_more_room(int launch_error);
  [[noreturn]] static void throw_failed(int launch_error);

  /// Makes room for chains of the first regions of a subdivision. Throws CapacityError.
  void reserve_chains(const Subdivision& cut) {
    chains_.reserve(std::size_t{cut.first_parts} * cut.first_parts);
  }
  std::uint64_t bytes_held() const { return chains_.size() * sizeof(DpState::Chain); }

  /// What launches from the device share; enqueues its beginning. `joined`: there are chains, `tables` are
  /// theirs, and the roots are of level 0.
  DpState begin(const Subdivision& cut, const DpRoots& roots, bool joined, Coord32* const (&tables)[2],
                int* launch_error, const Stream& stream) const;
  /// Enqueues the regions of the roots and all that they start, as many roots a launch as are not too long
  /// together.
  template <typename Real, typename Dwell>
  static void enqueue(const DwellTask<Real, Dwell>& task, const DpState& state, const DpRoots& roots,
                      BlockShape block, const LaunchSlices& slices, const Stream& stream);

 private:
  DeviceBuffer<DpState::Chain> chains_;
};

}  // namespace loom::cuda
