#pragma once

#include <cstdint>
#include <vector>

#include "compute/mandelbrot/dwell.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/subdivision.h"

namespace loom::tests {

/// Mariani-Silver in its plainest form, pixel by pixel on one thread: what every engine's image is compared
/// with. It shares the cut into regions (tested by itself) and the dwell's definition with the engines.
template <typename Real>
class PlainSubdivision {
 public:
  PlainSubdivision(const MandelbrotConfig& config, const MandelbrotView& view)
      : config_(config),
        cut_(make_subdivision(config, view)),
        grid_(make_point_grid<Real>(view)),
        image_(view.pixels()) {
    for (std::uint32_t y = 0; y < view.height; ++y) {
      for (std::uint32_t x = 0; x < view.width; ++x) at(x, y) = dwell(grid_.at(x, y), config.dwell_limit);
    }
    if (config.method == MandelbrotMethod::kExhaustive) return;
    // Of a mirrored image only what is above the axis is visited; the axis stays as computed.
    for (std::uint32_t y = 0; y < (cut_.mirrored() ? config.g / 2 : config.g); ++y) {
      for (std::uint32_t x = 0; x < config.g; ++x) visit(0, x, y);
    }
    if (!cut_.mirrored()) return;
    for (std::uint32_t y = view.height / 2 + 1; y < view.height; ++y) {
      for (std::uint32_t x = 0; x < view.width; ++x) at(x, y) = at(x, view.height - y);
    }
  }
  const std::vector<std::uint32_t>& image() const { return image_; }

 private:
  std::uint32_t& at(std::uint32_t x, std::uint32_t y) { return image_[std::size_t{y} * cut_.width + x]; }

  /// Gives all of a region its corner's dwell if its border has it and the rule lets it.
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

  void visit(std::uint32_t level, std::uint32_t x, std::uint32_t y) {
    const Region region = region_at(cut_, parts_at(cut_, level), x, y);
    if (region.empty() || fill_if_uniform(region)) return;
    if (level + 1 < cut_.levels) {
      for (std::uint32_t v = 0; v < cut_.r; ++v) {
        for (std::uint32_t u = 0; u < cut_.r; ++u) visit(level + 1, x * cut_.r + u, y * cut_.r + v);
      }
    } else if (config_.ideas.tiles) {
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
  PointGrid<Real> grid_;
  std::vector<std::uint32_t> image_;
};

inline std::vector<std::uint32_t> plain_dwells(const MandelbrotConfig& config, const MandelbrotView& view) {
  return config.precision == Precision::kFloat ? PlainSubdivision<float>(config, view).image()
                                               : PlainSubdivision<double>(config, view).image();
}

}  // namespace loom::tests
