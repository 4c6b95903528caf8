#include "compute/mandelbrot/divergence.h"

#include <fmt/format.h>

#include <algorithm>

#include "compute/core/error.h"
#include "compute/core/integer_math.h"
#include "compute/mandelbrot/known_interior.h"
#include "compute/mandelbrot/region.h"
#include "compute/mandelbrot/subdivision.h"

namespace loom {
namespace {

constexpr std::uint32_t kLanes = 32;

/// One execution of the loop by one warp; the dwells of its lanes are added one by one.
class WarpRun {
 public:
  void add(std::uint32_t dwell) {
    ++lanes_;
    sum_ += dwell;
    most_ = std::max<std::uint64_t>(most_, dwell);
  }
  Divergence done() const {
    if (lanes_ == 0) return {};
    return {.warps = 1,
            .lanes = lanes_,
            .iterations = sum_,
            .waited = most_ * lanes_ - sum_,
            .idle = most_ * (kLanes - lanes_)};
  }

 private:
  std::uint64_t lanes_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t most_ = 0;
};

bool on_border(const Region& region, std::uint32_t x, std::uint32_t y) {
  return x == region.x || y == region.y || x + 1 == region.x + region.width ||
         y + 1 == region.y + region.height;
}

template <typename Real>
void forget_known(const MandelbrotView& view, std::uint32_t limit, std::span<std::uint32_t> dwells) {
  const Direct<Real> grid = make_direct<Real>(view);
  for (std::uint32_t y = 0; y < view.height; ++y) {
    const auto row = dwells.subspan(std::size_t{y} * view.width, view.width);
    for (std::uint32_t x = 0; x < view.width; ++x) {
      if (row[x] == limit && is_known_interior(grid.at(x, y))) row[x] = 0;
    }
  }
}

/// As PlainRegionBlock::explore(): in rounds of consecutive pixels, one per thread.
Divergence of_border(const DwellRows& dwells, const Region& region, std::uint32_t threads) {
  Divergence sum;
  const std::uint32_t size = border_size(region);
  const std::uint32_t rounds = ceil_divide(size, threads);
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint32_t first = 0; first < threads; first += kLanes) {
      WarpRun run;
      for (std::uint32_t rank = first; rank < first + kLanes; ++rank) {
        const std::uint64_t i = std::uint64_t{round} * threads + rank;
        if (i >= size) continue;
        const Coord32 pixel = border_pixel(region, static_cast<std::uint32_t>(i));
        run.add(dwells.at(pixel.x, pixel.y));
      }
      sum += run.done();
    }
  }
  return sum;
}

/// As PlainRegionBlock::compute_leaf(): panel by panel, pixels row by row; the border is already known.
Divergence of_leaf(const DwellRows& dwells, const Region& leaf) {
  Divergence sum;
  for (std::uint32_t top = 0; top < leaf.height; top += kPanel) {
    for (std::uint32_t left = 0; left < leaf.width; left += kPanel) {
      const Region panel{leaf.x + left, leaf.y + top, std::min(kPanel, leaf.width - left),
                         std::min(kPanel, leaf.height - top)};
      const std::uint32_t count = panel.width * panel.height;
      for (std::uint32_t first = 0; first < count; first += kLanes) {
        WarpRun run;
        for (std::uint32_t i = first; i < std::min(first + kLanes, count); ++i) {
          const std::uint32_t x = panel.x + i % panel.width;
          const std::uint32_t y = panel.y + i / panel.width;
          if (!on_border(leaf, x, y)) run.add(dwells.at(x, y));
        }
        sum += run.done();
      }
    }
  }
  return sum;
}

}  // namespace

void make_iterations(const MandelbrotConfig& config, const MandelbrotView& view,
                     std::span<std::uint32_t> dwells) {
  if (dwells.size() != view.pixels()) {
    throw InputError(fmt::format("{} dwells do not match an image of {} x {}; allowed: one per pixel",
                                 dwells.size(), view.width, view.height));
  }
  if (!config.optimisations.interior || !config.set.is_mandelbrot() || is_perturbed(config.precision) ||
      view.is_turned())
    return;
  config.precision == Precision::kFloat ? forget_known<float>(view, config.dwell_limit, dwells)
                                        : forget_known<double>(view, config.dwell_limit, dwells);
}

Divergence& Divergence::operator+=(const Divergence& other) {
  warps += other.warps;
  lanes += other.lanes;
  iterations += other.iterations;
  waited += other.waited;
  idle += other.idle;
  return *this;
}

ExhaustiveDivergence::ExhaustiveDivergence(const DwellRows& dwells, BlockShape block)
    : block_(block),
      blocks_x_(ceil_divide(dwells.width, block.x)),
      warps_of_block_(ceil_divide(block.x * block.y, kLanes)) {
  if (dwells.dwells.size() != std::uint64_t{dwells.width} * dwells.height) {
    throw InputError(fmt::format("{} dwells do not match an image of {} x {}; allowed: one per pixel",
                                 dwells.dwells.size(), dwells.width, dwells.height));
  }
  const std::uint32_t blocks_y = ceil_divide(dwells.height, block.y);
  warps_.reserve(std::uint64_t{blocks_x_} * blocks_y * warps_of_block_);
  for (std::uint32_t row = 0; row < blocks_y; ++row) {
    for (std::uint32_t column = 0; column < blocks_x_; ++column) {
      for (std::uint32_t first = 0; first < block.x * block.y; first += kLanes) {
        WarpRun run;
        for (std::uint32_t rank = first; rank < std::min(first + kLanes, block.x * block.y); ++rank) {
          const std::uint32_t x = column * block.x + rank % block.x;
          const std::uint32_t y = row * block.y + rank / block.x;
          if (x < dwells.width && y < dwells.height) run.add(dwells.at(x, y));
        }
        warps_.push_back(run.done());
        total_ += warps_.back();
      }
    }
  }
}

std::uint64_t ExhaustiveDivergence::warp_of(std::uint32_t x, std::uint32_t y) const {
  const std::uint64_t block = std::uint64_t{y / block_.y} * blocks_x_ + x / block_.x;
  const std::uint32_t rank = y % block_.y * block_.x + x % block_.x;
  return block * warps_of_block_ + rank / kLanes;
}

Divergence RegionDivergence::total() const {
  Divergence sum = border;
  sum += leaf;
  return sum;
}

RegionDivergence region_divergence(const DwellRows& dwells, const MandelbrotRegion& region,
                                   BlockShape block) {
  const Region pixels{region.x, region.y, region.width, region.height};
  RegionDivergence result;
  result.border = of_border(dwells, pixels, block.x * block.y);
  if (region.kind == RegionKind::kLeaf) result.leaf = of_leaf(dwells, pixels);
  return result;
}

bool divergence_is_exact(const MandelbrotConfig& config) {
  const MandelbrotOptimisations& optimisations = config.optimisations;
  return config.method == MandelbrotMethod::kExhaustive ||
         !(optimisations.early_stop || optimisations.periodicity || optimisations.tiles ||
           optimisations.regroup);
}

}  // namespace loom
