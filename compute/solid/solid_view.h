#pragma once

#include <cstdint>
#include <vector>

#include "compute/solid/solid_map.h"

namespace loom {

/// A vector in the space of the cells: a cell is a unit cube.
struct SolidVector {
  float x = 0;
  float y = 0;
  float z = 0;
};
LOOM_HOST_DEVICE constexpr SolidVector operator+(SolidVector a, SolidVector b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
LOOM_HOST_DEVICE constexpr SolidVector operator*(float factor, SolidVector a) {
  return {factor * a.x, factor * a.y, factor * a.z};
}

/// The levels that a picture can show: a ray's position has six bits per level.
inline constexpr int kMaxSolidViewLevel = 10;

/// The rays of a picture: that of pixel (i, j) starts at origin + i right + j down and has the direction
/// direction + i turn_right + j turn_down, which need not be normalized.
struct SolidView {
  int width = 0;
  int height = 0;
  SolidVector origin = {};
  SolidVector right = {};
  SolidVector down = {};
  SolidVector direction = {};
  SolidVector turn_right = {};
  SolidVector turn_down = {};
  /// The cells that are visible, [low, high) on each axis: a cut plane removes the others.
  Coord3 low = {};
  Coord3 high = {};
  bool living_only = false;  ///< dead cells are transparent
  float nearest = 0;         ///< the ray parameters between which the depth of a pixel runs
  float farthest = 1;
};

// A pixel of the picture: 0 where the ray meets no cell, otherwise these bits.
inline constexpr std::uint32_t kSolidHit = 1u;
inline constexpr std::uint32_t kSolidAlive = 2u;
inline constexpr int kSolidFaceShift = 2;  ///< 3 bits: 0 to 5 for the faces at low x, high x, low y, ...
/// 4 bits: how open the surroundings of the point are, 0 to 15 (ambient occlusion).
inline constexpr int kSolidOpenShift = 5;
inline constexpr int kSolidDepthShift = 9;  ///< 23 bits: 0 at `nearest`, all ones at `farthest`
inline constexpr std::uint32_t kSolidMaxDepth = (1u << 23) - 1;

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
  const std::uint64_t* digits_x = nullptr;
  const std::uint64_t* digits_y = nullptr;
  const std::uint64_t* digits_z = nullptr;
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
};
/// `digits` must outlive the scene if its tables are used by the host.
SolidScene make_solid_scene(const SolidMap& map, const SolidDigits& digits);

/// What a ray meets.
struct SolidHit {
  bool hit = false;
  bool alive = false;
  Coord3 cell;
  int face = 0;    ///< as in a pixel
  float at = 0;    ///< the ray parameter
  float open = 1;  ///< 0 to 1
};

/// The first visible cell on a ray. The ray goes through the hierarchy of replicas: where a box of some level
/// has no cells, it leaves the whole box in one step.
LOOM_HOST_DEVICE SolidHit trace_ray(const SolidScene& scene, const SolidView& view,
                                    const std::uint8_t* __restrict__ cells, SolidVector origin,
                                    SolidVector direction) {
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

  const Coord3 scale = scene.map.tiled.transform.shape.scale;
  const std::uint32_t scales[3] = {scale.x, scale.y, scale.z};
  while (true) {
    const Coord3 point{at[0], at[1], at[2]};
    const int level = scene.empty_level(point);
    if (level == 0) {
      const bool alive = cells[scene.map.index_of(point)] != 0;
      if (alive || !view.living_only) {
        result.hit = true;
        result.alive = alive;
        result.cell = point;
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
    // Leave the empty box, or the cell, through the nearest of three planes.
    std::uint32_t side[3] = {1, 1, 1};
    for (int mu = 1; mu < level; ++mu) {
      for (int i = 0; i < 3; ++i) side[i] *= scales[i];
    }
    std::uint32_t first[3];
    std::uint32_t end[3];
    float next = 3.0e38f;
    for (int i = 0; i < 3; ++i) {
      first[i] = at[i] / side[i] * side[i];
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

/// How open the surroundings of a point on a face are: the cells beside the one in front of the face shade
/// the parts of the face next to them. 0 to 1.
LOOM_HOST_DEVICE float open_share(const SolidScene& scene, const SolidView& view,
                                  const std::uint8_t* __restrict__ cells, const SolidHit& hit,
                                  SolidVector point) {
  const int axis = hit.face / 2;
  const int one = (axis + 1) % 3;
  const int other = (axis + 2) % 3;
  const std::uint32_t at[3] = {hit.cell.x, hit.cell.y, hit.cell.z};
  const float position[3] = {point.x, point.y, point.z};
  const std::uint32_t low[3] = {view.low.x, view.low.y, view.low.z};
  const std::uint32_t high[3] = {view.high.x, view.high.y, view.high.z};
  const auto blocked = [&](int step_one, int step_other) {
    std::uint32_t to[3] = {at[0], at[1], at[2]};
    to[axis] += hit.face % 2 == 0 ? ~0u : 1u;
    to[one] += static_cast<std::uint32_t>(step_one);
    to[other] += static_cast<std::uint32_t>(step_other);
    for (int i = 0; i < 3; ++i) {
      if (to[i] < low[i] || to[i] >= high[i]) return 0.0f;
    }
    const Coord3 cell{to[0], to[1], to[2]};
    if (scene.empty_level(cell) != 0) return 0.0f;
    return !view.living_only || cells[scene.map.index_of(cell)] != 0 ? 1.0f : 0.0f;
  };
  const auto within = [](float value, std::uint32_t from) {
    const float part = value - static_cast<float>(from);
    return part < 0 ? 0.0f : part > 1 ? 1.0f : part;
  };
  const float u = within(position[one], at[one]);
  const float v = within(position[other], at[other]);
  const int side_u = u < 0.5f ? -1 : 1;
  const int side_v = v < 0.5f ? -1 : 1;
  // 0 in the middle of the face, 1 at the edge.
  const float near_u = u < 0.5f ? 1 - 2 * u : 2 * u - 1;
  const float near_v = v < 0.5f ? 1 - 2 * v : 2 * v - 1;
  const float shade_u = blocked(side_u, 0) * near_u;
  const float shade_v = blocked(0, side_v) * near_v;
  const float shade_corner = blocked(side_u, side_v) * near_u * near_v;
  float shade = shade_u + shade_v - shade_u * shade_v;
  if (shade_corner > shade) shade = shade_corner;
  return 1 - 0.65f * shade;
}

/// The value of a pixel.
LOOM_HOST_DEVICE std::uint32_t solid_pixel(const SolidScene& scene, const SolidView& view,
                                           const std::uint8_t* __restrict__ cells, int i, int j) {
  const auto x = static_cast<float>(i);
  const auto y = static_cast<float>(j);
  const SolidVector origin = view.origin + x * view.right + y * view.down;
  const SolidVector direction = view.direction + x * view.turn_right + y * view.turn_down;
  const SolidHit hit = trace_ray(scene, view, cells, origin, direction);
  if (!hit.hit) return 0;
  const float open = open_share(scene, view, cells, hit, origin + hit.at * direction);
  float depth = (hit.at - view.nearest) / (view.farthest - view.nearest);
  depth = depth < 0 ? 0 : depth > 1 ? 1 : depth;
  return kSolidHit | (hit.alive ? kSolidAlive : 0u) |
         static_cast<std::uint32_t>(hit.face) << kSolidFaceShift |
         static_cast<std::uint32_t>(open * 15.0f + 0.5f) << kSolidOpenShift |
         static_cast<std::uint32_t>(depth * static_cast<float>(kSolidMaxDepth)) << kSolidDepthShift;
}

/// An integer image in host memory that an engine owns, row by row; valid until the next call of the engine.
struct SolidImage {
  const std::uint32_t* pixels = nullptr;
  int width = 0;
  int height = 0;
};

}  // namespace loom
