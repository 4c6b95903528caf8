#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compute/engine/engine_factory.h"

namespace loom {

/// Blocks at which lambda and nu are asked for.
struct MapSamples {
  std::vector<Coord64> omegas;     ///< compact block coordinates, for lambda
  std::vector<Coord32> positions;  ///< of one cell within each of these blocks
  std::vector<Coord64> places;     ///< expanded block coordinates, blocks with cells and without, for nu
};

/// What a configuration's method makes of them, one by one.
struct MappedSamples {
  std::vector<Coord64> cells;                  ///< expanded coordinates of the cells at `positions`
  std::vector<std::optional<Coord64>> omegas;  ///< nu of `places`; empty but for the compact map
};

/// How many values differed from reference_lambda() and reference_nu().
struct SampledMapCheck {
  std::uint64_t lambda_values = 0;
  std::uint64_t lambda_different = 0;
  std::uint64_t nu_values = 0;  ///< 0 but for the compact map
  std::uint64_t nu_different = 0;
  std::string first;  ///< the first that differs, in words; empty where none does
};

/// Random blocks of a configuration's block grid, `count` for lambda and as many for nu, half of them with
/// cells, and the corners of both spaces. The same seed gives the same blocks on every backend.
MapSamples draw_map_samples(const FractalConfig& config, std::uint64_t seed, std::uint32_t count);

/// Compares a method's lambda and nu with the plain reference at sampled blocks, at any level that is
/// addressable: no cells are held.
/// Throws InputError for an invalid configuration, DeviceFault.
SampledMapCheck sampled_map_check(const FractalConfig& config, const BackendSelection& backend,
                                  const MapSamples& samples);

}  // namespace loom
