#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "compute/core/host_device.h"
#include "compute/mandelbrot/volume.h"
#include "compute/solid/solid_view.h"

// Rays through the samples of a volume. A surface is where the dwell, interpolated between samples, reaches a
// threshold. Rays step over the regions that the subdivision filled, whose dwell is one.

namespace loom {

/// The meaning of the colour value of a pixel.
enum class VolumeColouring : std::uint8_t {
  kDwell,   ///< the mean dwell below the surface, as a position in a ramp
  kLevel,   ///< 1 + the level of the region that was filled; 0: the sample was computed
  kRegion,  ///< a number of that region, by which neighbours differ; 0: the sample was computed
};
inline constexpr std::array kVolumeColourings = {VolumeColouring::kDwell, VolumeColouring::kLevel,
                                                 VolumeColouring::kRegion};
constexpr std::string_view name_of(VolumeColouring colouring) {
  constexpr std::array<std::string_view, 3> kNames = {"dwell", "level", "region"};
  return kNames[static_cast<std::size_t>(colouring)];
}

/// How a picture shows the samples.
struct VolumeLook {
  float surface = 5;                  ///< the dwell of the surface, above 0
  SolidVector to_light = {0, 0, -1};  ///< a direction, of any length above 0
  VolumeColouring colouring = VolumeColouring::kDwell;
};

// A pixel of the picture consists of these bits, all 0 where the ray meets no surface.
inline constexpr std::uint32_t kVolumeHit = 1u;
inline constexpr int kVolumeLightShift = 1;  ///< 8 bits: 0 in the dark, all ones in full light
inline constexpr std::uint32_t kVolumeMaxLight = 255;
inline constexpr int kVolumeColourShift = 9;  ///< 12 bits; by dwell: 0 at the surface, all ones at the limit
inline constexpr std::uint32_t kVolumeMaxColour = 4095;
inline constexpr int kVolumeDepthShift = 21;  ///< 11 bits: 0 at the view's `nearest`, all ones at `farthest`
inline constexpr std::uint32_t kVolumeMaxDepth = 2047;

/// Samples as rays see them, in the space of a SolidView: x to the right, y down (the volume's z upwards), z
/// away from the viewer (the volume's y); neighbours have distance 1.
struct VolumeScene {
  const VolumeSample* samples = nullptr;
  VolumeSubdivision cut;
  std::uint32_t dwell_limit = 1;
  VolumeLook look = {};
};

LOOM_HOST_DEVICE VolumeSample sample_at(const VolumeScene& scene, Coord3 at) {
  const std::uint32_t n = scene.cut.size;
  return scene.samples[at.x + std::uint64_t{n} * (at.z + std::uint64_t{n} * (n - 1 - at.y))];
}

/// The interpolated dwell of a point, that of the nearest one of the cube for points outside.
LOOM_HOST_DEVICE float dwell_at(const VolumeScene& scene, SolidVector point) {
  const std::uint32_t n = scene.cut.size;
  const float last = static_cast<float>(n - 1);
  const auto within = [&](float x) { return x < 0 ? 0.0f : x > last ? last : x; };
  const SolidVector at{within(point.x), within(point.y), within(point.z)};
  const auto floor_of = [&](float x) {
    const auto i = static_cast<std::uint32_t>(x);
    return i + 1 < n ? i : n - (n > 1 ? 2 : 1);
  };
  const Coord3 low{floor_of(at.x), floor_of(at.y), floor_of(at.z)};
  const std::uint32_t step = n > 1 ? 1 : 0;
  const auto dwell = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return static_cast<float>(
        dwell_of(sample_at(scene, {low.x + x * step, low.y + y * step, low.z + z * step})));
  };
  const auto between = [](float a, float b, float t) { return a + (b - a) * t; };
  const float x = at.x - static_cast<float>(low.x);
  const float y = at.y - static_cast<float>(low.y);
  const float z = at.z - static_cast<float>(low.z);
  const float near =
      between(between(dwell(0, 0, 0), dwell(1, 0, 0), x), between(dwell(0, 1, 0), dwell(1, 1, 0), x), y);
  const float far =
      between(between(dwell(0, 0, 1), dwell(1, 0, 1), x), between(dwell(0, 1, 1), dwell(1, 1, 1), x), y);
  return between(near, far, z);
}

/// A part of a ray: where it is in a box, [begin, end); empty if begin >= end.
struct RayPart {
  float begin = 0;
  float end = 0;
};
LOOM_HOST_DEVICE RayPart part_within(SolidVector origin, SolidVector direction, SolidVector low,
                                     SolidVector high) {
  RayPart part{0, 3e38f};
  const auto clip = [&](float from, float way, float first, float last) {
    if (way == 0) {
      if (from < first || from > last) part.end = -1;
      return;
    }
    const float a = (first - from) / way;
    const float b = (last - from) / way;
    part.begin = std::fmax(part.begin, std::fmin(a, b));
    part.end = std::fmin(part.end, std::fmax(a, b));
  };
  clip(origin.x, direction.x, low.x, high.x);
  clip(origin.y, direction.y, low.y, high.y);
  clip(origin.z, direction.z, low.z, high.z);
  return part;
}

