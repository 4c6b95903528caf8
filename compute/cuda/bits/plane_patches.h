#pragma once

#include <cstdint>
#include <vector>

#include "compute/cuda/device_buffer.h"
#include "compute/cuda/launch_slices.h"
#include "compute/cuda/stream.h"
#include "compute/geometry/bit_planes.h"
#include "compute/geometry/group_neighbours.h"
#include "compute/geometry/plane_parts.h"
#include "compute/workload/game_of_life.h"

namespace loom::cuda {

/// Steps of a thread's words in one generation, at most (LaunchSlices).
inline std::uint64_t steps_of_words(const BitPlanes& planes) {
  constexpr std::uint64_t kOfHalf = 10;
  return kOfHalf * planes.planes * (planes.wide() ? 2 : 1);
}

/// A part's rim (geometry/plane_parts.h) as one patch, in device memory: what it lists are the members, of
/// which the rim is inside.
struct RimPatch {
  const std::uint32_t* groups = nullptr;  ///< of the part, those of copies too
  const std::uint16_t* beside = nullptr;  ///< of PlanePatches::beside_of()
  std::uint32_t inside = 0;
  std::uint32_t members = 0;
  const std::uint32_t* told = nullptr;  ///< places in the rim
  std::uint32_t told_count = 0;
  void* messages = nullptr;  ///< for what is told, thread after thread
};

/// Several generations of life in bit planes a launch: a thread block holds a replica of the fractal and its
/// rim (geometry/plane_patch.h) in registers, and its threads tell each other their edges through shared
/// memory. For those fractals of the catalogue for which it pays.
class PlanePatches {
 public:
  /// `catalog` is the fractal's number in the catalogue, or -1.
  PlanePatches(const BitPlanes& planes, int catalog);

  /// How many of `times` generations the next launch makes: 1 where several do not pay.
  std::uint32_t at_once(std::uint32_t times) const;
  /// Enqueues 2 to at_once() generations, as PlaneStep::step().
  void step(const void* now, void* next, std::uint16_t* counts, LifeRule rule, std::uint32_t generations,
            const GroupNeighbours& neighbours, const LaunchSlices& slices, const Stream& stream) const;

  /// Whether a part's rim is small enough for one thread block, and the fractal one of these.
  bool can_hold(const PartRim& rim) const;
  static std::vector<std::uint16_t> beside_of(const PartRim& rim);
  /// Enqueues 1 to at_once() generations of a rim that can be held: its words as they are then into rows of
  /// `next`, as they are listed, and those that are told into the messages. `now` has the copies of others'
  /// words behind its own.
  void step_rim(const void* now, void* next, const RimPatch& rim, LifeRule rule, std::uint32_t generations,
                const Stream& stream) const;

 private:
  int catalog_ = -1;
  std::uint32_t groups_ = 1;   ///< of the fractal
  std::uint64_t steps_ = 1;    ///< of a group in a generation
  std::uint32_t inside_ = 0;   ///< groups of a patch
  std::uint32_t members_ = 0;  ///< those with its rim; 0: no patches
  std::uint32_t most_ = 1;
  DeviceBuffer<std::uint16_t> beside_;
  DeviceBuffer<std::uint32_t> rim_;  ///< direction << 16 | member inside
};

}  // namespace loom::cuda
