#pragma once

#include <memory>
#include <vector>

#include "compute/distributed/fractal_partition.h"
#include "compute/distributed/image_compositor.h"
#include "compute/distributed/partitioning.h"
#include "compute/distributed/process_group.h"
#include "compute/engine/fractal_engine.h"
#include "compute/engine/mandelbrot_engine.h"
#include "compute/solid/solid_engine.h"
#include "compute/solid/volume_engine.h"

namespace loom::cuda {

/// The game of life on a CUDA device. Throws CapacityError if device memory does not suffice and DeviceFault
/// if the device fails.
std::unique_ptr<FractalEngine> make_engine(const FractalConfig& config, int device);
/// The same on a three-dimensional fractal.
std::unique_ptr<SolidEngine> make_engine(const SolidConfig& config, int device);

/// One partition of life on the compact map on a CUDA device.
std::unique_ptr<FractalPartition> make_part(const FractalConfig& config, const Partitioning& partitioning,
                                            std::uint32_t number, int device);
/// The halo exchange between partitions of this process on these CUDA devices, partition i on the i-th
/// device. It uses peer-to-peer memory access if all pairs of devices support it, otherwise NCCL, and
/// otherwise driver copies (if NCCL is not installed or a device has several partitions).
std::unique_ptr<HaloExchange> make_exchange(const std::vector<int>& devices);
/// The halo exchange between processes, each with one partition on a CUDA device of its own, by NCCL. Throws
/// MachineError in all processes if one of them has no NCCL.
std::unique_ptr<HaloExchange> make_exchange(int device, const ProcessGroup& ranks);

/// Composes images of such partitions on the first of the devices; null if that device cannot access the
/// other devices' memory.
std::unique_ptr<ImageCompositor> make_compositor(const std::vector<int>& devices);

/// Dwells of the Mandelbrot set on a CUDA device, for this partition of the rows of every image. Throws
/// MachineError if the device fails.
std::unique_ptr<MandelbrotPartition> make_mandelbrot_engine(int device, const RowPartition& share);

/// Dwells in space on a CUDA device. Throws MachineError if the device fails.
std::unique_ptr<VolumeEngine> make_volume_engine(int device);

}  // namespace loom::cuda
