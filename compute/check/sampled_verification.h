#pragma once

#include <cstdint>
#include <string>

#include "compute/check/verification.h"
#include "compute/engine/map_samples.h"

namespace loom {

/// The numbers of values that were compared with, and differed from, reference_lambda() and reference_nu().
struct SampledMapCheck {
  std::uint64_t lambda_values = 0;
  std::uint64_t lambda_different = 0;
  std::uint64_t nu_values = 0;  ///< 0 unless the map is compact
  std::uint64_t nu_different = 0;
  std::string first;  ///< describes the first difference; empty if there is none
};

/// Draws random tiles of a configuration's grid, `count` for lambda and `count` for nu, half of them with
/// cells, and the corners of both spaces. The same seed gives the same tiles on every backend.
MapSamples draw_map_samples(const FractalConfig& config, std::uint64_t seed, std::uint32_t count);

/// Compares a method's lambda and nu with the plain reference at sampled tiles. Works at any level that is
/// addressable, since no cells are allocated. Throws InputError for an invalid configuration, DeviceFault.
SampledMapCheck sampled_map_check(const FractalConfig& config, const BackendSelection& backend,
                                  const MapSamples& samples);

/// Adds the results of a plan's samples to `result`: lambda and nu at levels 7 to 20 for every exact
/// arithmetic and tile size, and the levels from which tensor-fp16 is wrong.
void verify_samples(const VerifyPlan& plan, VerifyResult& result, const VerifyProgress& progress);

}  // namespace loom
