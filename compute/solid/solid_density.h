#pragma once

#include <cmath>
#include <cstdint>

#include "compute/solid/solid_map.h"
#include "compute/solid/solid_view.h"

// Level of detail: where a pixel covers many cells, it shows a whole replica and the density of its living
// cells. The density is counted for each pixel, not stored and kept up to date: on a cube n cells wide,
// pixels that are f cells wide number at most (n / f)^2, and each reads about f^3 bytes, together n^2 f,
// while a generation reads the bytes of all cells. Where dead replicas are transparent, a ray reads all that
// it passes: together n^3.

namespace loom {

/// The sides of a replica of level `mu`: s^mu on each axis.
LOOM_HOST_DEVICE Coord3 replica_side(const SolidMap& map, int mu) {
  const Coord3 scale = map.tiled.transform.shape.scale;
  Coord3 side{1, 1, 1};
  for (int level = 0; level < mu; ++level) {
    side.x *= scale.x;
    side.y *= scale.y;
    side.z *= scale.z;
  }
  return side;
}

/// The width of a pixel, in cells, along a ray.
struct PixelWidth {
  LOOM_HOST_DEVICE explicit PixelWidth(const SolidView& view)
      : first(length(view.right)), growth(length(view.turn_right)) {}
  LOOM_HOST_DEVICE float at(float parameter) const { return first + parameter * growth; }
  LOOM_HOST_DEVICE static float length(SolidVector v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

  float first;   ///< at ray parameter 0
  float growth;  ///< per unit of the ray parameter
};

/// The largest scale of the axes.
LOOM_HOST_DEVICE float longest_scale(const SolidMap& map) {
  const Coord3 scale = map.tiled.transform.shape.scale;
  const std::uint32_t longest = scale.x > scale.y ? scale.x : scale.y;
  return static_cast<float>(scale.z > longest ? scale.z : longest);
}

/// The level of the replicas that a pixel of this width, in cells, shows: the one whose longest side is the
/// nearest to the width by ratio, that is at most sqrt(s) pixels. Parts of such a replica are smaller than a
/// pixel. 0: single cells.
LOOM_HOST_DEVICE int detail_level(const SolidMap& map, float pixel) {
  const float s = longest_scale(map);
  const float most = pixel * pixel * s;
  int mu = 0;
  for (float side = s; mu < map.tiled.level && side * side <= most; side *= s) ++mu;
  return mu;
}

/// How much of the value of a pixel that shows a single cell is the density around it, 0 to 1. It grows from
/// one cell per pixel on, up to the width from which pixels show replicas, so that no edge is seen where the
/// level changes with the depth.
LOOM_HOST_DEVICE float density_share(const SolidMap& map, float pixel) {
  if (pixel <= 1 || map.tiled.level == 0) return 0;
  const float share = (pixel - 1) / (std::sqrt(longest_scale(map)) - 1);
  return share < 1 ? share : 1;
}

/// The living cells of the replica of level `mu` that contains a point; it must have cells. The holes of a
/// replica are 0 in every storage, so that all of its bytes are added.
LOOM_HOST_DEVICE std::uint64_t count_living(const SolidMap& map, const std::uint8_t* __restrict__ cells,
                                            Coord3 point, int mu) {
  const auto sum = [](const std::uint8_t* first, Coord3 box, Coord3 side) {
    std::uint64_t living = 0;
    for (std::uint32_t z = 0; z < side.z; ++z) {
      for (std::uint32_t y = 0; y < side.y; ++y) {
        const std::uint8_t* const row = first + index_in(box, {0, y, z});
        for (std::uint32_t x = 0; x < side.x; ++x) living += row[x];
      }
    }
    return living;
  };
  const TiledSolid& tiled = map.tiled;
  const Coord3 side = replica_side(map, mu);
  const Coord3 corner{point.x / side.x * side.x, point.y / side.y * side.y, point.z / side.z * side.z};
  if (!map.is_compact()) return sum(cells + index_in(tiled.size, corner), tiled.size, side);
  const Coord3 rho = tiled.rho;
  const Coord3 place{corner.x / rho.x, corner.y / rho.y, corner.z / rho.z};
  const auto tile = [&](Coord3 at) { return cells + map.tile_at(at) * tiled.points_per_tile(); };
  if (mu <= tiled.tile_level) {
    const Coord3 at{corner.x - place.x * rho.x, corner.y - place.y * rho.y, corner.z - place.z * rho.z};
    return sum(tile(place) + index_in(rho, at), rho, side);
  }
  std::uint64_t living = 0;
  for (std::uint32_t z = 0; z < side.z / rho.z; ++z) {
    for (std::uint32_t y = 0; y < side.y / rho.y; ++y) {
      for (std::uint32_t x = 0; x < side.x / rho.x; ++x) {
        const Coord3 at{place.x + x, place.y + y, place.z + z};
        if (map.tile_at(at) != kNoSolidIndex) living += sum(tile(at), rho, rho);
      }
    }
  }
  return living;
}

/// The density value of a replica of level `mu` with `living` living cells: 1 if all are dead,
/// kSolidMaxDensity if all are alive.
LOOM_HOST_DEVICE std::uint32_t replica_density(const SolidMap& map, std::uint64_t living, int mu) {
  std::uint64_t cells = 1;
  for (int level = 0; level < mu; ++level) cells *= map.tiled.transform.shape.k;
  return 1 + static_cast<std::uint32_t>((living * (kSolidMaxDensity - 1) + cells / 2) / cells);
}

/// The density value of a pixel of this width that shows `hit`; 0 if it shows the state of a cell only.
LOOM_HOST_DEVICE std::uint32_t pixel_density(const SolidMap& map, const std::uint8_t* __restrict__ cells,
                                             const SolidHit& hit, float pixel) {
  if (hit.level > 0) return replica_density(map, hit.living, hit.level);
  const float share = density_share(map, pixel);
  if (share <= 0) return 0;
  const auto around = static_cast<float>(replica_density(map, count_living(map, cells, hit.cell, 1), 1));
  const auto own = static_cast<float>(hit.alive ? kSolidMaxDensity : 1);
  return static_cast<std::uint32_t>(own + share * (around - own) + 0.5f);
}

}  // namespace loom
