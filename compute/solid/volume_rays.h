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
  /// A number, by which neighbours differ, of the thread block of the sample: exhaustive, the one that
  /// computed it; otherwise the one that ended its region, by filling it or by computing what was left.
  kThreadBlock,
};
inline constexpr std::array kVolumeColourings = {VolumeColouring::kDwell, VolumeColouring::kLevel,
                                                 VolumeColouring::kRegion, VolumeColouring::kThreadBlock};
constexpr std::string_view name_of(VolumeColouring colouring) {
  constexpr std::array<std::string_view, 4> kNames = {"dwell", "level", "region", "thread-block"};
  return kNames[static_cast<std::size_t>(colouring)];
}

/// How a picture shows the samples.
struct VolumeLook {
  float surface = 5;                  ///< the dwell of the surface, above 0
  SolidVector to_light = {0, 0, -1};  ///< a direction, of any length above 0
  VolumeColouring colouring = VolumeColouring::kDwell;
  bool boxes = false;   ///< the edges of filled regions, in front of the surface and on a cut
  bool misses = false;  ///< the samples that were filled wrongly, once they are counted
};

// A pixel of the picture consists of these bits, all 0 where the ray meets no surface.
inline constexpr std::uint32_t kVolumeHit = 1u;
inline constexpr int kVolumeLightShift = 1;  ///< 8 bits: 0 in the dark, all ones in full light
inline constexpr std::uint32_t kVolumeMaxLight = 255;
inline constexpr int kVolumeColourShift =
    9;  ///< 8 bits; by dwell: 0 at the surface, kVolumeLast at the limit
inline constexpr std::uint32_t kVolumeMaxColour = 255;
inline constexpr std::uint32_t kVolumeLast = 238;   ///< the last colour of a surface
inline constexpr std::uint32_t kVolumeBoxes = 239;  ///< and above: edges of the regions of each level
inline constexpr std::uint32_t kVolumeMiss = 255;   ///< a sample that was filled wrongly
/// 4 bits: 1 + the level of the filled region whose edge is in front, with or without a surface; 0: none.
inline constexpr int kVolumeBoxShift = 17;
inline constexpr std::uint32_t kVolumeMaxBox = 15;
inline constexpr int kVolumeDepthShift = 21;  ///< 11 bits: 0 at the view's `nearest`, all ones at `farthest`
inline constexpr std::uint32_t kVolumeMaxDepth = 2047;

