#include "compute/engine/fractal_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "compute/core/error.h"
#include "compute/core/integer_math.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/dispatch.h"
#include "compute/workload/larger_life.h"
#include "compute/workload/larger_planes.h"
#include "compute/workload/rule_text.h"

namespace loom {
namespace {

/// Viewports count cells with signed 64-bit integers.
constexpr std::uint64_t kMaxSide = std::uint64_t{1} << 62;

}  // namespace

int highest_level(const NbbFractal& fractal) {
  int level = fractal.max_level();
  while (fractal.width(level) > kMaxSide || fractal.height(level) > kMaxSide) --level;
  return level;
}

void validate(const FractalConfig& config) {
  const int largest = highest_level(config.fractal);
  if (config.level < 0 || config.level > largest) {
    throw InputError(fmt::format("level {} of {} is not allowed; allowed: 0 to {}, which fit in 64 bits",
                                 config.level, config.fractal.name(), largest));
  }
  const TiledFractal tiled = make_tiled_fractal(config.fractal, config.level, config.tile_size);
  if (const std::string reason = method_problem(config.method, tiled); !reason.empty()) {
    throw InputError(
        fmt::format("{}; the nearest that runs: {}", reason, to_string(nearest_valid(config.method, tiled))));
  }
}

template <int kDimensions>
std::string work_problem(const FractalConfigOf<kDimensions>& config, const WorkOf<kDimensions>& work) {
  if (work.workload != Workload::kLife) return {};
  if (config.method.storage == CellStorage::kBits) {
    if (work.rule.states != 2) {
      return fmt::format("rule {} has {} states, bit-packed storage holds 2; allowed: byte storage",
                         to_string(work.rule), work.rule.states);
    }
    if (!work.rule.is_larger()) return {};
    if (work.rule.larger.shape != Neighbourhood::kBox) {
      return fmt::format(
          "bit-packed storage counts box neighbourhoods (NM), unlike rule {}; allowed: byte storage",
          to_string(work.rule));
    }
    if constexpr (kDimensions == 2) {
      if (config.method.map == MapKind::kBoundingBox) return {};
      const TiledFractal tiled = make_tiled_fractal(config.fractal, config.level, config.tile_size);
      if (tiled.is_turned() || !why_no_planes(tiled).empty()) return {};  // validate() says why
      return why_no_large_tiles(make_bit_planes(tiled), work.rule.larger.radius);
    }
  }
  if constexpr (kDimensions == 2) {
    if (!work.rule.is_larger()) return {};
    const TiledFractal tiled = make_tiled_fractal(config.fractal, config.level, config.tile_size);
    const bool of_rows =
        config.method.counting == Counting::kBits || config.method.counting == Counting::kTensor;
    if (of_rows && !counts_rows(config.method, tiled, work.rule.larger)) {
      const bool has_boxes = work.rule.larger.shape == Neighbourhood::kBox;
      const std::string needs =
          !has_boxes ? fmt::format("needs a box neighbourhood (NM), unlike rule {}", to_string(work.rule))
          : std::max(tiled.rho_x, tiled.rho_y) > 32
              ? fmt::format("needs tiles of at most 32 x 32, not {} x {}", tiled.rho_x, tiled.rho_y)
              : fmt::format(
                    "needs a whole warp, and thread blocks have only {} threads here",
                    tiling_of(config.method, tiled).parallel * threads_per_tile(config.method, tiled));
      return fmt::format("--counting {} {}; allowed: auto, direct, sums", name_of(config.method.counting),
                         needs);
    }
    const auto fits = [&](std::uint32_t tile_size) {
      const TiledFractal fractal = make_tiled_fractal(config.fractal, config.level, tile_size);
      return TileBox(fractal, work.rule.larger.radius).cells() <= TileBox::kMaxCells;
    };
    if (fits(config.tile_size)) return {};
    auto allowed = allowed_tile_sizes(config.fractal, config.level);
    std::erase_if(allowed, [&](std::uint32_t tile_size) { return !fits(tile_size); });
    return fmt::format(
        "a tile of width {} with radius {} around it does not fit into the shared memory of a thread block; "
        "allowed tile sizes: {}",
        config.tile_size, work.rule.larger.radius, fmt::join(allowed, ", "));
  }
  return {};
}
template std::string work_problem(const FractalConfig&, const Work&);
template std::string work_problem(const SolidConfig&, const SolidWork&);

template <int kDimensions>
void check_work(const FractalConfigOf<kDimensions>& config, const WorkOf<kDimensions>& work) {
  if (const std::string reason = work_problem(config, work); !reason.empty()) throw InputError(reason);
}
template void check_work(const FractalConfig&, const Work&);
template void check_work(const SolidConfig&, const SolidWork&);

void keep_method_valid(FractalConfig& config) {
  config.method =
      nearest_valid(config.method, make_tiled_fractal(config.fractal, config.level, config.tile_size));
}

std::uint64_t bytes_needed(const FractalConfig& config) {
  const bool masked = config.method.storage == CellStorage::kBits && config.method.map != MapKind::kCompact;
  return saturating_multiply(
      masked ? 3 : 2,
      bytes_of_generation(config.method, make_tiled_fractal(config.fractal, config.level, config.tile_size)));
}

}  // namespace loom
