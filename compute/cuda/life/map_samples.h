#pragma once

#include "compute/engine/fractal_config.h"
#include "compute/engine/map_samples.h"

namespace loom::cuda {

/// The results of a valid configuration's method for sampled tiles, computed on a device by the functions
/// that the kernels call. Throws DeviceFault, CapacityError.
MappedSamples map_samples(const FractalConfig& config, int device, const MapSamples& samples);

}  // namespace loom::cuda
