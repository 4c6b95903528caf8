#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "compute/mandelbrot/dwell.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/mandelbrot_report.h"
#include "compute/mandelbrot/subdivision.h"

namespace loom::tests {

/// The power of a complex number in the order of operations that the explanation page gives.
template <typename Real>
std::pair<Real, Real> plain_power(Real x, Real y, std::uint32_t power) {
  if (power == 2) return {x * x - y * y, 2 * (x * y)};
  if (power == 3) {
    const Real length = x * x + y * y;
    return {x * (length - 4 * (y * y)), y * (4 * (x * x) - length)};
  }
  if (power % 2 == 0) {
    const auto [u, v] = plain_power(x, y, power / 2);
    return plain_power(u, v, 2);
  }
  const auto [u, v] = plain_power(x, y, power - 1);
  return {u * x - v * y, u * y + v * x};
}

/// The orbit of a point in a loop that shares no code with the engines.
template <typename Real>
class PlainOrbit {
 public:
  PlainOrbit(const EscapeTimeSet& set, Real x, Real y)
      : set_(set),
        x_(x),
        y_(y),
        c_re_(set.julia ? static_cast<Real>(set.julia->re) : x),
        c_im_(set.julia ? static_cast<Real>(set.julia->im) : y) {}
  Real square() const { return x_ * x_ + y_ * y_; }
  void step() {
    const auto size = [](Real a) { return a < 0 ? -a : a; };
    auto [re, im] = plain_power(x_, y_, degree());
    if (set_.formula == Formula::kTricorn) im = -im;
    if (set_.formula == Formula::kBurningShip || set_.formula == Formula::kBuffalo) im = size(im);
    if (set_.formula == Formula::kCeltic || set_.formula == Formula::kBuffalo) re = size(re);
    if (set_.formula == Formula::kPerpendicular) im = x_ < 0 ? im : -im;
    x_ = re + c_re_;
    y_ = im + c_im_;
  }
  std::uint32_t degree() const { return set_.formula == Formula::kMultibrot ? set_.power : 2; }

 private:
  const EscapeTimeSet& set_;
  Real x_;
  Real y_;
  Real c_re_;
  Real c_im_;
};

/// The dwell of a point by that loop.
template <typename Real>
std::uint32_t plain_dwell(const EscapeTimeSet& set, Real x, Real y, std::uint32_t limit) {
  PlainOrbit<Real> orbit(set, x, y);
  std::uint32_t count = 0;
  for (; count < limit && orbit.square() < 4; ++count) orbit.step();
  return count;
}

/// The points of a view by the formula of the contract, from numbers alone: centre + (dx + i dy) e^(i angle),
/// each operation rounded once.
template <typename Real>
class PlainPoints {
 public:
  explicit PlainPoints(const MandelbrotView& view)
      : view_(view),
        cos_(static_cast<Real>(part(view.angle, 90))),
        sin_(static_cast<Real>(part(view.angle, 0))) {}
  std::pair<Real, Real> at(std::uint32_t x, std::uint32_t y) const {
    const auto& [re_min, re_max, im_min, im_max] = view_.window;
    if (view_.angle == 0)
      return {along(re_min, re_max, x, view_.width, re_min), along(im_min, im_max, y, view_.height, im_min)};
    const Real dx = along(re_min, re_max, x, view_.width, (re_min - re_max) / 2);
    const Real dy = along(im_min, im_max, y, view_.height, (im_min - im_max) / 2);
    return {static_cast<Real>((re_min + re_max) / 2) + (dx * cos_ - dy * sin_),
            static_cast<Real>((im_min + im_max) / 2) + (dx * sin_ + dy * cos_)};
  }

 private:
  static Real along(double low, double high, std::uint32_t i, std::uint32_t size, double from) {
    return static_cast<Real>(from) +
           static_cast<Real>(i) * static_cast<Real>(high - low) / static_cast<Real>(size);
  }
  /// The sine of the angle + 90 (its cosine) or + 0; the angle is between -180 and 180.
  static double part(double angle, double more) {
    if (std::fmod(angle, 90) == 0) {
      const int quarters = static_cast<int>((angle + more) / 90 + 8) % 4;
      return quarters == 1 ? 1 : quarters == 3 ? -1 : 0;
    }
    const double radians = angle * (std::acos(-1.0) / 180);
    return more == 0 ? std::sin(radians) : std::cos(radians);
  }
  const MandelbrotView& view_;
  Real cos_;
  Real sin_;
};

/// Result of PlainSubdivision. Each level counts its regions by kind, its children, and the pixels on
/// borders, inside filled regions and inside leaves. The counts ignore the optimisation "tiles".
struct PlainResult {
  std::vector<std::uint32_t> image;
  std::vector<MandelbrotLevel> levels;
  std::vector<MandelbrotRegion> regions;  ///< sorted by level, row and column
  std::uint64_t mirrored_pixels = 0;
  std::uint64_t axis_pixels = 0;
};

/// Reference implementation of the Mariani-Silver algorithm: single-threaded, pixel by pixel. Tests compare
/// the image and the counts of every engine with it. It shares only the partition into regions (tested
/// separately) with the engines.
template <typename Real>
class PlainSubdivision {
 public:
  PlainSubdivision(const MandelbrotConfig& config, const MandelbrotView& view)
      : config_(config), cut_(make_subdivision(config, view)), image_(view.pixels()) {
    result_.levels.resize(config.method == MandelbrotMethod::kExhaustive ? 0 : cut_.levels);
    const PlainPoints<Real> points(view);
    for (std::uint32_t y = 0; y < view.height; ++y) {
      for (std::uint32_t x = 0; x < view.width; ++x) {
        const auto [re, im] = points.at(x, y);
        at(x, y) = plain_dwell<Real>(config.set, re, im, config.dwell_limit);
      }
    }
    if (config.method == MandelbrotMethod::kExhaustive) return;
    // In a mirrored image, only regions above the axis are visited; the axis itself is already computed.
    for (std::uint32_t y = 0; y < (cut_.mirrored() ? config.g / 2 : config.g); ++y) {
      for (std::uint32_t x = 0; x < config.g; ++x) visit(0, x, y);
    }
    std::sort(result_.regions.begin(), result_.regions.end(), [](const auto& a, const auto& b) {
      return std::tie(a.level, a.y, a.x) < std::tie(b.level, b.y, b.x);
    });
    if (!cut_.mirrored()) return;
    for (std::uint32_t x = 0; x < view.width; ++x) ++result_.axis_pixels;
    for (std::uint32_t y = view.height / 2 + 1; y < view.height; ++y) {
      for (std::uint32_t x = 0; x < view.width; ++x) {
        at(x, y) = at(x, view.height - y);
        ++result_.mirrored_pixels;
      }
    }
  }
  PlainResult result() && {
    result_.image = std::move(image_);
    return std::move(result_);
  }

