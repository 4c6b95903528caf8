#include "compute/mandelbrot/mandelbrot_memory.h"

#include <fmt/format.h>

#include "compute/core/error.h"
#include "compute/core/integer_math.h"
#include "compute/mandelbrot/mandelbrot_report.h"

namespace loom {
namespace {

std::uint64_t bytes_per_dwell(const MandelbrotConfig& config) {
  const bool narrow = config.optimisations.narrow && fits_narrow(config) && !is_perturbed(config.precision);
  return narrow ? sizeof(std::uint16_t) : sizeof(std::uint32_t);
}

/// The largest number of regions of a level, with those that have no pixels: only a region with pixels
/// splits, and of a long image most have none.
std::uint64_t regions_at(const Subdivision& cut, std::uint32_t level) {
  const std::uint64_t parts = parts_at(cut, level);
  if (level == 0) return parts * parts;
  const std::uint64_t above = parts / cut.r;
  const std::uint64_t split =
      std::min<std::uint64_t>(above, cut.width) * std::min<std::uint64_t>(above, cut.height);
  return std::min(parts * parts, split * cut.r * cut.r);
}

}  // namespace

OltCapacity olt_capacity(const Subdivision& cut, bool chained) {
  OltCapacity capacity;
  for (std::uint32_t level = 0; level < cut.levels; ++level) {
    const std::uint64_t parts = parts_at(cut, level);
    // Levels only grow, so that the last level of a parity is its largest.
    (level % 2 == 0 ? capacity.even : capacity.odd) = chained ? parts * parts : regions_at(cut, level);
  }
  return capacity;
}

std::uint64_t max_jobs(const Subdivision& cut) {
  return regions_at(cut, cut.levels - 1);
}

std::uint64_t max_regions(const Subdivision& cut) {
  std::uint64_t sum = 0;
  for (std::uint32_t level = 0; level < cut.levels; ++level) sum += regions_at(cut, level);
  return sum;
}

std::uint64_t bytes_needed(const MandelbrotConfig& config, const MandelbrotView& view, bool regions_listed) {
  std::uint64_t bytes = saturating_multiply(view.pixels(), bytes_per_dwell(config));
  if (config.method == MandelbrotMethod::kExhaustive) return bytes;
  const Subdivision cut = make_subdivision(config, view);
  const bool ask = config.method == MandelbrotMethod::kAsk;
  const OltCapacity olts = olt_capacity(cut, !ask);
  if (ask || config.optimisations.join) bytes += (olts.even + olts.odd) * sizeof(Coord32);
  if (ask && config.scheme == RegionScheme::kMbr) bytes += max_jobs(cut) * sizeof(RegionJob);
  if (regions_listed) bytes += max_regions(cut) * sizeof(MandelbrotRegion);
  return bytes;
}

std::uint64_t bytes_needed(const MandelbrotConfig& config, const MandelbrotView& view, bool regions_listed,
                           const std::vector<RowRange>& rows) {
  const std::uint64_t elsewhere = (view.height - count_rows(rows)) * view.width * bytes_per_dwell(config);
  return bytes_needed(config, view, regions_listed) - elsewhere;
}

CapacityError make_capacity_error(const MandelbrotView& view, std::uint64_t needed, std::uint64_t available) {
  return CapacityError(
      fmt::format("{} x {} pixels with their tables need {}, but only {} are free", view.width, view.height,
                  describe_bytes(needed), describe_bytes(available)),
      needed, available);
}

void check_rows(const MandelbrotView& view, std::uint32_t first_row, std::size_t dwells) {
  const std::uint64_t rows = dwells / view.width;
  if (dwells % view.width == 0 && first_row <= view.height && rows <= view.height - first_row) return;
  throw InputError(fmt::format("{} dwells from row {} are not rows of {} x {}", dwells, first_row, view.width,
                               view.height));
}

}  // namespace loom
