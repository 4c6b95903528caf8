#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "compute/cuda/launch_slices.h"
#include "compute/distributed/fractal_partition.h"
#include "compute/distributed/image_compositor.h"
#include "compute/distributed/partitioning.h"
#include "compute/distributed/process_group.h"
#include "compute/engine/mandelbrot_engine.h"

namespace loom::cuda {

// Engines on a CUDA device, which must be current, of valid configurations. Each throws CapacityError and
// DeviceFault.

/// Life with a byte per cell, for every map and arithmetic.
std::unique_ptr<FractalEngine> make_byte_engine(const FractalConfig& config, int device,
                                                const LaunchSlices& slices);
/// Life in bit planes (geometry/bit_planes.h): the compact map with bit-packed storage.
std::unique_ptr<FractalEngine> make_plane_engine(const FractalConfig& config, int device,
                                                 const LaunchSlices& slices);
/// Life on the whole square with one bit per point (geometry/stored_cells.h): the bounding box with
/// bit-packed storage.
std::unique_ptr<FractalEngine> make_row_engine(const FractalConfig& config, int device,
                                               const LaunchSlices& slices);
/// Partition `number` of life on the compact map in bytes, or in bit planes.
std::unique_ptr<FractalPartition> make_byte_partition(const FractalConfig& config,
                                                      const std::vector<TileRows>& parts,
                                                      std::uint32_t number, int device);
std::unique_ptr<FractalPartition> make_plane_partition(const FractalConfig& config,
                                                       const std::vector<GroupRange>& parts,
                                                       std::uint32_t number, int device);

/// Dwells of this partition of the rows of every image; `slices` are those of single precision. Every public
/// call makes the device current.
std::unique_ptr<MandelbrotPartition> make_mandelbrot_engine(int device, const RowPartition& share,
                                                            const LaunchSlices& slices);

// What partitions of one process share, partition i on the i-th of these devices.

/// The exchange by copies between devices. `direct`: each device reads its halo from the others' memory,
/// which enable_peer_access() has enabled; otherwise the driver copies.
std::unique_ptr<HaloExchange> make_copy_exchange(bool direct);
/// The exchange between different devices by NCCL. Null if the program was built without NCCL's header or the
/// machine has no libnccl.so.2. Throws MachineError if NCCL rejects the devices.
std::unique_ptr<HaloExchange> make_nccl_exchange(const std::vector<int>& devices);
/// The same between processes: `ranks` distributes the first process's id and also adds sums. Throws
/// MachineError in all processes if one of them has no NCCL.
std::unique_ptr<HaloExchange> make_nccl_exchange(int device, const ProcessGroup& ranks);
/// Composes images: the first device, which draws, adds the sums from the others' memory. Null if it cannot
/// access that memory.
std::unique_ptr<ImageCompositor> make_device_compositor(const std::vector<int>& devices);

}  // namespace loom::cuda
