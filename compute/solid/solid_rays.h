#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "compute/geometry/storage.h"
#include "compute/mandelbrot/region.h"
#include "compute/solid/solid_map.h"
#include "compute/solid/solid_view.h"

namespace loom {

// Level of detail: where a pixel covers many cells, it shows a whole replica and the density of its living
// cells. The density is counted for each pixel, not stored and kept up to date: on a cube n cells wide,
// pixels that are f cells wide number at most (n / f)^2, and each reads about f^3 bytes, together n^2 f,
// while a generation reads the bytes of all cells. Where dead replicas are transparent, a ray reads all that
// it passes: together n^3.

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
        for (std::uint32_t x = 0; x < side.x; ++x) living += row[x] == 1 ? 1 : 0;
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

/// The density value of a cell: of a refractory one that of its brightness.
LOOM_HOST_DEVICE std::uint32_t state_density(std::uint32_t states, std::uint32_t state) {
  return 1 + brightness(states, state) * (kSolidMaxDensity - 1) / (states - 1);
}

/// The density value of a pixel of this width that shows `hit`; 0 if it shows the state of a cell only, which
/// is dead or alive.
LOOM_HOST_DEVICE std::uint32_t pixel_density(const SolidMap& map, std::uint32_t states,
                                             const std::uint8_t* __restrict__ cells, const SolidHit& hit,
                                             float pixel) {
  if (hit.level > 0) return replica_density(map, hit.living, hit.level);
  const float share = density_share(map, pixel);
  const std::uint32_t state = states > 2 ? cells[map.index_of(hit.cell)] : hit.alive ? 1 : 0;
  if (share <= 0) return state < 2 ? 0 : state_density(states, state);
  const auto around = static_cast<float>(replica_density(map, count_living(map, cells, hit.cell, 1), 1));
  const auto own = static_cast<float>(state_density(states, state));
  return static_cast<std::uint32_t>(own + share * (around - own) + 0.5f);
}

// Rays through a three-dimensional fractal: which cell or replica a pixel shows, and its value. The CPU's
// loop and the CUDA kernel call the same functions.

/// The digits of all coordinates of an axis, for rays: two bits per level at a distance of six bits.
struct SolidDigits {
  explicit SolidDigits(const TiledSolid& tiled);
  std::vector<std::uint64_t> x;
  std::vector<std::uint64_t> y;
  std::vector<std::uint64_t> z;
};

/// A fractal as rays see it. The tables are in memory that the threads can read.
struct SolidScene {
  SolidMap map;
  SolidLaunch launch;
  const std::uint64_t* digits_x = nullptr;
  const std::uint64_t* digits_y = nullptr;
  const std::uint64_t* digits_z = nullptr;
  std::uint32_t states = 2;    ///< of the cells, which fade from the first refractory one to the last
  std::uint64_t replicas = 0;  ///< bit x + 4 y + 16 z: whether there is a replica at this offset

