#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "compute/device/device.h"
#include "compute/distributed/partitioning.h"
#include "compute/distributed/process_group.h"
#include "compute/engine/fractal_engine.h"
#include "compute/engine/mandelbrot_engine.h"
#include "compute/solid/solid_engine.h"
#include "compute/solid/volume_engine.h"

namespace loom {

/// Bytes that a backend can currently allocate for cells, per device.
std::uint64_t bytes_free(const BackendSelection& backend);
/// Throws CapacityError (needed bytes, free bytes, largest level that fits) if the cells of a valid
/// configuration do not fit into the backend's free memory.
template <int kDimensions>
void check_fits(const FractalConfigOf<kDimensions>& config, const BackendSelection& backend);

/// Builds an engine with all cells dead, distributed if the backend has several devices
/// (make_distributed_engine()), in three dimensions on the first of them. `monitor` monitors the
/// construction, not the engine. Throws InputError (invalid configuration), CapacityError (needed bytes, free
/// bytes, largest level that fits), MachineError (device failure), OperationCancelled.
std::unique_ptr<FractalEngine> make_fractal_engine(const FractalConfig& config,
                                                   const BackendSelection& backend,
                                                   ProgressMonitor* monitor = nullptr);
std::unique_ptr<SolidEngine> make_fractal_engine(const SolidConfig& config, const BackendSelection& backend,
                                                 ProgressMonitor* monitor = nullptr);

/// Transfers every cell and the generation from one engine to another of the same fractal and level; maps,
/// tile sizes and backends may differ. Throws OperationCancelled, with some of the cells transferred, if it
/// is cancelled through `monitor` or through the engines' own monitors, which may be the same.
template <int kDimensions>
void transfer_cells(const CellEngine<kDimensions>& from, CellEngine<kDimensions>& to,
                    ProgressMonitor* monitor = nullptr);

/// The ordinal of the device of one of several processes: the one with the process's number on its machine; 0
/// if there is none.
int device_of_rank(const ProcessGroup& ranks);

/// An engine over several devices of this machine, each with a partition of the fractal's cells in proportion
/// to `shares`; without shares, the partitions are equal. Throws InputError if the map is not compact or if
/// there are too few groups of bit planes, or tile rows, for the partitions; CapacityError, MachineError and
/// OperationCancelled as make_fractal_engine().
std::unique_ptr<FractalEngine> make_distributed_engine(const FractalConfig& config,
                                                       std::span<const Device> devices,
                                                       std::span<const std::uint32_t> shares = {},
                                                       ProgressMonitor* monitor = nullptr);

/// An engine over the processes of a run, each with one partition on its own device. All processes must call
/// it. If one of them fails, all throw its message with its rank.
std::unique_ptr<FractalEngine> make_distributed_engine(const FractalConfig& config, const Device& device,
                                                       const ProcessGroup& ranks);

/// An engine without dwells on a backend, distributed if the backend has several devices. Throws
/// MachineError.
std::unique_ptr<MandelbrotEngine> make_mandelbrot_engine(const BackendSelection& backend);

/// An engine of sets in space on the backend's first device. Throws MachineError.
std::unique_ptr<VolumeEngine> make_volume_engine(const BackendSelection& backend);

/// An engine over several devices of this machine, each with a partition of every image's rows. Partitions on
/// the same device run one after the other. Throws MachineError.
std::unique_ptr<MandelbrotEngine> make_mandelbrot_engine(std::span<const Device> devices);

/// An engine over the processes of a run, each with one partition on its own device. All processes must call
/// it. If one of them fails, all throw its message with its rank. The first one makes the calls, the others
/// execute_commands().
std::unique_ptr<MandelbrotEngine> make_mandelbrot_engine(const Device& device, const ProcessGroup& ranks);

}  // namespace loom
