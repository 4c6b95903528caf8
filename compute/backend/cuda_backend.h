#pragma once

#include <memory>

#include "compute/engine/fractal_engine.h"
#include "compute/engine/mandelbrot_engine.h"

namespace loom::cuda {

/// The game of life on a CUDA device. Throws CapacityError where the device's memory does not suffice and
/// DeviceFault where the device fails.
std::unique_ptr<FractalEngine> make_engine(const FractalConfig& config, int device);

/// Dwells of the Mandelbrot set on a CUDA device. Throws MachineError where the device fails.
std::unique_ptr<MandelbrotEngine> make_mandelbrot_engine(int device);

}  // namespace loom::cuda