/// Samples as rays see them, in the space of a SolidView: x to the right, y down (the volume's z upwards), z
/// away from the viewer (the volume's y); neighbours have distance 1.
struct VolumeScene {
  const VolumeSample* samples = nullptr;
  VolumeSubdivision cut;
  std::uint32_t dwell_limit = 1;
  VolumeLook look = {};
  const std::uint32_t* misses = nullptr;  ///< the bits of set_miss(), unless they are not known
  Coord3 block = {};                      ///< exhaustive: the samples of a thread block
  bool shares_regions = false;            ///< several thread blocks end a region (MBR)
  bool has_overlays() const { return (look.boxes && block.x == 0) || misses != nullptr; }
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

/// A region as rays see it.
struct RayBox {
  SolidVector low;  ///< its lowest samples
  SolidVector high;
};
LOOM_HOST_DEVICE RayBox box_of(std::uint32_t n, const VolumeRegion& region) {
  return {{static_cast<float>(region.low.x), static_cast<float>(n - region.high.z),
           static_cast<float>(region.low.y)},
          {static_cast<float>(region.high.x - 1), static_cast<float>(n - 1 - region.low.z),
           static_cast<float>(region.high.y - 1)}};
}
LOOM_HOST_DEVICE Coord3 stored_place(const VolumeScene& scene, Coord3 at) {
  return {at.x, at.z, scene.cut.size - 1 - at.y};
}

/// How many more steps along a ray of length 1 end in the filled region of a sample, whose dwell is one.
LOOM_HOST_DEVICE std::uint32_t steps_within(const VolumeScene& scene, VolumeSample sample, Coord3 at,
                                            SolidVector point, SolidVector direction, float step) {
  const std::uint32_t n = scene.cut.size;
  const VolumeRegion region =
      volume_region_of(n, scene.cut.parts_at(level_of(sample)), stored_place(scene, at));
  const RayBox box = box_of(n, region);
  const float end = part_within(point, direction, box.low, box.high).end;
  return end > step ? static_cast<std::uint32_t>(end / step) - 1 : 0;
}

/// The filled region that a sample is in, its faces included; otherwise the smallest one.
struct EndedRegion {
  VolumeRegion region;
  Coord3 place;
  std::uint32_t level;
  bool is_filled;
};
LOOM_HOST_DEVICE EndedRegion ended_region(const VolumeScene& scene, Coord3 stored) {
  // As volume_region_of(), in 32 bits: sides are short, and parts no more than they.
  static_assert(kMaxVolumeSide <= 1u << 15);
  const std::uint32_t n = scene.cut.size;
  EndedRegion ended{};
  for (std::uint32_t parts = scene.cut.g;; parts *= scene.cut.r, ++ended.level) {
    const auto place = [&](std::uint32_t x) { return ((x + 1) * parts - 1) / n; };
    const auto edge = [&](std::uint32_t index) { return index * n / parts; };
    const auto inside = [&](std::uint32_t x) { return x + 1 < n ? x + 1 : n - 1; };
    ended.place = {place(stored.x), place(stored.y), place(stored.z)};
    const Coord3 low{edge(ended.place.x), edge(ended.place.y), edge(ended.place.z)};
    const VolumeSample sample = scene.samples[sample_index(n, {inside(low.x), inside(low.y), inside(low.z)})];
    const bool may_be = is_filled(sample) && level_of(sample) == ended.level;
    const bool is_last = ended.level + 1 == scene.cut.levels;
    if (!may_be && !is_last) continue;
    const Coord3 high{edge(ended.place.x + 1), edge(ended.place.y + 1), edge(ended.place.z + 1)};
    ended.region = {low, high};
    // In a thinner one, the sample is of a neighbour.
    ended.is_filled = may_be && high.x - low.x > 2 && high.y - low.y > 2 && high.z - low.z > 2;
    if (ended.is_filled || is_last) return ended;
  }
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

/// What a ray meets in front of the surface.
struct VolumeOverlay {
  std::uint32_t box = 0;    ///< 1 + the level of the region whose edge is first; 0: none
  float box_at = 0;         ///< where on the ray
  bool has_miss = false;    ///< of the samples that were filled wrongly
  float miss_at = 0;        ///< where the first one is
  SolidVector normal = {};  ///< of its face
};

/// The bit of a stored sample (set_miss()).
LOOM_HOST_DEVICE bool miss_bit(const VolumeScene& scene, Coord3 stored) {
  const std::uint64_t index = sample_index(scene.cut.size, stored);
  return (scene.misses[index / 32] >> (index % 32) & 1u) != 0;
}

/// Goes through the regions along a ray, from `from` to the surface at `to`. `cut`: 1 on the axis
/// of the cut plane on which the ray begins. `half_width(t)` is half that of a line.
template <typename Width>
LOOM_HOST_DEVICE VolumeOverlay overlay_of(const VolumeScene& scene, SolidVector origin, SolidVector direction,
                                          float from, float to, SolidVector cut, const Width& half_width) {
  constexpr float kNudge = 0.01f;
  constexpr float kSampleStep = 0.4f;
  const SolidVector half{0.5f, 0.5f, 0.5f};
  VolumeOverlay overlay;
  // On how many of the three axes a point is near a face of a box.
  const auto faces_near = [&](const RayBox& box, float t, SolidVector without = {}) {
    const SolidVector point = origin + t * direction;
    const float width = half_width(t);
    const auto is_near = [width](float x, float low, float high, float is_left_out) {
      return is_left_out == 0 && (x - low < width || high - x < width) ? 1 : 0;
    };
    return is_near(point.x, box.low.x, box.high.x, without.x) +
           is_near(point.y, box.low.y, box.high.y, without.y) +
           is_near(point.z, box.low.z, box.high.z, without.z);
  };
  const auto show_box = [&](std::uint32_t level, float t) {
    if (overlay.box == 0 && t <= to) overlay = {level + 1, t};
  };
  for (float t = from; t <= to;) {
    const Coord3 at = sample_below(scene, origin + (t + kNudge) * direction + half);
    const EndedRegion ended = ended_region(scene, stored_place(scene, at));
    RayBox box = box_of(scene.cut.size, ended.region);
    box.low = box.low + -1.0f * half;
    box.high = box.high + half;
    const RayPart inside = part_within(origin, direction, box.low, box.high);
    if (ended.is_filled && scene.look.boxes) {
      const bool begins_on_cut = t == from && cut.x + cut.y + cut.z > 0;
      if (begins_on_cut ? faces_near(box, from, cut) >= 1
                        : inside.begin > 0 && faces_near(box, inside.begin) >= 2)
        show_box(ended.level, t);
      if (faces_near(box, inside.end) >= 2) show_box(ended.level, inside.end);
    }
    if (ended.is_filled && scene.misses != nullptr && miss_bit(scene, ended.region.low)) {
      for (float s = t; s <= std::fmin(inside.end, to); s += kSampleStep) {
        const SolidVector point = origin + s * direction;
        const Coord3 near = sample_below(scene, point + half);
        const Coord3 stored = stored_place(scene, near);
        if (!miss_bit(scene, stored) || !is_filled(scene.samples[sample_index(scene.cut.size, stored)]))
          continue;
        const SolidVector off =
            point + -1.0f * SolidVector{static_cast<float>(near.x), static_cast<float>(near.y),
                                        static_cast<float>(near.z)};
        const SolidVector size{std::fabs(off.x), std::fabs(off.y), std::fabs(off.z)};
        const auto sign = [](float x) { return x < 0 ? -1.0f : 1.0f; };
        overlay.normal = size.x >= size.y && size.x >= size.z ? SolidVector{sign(off.x), 0, 0}
                         : size.y >= size.z                   ? SolidVector{0, sign(off.y), 0}
                                                              : SolidVector{0, 0, sign(off.z)};
        overlay.has_miss = true;
        overlay.miss_at = s;
        return overlay;
      }
    }
    if (overlay.box != 0 && scene.misses == nullptr) return overlay;
    t = std::fmax(inside.end, t + kNudge);
  }
  return overlay;
}

/// A number, by which neighbours differ, of the thread block of a stored sample (VolumeColouring).
LOOM_HOST_DEVICE std::uint32_t block_number(const VolumeScene& scene, Coord3 stored) {
  const auto number = [](Coord3 place) { return place.x + 5 * place.y + 25 * place.z; };
  if (scene.block.x > 0)
    return number({stored.x / scene.block.x, stored.y / scene.block.y, stored.z / scene.block.z});
  const EndedRegion ended = ended_region(scene, stored);
  std::uint32_t block = 0;
  if (scene.shares_regions) {
    // Filled samples are numbered without the faces.
    const std::uint32_t face = ended.is_filled ? 1 : 0;
    const VolumeRegion& all = ended.region;
    const auto on_axis = [face](std::uint32_t x, std::uint32_t low) {
      return x > low + face ? x - low - face : 0;
    };
    const std::uint32_t i = on_axis(stored.x, all.low.x) +
                            (all.high.x - all.low.x - 2 * face) *
                                (on_axis(stored.y, all.low.y) +
                                 (all.high.y - all.low.y - 2 * face) * on_axis(stored.z, all.low.z));
    block = i / kVolumeThreads % sample_blocks(scene.cut, ended.level);
  }
  return number(ended.place) + 7 * ended.level + 11 * block;
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
    return static_cast<std::uint32_t>(kVolumeLast * (share < 1 ? share : 1));
  }
  // Below the surface, since the faces of a filled region are computed.
  const Coord3 at = sample_below(scene, point + -1.5f * normal + SolidVector{0.5f, 0.5f, 0.5f});
  const Coord3 stored = stored_place(scene, at);
  if (scene.look.colouring == VolumeColouring::kThreadBlock)
    return 1 + block_number(scene, stored) % kVolumeLast;
  const VolumeSample sample = sample_at(scene, at);
  if (!is_filled(sample)) return 0;
  const std::uint32_t level = level_of(sample);
  if (scene.look.colouring == VolumeColouring::kLevel) return 1 + level;
  const Coord3 place = volume_place_of(n, scene.cut.parts_at(level), stored);
  return 1 + (place.x + 5 * place.y + 25 * place.z + 7 * level) % kVolumeLast;
}

/// The pixel of a view whose ray is in the visible part of the cube. kOverlays: with boxes and misses, if the
/// scene has some.
template <bool kOverlays>
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
  // The ray parameter of the view's depths is that of `way`, not of the direction of length 1.
  const float length = std::sqrt(product(way, way));
  const auto depth_at = [&](float t) {
    const float depth = (t / length - view.nearest) / (view.farthest - view.nearest);
    return static_cast<std::uint32_t>((depth < 0   ? 0
                                       : depth > 1 ? 1
                                                   : depth) *
                                      kVolumeMaxDepth)
           << kVolumeDepthShift;
  };
  const bool is_inside = part.begin < part.end;
  if (!kOverlays && !is_inside) return 0;
  const float t = is_inside ? meet_surface(scene, origin, direction, part.begin, part.end, 0.5f) : part.end;
  const bool has_surface = is_inside && t < part.end;
  std::uint32_t box = 0;
  if constexpr (kOverlays) {
    // Regions reach half a sample beyond their samples, but not beyond a cut.
    const auto wide = [](float face) { return face > 0 ? face : -0.5f; };
    const SolidVector half{0.5f, 0.5f, 0.5f};
    const RayPart regions =
        part_within(origin, direction, {wide(low.x), wide(low.y), wide(low.z)}, high + half);
    if (regions.begin >= regions.end) return 0;
    const auto half_width = [&](float at) {
      const SolidVector spread = view.right + at / length * view.turn_right;
      const float of_picture = static_cast<float>(view.width) / 1600;
      return std::sqrt(product(spread, spread)) * std::fmax(0.75f, of_picture);
    };
    const SolidVector first = origin + regions.begin * direction;
    const auto on_cut = [](float at, float face) { return face > 0 && at - face < 1e-2f ? 1.0f : 0.0f; };
    const SolidVector cut{on_cut(first.x, low.x), on_cut(first.y, low.y), on_cut(first.z, low.z)};
    const VolumeOverlay overlay =
        overlay_of(scene, origin, direction, regions.begin, has_surface ? t : regions.end, cut, half_width);
    box = overlay.box << kVolumeBoxShift;
    if (overlay.has_miss) {
      const float facing = product(overlay.normal, normalized(scene.look.to_light));
      const float light = 0.7f + 0.3f * std::fmax(0.0f, facing);
      return kVolumeHit | static_cast<std::uint32_t>(light * kVolumeMaxLight) << kVolumeLightShift |
             kVolumeMiss << kVolumeColourShift | box | depth_at(overlay.miss_at);
    }
    if (!has_surface) return box != 0 ? box | depth_at(overlay.box_at) : 0;
  }
  if (!has_surface) return 0;
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
  return kVolumeHit | static_cast<std::uint32_t>(light * kVolumeMaxLight + 0.5f) << kVolumeLightShift |
         colour_of(scene, point, normal) << kVolumeColourShift | box | depth_at(t);
}

}  // namespace loom
