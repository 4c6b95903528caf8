#include "compute/check/sampled_map_check.h"

#include <fmt/format.h>

#include <random>

#include "compute/check/reference_map.h"
#include "compute/cpu/life/map_samples.h"
#include "compute/cuda/life/map_samples.h"
#include "compute/geometry/tiled_fractal.h"

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

}  // namespace loom
