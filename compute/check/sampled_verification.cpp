#include "compute/check/sampled_verification.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "compute/check/reference_map.h"
#include "compute/cpu/engines.h"
#include "compute/cuda/life/map_samples.h"
#include "compute/engine/work_costs.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/tensor_arithmetic.h"

namespace loom {
namespace {

std::string text_of(Coord64 coordinate) {
  return fmt::format("({}, {})", coordinate.x, coordinate.y);
}

std::string text_of(const std::optional<Coord64>& coordinate) {
  return coordinate ? text_of(*coordinate) : "a hole";
}

MappedSamples map_on(const BackendSelection& backend, const FractalConfig& config,
                     const MapSamples& samples) {
  if (backend.device.kind == BackendKind::kCuda)
    return cuda::map_samples(config, backend.device.ordinal, samples);
  return cpu::map_samples(config, samples);
}

}  // namespace

MapSamples draw_map_samples(const FractalConfig& config, std::uint64_t seed, std::uint32_t count) {
  const TiledFractal tiled = make_tiled_fractal(config.fractal, config.level, config.tile_size);
  std::mt19937_64 random(seed);
  const NbbFractal content = config.fractal.content(config.level, tiled.tile_level);
  const auto omega_of = [&](const NbbFractal& fractal, int level) {
    const Coord64 extent = fractal.compact_extent(level);
    return Coord64{random() % extent.x, random() % extent.y};
  };
  MapSamples samples;
  const auto add_omega = [&](Coord64 omega) {
    samples.omegas.push_back(omega);
    const Coord64 at = reference_lambda(content, tiled.tile_level, omega_of(content, tiled.tile_level));
    samples.positions.push_back({static_cast<std::uint32_t>(at.x), static_cast<std::uint32_t>(at.y)});
  };
  for (const std::uint64_t x : {std::uint64_t{0}, tiled.orthotope_x - 1}) {
    for (const std::uint64_t y : {std::uint64_t{0}, tiled.orthotope_y - 1}) add_omega({x, y});
  }
  for (const std::uint64_t x : {std::uint64_t{0}, tiled.grid_x - 1}) {
    for (const std::uint64_t y : {std::uint64_t{0}, tiled.grid_y - 1}) samples.places.push_back({x, y});
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    add_omega(omega_of(config.fractal, tiled.coarse_level));
    const Coord64 occupied =
        reference_lambda(config.fractal, tiled.coarse_level, omega_of(config.fractal, tiled.coarse_level));
    const Coord64 anywhere{random() % tiled.grid_x, random() % tiled.grid_y};
    samples.places.push_back(i % 2 == 0 ? occupied : anywhere);
  }
  return samples;
}

SampledMapCheck sampled_map_check(const FractalConfig& config, const BackendSelection& backend,
                                  const MapSamples& samples) {
  validate(config);
  const MappedSamples mapped = map_on(backend, config, samples);
  const TiledFractal tiled = make_tiled_fractal(config.fractal, config.level, config.tile_size);
  SampledMapCheck check;
  const auto note = [&](std::uint64_t& different, const char* map, const std::string& of,
                        const std::string& got, const std::string& expected) {
    ++different;
    if (check.first.empty()) check.first = fmt::format("{} of {} is {}, expected {}", map, of, got, expected);
  };
  for (std::size_t i = 0; i < samples.omegas.size(); ++i) {
    const Coord64 place = reference_lambda(config.fractal, tiled.coarse_level, samples.omegas[i]);
    const Coord64 cell{place.x * tiled.rho_x + samples.positions[i].x,
                       place.y * tiled.rho_y + samples.positions[i].y};
    ++check.lambda_values;
    if (mapped.cells[i] == cell) continue;
    note(check.lambda_different, "lambda, in cells,", "tile " + text_of(samples.omegas[i]),
         text_of(mapped.cells[i]), text_of(cell));
  }
  for (std::size_t i = 0; i < mapped.omegas.size(); ++i) {
    const auto omega = reference_nu(config.fractal, tiled.coarse_level, samples.places[i]);
    ++check.nu_values;
    if (mapped.omegas[i] == omega) continue;
    note(check.nu_different, "nu", "tile " + text_of(samples.places[i]), text_of(mapped.omegas[i]),
         text_of(omega));
  }
  return check;
}

namespace {

constexpr int kLowestSampled = 7;
constexpr int kHighestSampled = 20;

/// Whether a level's coordinates can be addressed.
bool is_addressable(const NbbFractal& fractal, int level) {
  if (level > fractal.max_level()) return false;
  try {
    validate({.fractal = fractal, .level = level});
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// lambda and compact with every exact arithmetic. The intra-block mapping does not influence lambda and nu
/// of tiles; lookup has the fewest threads, so that most tile sizes allow tensor-2.
std::vector<FractalConfig> sampled_methods(const NbbFractal& fractal, int level, std::uint32_t tile_size) {
  std::vector<FractalConfig> configs;
  const TiledFractal tiled = make_tiled_fractal(fractal, level, tile_size);
  for (const MapKind map : {MapKind::kLambda, MapKind::kCompact}) {
    for (const MapArithmetic arithmetic : arithmetics_of(map)) {
      const FractalConfig config{
          .fractal = fractal,
          .level = level,
          .tile_size = tile_size,
          .method = {.map = map, .arithmetic = arithmetic, .intra_block = IntraBlock::kLookup}};
      if (is_exact(arithmetic) && method_problem(config.method, tiled).empty()) configs.push_back(config);
    }
  }
  return configs;
}

class SampledVerification {
 public:
  SampledVerification(const VerifyPlan& plan, VerifyResult& result, const VerifyProgress& progress)
      : plan_(plan), result_(result), progress_(progress) {}

  void run() {
    total_ = plan_.backends.size() * plan_.fractals.size();
    for (const BackendSelection& backend : plan_.backends) {
      for (const NbbFractal& fractal : plan_.fractals) {
        for (int level = kLowestSampled; level <= kHighestSampled && is_addressable(fractal, level);
             ++level) {
          verify_level(fractal, level, backend);
        }
        if (fractal.is_uniform()) {
          find_fp16_limit(fractal, MapDirection::kLambda, backend);
          find_fp16_limit(fractal, MapDirection::kNu, backend);
        }
        ++done_;
      }
    }
  }

 private:
  void verify_level(const NbbFractal& fractal, int level, const BackendSelection& backend) {
    VerifySampled tally{.fractal = fractal.name(), .level = level};
    for (const std::uint32_t tile_size : allowed_tile_sizes(fractal, level)) {
      const auto configs = sampled_methods(fractal, level, tile_size);
      const MapSamples samples = draw_map_samples(configs.front(), plan_.start.seed, plan_.samples);
      for (const FractalConfig& config : configs) {
        const VerifyCase verified{config, backend.device.kind};
        progress_(done_, total_, verified);
        const auto check = sampled_map_check(config, backend, samples);
        tally.values += check.lambda_values + check.nu_values;
        const std::uint64_t different = check.lambda_different + check.nu_different;
        ++(different == 0 ? tally.passed : tally.differing);
        if (different == 0) continue;
        result_.differences.push_back(
            {verified, fmt::format("{} of {} sampled values differ; {}", different,
                                   check.lambda_values + check.nu_values, check.first)});
      }
    }
    result_.sampled.push_back(tally);
  }

  // With tile size 1 the tile level is the level. The search ends after the expected level.
  void find_fp16_limit(const NbbFractal& fractal, MapDirection direction, const BackendSelection& backend) {
    const bool is_lambda = direction == MapDirection::kLambda;
    VerifyFp16 limit{
        .fractal = fractal.name(), .map = is_lambda ? "lambda" : "nu", .backend = backend.device.kind};
    limit.expected = first_wrong_level(fractal, direction);
    VerifyCase verified{{.fractal = fractal,
                         .method = {.map = is_lambda ? MapKind::kLambda : MapKind::kCompact,
                                    .arithmetic = MapArithmetic::kTensorFp16}},
                        backend.device.kind};
    std::string first;
    for (int level = 0; is_addressable(fractal, level) && level <= limit.expected.value_or(level); ++level) {
      verified.config.level = level;
      progress_(done_, total_, verified);
      const auto check = sampled_map_check(
          verified.config, backend, draw_map_samples(verified.config, plan_.start.seed, plan_.samples));
      limit.highest = level;
      if ((is_lambda ? check.lambda_different : check.nu_different) == 0) continue;
      limit.found = level;
      first = check.first;
      break;
    }
    if (!limit.ok()) {
      const auto text = [](std::optional<int> level) { return level ? fmt::format("{}", *level) : "none"; };
      result_.differences.push_back(
          {verified, fmt::format("plain FP16 weights: {} goes wrong at map level {}, expected {}; {}",
                                 limit.map, text(limit.found), text(limit.expected), first)});
    }
    result_.fp16.push_back(limit);
  }

  const VerifyPlan& plan_;
  VerifyResult& result_;
  const VerifyProgress& progress_;
  std::uint64_t done_ = 0;  ///< pairs of fractal and backend
  std::uint64_t total_ = 0;
};

}  // namespace

void verify_samples(const VerifyPlan& plan, VerifyResult& result, const VerifyProgress& progress) {
  SampledVerification(plan, result, progress).run();
}

}  // namespace loom
