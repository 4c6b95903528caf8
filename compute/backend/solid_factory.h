#pragma once

#include <memory>

#include "compute/device/device.h"
#include "compute/solid/solid_engine.h"

namespace loom {

/// Throws CapacityError (needed bytes, free bytes, largest level that fits) if the cells of a valid
/// configuration do not fit into the backend's free memory.
void check_fits(const SolidConfig& config, const BackendSelection& backend);

/// Builds an engine of a three-dimensional fractal with all cells dead, on the backend's first device. Throws
/// InputError (invalid configuration), CapacityError, MachineError (device failure).
std::unique_ptr<SolidEngine> make_solid_engine(const SolidConfig& config, const BackendSelection& backend);

/// Transfers every cell and the generation from one engine to another of the same fractal and level.
void transfer_cells(const SolidEngine& from, SolidEngine& to);

}  // namespace loom