/// The sample at or below a point, that of the nearest one of the cube for points outside.
LOOM_HOST_DEVICE Coord3 sample_below(const VolumeScene& scene, SolidVector point) {
  const std::uint32_t n = scene.cut.size;
  const auto below = [n](float x) {
    return x < 0 ? 0u : static_cast<std::uint32_t>(x) < n ? static_cast<std::uint32_t>(x) : n - 1;
  };
  return {below(point.x), below(point.y), below(point.z)};
}

/// How many more steps along a ray of length 1 end in the filled region of a sample, whose dwell is one.
LOOM_HOST_DEVICE std::uint32_t steps_within(const VolumeScene& scene, VolumeSample sample, Coord3 at,
                                            SolidVector point, SolidVector direction, float step) {
  const std::uint32_t n = scene.cut.size;
  const Coord3 stored{at.x, at.z, n - 1 - at.y};
  const VolumeRegion region = volume_region_of(n, scene.cut.parts_at(level_of(sample)), stored);
  const SolidVector low{static_cast<float>(region.low.x), static_cast<float>(n - region.high.z),
                        static_cast<float>(region.low.y)};
  const SolidVector high{static_cast<float>(region.high.x - 1), static_cast<float>(n - 1 - region.low.z),
                         static_cast<float>(region.high.y - 1)};
  const float end = part_within(point, direction, low, high).end;
  return end > step ? static_cast<std::uint32_t>(end / step) - 1 : 0;
}

/// Where the ray from `from` to `to` first meets the surface; `to` if it does not. Looks only at multiples of
/// `step`, so that the regions that a method filled change how fast it is found and not where. Where the
/// dwell of a sample is not near that of the surface, every second one is enough and nothing is interpolated.
LOOM_HOST_DEVICE float meet_surface(const VolumeScene& scene, SolidVector origin, SolidVector direction,
                                    float from, float to, float step) {
  const auto reaches = [&](float t) { return dwell_at(scene, origin + t * direction) >= scene.look.surface; };
  for (std::uint32_t i = 0;;) {
    const float t = from + static_cast<float>(i) * step;
    if (t >= to) return to;
    const SolidVector point = origin + t * direction;
    const Coord3 at = sample_below(scene, point);
    const VolumeSample sample = sample_at(scene, at);
    const bool is_near = static_cast<float>(dwell_of(sample) + 1) >= scene.look.surface;
    if ((is_near || i == 0) && reaches(t)) {
      if (i == 0) return t;
      float first = i > 1 ? t - 2 * step : from;
      float last = t;
      for (int halving = 0; halving < 6; ++halving) {
        const float middle = (first + last) / 2;
        (reaches(middle) ? last : first) = middle;
      }
      return last;
    }
    if (is_filled(sample)) i += steps_within(scene, sample, at, point, direction, step);
    ++i;
    if (!is_near && i % 2 == 1) ++i;
  }
}

