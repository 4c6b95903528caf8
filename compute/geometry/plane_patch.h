#pragma once

#include <cstdint>
#include <vector>

#include "compute/geometry/bit_planes.h"

namespace loom {

/// A set of groups that can be stepped several generations without reading other groups: the groups of a
/// replica, and a halo of groups around it from which something can reach the replica in that time. For a
/// fractal whose replicas meet only at points, the halo is a few groups, whatever the size of the replica.
/// The patch is the same for every replica of a size.
struct PlanePatch {
  static constexpr std::uint16_t kNone = 0xffff;

  int levels = 0;             ///< levels of the replica, in groups
  std::uint32_t inside = 0;   ///< k^levels groups of the replica; they are the first members
  std::uint32_t members = 0;  ///< groups of the replica and the halo
  int generations = 0;        ///< largest number of generations per launch
  /// [direction * members + member]: the neighbouring member; kNone if there is none.
  std::vector<std::uint16_t> beside;
  /// The position of each halo member, as an inner member and a direction from it. The group may not exist.
  struct HaloMember {
    std::uint16_t inside = 0;
    std::uint16_t direction = 0;
  };
  std::vector<HaloMember> halo;
};

/// The patch of a size for up to `generations` generations per launch. It has no members if it would need
/// more than `most`, or if the level has no replica of that size.
PlanePatch make_plane_patch(const BitPlanes& planes, int levels, int generations, std::uint32_t most);

}  // namespace loom
