#pragma once

#include <cstdint>
#include <memory>

#include "compute/device/device.h"
#include "compute/engine/fractal_engine.h"

namespace loom {

/// Bytes that a backend can currently allocate for cells, per device.
std::uint64_t bytes_free(const BackendSelection& backend);
/// Throws CapacityError (needed bytes, free bytes, largest level that fits) if the cells of a valid
/// configuration do not fit into the backend's free memory.
void check_fits(const FractalConfig& config, const BackendSelection& backend);

/// Builds an engine with all cells dead, distributed if the backend has several devices
/// (distributed_factory.h). `monitor` monitors the construction, not the engine. Throws InputError (invalid
/// configuration), CapacityError (needed bytes, free bytes, largest level that fits), MachineError (device
/// failure), OperationCancelled.
std::unique_ptr<FractalEngine> make_fractal_engine(const FractalConfig& config,
                                                   const BackendSelection& backend,
                                                   ProgressMonitor* monitor = nullptr);

/// Transfers every cell and the generation from one engine to another of the same fractal and level; maps,
/// tile sizes and backends may differ. Throws OperationCancelled, with some of the cells transferred, if it
/// is cancelled through `monitor` or through the engines' own monitors, which may be the same.
void transfer_cells(const FractalEngine& from, FractalEngine& to, ProgressMonitor* monitor = nullptr);

}  // namespace loom
