#pragma once

#include <cstddef>
#include <cstdint>

#include "compute/cuda/device_buffer.h"
#include "compute/cuda/mandelbrot/custom/custom_kernels.h"
#include "compute/cuda/mandelbrot/dp/dynamic_parallelism.h"
#include "compute/cuda/stream.h"

namespace loom::cuda {

/// Regions that the host launches.
struct DpRoots {
  std::uint32_t level = 0;
  std::uint64_t count = 0;
  const Coord32* places = nullptr;  ///< on the device; null: all regions of level 0, in one launch
};

/// The host's part of dynamic parallelism on the current device: the reservation for pending launches, and
/// the state that the launches of a computation share.
class DpLaunches {
 public:
  /// Reserves enough pending launches for most computations. Throws MachineError if that is not possible.
  static void make_room();
  /// Called after a computation with the error of its first failed launch, or 0. Returns whether it failed
  /// because of too many pending launches and the reservation has been enlarged. Throws MachineError.
  static bool make_more_room(int launch_error);
  [[noreturn]] static void throw_failed(int launch_error);

  /// Allocates memory for the chains of the first regions of a subdivision. Throws CapacityError.
  void reserve_chains(const Subdivision& cut) {
    chains_.reserve(std::size_t{cut.first_parts} * cut.first_parts);
  }
  std::uint64_t allocated_bytes() const { return chains_.size() * sizeof(DpState::Chain); }

  /// The state that launches from the device share; enqueues its initialization. `joined`: there are chains,
  /// `tables` belong to them, and the roots are of level 0.
  DpState begin(const Subdivision& cut, const DpRoots& roots, bool joined, Coord32* const (&tables)[2],
                int* launch_error, unsigned long long* launches, const Stream& stream) const;
  /// Enqueues the regions of the roots and all regions that they launch, with as many roots per launch as the
  /// limit allows.
  template <typename Evaluator, typename Dwell>
  static void enqueue(const DwellTask<Evaluator, Dwell>& task, const DpState& state, const DpRoots& roots,
                      BlockShape block, const DwellSlices& slices, const Stream& stream);

 private:
  DeviceBuffer<DpState::Chain> chains_;
};

}  // namespace loom::cuda