  LOOM_HOST_DEVICE std::uint64_t code(Coord3 at) const {
    return digits_x[at.x] | digits_y[at.y] | digits_z[at.z];
  }
  /// The level of the largest box without cells that contains a point; 0 if the point is a cell.
  LOOM_HOST_DEVICE int empty_level(Coord3 at) const {
    const std::uint64_t digits = code(at);
    for (int mu = map.tiled.level; mu >= 1; --mu) {
      const auto offset = static_cast<std::uint32_t>(digits >> (6 * (mu - 1))) & 63u;
      if ((replicas >> offset & 1u) == 0) return mu;
    }
    return 0;
  }
  /// Whether the replica of level `mu` that contains a point has no cells.
  LOOM_HOST_DEVICE bool is_empty(Coord3 at, int mu) const {
    std::uint64_t digits = code(at) >> (6 * mu);
    std::uint64_t present = 1;
    for (; mu < map.tiled.level; ++mu, digits >>= 6) present &= replicas >> (digits & 63u);
    return present == 0;
  }
};
/// Throws InputError for a view that SolidEngine::trace() refuses.
void check_view(const SolidConfig& config, const SolidView& view);

/// `digits` must outlive the scene if its tables are used by the host.
SolidScene make_solid_scene(const SolidMap& map, const SolidLaunch& launch, const SolidDigits& digits);

/// The part of a picture outside of which no ray meets a visible cell. All of it if the camera is within or
/// beside the visible box.
Region seen_pixels(const SolidView& view);

/// The opacity of the face of an empty tile, or of several beside each other, at a point: its edges are lines
/// of about a pixel. `axis`: of the face.
LOOM_HOST_DEVICE float empty_face(const SolidScene& scene, const SolidView& view, SolidVector point, int axis,
                                  float at) {
  constexpr float kOfFace = 0.12f;
  constexpr float kOfEdge = 0.6f;
  const auto length = [](SolidVector v) {
    const float x = v.x < 0 ? -v.x : v.x;
    const float y = v.y < 0 ? -v.y : v.y;
    const float z = v.z < 0 ? -v.z : v.z;
    return x > y ? (x > z ? x : z) : (y > z ? y : z);
  };
  const float pixel = length(view.right) + at * length(view.turn_right);
  const Coord3 rho = scene.map.tiled.rho;
  const float sides[3] = {static_cast<float>(rho.x), static_cast<float>(rho.y), static_cast<float>(rho.z)};
  const float position[3] = {point.x, point.y, point.z};
  for (int i = 0; i < 3; ++i) {
    if (i == axis) continue;
    const float tiles = position[i] / sides[i];
    const float part = (tiles - static_cast<float>(static_cast<int>(tiles))) * sides[i];
    if (part < pixel || sides[i] - part < pixel) return kOfEdge;
  }
  return kOfFace;
}

/// The first visible cell on a ray or, with the width of a pixel, where it covers many cells, the first
/// replica with visible cells; a replica at a cut plane counts as a whole. The ray goes through the hierarchy
/// of replicas: where a box of some level has no cells, it leaves the whole box in one step.
LOOM_HOST_DEVICE SolidHit trace_ray(const SolidScene& scene, const SolidView& view,
                                    const std::uint8_t* __restrict__ cells, SolidVector origin,
                                    SolidVector direction, const PixelWidth* width = nullptr) {
  SolidHit result;
  const float o[3] = {origin.x, origin.y, origin.z};
  float d[3] = {direction.x, direction.y, direction.z};
  const std::uint32_t low[3] = {view.low.x, view.low.y, view.low.z};
  const std::uint32_t high[3] = {view.high.x, view.high.y, view.high.z};
  float inverse[3];
  float enter = 0;
  float leave = 3.0e38f;
  int axis = -1;
  for (int i = 0; i < 3; ++i) {
    constexpr float kTiny = 1.0e-12f;  // no division by 0; the ray never leaves through this axis
    if (d[i] < kTiny && d[i] > -kTiny) d[i] = d[i] < 0 ? -kTiny : kTiny;
    inverse[i] = 1 / d[i];
    const float first = (static_cast<float>(low[i]) - o[i]) * inverse[i];
    const float last = (static_cast<float>(high[i]) - o[i]) * inverse[i];
    const float near = first < last ? first : last;
    const float far = first < last ? last : first;
    if (near > enter) {
      enter = near;
      axis = i;
    }
    if (far < leave) leave = far;
  }
  if (!(enter < leave)) return result;
  // The point that the ray is at, as a cell. Along the axis of the last step it is exact; along the others it
  // is rounded and kept within the box that the ray is in.
  std::uint32_t at[3];
  const auto place = [&](int i, std::uint32_t from, std::uint32_t to) {
    const float position = o[i] + enter * d[i];
    const float below = static_cast<float>(from);
    const float above = static_cast<float>(to - 1);
    at[i] = position <= below ? from : position >= above ? to - 1 : static_cast<std::uint32_t>(position);
  };
  for (int i = 0; i < 3; ++i) place(i, low[i], high[i]);
  if (axis >= 0) at[axis] = d[axis] > 0 ? low[axis] : high[axis] - 1;

  const bool empty_tiles = view.empty_tiles && scene.map.is_box();
  float passes = 1;  // the share of light that passes the empty tiles
  while (true) {
    const Coord3 point{at[0], at[1], at[2]};
    const int detail = width != nullptr ? detail_level(scene.map, width->at(enter)) : 0;
    const int empty = scene.empty_level(point);
    const bool has_cells = empty <= detail;
    if (empty_tiles && axis >= 0 && !has_cells && empty > scene.map.tiled.tile_level) {
      passes *= 1 - empty_face(scene, view, origin + enter * direction, axis, enter);
      result.empty = 1 - passes;
    }
    if (has_cells) {
      const std::uint32_t state = detail > 0 ? 0 : cells[scene.map.index_of(point)];
      const std::uint64_t living =
          detail > 0 ? count_living(scene.map, cells, point, detail) : (state == 1 ? 1 : 0);
      if (living != 0 || state != 0 || !view.living_only) {
        result.hit = true;
        result.alive = living != 0;
        result.cell = point;
        result.level = detail;
        result.living = living;
        result.at = enter;
        // A ray that starts within a cell sees the face that it looks at most directly.
        int seen = axis;
        if (seen < 0) {
          seen = 0;
          for (int i = 1; i < 3; ++i) {
            if (d[i] * d[i] > d[seen] * d[seen]) seen = i;
          }
        }
        result.face = 2 * seen + (d[seen] > 0 ? 0 : 1);
        return result;
      }
    }
    // Leave the empty box, the cell or the replica through the nearest of three planes.
    const Coord3 box = replica_side(scene.map, has_cells ? detail : empty - 1);
    const std::uint32_t side[3] = {box.x, box.y, box.z};
    std::uint32_t first[3];
    std::uint32_t end[3];
    float next = 3.0e38f;
    for (int i = 0; i < 3; ++i) {
      first[i] = side[i] == 1 ? at[i] : at[i] / side[i] * side[i];
      end[i] = first[i] + side[i];
      if (first[i] < low[i]) first[i] = low[i];
      if (end[i] > high[i]) end[i] = high[i];
      const float plane = static_cast<float>(d[i] > 0 ? end[i] : first[i]);
      const float crossing = (plane - o[i]) * inverse[i];
      if (crossing < next) {
        next = crossing;
        axis = i;
      }
    }
    if (next > enter) enter = next;
    for (int i = 0; i < 3; ++i) {
      if (i != axis) place(i, first[i], end[i]);
    }
    if (d[axis] > 0) {
      at[axis] = end[axis];
      if (at[axis] >= high[axis]) return result;
    } else {
      if (first[axis] <= low[axis]) return result;
      at[axis] = first[axis] - 1;
    }
  }
}

/// How light a face is at a point of it, 0 to 1: ambient occlusion, and dark lines between cells.
///
/// The cells beside the one in front of the face shade the parts of the face next to them; those of a
/// replica, its neighbours. Lines are about a pixel wide on each side of an edge, and absent where a cell is
/// a few pixels wide. `direction`: of the ray; `width`: of the pixel, in cells. Branches depend as little as
/// possible on the place of the pixel within the cell: they would be hard to predict.
LOOM_HOST_DEVICE float face_light(const SolidScene& scene, const SolidView& view,
                                  const std::uint8_t* __restrict__ cells, const SolidHit& hit,
                                  SolidVector point, SolidVector direction, float width) {
  const int axis = hit.face / 2;
  const int one = axis == 2 ? 0 : axis + 1;
  const int other = axis == 0 ? 2 : axis - 1;
  const Coord3 box = replica_side(scene.map, hit.level);
  const std::uint32_t side[3] = {box.x, box.y, box.z};
  const Coord3 place =
      hit.level == 0 ? hit.cell : Coord3{hit.cell.x / box.x, hit.cell.y / box.y, hit.cell.z / box.z};
  const std::uint32_t at[3] = {place.x, place.y, place.z};
  const float position[3] = {point.x, point.y, point.z};
  const std::uint32_t low[3] = {view.low.x, view.low.y, view.low.z};
  const std::uint32_t high[3] = {view.high.x, view.high.y, view.high.z};
  std::uint32_t front[3] = {at[0], at[1], at[2]};
  front[axis] += hit.face % 2 == 0 ? ~0u : 1u;
  const auto blocked = [&](int step_one, int step_other) {
    std::uint32_t to[3] = {front[0], front[1], front[2]};
    to[one] += static_cast<std::uint32_t>(step_one);
    to[other] += static_cast<std::uint32_t>(step_other);
    bool outside = false;
    for (int i = 0; i < 3; ++i) {
      to[i] *= side[i];
      outside |= (to[i] + side[i] <= low[i]) | (to[i] >= high[i]);
    }
    const Coord3 corner{to[0], to[1], to[2]};
    if (outside || scene.is_empty(corner, hit.level)) return 0.0f;
    if (!view.living_only) return 1.0f;
    if (hit.level == 0) return cells[scene.map.index_of(corner)] != 0 ? 1.0f : 0.0f;
    return count_living(scene.map, cells, corner, hit.level) != 0 ? 1.0f : 0.0f;
  };
  const auto within = [&](int i) {
    const float part = position[i] / static_cast<float>(side[i]) - static_cast<float>(at[i]);
    return part < 0 ? 0.0f : part > 1 ? 1.0f : part;
  };
  const float u = within(one);
  const float v = within(other);
  const int side_u = u < 0.5f ? -1 : 1;
  const int side_v = v < 0.5f ? -1 : 1;
  // 0 in the middle of the face, 1 at the edge.
  const float near_u = (1 - 2 * u) * (1 - 2 * u);
  const float near_v = (1 - 2 * v) * (1 - 2 * v);
  // Less than half a step of a pixel's value needs no look.
  constexpr float kLeast = 0.05f;
  const float shade_u = near_u > kLeast ? blocked(side_u, 0) * near_u : 0;
  const float shade_v = near_v > kLeast ? blocked(0, side_v) * near_v : 0;
  float shade = shade_u + shade_v - shade_u * shade_v;
  // A cell at a side shades more than one at the corner.
  if (shade == 0 && near_u * near_v > kLeast) shade = blocked(side_u, side_v) * near_u * near_v;
  const float light = 1 - 0.65f * shade;

  constexpr float kDark = 0.55f;
  constexpr float kHalfWidth = 0.85f;  // of a line, with its soft side, in pixels
  constexpr float kLeastSide = 10;     // of a cell with lines, in pixels
  constexpr float kFullSide = 20;
  if (hit.level > 0 || width * kLeastSide >= 1) return light;
  // The face is at an angle to the ray: a pixel covers width * sqrt(1 + (along / across)^2) of it.
  const float ray[3] = {direction.x, direction.y, direction.z};
  const float across = ray[axis] * ray[axis];
  const float along_u = across + ray[one] * ray[one];
  const float along_v = across + ray[other] * ray[other];
  const float distance_u = u < 1 - u ? u : 1 - u;
  const float distance_v = v < 1 - v ? v : 1 - v;
  // Of the line that is nearer in pixels, in squares, which need no root.
  const bool is_u = distance_u * distance_u * along_v < distance_v * distance_v * along_u;
  const float square = is_u ? distance_u * distance_u : distance_v * distance_v;
  const float covered = width * width * (is_u ? along_u : along_v);
  if (square * across >= kHalfWidth * kHalfWidth * covered) return light;
  const float pixels = across / covered;  // of a cell
  const float line = 1 - square * pixels * (1 / (kHalfWidth * kHalfWidth));
  constexpr float kRange = kFullSide * kFullSide - kLeastSide * kLeastSide;
  const float room = (pixels - kLeastSide * kLeastSide) * (1 / kRange);
  return light * (1 - kDark * line * (room < 0 ? 0.0f : room < 1 ? room : 1.0f));
}

/// What the ray of a pixel meets; `width` as in trace_ray().
LOOM_HOST_DEVICE SolidHit trace_pixel(const SolidScene& scene, const SolidView& view,
                                      const std::uint8_t* __restrict__ cells, int i, int j,
                                      const PixelWidth* width = nullptr) {
  const auto x = static_cast<float>(i);
  const auto y = static_cast<float>(j);
  return trace_ray(scene, view, cells, view.origin + x * view.right + y * view.down,
                   view.direction + x * view.turn_right + y * view.turn_down, width);
}

/// The colour value of a cell with a colouring.
LOOM_HOST_DEVICE std::uint32_t solid_colour(const SolidScene& scene, SolidColouring by, Coord3 cell) {
  const SolidMap& map = scene.map;
  const auto number = [](std::uint64_t value) {
    return 1 + static_cast<std::uint32_t>(value % kSolidColours);
  };
  const auto ordered = [](std::uint64_t value, std::uint64_t count) {
    const float last = count > 1 ? static_cast<float>(count - 1) : 1.0f;
    return 1 + static_cast<std::uint32_t>(254.0f * (static_cast<float>(value) / last));
  };
  if (by == SolidColouring::kAddress) return ordered(map.index_of(cell), map.bytes());
  const SolidThreadRef thread = thread_of(map, cell);
  if (by == SolidColouring::kTileIndex) return number(thread.tile);
  if (by == SolidColouring::kThread) return ordered(thread.thread, map.threads_per_tile());
  const SolidThreadPlace place = place_of(map, scene.launch.tiling, thread);
  const std::uint32_t warps = (scene.launch.threads + 31) / 32;
  return number((place.block * scene.launch.tiling.rounds + place.round) * warps + place.rank / 32);
}

/// The value of a pixel; `widths`: those of the view. With a colouring it always shows one cell, to which the
/// colour belongs.
LOOM_HOST_DEVICE std::uint32_t solid_pixel(const SolidScene& scene, const SolidView& view,
                                           const PixelWidth& widths, const std::uint8_t* __restrict__ cells,
                                           int i, int j) {
  const SolidHit hit =
      trace_pixel(scene, view, cells, i, j, view.colouring == SolidColouring::kState ? &widths : nullptr);
  const auto bits = [](float share, std::uint32_t most, int shift) {
    const float within = share < 0 ? 0.0f : share > 1 ? 1.0f : share;
    return static_cast<std::uint32_t>(within * static_cast<float>(most) + 0.5f) << shift;
  };
  const std::uint32_t empty = bits(hit.empty, kSolidMaxEmpty, kSolidEmptyShift);
  if (!hit.hit) return empty;
  const auto x = static_cast<float>(i);
  const auto y = static_cast<float>(j);
  const SolidVector direction = view.direction + x * view.turn_right + y * view.turn_down;
  const SolidVector point = view.origin + x * view.right + y * view.down + hit.at * direction;
  const float width = widths.at(hit.at);
  const float open = face_light(scene, view, cells, hit, point, direction, width);
  const float depth = (hit.at - view.nearest) / (view.farthest - view.nearest);
  const std::uint32_t colour = view.colouring == SolidColouring::kState
                                   ? pixel_density(scene.map, scene.states, cells, hit, width)
                                   : solid_colour(scene, view.colouring, hit.cell);
  return kSolidHit | (hit.alive ? kSolidAlive : 0u) |
         static_cast<std::uint32_t>(hit.face) << kSolidFaceShift | bits(open, 15, kSolidOpenShift) |
         colour << kSolidColourShift | empty | bits(depth, kSolidMaxDepth, kSolidDepthShift);
}

}  // namespace loom
