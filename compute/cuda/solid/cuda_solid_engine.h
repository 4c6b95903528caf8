#pragma once

#include <memory>

#include "compute/solid/solid_engine.h"

namespace loom::cuda {

/// Life on a three-dimensional fractal on a CUDA device; `config` must be valid. Throws CapacityError if
/// device memory does not suffice and DeviceFault if the device fails.
std::unique_ptr<SolidEngine> make_engine(const SolidConfig& config, int device);

}  // namespace loom::cuda
