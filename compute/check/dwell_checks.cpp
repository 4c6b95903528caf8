#include "compute/check/dwell_checks.h"

#include <algorithm>
#include <vector>

#include "compute/core/integer_math.h"
#include "compute/mandelbrot/region.h"
#include "compute/mandelbrot/subdivision.h"

namespace loom {
namespace {

bool contains(const Region& region, Coord32 pixel) {
  return pixel.x - region.x < region.width && pixel.y - region.y < region.height;
}

/// Finds the region in which the computation of a pixel ended.
class EndedRegions {
 public:
  explicit EndedRegions(const MandelbrotEngine& engine)
      : regions_(engine.regions()), cut_(make_subdivision(engine.config(), engine.view())) {}

  bool mirrored() const { return cut_.mirrored(); }
  /// Null if no region contains the pixel.
  const MandelbrotRegion* find(Coord32 pixel) const {
    for (std::uint32_t level = 0; level < cut_.levels; ++level) {
      const std::uint32_t parts = parts_at(cut_, level);
      const Region cell =
          region_at(cut_, parts, part_of(cut_.width, parts, pixel.x), part_of(cut_.height, parts, pixel.y));
      const auto before = [](const MandelbrotRegion& region, const MandelbrotRegion& wanted) {
        if (region.level != wanted.level) return region.level < wanted.level;
        return region.y != wanted.y ? region.y < wanted.y : region.x < wanted.x;
      };
      const MandelbrotRegion wanted{cell.x, cell.y, cell.width, cell.height,
                                    static_cast<std::uint16_t>(level)};
      const auto found = std::lower_bound(regions_.begin(), regions_.end(), wanted, before);
      if (found == regions_.end() || before(wanted, *found)) return nullptr;
      if (found->kind != RegionKind::kSplit) return &*found;
    }
    return nullptr;
  }

 private:
  /// The part that contains pixel `at`.
  static std::uint32_t part_of(std::uint32_t side, std::uint32_t parts, std::uint32_t at) {
    auto part = static_cast<std::uint32_t>(std::uint64_t{at} * parts / side);
    while (part_edge(side, parts, part + 1) <= at) ++part;
    return part;
  }

  std::span<const MandelbrotRegion> regions_;
  Subdivision cut_;
};

/// The tile of a leaf that contains a pixel, on one axis; the size is 0 if the pixel is on a line.
struct TileSpan {
  std::uint32_t first = 0;  ///< the line before the tile, in pixels of the leaf
  std::uint32_t size = 0;   ///< including the lines on both sides
};

TileSpan tile_span(std::uint32_t leaf_side, std::uint32_t at) {
  const std::uint32_t panel = at / kPanel * kPanel;
  const std::uint32_t side = std::min(kPanel, leaf_side - panel);
  for (std::uint32_t i = 0; i < tiles_on(side); ++i) {
    const std::uint32_t first = panel + tile_line(side, i);
    const std::uint32_t last = panel + tile_line(side, i + 1);
    if (at > first && at < last) return {first, last - first + 1};
  }
  return {};
}

/// Whether all border pixels of the region have the dwell.
bool border_is(const MandelbrotEngine& engine, const Region& region, std::uint32_t dwell) {
  std::vector<std::uint32_t> row(engine.view().width);
  for (std::uint32_t y = 0; y < region.height; ++y) {
    engine.read_dwells(region.y + y, row);
    const auto begin = row.begin() + region.x;
    const auto end = begin + region.width;
    const auto is_other = [&](std::uint32_t value) { return value != dwell; };
    const bool whole_row = y == 0 || y + 1 == region.height;
    if (whole_row ? std::any_of(begin, end, is_other) : is_other(*begin) || is_other(*(end - 1)))
      return false;
  }
  return true;
}

bool is_border_miss(const MandelbrotEngine& engine, const EndedRegions& regions, DwellDifference difference) {
  // Pixels below the axis of a mirrored image are copies, so that their misses are those of their originals.
  const std::uint32_t height = engine.view().height;
  if (regions.mirrored() && difference.pixel.y > height / 2) difference.pixel.y = height - difference.pixel.y;
  const MandelbrotRegion* ended = regions.find(difference.pixel);
  if (ended == nullptr) return false;
  Region filled{ended->x, ended->y, ended->width, ended->height};
  if (ended->kind == RegionKind::kLeaf) {
    if (!engine.config().optimisations.tiles) return false;
    const TileSpan columns = tile_span(ended->width, difference.pixel.x - ended->x);
    const TileSpan rows = tile_span(ended->height, difference.pixel.y - ended->y);
    filled = {ended->x + columns.first, ended->y + rows.first, columns.size, rows.size};
  }
  return contains(inside_of(filled), difference.pixel) && border_is(engine, filled, difference.dwell);
}

}  // namespace

std::uint64_t count_border_misses(const MandelbrotEngine& engine, const DwellDifferences& differences) {
  const EndedRegions regions(engine);
  return static_cast<std::uint64_t>(std::count_if(
      differences.places.begin(), differences.places.end(),
      [&](const DwellDifference& difference) { return is_border_miss(engine, regions, difference); }));
}

DwellHash hash_of_dwells(const MandelbrotEngine& engine) {
  constexpr std::uint32_t kDwellsAtATime = 1 << 22;
  const MandelbrotView& view = engine.view();
  const std::uint32_t limit = engine.config().dwell_limit;
  const std::uint32_t most = std::clamp(kDwellsAtATime / view.width, 1u, view.height);
  std::vector<std::uint32_t> rows;
  std::uint64_t hash = 0;
  std::uint64_t interior = 0;
  for (std::uint32_t y = 0; y < view.height; y += most) {
    rows.resize(std::size_t{std::min(most, view.height - y)} * view.width);
    engine.read_dwells(y, rows);
    const std::uint64_t first = std::uint64_t{y} * view.width;
#pragma omp parallel for schedule(static) reduction(+ : hash, interior)
    for (std::size_t i = 0; i < rows.size(); ++i) {
      hash += splitmix64(splitmix64(first + i) + rows[i]);
      interior += rows[i] == limit ? 1 : 0;
    }
  }
  return {hash, interior};
}

}  // namespace loom
