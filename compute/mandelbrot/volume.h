#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "compute/core/coord.h"
#include "compute/core/host_device.h"
#include "compute/mandelbrot/formula.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/region_order.h"
#include "compute/mandelbrot/rounded.h"
#include "compute/mandelbrot/subdivision.h"

// Escape-time sets in space, on a cube of n x n x n samples, and their subdivision into boxes: section 7 of
// Quezada, Navarro, Hitschfeld, Bustos, "Modeling GPU Dynamic Parallelism for Self Similar Density
// Workloads".

namespace loom {

enum class VolumeSet : std::uint8_t {
  kMandelbulb,       ///< z^P + c of White and Nylander; c is the sample's point, and the first z
  kQuaternionJulia,  ///< q^2 + c with a fixed c; the first q is (x, y, z, 0)
  kCustom,           ///< VolumeConfig::custom; c is the sample's point, and the first value
};
inline constexpr std::array kVolumeSets = {VolumeSet::kMandelbulb, VolumeSet::kQuaternionJulia};
/// With that of a formula.
inline constexpr std::array kAllVolumeSets = {VolumeSet::kMandelbulb, VolumeSet::kQuaternionJulia,
                                              VolumeSet::kCustom};
/// "mandelbulb", "quaternion-julia", "custom". The parser throws InputError that lists them.
std::string_view name_of(VolumeSet set);
VolumeSet parse_volume_set(std::string_view name);

/// Of a formula's points: 3 if next() is of Vector, 2 if it is of Complex; 0 without code, or with problems.
int dimensions_of(const CustomFormula& formula);
/// Throws InputError, one line, unless this is a formula in space that the user has typed or run.
/// CustomFormula::check() is for those in the plane.
void check_in_space(const CustomFormula& formula);

/// Sample i of an axis is at low + i (high - low) / n.
struct VolumeBox {
  std::array<double, 3> low = {-1.25, -1.25, -1.25};
  std::array<double, 3> high = {1.25, 1.25, 1.25};
  friend bool operator==(const VolumeBox&, const VolumeBox&) = default;
};

struct VolumeConfig {
  VolumeSet set = VolumeSet::kMandelbulb;
  std::uint32_t power = 8;                          ///< P of the Mandelbulb, 2..9
  std::array<double, 4> c = {-0.2, 0.6, 0.2, 0.2};  ///< of the Julia set
  CustomFormula custom = {};                        ///< of kCustom; kept with another set
  VolumeBox box = {};
  std::uint32_t size = 128;        ///< n, 1..kMaxVolumeSide
  std::uint32_t dwell_limit = 64;  ///< 1..kMaxVolumeLimit
  MandelbrotMethod method = MandelbrotMethod::kAsk;
  std::uint32_t g = 4;  ///< regions of the first level on each axis
  std::uint32_t r = 2;  ///< parts of a region that splits, on each axis
  std::uint32_t b = 8;  ///< regions of at most B samples on an axis do not split
  RegionOrder order = RegionOrder::kCanonical;
  /// How many thread blocks share a region of ASK on CUDA: one, or as many as its samples fill.
  RegionScheme scheme = RegionScheme::kSbr;
  friend bool operator==(const VolumeConfig&, const VolumeConfig&) = default;
};

inline constexpr std::uint32_t kMinBulbPower = 2;
inline constexpr std::uint32_t kMaxBulbPower = 9;
inline constexpr std::uint32_t kMaxVolumeSide = 1024;
inline constexpr std::uint32_t kMaxVolumeLimit = 4094;

/// Throws InputError, one line with the allowed values. Available memory is not tested.
void validate(const VolumeConfig& config);
/// The coordinates of the samples on axis 0 (x), 1 or 2.
std::vector<double> points_on_axis(const VolumeConfig& config, std::size_t axis);

/// A sample as it is stored: its dwell in the lower 12 bits; above it 0 if it was computed, or 1 + the level
/// of the region that was filled. So a ray finds the region that it may skip from one sample of it.
using VolumeSample = std::uint16_t;
inline constexpr VolumeSample kUnknownSample = 0x0fff;  ///< not computed yet
LOOM_HOST_DEVICE constexpr std::uint32_t dwell_of(VolumeSample sample) {
  return sample & 0x0fffu;
}
LOOM_HOST_DEVICE constexpr VolumeSample filled_sample(std::uint32_t dwell, std::uint32_t level) {
  return static_cast<VolumeSample>(dwell | (level + 1) << 12);
}
LOOM_HOST_DEVICE constexpr bool is_filled(VolumeSample sample) {
  return sample >> 12 != 0;
}
/// Of a filled sample.
LOOM_HOST_DEVICE constexpr std::uint32_t level_of(VolumeSample sample) {
  return (sample >> 12) - 1u;
}

/// A value of an orbit: a point of space with w = 0, or a quaternion x + y i + z j + w k.
struct Quaternion {
  double x = 0;
  double y = 0;
  double z = 0;
  double w = 0;
};

/// With r = |z|, theta the angle to the z axis and phi that about it, the next value is r^P (sin P theta cos
/// P phi, sin P theta sin P phi, cos P theta) + c. Angles are not needed: with rho = sqrt(x x + y y), r^P
/// cos P theta and r^P sin P theta are the parts of (z + i rho)^P, cos P phi and sin P phi those of ((x + i
/// y) / rho)^P, 1 on the axis. So the step has products, one root and one division, each rounded once, and is
/// the same on every device.
template <std::uint32_t kPower>
struct BulbStep {
  static LOOM_HOST_DEVICE double square(const Quaternion& v) {
    return rounded_add(rounded_add(rounded_multiply(v.x, v.x), rounded_multiply(v.y, v.y)),
                       rounded_multiply(v.z, v.z));
  }
  static LOOM_HOST_DEVICE bool is_inside(const Quaternion& v) { return square(v) < 4.0; }
  static LOOM_HOST_DEVICE Quaternion next(const Quaternion& v, const Quaternion& c) {
    const double square_rho = rounded_add(rounded_multiply(v.x, v.x), rounded_multiply(v.y, v.y));
    const double rho = rounded_root(square_rho);
    const double inverse = rounded_divide(1.0, rho);
    const double cosine = rho > 0 ? rounded_multiply(v.x, inverse) : 1.0;
    const double sine = rho > 0 ? rounded_multiply(v.y, inverse) : 0.0;
    const Complex<double> around = power_of<kPower>(
        Complex<double>{cosine, sine}, rounded_multiply(cosine, cosine), rounded_multiply(sine, sine));
    const Complex<double> up =
        power_of<kPower>(Complex<double>{v.z, rho}, rounded_multiply(v.z, v.z), square_rho);
    return {rounded_add(rounded_multiply(up.im, around.re), c.x),
            rounded_add(rounded_multiply(up.im, around.im), c.y), rounded_add(up.re, c.z), 0};
  }
};

/// q^2 + c: (x x - y y - z z - w w, 2 x y, 2 x z, 2 x w) + c.
struct QuaternionStep {
  static LOOM_HOST_DEVICE double square(const Quaternion& v) {
    return rounded_add(rounded_add(rounded_add(rounded_multiply(v.x, v.x), rounded_multiply(v.y, v.y)),
                                   rounded_multiply(v.z, v.z)),
                       rounded_multiply(v.w, v.w));
  }
  static LOOM_HOST_DEVICE bool is_inside(const Quaternion& v) { return square(v) < 4.0; }
  static LOOM_HOST_DEVICE Quaternion next(const Quaternion& v, const Quaternion& c) {
    const double real = rounded_subtract(
        rounded_subtract(rounded_subtract(rounded_multiply(v.x, v.x), rounded_multiply(v.y, v.y)),
                         rounded_multiply(v.z, v.z)),
        rounded_multiply(v.w, v.w));
    return {rounded_add(real, c.x), rounded_double_add(rounded_multiply(v.x, v.y), c.y),
            rounded_double_add(rounded_multiply(v.x, v.z), c.z),
            rounded_double_add(rounded_multiply(v.x, v.w), c.w)};
  }
};

/// Calls use(step) with the step of a built-in set.
template <typename Use>
LOOM_HOST_DEVICE auto with_volume_step(VolumeSet set, std::uint32_t power, const Use& use) {
  if (set == VolumeSet::kQuaternionJulia) return use(QuaternionStep{});
  switch (power) {
    case 2:
      return use(BulbStep<2>{});
    case 3:
      return use(BulbStep<3>{});
    case 4:
      return use(BulbStep<4>{});
    case 5:
      return use(BulbStep<5>{});
    case 6:
      return use(BulbStep<6>{});
    case 7:
      return use(BulbStep<7>{});
    case 9:
      return use(BulbStep<9>{});
    default:
      return use(BulbStep<8>{});
  }
}

/// Samples [low, high) of each axis.
struct VolumeRegion {
  Coord3 low = {};
  Coord3 high = {};
  LOOM_HOST_DEVICE bool empty() const { return low.x == high.x || low.y == high.y || low.z == high.z; }
  LOOM_HOST_DEVICE std::uint64_t samples() const {
    return std::uint64_t{high.x - low.x} * (high.y - low.y) * (high.z - low.z);
  }
};

/// The number of samples on the six faces: those with a neighbour outside.
LOOM_HOST_DEVICE std::uint64_t face_samples(const VolumeRegion& region) {
  const auto inside = [](std::uint32_t low, std::uint32_t high) {
    return std::uint64_t{high - low > 2 ? high - low - 2 : 0};
  };
  return region.samples() - inside(region.low.x, region.high.x) * inside(region.low.y, region.high.y) *
                                inside(region.low.z, region.high.z);
}

/// Sample i < face_samples() of the faces: the lowest layer, the highest one, then the borders of the others.
LOOM_HOST_DEVICE Coord3 face_sample(const VolumeRegion& region, std::uint64_t i) {
  const Region layer{region.low.x, region.low.y, region.high.x - region.low.x, region.high.y - region.low.y};
  const std::uint64_t area = layer.area();
  const std::uint32_t layers = region.high.z - region.low.z;
  if (layers <= 2 || i < area) {
    const auto above = static_cast<std::uint32_t>(i / area);
    const auto at = static_cast<std::uint32_t>(i % area);
    return {layer.x + at % layer.width, layer.y + at / layer.width, region.low.z + above};
  }
  i -= area;
  if (i < area) {
    const auto at = static_cast<std::uint32_t>(i);
    return {layer.x + at % layer.width, layer.y + at / layer.width, region.high.z - 1};
  }
  i -= area;
  const std::uint32_t border = border_size(layer);
  const Coord32 pixel = border_pixel(layer, static_cast<std::uint32_t>(i % border));
  return {pixel.x, pixel.y, region.low.z + 1 + static_cast<std::uint32_t>(i / border)};
}

/// The levels of a subdivision: level i has g r^i regions on each axis, with edges as part_edge(); it splits
/// if and only if n / (g r^i) / r > B.
struct VolumeSubdivision {
  explicit VolumeSubdivision(const VolumeConfig& config);
  LOOM_HOST_DEVICE std::uint32_t parts_at(std::uint32_t level) const {
    std::uint32_t parts = g;
    for (std::uint32_t i = 0; i < level; ++i) parts *= r;
    return parts;
  }
  /// At most this many entries does the offset table of a level have: g^3 r^(3 i), all of its regions.
  std::uint64_t regions_at(std::uint32_t level) const;
  std::uint32_t size;
  std::uint32_t g;
  std::uint32_t r;
  std::uint32_t levels;
};

/// The region in a place of a level with `parts` regions on each axis.
LOOM_HOST_DEVICE VolumeRegion volume_region_at(std::uint32_t size, std::uint32_t parts, Coord3 place) {
  const auto edge = [&](std::uint32_t index) { return part_edge(size, parts, index); };
  return {{edge(place.x), edge(place.y), edge(place.z)},
          {edge(place.x + 1), edge(place.y + 1), edge(place.z + 1)}};
}

/// The part, of `parts` on an axis, that a sample is in.
LOOM_HOST_DEVICE constexpr std::uint32_t part_of(std::uint32_t size, std::uint32_t parts, std::uint32_t i) {
  return static_cast<std::uint32_t>((std::uint64_t{i + 1} * parts - 1) / size);
}
/// The place of the region of this level that a sample is in, and the region.
LOOM_HOST_DEVICE Coord3 volume_place_of(std::uint32_t size, std::uint32_t parts, Coord3 sample) {
  return {part_of(size, parts, sample.x), part_of(size, parts, sample.y), part_of(size, parts, sample.z)};
}
LOOM_HOST_DEVICE VolumeRegion volume_region_of(std::uint32_t size, std::uint32_t parts, Coord3 sample) {
  return volume_region_at(size, parts, volume_place_of(size, parts, sample));
}

/// Sample (x, y, z) of n x n x n is at x + n (y + n z).
LOOM_HOST_DEVICE std::uint64_t sample_index(std::uint32_t size, Coord3 at) {
  return at.x + std::uint64_t{size} * (at.y + std::uint64_t{size} * at.z);
}

/// Calls set(index) for the bits, one for each sample, that tell of a sample that was filled wrongly: its
/// own, and that of the lowest sample of its region, which is on its faces and so is never wrong itself.
template <typename Set>
LOOM_HOST_DEVICE void set_miss(const VolumeSubdivision& cut, Coord3 at, VolumeSample sample, const Set& set) {
  set(sample_index(cut.size, at));
  set(sample_index(cut.size, volume_region_of(cut.size, cut.parts_at(level_of(sample)), at).low));
}

/// CUDA: threads of a block of the exhaustive method (8 x 8 x 2 samples), and of several for one region
/// (MBR); samples that each of these threads computes or fills.
inline constexpr std::uint32_t kVolumeThreads = 128;
inline constexpr std::uint32_t kVolumeSamplesOfThread = 4;
/// MBR: thread blocks for the samples of a region of a level.
LOOM_HOST_DEVICE std::uint32_t sample_blocks(const VolumeSubdivision& cut, std::uint32_t level) {
  const std::uint64_t parts = cut.parts_at(level);
  const std::uint64_t side = (cut.size + parts - 1) / parts;
  constexpr std::uint64_t kOfBlock = kVolumeSamplesOfThread * kVolumeThreads;
  return static_cast<std::uint32_t>((side * side * side + kOfBlock - 1) / kOfBlock);
}

}  // namespace loom
