#pragma once

#include "compute/engine/fractal_config.h"
#include "compute/engine/map_samples.h"

namespace loom::cpu {

/// The results of a valid configuration's method for sampled tiles, computed as the CPU engine does.
MappedSamples map_samples(const FractalConfig& config, const MapSamples& samples);

}  // namespace loom::cpu