LOOM_HOST_DEVICE SolidVector normalized(SolidVector v) {
  const float length = std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
  return length > 0 ? 1 / length * v : SolidVector{0, 0, -1};
}
LOOM_HOST_DEVICE float product(SolidVector a, SolidVector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// The direction in which the dwell falls, from differences over a few samples.
LOOM_HOST_DEVICE SolidVector normal_at(const VolumeScene& scene, SolidVector point) {
  SolidVector sum;
  for (const float distance : {1.0f, 2.5f}) {
    // Beyond the surface dwells grow to the limit at once: what is far inside counts as a little inside.
    const auto value = [&](float x, float y, float z) {
      const float dwell = dwell_at(scene, point + SolidVector{x, y, z});
      const float most = scene.look.surface + 2;
      return dwell < most ? dwell : most;
    };
    sum = sum + SolidVector{value(-distance, 0, 0) - value(distance, 0, 0),
                            value(0, -distance, 0) - value(0, distance, 0),
                            value(0, 0, -distance) - value(0, 0, distance)};
  }
  return normalized(sum);
}

/// What a pixel shows of the sample at a point of the surface.
LOOM_HOST_DEVICE std::uint32_t colour_of(const VolumeScene& scene, SolidVector point, SolidVector normal) {
  const std::uint32_t n = scene.cut.size;
  if (scene.look.colouring == VolumeColouring::kDwell) {
    // The mean of some dwells below the surface, without the noise of one.
    float dwell = 0;
    for (const float depth : {1.0f, 2.0f, 3.0f, 4.0f}) dwell += dwell_at(scene, point + -depth * normal) / 4;
    const float above = dwell > scene.look.surface ? dwell - scene.look.surface : 0;
    const float share = std::log1p(above) / std::log1p(static_cast<float>(scene.dwell_limit));
    return static_cast<std::uint32_t>(kVolumeMaxColour * (share < 1 ? share : 1));
  }
  // Below the surface, since the faces of a filled region are computed.
  const Coord3 at = sample_below(scene, point + -1.5f * normal + SolidVector{0.5f, 0.5f, 0.5f});
  const VolumeSample sample = sample_at(scene, at);
  if (!is_filled(sample)) return 0;
  const std::uint32_t level = level_of(sample);
  if (scene.look.colouring == VolumeColouring::kLevel) return 1 + level;
  const std::uint32_t parts = scene.cut.parts_at(level);
  const Coord3 place{part_of(n, parts, at.x), part_of(n, parts, at.z), part_of(n, parts, n - 1 - at.y)};
  return 1 + (place.x + 5 * place.y + 25 * place.z + 7 * level) % kSolidColours;
}

/// The pixel of a view whose ray is in the visible part of the cube.
LOOM_HOST_DEVICE std::uint32_t volume_pixel(const VolumeScene& scene, const SolidView& view, int i, int j) {
  const auto x = static_cast<float>(i);
  const auto y = static_cast<float>(j);
  const SolidVector origin = view.origin + (x * view.right + y * view.down);
  const SolidVector way = view.direction + (x * view.turn_right + y * view.turn_down);
  const SolidVector direction = normalized(way);
  const auto lowest = [](std::uint32_t low) { return static_cast<float>(low); };
  const auto highest = [](std::uint32_t high) { return static_cast<float>(high > 0 ? high - 1 : 0); };
  const SolidVector low{lowest(view.low.x), lowest(view.low.y), lowest(view.low.z)};
  const SolidVector high{highest(view.high.x), highest(view.high.y), highest(view.high.z)};
  const RayPart part = part_within(origin, direction, low, high);
  if (part.begin >= part.end) return 0;
  const float t = meet_surface(scene, origin, direction, part.begin, part.end, 0.5f);
  if (t >= part.end) return 0;
  const SolidVector point = origin + t * direction;
  // Where the set is cut, the cut is the surface.
  SolidVector normal = normal_at(scene, point);
  if (t == part.begin && t > 0) {
    const auto on = [](float at, float face) { return std::fabs(at - face) < 1e-2f; };
    normal = on(point.x, low.x)    ? SolidVector{-1, 0, 0}
             : on(point.x, high.x) ? SolidVector{1, 0, 0}
             : on(point.y, low.y)  ? SolidVector{0, -1, 0}
             : on(point.y, high.y) ? SolidVector{0, 1, 0}
             : on(point.z, low.z)  ? SolidVector{0, 0, -1}
                                   : SolidVector{0, 0, 1};
  }
  // Ambient occlusion: how much of the way along the normal is near the surface.
  float open = 0;
  float weights = 0;
  float weight = 1;
  const bool is_cut = t == part.begin && t > 0;
  for (float distance = 1.5f; distance < 30; distance *= 1.8f) {
    const float share = is_cut ? 0 : dwell_at(scene, point + distance * normal) / scene.look.surface;
    open += weight * (share < 1 ? 1 - share * share * share : 0);
    weights += weight;
    weight *= 0.85f;
  }
  open /= weights;
  const SolidVector to_light = normalized(scene.look.to_light);
  const float facing = product(normal, to_light);
  float lit = is_cut ? 0.5f + 0.4f * facing : facing > 0 ? facing : 0;
  if (lit > 0 && !is_cut) {
    const SolidVector start = point + 2.0f * normal;
    const float n = static_cast<float>(scene.cut.size - 1);
    const RayPart out = part_within(start, to_light, {0, 0, 0}, {n, n, n});
    if (meet_surface(scene, start, to_light, out.begin, out.end, 1) < out.end) lit = 0;
  }
  const float light = std::fmin(1.0f, open * (0.45f + 0.8f * lit));
  // The ray parameter of the view's depths is that of `way`, not of the direction of length 1.
  const float depth = (t / std::sqrt(product(way, way)) - view.nearest) / (view.farthest - view.nearest);
  const float within = depth < 0 ? 0 : depth > 1 ? 1 : depth;
  return kVolumeHit | static_cast<std::uint32_t>(light * kVolumeMaxLight + 0.5f) << kVolumeLightShift |
         colour_of(scene, point, normal) << kVolumeColourShift |
         static_cast<std::uint32_t>(within * kVolumeMaxDepth) << kVolumeDepthShift;
}

}  // namespace loom
