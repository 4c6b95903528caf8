#include "app/workspaces/mandelbrot/scene/warp_divergence.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compute/core/error.h"

namespace loom::app {
namespace {

constexpr std::uint8_t kNothing = 255;

std::uint8_t byte_of(const Divergence& waits) {
  if (waits.iterations + waits.waited + waits.idle == 0) return kNothing;
  return static_cast<std::uint8_t>(std::lround(waits.idle_fraction() * (kNothing - 1)));
}

void fill(DivergenceCounts& counts, const MandelbrotRegion& region, std::uint8_t share) {
  const auto width = static_cast<std::size_t>(counts.size.x);
  for (std::uint32_t y = region.y; y < region.y + region.height; ++y) {
    const auto begin = counts.share.begin() + static_cast<std::ptrdiff_t>(y * width + region.x);
    std::fill(begin, begin + region.width, share);
  }
}

void count(const DwellRows& dwells, const MandelbrotConfig& config,
           const std::vector<MandelbrotRegion>& regions, DivergenceCounts& counts, ProgressMonitor& watch) {
  const ExhaustiveDivergence all(dwells, config.block);
  counts.exhaustive = all.total();
  counts.exact = divergence_is_exact(config);
  counts.share.assign(dwells.dwells.size(), kNothing);
  if (watch.cancelled()) throw OperationCancelled();
  if (config.method == MandelbrotMethod::kExhaustive) {
    counts.method = counts.exhaustive;
    for (std::uint32_t y = 0; y < dwells.height; ++y) {
      for (std::uint32_t x = 0; x < dwells.width; ++x) {
        counts.share[std::size_t{y} * dwells.width + x] = byte_of(all.warps()[all.warp_of(x, y)]);
      }
    }
    return;
  }
  // Parents are listed before their children, which then overwrite their part.
  for (const MandelbrotRegion& region : regions) {
    const Divergence waits = region_divergence(dwells, region, config.block).total();
    counts.method += waits;
    fill(counts, region, byte_of(waits));
    if (watch.cancelled()) throw OperationCancelled();
  }
}

}  // namespace

void WarpDivergence::forget() {
  current_ = false;
  counts_.reset();
  task_.cancel();
}

void WarpDivergence::request(const MandelbrotEngine& engine, const MandelbrotConfig& config, glm::ivec2 size,
                             std::span<const MandelbrotRegion> regions) {
  if (current_ || task_.running()) return;
  current_ = true;
  dwells_.resize(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y));
  engine.read_dwells(0, dwells_);
  regions_.assign(regions.begin(), regions.end());
  std::stable_sort(regions_.begin(), regions_.end(),
                   [](const MandelbrotRegion& a, const MandelbrotRegion& b) { return a.level < b.level; });
  task_.start([this, config, size, view = engine.view()](ProgressMonitor& watch) {
    make_iterations(config, view, dwells_);
    const DwellRows rows{dwells_, static_cast<std::uint32_t>(size.x), static_cast<std::uint32_t>(size.y)};
    DivergenceCounts counts;
    counts.size = size;
    count(rows, config, regions_, counts, watch);
    return counts;
  });
}

void WarpDivergence::poll(bool waits) {
  auto outcome = waits ? task_.wait() : task_.poll();
  // Counts of a picture that has been replaced are dropped.
  if (outcome && outcome->result && current_) counts_ = std::move(*outcome->result);
}

}  // namespace loom::app