 private:
  std::uint32_t& at(std::uint32_t x, std::uint32_t y) { return image_[std::size_t{y} * cut_.width + x]; }

  /// Fills a region with the dwell of its corner if the whole border has this dwell and the rule allows it.
  bool fill_if_uniform(const Region& region) {
    const std::uint32_t first = at(region.x, region.y);
    for (std::uint32_t i = 0; i < region.width; ++i) {
      if (at(region.x + i, region.y) != first || at(region.x + i, region.y + region.height - 1) != first)
        return false;
    }
    for (std::uint32_t i = 0; i < region.height; ++i) {
      if (at(region.x, region.y + i) != first || at(region.x + region.width - 1, region.y + i) != first)
        return false;
    }
    if (config_.fill == FillRule::kInterior && first != config_.dwell_limit) return false;
    for (std::uint32_t v = 0; v < region.height; ++v) {
      for (std::uint32_t u = 0; u < region.width; ++u) at(region.x + u, region.y + v) = first;
    }
    return true;
  }

  /// Records the kind of a region.
  void note(const Region& region, std::uint32_t level, RegionKind kind) {
    result_.regions.push_back(
        {region.x, region.y, region.width, region.height, static_cast<std::uint16_t>(level), kind});
    MandelbrotLevel& counts = result_.levels[level];
    ++counts.regions;
    ++(kind == RegionKind::kFill ? counts.filled : kind == RegionKind::kLeaf ? counts.leaves : counts.splits);
    for (std::uint32_t v = 0; v < region.height; ++v) {
      for (std::uint32_t u = 0; u < region.width; ++u) {
        const bool at_edge = u == 0 || v == 0 || u + 1 == region.width || v + 1 == region.height;
        if (at_edge) {
          ++counts.border_pixels;
        } else if (kind != RegionKind::kSplit) {
          ++(kind == RegionKind::kFill ? counts.filled_pixels : counts.leaf_pixels);
        }
      }
    }
  }

  void visit(std::uint32_t level, std::uint32_t x, std::uint32_t y) {
    const Region region = region_at(cut_, parts_at(cut_, level), x, y);
    if (region.empty()) return;
    const bool filled = fill_if_uniform(region);
    const bool last = level + 1 == cut_.levels;
    note(region, level, filled ? RegionKind::kFill : last ? RegionKind::kLeaf : RegionKind::kSplit);
    if (filled) return;
    if (!last) {
      for (std::uint32_t v = 0; v < cut_.r; ++v) {
        for (std::uint32_t u = 0; u < cut_.r; ++u) {
          ++result_.levels[level].children;
          visit(level + 1, x * cut_.r + u, y * cut_.r + v);
        }
      }
    } else if (config_.optimisations.tiles) {
      for (std::uint32_t v = 0; v < region.height; v += kPanel) {
        for (std::uint32_t u = 0; u < region.width; u += kPanel) {
          visit_panel({region.x + u, region.y + v, std::min(kPanel, region.width - u),
                       std::min(kPanel, region.height - v)});
        }
      }
    }
  }

  void visit_panel(const Region& panel) {
    for (std::uint32_t v = 0; v + 1 < panel.height; v += kTile) {
      for (std::uint32_t u = 0; u + 1 < panel.width; u += kTile) {
        fill_if_uniform({panel.x + u, panel.y + v, std::min(kTile, panel.width - 1 - u) + 1,
                         std::min(kTile, panel.height - 1 - v) + 1});
      }
    }
  }

  const MandelbrotConfig config_;
  Subdivision cut_;
  std::vector<std::uint32_t> image_;
  PlainResult result_;
};

inline PlainResult plain_subdivision(const MandelbrotConfig& config, const MandelbrotView& view) {
  return config.precision == Precision::kFloat ? PlainSubdivision<float>(config, view).result()
                                               : PlainSubdivision<double>(config, view).result();
}

}  // namespace loom::tests
