#pragma once

#include <memory>
#include <vector>

#include "compute/engine/fractal_engine.h"
#include "compute/engine/mandelbrot_part.h"
#include "compute/split/part_exchange.h"
#include "compute/split/part_picture.h"
#include "compute/split/ranks.h"
#include "compute/split/sharing.h"

namespace loom::cuda {

/// The game of life on a CUDA device. Throws CapacityError where the device's memory does not suffice and
/// DeviceFault where the device fails.
std::unique_ptr<FractalEngine> make_engine(const FractalConfig& config, int device);

/// A part of life on the compact map on a CUDA device.
std::unique_ptr<FractalPart> make_part(const FractalConfig& config, const Dealing& dealing,
                                       std::uint32_t number, int device);
/// Between parts of this process on these CUDA devices, part i on the i-th: out of each other's memory where
/// all of them can read it; else by NCCL, or by the driver's copies where it is not found or a device has
/// several of the parts.
std::unique_ptr<PartExchange> make_exchange(const std::vector<int>& devices);
/// Between processes, each with a part on a CUDA device of its own, by NCCL. Throws MachineError in all of
/// them where one lacks it.
std::unique_ptr<PartExchange> make_exchange(int device, const Ranks& ranks);

/// Pictures of such parts, made on the first of the devices; null where that cannot read the others' memory.
std::unique_ptr<PartPicture> make_picture(const std::vector<int>& devices);

/// Dwells of the Mandelbrot set on a CUDA device, of every picture this share. Throws MachineError where the
/// device fails.
std::unique_ptr<MandelbrotPart> make_mandelbrot_engine(int device, const DwellShare& share);

}  // namespace loom::cuda
