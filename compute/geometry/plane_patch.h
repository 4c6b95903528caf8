#pragma once

#include <cstdint>
#include <vector>

#include "compute/geometry/bit_planes.h"

namespace loom {

/// Groups that are stepped several generations at once without looking at any others: those of a replica, and
/// the rim of groups around it from which something can reach it meanwhile. Where a fractal meets its
/// neighbours at points, the rim is a few groups, however large the replica. The same for every replica of
/// the size.
struct PlanePatch {
  static constexpr std::uint16_t kNone = 0xffff;

  int levels = 0;             ///< of the replica, in groups
  std::uint32_t inside = 0;   ///< k^levels groups, the first members
  std::uint32_t members = 0;  ///< and those of the rim
  int generations = 0;        ///< at most that many at once
  /// [direction * members + member]: the member beside it, kNone where there is none.
  std::vector<std::uint16_t> beside;
  /// Where each member of the rim is: beside which member inside, in which direction. It may not exist.
  struct RimMember {
    std::uint16_t inside = 0;
    std::uint16_t direction = 0;
  };
  std::vector<RimMember> rim;
};

/// The patch of a size for up to `generations` at once; without members where it would have more than `most`,
/// or where the level has no such replica.
PlanePatch make_plane_patch(const BitPlanes& planes, int levels, int generations, std::uint32_t most);

}  // namespace loom
