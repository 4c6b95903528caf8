#include "compute/cpu/mandelbrot/region_work.h"

#include <algorithm>

#include "compute/mandelbrot/subdivision.h"
#include "compute/perturbation/perturbed.h"

namespace loom::cpu {
namespace {

template <typename Dwell>
void fill(const Region& region, Dwell dwell, const DwellImage<Dwell>& image) {
  for (std::uint32_t y = 0; y < region.height; ++y) {
    std::fill_n(&image.at(region.x, region.y + y), region.width, dwell);
  }
}

/// The work on one region; counts accumulate in `outcome`.
template <typename Evaluator, typename Dwell>
class RegionWork {
 public:
  RegionWork(const MandelbrotConfig& config, const Evaluator& grid, const Region& region,
             const DwellImage<Dwell>& image, const ProgressScope& call)
      : config_(config),
        region_(region),
        image_(image),
        batch_(grid, config.dwell_limit,
               {.periodicity = config.optimisations.periodicity, .interior = config.optimisations.interior},
               image, call),
        call_(call) {}

  RegionOutcome run(bool last_level) {
    const bool uniform = compute_border();
    const Dwell dwell = image_.at(region_.x, region_.y);
    if (uniform && may_fill(config_.fill, dwell, config_.dwell_limit)) {
      const Region inside = inside_of(region_);
      if (!inside.empty()) fill(inside, dwell, image_);
      outcome_.kind = RegionKind::kFill;
      outcome_.filled_pixels = inside.area();
    } else if (last_level) {
      outcome_.kind = RegionKind::kLeaf;
      compute_leaf();
    } else {
      outcome_.kind = RegionKind::kSplit;
    }
    if (outcome_.kind != RegionKind::kSplit) call_.advance(region_.area());
    return outcome_;
  }

 private:
  /// Returns whether the border has one dwell. With early stop it is computed in rounds of pixels spread
  /// around it, until one differs; round j computes pixels j, j + rounds, j + 2 rounds, ...
  bool compute_border() {
    constexpr std::uint32_t kRound = 64;
    const std::uint32_t size = border_size(region_);
    rounds_ = config_.optimisations.early_stop ? (size + kRound - 1) / kRound : 1;
    for (rounds_done_ = 0; rounds_done_ < rounds_;) {
      const std::uint32_t round = rounds_done_++;
      for (std::uint32_t i = round; i < size; i += rounds_) add_border_pixel(i);
      batch_.flush();
      for (std::uint32_t i = round; i < size; i += rounds_) {
        const Coord32 pixel = border_pixel(region_, i);
        if (image_.at(pixel.x, pixel.y) != image_.at(region_.x, region_.y)) return false;
      }
    }
    return true;
  }

  void add_border_pixel(std::uint32_t i) {
    const Coord32 pixel = border_pixel(region_, i);
    batch_.add(pixel.x, pixel.y);
    ++outcome_.border_pixels;
  }

  void compute_leaf() {
    const std::uint32_t size = border_size(region_);
    for (; rounds_done_ < rounds_; ++rounds_done_) {
      for (std::uint32_t i = rounds_done_; i < size; i += rounds_) add_border_pixel(i);
    }
    const Region inside = inside_of(region_);
    if (!config_.optimisations.tiles) {
      add_all(inside);
    } else {
      for (std::uint32_t y = 0; y < region_.height; y += kPanel) {
        for (std::uint32_t x = 0; x < region_.width; x += kPanel) {
          compute_panel({region_.x + x, region_.y + y, std::min(kPanel, region_.width - x),
                         std::min(kPanel, region_.height - y)});
        }
      }
    }
    batch_.flush();
  }

  void add_all(const Region& part) {
    for (std::uint32_t y = 0; y < part.height; ++y) {
      for (std::uint32_t x = 0; x < part.width; ++x) batch_.add(part.x + x, part.y + y);
    }
    outcome_.leaf_pixels += part.area();
  }

  bool on_border(std::uint32_t x, std::uint32_t y) const {
    return x == region_.x || y == region_.y || x + 1 == region_.x + region_.width ||
           y + 1 == region_.y + region_.height;
  }

