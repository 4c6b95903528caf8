#pragma once

#include "compute/engine/fractal_config.h"
#include "compute/engine/map_samples.h"

namespace loom::cpu {

/// What a valid configuration's method makes of blocks, computed as the CPU engine computes it.
MappedSamples map_samples(const FractalConfig& config, const MapSamples& samples);

}  // namespace loom::cpu