  void compute_panel(const Region& panel) {
    const std::uint32_t columns = tiles_on(panel.width);
    const std::uint32_t rows = tiles_on(panel.height);
    const auto add_line_pixel = [&](std::uint32_t x, std::uint32_t y) {
      if (on_border(panel.x + x, panel.y + y)) return;
      batch_.add(panel.x + x, panel.y + y);
      ++outcome_.border_pixels;
    };
    for (std::uint32_t row = 0; row <= rows; ++row) {
      const std::uint32_t y = tile_line(panel.height, row);
      for (std::uint32_t x = 0; x < panel.width; ++x) add_line_pixel(x, y);
    }
    for (std::uint32_t row = 0; row < rows; ++row) {
      for (std::uint32_t y = tile_line(panel.height, row) + 1; y < tile_line(panel.height, row + 1); ++y) {
        for (std::uint32_t column = 0; column <= columns; ++column) {
          add_line_pixel(tile_line(panel.width, column), y);
        }
      }
    }
    batch_.flush();
    for (std::uint32_t row = 0; row < rows; ++row) {
      for (std::uint32_t column = 0; column < columns; ++column) {
        const std::uint32_t x = tile_line(panel.width, column);
        const std::uint32_t y = tile_line(panel.height, row);
        finish_tile({panel.x + x, panel.y + y, tile_line(panel.width, column + 1) - x + 1,
                     tile_line(panel.height, row + 1) - y + 1});
      }
    }
  }

  /// `tile` includes the lines around it.
  void finish_tile(const Region& tile) {
    const Region inside = inside_of(tile);
    if (inside.empty()) return;
    const Dwell dwell = image_.at(tile.x, tile.y);
    bool uniform = may_fill(config_.fill, dwell, config_.dwell_limit);
    const std::uint32_t size = border_size(tile);
    for (std::uint32_t i = 0; uniform && i < size; ++i) {
      const Coord32 pixel = border_pixel(tile, i);
      uniform = image_.at(pixel.x, pixel.y) == dwell;
    }
    if (uniform) {
      fill(inside, dwell, image_);
      outcome_.filled_pixels += inside.area();
    } else {
      add_all(inside);
    }
  }

  const MandelbrotConfig& config_;
  Region region_;
  DwellImage<Dwell> image_;
  DwellBatch<Evaluator, Dwell> batch_;
  const ProgressScope& call_;
  RegionOutcome outcome_;
  std::uint32_t rounds_ = 0;
  std::uint32_t rounds_done_ = 0;
};

}  // namespace

template <typename Evaluator, typename Dwell>
RegionOutcome work_on_region(const MandelbrotConfig& config, const Evaluator& grid, const Region& region,
                             bool last_level, const DwellImage<Dwell>& image, const ProgressScope& call) {
  return RegionWork<Evaluator, Dwell>(config, grid, region, image, call).run(last_level);
}

template <typename Evaluator, typename Dwell>
void compute_plainly(const Evaluator& grid, const Region& region, std::uint32_t limit, bool interior,
                     const DwellImage<Dwell>& image, const ProgressScope& call) {
  DwellBatch<Evaluator, Dwell> batch(grid, limit, {.periodicity = false, .interior = interior}, image, call);
  for (std::uint32_t y = 0; y < region.height; ++y) {
    for (std::uint32_t x = 0; x < region.width; ++x) batch.add(region.x + x, region.y + y);
  }
  batch.flush();
  call.advance(region.area());
}

#define LOOM_INSTANTIATE_DWELL(Dwell, ...)                                                                \
  template RegionOutcome work_on_region(const MandelbrotConfig&, const __VA_ARGS__&, const Region&, bool, \
                                        const DwellImage<Dwell>&, const ProgressScope&);                  \
  template void compute_plainly(const __VA_ARGS__&, const Region&, std::uint32_t, bool,                   \
                                const DwellImage<Dwell>&, const ProgressScope&);
#define LOOM_INSTANTIATE(...)                        \
  LOOM_INSTANTIATE_DWELL(std::uint16_t, __VA_ARGS__) \
  LOOM_INSTANTIATE_DWELL(std::uint32_t, __VA_ARGS__)
LOOM_INSTANTIATE(Direct<float>)
LOOM_INSTANTIATE(Direct<double>)
LOOM_INSTANTIATE(DirectFormula<float>)
LOOM_INSTANTIATE(DirectFormula<double>)
LOOM_INSTANTIATE(CustomOrbits<float>)
LOOM_INSTANTIATE(CustomOrbits<double>)
LOOM_INSTANTIATE(Perturbed<float, false>)
LOOM_INSTANTIATE(Perturbed<double, false>)
LOOM_INSTANTIATE(Perturbed<float, true>)
LOOM_INSTANTIATE(Perturbed<double, true>)
LOOM_INSTANTIATE(Perturbed<double, false, true>)
LOOM_INSTANTIATE(Perturbed<double, true, true>)
#undef LOOM_INSTANTIATE
#undef LOOM_INSTANTIATE_DWELL

}  // namespace loom::cpu
